"""The crosstable as a square: rows and columns in the same order, each cell the games of that pair."""

from collections.abc import Sequence

from tournaments.standings.crosstable import Cell, Crosstable

# None is the diagonal: nobody meets himself.
MatrixRow = tuple[tuple[Cell, ...] | None, ...]


def matrix(table: Crosstable, order: Sequence[int]) -> tuple[MatrixRow, ...]:
    """The decided games of every pair, also those that do not count, both axes in `order`. Raises KeyError for a number
    not in the table."""
    return tuple(tuple(_games(table, player, opponent) for opponent in order) for player in order)


def _games(table: Crosstable, player: int, opponent: int) -> tuple[Cell, ...] | None:
    if player == opponent:
        return None
    return tuple(cell for cell in table[player].shown_against(opponent) if cell.decided)
