"""What a tournament report means for the club's tables: format, points, days, boards, byes, who left. Writes nothing.

A report whose rounds are exactly those of the Berger tables becomes a round robin. A Swiss (FIDE Dutch) is what its
type calls one, and what is neither a round robin nor called anything else, where nobody met twice. Every other one is
paired by hand, round by round. Boards are not in a report: a round robin has those of its tables, else the leaders play
on top.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from tournaments.entries.services.prohibited import LARGEST_GROUP
from tournaments.interchange.checking import NotCheckedError, check_round_robin
from tournaments.interchange.pairing_of_report import first_colour_of
from tournaments.interchange.trf import Report
from tournaments.interchange.trf.games import games_of, points_of, worths
from tournaments.interchange.trf.records import ALLOCATED, BYE_KINDS, FULL, HALF, ZERO
from tournaments.interchange.trf.terms import asked_for, groups_apart
from tournaments.models import ByeKind, ByeWorth
from tournaments.pairing.base import PairingError, read_options
from tournaments.pairing.dutch.system import BAKU, NO_ACCELERATION, Dutch
from tournaments.pairing.round_robin import RoundRobin
from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import OUTCOMES, POINT_SYSTEMS, PointSystem, Result

ROUND_ROBIN, BY_HAND = RoundRobin.key, "by-hand"
_SWISS = ("swiss", "dutch")
# Types of which a word here stands are no Swiss that we pair.
_NO_SWISS = re.compile(
    "team|burstein|dubov|\\blim\\b|round.?robin|berger|all.?play.?all|knock.?out|scheveningen|keizer|ladder|hutton|elimination"
)
_KINDS = {code: ByeKind(kind) for code, kind in BYE_KINDS.items()}


@dataclass(frozen=True, slots=True)
class Format:
    """The pairing system's key and its settings."""

    key: str
    settings: dict[str, Any]

    @property
    def is_round_robin(self) -> bool:
        return self.key == ROUND_ROBIN

    @property
    def is_swiss(self) -> bool:
        return self.key == Dutch.key


@dataclass(frozen=True, slots=True)
class ReportBye:
    """A round without opponent."""

    round: int
    number: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class Board:
    """A board of a round: two numbers and a result, or one number and a bye. In a match of teams also its `place` in
    the round, and the `lines` of White's and Black's seats (of the only one first)."""

    white: int
    black: int | None = None
    result: Result = Result.OPEN
    bye: ByeKind | None = None
    place: int = 0
    lines: tuple[int | None, int | None] = (None, None)


def format_of(report: Report) -> Format:
    """A round robin where every round is exactly one of the tables, a Swiss, else by hand."""
    try:
        check = check_round_robin(report)
    except NotCheckedError:
        return Format(Dutch.key, swiss_settings(report)) if is_swiss(report) else Format(BY_HAND, {})
    fits = check.rounds and not check.differences and len(report.players) <= RoundRobin.max_players
    return Format(ROUND_ROBIN, check.settings) if fits else Format(BY_HAND, {})


def is_swiss(report: Report) -> bool:
    """Whether a report of no round robin is one of a Swiss that we could go on with."""
    called = f"{report.coded_kind} {report.kind}".casefold().replace("_", " ")
    if report.by_rank or _NO_SWISS.search(called) or not Dutch.min_players <= len(report.players) <= Dutch.max_players:
        return False
    try:
        read_options(Dutch.options, swiss_settings(report))
    except PairingError:
        return False
    return any(word in called for word in _SWISS) or _nobody_met_twice(report)


def swiss_settings(report: Report) -> dict[str, Any]:
    """The settings of the Swiss: as the report says, else as its rounds show."""
    rounds = max(report.rounds or 0, paired_rounds(report))
    baku = "BAKU" in report.coded_kind.split("_")
    return {
        **({"rounds": rounds} if rounds else {}),
        "first_colour": first_colour_of(report),
        "acceleration": BAKU if baku else NO_ACCELERATION,
        **({"games": 2} if _has_return_games(report) else {}),
    }


