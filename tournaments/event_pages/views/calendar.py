"""The calendar: `…/calendar/` as a page, `calendar.ics` of an event or of the whole club for one's own."""

from dataclasses import dataclass
from datetime import date, time

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from clubrating.web.requests import ClubRequest
from players.privacy.rules import Level
from tournaments.downloads.views import as_file
from tournaments.event_pages.selectors.feeds import coming_rounds, rounds_of_event
from tournaments.event_pages.views.event import event_context, pages_or_404
from tournaments.event_pages.views.rounds import words_of_byes
from tournaments.event_pages.views.sections import Section
from tournaments.events.selectors.event_data import BoardData, ByeData, RoundData
from tournaments.events.selectors.events import stages_at
from tournaments.interchange.ics import CalendarEvent, write_calendar
from tournaments.knockouts.selectors.brackets import DrawnMatch, drawn_match
from tournaments.teams.selectors.calendar import calendar_of, coming_matches
from tournaments.teams.selectors.facts import team_facts


@dataclass(frozen=True, slots=True)
class CalendarRound:
    """A round of a stage on the calendar; `stage` is its name in an event of several parts. A bye has its words."""

    number: int
    stage: str
    is_draft: bool
    day: date | None
    at: time | None
    boards: tuple[BoardData, ...]
    matches: tuple[DrawnMatch, ...]
    byes: tuple[tuple[ByeData, str], ...]


def page(request: ClubRequest, slug: str) -> HttpResponse:
    """All rounds with their boards: who meets whom, when, with what result. Drafts are for officers. A team event has
    the page of its matches for it."""
    stages = stages_at(slug)
    if stages and hasattr(stages[0].tournament, "team_rules"):
        return redirect("tournaments:matches", slug)
    event, sections = pages_or_404(request, slug)
    rounds = [_round(row, section) for section in sections for row in section.facts.rounds]
    rounds.sort(key=lambda row: row.number)
    context = event_context(event, sections, "calendar") | {
        "rounds": rounds,
        "planned": any(row.planned_on for row in event.rounds),
    }
    return render(request, "tournaments/calendar.html", context)


def event_calendar(request: ClubRequest, slug: str) -> HttpResponse:
    """The event's rounds that have a day, as a calendar; of a team event its matches."""
    stages = stages_at(slug)
    if not stages or stages[0].tournament.open_ended:
        raise Http404
    tournament = stages[0].tournament
    zone, address = timezone.get_current_timezone(), request.build_absolute_uri
    if hasattr(tournament, "team_rules"):
        facts = team_facts(tournament, drafts=request.viewer.level >= Level.OFFICER)
        return _calendar(tournament.name, calendar_of(facts, zone, address), slug)
    return _calendar(tournament.name, rounds_of_event(tournament, request.viewer, zone, address), slug)


def club_calendar(request: ClubRequest) -> HttpResponse:
    """All coming rounds of the club, of team events their matches, as a calendar."""
    zone, address, today = timezone.get_current_timezone(), request.build_absolute_uri, timezone.localdate()
    events = coming_rounds(today, request.viewer, zone, address) + coming_matches(today, zone, address)
    return _calendar(request.club.name, events, "calendar")


def _calendar(name: str, events: list[CalendarEvent], called: str) -> HttpResponse:
    return as_file(write_calendar(name, events, stamp=timezone.now()), called, "ics")


def _round(row: RoundData, section: Section) -> CalendarRound:
    words = words_of_byes(section.facts)
    return CalendarRound(
        number=row.number,
        stage=section.title,
        is_draft=row.is_draft,
        day=row.planned_on or row.day,
        at=row.planned_at,
        boards=row.boards,
        matches=tuple(drawn_match(match) for match in row.matches if match.upper or match.lower),
        byes=tuple((bye, words[bye.kind]) for bye in row.byes),
    )
