"""The records of teams written: the other way round of `teams`, in the columns of TRF26; TRF16 has 013 for 310.

What TRF16 has no record for (line-ups, byes and defaults of teams, points beside those of the rounds) is written as
TRF26 has it: programs leave out what they do not know. Names and nicknames longer than their columns are cut; a number
longer than its columns is refused.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from clubrating.ground.marks import sentence
from tournaments.interchange.trf.records import Note, Record, ReportError
from tournaments.interchange.trf.team_records import Assigned, TeamOfReport, TeamRecords
from tournaments.interchange.trf.terms import points_text

_NAME, _NICKNAME = 32, 5


def team_lines(records: TeamRecords, *, version: int = 26) -> tuple[Record, ...]:
    """All records, the settings first. Raises ReportError for a value that its columns cannot hold."""
    lines = (*_settings(records), *_teams(records, version), *_byes(records), *_matches(records), *_points(records))
    return tuple(Record(line[:3], line) for line in lines)


def column_text(value: Fraction, width: int = 4) -> str:
    """Points in so many columns. Raises ReportError where they do not fit: four hold −9.5 to 99.5."""
    text = points_text(value)
    if len(text) > width:
        most, least = "9" * (width - 2) + ".5", "-" + "9" * (width - 3) + ".5"
        told = sentence(
            "%(points)s cannot be written: a report has %(least)s to %(most)s", points=text, least=least, most=most
        )
        raise ReportError([Note(0, 0, told)])
    return f"{text:>{width}}"


def _or_blank(value: Fraction | None) -> str:
    return " " * 4 if value is None else column_text(value)


def _settings(records: TeamRecords) -> Iterator[str]:
    win, draw, loss = (points_text(worth) for worth in records.worths)
    if records.colours:
        yield f"352 {records.colours}"
    yield f"362 TW {win}   TD {draw}   TL {loss}"


def _teams(records: TeamRecords, version: int) -> Iterator[str]:
    for team in records.teams:
        players = " ".join(f"{player:>4}" for player in team.players)
        if version == 26:
            yield f"{_row(team)}  {players}".rstrip()
        else:
            yield f"013 {team.name[:_NAME]:<{_NAME}}{players}".rstrip()


def _row(team: TeamOfReport) -> str:
    return (
        f"310 {team.number:>3} {team.name[:_NAME]:<{_NAME}} {team.nickname[:_NICKNAME]:<{_NICKNAME}} "
        f"{team.strength:>6} {team.match_points:>6} {team.game_points:>6} {team.rank or '':>3}"
    )


def _byes(records: TeamRecords) -> Iterator[str]:
    if records.allocated or records.bye_points != (None, None):
        match_points, game_points = map(_or_blank, records.bye_points)
        teams = {bye.round: bye.team for bye in records.allocated}
        numbers = (teams.get(number, 0) for number in range(1, max(teams, default=0) + 1))
        yield f"320 {match_points} {game_points} {' '.join(f'{team:>3}' for team in numbers)}".rstrip()
    byes = sorted(records.byes, key=lambda bye: (bye.round, bye.code, bye.team))
    for (number, code), group in groupby(byes, key=lambda bye: (bye.round, bye.code)):
        yield f"240 {code} {number:>3} {_numbers(bye.team for bye in group)}"


def _numbers(teams: Iterable[int]) -> str:
    return " ".join(f"{team:>4}" for team in teams)


def _matches(records: TeamRecords) -> Iterator[str]:
    for link in records.defaulted:
        yield f"330 {link.kind} {link.round:>3} {link.white:>3} {link.black:>3}"
    for up in records.line_ups:
        players = " ".join(f"{player or '0000':>4}" for player in up.players)
        yield f"300 {up.round:>3} {up.team:>3} {up.opponent:>3} {players}".rstrip()


def _points(records: TeamRecords) -> Iterator[str]:
    for apart in records.apart:
        yield f"260 {apart.first:>3} {apart.last:>3} {_numbers(apart.teams)}"
    for own in records.accelerations:
        points = f"{column_text(own.match_points)} {column_text(own.game_points)}"
        yield f"250 {points} {own.first:>3} {own.last:>3} {own.team:>4} {own.team:>4}"
    for given in records.assigned:
        yield _assigned(given)


def _assigned(given: Assigned) -> str:
    points = f"{_or_blank(given.match_points)}  {_or_blank(given.game_points)}"
    return f"299 {given.kind or ' '}  {points}  {given.round or '':>3} {given.team:>4}"


# --- for eyes ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ShownRound:
    """A team's round as 801 and 802 show it: the opponent's number or PAB, FPB, HPB, ZPB; "w", "b" or nothing; results
    by boards and who sat there by their place in the team; game points."""

    opponent: str
    colour: str
    results: str
    places: str
    game_points: Fraction
    forfeited: bool


def shown_lines(teams: Sequence[TeamOfReport], rounds: Sequence[Sequence[ShownRound]]) -> Iterator[Record]:
    """The records 801 and 802 of every team; `rounds` of each, in the order of teams. Nothing is read from them."""
    for team, own in zip(teams, rounds, strict=True):
        long = "".join(f"  {row.opponent:>3} {row.colour:1} {row.results} {row.places}" for row in own)
        yield Record("801", f"801 {_shown(team)}{long}".rstrip())
    for team, own in zip(teams, rounds, strict=True):
        short = "".join(
            f"  {row.opponent:>3} {row.colour:1} {points_text(row.game_points):>4}{_mark(row)}" for row in own
        )
        yield Record("802", f"802 {_shown(team)}{short}".rstrip())


def _shown(team: TeamOfReport) -> str:
    nickname = f"{team.nickname[:_NICKNAME]:<{_NICKNAME}}"
    return f"{team.number:>3} {nickname} {team.match_points:>6} {team.game_points:>6}"


def _mark(row: ShownRound) -> str:
    return "f" if row.forfeited else " "
