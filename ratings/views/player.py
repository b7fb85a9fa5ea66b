"""A player's page: rating, career, record and games in one list at a time (`?list=`)."""

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from clubrating.requests import ClubRequest
from players.models import Player
from players.privacy import Viewer, sees_name, sees_page
from players.selectors import find_player
from players.services.refusals import Refused
from ratings.careers import fold_career
from ratings.models import PlayerRating
from ratings.probation import standing_of
from ratings.selectors import career, place_of, rated_games_of, standings_of
from ratings.services.lists import rules_of
from ratings.tables import CareerEventsTable, GameTable
from ratings.views.days import asked_moment, named_in_full
from ratings.views.past_player import past_player
from ratings.words import class_words

PER_PAGE = 50


def player(request: ClubRequest, slug: str) -> HttpResponse:
    """The page of whoever the viewer may see; an address that is not the player's present one leads there, or, for
    somebody not public, nowhere."""
    viewer = request.viewer
    found = find_player(slug)
    if found is None or not sees_page(found, viewer):
        raise Http404
    if found.merged_into is not None:
        return _at(request, found.merged_into)
    if found.slug != slug:
        if found.slug == str(found.number):
            raise Http404
        return _at(request, found)
    try:
        asked = asked_moment(request)
    except Refused as refusal:
        context = {"sentence": refusal, "back": request.path}
        return render(request, "ratings/bad_day.html", context, status=400)
    if asked is None:
        return _today(request, found)
    return named_in_full(request, asked) or past_player(request, found, asked)


def _at(request: ClubRequest, found: Player) -> HttpResponse:
    """To the player's present address, with all that was asked for."""
    query = request.GET.urlencode()
    return redirect(f"{found.get_absolute_url()}?{query}" if query else found.get_absolute_url())


def _today(request: ClubRequest, found: Player) -> HttpResponse:
    """The page as of now."""
    viewer = request.viewer
    standings = standings_of(found)
    wanted = request.GET.get("list", "")
    row = next((row for row in standings if row.rating_list.slug == wanted), standings[0] if standings else None)
    # Without the name there is neither title nor chart nor a game's change: they would tell an age, or a person.
    knows = sees_name(found, viewer)
    context = {"player": found, "standings": standings, "row": row, "knows": knows}
    if row is not None:
        context |= _career(request, found, row, viewer, knows=knows)
    return render(request, "ratings/player.html", context)


def _career(
    request: ClubRequest, found: Player, row: PlayerRating, viewer: Viewer, *, knows: bool
) -> dict[str, object]:
    rating_list = row.rating_list
    rows = career(rating_list, found)
    games = rated_games_of(rating_list, found).order_by("-game__played_on", "-game__sequence")
    page = Paginator(range(len(rows)), PER_PAGE).get_page(request.GET.get("page"))
    first = (page.number - 1) * PER_PAGE
    table = GameTable(
        games[first : first + PER_PAGE],
        player=found,
        rating_list=rating_list,
        viewer=viewer,
        exclude=() if knows else ("change", "after"),
    )
    folded = fold_career(rows, rating_list.provisional_games)
    today = timezone.localdate()
    rule = rules_of(rating_list).on(today)
    standing = standing_of(row, found.birth_year, rule, today)
    performances = () if rule.system.elo_scale else ("by_400", "by_fide")
    return {
        "career": folded,
        "events_table": CareerEventsTable(folded.events, exclude=(*performances, *(() if knows else ("change",)))),
        "place": place_of(rating_list, row),
        "games_left": standing.left,
        "standing": standing,
        "class": class_words(row.rating) if rule.system.elo_scale and not standing.provisional else "",
        "table": table,
        "page": page,
    }