def _has_return_games(report: Report) -> bool:
    """Whether every second round has the boards of the round before with colours exchanged."""
    games: dict[int, set[tuple[int, int]]] = {}
    for game in games_of(report):
        games.setdefault(game.round, set()).add((game.white, game.black))
    returns = [number for number in games if number % 2 == 0]
    return bool(returns) and all(
        games[number] == {(black, white) for white, black in games.get(number - 1, ())} for number in returns
    )


def _nobody_met_twice(report: Report) -> bool:
    """In at least one game; forfeits are no meetings."""
    met = [frozenset((game.white, game.black)) for game in games_of(report) if OUTCOMES[game.result].played]
    return bool(met) and len(set(met)) == len(met)


def paired_rounds(report: Report) -> int:
    """The last round that has a game: what follows is not paired yet."""
    return max((game.round for game in games_of(report)), default=0)


def point_system_of(report: Report) -> PointSystem | None:
    """The point system that brings what the report says; None where we have none like it."""
    said = worths(report)
    return next((system for system in POINT_SYSTEMS if _brings(system) == (said.win, said.draw, said.loss)), None)


def allocated_bye_of(report: Report) -> str:
    """What the pairing-allocated bye is worth (a `ByeWorth`); empty where nobody had one."""
    said = worths(report)
    if not any(cell.code == ALLOCATED for player in report.players for cell in player.cells):
        return ""
    worth = {said.loss: ByeWorth.LOSS, said.draw: ByeWorth.DRAW, said.win: ByeWorth.WIN}
    return worth.get(said.allocated, ByeWorth.WIN)


def kept_apart(report: Report, tag: str = "XXP") -> tuple[tuple[int, ...], ...]:
    """Groups of numbers that should not meet, by XXP or, where it goes on to the last round, by 260; empty where the
    event has no place for one of them."""
    groups = tuple(groups_apart(replace(report, records=tuple(report.lines(tag)))))
    lasting = all(one.first <= paired_rounds(report) + 1 and one.last >= (report.rounds or one.last) for one in groups)
    sized = all(1 < len(set(one.numbers)) == len(one.numbers) <= LARGEST_GROUP for one in groups)
    return tuple(one.numbers for one in groups) if lasting and sized else ()


def asked_byes(report: Report, left: Mapping[int, int]) -> dict[tuple[int, int], ByeKind]:
    """The byes asked for in rounds still to be paired, by round and number: 240, XXZ, and what stands in the round's
    column; of nobody who has `left`."""
    coming, last = paired_rounds(report) + 1, report.rounds or 0
    found = {(coming, number): kind for number, kind in _marked(report, coming).items()}
    for bye in asked_for(report):
        found |= {(bye.round or coming, number): _KINDS[bye.code] for number in bye.numbers}
    return {(at, number): kind for (at, number), kind in found.items() if coming <= at <= last and number not in left}


def _marked(report: Report, coming: int) -> dict[int, ByeKind]:
    """Who stands as away in the column of the coming round; nobody where all do: then it says nothing."""
    there = [player for player in report.players if coming <= len(player.cells) - player.filled]
    away = {
        player.number: _KINDS[player.cells[coming - 1].code]
        for player in there
        if player.cells[coming - 1].code in (HALF, FULL, ZERO)
    }
    return away if len(away) < len(report.players) else {}


