"""What a rating officer would refuse or ask about in a tournament report, before it is handed in (pure).

Sources: the column "rating" of the TRF26 text says which fields must be there (`MUST`) and which are only compared with
FIDE's own (`ASKED`); rates of play and hours a day are those of FIDE B.02. Every finding names where it is mended and,
where it is about players, their starting numbers. Not checked: whether a FIDE number is that person's, whether the
arbiters hold licences, whether the event was registered in time.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from clubrating.ground.marks import marked, sentence
from clubrating.ground.numbers import whole_number
from tournaments.interchange.federations import FEDERATIONS
from tournaments.interchange.rate_of_play import RateOfPlay, is_too_short, rate_suits
from tournaments.interchange.trf.records import (
    DRAW,
    FORFEIT_LOSS,
    FORFEIT_WIN,
    LOSS,
    SHORT_DRAW,
    SHORT_LOSS,
    SHORT_WIN,
    WHITE,
    WIN,
    Cell,
    Report,
    ReportPlayer,
)
from tournaments.interchange.trf.rows import NAME_WIDTH

MOST_HOURS, MOST_DAYS = 12, 90
ARBITERS_NUMBER = re.compile(r"\([0-9]{4,11}\)")
_PLAYED = frozenset((WIN, DRAW, LOSS))
_SHORT = frozenset((SHORT_WIN, SHORT_DRAW, SHORT_LOSS))
_FORFEITS = frozenset((FORFEIT_WIN, FORFEIT_LOSS))


class Weight(StrEnum):
    """How much it matters: refused without it, asked about or compared, and what is good to know."""

    MUST = "must"
    ASKED = "asked"
    KNOWN = "known"


class Where(StrEnum):
    """Where it is mended."""

    PAPERS = "papers"
    SETTINGS = "settings"
    ROUNDS = "rounds"
    PLAYERS = "players"
    FEDERATIONS = "federations"
    NOWHERE = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about a report; `players` by starting number."""

    weight: Weight
    where: Where
    text: str
    players: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """What no report says: the rate of play, whether it is standard, rapid or blitz, whether the event is chess and
    over."""

    rate: RateOfPlay | None
    kind: str = "standard"
    is_chess: bool = True
    is_over: bool = True


@dataclass(frozen=True, slots=True)
class Played:
    """What became of the boards and byes: `rated` as far as the result goes, `short` ended before a move of both,
    `forfeits` boards, `byes` of whatever kind, `absences`, `open` boards without a result."""

    rated: int
    short: int
    forfeits: int
    byes: int
    absences: int
    open: int


def check_report(report: Report, terms: Terms) -> list[Finding]:
    """Everything found, what would be refused first."""
    found = [*_head(report, terms), *_people(report), *_time(report, terms), *_games(report)]
    return sorted(found, key=lambda finding: list(Weight).index(finding.weight))


def count_played(report: Report) -> Played:
    """Boards and byes of the whole report, each board once."""
    boards = Counter(_kind_of(cell) for _player, _number, cell in _seats(report))
    alone = Counter(cell.code for player in report.players for cell in player.cells if not cell.opponent)
    absences = alone.pop("Z", 0)
    return Played(boards["rated"], boards["short"], boards["forfeit"], sum(alone.values()), absences, boards["open"])


def _seats(report: Report) -> Iterator[tuple[ReportPlayer, int, Cell]]:
    """Every board once, with the player it is seen from and the round."""
    for player in report.players:
        for number, cell in enumerate(player.cells, start=1):
            if cell.opponent and (cell.colour == WHITE or (not cell.colour and player.number < cell.opponent)):
                yield player, number, cell


def _kind_of(cell: Cell) -> str:
    if cell.code in _PLAYED:
        return "rated"
    if cell.code in _SHORT:
        return "short"
    return "forfeit" if cell.code in _FORFEITS else "open"


