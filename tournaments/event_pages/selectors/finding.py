"""People of an event found by name: a round in the order of names, and where one person plays. No query.

Only what the viewer may see is searched and sorted: by the initials of a minor the minor is found, by the name he is
not. Whoever is not seen by name stands at the end, by number: elsewhere the place would show where the hidden name
stands in the alphabet.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clubrating.ground.numbers import whole_number
from players.people.names import search_key
from players.privacy.rules import Viewer, sees_name, shown_name
from tournaments.events.selectors.event_data import Entrant, EventData, MatchData, RoundData
from tournaments.events.selectors.standings import EventStandings
from tournaments.models import ByeKind, Colour


# --- a round by names ---------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class SeatByName:
    """Where somebody plays in a round: board (or match), colour ("w", "b" or none yet) and opponent; or the bye."""

    entrant: Entrant
    board: int | None
    colour: str
    opponent: Entrant | None
    bye: str = ""


def seats_by_name(row: RoundData, viewer: Viewer) -> list[SeatByName]:
    """Everybody of the round."""
    seats = [seat for board in row.boards for seat in _both(board.board, board.white, board.black)]
    seats += [seat for match in row.matches for seat in _of_match(match)]
    seats += [SeatByName(bye.entrant, None, Colour.NONE, None, bye.kind) for bye in row.byes]
    return sorted(seats, key=lambda seat: name_key(seat.entrant, viewer))


def _both(board: int, white: Entrant, black: Entrant) -> Iterable[SeatByName]:
    yield SeatByName(white, board, Colour.WHITE, black)
    yield SeatByName(black, board, Colour.BLACK, white)


def _of_match(match: MatchData) -> Iterable[SeatByName]:
    if match.games:
        yield from _both(match.board, match.games[0].white, match.games[0].black)
        return
    for person, opponent in ((match.upper, match.lower), (match.lower, match.upper)):
        if person is not None:
            bye = ByeKind.ALLOCATED if match.is_bye else ""
            yield SeatByName(person, match.board, Colour.NONE, opponent, bye)


def name_key(person: Entrant, viewer: Viewer) -> tuple[bool, str, int]:
    """The order of names this viewer sees; whoever is not seen by name stands at the end, by number."""
    seen = sees_name(person.player, viewer)
    return not seen, person.player.sort_name if seen else "", person.player.number


# --- one person ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Found:
    """Somebody who was looked for: the `seat` in the round (None: not paired), and the standing, if any."""

    entrant: Entrant
    seat: SeatByName | None
    place: int | None = None
    points: int = 0
    unit: int = 2


def people_called(text: str, people: Sequence[Entrant], viewer: Viewer) -> list[Entrant]:
    """Whose shown name has all the words in it, in any script or order; or who has that start number."""
    words = text.casefold().replace(",", " ").split()
    if not words:
        return []
    if (number := whole_number(text)) is not None:
        return [person for person in people if person.card == number]
    keys = ((person, search_key(shown_name(person.player, viewer))) for person in people)
    return [person for person, key in keys if all(word in key for word in words)]


def where_is(
    person: Entrant, parts: Sequence[tuple[EventData, EventStandings]], row: RoundData | None, viewer: Viewer
) -> Found:
    """Where somebody plays in the round, and how he stands in the last part he has a place in."""
    seats = seats_by_name(row, viewer) if row else []
    seat = next((seat for seat in seats if seat.entrant.key == person.key), None)
    for facts, ranked in reversed(parts):
        standing = _standing(person, facts, ranked)
        if standing is not None:
            return Found(person, seat, standing[0], standing[1], ranked.points.unit)
    return Found(person, seat)


def _standing(person: Entrant, facts: EventData, ranked: EventStandings) -> tuple[int, int] | None:
    """Place and points; None while nothing was played, and where places do not follow from points."""
    own = next((other.number for other in facts.entrants if other.key == person.key), None)
    if own is None or not any(row.begun for row in facts.rounds):
        return None
    return next(((row.place, row.points) for row in ranked.rows if row.player == own and row.counts), None)