def played_days(report: Report, rounds: int, *, today: date) -> list[date]:
    """The day each round was played on: the round's own, else evenly from the first day to the last, else all on the
    first; without any day, today. None lies after today."""
    first = report.starts_on or today
    last = max(report.ends_on or first, first)
    steps = max((report.rounds or rounds) - 1, 1)
    spread = [first + timedelta(days=(last - first).days * at // steps) for at in range(rounds)]
    said = [*report.round_days, *(None for _round in spread)]
    return [min(own or day, today) for own, day in zip(said, spread, strict=False)]


# --- boards and byes ------------------------------------------------------------------------------------------------
def boards_of(report: Report, kind: Format, left: Mapping[int, int]) -> Iterator[tuple[Board, ...]]:
    """The boards of every round in order, byes last; of a round robin also of the rounds to come. `left`: the last
    round of everybody who has left, by number."""
    rounds = paired_rounds(report)
    games: dict[int, list[Meeting]] = {number: [] for number in range(1, rounds + 1)}
    for game in games_of(report):
        if game.round in games:
            games[game.round].append(game)
    tables = _tables(report, kind)
    scores = _running_scores(report, rounds)
    byes = [bye for bye in byes_of(report, kind) if bye.round <= left.get(bye.number, bye.round)]
    for number in range(1, rounds + 1):
        table = tables[number - 1] if tables else {}
        played = sorted(games[number], key=lambda game: _place(game, table, scores[number - 1]))
        own = (bye for bye in byes if bye.round == number)
        free = sorted(own, key=lambda bye: (list(ByeKind).index(bye.kind), bye.number))
        yield (
            *(Board(game.white, game.black, game.result) for game in played),
            *(Board(bye.number, bye=bye.kind) for bye in free),
        )
    for table in tables[rounds:]:
        yield tuple(
            Board(white, bye=ByeKind.ALLOCATED) if black is None else Board(white, black) for white, black in table
        )


def byes_of(report: Report, kind: Format) -> Iterator[ReportBye]:
    """Every round without opponent up to the last paired one. The free day of a round robin counts as allocated."""
    tables, rounds = _tables(report, kind), paired_rounds(report)
    for player in report.players:
        for number, cell in enumerate(player.cells[:rounds], start=1):
            if not cell.opponent:
                free = bool(tables) and (player.number, None) in tables[number - 1] and cell.code != HALF
                kind_of_bye = ByeKind.ALLOCATED if free else _KINDS.get(cell.code, ByeKind.ZERO)
                yield ReportBye(number, player.number, kind_of_bye)


def leavers(report: Report, kind: Format) -> dict[int, int]:
    """Who has no game and no bye that was given to him to the end, with the last round before. While the event is
    running, one missed round does not make a leaver, and who was in none yet comes late; who is to be away from all
    rounds to come has left."""
    rounds = paired_rounds(report)
    absent = {(bye.round, bye.number) for bye in byes_of(report, kind) if bye.kind == ByeKind.ZERO}
    running = rounds < (report.rounds or rounds)
    gone = _gone(report) if kind.is_swiss else frozenset()
    found = {}
    for player in report.players:
        last = next((at for at in range(rounds, 0, -1) if (at, player.number) not in absent), 0)
        missed = rounds - last
        if player.number in gone or (last > 0 and missed > 1 if running else missed > 0):
            found[player.number] = last
    return found


def _gone(report: Report) -> frozenset[int]:
    """Who is said to be away without points from all rounds to come; of the last one alone that may be a bye."""
    coming, last = range(paired_rounds(report) + 1, (report.rounds or 0) + 1), len(report.players)
    asked = asked_byes(report, {})
    away = (own for own in range(1, last + 1) if all(asked.get((at, own)) == ByeKind.ZERO for at in coming))
    return frozenset(away) if len(coming) > 1 else frozenset()


def is_complete(report: Report, boards: Sequence[Iterable[Board]]) -> bool:
    """Whether nothing more is to be played."""
    is_open = any(board.bye is None and not board.result for row in boards for board in row)
    return bool(boards) and not is_open and len(boards) >= (report.rounds or 0)


def _tables(report: Report, kind: Format) -> list[dict[tuple[int, int | None], int]]:
    """The board of each pair in every round of a round robin; empty for anything else."""
    if not kind.is_round_robin:
        return []
    schedule = RoundRobin().schedule(len(report.players), kind.settings)
    return [{(board.white, board.black): at for at, board in enumerate(boards)} for boards in schedule]


def _place(game: Meeting, table: Mapping[tuple[int, int | None], int], scores: Mapping[int, Fraction]) -> Any:
    """Where a game stands among its round's: by the tables, else by the better score, both scores, the number."""
    if (game.white, game.black) in table:
        return (table[game.white, game.black],)
    both = (scores[game.white], scores[game.black])
    return -max(both), -sum(both), min(game.white, game.black)


def _running_scores(report: Report, rounds: int) -> list[dict[int, Fraction]]:
    """Everybody's points before each round."""
    worth = worths(report)
    return [
        {player.number: points_of(replace(player, cells=player.cells[:before]), worth) for player in report.players}
        for before in range(rounds)
    ]


def _brings(system: PointSystem) -> tuple[Fraction, ...]:
    return tuple(Fraction(points, system.unit) for points in (system.win, system.draw, system.loss))
