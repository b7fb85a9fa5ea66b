"""`/players/compare/?p=4&p=7`: the ratings of up to five people in one list over time.

Only people whose names the viewer sees: a curve tells more of a person than a rating does. `?q=` looks for somebody to
add, among the names the viewer may read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.charts import RatingChart, Series, rating_chart
from clubrating.ground.numbers import number_in
from clubrating.site.player_pages.careers import samples_of
from clubrating.site.player_pages.records import Record, record_of
from clubrating.site.player_pages.views.player import SPAN_WORDS, SPANS
from clubrating.web.forms import asked_for
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.people.markup import name_in_text
from players.people.selectors import list_players, visible_players
from players.privacy.rules import Viewer, sees_name
from ratings.lists.selectors.history import careers
from ratings.lists.selectors.lists import main_of, public_lists, ratings_now
from ratings.lists.selectors.probation import standing_at
from ratings.models import PlayerRating, RatingList
from ratings.systems.base import Tally

MOST = 5
MOST_FOUND = 10


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the people: the present row in the list and what it rests on, none of it for whoever has not played
    there. `look` is that of the curve, `without` the address of the page without this person."""

    player: Player
    look: int
    row: PlayerRating | None
    provisional: bool
    total: Tally
    record: Record
    without: str


def compare(request: ClubRequest) -> HttpResponse:
    """The page; whoever cannot be compared is named by number in a sentence, and the others are shown."""
    viewer = request.viewer
    people, refused = _asked(request.GET.getlist("p"), viewer)
    lists = public_lists()
    chosen = next((row for row in lists if row.slug == request.GET.get("list", "")), None) or main_of(lists)
    wanted = request.GET.get("span", "")
    span = wanted if wanted in SPANS else "all"
    since = timezone.localdate() - SPANS[span] if span in SPANS else None
    search = asked_for(request)
    known = {each.pk for each in people}
    found = list_players(viewer, search=search)[: MOST_FOUND + MOST] if search else []
    to_add = [each for each in found if each.pk not in known and sees_name(each, viewer)][:MOST_FOUND]
    context: dict[str, object] = {
        "list": chosen,
        "lists": lists,
        "refused": refused,
        "search": search,
        "may_add": len(people) < MOST,
        "to_add": [(each, _address(request, [*people, each])) for each in to_add],
        "spans": [(key, words, key == span) for key, words in SPAN_WORDS],
        "people": people,
    }
    if chosen is not None and people:
        context |= _drawn(request, people, chosen, since)
    return render(request, "ratings/compare.html", context, status=400 if refused else 200)


def _asked(numbers: Sequence[str], viewer: Viewer) -> tuple[list[Player], list[str]]:
    """The people of those numbers, each once, and a sentence for each number that cannot be shown."""
    asked = list(dict.fromkeys(text.strip()[:9] for text in numbers[: 4 * MOST]))
    open_to = visible_players(map(number_in, asked), viewer)
    people: dict[int, Player] = {}
    refused = []
    for number in asked:
        found = open_to.get(number_in(number))
        if found is None or not sees_name(found, viewer):
            refused.append(
                _("There is no curve of a player “%(number)s”: look for the name below.") % {"number": number}
            )
        elif len(people) == MOST and found.pk not in people:
            words = ngettext("At most %(most)s player is compared.", "At most %(most)s players are compared.", MOST)
            refused.append(words % {"most": MOST})
            break
        else:
            people[found.pk] = found
    return list(people.values()), refused


def _address(request: ClubRequest, people: Sequence[Player]) -> str:
    """This page with those people, of the same list and time."""
    query = QueryDict(mutable=True)
    query.setlist("p", [str(each.number) for each in people])
    for name in ("list", "span"):
        if request.GET.get(name):
            query[name] = request.GET[name]
    return f"?{query.urlencode()}"


def _drawn(request: ClubRequest, people: Sequence[Player], chosen: RatingList, since: date | None) -> dict[str, object]:
    """The curves and the figures beside them: two queries a person, and one for where they stand now."""
    now = ratings_now(chosen, [each.pk for each in people])
    compared, series = [], []
    for look, each in enumerate(people):
        rows = careers(each, [chosen])[chosen.pk]
        row = now.get(each.pk)
        total = Tally()
        for game in rows:
            total.add(game.score)
        provisional = row is not None and standing_at(chosen, row).provisional
        without = _address(request, [other for other in people if other.pk != each.pk])
        compared.append(Compared(each, look + 1, row, provisional, total, record_of(rows), without))
        drawn = samples_of(rows, chosen.probation, row.deviation if row else None)
        samples = [one for one in drawn if since is None or one.on >= since]
        if samples:
            series.append(Series(name_in_text(each, request.viewer), samples, look))
    charts: dict[str, RatingChart] = {}
    if series:
        charts = {"wide": rating_chart(series), "narrow": rating_chart(series, width=358, height=260)}
    return {"compared": compared, "charts": charts, "is_one": len(people) == 1}
