"""Whether a round is being played just now, so that its pages refresh themselves."""

from datetime import date, datetime

from django.db.models import Max

from tournaments.events.selectors.event_data import EventData, RoundData
from tournaments.models import Game, Tournament


def round_on(event: EventData, today: date) -> RoundData | None:
    """The round that is being played: begun, or planned for today, with boards that have no result yet; None for a
    draft, and in an event that is over."""
    row = event.current_round
    if row is None or row.is_draft or row.is_complete or event.tournament.closed:
        return None
    return row if row.begun or row.planned_on == today else None


def round_after(event: EventData, today: date) -> RoundData | None:
    """The next round that has a day: the present one while it is still to come, or the one after it."""
    current = event.current_round
    if current is None or event.tournament.closed:
        return None
    waiting = (row for row in event.rounds if row.number >= current.number and not row.begun and not row.is_draft)
    return next((row for row in waiting if row.planned_on and row.planned_on >= today), None)


def last_result_at(tournament: Tournament) -> datetime | None:
    """When the event's last result was entered. One query."""
    last: datetime | None = Game.objects.filter(tournament=tournament).aggregate(last=Max("recorded_at"))["last"]
    return last
