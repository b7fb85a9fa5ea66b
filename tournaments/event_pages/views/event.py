"""The pages of one event: overview, standings, crosstable, rounds, entries; and the page of an open-ended event.

In an event of several parts every page shows them one after the other, groups side by side. An open-ended event has no
rounds; of its tables there are standings. A loaded stream, which has no format, shows its games only.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control

from clubrating.web.formatting import show_page
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Viewer
from ratings.lists.selectors.listing import listing_of
from tournaments.contests.selectors import contests_of, reasons_for, shown_contests
from tournaments.event_list.selectors import State, lead_of, state_of_facts
from tournaments.event_pages.format_tables import LadderTable, OverallTable, SeasonTable, SeriesTable
from tournaments.event_pages.selectors.formats import ladder_places, season_table, seasons_of
from tournaments.event_pages.selectors.lots import lots_of
from tournaments.event_pages.selectors.series import has_series, series_of
from tournaments.event_pages.tables import EntriesTable, GamesTable
from tournaments.event_pages.views.finder import finder_of
from tournaments.event_pages.views.live import follow, following_at, show
from tournaments.event_pages.views.rounds import BY_BOARD, round_parts
from tournaments.event_pages.views.sections import BY_NUMBER, Section, fronts_of, sections_of, side_by_side
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import facts_of, free_games, stages_at, whole_of
from tournaments.events.selectors.finals import Final, final_of
from tournaments.events.selectors.overall import has_overall_order, overall_order
from tournaments.events.selectors.stages import system_of
from tournaments.events.selectors.standings import rating_changes
from tournaments.forecasts.selectors.forecasts import forecast_kind
from tournaments.free_boards.selectors import boards_to_play
from tournaments.knockouts.selectors.brackets import knockout_news
from tournaments.models import Stage, Tournament
from tournaments.pairing.base import FreeSystem
from tournaments.registrations.selectors import offer_of
from tournaments.rounds.selectors.progress import round_after
from tournaments.standings.points import point_system
from tournaments.teams.views import event as team_event

# What the overview shows of the standings and of the round; the rest is a tab away.
PLACES, BOARDS = 5, 6


# --- events with rounds -------------------------------------------------------------------------------------------
Pages = tuple[EventData, list[Section]]


@follow
def tournament(request: ClubRequest, slug: str) -> HttpResponse:
    """The overview: the news, the first boards of the current round, the first places and the next date; a small
    bracket whole. Of an open-ended event its games."""
    stages = stages_at(slug)
    if stages and stages[0].tournament.open_ended:
        return open_event(request, stages[0])
    if teams := team_event_of(stages):
        return team_event.overview(request, teams)
    event, sections = _pages(stages, request.viewer, with_changes=True, first=PLACES)
    context = event_context(event, sections, "overview") | {
        "parts": side_by_side(sections),
        "final": _final(event, sections),
    }
    context["next_round"] = round_after(event, timezone.localdate())
    context |= _entering(event.tournament, context["state"])
    if event.current_round:
        shown = round_parts(event, sections, event.current_round, BY_BOARD, request.viewer, first=BOARDS)
        context |= shown | finder_of(request, event, sections, event.current_round, shown["round_parts"])
    if not event.rounds:
        context["entries_table"] = EntriesTable(event.entrants, request.viewer, slug)
    answer = show(request, "tournaments/overview.html", event, context)
    if "offer" in context and context["offer"].changes_by_itself:
        patch_cache_control(answer, no_cache=True)  # a kept page would not know the hour
    return answer


def _entering(event: Tournament, state: State) -> dict[str, Any]:
    """How entries stand, where the event takes some (it came with its rules) and is not over; no query else."""
    if not hasattr(event, "entry_rules") or state is State.FINISHED:
        return {}
    return {"takes_entries": True, "offer": offer_of(event.entry_rules)}


@follow
def standings(request: ClubRequest, slug: str) -> HttpResponse:
    """The standings alone; of an open-ended event those of its tables."""
    stages = stages_at(slug)
    if stages and has_series(stages[0]):
        return table_standings(request, stages[0])
    if teams := team_event_of(stages):
        return team_event.table(request, teams)
    event, sections = _pages(stages, request.viewer, with_changes=True)
    context = event_context(event, sections, "standings") | {
        "parts": side_by_side(sections),
        "final": _final(event, sections),
        "overall": _overall(event, sections),
    }
    if event.current_round:
        context |= finder_of(request, event, sections, event.current_round)
    return show(request, "tournaments/tab.html", event, context)


def crosstable(request: ClubRequest, slug: str) -> HttpResponse:
    """The crosstable alone, in order of the standings or of the pairing numbers (`?order=number`)."""
    stages = stages_at(slug)
    if teams := team_event_of(stages):
        return team_event.cross(request, teams)
    event, sections = _pages(stages, request.viewer, with_changes=False)
    if request.GET.get("order") == BY_NUMBER:
        sections = [replace(section, order=BY_NUMBER) for section in sections]
    context = event_context(event, sections, "crosstable") | {"parts": side_by_side(sections)}
    return render(request, "tournaments/tab.html", context)


@follow
def round_page(request: ClubRequest, slug: str, number: int) -> HttpResponse:
    """The pairing tables of a round, by board or by name. A draft is there for officers only."""
    stages = stages_at(slug)
    if teams := team_event_of(stages):
        return team_event.round_page(request, teams, number)
    event, sections = _pages(stages, request.viewer, with_changes=False)
    row = event.round(number)
    if row is None:
        raise Http404
    order = request.GET.get("order", BY_BOARD)
    shown = round_parts(event, sections, row, order, request.viewer)
    context = event_context(event, sections, "rounds") | shown
    context |= finder_of(request, event, sections, row, shown["round_parts"])
    return show(request, "tournaments/tab.html", event, context)


def entries(request: ClubRequest, slug: str) -> HttpResponse:
    """Who is entered, with the rating at entry."""
    event, sections = pages_or_404(request, slug)
    context = event_context(event, sections, "entries") | {
        "entries_table": EntriesTable(event.entrants, request.viewer, slug)
    }
    return render(request, "tournaments/tab.html", context)


def team_event_of(stages: Sequence[Stage]) -> Tournament | None:
    """The event of those stages where it is one of teams."""
    event = stages[0].tournament if stages else None
    return event if event is not None and is_of_teams(event) else None


def is_of_teams(event: Tournament) -> bool:
    """No query where the event came with its rules (`stages_at`)."""
    return hasattr(event, "team_rules")


def pages_or_404(
    request: ClubRequest, slug: str, *, with_changes: bool = False, stages: Sequence[Stage] | None = None
) -> Pages:
    """The whole event and its stages (`stages`: they are at hand); 404 where there is no event with rounds."""
    found = stages_at(slug) if stages is None else stages
    return _pages(found, request.viewer, with_changes=with_changes)


def event_context(event: EventData, sections: Sequence[Section], tab: str) -> dict[str, Any]:
    """What the head of every page of an event shows."""
    begun = [section for section in sections if section.facts.rounds]
    last = begun[-1] if begun else sections[-1]
    return {
        "event": event,
        "tournament": event.tournament,
        "tab": tab,
        "state": state_of_facts(event, timezone.localdate()),
        "has_bracket": any(section.bracket and section.bracket.rounds for section in sections),
        "has_forecast": forecast_kind(event) is not None,
        "has_tables": any(section.bracket is None for section in sections),
        "news": knockout_news(last.bracket) if last.bracket else None,
        # Who leads a team event is a team, which its own pages say.
        "lead": lead_of(event, last.ranked) if len(sections) == 1 and not is_of_teams(event.tournament) else None,
        "teams": last.teams,
        "leaders": fronts_of(sections) if len(sections) > 1 else [],
        "unit": last.ranked.points.unit,
    }


def _overall(event: EventData, sections: Sequence[Section]) -> OverallTable | None:
    """The order over all stations, once something is played; no query for other events."""
    if event.rating_list is None or not has_overall_order(event) or not any(row.begun for row in event.rounds):
        return None
    order = overall_order(event, [section.facts for section in sections])
    return OverallTable(order, listing_of(event.rating_list).digits)


def _final(event: EventData, sections: Sequence[Section]) -> Final | None:
    return final_of(event.tournament, ((section.facts, section.ranked) for section in sections))


def _pages(stages: Sequence[Stage], viewer: Viewer, *, with_changes: bool, first: int | None = None) -> Pages:
    if not stages or stages[0].tournament.open_ended:
        raise Http404
    facts = facts_of(stages, viewer)
    changes = rating_changes(facts[0]) if with_changes else {}
    return whole_of(stages, facts), sections_of(facts, changes, lots_of(stages, facts), viewer, first)


# --- open-ended events --------------------------------------------------------------------------------------------
PER_PAGE = 50
ALL = "all"


def open_event(request: ClubRequest, stage: Stage) -> HttpResponse:
    """The games, latest day first, 50 a page; everybody's games of a year, the latest one unless asked for another."""
    table = GamesTable(free_games(stage.tournament))
    show_page(request, table, PER_PAGE)
    context = {"tournament": stage.tournament, "stage": stage, "table": table, "games": table.paginator.count}
    context |= _tables(request, stage.tournament)
    context["has_standings"] = bool(context["tables_played"]) and has_series(stage)
    if not stage.tournament.closed:
        context["to_play"] = boards_to_play(stage.tournament)
    system = system_of(stage)
    if isinstance(system, FreeSystem):
        context |= _seasons(request, stage)
        if system.ladder:
            rules = getattr(stage.tournament, "free_rules", None)
            context["ladder"] = LadderTable(ladder_places(stage))
            context["challenges"] = rules is not None and rules.challenges and request.club.personal_links
    return render(request, "tournaments/open_event.html", context)


