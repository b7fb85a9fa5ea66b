"""Handicap stones and komi of GAMES.csv (pure): the optional columns `handicap` and `komi`.

`handicap`: stones Black is given, 0 to 9; 1 is Black without komi; empty is an even game. `komi`: points White is
given, in halves, below 0 where Black has them; empty is the usual one. Only `manage.py rate --system egf` counts
them: the site's games have no such columns.
"""

import re
from dataclasses import dataclass, replace

from ratings.systems.egf import MAX_HANDICAP, handicap_shift
from tournaments.interchange.tables_csv import BadRow, Fields, number_reader, read_rows, read_table, whole_reader

COLUMNS = {"handicap", "komi"}
MOST_KOMI = 100
_NAMED = re.compile(rb"handicap|komi", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Handicaps:
    """`shifts`: rating points that stones and komi give Black, by line, only where there are any."""

    shifts: dict[int, float]
    bad: tuple[BadRow, ...]


def read_handicaps(data: bytes) -> Handicaps:
    """A whole file. Raises UnreadableFileError for a file that is none."""
    if not _NAMED.search(data):  # a long file is not read twice for nothing
        return Handicaps({}, ())
    table = read_table(data)
    bad: list[BadRow] = []
    if COLUMNS & set(table.columns) and "black" not in table.columns:
        bad.append(
            BadRow(
                1, "handicap and komi need to know who is Black: write white, black and result, not winner and loser"
            )
        )

    def read(fields: Fields) -> tuple[int, float]:
        stones = fields.take("handicap", whole_reader("handicap", high=MAX_HANDICAP), None)
        return fields.line.number, handicap_shift(stones or 0, fields.take("komi", _read_komi, None))

    found = read_rows(replace(table, bad=()), read)  # lines that are none are told with the games
    return Handicaps({line: shift for line, shift in found.rows if shift}, (*bad, *found.bad))


def _read_komi(text: str) -> float | None:
    komi = number_reader("komi", low=-MOST_KOMI, high=MOST_KOMI)(text)
    if komi is not None and not (2 * komi).is_integer():
        raise ValueError(f"komi “{text}” is no whole or half number of points: write 6.5, for example")
    return komi
