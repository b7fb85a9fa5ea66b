"""A season of the demo club (pure): who came on which evening, who met whom, and how it ended.

Results are drawn from the members' strengths: White's expected score by the logistic curve, with a small advantage
of the first move, split into wins and draws. The same day gives the same season.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain
from random import Random
from typing import Any

from clubrating.site.demo.people import (
    CHAMPIONSHIP,
    CLUB_CUP,
    FRIDAY_LATE,
    FRIDAY_SWISS,
    GUESTS,
    KNOCKOUT,
    MEMBERS,
    RAPID_GROUPS,
    Member,
)
from ratings.systems.elo import expected_score
from tournaments.interchange.games_csv import GameRow
from tournaments.standings.points import Result

SEED = 1851
WEEKS = 60
WHITE_ADVANTAGE = 25
# Share of draws between players of equal strength; it falls as the difference grows.
DRAWN_BY_EQUALS = 0.34
# Standard deviation of the noise added to strengths before neighbours are paired; about the gap between opponents.
MIXED_BY = 130
RAPID_ROUNDS = 3
OPEN_BOARD = "Sunday open board"
OPEN_BOARD_WEEKS = 10
THURSDAY, FRIDAY, SUNDAY = 3, 4, 6

STRENGTHS = {member.name: member.strength for member in chain(MEMBERS, *GUESTS.values())}


@dataclass(frozen=True, slots=True)
class Evening:
    """The games of one club evening, in order."""

    day: date
    games: tuple[GameRow, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament of the club: who entered, and the day of each round. `seed` is that of the lots; on `forfeit`
    (round, board) Black did not come; of the round `under_way` only `boards_in` boards are in, and of `begun` matches
    the first game. `byes` (name, round, kind) were asked for; who is `late` (name, round) plays from that round on. The
    rounds of one that is `foretold` were forecast."""

    name: str
    field: tuple[str, ...]
    days: tuple[date, ...]
    seed: int
    forfeit: tuple[int, int] | None = None
    boards_in: int = 1
    under_way: int = 0
    begun: int = 0
    foretold: bool = False
    system: str = "round-robin"
    settings: tuple[tuple[str, Any], ...] = ()
    pool: str = "standard"
    byes: tuple[tuple[str, int, str], ...] = ()
    late: tuple[tuple[str, int], ...] = ()


def first_day(today: date) -> date:
    """The day the season begins, and the spreadsheet's ratings hold from."""
    return today - timedelta(weeks=WEEKS)


def events(today: date) -> tuple[Event, ...]:
    """A finished round robin, a running one whose sixth round is today, a knockout in its semi-finals, two groups whose
    best play for the title, and a Swiss of which three rounds of five are played."""
    cup = today - timedelta(weeks=24, days=(today.weekday() - 1) % 7)
    championship = today - timedelta(weeks=5)
    knockout = tuple(today + timedelta(days=1, weeks=week) for week in (-13, -9, -2, 3))
    groups = tuple(today + timedelta(days=-3, weeks=week) for week in (-3, -3, -3, -1, 1))
    return (
        Event(f"Club Cup {cup.year}", CLUB_CUP, _weekly(cup, 9), seed=10, forfeit=(7, 4), foretold=True),
        Event(
            f"Club Championship {today.year}",
            CHAMPIONSHIP,
            _weekly(championship, 9),
            seed=9,
            under_way=6,
            foretold=True,
        ),
        Event(
            f"Knockout {knockout[0].year}",
            KNOCKOUT,
            knockout,
            seed=14,
            under_way=3,
            begun=1,
            system="knockout",
            settings=(("games", 2), ("extra", "blitz1"), ("third_place", True)),
        ),
        Event(f"Rapid Groups {groups[0].year}", RAPID_GROUPS, groups, seed=8, system="groups", pool="rapid"),
        _friday_swiss(today),
    )