def _tables(request: ClubRequest, event: Tournament) -> dict[str, Any]:
    """The event's tables of a page, by day; nothing where it has none."""
    page = Paginator(contests_of(event), PER_PAGE).get_page(request.GET.get("tables"))
    shown = shown_contests(page.object_list)
    reasons = reasons_for(shown, request.viewer)
    days = groupby(((each, reasons.get(each.contest.pk)) for each in shown), key=lambda row: row[0].contest.played_on)
    return {
        "contests": [{"day": day, "tables": list(tables)} for day, tables in days],
        "tables_played": page.paginator.count,
        "more_contests": page.next_page_number() if page.has_next() else None,
    }


def table_standings(request: ClubRequest, stage: Stage) -> HttpResponse:
    """The standings of the event's tables; on the day of the latest one the page follows what is entered."""
    event, series = stage.tournament, series_of(stage)
    on = series.last_on == timezone.localdate() and not event.closed
    context = {
        "tournament": event,
        "stage": stage,
        "tab": "standings",
        "series": series,
        "table": SeriesTable(series),
        "following": following_at(request) if on else None,
    }
    return render(request, "tournaments/table_standings.html", context)


def _seasons(request: ClubRequest, stage: Stage) -> dict[str, Any]:
    years = seasons_of(stage.tournament)
    asked = request.GET.get("season", "")
    latest = years[0] if years else None
    season = None if asked == ALL else next((year for year in years if f"{year}" == asked), latest)
    rows = season_table(stage.tournament, season, request.viewer)
    table = SeasonTable(rows, point_system(stage.tournament.point_system).unit, prefix="players-")
    show_page(request, table, PER_PAGE)
    return {"season_table": table, "season": season, "years": years}
