"""The rounds of an event, or all coming ones of the club, as entries of a calendar. No person is named in them."""

from collections.abc import Callable
from datetime import date, datetime, tzinfo

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from players.privacy.rules import Level, Viewer
from tournaments.interchange.ics import CalendarEvent
from tournaments.models import Round, Tournament

# Part of every entry's identity, so it never changes, whatever the site is called.
_IDENTITY = "club-rating"
Address = Callable[[str], str]  # a path on this site → its full address


def rounds_of_event(tournament: Tournament, viewer: Viewer, zone: tzinfo, address: Address) -> list[CalendarEvent]:
    """The event's rounds that have a day. One query."""
    rounds = _planned(viewer).filter(stage__tournament=tournament)
    return [_entry(row, zone, address) for row in rounds]


def coming_rounds(today: date, viewer: Viewer, zone: tzinfo, address: Address) -> list[CalendarEvent]:
    """Every event's rounds from today on. One query."""
    return [_entry(row, zone, address) for row in _planned(viewer).filter(planned_on__gte=today)]


def _planned(viewer: Viewer) -> QuerySet[Round]:
    """Rounds with a day, in order of time; drafts are for officers."""
    rounds = Round.objects.filter(planned_on__isnull=False).select_related("stage__tournament")
    if viewer.level < Level.OFFICER:
        rounds = rounds.exclude(state=Round.State.DRAFT)
    return rounds.order_by("planned_on", F("planned_at").asc(nulls_first=True), "stage__tournament", "stage__order")


def _entry(row: Round, zone: tzinfo, address: Address) -> CalendarEvent:
    stage, tournament = row.stage, row.stage.tournament
    return CalendarEvent(
        uid=f"{tournament.slug}.{stage.order}.{row.number}@{_IDENTITY}",
        start=_start(row, zone),
        summary=_summary(row),
        place=tournament.place,
        url=address(reverse("tournaments:round", args=[tournament.slug, row.number])),
        sequence=row.revision,
        tentative=row.state == Round.State.DRAFT,
    )


def _start(row: Round, zone: tzinfo) -> date | datetime:
    day = row.planned_on or date.min
    return day if row.planned_at is None else datetime.combine(day, row.planned_at, zone)


def _summary(row: Round) -> str:
    words = {"event": row.stage.tournament.name, "stage": row.stage.name, "number": row.number}
    if row.stage.name:
        return _("%(event)s, %(stage)s, round %(number)s") % words
    return _("%(event)s, round %(number)s") % words
