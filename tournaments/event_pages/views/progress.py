"""Two pages of an event: everybody's points after every round, and the event in figures."""

from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import render

from clubrating.web.requests import ClubRequest
from tournaments.event_pages.selectors.progress import Step, steps_of
from tournaments.event_pages.selectors.statistics import statistics_of
from tournaments.event_pages.views.event import event_context, pages_or_404
from tournaments.event_pages.views.sections import Section
from tournaments.events.selectors.event_data import Entrant
from tournaments.events.selectors.standings import rating_changes


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """A player: the place in the standings (None for somebody whose games count for nobody), and round by round."""

    place: int | None
    entrant: Entrant
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class ProgressPart:
    """The table of a stage."""

    section: Section
    rounds: tuple[int, ...]
    rows: tuple[ProgressRow, ...]


def progress(request: ClubRequest, slug: str) -> HttpResponse:
    """The progress of every stage that adds up points; 404 where there is none yet."""
    event, sections = pages_or_404(request, slug)
    parts = [_part(section) for section in sections if section.has_progress]
    if not parts:
        raise Http404
    return render(request, "tournaments/progress.html", event_context(event, sections, "progress") | {"parts": parts})


def _part(section: Section) -> ProgressPart:
    """The rounds that have begun: the others have nothing to show."""
    facts, ranked = section.facts, section.ranked
    ways = steps_of(facts, ranked)
    begun = [index for index, row in enumerate(facts.rounds) if row.begun] or [0]
    until = begun[-1] + 1
    rows = tuple(
        ProgressRow(row.place if row.counts else None, ranked.entrants[row.player], ways[row.player][:until])
        for row in ranked.rows
    )
    return ProgressPart(section, tuple(row.number for row in facts.rounds[:until]), rows)


def statistics(request: ClubRequest, slug: str) -> HttpResponse:
    """Results by colour, round and board, the field, upsets and changes; 404 while nothing is paired."""
    event, sections = pages_or_404(request, slug)
    if not event.rounds:
        raise Http404
    changes: dict[int, float] = {}
    for own in rating_changes(event).values():
        for player, change in own.items():
            changes[player] = changes.get(player, 0.0) + change
    found = statistics_of(event, changes, request.viewer)
    return render(
        request, "tournaments/statistics.html", event_context(event, sections, "statistics") | {"statistics": found}
    )
