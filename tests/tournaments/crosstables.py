"""Contests for the tests of tie-breaks: from rows as reports have them, and the shortest way to everybody's values."""

from fractions import Fraction
from typing import Any

from tests.tournaments.interchange.trf_files import report, row
from tests.tournaments.real_events import CLASSIC
from tournaments.interchange.standings_of_report import contest_of
from tournaments.standings.crosstable import Crosstable
from tournaments.standings.points import PointSystem
from tournaments.standings.rank import rank
from tournaments.standings.tiebreaks import Contest, Worth, tiebreak

# Rows of a Swiss: rating, then the rounds as `trf_files.row` takes them.
Rows = dict[int, tuple[int, str]]


def swiss(rows: Rows, edition: int = 2026, *lines: str) -> Contest:
    """The contest of those rows, unplayed rounds by article 16."""
    made = (row(number, rounds, rating=str(rating or "")) for number, (rating, rounds) in rows.items())
    return contest_of(report("012 Swiss", *lines, *made), swiss=True, edition=edition)


def unrated(*rounds: str) -> Rows:
    """Rows of players 1, 2, … without ratings."""
    return {number: (0, cells) for number, cells in enumerate(rounds, start=1)}


def worths(contest: Contest, code: str) -> dict[int, Worth]:
    """Everybody's worth by that tie-break alone; who has none is left out."""
    rows = rank(contest, [tiebreak(code)])
    return {row.player: row.tiebreaks[0] for row in rows if row.tiebreaks[0] is not None}


def values(contest: Contest, code: str) -> dict[int, Any]:
    """Everybody's value: a whole number, or a decimal where it is none."""
    return {player: plain(worth.number) for player, worth in worths(contest, code).items()}


def plain(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)


def value(contest: Contest, code: str, player: int) -> Any:
    return values(contest, code).get(player)


def places(contest: Contest, *codes: str) -> dict[int, int]:
    return {row.player: row.place for row in rank(contest, [tiebreak(code) for code in codes])}


def contest_with(table: Crosstable, points: PointSystem = CLASSIC, **more: Any) -> Contest:
    """A contest around a crosstable made by hand: a round robin, unless told otherwise."""
    rounds = max((cell.round for line in table.values() for cell in line.cells), default=0)
    return Contest(table, points, **{"rounds": rounds, **more})