# --- the head -----------------------------------------------------------------------------------------------------
def _head(report: Report, terms: Terms) -> Iterator[Finding]:
    must = Weight.MUST
    if not terms.is_chess:
        yield Finding(must, Where.SETTINGS, marked("This is no event of chess: FIDE rates chess only."))
    if not report.city:
        yield Finding(must, Where.SETTINGS, marked("The place is missing."))
    if not report.starts_on or not report.ends_on:
        yield Finding(must, Where.SETTINGS, marked("The first or the last day is missing."))
    elif (days := (report.ends_on - report.starts_on).days + 1) > MOST_DAYS:
        text = sentence(
            "The event lasts %(days)s days: more than %(most)s are rated only where FIDE agreed beforehand.",
            days=days,
            most=MOST_DAYS,
        )
        yield Finding(Weight.ASKED, Where.SETTINGS, text)
    if not report.federation:
        yield Finding(must, Where.PAPERS, marked("The federation of the event is missing."))
    elif report.federation not in FEDERATIONS:
        yield Finding(must, Where.PAPERS, _unknown(report.federation))
    if not report.chief_arbiter:
        yield Finding(must, Where.PAPERS, marked("The chief arbiter is missing."))
    for name in filter(None, (report.chief_arbiter, *report.deputies)):
        if not ARBITERS_NUMBER.search(name):
            text = sentence("The arbiter “%(name)s” has no FIDE number in brackets.", name=name)
            yield Finding(Weight.ASKED, Where.PAPERS, text)
    if not terms.is_over:
        yield Finding(Weight.ASKED, Where.ROUNDS, marked("The event is not closed: more results may come."))
    if report.rounds and report.played_rounds < report.rounds:
        text = sentence(
            "The report has %(made)s of %(planned)s rounds.", made=report.played_rounds, planned=report.rounds
        )
        yield Finding(Weight.ASKED, Where.ROUNDS, text)
    yield from _days(report)


def _days(report: Report) -> Iterator[Finding]:
    days = dict(enumerate(report.round_days, start=1))
    missing = [number for number in range(1, report.played_rounds + 1) if not days.get(number)]
    if missing:
        text = sentence("Rounds without a day: %(rounds)s.", rounds=_row(missing))
        yield Finding(Weight.MUST, Where.ROUNDS, text)
    if report.starts_on and report.ends_on:
        outside = [number for number, day in days.items() if day and not report.starts_on <= day <= report.ends_on]
        if outside:
            text = sentence("Rounds outside the days of the event: %(rounds)s.", rounds=_row(outside))
            yield Finding(Weight.MUST, Where.ROUNDS, text)


