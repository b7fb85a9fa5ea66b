"""`/players/<slug>/?on=D` and `?known=D`: where a player stood on an earlier day, as published and as now known."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from clubrating.site.lists.views.days import Asked
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.privacy.rules import sees_name
from ratings.lists.selectors.lists import public_lists, published_on, published_rows
from ratings.models import PublishedList, RatingList
from ratings.published.services import Standing
from tournaments.rated_games.services.past_lists import known_on


def past_player(request: ClubRequest, found: Player, asked: Asked) -> HttpResponse:
    """The page, for one of the public lists (`?list=`)."""
    lists = public_lists()
    wanted = request.GET.get("list", "")
    chosen = next((row for row in lists if row.slug == wanted), None) or min(
        lists, key=lambda row: not row.primary, default=None
    )
    context = {"player": found, "lists": lists, "list": chosen, "day": asked.day, "known": asked.known}
    if chosen is not None:
        published = published_on(chosen, asked.day)
        context |= {"published": published, **_figures(found, chosen, published, asked)}
        context["here"] = f"?list={chosen.slug}&"
        context["now"] = f"{_address(found)}?list={chosen.slug}"
    context["knows"] = sees_name(found, request.viewer)
    return render(request, "ratings/past_player.html", context)


def _address(found: Player) -> str:
    return reverse("players:player", args=[found.slug])


def _figures(
    found: Player, rating_list: RatingList, published: PublishedList | None, asked: Asked
) -> dict[str, Standing | None]:
    """Where he stood as published, and as now known: for the day asked for, or that of the published list."""
    frozen = published_rows(published).filter(player=found) if published else []
    columns = [Standing(found.pk, row.place, row.rating, row.games, row.provisional, row.deviation) for row in frozen]
    day = published.on if published and not asked.known else asked.day
    now = next((row for row in known_on(rating_list, day) if row.player == found.pk), None)
    return {"frozen": columns[0] if columns else None, "standing": now}
