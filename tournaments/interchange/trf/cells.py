"""One round of one player's line: ten columns, `oooo c r  `.

Opponents may be padded with blanks or noughts, `0000` or blanks mean nobody; codes may be in small letters. Rounds
without opponent in the manner of older programs (`0000 - =`, `0000 - +`, `0000 - -`) are read as half-, full- and
zero-point byes. Some files have all rounds a column or two beside their place: `find_shift`.
"""

from collections.abc import Iterable, Iterator, Sequence

from clubrating.ground.marks import sentence
from tournaments.interchange.trf.records import (
    ABSENT,
    ALLOCATED,
    BLACK,
    BYE_CODES,
    FORFEIT_LOSS,
    FORFEIT_WIN,
    FULL,
    GAME_CODES,
    HALF,
    NO_COLOUR,
    OPEN,
    WHITE,
    ZERO,
    Cell,
    Note,
)

FIRST_COLUMN, WIDTH = 92, 10
COLOUR_AT, CODE_AT = 5, 7
_SHIFTS = (0, 1, -1, 2, -2, 3, -3)
_OLD_BYES = {"=": HALF, "1": FULL, "+": FULL, "0": ZERO, "-": ZERO, " ": ZERO}
_COLOURS = {"w": WHITE, "b": BLACK, "-": NO_COLOUR, " ": NO_COLOUR}


class CellError(ValueError):
    """A cell that is none: how many columns after its first, and what was expected."""

    def __init__(self, offset: int, text: str) -> None:
        self.offset = offset
        super().__init__(text)


def column_of(round_number: int, offset: int = 0) -> int:
    """The column in which a round's cell begins, or one of its parts."""
    return FIRST_COLUMN + WIDTH * (round_number - 1) + offset


def slots(row: str, shift: int = 0) -> list[str]:
    """The ten columns of each round of a player's line."""
    rounds = row[FIRST_COLUMN - 1 + shift :].rstrip()
    return [rounds[at : at + WIDTH].ljust(WIDTH) for at in range(0, len(rounds), WIDTH)]


def read_cell(slot: str) -> Cell:
    """One round. Raises CellError."""
    if not _keeps_columns(slot):
        raise CellError(
            0,
            sentence(
                "“%(slot)s” is no round: expected an opponent in four columns, w or b, and a result", slot=slot.strip()
            ),
        )
    opponent = int(slot[:4]) if slot[:4].strip() else 0
    colour, code = slot[COLOUR_AT].lower(), slot[CODE_AT].upper()
    if colour not in _COLOURS:
        raise CellError(COLOUR_AT, sentence("“%(slot)s” is no colour: expected w, b or -", slot=slot[COLOUR_AT]))
    return _game(opponent, _COLOURS[colour], code) if opponent else _bye(code)


def find_shift(rows: Iterable[str]) -> int | None:
    """How many columns to the right of their place all the rounds of a file stand; None where no shift fits."""
    written = list(rows)
    return next((shift for shift in _SHIFTS if all(fits(row, shift) for row in written)), None)


def fits(row: str, shift: int = 0) -> bool:
    """Whether a line's rounds stand where they are looked for."""
    before = row[FIRST_COLUMN - 3 + shift : FIRST_COLUMN - 1 + shift]
    return not before.strip() and all(_keeps_columns(slot) for slot in slots(row, shift))


def read_cells(row: str, line: int, shift: int, problems: list[Note]) -> tuple[Cell, ...]:
    """All rounds of a line; what cannot be read goes to `problems`, and an absence stands in."""
    return tuple(_read_or_tell(row, line, shift, problems))


def padded(cells: Sequence[Cell], rounds: int) -> tuple[Cell, ...]:
    """The cells of a short line filled up: whoever has no cell was absent."""
    return (*cells, *(ABSENT for _round in range(rounds - len(cells))))


def _read_or_tell(row: str, line: int, shift: int, problems: list[Note]) -> Iterator[Cell]:
    for number, slot in enumerate(slots(row, shift), start=1):
        try:
            yield read_cell(slot)
        except CellError as problem:
            told = sentence("round %(number)s: %(reason)s", number=number, reason=problem)
            problems.append(Note(line, column_of(number, problem.offset + shift), told))
            yield ABSENT


def _keeps_columns(slot: str) -> bool:
    between = slot[4] + slot[6] + slot[8:]
    opponent = slot[:4].strip()
    return not between.strip() and (not opponent or (opponent.isascii() and opponent.isdigit()))


def _game(opponent: int, colour: str, code: str) -> Cell:
    code = OPEN if code == " " else code
    if code in BYE_CODES - {OPEN}:
        raise CellError(
            CODE_AT,
            sentence(
                "“%(code)s” is a bye and there is an opponent, %(opponent)s: expected 1, 0, =, + or -",
                code=code,
                opponent=opponent,
            ),
        )
    if code not in GAME_CODES:
        raise CellError(CODE_AT, sentence("“%(code)s” is no result: expected 1, 0, =, +, -, W, D or L", code=code))
    if colour == NO_COLOUR and code not in (FORFEIT_WIN, FORFEIT_LOSS):
        raise CellError(
            COLOUR_AT, sentence("against %(opponent)s there is no colour: expected w or b", opponent=opponent)
        )
    return Cell(opponent, colour, code)


def _bye(code: str) -> Cell:
    code = _OLD_BYES.get(code, code)
    if code in BYE_CODES:
        return Cell(0, NO_COLOUR, code)
    wanted = f"{HALF}, {FULL}, {ALLOCATED}, {ZERO}"
    if code in GAME_CODES:
        raise CellError(
            CODE_AT,
            sentence("“%(code)s” is a game and there is no opponent: expected %(wanted)s", code=code, wanted=wanted),
        )
    raise CellError(
        CODE_AT,
        sentence("“%(code)s” is no result: expected %(wanted)s where there is no opponent", code=code, wanted=wanted),
    )