def _row(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _unknown(code: str) -> str:
    return sentence("“%(code)s” is no federation that this program knows: look the code up at FIDE.", code=code)


# --- players ------------------------------------------------------------------------------------------------------
def _people(report: Report) -> Iterator[Finding]:
    people = report.players
    yield from _about(people, Weight.MUST, Where.PLAYERS, marked("No FIDE number"), lambda one: not one.fide_id)
    odd = marked("A FIDE number that is none")
    yield from _about(
        people, Weight.MUST, Where.PLAYERS, odd, lambda one: bool(one.fide_id) and not _is_id(one.fide_id)
    )
    twice = {number for number, times in Counter(one.fide_id.lstrip("0") for one in people).items() if times > 1} - {""}
    same = marked("The same FIDE number twice")
    yield from _about(people, Weight.MUST, Where.PLAYERS, same, lambda one: one.fide_id.lstrip("0") in twice)
    yield from _about(people, Weight.MUST, Where.ROUNDS, marked("No place in the standings"), lambda one: not one.rank)
    asked = Weight.ASKED
    fed = Where.FEDERATIONS
    yield from _about(people, asked, fed, marked("No federation"), lambda one: not one.federation)
    for code in sorted({one.federation for one in people if one.federation} - FEDERATIONS):
        yield Finding(asked, fed, _unknown(code), tuple(one.number for one in people if one.federation == code))
    yield from _about(people, asked, Where.PLAYERS, marked("No year of birth"), lambda one: not one.birth)
    yield from _about(people, asked, Where.PLAYERS, marked("No sex"), lambda one: not one.sex)
    plain = marked("The name is not in Latin letters, as FIDE’s list has it")
    yield from _about(people, asked, Where.PLAYERS, plain, lambda one: not is_latin(one.name))
    comma = marked("The name has no comma between family name and first name")
    yield from _about(
        people, Weight.KNOWN, Where.PLAYERS, comma, lambda one: is_latin(one.name) and "," not in one.name
    )
    long = sentence("The name is cut after %(letters)s letters", letters=NAME_WIDTH)
    yield from _about(people, Weight.KNOWN, Where.NOWHERE, long, lambda one: len(one.name) > NAME_WIDTH)
    if any(one.birth.endswith("/00/00") for one in people):
        text = marked("Of days of birth the club keeps the year: the report has 00 for month and day.")
        yield Finding(Weight.KNOWN, Where.NOWHERE, text)


def _about(
    people: Iterable[ReportPlayer], weight: Weight, where: Where, text: str, applies: Callable[[ReportPlayer], bool]
) -> Iterator[Finding]:
    if numbers := tuple(one.number for one in people if applies(one)):
        yield Finding(weight, where, text, numbers)


def _is_id(text: str) -> bool:
    return bool(whole_number(text, digits=11))


def is_latin(name: str) -> bool:
    """Whether all letters of the name are Latin, with or without accents."""
    return all(ord(each) < 0x250 or not each.isalpha() for each in name)


# --- time ---------------------------------------------------------------------------------------------------------
def _time(report: Report, terms: Terms) -> Iterator[Finding]:
    if terms.rate is None:
        yield Finding(Weight.ASKED, Where.PAPERS, marked("The rate of play is missing: nobody can tell what is rated."))
        return
    minutes = terms.rate.seconds // 60
    if not rate_suits(terms.rate, terms.kind):
        texts = {
            "blitz": marked("%(minutes)s minutes for 60 moves: a blitz game has 3 to 10."),
            "rapid": marked("%(minutes)s minutes for 60 moves: a rapid game has more than 10 and less than 60."),
        }
        text = texts.get(terms.kind, marked("%(minutes)s minutes for 60 moves: a standard game has at least 60."))
        yield Finding(Weight.MUST, Where.PAPERS, sentence(text, minutes=minutes))
    elif terms.kind not in ("rapid", "blitz"):
        yield from _too_short(report, terms.rate)
        yield from _hours(report, terms.rate)


def _too_short(report: Report, rate: RateOfPlay) -> Iterator[Finding]:
    ratings = {player.number: player.rating or 0 for player in report.players}
    boards = [
        (player.number, cell.opponent)
        for player, _number, cell in _seats(report)
        if cell.code in _PLAYED and is_too_short(rate, (ratings[player.number], ratings.get(cell.opponent, 0)))
    ]
    if boards:
        strong = tuple(sorted({max(pair, key=lambda number: ratings.get(number, 0)) for pair in boards}))
        text = sentence(
            "%(games)s games are not rated: with a player from 1800 each needs 90 minutes, from 2400 120 minutes",
            games=len(boards),
        )
        yield Finding(Weight.MUST, Where.PAPERS, text, strong)


def _hours(report: Report, rate: RateOfPlay) -> Iterator[Finding]:
    for day, rounds in sorted(Counter(day for day in report.round_days if day).items()):
        hours = 2 * rate.seconds * rounds / 3600
        if hours > MOST_HOURS:
            text = sentence(
                "%(day)s: %(rounds)s rounds are %(hours)s hours of play, more than %(most)s a day.",
                day=day.isoformat(),
                rounds=rounds,
                hours=f"{hours:g}" if hours == int(hours) else f"{hours:.1f}",
                most=MOST_HOURS,
            )
            yield Finding(Weight.MUST, Where.ROUNDS, text)


# --- games --------------------------------------------------------------------------------------------------------
def _games(report: Report) -> Iterator[Finding]:
    played = count_played(report)
    if played.open:
        text = sentence("Boards without a result: %(count)s.", count=played.open)
        yield Finding(Weight.MUST, Where.ROUNDS, text)
    if not played.rated:
        yield Finding(Weight.MUST, Where.ROUNDS, marked("No game was played that could be rated."))
    if played.forfeits or played.short or played.byes:
        text = sentence(
            "Not rated: %(forfeits)s forfeits, %(short)s games shorter than a move each, %(byes)s byes.",
            forfeits=played.forfeits,
            short=played.short,
            byes=played.byes,
        )
        yield Finding(Weight.KNOWN, Where.NOWHERE, text)
