"""The pages of one event with rounds: overview, standings, crosstable, rounds, entries."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubrating.requests import ClubRequest
from players.privacy import Viewer
from tournaments.models import Stage
from tournaments.pairing import pairing_system
from tournaments.selectors.event_list import state_of_facts
from tournaments.selectors.events import EventFacts, RoundFacts, event_facts, find_stage
from tournaments.selectors.standings import (
    EventStandings,
    lead_of,
    points_before,
    rating_changes,
    standings_of,
)
from tournaments.standings.matrix import matrix
from tournaments.tables import EntriesTable, PairingTable, StandingsTable
from tournaments.views.open_event import open_event


def tournament(request: ClubRequest, slug: str) -> HttpResponse:
    """The overview: the news, standings, crosstable and the current round; of an open-ended event its games."""
    stage = _stage_or_404(slug)
    if stage.tournament.open_ended:
        return open_event(request, stage)
    event = event_facts(stage, request.viewer)
    ranked = standings_of(event)
    context = _frame(event, ranked, "overview") | _standings(event, ranked, request.viewer) | _crosstable(ranked)
    if event.current_round:
        context |= _round(event, event.current_round, ranked.points.unit)
    if not event.rounds:
        context["entries_table"] = EntriesTable(event.entrants)
    return render(request, "tournaments/overview.html", context)


def standings(request: ClubRequest, slug: str) -> HttpResponse:
    """The standings alone."""
    event = _event_or_404(request, slug)
    ranked = standings_of(event)
    context = _frame(event, ranked, "standings") | _standings(event, ranked, request.viewer)
    return render(request, "tournaments/standings.html", context)


def crosstable(request: ClubRequest, slug: str) -> HttpResponse:
    """The crosstable alone."""
    event = _event_or_404(request, slug)
    ranked = standings_of(event)
    return render(request, "tournaments/crosstable.html", _frame(event, ranked, "crosstable") | _crosstable(ranked))


def round_page(request: ClubRequest, slug: str, number: int) -> HttpResponse:
    """The pairing table of a round. A draft is there for officers only."""
    event = _event_or_404(request, slug)
    row = event.round(number)
    if row is None:
        raise Http404
    ranked = standings_of(event)
    context = _frame(event, ranked, "rounds") | _round(event, row, ranked.points.unit)
    return render(request, "tournaments/round.html", context)


def entries(request: ClubRequest, slug: str) -> HttpResponse:
    """Who is entered, with the rating at entry."""
    event = _event_or_404(request, slug)
    context = _frame(event, standings_of(event), "entries")
    return render(request, "tournaments/entries.html", context | {"entries_table": EntriesTable(event.entrants)})


def _stage_or_404(slug: str) -> Stage:
    stage = find_stage(slug)
    if stage is None:
        raise Http404
    return stage


def _event_or_404(request: ClubRequest, slug: str) -> EventFacts:
    stage = _stage_or_404(slug)
    if stage.tournament.open_ended:
        raise Http404
    return event_facts(stage, request.viewer)


def _frame(event: EventFacts, ranked: EventStandings, tab: str) -> dict[str, Any]:
    """What the head of every page of an event shows."""
    return {
        "event": event,
        "tournament": event.tournament,
        "tab": tab,
        "state": state_of_facts(event, timezone.localdate()),
        "lead": lead_of(event, ranked),
        "unit": ranked.points.unit,
    }


def _standings(event: EventFacts, ranked: EventStandings, viewer: Viewer) -> dict[str, Any]:
    return {
        "standings_table": StandingsTable(ranked, rating_changes(event), viewer),
        "tiebreaks": ranked.tiebreaks,
    }


def _crosstable(ranked: EventStandings) -> dict[str, Any]:
    order = [row.player for row in ranked.rows]
    rows = zip(ranked.rows, matrix(ranked.table, order), strict=True)
    people = [ranked.entrants[number] for number in order]
    return {"columns": people, "cross_rows": list(zip(people, rows, strict=True))}


def _round(event: EventFacts, row: RoundFacts, unit: int) -> dict[str, Any]:
    return {
        "round": row,
        "pairing_table": PairingTable(row.boards, points_before(event, row.number), unit),
        "bye_scores": pairing_system(event.stage.pairing_system).allocated_bye_scores,
    }
