"""`/api/v1/tournaments/…`: events as JSON. Entries, standings and rounds hold the rows of the files of the same name
(`tournaments.downloads.selectors`), so that pages, files and programs are told the same."""

from collections.abc import Mapping
from typing import Any

from django.http import JsonResponse
from django.utils import timezone

from clubrating.web.api import PAGE_IS_A_NUMBER, answer, page_of, refuse
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Viewer, shown_name
from tournaments.contests.selectors import ShownContest, contests_of, count_contests, shown_contests
from tournaments.downloads.selectors import free_sheet
from tournaments.downloads.views import TABLES, team_table
from tournaments.event_list.selectors import EventLine, count_games, list_events
from tournaments.events.selectors.events import facts_of, stages_at, whole_of
from tournaments.events.selectors.stages import system_of
from tournaments.interchange.sheets import records
from tournaments.models import Tournament

NO_EVENT = "There is no such tournament."


def index(request: ClubRequest) -> JsonResponse:
    """All events, the latest first, a hundred a page."""
    page = page_of(request, list_events(timezone.localdate()))
    if page is None:
        return refuse(PAGE_IS_A_NUMBER, 400)
    rows, pages = page
    counts = count_games(rows), count_contests(row.tournament.pk for row in rows)
    return answer({**pages, "tournaments": [_event(row, *counts) for row in rows]})


def tournament(request: ClubRequest, slug: str) -> JsonResponse:
    """One event: its days, format, state and rules."""
    events = list_events(timezone.localdate(), slug=slug)
    if not events:
        return refuse(NO_EVENT)
    (found,) = events
    rules = {
        "points": found.tournament.point_system,
        "tiebreaks": [code for code in found.tournament.tiebreaks.split(",") if code],
        "swiss_edition": found.tournament.swiss_edition,
        "tiebreak_edition": found.tournament.tiebreak_edition,
    }
    return answer({**_event(found, count_games(events), count_contests([found.tournament.pk])), **rules})


def table(request: ClubRequest, slug: str, name: str, number: int | None = None) -> JsonResponse:
    """Entries, standings or boards, of all rounds or of one; of a team event matches and teams too. Rounds still
    drafted are there for officers only."""
    stages = stages_at(slug)
    if not stages:
        return refuse(NO_EVENT)
    event = stages[0].tournament
    values: dict[str, Any] = {"tournament": slug}
    if teams := team_table(event, name, request.viewer):
        return answer({**values, "rows": records(teams)})
    if name not in TABLES:
        return refuse("This event is not one of teams.")
    if name == "standings" and (free := free_sheet(stages[0], request.viewer)):
        return answer({**values, "rows": records(free)})
    if event.open_ended:
        return refuse("This event has games and no rounds: its games are in games.pgn.")
    parts = facts_of(stages, request.viewer)
    whole = whole_of(stages, parts)
    if number is not None and whole.round(number) is None:
        return refuse("There is no such round.")
    sheet = TABLES[name](whole, parts, request.viewer, number)
    return answer({**values, **({} if number is None else {"round": number}), "rows": records(sheet)})


def contests(request: ClubRequest, slug: str) -> JsonResponse:
    """The tables of an event, the latest first, a hundred a page; none where it has none."""
    event = Tournament.objects.filter(slug=slug).first()
    if event is None:
        return refuse(NO_EVENT)
    page = page_of(request, contests_of(event))
    if page is None:
        return refuse(PAGE_IS_A_NUMBER, 400)
    rows, pages = page
    tables = [_table(shown, request.viewer) for shown in shown_contests(rows)]
    return answer({"tournament": slug, **pages, "scores": event.scores, "tables": tables})


def _table(shown: ShownContest, viewer: Viewer) -> dict[str, Any]:
    return {
        "table": shown.contest.pk,
        "played_on": shown.contest.played_on.isoformat(),
        "sides": [
            {
                "place": side.place,
                "score": side.score,
                "players": [
                    {"player": each.player.number, "name": shown_name(each.player, viewer), "weight": each.weight}
                    for each in side.members
                ],
            }
            for side in shown.sides
        ],
    }


def _event(line: EventLine, games: Mapping[int, int], tables: Mapping[int, int]) -> dict[str, Any]:
    event = line.tournament
    return {
        "slug": event.slug,
        "name": event.name,
        "state": line.state.value,
        "format": [system.key for stage in line.stages if (system := system_of(stage))],
        "place": event.place,
        "pool": event.pool,
        "game": event.game,
        "rated": event.rated,
        "starts_on": event.starts_on and event.starts_on.isoformat(),
        "ends_on": event.ends_on and event.ends_on.isoformat(),
        "players": line.players,
        "rounds": line.planned_rounds,
        "games": games[event.pk],
        "tables": tables.get(event.pk, 0),
    }
