"""`white_rating` and `black_rating` of GAMES.csv: ratings the source had before the game (pure). Only back-tests read
them, so only they refuse a bad one. Nothing written: not known. Not done: deviations, scales."""

from dataclasses import dataclass

from tournaments.interchange.tables_csv import BadRow, Fields, Table, read_table
from tournaments.interchange.tables_csv_values_csv import number_reader

COLUMNS = ("white_rating", "black_rating")
LOWEST, HIGHEST = -100_000.0, 100_000.0


@dataclass(frozen=True, slots=True)
class GivenRatings:
    """`is_given`: whether the file has both columns. `pairs`: White's and Black's rating by line, only where both are
    known."""

    is_given: bool
    pairs: dict[int, tuple[float, float]]
    bad: tuple[BadRow, ...]


def read_given_ratings(data: bytes) -> GivenRatings:
    """A whole file; columns that name winner and loser have no White, so nothing is given there. Raises
    UnreadableFileError for a file that is none."""
    table = read_table(data)
    if not {"white", "black", *COLUMNS} <= set(table.columns):
        return GivenRatings(False, {}, ())
    return _read(table)


def _read(table: Table) -> GivenRatings:
    pairs: dict[int, tuple[float, float]] = {}
    bad: list[BadRow] = []
    for line in table.lines:
        fields = Fields(line)
        white, black = (fields.take(name, number_reader(name, low=LOWEST, high=HIGHEST), None) for name in COLUMNS)
        bad += fields.bad_rows()
        if white is not None and black is not None:
            pairs[line.number] = (white, black)
    return GivenRatings(True, pairs, tuple(bad))
