"""Scheveningen: two teams of n, everybody meets everybody of the other team, in n rounds.

Numbers 1 … n are the first team, n+1 … 2n the second. In round r number i of the first team meets the i+r-th of the
second, counted in a circle: the cyclic Latin square. The colours are ours, so that everybody has as many Whites as
Blacks (one more or less where n is odd) and so has each team in every round; with two boards a round that cannot be.

Source: the system's requirements (General Regulations for Competitions, Annex: Scheveningen); our own construction,
proved in docs/algorithms/scheveningen.md. Not done here: the printed tables, teams of different sizes.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import Board, Option, PairedRound, PairingError, read_options

Cell = tuple[int, int]  # a player of the first team and one of the second, both from 0


class Scheveningen:
    """Setting: `cycles` 1 or 2; the second repeats the first with colours reversed."""

    key = "scheveningen"
    name = marked("Scheveningen: team against team")
    allocated_bye_scores = False
    min_players = 4
    max_players = 40
    options: tuple[Option, ...] = (
        Option(
            "cycles",
            marked("Everybody meets everybody of the other team"),
            1,
            choices=((1, marked("once")), (2, marked("twice"))),
        ),
    )

    def schedule(self, players: int, settings: Mapping[str, Any]) -> tuple[PairedRound, ...]:
        """All rounds, boards in the order of the first team."""
        if not self.min_players <= players <= self.max_players:
            raise PairingError(
                sentence(
                    "Scheveningen takes two teams of %(low)s to %(high)s: %(least)s to %(most)s players, not "
                    "%(players)s.",
                    low=self.min_players // 2,
                    high=self.max_players // 2,
                    least=self.min_players,
                    most=self.max_players,
                    players=players,
                )
            )
        if players % 2:
            raise PairingError(
                sentence(
                    "Scheveningen needs two teams of the same size; %(players)s players make none.", players=players
                )
            )
        rounds = tuple(_round(players // 2, number) for number in range(players // 2))
        if read_options(self.options, settings)["cycles"] == 1:
            return rounds
        return rounds + tuple(tuple(Board(board.black or 0, board.white) for board in boards) for boards in rounds)


def _round(size: int, number: int) -> PairedRound:
    switched, first_has_white = _switched(size), _whites(size)
    boards = []
    for one in range(size):
        other = next(column for column in range(size) if _round_of(size, (one, column), switched) == number)
        numbers = (one + 1, size + other + 1)
        boards.append(Board(*numbers) if (one, other) in first_has_white else Board(*reversed(numbers)))
    return tuple(boards)


def _cells(rows: Iterable[int], columns: Iterable[int]) -> frozenset[Cell]:
    return frozenset((one, other) for one, other in product(rows, columns))


# --- who meets in which round ---------------------------------------------------------------------------------
def _round_of(size: int, cell: Cell, switched: frozenset[Cell]) -> int:
    one, other = cell
    number = (other - one) % size
    return (number + size // 2) % size if cell in switched else number


def _switched(size: int) -> frozenset[Cell]:
    """Four meetings change places between rounds 0 and n/2 where n is 6, 10, 14 …: in the cyclic square itself no
    colours are even there."""
    return _cells((0, size // 2), (0, size // 2)) if size % 4 == 2 and size > 2 else frozenset()


# --- who has White --------------------------------------------------------------------------------------------
def _whites(size: int) -> frozenset[Cell]:
    """The meetings in which the first team has White."""
    cells = _cells(range(size), range(size))
    if size % 2:
        return frozenset(cell for cell in cells if _is_white_of_odd(size, cell))
    even = frozenset(cell for cell in cells if (cell[0] + (cell[1] >= size // 2)) % 2 == 0)
    for rows, columns in _turned(size):
        even ^= _cells(rows, columns)
    return even


def _is_white_of_odd(size: int, cell: Cell) -> bool:
    """By the middle of both numbers on the circle, which takes every value once for every player and in every round;
    half of those where it is 0 are turned, so that neither team has more than one White more."""
    middle = sum(cell) * (size + 1) // 2 % size
    return middle % 2 == 0 and not (middle == 0 and cell[0] < size // 2)


def _turned(size: int) -> Iterable[tuple[Iterable[int], Iterable[int]]]:
    """Rows and columns whose common meetings change colours where n is 6, 10, 14 …"""
    half = size // 2
    if size % 4 == 0 or size == 2:
        return ()
    if size == 6:
        return (((1, 2), (0, 4)), ((3, 4), (0, 5)))
    return (
        (range(half + 1, size), (0, half)),
        ((0, 1), (0, half + 2)),
        ((1, 2), (1, half + 3)),
    )
