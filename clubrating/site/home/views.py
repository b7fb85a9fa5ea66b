"""The front page: what is being played, who leads, what came in, who moved, who is new."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubrating.ground.figures import round_half_away
from clubrating.site.home.selectors import boards_of, latest_results
from clubrating.site.home.tables import ResultsTable, RoundsTable, RunningTable, TonightTable
from clubrating.web.requests import ClubRequest
from ratings.lists.selectors.lists import main_of, newcomers, public_lists
from ratings.lists.selectors.movements import biggest_movers
from ratings.lists.selectors.probation import Standing, standing_at
from ratings.models import PlayerRating, RatingList
from tournaments.event_list.selectors import progress_of, running_events
from tournaments.rounds.selectors.progress import next_rounds, rounds_now
from tournaments.teams.selectors.matches import matches_on

TOP_BOARDS = 6
MOST_EVENTS = 8


@dataclass(frozen=True, slots=True)
class PersonLine:
    """Somebody at the side: where he stands, and by how much he moved."""

    row: PlayerRating
    standing: Standing
    change: int = 0


def home(request: ClubRequest) -> HttpResponse:
    """The news first: a round of the evening with its boards and all others that are on, or the latest results where
    nothing is."""
    today = timezone.localdate()
    rounds = rounds_now(today)
    lists = public_lists()
    rating_list = main_of(lists)
    now = rounds[0] if rounds else None
    # The ratings of the pool that is played, for example rapid ones.
    shown_in = main_of(row for row in lists if now and row.pool == now.tournament.pool)
    boards = boards_of(now.round, shown_in, TOP_BOARDS) if now else []
    results = latest_results()
    events = running_events(today)[:MOST_EVENTS]
    context: dict[str, object] = {
        "today": today,
        "now": now,
        "others": RoundsTable(rounds[1:]) if rounds[1:] else None,
        "boards": TonightTable(boards, shown_in),
        "list": rating_list,
        "events": RunningTable(events, progress_of(events)),
        "results": ResultsTable(results),
        "has_results": bool(results),
        "dates": next_rounds(today),
        "matches_tonight": matches_on(today),
    }
    if rating_list:
        movers = biggest_movers(rating_list, request.viewer, today)
        # As on the leaderboard: changes of the ratings as they are shown.
        changes = [(each.row, round_half_away(each.row.rating) - round_half_away(each.was)) for each in movers.rows]
        context |= {
            "movers": movers,
            "moved": [_line(rating_list, row, change) for row, change in changes if change],
            "newcomers": [_line(rating_list, row) for row in newcomers(rating_list)],
        }
    return render(request, "home/home.html", context)


def _line(rating_list: RatingList, row: PlayerRating, change: int = 0) -> PersonLine:
    return PersonLine(row, standing_at(rating_list, row), change)
