"""`/api/v1/tournaments/…`: events as JSON. Entries, standings and rounds hold the rows of the files of the same name
(`tournaments.downloads.selectors`), so that pages, files and programs are told the same."""

from collections.abc import Mapping
from typing import Any

from django.http import JsonResponse
from django.utils import timezone

from clubrating.web.api import PAGE_IS_A_NUMBER, answer, page_of, refuse
from clubrating.web.requests import ClubRequest
from tournaments.downloads.selectors import ladder_sheet
from tournaments.downloads.views import TABLES
from tournaments.event_list.selectors import EventLine, count_games, list_events
from tournaments.events.selectors.events import facts_of, stages_at, whole_of
from tournaments.events.selectors.stages import is_ladder, system_of
from tournaments.interchange.sheets import records

NO_EVENT = "There is no such tournament."


def index(request: ClubRequest) -> JsonResponse:
    """All events, the latest first, a hundred a page."""
    page = page_of(request, list_events(timezone.localdate()))
    if page is None:
        return refuse(PAGE_IS_A_NUMBER, 400)
    rows, pages = page
    games = count_games(rows)
    return answer({**pages, "tournaments": [_event(row, games) for row in rows]})


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
    return answer({**_event(found, count_games(events)), **rules})


def table(request: ClubRequest, slug: str, name: str, number: int | None = None) -> JsonResponse:
    """Entries, standings or boards, of all rounds or of one. Rounds still drafted are there for officers only."""
    stages = stages_at(slug)
    if not stages:
        return refuse(NO_EVENT)
    event = stages[0].tournament
    values: dict[str, Any] = {"tournament": slug}
    if name == "standings" and is_ladder(stages[0]):
        return answer({**values, "rows": records(ladder_sheet(stages[0], request.viewer))})
    if event.open_ended:
        return refuse("This event has games and no rounds: its games are in games.pgn.")
    parts = facts_of(stages, request.viewer)
    whole = whole_of(stages, parts)
    if number is not None and whole.round(number) is None:
        return refuse("There is no such round.")
    sheet = TABLES[name](whole, parts, request.viewer, number)
    return answer({**values, **({} if number is None else {"round": number}), "rows": records(sheet)})


def _event(line: EventLine, games: Mapping[int, int]) -> dict[str, Any]:
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
    }
