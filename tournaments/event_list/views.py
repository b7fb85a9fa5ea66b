"""The list of events: running, coming, finished, open-ended."""

from datetime import date

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django_tables2 import Table

from clubrating.web.formatting import show_page
from clubrating.web.requests import ClubRequest
from tournaments.event_list.selectors import EventLine, State, list_events, progress_of
from tournaments.event_pages.tables import EventTable, FinishedTable, OpenEventTable, RunningTable
from tournaments.models import League, Season

PER_PAGE = 20


def index(request: ClubRequest) -> HttpResponse:
    """Four lists; the finished and the open-ended ones are paged. Leaders are found for the events on the page only."""
    events = list_events(timezone.localdate())
    running = RunningTable(_in_state(events, State.RUNNING))
    by_first_day = sorted(_in_state(events, State.COMING), key=lambda line: line.tournament.starts_on or date.max)
    coming = EventTable(by_first_day, exclude=("leader",))
    finished = FinishedTable(_in_state(events, State.FINISHED), prefix="finished-")
    by_last_day = sorted(_in_state(events, State.OPEN_ENDED), key=lambda line: line.last_on or date.min, reverse=True)
    open_ended = OpenEventTable(by_last_day, prefix="open-")
    for table in (finished, open_ended):
        show_page(request, table, PER_PAGE)
    running.progress = finished.progress = progress_of([*_shown(running), *_shown(finished)])
    has_seasons = Season.objects.exists()
    context = {"running": running, "coming": coming, "finished": finished, "open_ended": open_ended}
    return render(
        request,
        "tournaments/index.html",
        context | {"count": len(events), "has_seasons": has_seasons, "leagues": League.objects.all()},
    )


def _in_state(events: list[EventLine], state: State) -> list[EventLine]:
    return [line for line in events if line.state == state]


def _shown(table: Table) -> list[EventLine]:
    return [row.record for row in table.paginated_rows]
