"""What a report says of teams, record by record.

Sources: TRF26 (310 teams, 300 line-ups, 320 and 240 byes, 330 matches by default, 299 points beside those of the
rounds, 250 and 260, 352 colours, 362 match points), TRF16 (013). Columns are counted from 1. Where a report has 310,
that counts and 013 is left; teams of 013 are numbered in the order of their records.

As files are: numbers padded with blanks or noughts; 330 also written 340; a nickname longer than its five columns, with
all that follows moved to the right; players of 013 from column 37 or 38.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from clubrating.ground.marks import marked, sentence
from clubrating.ground.numbers import number_in
from tournaments.interchange.trf.records import FULL, HALF, ZERO, Note, Record, Report, ReportError
from tournaments.interchange.trf.team_records import (
    AllocatedBye,
    Assigned,
    ByeAsked,
    DefaultedMatch,
    LineUp,
    TeamAcceleration,
    TeamOfReport,
    TeamRecords,
    TeamsApart,
)

_POINTS = re.compile(r"-?[0-9]{1,4}(?:[.,][0-9]{1,2})?")
_MOST_ROUNDS = 999
PLAYED_KINDS, BYE_CODES = ("W", "D", "L", "+", "-"), (FULL, HALF, ZERO)


def is_team_report(report: Report) -> bool:
    """Whether the report has records of teams (310, 013)."""
    return any(record.tag in ("310", "013") and record.text for record in report.records)


def teams_of(report: Report) -> tuple[TeamOfReport, ...]:
    """The teams in the order of their numbers, 1…n. Raises ReportError with every place that cannot be used."""
    problems: list[Note] = []
    teams = _teams(report, problems)
    _refuse(problems)
    return teams


def team_records(report: Report) -> TeamRecords:
    """Everything the report says of teams. Raises ReportError with every place that cannot be used."""
    problems: list[Note] = []
    teams = _teams(report, problems)
    _refuse(problems)
    reader = _Reader(report, len(teams), problems)
    allocated, bye_points = reader.allocated()
    found = TeamRecords(
        teams=teams,
        line_ups=tuple(reader.line_ups()),
        defaulted=tuple(reader.defaulted()),
        allocated=allocated,
        bye_points=bye_points,
        byes=tuple(reader.byes()),
        assigned=tuple(reader.assigned()),
        apart=tuple(reader.apart()),
        accelerations=tuple(reader.accelerations()),
        worths=reader.worths(),
        colours=reader.colours(),
    )
    _refuse(problems)
    return found


def _refuse(problems: Sequence[Note]) -> None:
    if problems:
        raise ReportError(problems)


# --- one record -------------------------------------------------------------------------------------------------------
class _Fields:
    """A record cut into columns, by its characters or by its bytes; what is wrong goes to `problems`."""

    def __init__(self, record: Record, problems: list[Note], *, in_bytes: bool = False) -> None:
        self.text, self.line, self._problems = record.line.rstrip(), record.number, problems
        self.tag, self._in_bytes = record.tag, in_bytes
        if in_bytes:
            self.text = self.text.encode().decode("latin-1")

    def cut(self, first: int, last: int) -> str:
        """What stands in those columns, without blanks around it."""
        part = self.text[first - 1 : last]
        return (part.encode("latin-1").decode(errors="ignore") if self._in_bytes else part).strip()

    def wrong(self, column: int, said: str, wanted: str) -> None:
        text = sentence("%(tag)s says “%(said)s”: expected %(wanted)s", tag=self.tag, said=said, wanted=wanted)
        self._problems.append(Note(self.line, column, text))

    def blank(self, *columns: int) -> None:
        """A value that goes on beyond its columns is one that somebody reads otherwise."""
        for column in columns:
            if self.cut(column, column):
                self.wrong(column, self.cut(column, column), marked("a blank here: look at the values beside it"))

    def whole(self, first: int, last: int, most: int, wanted: str, *, empty: bool = False) -> int:
        """A number of 1 to `most`; 0 for one that is none, or where nothing stands and nothing may."""
        return self.number_of(first, self.cut(first, last), most, wanted, empty=empty)

    def number_of(self, column: int, said: str, most: int, wanted: str, *, empty: bool = False) -> int:
        number = number_in(said)
        if 0 < number <= most or (empty and (not said or number == 0)):
            return max(number, 0)
        self.wrong(column, said, wanted)
        return 0

    def points(self, first: int, last: int, *, halves: bool = False) -> Fraction | None:
        """Points, those of matches in halves; None where nothing stands there."""
        if not (said := self.cut(first, last)):
            return None
        points = Fraction(said.replace(",", ".")) if _POINTS.fullmatch(said) else None
        if points is not None and (not halves or 2 % points.denominator == 0):
            return points
        self.wrong(first, said, marked("points such as 4.5"))
        return None

    def two_points(self, *columns: int) -> tuple[Fraction, Fraction]:
        """Match points and game points; nothing is none."""
        first, last, second, end = columns
        return self.points(first, last, halves=True) or Fraction(0), self.points(second, end) or Fraction(0)

    def words(self, first: int) -> Iterator[tuple[int, str]]:
        """The words from that column on, each with its own."""
        yield from ((found.start() + first, found[0]) for found in re.finditer(r"\S+", self.text[first - 1 :]))


# --- teams ------------------------------------------------------------------------------------------------------------
def _teams(report: Report, problems: list[Note]) -> tuple[TeamOfReport, ...]:
    count = len(report.players)
    new = [_laid_out(record, problems, _fits) for record in report.lines("310") if record.text]
    old = [_laid_out(record, problems, _old_fits) for record in report.lines("013") if record.text]
    rows = [_team(row, count) for row in new] or [_old_team(row, at, count) for at, row in enumerate(old, start=1)]
    _check_numbers(rows, problems)
    _check_players(rows, 74 if new else 37, problems)
    return tuple(sorted(rows, key=lambda team: team.number))


def _laid_out(record: Record, problems: list[Note], fits: Callable[[_Fields], bool]) -> _Fields:
    """The record by its characters, or by its bytes where only those put the values into their columns."""
    row, in_bytes = _Fields(record, problems), _Fields(record, problems, in_bytes=True)
    return in_bytes if not fits(row) and fits(in_bytes) else row


_NICKNAME_AT, _NICKNAME_TO, _PLAYERS_AT = 42, 46, 73
_LONGEST_NICKNAME = 25
_BEHIND = re.compile(r" ([0-9 .,]{6}) ([0-9 .,-]{6}) ([0-9 .,-]{6}) ([0-9 ]{3}) {1,2}")


def _team(row: _Fields, count: int) -> TeamOfReport:
    shift = next((at for at in range(_LONGEST_NICKNAME) if _fits(row, at)), 0)

    def at(first: int, last: int) -> tuple[int, int]:
        return first + shift, last + shift

    match_points, game_points = row.points(*at(55, 60), halves=True), row.points(*at(62, 67))
    return TeamOfReport(
        number=row.whole(5, 7, _MOST_ROUNDS, marked("a team’s number of 1 to 999 in columns 5 to 7")),
        name=row.cut(9, 40),
        nickname=row.cut(_NICKNAME_AT, _NICKNAME_TO + shift),
        strength=row.cut(*at(48, 53)),
        match_points="" if match_points is None else row.cut(*at(55, 60)).replace(",", "."),
        game_points="" if game_points is None else row.cut(*at(62, 67)).replace(",", "."),
        rank=row.whole(*at(69, 71), 9999, marked("a rank"), empty=True) or None,
        players=_roster(row, row.words(_PLAYERS_AT + shift), count),
        line=row.line,
    )


def _fits(row: _Fields, shift: int = 0) -> bool:
    """Whether the nickname stands in its columns, and what follows it so many to the right of them."""
    nickname = row.text[_NICKNAME_AT - 1 : _NICKNAME_TO + shift]
    if row.cut(_NICKNAME_AT - 1, _NICKNAME_AT - 1) or (shift and "  " in nickname):
        return False
    behind = row.text[_NICKNAME_TO + shift :].ljust(27)
    return bool(_BEHIND.match(behind)) and (not shift or bool(row.text[_NICKNAME_TO + shift - 1].strip()))


def _old_team(row: _Fields, number: int, count: int) -> TeamOfReport:
    begins = 38 if _old_fits(row, 38) and not _old_fits(row, 37) else 37
    roster = _roster(row, row.words(begins), count)
    return TeamOfReport(number, row.cut(5, begins - 1), players=roster, line=row.line)


def _old_fits(row: _Fields, begins: int = 37) -> bool:
    """Whether the players of 013 stand in their columns, the first of them from that one on."""
    return all((column + len(word) - begins) % 5 == 4 for column, word in row.words(begins))


def _roster(row: _Fields, words: Iterable[tuple[int, str]], count: int) -> tuple[int, ...]:
    wanted = sentence("starting numbers of 1 to %(count)s", count=count)
    found = (row.number_of(column, word, count, wanted, empty=True) for column, word in words)
    return tuple(number for number in found if number)


def _check_numbers(teams: Sequence[TeamOfReport], problems: list[Note]) -> None:
    """No number twice, and none left out."""
    first: dict[int, TeamOfReport] = {}
    for team in teams:
        if team.number and (other := first.setdefault(team.number, team)) is not team:
            text = sentence("team %(number)s stands in line %(line)s already", number=team.number, line=other.line)
            problems.append(
                Note(team.line, 5, sentence("%(told)s: expected a number of its own for each team", told=text))
            )
    beyond = next((number for at, number in enumerate(sorted(first), start=1) if number != at), None)
    if beyond is not None:
        text = sentence("team %(number)s: expected numbers from 1 on without a gap", number=beyond)
        problems.append(Note(first[beyond].line, 5, text))


def _check_players(teams: Sequence[TeamOfReport], column: int, problems: list[Note]) -> None:
    """Nobody in two teams, or twice in one."""
    first: dict[int, TeamOfReport] = {}
    for team in teams:
        for player in team.players:
            if player in first:
                text = sentence(
                    "player %(player)s stands in line %(line)s already: expected everybody in one team, once",
                    player=player,
                    line=first[player].line,
                )
                problems.append(Note(team.line, column, text))
            first.setdefault(player, team)


# --- the other records ------------------------------------------------------------------------------------------------
_LINE_UP_AT, _LINE_UP_STEP = 17, 5
_ALLOCATED_AT, _ALLOCATED_STEP = 15, 4
_COLOURS = re.compile("[WB]{1,99}")
_MATCH_WORTHS = re.compile(r"(TW|TD|TL) *=? *([0-9]{1,3}(?:[.,][0-9]{1,2})?)(?: +|$)")


class _Reader:
    """Reads the records beside the teams themselves; `problems` fill meanwhile. `teams`: how many there are."""

    def __init__(self, report: Report, teams: int, problems: list[Note]) -> None:
        self._report, self._count, self._problems = report, teams, problems
        self._team_wanted = sentence("teams’ numbers of 1 to %(count)s", count=teams)
        self._round_wanted = sentence("a round of 1 to %(most)s", most=_MOST_ROUNDS)
        # A match by default or an allocated bye is one of a round that is there, or of the next.
        self._next = report.played_rounds + 1
        self._next_wanted = sentence("a round of 1 to %(most)s", most=self._next)

    def _rows(self, *tags: str) -> Iterator[_Fields]:
        records = (record for record in self._report.records if record.tag in tags and record.text)
        yield from (_Fields(record, self._problems) for record in records)

    def _round(self, row: _Fields, first: int, last: int, *, empty: bool = False) -> int:
        return row.whole(first, last, _MOST_ROUNDS, self._round_wanted, empty=empty)

    def _team(self, row: _Fields, first: int, last: int) -> int:
        return row.whole(first, last, self._count, self._team_wanted)

    def _teams(self, row: _Fields, first: int) -> tuple[int, ...]:
        """The teams from that column on."""
        words = list(row.words(first))
        if not words:
            row.wrong(first, "", self._team_wanted)
        found = (row.number_of(column, word, self._count, self._team_wanted) for column, word in words)
        return tuple(number for number in found if number)

    def line_ups(self) -> Iterator[LineUp]:
        count, wanted = (
            len(self._report.players),
            sentence("starting numbers of 1 to %(count)s", count=len(self._report.players)),
        )
        for row in self._rows("300"):
            boards: dict[int, int] = {}
            for column, word in row.words(_LINE_UP_AT):
                boards[(column - _LINE_UP_AT) // _LINE_UP_STEP] = row.number_of(column, word, count, wanted, empty=True)
            players = tuple(boards.get(at, 0) for at in range(max(boards, default=-1) + 1))
            yield LineUp(self._round(row, 5, 7), self._team(row, 9, 11), self._team(row, 13, 15), players, row.line)

    def defaulted(self) -> Iterator[DefaultedMatch]:
        seen: set[tuple[int, ...]] = set()
        for row in self._rows("330", "340"):
            if (kind := row.cut(5, 6)) not in ("+-", "-+", "--"):
                row.wrong(5, kind, marked("+-, -+ or -- in columns 5 and 6"))
            number = row.whole(8, 10, self._next, self._next_wanted)
            match = DefaultedMatch(kind, number, self._team(row, 12, 14), self._team(row, 16, 18), row.line)
            if match.white and match.white == match.black:
                row.wrong(16, row.cut(16, 18), marked("another team: nobody plays against their own"))
            elif (match.round, *sorted((match.white, match.black))) in seen:
                row.wrong(12, row.cut(12, 18), marked("one line for a match"))
            seen.add((match.round, *sorted((match.white, match.black))))
            yield match

    def allocated(self) -> tuple[tuple[AllocatedBye, ...], tuple[Fraction | None, Fraction | None]]:
        found: list[AllocatedBye] = []
        points: tuple[Fraction | None, Fraction | None] = (None, None)
        for row in self._rows("320"):
            points = row.points(5, 8, halves=True), row.points(10, 13)
            for column, word in row.words(_ALLOCATED_AT):
                number = (column - _ALLOCATED_AT) // _ALLOCATED_STEP + 1
                if number > self._next:
                    row.wrong(column, word, self._next_wanted)
                elif team := row.number_of(column, word, self._count, self._team_wanted, empty=True):
                    found.append(AllocatedBye(number, team, row.line))
        return tuple(found), points

    def byes(self) -> Iterator[ByeAsked]:
        for row in self._rows("240"):
            if (code := row.cut(5, 5).upper()) not in BYE_CODES:
                row.wrong(5, code, marked("F, H or Z in column 5"))
            number = self._round(row, 7, 9)
            yield from (ByeAsked(number, team, code, row.line) for team in self._teams(row, 10))

    def assigned(self) -> Iterator[Assigned]:
        for row in self._rows("299"):
            kind = row.cut(5, 5).upper()
            if kind not in ("", *PLAYED_KINDS, *BYE_CODES):
                row.wrong(5, kind, marked("a blank, W, D, L, F, H, Z, + or - in column 5"))
            row.blank(6, 7, 12, 13, 18, 19)
            match_points, game_points = row.points(8, 11, halves=True), row.points(14, 17)
            number = self._round(row, 20, 22, empty=True)
            # What a result brings may be said of all teams, by naming none.
            teams = range(1, self._count + 1) if kind and not row.cut(23, len(row.text)) else self._teams(row, 23)
            for team in teams:
                yield Assigned(kind, match_points, game_points, number, team, row.line)

    def apart(self) -> Iterator[TeamsApart]:
        for row in self._rows("260"):
            first, last = self._round(row, 5, 7), self._round(row, 9, 11)
            yield TeamsApart(first, last, self._teams(row, 12))

    def accelerations(self) -> Iterator[TeamAcceleration]:
        for row in self._rows("250"):
            match_points, game_points = row.two_points(5, 8, 10, 13)
            first, last = self._round(row, 15, 17), self._round(row, 19, 21)
            lowest, highest = self._team(row, 23, 26), self._team(row, 28, 31)
            for team in range(lowest, highest + 1):
                yield TeamAcceleration(team, first, last, match_points, game_points)

    def worths(self) -> tuple[Fraction, Fraction, Fraction]:
        values = {"TW": Fraction(2), "TD": Fraction(1), "TL": Fraction(0)}
        for row in self._rows("362"):
            said = row.text[3:].strip().upper()
            found = list(_MATCH_WORTHS.finditer(said))
            if "".join(match[0] for match in found) != said or not found:
                row.wrong(5, said, marked("match points such as TW 2.0 TD 1.0 TL 0.0"))
            values |= {match[1]: Fraction(match[2].replace(",", ".")) for match in found}
            if any(2 % value.denominator for value in values.values()):
                row.wrong(5, said, marked("match points in halves, such as 1.5"))
        return values["TW"], values["TD"], values["TL"]

    def colours(self) -> str:
        found = ""
        for row in self._rows("352"):
            found = row.text[3:].strip().upper()
            if not _COLOURS.fullmatch(found):
                row.wrong(5, found, marked("a colour for each board, such as WBWB"))
        return found
