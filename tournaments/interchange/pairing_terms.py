"""What a report says for the pairing beside the games: points, who is away, who must not meet, virtual points (pure).

Sources: XXS, XXZ, XXP, XXA of TRF16's extensions; 162, 240, 250, 260 of TRF26. Numbers stand apart by blanks; a line
that cannot be read is refused, because the round would be paired wrongly without a word.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from tournaments.interchange.trf.games import worths
from tournaments.interchange.trf.records import FULL, HALF, ZERO, Note, Record, Report, ReportError
from tournaments.standings.points import POINT_SYSTEMS, PointSystem

_AWAY = frozenset((HALF, FULL, ZERO))
_MOST_POINTS = 100
_POINTS = re.compile(r"[0-9]{1,3}(\.[0-9]{1,2})?")
_WORTH = re.compile(r"[A-Za-z]{1,3}=[0-9]{1,3}([.,][0-9]{1,2})?")
_NUMBER = re.compile(r"[0-9]{1,4}")
_MOST_ROUNDS = 999


@dataclass(frozen=True, slots=True)
class VirtualPoints:
    """Points that somebody has for the pairing of the rounds `first` to `last` only."""

    player: int
    first: int
    last: int
    points: Fraction


# --- points -------------------------------------------------------------------------------------------------------
def points_in(report: Report) -> PointSystem:
    """The report's points in the smallest unit that makes all of them whole, virtual ones included; one of ours where
    it says the same."""
    for record in _lines(report, "XXS"):
        if not all(_WORTH.fullmatch(word) for word in record.text.split()):
            raise _unreadable(record, "points such as W=3 D=1 PAB=3, with a blank between them")
    said = worths(report)
    values = (said.win, said.draw, said.loss, said.allocated)
    unit = math.lcm(*(value.denominator for value in (*values, *(row.points for row in _virtual(report)))))
    own = next((known for known in POINT_SYSTEMS if unit in (1, known.unit) and _worths_of(known) == values), None)
    win, draw, loss, allocated = (int(value * unit) for value in values)
    return own or PointSystem("report", unit=unit, win=win, draw=draw, loss=loss, allocated_bye=allocated)


def _worths_of(system: PointSystem) -> tuple[Fraction, ...]:
    worth = (system.win, system.draw, system.loss, system.allocated_bye)
    return () if system.after_draw else tuple(Fraction(value, system.unit) for value in worth)


# --- who plays ----------------------------------------------------------------------------------------------------
def away_in(report: Report, number: int) -> frozenset[int]:
    """Who is not there in a round still to be paired: by a cell of it without opponent, XXZ, or 240."""
    by_cell = {player.number for player in report.players if _is_marked(report, player.number, number)}
    by_name = {one for record in _lines(report, "XXZ") for one in _players(report, record, record.text.split())}
    asked = {one for record in _lines(report, "240") for one in _asking(report, record, number)}
    return frozenset(by_cell | by_name | asked)


def _is_marked(report: Report, player: int, number: int) -> bool:
    row = report.players[player - 1]
    return number <= len(row.cells) - row.filled and row.cells[number - 1].code in _AWAY


def _asking(report: Report, record: Record, number: int) -> Sequence[int]:
    kind, *words = record.text.upper().split() or [""]
    if kind not in _AWAY or not words:
        raise _unreadable(record, "H, F or Z, a round, and starting numbers")
    numbers = _players(report, record, words[1:])
    return numbers if _round(record, words[0]) == number else ()


def apart_in(report: Report, number: int) -> frozenset[frozenset[int]]:
    """The pairs that must not meet in that round, by XXP or 260."""
    groups: list[Sequence[int]] = [_players(report, row, row.text.split()) for row in _lines(report, "XXP")]
    groups += [group for record in _lines(report, "260") for group in _apart_for_a_while(report, record, number)]
    return frozenset(frozenset(pair) for group in groups for pair in combinations(sorted(set(group)), 2))


def _apart_for_a_while(report: Report, record: Record, number: int) -> Iterator[Sequence[int]]:
    first, last, words = _span(record, record.text.split(), "a first round, a last round, and starting numbers")
    group = _players(report, record, words)
    if first <= number <= last:
        yield group


# --- virtual points -----------------------------------------------------------------------------------------------
def accelerated_in(report: Report, unit: int) -> Mapping[int, tuple[int, ...]]:
    """Everybody's virtual points in rounds 1, 2, … in that unit, by XXA or 250."""
    found: dict[int, list[Fraction]] = {}
    for row in _virtual(report):
        own = found.setdefault(row.player, [])
        own += [Fraction(0)] * (row.last - len(own))
        for number in range(row.first, row.last + 1):
            own[number - 1] += row.points
    return {player: tuple(int(points * unit) for points in own) for player, own in found.items()}


def _virtual(report: Report) -> Iterator[VirtualPoints]:
    for record in _lines(report, "XXA"):
        number, *each = record.text.split() or [""]
        for player in _players(report, record, [number]):
            for at, word in enumerate(each, start=1):
                yield VirtualPoints(player, at, at, _points(record, word))
    for record in _lines(report, "250"):
        yield from _virtual_for_some(report, record)


def _virtual_for_some(report: Report, record: Record) -> Iterator[VirtualPoints]:
    """Points of matches and of games (or only one of them), rounds from and to, numbers from and to."""
    words = record.text.split()
    wanted = "points, a first round, a last round, a first and a last starting number"
    if len(words) not in (5, 6):
        raise _unreadable(record, wanted)
    first, last, ends = _span(record, words[-4:], wanted)
    lowest, highest = _players(report, record, ends)
    points = _points(record, words[-5])
    yield from (VirtualPoints(player, first, last, points) for player in range(lowest, highest + 1))


# --- words --------------------------------------------------------------------------------------------------------
def _lines(report: Report, tag: str) -> Iterator[Record]:
    return (record for record in report.records if record.tag == tag)


def _players(report: Report, record: Record, words: Sequence[str]) -> list[int]:
    count, numbers = len(report.players), [_whole(word) for word in words]
    if all(0 < number <= count for number in numbers):
        return numbers
    raise _unreadable(record, f"starting numbers of 1 to {count}")


def _span(record: Record, words: Sequence[str], wanted: str) -> tuple[int, int, Sequence[str]]:
    if len(words) < 3:
        raise _unreadable(record, wanted)
    return _round(record, words[0]), _round(record, words[1]), words[2:]


def _round(record: Record, word: str) -> int:
    number = _whole(word)
    if not 0 < number <= _MOST_ROUNDS:
        raise _unreadable(record, f"a round of 1 to {_MOST_ROUNDS}")
    return number


def _whole(word: str) -> int:
    """A number of up to four figures; 0 for anything else."""
    return int(word) if _NUMBER.fullmatch(word) else 0


def _points(record: Record, word: str) -> Fraction:
    if not _POINTS.fullmatch(word) or Fraction(word) > _MOST_POINTS:
        raise _unreadable(record, f"points of 0 to {_MOST_POINTS}")
    return Fraction(word)


def _unreadable(record: Record, wanted: str) -> ReportError:
    return ReportError([Note(0, 0, f"“{record.line.strip()}” cannot be used for the pairing: expected {wanted}.")])
