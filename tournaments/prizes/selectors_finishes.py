"""How everybody stands at the end of an event, whatever its format: what prizes and seasons are reckoned from.

In an event of several parts the last part counts, where it is one stage (the knockout after groups); groups played side
by side to the end have no common order. No query: it is read off the facts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.knockouts.selectors import places_of
from tournaments.events.selectors.facts import Entrant, EventFacts
from tournaments.event_pages.selectors.formats_keizer import is_keizer, keizer_places
from tournaments.events.selectors.standings import EventStandings, standings_of


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """Somebody's place: of `first` to `last` where it is shared; `points` in the event's own measure (none in a
    knockout). `tied`: whoever has the same has done as well, before tie-breaks."""

    entrant: Entrant
    first: int
    last: int
    points: Fraction
    tied: object


def final_places(parts: Sequence[EventFacts], ranked: EventStandings | None = None) -> list[FinalPlace] | None:
    """Everybody in the order of the last part of those, best first; None where it has no common order, nothing while
    nobody has played. `ranked`: its standings, where they are at hand."""
    begun = [part for part in parts if part.rounds]
    last = [part for part in begun if part.stage.part == begun[-1].stage.part]
    if len(last) > 1:
        return None
    if not last or not any(row.begun for part in begun for row in part.rounds):
        return []
    facts = last[0]
    if facts.is_bracket:
        return [FinalPlace(row.entrant, row.first, row.last, Fraction(0), row.first) for row in places_of(facts)]
    if is_keizer(facts):
        lines = keizer_places(facts)
        return _with_ends([(row.entrant, row.place, row.score, row.score) for row in lines])
    ranked = ranked or standings_of(facts)
    rows = [row for row in ranked.rows if row.counts]
    unit = ranked.points.unit
    return _with_ends(
        [(ranked.entrants[row.player], row.place, Fraction(row.points, unit), row.points) for row in rows]
    )


def _with_ends(rows: Sequence[tuple[Entrant, int, Fraction, object]]) -> list[FinalPlace]:
    """With the last of the places each shares."""
    sharing: dict[int, int] = {}
    for _entrant, place, _points, _tied in rows:
        sharing[place] = sharing.get(place, 0) + 1
    return [FinalPlace(person, place, place + sharing[place] - 1, points, tied) for person, place, points, tied in rows]
