"""`/players/<slug>/vs/<slug>/`: two players' games, and what each list they share expects of the next one.

The page is from the side of whoever is named first; the address the other way round is the same page from the other
side, and the one with the lower number first is the canonical address for search engines. Whoever may not open both
players' pages gets 404. A rating change reveals K, and K may reveal an age; so what results would change is shown only
where the viewer sees both names.
"""

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubrating.ground.bars import Segment, bar
from clubrating.ground.figures import percents
from clubrating.site.player_pages.tables import (
    MeetingsTable,
    ProspectRow,
    ProspectTable,
    ScoreLine,
    ScoreTable,
    TablesTable,
)
from clubrating.site.player_pages.views.player import person_at
from clubrating.web.requests import ClubRequest, with_query
from players.models import Player
from players.privacy.rules import sees_name, shown_name
from ratings.ledger.services.rows import state_of
from ratings.lists.selectors.history import DrawnShare, common_standings, drawn_share
from ratings.lists.selectors.lists import main_of, public_lists
from ratings.lists.selectors.probation import standing_at
from ratings.lists.services import rules_of
from ratings.models import PlayerRating, RatingList
from ratings.systems import RatingSystem
from ratings.systems.draws import draw_rate
from ratings.systems.encounter import Encounter, encounter
from tournaments.contests.selectors import Together, tables_between
from tournaments.meetings.selectors import Score, changes_in, games_between, score_between

PER_PAGE = 50
MOST_TABLES = 10
ENDINGS = {1.0: "win", 0.5: "draw", 0.0: "loss"}


@dataclass(frozen=True, slots=True)
class Prospect:
    """What one list says of the next game: `shares` are whole per cents of win, draw and loss, `drawn` the games its
    share of draws is read off."""

    rating_list: RatingList
    system: RatingSystem
    found: Encounter
    drawn: DrawnShare
    table: ProspectTable
    provisional: bool
    shares: tuple[int, ...] = ()
    segments: tuple[Segment, ...] = ()


def head_to_head(request: ClubRequest, slug: str, other: str) -> HttpResponse:
    """The page of two different people the viewer may open; former addresses lead to the present one."""
    viewer = request.viewer
    first, second = person_at(slug, viewer), person_at(other, viewer)
    if first.pk == second.pk:
        raise Http404
    if (first.slug, second.slug) != (slug, other):
        return redirect(with_query(request, _address(first, second)))
    knows = sees_name(first, viewer), sees_name(second, viewer)
    score, together = score_between(first, second), tables_between(first, second, MOST_TABLES)
    page = Paginator(games_between(first, second), PER_PAGE).get_page(request.GET.get("page"))
    games = list(page.object_list)
    context = {
        "first": first,
        "second": second,
        "page": page,
        "score": score,
        "score_table": ScoreTable(_lines(score)),
        "together": together,
        "tables_table": TablesTable(_table_lines(together)),
        "score_bar": bar((score.total.wins, score.total.draws, score.total.losses)),
        "games_table": MeetingsTable(
            games,
            player=first,
            changes=changes_in(games),
            knows=knows[0],
            caption=_("From the side of %(name)s") % {"name": shown_name(first, viewer)},
        ),
        "prospects": [_prospect(*both, knows=all(knows)) for both in common_standings(first, second)],
        "knows_both": all(knows),
        "mirrored": _address(second, first),
        "canonical": request.build_absolute_uri(_address(*sorted((first, second), key=lambda who: who.number))),
    }
    return render(request, "ratings/head_to_head.html", context)


def choose(request: ClubRequest, slug: str) -> HttpResponse:
    """Where the form on a player's page leads (`?with=17`): to the page of the two."""
    first = person_at(slug, request.viewer)
    wanted = request.GET.get("with", "")
    if not wanted:
        return redirect(first)
    return redirect(_address(first, person_at(wanted, request.viewer)))


def _address(first: Player, second: Player) -> str:
    return reverse("players:vs", args=[first.slug, second.slug])


def _lines(score: Score) -> list[ScoreLine]:
    """In all, by colour and, where they met in several pools, by pool under the name of its list."""
    lines = [
        ScoreLine(_("all games"), score.total),
        ScoreLine(_("with White"), score.white, "white"),
        ScoreLine(_("with Black"), score.black, "black"),
    ]
    if len(score.pools) > 1:
        lists = public_lists()
        for pool, tally in score.pools.items():
            found = main_of(row for row in lists if row.pool == pool)
            lines.append(ScoreLine(found.shown_name if found else capfirst(pool), tally))
    return lines


def _table_lines(together: Together) -> list[ScoreLine]:
    """Tables on one side and on two, each where there are any."""
    lines = [ScoreLine(_("with each other"), together.partners), ScoreLine(_("against each other"), together.against)]
    return [line for line in lines if line.tally.games]


def _prospect(own: PlayerRating, other: PlayerRating, *, knows: bool) -> Prospect:
    """What their list says; `knows`: whether both names are seen."""
    today = timezone.localdate()
    rule = rules_of(own.rating_list).on(today)
    drawn = drawn_share(own.rating_list)
    states = state_of(own, own.player.birth_year), state_of(other, other.player.birth_year)
    found = encounter(rule, *states, today, draw_rate(drawn.games, drawn.draws, drawn.even))
    odds = (found.odds.win, found.odds.draw, found.odds.loss) if found.odds else ()
    rows = _row(own, found, is_own=True), _row(other, found, is_own=False)
    return Prospect(
        own.rating_list,
        rule.system,
        found,
        drawn,
        ProspectTable(rows, knows=knows),
        any(row.provisional for row in rows),
        tuple(percents(odds)),
        bar(odds),
    )


def _row(row: PlayerRating, found: Encounter, *, is_own: bool) -> ProspectRow:
    """One side of it. What is expected of the other is the rest."""
    expected = found.expected if is_own or found.expected is None else 1.0 - found.expected
    moves = {
        ENDINGS[each.score if is_own else 1.0 - each.score]: each[1:3] if is_own else each[3:5]
        for each in found.endings
    }
    provisional = standing_at(row.rating_list, row).provisional
    return ProspectRow(row.player, row.rating, provisional, row.deviation, expected, moves)
