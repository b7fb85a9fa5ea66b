"""Pictures of a player, an event and a list for messengers that show one beside a link (`og:image`).

A picture is passed on, so it holds what everybody may see, whoever asks for it: somebody who is not shown by name to
the public has no picture, and is "Player 17" on those of events and lists. Words are in the language of the address, or
in English where no font here can write it.
"""

from collections.abc import Callable, Sequence
from functools import wraps

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from clubrating.ground.charts import Sample
from clubrating.ground.figures import fraction_text
from clubrating.site.pictures.drawing import Picture, Row, Spot, draw, writable
from clubrating.site.player_pages.careers import samples_of
from clubrating.site.player_pages.selectors import MOST_ENTRIES
from clubrating.site.player_pages.views.player import person_at
from clubrating.web.formatting import day_text, span_text, written
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.people.selectors import current_club
from players.privacy.rules import NOBODY, sees_name
from ratings.lists.markup import listed_figure
from ratings.lists.selectors.history import careers
from ratings.lists.selectors.listing import listing_of
from ratings.lists.selectors.lists import count_ranked, find_list, from_place, place_of, standings_of
from ratings.lists.selectors.probation import standing_at
from tournaments.event_list.selectors import EventLine, list_events
from tournaments.events.selectors.events import public_facts
from tournaments.models import Tournament
from tournaments.prizes.selectors import FinalPlace, final_places

ROWS = 5

Make = Callable[[ClubRequest, str], Picture]


def _as_png(make: Make) -> Callable[[ClubRequest, str], HttpResponse]:
    @wraps(make)
    def view(request: ClubRequest, slug: str) -> HttpResponse:
        if writable(_("Place")) is not None:
            return HttpResponse(draw(make(request, slug)), content_type="image/png")
        with override("en"):
            return HttpResponse(draw(make(request, slug)), content_type="image/png")

    return view


def _club() -> str:
    club = current_club()
    return club.name if club else ""


def _named(player: Player) -> str:
    """The name everybody may see, where it can be written; else the number."""
    name = writable(player.name) if sees_name(player, NOBODY) else None
    return name or _("Player %(number)s") % {"number": player.number}


@_as_png
def player_picture(request: ClubRequest, slug: str) -> Picture:
    """Rating, place and curve of one list: `?list=`, else the first. 404 for whoever everybody may not see by name."""
    found = person_at(slug, NOBODY)
    if found.slug != slug or not sees_name(found, NOBODY):
        raise Http404
    standings = standings_of(found)
    wanted = request.GET.get("list", "")
    row = next((row for row in standings if row.rating_list.slug == wanted), standings[0] if standings else None)
    title = f"{found.title} {_named(found)}".strip()
    if row is None:
        return Picture(_club(), title, lines=(_("Not rated yet."),))
    place = place_of(row.rating_list, row)
    provisional = standing_at(row.rating_list, row).provisional
    lines = [row.rating_list.shown_name]
    if place:
        ranked = {"place": place, "ranked": count_ranked(row.rating_list)}
        lines.append(_("Place %(place)s of %(ranked)s") % ranked)
    elif provisional:
        lines.append(_("on probation"))
    lines.append(ngettext("%(games)s rated game", "%(games)s rated games", row.games) % {"games": row.games})
    samples = samples_of(
        careers(found, [row.rating_list])[row.rating_list_id], row.rating_list.probation, row.deviation
    )
    shown = listed_figure(listing_of(row.rating_list), row.rating, row.deviation)
    figure = f"{shown}{'?' if provisional else ''}"
    return Picture(_club(), title, figure, tuple(lines), curve=_curve(samples))


def _curve(samples: Sequence[Sample]) -> tuple[Spot, ...]:
    """The ratings over time as spots between 0 and 1; nothing for a single game, or for those of one day."""
    days, ratings = [each.on.toordinal() for each in samples], [each.rating for each in samples]
    if len(samples) < 2 or days[0] == days[-1]:
        return ()
    low, span = min(ratings), max(ratings) - min(ratings)
    return tuple(
        ((day - days[0]) / (days[-1] - days[0]), (rating - low) / span if span else 0.5)
        for day, rating in zip(days, ratings, strict=True)
    )


@_as_png
def list_picture(request: ClubRequest, slug: str) -> Picture:
    """The first of a list."""
    found = find_list(slug)
    if found is None:
        raise Http404
    first, listing = list(from_place(found, 1, ROWS)), listing_of(found)
    rows = [
        Row(str(place), _named(each.player), listed_figure(listing, each.rating, each.deviation))
        for place, each in enumerate(first, 1)
    ]
    count = count_ranked(found)
    words = ngettext("%(players)s ranked player", "%(players)s ranked players", count) % {"players": count}
    return Picture(_club(), found.shown_name, lines=(f"{day_text(timezone.localdate())} · {words}",), rows=tuple(rows))


@_as_png
def event_picture(request: ClubRequest, slug: str) -> Picture:
    """The first of an event, or what it is where nothing is played yet, or too much to be looked at."""
    event = get_object_or_404(Tournament, slug=slug)
    (line, *_more) = list_events(timezone.localdate(), slug=slug)
    players = ngettext("%(count)s player", "%(count)s players", line.players) % {"count": line.players}
    days = span_text(event.starts_on, event.ends_on) if event.starts_on else ""
    rows = [Row(_places(row), _named(row.entrant.player), _points(row)) for row in _first(line)]
    return Picture(_club(), event.name, lines=(" · ".join(filter(None, (days, players))),), rows=tuple(rows))


def _first(line: EventLine) -> list[FinalPlace]:
    if line.tournament.open_ended or line.players > MOST_ENTRIES:
        return []
    facts = public_facts({line.tournament.pk: line.stages})[line.tournament.pk]
    return (final_places(facts) or [])[:ROWS]


def _places(row: FinalPlace) -> str:
    return str(row.first) if row.first == row.last else f"{row.first}–{row.last}"


def _points(row: FinalPlace) -> str:
    return "" if row.points is None else written(fraction_text(row.points))
