"""What a tournament report holds, whichever edition it is written in.

Two reports are equal where they say the same; where it stood in a file, and what was odd about the file, is not
compared. Points are the text of the file: computed ones come from `games.points_of`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from clubrating.ground.marks import sentence
from tournaments.interchange.tables_csv import UnreadableFileError

_MOST_SHOWN = 20
WHITE, BLACK, NO_COLOUR = "w", "b", ""
# Results of a game, seen from the row they stand in. "*": not played yet.
WIN, DRAW, LOSS, FORFEIT_WIN, FORFEIT_LOSS, OPEN = "1", "=", "0", "+", "-", "*"
SHORT_WIN, SHORT_DRAW, SHORT_LOSS = "W", "D", "L"
GAME_CODES = frozenset((WIN, DRAW, LOSS, FORFEIT_WIN, FORFEIT_LOSS, OPEN, SHORT_WIN, SHORT_DRAW, SHORT_LOSS))
# Rounds without an opponent. "*" there: the round is not paired yet.
HALF, FULL, ALLOCATED, ZERO = "H", "F", "U", "Z"
# As `Bye.kind` has them.
BYE_KINDS = {ALLOCATED: "pab", FULL: "full", HALF: "half", ZERO: "zero"}
BYE_CODES = frozenset((HALF, FULL, ALLOCATED, ZERO, OPEN))


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a file, at a line and column counted from 1 (0: the file as a whole)."""

    line: int
    column: int
    text: str

    def __str__(self) -> str:
        if not self.line:
            return self.text
        if not self.column:
            return sentence("line %(line)s: %(reason)s", line=self.line, reason=self.text)
        return sentence(
            "line %(line)s, column %(column)s: %(reason)s", line=self.line, column=self.column, reason=self.text
        )


class ReportError(UnreadableFileError):
    """The file is no usable report: every place where something else was expected. Its text names the first of them."""

    def __init__(self, problems: Iterable[Note]) -> None:
        self.problems = tuple(sorted(problems, key=lambda note: (note.line, note.column)))
        more = len(self.problems) - _MOST_SHOWN
        lines = [str(problem) for problem in self.problems[:_MOST_SHOWN]] + ([f"and {more} more"] if more > 0 else [])
        super().__init__("\n".join(lines))


@dataclass(frozen=True, slots=True)
class Cell:
    """One round of one player: the opponent's number (0: none), the colour, and a code of GAME_CODES or BYE_CODES."""

    opponent: int
    colour: str
    code: str


ABSENT = Cell(0, NO_COLOUR, ZERO)


@dataclass(frozen=True, slots=True)
class ReportPlayer:
    """A line 001. `sex` is "m", "w" or empty; `title` in capitals where it is one of FIDE's; `birth` as it is written;
    `cells` one for every round of the report, the last `filled` of them because the line of the file was shorter."""

    number: int
    name: str
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_id: str = ""
    birth: str = ""
    points: str = ""
    rank: int | None = None
    cells: tuple[Cell, ...] = ()
    line: int = field(default=0, compare=False)
    filled: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A line that no field of the report holds, kept as it came: `line` with its tag in front, `number` its place."""

    tag: str
    line: str
    number: int = field(default=0, compare=False)

    @property
    def text(self) -> str:
        """What follows the tag."""
        return self.line[3:].strip()


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report. `rounds`: how many the event has (None: not said); `first_colour`: of the number that decides
    the colours of round 1, "w", "b" or empty; `by_rank`: pairing numbers follow the ranks. `players` in the order of
    their numbers, 1…n without a gap."""

    players: tuple[ReportPlayer, ...]
    name: str = ""
    city: str = ""
    federation: str = ""
    starts_on: date | None = None
    ends_on: date | None = None
    kind: str = ""
    chief_arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time_control: str = ""
    round_days: tuple[date | None, ...] = ()
    rounds: int | None = None
    first_colour: str = ""
    by_rank: bool = False
    records: tuple[Record, ...] = ()
    comments: tuple[str, ...] = ()
    notes: tuple[Note, ...] = field(default=(), compare=False)

    @property
    def played_rounds(self) -> int:
        """How many rounds the players' lines show."""
        return len(self.players[0].cells) if self.players else 0

    @property
    def rounds_once(self) -> int:
        """How many rounds they have in a single round robin."""
        return max(len(self.players) + len(self.players) % 2 - 1, 1)

    def lines(self, tag: str) -> Iterator[Record]:
        """The kept records of that tag in the file's order."""
        return (record for record in self.records if record.tag == tag)

    def texts(self, tag: str) -> Iterator[str]:
        """What they say."""
        return (record.text for record in self.lines(tag))

    @property
    def coded_kind(self) -> str:
        """The event's type as a code, such as FIDE_DUTCH_2025; empty where the report has none."""
        said = next(self.texts("192"), "") or self.kind
        return said if said.isupper() and "_" in said else ""