def _friday_swiss(today: date) -> Event:
    """On Fridays; the next round is still to be paired."""
    last_friday = today - timedelta(days=1 + (today.weekday() - 1 - FRIDAY) % 7)
    days = _weekly(last_friday - timedelta(weeks=2), 5)
    return Event(
        f"Friday Swiss {days[0].year}",
        FRIDAY_SWISS,
        days,
        seed=17,
        forfeit=(2, 6),
        foretold=True,
        system="dutch",
        settings=(("rounds", len(days)),),
        byes=(("Rafael Montalvão", 2, "half"), ("Ελένη Παπαδάκη", 4, "zero"), ("佐藤はるか", 4, "half")),
        late=((FRIDAY_LATE, 2),),
    )


def _weekly(first: date, rounds: int) -> tuple[date, ...]:
    return tuple(first + timedelta(weeks=week) for week in range(rounds))


def evenings(today: date) -> Iterator[Evening]:
    """Every club evening from the first day to yesterday, in order: chess each Thursday, rapid on the month's first
    Friday, and lately an open board on Sundays."""
    random, on_sundays = Random(SEED), Random(SEED + 1)
    day = first_day(today)
    while day < today:
        if not _is_holiday(day):
            if day.weekday() == THURSDAY:
                yield _thursday(day, today, random)
            elif day.weekday() == FRIDAY and day.day <= 7:
                yield _rapid_night(day, today, random)
            elif day.weekday() == SUNDAY and today - day <= timedelta(weeks=OPEN_BOARD_WEEKS):
                yield _open_board(day, today, on_sundays)
        day += timedelta(days=1)


def draw_result(white: str, black: str, random: Random) -> Result:
    """How a game between those people ends, drawn from their strengths."""
    expected = expected_score(STRENGTHS[white] + WHITE_ADVANTAGE, STRENGTHS[black])
    drawn = DRAWN_BY_EQUALS * (1 - abs(2 * expected - 1))
    chance = random.random()
    if chance < drawn:
        return Result.DRAW
    return Result.WHITE_WINS if chance < expected + drawn / 2 else Result.BLACK_WINS


def _is_holiday(day: date) -> bool:
    return (day.month, day.day) >= (12, 24) or (day.month, day.day) <= (1, 1)


def season_of(day: date) -> str:
    """ "2025/26": a season begins in September."""
    year = day.year if day.month >= 9 else day.year - 1
    return f"{year}/{(year + 1) % 100:02}"


def _thursday(day: date, today: date, random: Random) -> Evening:
    pairs = _pairs(_present(day, today, random, share=1.0), random)
    return Evening(day, tuple(_game(day, f"Thursday evenings {season_of(day)}", pair, random) for pair in pairs))


def _rapid_night(day: date, today: date, random: Random) -> Evening:
    present = _present(day, today, random, share=0.8)
    rows = [
        _game(day, f"Rapid nights {season_of(day)}", pair, random, label=f"{number}.{board}", pool="rapid")
        for number in range(1, RAPID_ROUNDS + 1)
        for board, pair in enumerate(_pairs(present, random), start=1)
    ]
    return Evening(day, tuple(rows))


def _open_board(day: date, today: date, random: Random) -> Evening:
    """Whoever comes plays whom he likes, some twice."""
    present = _present(day, today, random, share=0.35)
    pairs = [*_pairs(present, random), *_pairs(present[: len(present) // 2], random)]
    return Evening(day, tuple(_game(day, OPEN_BOARD, pair, random, pool="rapid") for pair in pairs))


def _present(day: date, today: date, random: Random, *, share: float) -> list[Member]:
    weeks_ago = (today - day).days / 7
    return [
        member
        for member in MEMBERS
        if member.until <= weeks_ago <= member.since and random.random() < member.comes * share
    ]


def _pairs(present: list[Member], random: Random) -> Iterator[tuple[str, str]]:
    """Neighbours in strength, with some noise; the last of an odd number has no game."""
    mixed = sorted(present, key=lambda member: -random.gauss(member.strength, MIXED_BY))
    for one, other in zip(mixed[::2], mixed[1::2], strict=False):
        yield (one.name, other.name) if random.random() < 0.5 else (other.name, one.name)


def _game(
    day: date, event: str, pair: tuple[str, str], random: Random, *, label: str = "", pool: str = "standard"
) -> GameRow:
    white, black = pair
    return GameRow(0, white, black, draw_result(white, black, random), day, event, label, pool)
