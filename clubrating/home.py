"""The front page: what is being played, what came in, who is new."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubrating.home_tables import ResultsTable, RunningTable, TonightTable
from ratings.selectors import main_of, newcomers, public_lists
from tournaments.selectors.rounds import next_rounds, rounds_now
from tournaments.selectors.tonight import boards_of, latest_results, running_events

TOP_BOARDS = 6
MORE_ROUNDS = 3


def home(request: HttpRequest) -> HttpResponse:
    """The news first: a round of the evening with its boards, or the latest results where nothing is on."""
    today = timezone.localdate()
    rounds = rounds_now(today)
    lists = public_lists()
    rating_list = main_of(lists)
    now = rounds[0] if rounds else None
    # A rapid evening is shown with rapid ratings.
    shown_in = main_of(row for row in lists if now and row.pool == now.tournament.pool)
    boards = boards_of(now.round, shown_in, TOP_BOARDS) if now else []
    results = latest_results()
    context = {
        "today": today,
        "now": now,
        "also_open": [row for row in rounds[1:] if row.open][:MORE_ROUNDS],
        "boards": TonightTable(boards, shown_in),
        "list": rating_list,
        "events": RunningTable(running_events()),
        "results": ResultsTable(results),
        "has_results": bool(results),
        "newcomers": newcomers(rating_list) if rating_list else [],
        "dates": next_rounds(today),
    }
    return render(request, "home/home.html", context)
