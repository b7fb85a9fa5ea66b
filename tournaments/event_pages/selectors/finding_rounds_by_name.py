"""A round in the order of names: who finds his name finds his board, his colour and his opponent.

The order is that of the names this viewer sees. Whoever is not seen by name stands at the end, by number: elsewhere
the place would tell where the hidden name stands in the alphabet.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from players.privacy.rules import Viewer, sees_name
from tournaments.models import ByeKind, Colour
from tournaments.events.selectors.facts import BoardFacts, Entrant, MatchFacts, RoundFacts


@dataclass(frozen=True, slots=True)
class SeatByName:
    """Where somebody plays in a round: board (or match), colour ("w", "b" or none yet) and opponent; or the bye."""

    entrant: Entrant
    board: int | None
    colour: str
    opponent: Entrant | None
    bye: str = ""


def seats_by_name(row: RoundFacts, viewer: Viewer) -> list[SeatByName]:
    """Everybody of the round."""
    seats = [seat for board in row.boards for seat in _both(board.board, board.white, board.black)]
    seats += [seat for match in row.matches for seat in _of_match(match)]
    seats += [SeatByName(bye.entrant, None, Colour.NONE, None, bye.kind) for bye in row.byes]
    return sorted(seats, key=lambda seat: name_key(seat.entrant, viewer))


def _both(board: int, white: Entrant, black: Entrant) -> Iterable[SeatByName]:
    yield SeatByName(white, board, Colour.WHITE, black)
    yield SeatByName(black, board, Colour.BLACK, white)


def _of_match(match: MatchFacts) -> Iterable[SeatByName]:
    first: BoardFacts | None = match.games[0] if match.games else None
    if first is not None:
        yield from _both(match.board, first.white, first.black)
        return
    pairs = ((match.upper, match.lower), (match.lower, match.upper))
    for person, opponent in pairs:
        if person is not None:
            bye = ByeKind.ALLOCATED if match.is_bye else ""
            yield SeatByName(person, match.board, Colour.NONE, opponent, bye)


def name_key(person: Entrant, viewer: Viewer) -> tuple[bool, str, int]:
    """The order of names this viewer sees; whoever is not seen by name stands at the end, by number."""
    seen = sees_name(person.player, viewer)
    return not seen, person.player.sort_name if seen else "", person.player.number
