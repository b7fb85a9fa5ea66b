"""News for feed readers, as Atom: results round by round, of the club or of one event, as the public sees them."""

from datetime import datetime
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubrating.web.formatting import day_text
from players.models import Club, Player
from players.privacy.rules import NOBODY, shown_name
from players.refusals import sign
from tournaments.contests.selectors import ShownContest
from tournaments.event_pages.selectors.feeds import News, recent_news
from tournaments.models import Tournament
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts
from tournaments.templatetags.teams import match_score, match_state


class ClubFeed(Feed):
    """What every feed of the club shares."""

    feed_type = Atom1Feed

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        self.language = get_language()
        return super().__call__(request, *args, **kwargs)

    def get_object(self, request: Any) -> Club:
        club: Club = request.club
        return club

    def author_name(self, _of: Any) -> str:
        return Club.objects.get().name


class ResultsFeed(ClubFeed):
    """Rounds and evenings of all events in which a result came in last."""

    def title(self, club: Club) -> str:
        return _("%(club)s: results") % {"club": club.name}

    def link(self) -> str:
        return reverse("tournaments:index")

    def items(self, _club: Club) -> list[News]:
        return recent_news()

    def item_title(self, item: News) -> str:
        if item.round:
            return _("%(event)s, round %(number)s") % {"event": item.tournament.name, "number": item.round}
        return f"{item.tournament.name}{sign(', ')}{day_text(item.on, 'long')}"

    def item_description(self, item: News) -> SafeString:
        games = [(player_name(game.white), *game.shown_result, player_name(game.black)) for game in item.games]
        tables = [(table_in_words(shown),) for shown in item.tables]
        matches = [(match_words(facts, match),) for facts, match in item.matches]
        lines = format_html_join("", "<li>{} {}–{} {}</li>", games), format_html_join("", "<li>{}</li>", tables)
        scores = format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", matches)) if matches else ""
        return format_html("{}<ul>{}{}</ul>", scores, *lines)

    def item_pubdate(self, item: News) -> datetime:
        return item.at

    item_updateddate = item_pubdate


class EventFeed(ResultsFeed):
    """The rounds of one event."""

    def get_object(self, request: Any, slug: str) -> Tournament:  # type: ignore[override]
        found = Tournament.objects.filter(slug=slug).first()
        if found is None:
            raise Http404
        return found

    def title(self, event: Tournament) -> str:  # type: ignore[override]
        return _("%(event)s: results") % {"event": event.name}

    def link(self, event: Tournament) -> str:  # type: ignore[override]
        return event.get_absolute_url()

    def items(self, event: Tournament) -> list[News]:  # type: ignore[override]
        return recent_news(slug=event.slug)


def match_words(facts: TeamFacts, match: MatchFacts) -> str:
    """ "Anchor 2½ : 1½ Bridge, finished": a match of teams."""
    home, away = (side.name if side else "–" for side in (match.row.home, match.row.away))
    return f"{home} {match_score(match, facts)} {away}{sign(', ')}{match_state(match)}"


def table_in_words(shown: ShownContest) -> str:
    """ "1. Ada Alvarez + Bo Brandt, 2. Cleo Costa", with the scores where there are any."""
    sides = []
    for side in shown.sides:
        names = " + ".join(player_name(member.player) for member in side.members)
        score = "" if side.score is None else f"{sign(' (')}{side.score:.15g}{sign(')')}"
        sides.append(f"{side.place}. {names}{score}")
    return sign(", ").join(sides)


def player_name(player: Player) -> str:
    return shown_name(player, NOBODY)
