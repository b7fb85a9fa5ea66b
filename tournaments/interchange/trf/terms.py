"""Records that say what counts: points, virtual points, who is away, who must not meet, and the rules of the pairing.

Points: 162 of TRF26, XXS of TRF16's extensions, BBW and its like. Who plays and virtual points: 240, 250, 260; XXZ,
XXP, XXA. Rules: a coded type (192, or 092 where it is one). Numbers are separated by blanks.

`problems_of`: such a line that cannot be read is refused, because points would be counted or rounds paired wrongly
without notice; so are points that we would count otherwise, such as a draw that brings Black more. In an event of teams
240, 250 and 260 speak of teams, which nobody pairs here: they are kept as they came.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from clubrating.ground.marks import marked, sentence
from tournaments.interchange.trf.records import FULL, HALF, ZERO, Note, Record, Report, ReportError

AWAY = frozenset((HALF, FULL, ZERO))
_MOST_ROUNDS, _MOST_POINTS = 999, 100
_NUMBER = re.compile(r"[0-9]{1,4}")
_POINTS = re.compile(r"[0-9]{1,3}([.,][0-9]{1,2})?")


class TermError(ReportError):
    """A record that cannot be used, and what was expected in it."""

    def __init__(self, record: Record, wanted: str) -> None:
        text = sentence("“%(line)s” cannot be used: expected %(wanted)s", line=record.line.strip(), wanted=wanted)
        super().__init__([Note(record.number, 5 if record.number else 0, text)])


# --- points -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Worths:
    """What a win, a draw, a loss and the pairing-allocated bye bring."""

    win: Fraction = Fraction(1)
    draw: Fraction = Fraction(1, 2)
    loss: Fraction = Fraction(0)
    allocated: Fraction = Fraction(1)


_WORTHS = {
    "162": re.compile(r"([A-Z]) *=? *([0-9]{1,3}(?:[.,][0-9]{1,2})?)(?: +|$)"),
    "XXS": re.compile(r"([A-Z]{1,3}) *= *([0-9]{1,3}(?:[.,][0-9]{1,2})?)(?: +|$)"),
}
_SINGLE = {"BBW": "W", "BBD": "D", "BBL": "L", "BBU": "P", "BBZ": "ZPB", "BBF": "FL"}
# What else may stand there, and how it is counted here whatever the report says: a half-point bye like a draw. What A
# and X of TRF26 stand for is not counted on its own.
_COUNTED_AS = {
    **dict.fromkeys(("W", "WW", "BW", "FW", "FPB"), ("win",)),
    **dict.fromkeys(("D", "WD", "BD", "HPB"), ("draw",)),
    **dict.fromkeys(("L", "WL", "BL"), ("loss",)),
    **dict.fromkeys(("P", "PAB"), ("allocated",)),
    **dict.fromkeys(("Z", "ZPB", "FL"), ()),
    **dict.fromkeys(("A", "X"), ("draw",)),
}
_NOTHING = frozenset(("Z", "ZPB", "FL", "A", "X"))


def said_worths(report: Report) -> tuple[Worths, bool]:
    """What the report says of points, and whether it names those of the allocated bye. A win is 1 where it says
    nothing, a draw half a win, the bye a win. Raises TermError."""
    named: dict[str, tuple[Fraction, Record]] = {}
    for record in report.records:
        for code, value in _pairs(record):
            if code in named and named[code][0] != value:
                raise TermError(record, sentence("“%(code)s” with one value in the whole report", code=code))
            named[code] = value, record
    values = {code: value for code, (value, _record) in named.items()}
    win = values.get("W", Fraction(1))
    found = Worths(win, values.get("D", win / 2), values.get("L", Fraction(0)), win)
    allocated = values.get("PAB", values.get("P"))
    found = found if allocated is None else replace(found, allocated=allocated)
    for code, (value, record) in named.items():
        counted = [getattr(found, name) for name in _COUNTED_AS[code]] + [Fraction(0)] * (code in _NOTHING)
        if value not in counted:
            worth = points_text(counted[0])
            raise TermError(record, sentence("%(worth)s for “%(code)s”, as it is counted", worth=worth, code=code))
    return found, allocated is not None


def _pairs(record: Record) -> Iterator[tuple[str, Fraction]]:
    """The codes and values of a record of points; nothing of another one."""
    text = record.text.upper()
    if record.tag in _SINGLE and text:
        if not _POINTS.fullmatch(text):
            raise TermError(record, marked("a number such as 1.5"))
        yield _SINGLE[record.tag], _fraction(text)
    elif record.tag in _WORTHS:
        found = list(_WORTHS[record.tag].finditer(text))
        known = all(match[1] in _COUNTED_AS for match in found)
        if "".join(match[0] for match in found) != text or not known:
            raise TermError(record, marked("points such as W=3 D=1 PAB=3, with a blank between them"))
        yield from ((match[1], _fraction(match[2])) for match in found)


def points_text(points: Fraction) -> str:
    """With one decimal, or as many as it needs up to two."""
    exact = points * 10
    return f"{float(points):.1f}" if exact.denominator == 1 else f"{float(points):.2f}"


def _fraction(text: str) -> Fraction:
    return Fraction(text.replace(",", "."))


# --- who plays ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class AskedFor:
    """Who is to be away from a round (0: the next one), and with which bye."""

    round: int
    code: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Apart:
    """Who must not meet in the rounds `first` to `last`."""

    first: int
    last: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VirtualPoints:
    """Points that somebody has for the pairing of the rounds `first` to `last` only."""

    player: int
    first: int
    last: int
    points: Fraction


def asked_for(report: Report) -> Iterator[AskedFor]:
    """The byes and absences of XXZ and 240. Raises TermError."""
    for record in report.lines("XXZ"):
        yield AskedFor(0, ZERO, _players(report, record, record.text.split()))
    for record in report.lines("240"):
        code, *words = record.text.upper().split() or [""]
        if code not in AWAY or not words:
            raise TermError(record, marked("H, F or Z, a round, and starting numbers"))
        yield AskedFor(_round(record, words[0]), code, _players(report, record, words[1:]))


def groups_apart(report: Report) -> Iterator[Apart]:
    """The groups of XXP and 260. Raises TermError."""
    for record in report.lines("XXP"):
        yield Apart(1, _MOST_ROUNDS, _players(report, record, record.text.split()))
    for record in report.lines("260"):
        wanted = marked("a first round, a last round, and starting numbers")
        first, last, words = _span(record, record.text.split(), wanted)
        yield Apart(first, last, _players(report, record, words))


def virtual_points(report: Report) -> Iterator[VirtualPoints]:
    """Virtual points of XXA and 250. Raises TermError."""
    for record in report.lines("XXA"):
        number, *each = record.text.split() or [""]
        for player in _players(report, record, [number]):
            for at, word in enumerate(each, start=1):
                yield VirtualPoints(player, at, at, _points(record, word))
    for record in report.lines("250"):
        # Points of matches and of games (or only one of them), rounds from and to, numbers from and to.
        words = record.text.split()
        wanted = marked("points, a first round, a last round, a first and a last starting number")
        if len(words) not in (5, 6):
            raise TermError(record, wanted)
        first, last, ends = _span(record, words[-4:], wanted)
        lowest, highest = _players(report, record, ends)
        points = _points(record, words[-5])
        yield from (VirtualPoints(player, first, last, points) for player in range(lowest, highest + 1))


def _players(report: Report, record: Record, words: Sequence[str]) -> tuple[int, ...]:
    count, numbers = len(report.players), tuple(_whole(word) for word in words)
    if all(0 < number <= count for number in numbers):
        return numbers
    raise TermError(record, sentence("starting numbers of 1 to %(count)s", count=count))


def _span(record: Record, words: Sequence[str], wanted: str) -> tuple[int, int, Sequence[str]]:
    if len(words) < 3:
        raise TermError(record, wanted)
    first, last = _round(record, words[0]), _round(record, words[1])
    if last < first:
        raise TermError(record, wanted)
    return first, last, words[2:]


def _round(record: Record, word: str) -> int:
    number = _whole(word)
    if not 0 < number <= _MOST_ROUNDS:
        raise TermError(record, sentence("a round of 1 to %(most)s", most=_MOST_ROUNDS))
    return number


def _whole(word: str) -> int:
    """A number of up to four figures; 0 for anything else."""
    return int(word) if _NUMBER.fullmatch(word) else 0


def _points(record: Record, word: str) -> Fraction:
    if not _POINTS.fullmatch(word) or _fraction(word) > _MOST_POINTS:
        raise TermError(record, sentence("points of 0 to %(most)s", most=_MOST_POINTS))
    return _fraction(word)


# --- rules --------------------------------------------------------------------------------------------------------
# Years in the names of the rules of the Dutch system that an event was ever paired by.
_DUTCH_YEARS = frozenset(str(year) for year in range(2010, 2027))
_KIND_WORDS = frozenset(
    # Whose rules, which system, and of whom.
    ("FIDE", "BERGER", "OTHER", "STANDARD", "SWISS", "DUTCH", "BAKU", "BURSTEIN", "DUBOV", "LIM", "DOUBLESWISS")
)
_KIND_WORDS |= frozenset(
    ("ROUNDROBIN", "DOUBLEROUNDROBIN", "DOUBLE", "KNOCKOUT", "SCHEVENINGEN", "KEIZER", "HUTTON", "LADDER", "TEAM")
)
_KIND_WORDS |= frozenset(("ELIMINATION", "INDIVIDUAL", "TYPEA", "TYPEB", "MP", "GP"))
_YEAR = re.compile("(19|20)[0-9]{2}")


def _kind_problem(report: Report, place: int) -> Note | None:
    """What is wrong with a coded type; None where nothing is. The year only counts in the system we pair by. `place`:
    the line of 092."""
    said = [record for record in report.lines("192") if record.text]
    record = said[0] if said else None
    code = record.text.upper() if record else report.coded_kind
    words = code.split("_")
    unknown = [word for word in words if word not in _KIND_WORDS and not _YEAR.fullmatch(word)]
    years = [word for word in words if _YEAR.fullmatch(word) and "DUTCH" in words and word not in _DUTCH_YEARS]
    if not code or not (unknown or years):
        return None
    text = sentence(
        "“%(word)s” in the type “%(code)s” is not known: expected one such as FIDE_DUTCH_2026 or FIDE_ROUNDROBIN",
        word=(unknown or years)[0],
        code=code,
    )
    line = record.number if record else place
    return Note(line, 5 if line else 0, text)


# --- all of them --------------------------------------------------------------------------------------------------
def problems_of(report: Report, kind_at: int = 0) -> list[Note]:
    """Every kind of term that cannot be used, with the first place of each. `kind_at`: the line of the type (092)."""
    is_team = "TEAM" in report.coded_kind or any(record.tag in ("013", "310") for record in report.records)
    readers: list[Callable[[Report], object]] = [said_worths, _refuse_second_type]
    if not is_team:
        readers += [lambda own: list(asked_for(own)), lambda own: list(groups_apart(own))]
        readers += [lambda own: list(virtual_points(own)), _refuse_odd_points]
    problems = [problem] if (problem := _kind_problem(report, kind_at)) else []
    for read in readers:
        try:
            read(report)
        except TermError as refusal:
            problems += refusal.problems
    return problems


def _refuse_odd_points(report: Report) -> None:
    for record in report.lines("299"):
        raise TermError(record, marked("no points beside those of the rounds: they cannot be counted here"))


def _refuse_second_type(report: Report) -> None:
    said = [record for record in report.lines("192") if record.text]
    for record in said[1:]:
        if record.text != said[0].text:
            raise TermError(record, sentence("%(type)s, as in the line before", type=said[0].text))
