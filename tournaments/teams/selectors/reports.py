"""The teams of an event in its report: their lists, who sat where in each match, byes, and points beside the games.

A match whose boards are not made yet, and that was not decided, is in no report. Nor is it said that a team's matches
count for nobody because it left early: they stand as they were played.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from players.people.names import clean_name
from players.refusals import Refused
from tournaments.interchange.report_of_team_event import report_of_team_event
from tournaments.interchange.team_matches_of_report import NOBODY, SeatedBoard
from tournaments.interchange.team_matches_of_report import Seat as SeatOfReport
from tournaments.interchange.team_matches_of_report import TeamMatch as MatchOfReport
from tournaments.interchange.trf import Record, Report
from tournaments.interchange.trf.games import CODES
from tournaments.interchange.trf.records import BLACK, FORFEIT_LOSS, FORFEIT_WIN, NO_COLOUR, OPEN, WHITE
from tournaments.interchange.trf.team_records import TeamOfReport
from tournaments.models import Entry, FirstWhite, TeamMatch, TeamPlayer
from tournaments.pairing.team_base import whites
from tournaments.standings.team_event import TeamMeeting
from tournaments.standings.team_standings import team_standings
from tournaments.standings.team_tiebreaks import team_tiebreaks_of
from tournaments.teams.selectors.facts import BoardFacts, MatchFacts, TeamFacts, meeting_of

_SWISS, _ROUND_ROBIN = "Team: Swiss-System", "Team: Round-Robin"
_OF_PLAYERS = ("162", "XXS", "192", "202", "352")


def with_teams(report: Report, facts: TeamFacts, *, version: int = 26) -> Report:
    """The report of the event's games with its teams. `report` has the entries' numbers. Raises Refused where somebody
    sat for two teams: a report has everybody in one."""
    numbers = dict(Entry.objects.filter(tournament=facts.tournament).values_list("pk", "number"))
    keys = {team.pk: team.number for team in facts.teams}
    met = ((match, meeting_of(match, keys, facts.event.scoring)) for match in facts.matches)
    matches = [(match, meeting) for match, meeting in met if meeting is not None]
    said = {record.tag: record.text for record in report.records}
    own = [record for record in report.records if record.tag not in _OF_PLAYERS]
    if version == 26 and facts.rules.tiebreaks:
        own.append(Record("202", f"202 {facts.rules.tiebreaks}"))
    return report_of_team_event(
        replace(report, kind=report.kind or (_SWISS if facts.event.swiss else _ROUND_ROBIN), records=tuple(own)),
        event=replace(facts.event, meetings=tuple(meeting for _match, meeting in matches)),
        teams=tuple(_teams(facts, numbers)),
        matches=[_match(facts, match, meeting, numbers) for match, meeting in matches],
        colours=said.get("352", "").strip()
        or "".join("WB"[not white] for white in whites(facts.rules.boards, facts.rules.colours, first_has_white=True)),
        coded_kind=said.get("192", "").strip(),
        version=version,
    )


# --- lists --------------------------------------------------------------------------------------------------------
def _teams(facts: TeamFacts, numbers: Mapping[int, int | None]) -> Iterator[TeamOfReport]:
    """Every team with its list; somebody on two lists is in the team he sat for, else in the later one."""
    tiebreaks = team_tiebreaks_of(facts.rules.tiebreaks)
    places = {standing.team: standing.place for standing in team_standings(facts.event, tiebreaks)}
    sat = _sat_for(facts)
    rows = TeamPlayer.objects.filter(team__tournament=facts.tournament).order_by("team", "place", "pk")
    listed: dict[int, list[int]] = defaultdict(list)
    last: dict[int, int] = {}
    for row in rows:
        listed[row.team_id].append(row.entry_id)
        last[row.entry_id] = row.team_id
    for team in facts.teams:
        own = [entry for entry in listed[team.pk] if sat.get(entry, last[entry]) == team.pk]
        own += [entry for entry, key in sat.items() if key == team.pk and entry not in own]
        yield TeamOfReport(
            number=team.number,
            name=clean_name(team.name),
            nickname=clean_name(team.short_name),
            rank=places[team.number],
            players=tuple(number for entry in own if (number := numbers.get(entry))),
        )


def _sat_for(facts: TeamFacts) -> dict[int, int]:
    """The team each entry sat for."""
    found: dict[int, int] = {}
    for match in facts.matches:
        for board in match.boards:
            for entry, team in ((board.home, match.row.home), (board.away, match.row.away)):
                if entry is not None and team is not None and found.setdefault(entry.pk, team.pk) != team.pk:
                    text = _("Player %(number)s played for two teams: a report has everybody in one.")
                    raise Refused(text % {"number": f"#{entry.player.number}"})
    return found


# --- matches ------------------------------------------------------------------------------------------------------
def _match(
    facts: TeamFacts, match: MatchFacts, meeting: TeamMeeting, numbers: Mapping[int, int | None]
) -> MatchOfReport:
    boards = {board.number: board for board in match.boards}
    turned = match.row.first_white == FirstWhite.AWAY
    seats = [_seats(match.row, boards.get(at), numbers) for at in range(1, facts.rules.boards + 1)]
    return MatchOfReport(
        match.round.number,
        meeting.first,
        meeting.second,
        tuple((away, home) if turned else (home, away) for home, away in seats),
    )


def _seats(row: TeamMatch, board: BoardFacts | None, numbers: Mapping[int, int | None]) -> SeatedBoard:
    """The home team's seat and the guests' of a board, with their results."""
    home, away = (numbers.get(entry.pk) or 0 if entry else 0 for entry in _sides(board))
    if row.absent:
        lost = {TeamMatch.Absent.HOME: (True, False), TeamMatch.Absent.AWAY: (False, True)}
        missing = lost.get(TeamMatch.Absent(row.absent), (True, True))
        codes = [FORFEIT_LOSS if one else FORFEIT_WIN for one in missing]
    elif board is None:
        return NOBODY, NOBODY
    elif board.game is None:
        codes = [FORFEIT_WIN if number else FORFEIT_LOSS for number in (home, away)]
    else:
        both = CODES.get(board.result, (OPEN, OPEN))
        codes = list(both if board.home_is_white else both[::-1])
    colours = _colours(board)
    return SeatOfReport(home, colours[0], codes[0]), SeatOfReport(away, colours[1], codes[1])


def _sides(board: BoardFacts | None) -> tuple[Entry | None, Entry | None]:
    return (board.home, board.away) if board else (None, None)


def _colours(board: BoardFacts | None) -> tuple[str, str]:
    if board is None or board.game is None:
        return NO_COLOUR, NO_COLOUR
    return (WHITE, BLACK) if board.home_is_white else (BLACK, WHITE)
