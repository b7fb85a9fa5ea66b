"""Rounds without a game among the tie-breaks: articles 15 and 16, which Buchholz, Sonneborn-Berger and their kin share.

In a Swiss a round without a game counts as one against a dummy (16.4), and an opponent who stayed away at the end
counts as if he had drawn there (16.3.2). In a round robin a forfeit counts like a game, and nobody has a dummy (15.2).
Sources: FIDE C.07, 1 March 2026; until then the dummy had no ceiling (`edition` 2023).
Not done: what the regulations of one event say otherwise (16.6).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache

from tournaments.standings.crosstable import Line
from tournaments.standings.tiebreaks.base import Contest

# Contests of which what follows below is kept: those of the pages being made just now.
_KEPT = 32


class Category(IntEnum):
    """What kind of round it was, by article 16.2; `PLAYED` is none of its kinds."""

    PLAYED = 0
    GIVEN = 1  # pairing-allocated or full-point bye
    FORFEIT_WIN = 2
    REQUESTED = 3  # half- or zero-point bye, played on later
    FORFEIT_LOSS = 4
    AWAY_AT_THE_END = 5  # the same with nothing but absence after it


REQUESTED = frozenset(("half", "zero"))
# 16.1.2: rounds missed of one's own will.
VOLUNTARY = frozenset((Category.REQUESTED, Category.FORFEIT_LOSS, Category.AWAY_AT_THE_END))


@dataclass(frozen=True, slots=True)
class Turn:
    """One round of one player, once it is over: points in the smallest unit, `halves` as 1 – ½ – 0, `opponent` 0 where
    none was due."""

    round: int
    opponent: int
    points: int
    against: int
    halves: int
    is_white: bool
    category: Category

    @property
    def played(self) -> bool:
        return self.category is Category.PLAYED

    @property
    def voluntary(self) -> bool:
        return self.category in VOLUNTARY


@dataclass(frozen=True, slots=True)
class Meant:
    """What a round counts for: the opponent's (or dummy's) score and the points taken, in the smallest unit. `capped`:
    the dummy has less than the player himself."""

    turn: Turn
    score: int
    is_dummy: bool = False
    capped: bool = False

    @property
    def product(self) -> int:
        return self.score * self.turn.points

    @property
    def voluntary(self) -> bool:
        return self.is_dummy and self.turn.voluntary


@lru_cache(maxsize=_KEPT)
def turns_of(contest: Contest) -> Mapping[int, tuple[Turn, ...]]:
    """Everybody's rounds in order, without games still open."""
    return {player: tuple(_turns(line, contest)) for player, line in contest.table.items()}


def _turns(line: Line, contest: Contest) -> list[Turn]:
    turns = [
        Turn(
            cell.round,
            cell.opponent,
            cell.points,
            cell.against,
            cell.halves,
            cell.is_white,
            _category_of_game(cell.played, cell.halves),
        )
        for cell in line.cells
        if cell.decided
    ]
    last_there = max(
        (
            *(turn.round for turn in turns if not turn.voluntary),
            *(bye.round for bye in line.byes if bye.kind not in REQUESTED),
            *(cell.round for cell in line.cells if not cell.decided),
        ),
        default=0,
    )
    for bye in line.byes:
        turns.append(_free(bye.round, bye.points, bye.kind in REQUESTED, last_there))
    if contest.swiss and line.counts:
        seen = {cell.round for cell in line.cells} | {bye.round for bye in line.byes}
        missing = (number for number in range(1, contest.rounds + 1) if number not in seen)
        turns += [_free(number, 0, True, last_there) for number in missing]
    return sorted(turns, key=lambda turn: turn.round)


def _category_of_game(played: bool, halves: int) -> Category:
    if played:
        return Category.PLAYED
    return Category.FORFEIT_WIN if halves == 2 else Category.FORFEIT_LOSS


def _free(number: int, points: int, requested: bool, last_there: int) -> Turn:
    """A round without an opponent (16.2.1, 16.2.3, 16.2.5)."""
    category = Category.GIVEN
    if requested:
        category = Category.REQUESTED if number < last_there else Category.AWAY_AT_THE_END
    return Turn(number, 0, points, 0, 0, False, category)


# --- scores as opponents see them ---------------------------------------------------------------------------------
@lru_cache(maxsize=_KEPT)
def adjusted_scores(contest: Contest) -> Mapping[int, int]:
    """Everybody's points for the tie-breaks of his opponents: rounds away at the end count as draws (16.3.2)."""
    if not contest.swiss:
        return {player: line.points for player, line in contest.table.items()}
    return {
        player: contest.table[player].points + sum(_added(turn, contest.points.draw) for turn in turns)
        for player, turns in turns_of(contest).items()
    }


def _added(turn: Turn, draw: int) -> int:
    return draw - turn.points if turn.category is Category.AWAY_AT_THE_END else 0


@lru_cache(maxsize=_KEPT)
def as_if_drawn(contest: Contest) -> Contest:
    """The same contest with every game that was paired in the last round drawn (8.3), whether over or not."""
    draw = contest.points.draw
    table = {}
    for player, line in contest.table.items():
        drawn = tuple(
            replace(cell, points=draw, against=draw, halves=1, decided=True, played=True)
            if cell.round == contest.rounds
            else cell
            for cell in line.cells
        )
        # What is neither of a game nor of a bye (a team's penalty) stays.
        points = line.points + sum(cell.points for cell in drawn) - sum(cell.points for cell in line.cells)
        table[player] = replace(line, cells=drawn, points=points)
    return replace(contest, table=table)


# --- what a player's rounds count for -------------------------------------------------------------------------------
@lru_cache(maxsize=2 * _KEPT)
def meant_rounds(contest: Contest, as_played: bool = False) -> Mapping[int, tuple[Meant, ...]]:
    """What everybody's rounds count for, in order. `as_played`: forfeits like games also in a Swiss (/P)."""
    scores = adjusted_scores(contest)
    return {
        player: tuple(_meant(turns, player, scores, contest, as_played)) for player, turns in turns_of(contest).items()
    }


def _meant(
    turns: Iterable[Turn], player: int, scores: Mapping[int, int], contest: Contest, as_played: bool
) -> Iterable[Meant]:
    for turn in turns:
        if turn.opponent and (turn.played or as_played or not contest.swiss):
            yield Meant(turn, scores[turn.opponent])
        elif contest.swiss:
            dummy = _dummy(turn, player, scores, contest)
            yield Meant(turn, dummy, is_dummy=True, capped=dummy < contest.table[player].points)


def _dummy(turn: Turn, player: int, scores: Mapping[int, int], contest: Contest) -> int:
    """The dummy's score (16.4): one's own, since 2026 not above 16.4.1 and 16.4.2."""
    own = contest.table[player].points
    if contest.edition < 2026:
        return own
    ceiling = scores[turn.opponent] if turn.opponent else contest.points.draw * contest.rounds
    return min(own, ceiling)
