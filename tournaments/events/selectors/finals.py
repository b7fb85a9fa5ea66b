"""The final standings of a closed event: when they were published, and whether a correction has changed them since.

Standings are computed, never kept. What closing keeps is a digest of them, in the audit trail; a page that shows the
standings compares. A correction that changes nobody's place or points leaves them final.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from players.models import AuditEvent
from players.privacy.rules import NOBODY
from tournaments.event_pages.selectors.formats import is_keizer, keizer_places
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import all_event_data
from tournaments.events.selectors.standings import EventStandings, standings_of
from tournaments.knockouts.selectors.brackets import places_of
from tournaments.models import Tournament

CLOSED = "event.closed"
STANDINGS = "standings"  # the key of the digest in the audit trail
Ranked = Iterable[tuple[EventData, EventStandings]]


@dataclass(frozen=True, slots=True)
class Final:
    """When the final standings were published; `corrected`: they are others now."""

    at: datetime
    corrected: bool


def final_of(tournament: Tournament, ranked: Ranked) -> Final | None:
    """The final standings of an event, of which those are the standings as they are now, stage by stage; None where
    it is open, or was closed before such a digest was kept. One query, none for an open event."""
    if not tournament.closed or tournament.closed_at is None:
        return None
    closings = AuditEvent.objects.filter(action=CLOSED, subject_kind="tournament", subject_key=tournament.pk)
    kept = closings.order_by("-pk").values_list("after", flat=True).first() or {}
    if STANDINGS not in kept:
        return None
    return Final(tournament.closed_at, corrected=kept[STANDINGS] != standings_digest(ranked))


def public_digest(tournament: Tournament) -> str:
    """The digest of an event's standings as everybody sees them now."""
    return standings_digest((facts, standings_of(facts)) for facts in all_event_data(tournament, NOBODY))


def standings_digest(ranked: Ranked) -> str:
    """Places, pairing numbers and points of every stage as a short digest. No names."""
    lines = (f"{facts.stage.order} {line}" for facts, standings in ranked for line in _lines(facts, standings))
    return sha256("\n".join(lines).encode()).hexdigest()[:24]


def _lines(facts: EventData, standings: EventStandings) -> Iterator[str]:
    """Each format by what decides its places: how far one came, the list value, or the points."""
    if facts.is_bracket:
        yield from (f"{row.first}-{row.last} {row.entrant.number}" for row in places_of(facts))
    elif is_keizer(facts):
        yield from (f"{row.place} {row.entrant.number} {row.score}" for row in keizer_places(facts))
    else:
        yield from (f"{row.place} {row.player} {row.points}" for row in standings.rows)
