"""How the standings of players and of teams are written: decimals, the cells of tie-breaks, a table. No database."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from tournaments.standings.tiebreaks import Worth

SWISS, ROUND_ROBIN = "swiss", "round-robin"
_DECIMALS, _MOST_DECIMALS = 4, 12
_NAMES = 2  # the column that is aligned left


def decimal(number: Fraction) -> str:
    """As a decimal, exactly where it ends and else to four places: 25.5, 7, 12.3333."""
    places = next((count for count in range(_MOST_DECIMALS) if 10**count % number.denominator == 0), _DECIMALS)
    return f"{Decimal(round(number * 10**places)).scaleb(-places):f}"


def cells(tiebreaks: Iterable[Worth | None]) -> list[str]:
    """The values of tie-breaks, empty where there is none."""
    return [decimal(worth.number) if worth else "" for worth in tiebreaks]


def table(rows: Sequence[Sequence[str]], foot: str) -> str:
    """Rows of place, number, name and more, the first one of headings; `foot` is what they were made by."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligned = ["<" if at == _NAMES else ">" for at in range(len(widths))]
    lines = [
        "  ".join(f"{text:{side}{width}}" for text, side, width in zip(row, aligned, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, "", foot])
