"""The boards of people: what each is to play next, or has played today. Drafts stay out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import F, Q

from players.models import Player
from tournaments.events.selectors.stages import games_with, name_sides
from tournaments.meetings.selectors import share_of
from tournaments.models import Game, Round
from tournaments.standings.points import DECIDED_RESULTS, Result

MOST_EVENTS = 3
# A board of an event without rounds that is set and not played.
_SET = Q(pairing__round=None, tournament__open_ended=True, result=Result.OPEN, sequence=None)
_OPEN = [result for result in Result if result not in DECIDED_RESULTS]


@dataclass(frozen=True, slots=True)
class Board:
    """Somebody's game in an event: the one to be played next, or today's with its result."""

    game: Game
    is_white: bool

    @property
    def opponent(self) -> Player:
        return self.game.black if self.is_white else self.game.white

    @property
    def is_open(self) -> bool:
        return self.game.result in _OPEN

    @property
    def reports(self) -> bool:
        """Whether its players report the result themselves."""
        return bool(self.game.tournament.player_results) and self.game.pairing.match_id is None

    @property
    def score(self) -> float:
        """Of a decided game: 1, ½ or 0, as its player sees it."""
        return share_of(self.game.result, is_white=self.is_white)


def boards_of(players: Iterable[Player], today: date) -> Mapping[int, list[Board]]:
    """One board an event for each of them, by key of the player, today's first, then the earliest day. One query, two
    where pairs play."""
    keys = {player.pk for player in players}
    due = Q(result__in=_OPEN) | Q(pairing__round__planned_on=today)
    rows = Game.objects.filter(
        games_with(keys),
        (due & Q(pairing__round__state=Round.State.PUBLISHED)) | _SET,
        surplus=False,
        tournament__closed=False,
        pairing__superseded=False,
    ).select_related("white", "black", "tournament", "pairing__round", "pairing__stage__tournament")
    planned = F("pairing__round__planned_on")
    in_order = list(rows.order_by(planned.asc(nulls_last=True), "pairing__round__number", "number", "pk"))
    name_sides(in_order)
    found: dict[int, dict[tuple[int, int], list[Board]]] = {key: {} for key in keys}
    for game in in_order:
        for side, is_white in ((game.white, True), (game.black, False)):
            for key in keys & {each.pk for each in (side, *side.beside)}:
                found[key].setdefault(_place(game), []).append(Board(game, is_white))
    chosen = {key: [_next(own, today) for own in events.values()] for key, events in found.items()}
    return {key: sorted(own, key=lambda each: _day(each) != today)[:MOST_EVENTS] for key, own in chosen.items()}


def _place(game: Game) -> tuple[int, int]:
    """What one board is shown of: the event; without rounds every board that is set, since a challenge has days."""
    return game.tournament_id, game.pk if game.pairing.round_id is None else 0


def _next(boards: list[Board], today: date) -> Board:
    """Of one event: what is to be played by today, else the last result of today, else what comes next."""
    due = [each for each in boards if each.is_open and (_day(each) or today) <= today]
    played = [each for each in boards if not each.is_open]
    return (due or played[-1:] or boards)[0]


def _day(board: Board) -> date | None:
    row = board.game.pairing.round
    return row.planned_on if row else None
