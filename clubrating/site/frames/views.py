"""`/embed/…`: standings, pairings and rating lists for a frame on another site (`clubrating.web.frames`).

They show what the public may see, whoever is signed in on the device, and remember nothing on it. Their links open in a
new tab. Where no host is named there are no such pages.
"""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from clubrating.ground.numbers import whole_number
from clubrating.site.lists.tables import LeaderboardTable
from clubrating.site.lists.views.leaderboard import PER_PAGE, number_rows
from clubrating.web.requests import ClubRequest
from players.privacy.rules import NOBODY
from ratings.lists.selectors.listing import listing_of
from ratings.lists.selectors.lists import leaderboard, public_lists
from ratings.lists.selectors.movements import trends
from ratings.lists.selectors.published import published_lists, with_last_published
from ratings.lists.services import rules_of
from tournaments.event_pages.format_tables import SeriesTable
from tournaments.event_pages.selectors.series import has_series, series_of
from tournaments.event_pages.tables import PairingTable
from tournaments.event_pages.views.event import event_context, pages_or_404, team_event_of
from tournaments.event_pages.views.rounds import BY_BOARD, round_parts
from tournaments.event_pages.views.sections import side_by_side
from tournaments.events.selectors.events import stages_at
from tournaments.models import Stage, Tournament
from tournaments.teams.selectors.facts import TeamFacts
from tournaments.teams.selectors.matches import current_round
from tournaments.teams.views.boards import shown_matches
from tournaments.teams.views.pages import facts_for, matches_of, show_team_page

View = Callable[..., HttpResponse]
FRAME = "embed/event.html"


def framed(view: View) -> View:
    """The view for nobody in particular; 404 where no site may frame pages."""

    def shown(request: ClubRequest, slug: str) -> HttpResponse:
        if not settings.EMBED_HOSTS:
            raise Http404
        request.viewer = NOBODY
        return view(request, slug)

    return shown


# --- events ----------------------------------------------------------------------------------------------------------
@framed
def standings(request: ClubRequest, slug: str) -> HttpResponse:
    """The standings; the table of a team event; the standings of an open-ended event's tables."""
    stages, whole = stages_at(slug), reverse("tournaments:standings", args=[slug])
    if stages and has_series(stages[0]):
        return _series(request, stages[0], whole)
    if teams := team_event_of(stages):
        return _of_teams(request, "table", facts_for(teams, NOBODY), "standings", whole)
    event, sections = pages_or_404(request, slug, with_changes=True, stages=stages)
    context = event_context(event, sections, "standings") | {"parts": side_by_side(sections)}
    return render(request, "tournaments/tab.html", context | _frame(whole))


@framed
def pairings(request: ClubRequest, slug: str) -> HttpResponse:
    """The pairings of the round that is on, or of `?round=`; a sentence before the first one."""
    stages = stages_at(slug)
    if teams := team_event_of(stages):
        return _matches(request, teams)
    event, sections = pages_or_404(request, slug, stages=stages)
    asked = _asked(request)
    row = event.current_round if asked is None else event.round(asked)
    context = event_context(event, sections, "rounds")
    if row is None:
        return _nothing_yet(request, event.tournament, asked, context)
    context |= round_parts(event, sections, row, BY_BOARD, NOBODY)
    for part in context["round_parts"]:
        if isinstance(part.table, PairingTable):
            part.table.brief = True
    whole = reverse("tournaments:round", args=[slug, row.number])
    return render(request, "tournaments/tab.html", context | _frame(whole))


def _matches(request: ClubRequest, event: Tournament) -> HttpResponse:
    """The matches of a round of a team event."""
    facts, asked = facts_for(event, NOBODY), _asked(request)
    rounds = {match.round.number: match.round for match in facts.matches}
    row = current_round(facts) if asked is None else rounds.get(asked)
    if row is None:
        return _nothing_yet(request, event, asked, {"tournament": event})
    shown = shown_matches(facts, matches_of(facts, row), NOBODY)
    whole = reverse("tournaments:round", args=[event.slug, row.number])
    return _of_teams(request, "round", facts, "rounds", whole, round=row, shown=shown)


def _of_teams(request: ClubRequest, name: str, facts: TeamFacts, tab: str, whole: str, **context: Any) -> HttpResponse:
    return show_team_page(request, name, facts, tab, following=None, **context, **_frame(whole))


def _series(request: ClubRequest, stage: Stage, whole: str) -> HttpResponse:
    series = series_of(stage)
    context = {"tournament": stage.tournament, "stage": stage, "tab": "standings", "series": series}
    context |= {"table": SeriesTable(series)} | _frame(whole)
    return render(request, "tournaments/table_standings.html", context)


def _nothing_yet(request: ClubRequest, event: Tournament, asked: int | None, context: dict[str, Any]) -> HttpResponse:
    """A frame that waits for its first round; a round that was asked for and is not there is no page."""
    if asked is not None:
        raise Http404
    return render(request, "embed/nothing_yet.html", context | _frame(event.get_absolute_url()))


def _asked(request: ClubRequest) -> int | None:
    """The round the address asks for; 0, which no round has, for what is no number."""
    text = request.GET.get("round")
    return None if text is None else whole_number(text) or 0


def _frame(whole: str) -> dict[str, Any]:
    """What every framed page is made with: `whole` is the address of the page on our own site."""
    return {"viewer": NOBODY, "framed": True, "base_template": FRAME, "whole": whole}


# --- lists -----------------------------------------------------------------------------------------------------------
@framed
def rating_list(request: ClubRequest, slug: str) -> HttpResponse:
    """The first fifty of a public list, as its page begins."""
    found = next((row for row in public_lists() if row.slug == slug), None)
    if found is None:
        raise Http404
    publications, listing = published_lists(found), listing_of(found)
    last = publications[0] if publications else None
    rule = rules_of(found).on(timezone.localdate())
    table = LeaderboardTable(
        with_last_published(leaderboard(found), last, listing),
        rating_list=found,
        viewer=NOBODY,
        titles=rule.system.elo_scale,
        listing=listing,
        exclude=() if last else ("since",),
        orderable=False,
    )
    table.paginator = Paginator(table.rows, PER_PAGE)
    table.page = table.paginator.page(1)
    number_rows(found, table)
    table.trends = trends(found, [row.record.player_id for row in table.paginated_rows])
    return render(request, "embed/list.html", {"list": found, "table": table} | _frame(found.get_absolute_url()))
