"""The front page: what is being played, who leads, what came in, who moved, who is new."""

from dataclasses import dataclass
from datetime import date

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubrating.ground.figures import round_half_away
from clubrating.site.home.selectors import boards_of, latest_results, running_events
from clubrating.site.home.tables import ResultsTable, RoundsTable, RunningTable, TonightTable
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Viewer
from ratings.lists.selectors.lists import main_of, newcomers, public_lists
from ratings.lists.selectors.movements import biggest_movers
from ratings.lists.selectors.probation import Standing, standing_at
from ratings.models import PlayerRating, RatingList
from tournaments.event_list.selectors import progress_now
from tournaments.rounds.selectors.progress import next_rounds, rounds_now

TOP_BOARDS = 6


@dataclass(frozen=True, slots=True)
class PersonLine:
    """Somebody at the side: where he stands, and by how much he moved."""

    row: PlayerRating
    standing: Standing
    change: int = 0


@dataclass(frozen=True, slots=True)
class MoversBox:
    """Who moved most since when; `published`: since the list of that day."""

    since: date
    published: bool
    lines: list[PersonLine]


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
    events = running_events()
    context = {
        "today": today,
        "now": now,
        "others": RoundsTable(rounds[1:]) if rounds[1:] else None,
        "boards": TonightTable(boards, shown_in),
        "list": rating_list,
        "events": RunningTable(events, progress_now(events, today)),
        "results": ResultsTable(results),
        "has_results": bool(results),
        "movers": _movers(rating_list, request.viewer, today) if rating_list else None,
        "newcomers": [_line(rating_list, row) for row in newcomers(rating_list)] if rating_list else [],
        "dates": next_rounds(today),
    }
    return render(request, "home/home.html", context)


def _movers(rating_list: RatingList, viewer: Viewer, today: date) -> MoversBox:
    """Changes as the leaderboard tells them: of the ratings as they are shown."""
    movers = biggest_movers(rating_list, viewer, today)
    lines = [
        _line(rating_list, mover.row, round_half_away(mover.row.rating) - round_half_away(mover.was))
        for mover in movers.rows
    ]
    return MoversBox(movers.since, movers.published, [line for line in lines if line.change])


def _line(rating_list: RatingList, row: PlayerRating, change: int = 0) -> PersonLine:
    return PersonLine(row, standing_at(rating_list, row.games, row.reentry), change)
