"""Places of formats that are not ranked by points: the knockout and the ladder (pure).

Knockout (`bracket_places`), from who went on in each match. Who loses in the same round shares the places: 5 to 8 for
the four beaten in the quarter-finals, 3 and 4 for those of the semifinals unless they play a match for third place. Who
is still in has a range: from first to where a loss in the next match would leave him. Double elimination is the same by
the losers' round one went out in; who has not lost yet is left, by a loss, where a second one would leave him.

Ladder (`ladder_order`), from the places at the start and the games in the order they were played. Who beats somebody
above him takes that place, and everybody between moves down by one. Nobody else moves: not after a draw, not when the
one above wins, not when the other stood further above than may be challenged (`reach`). A win without playing counts,
for whoever does not come to a challenge loses his place.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import OUTCOMES


# --- knockout -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of the bracket as far as it is known: its round from 1, who is in it (None: not known yet, or nobody),
    and who went on (None: open). `nobody_goes_on`: both are out, for neither came. `falls_to`: the round in which the
    loser goes on playing for first place, 0 where he is out."""

    round: int
    upper: int | None
    lower: int | None
    winner: int | None = None
    third_place: bool = False
    nobody_goes_on: bool = False
    falls_to: int = 0

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(player for player in (self.upper, self.lower) if player is not None)

    @property
    def beaten(self) -> tuple[int, ...]:
        """Who is out by this match."""
        if self.nobody_goes_on:
            return self.players
        return tuple(player for player in self.players if self.winner is not None and player != self.winner)


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """The places from `first` to `last` are what the player has, or can still reach while he is `still_in`. `round` is
    the last one he is in."""

    player: int
    first: int
    last: int
    round: int
    still_in: bool


def bracket_places(matches: Iterable[BracketMatch]) -> list[BracketPlace]:
    """The places of everybody in the bracket, best first. All matches are handed in, also those without players yet:
    how many are out by a round is counted from them."""
    drawn = sorted(matches, key=lambda match: (match.round, not match.third_place))
    counting = [match for match in drawn if not match.third_place]
    left = len({player for match in drawn for player in match.players})
    shared: dict[int, tuple[int, int]] = {}  # by round: the places of those who are out by it
    for number in sorted({match.round for match in counting}):
        out = sum(_puts_out(match) for match in counting if match.round == number)
        shared[number], left = (left - out + 1, left), left - out
    third = next((match for match in drawn if match.third_place), None)
    places = {player: _place(match, player, shared, third) for match in counting for player in match.players}
    return sorted(places.values(), key=lambda place: (place.first, place.last, place.player))


def _puts_out(match: BracketMatch) -> bool:
    """Whether somebody is out by it: not by a bye, which only a first round has."""
    return not match.falls_to and (match.round > 1 or len(match.players) == 2)


def _place(
    match: BracketMatch, player: int, shared: Mapping[int, tuple[int, int]], third: BracketMatch | None
) -> BracketPlace:
    """The place after this match, the last one on the player's way through the bracket."""
    better = shared[match.round][0] - 1  # how many are left behind this round
    first, last = shared.get(match.falls_to or match.round, shared[match.round])
    if player in match.beaten and (match.nobody_goes_on or not match.falls_to):
        if third is not None and better == 2:
            return _third_place(third, player)
        return BracketPlace(player, first, last, match.round, still_in=False)
    if player == match.winner:
        return BracketPlace(player, 1, better, match.round, still_in=better > 1)
    return BracketPlace(player, 1, last, match.round, still_in=True)


def _third_place(third: BracketMatch, player: int) -> BracketPlace:
    if third.winner is None or third.nobody_goes_on:
        return BracketPlace(player, 3, 4, third.round, still_in=not third.nobody_goes_on)
    place = 3 if player == third.winner else 4
    return BracketPlace(player, place, place, third.round, still_in=False)


# --- ladder -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class LadderStep:
    """What one game did. `climber` went from place `was` to place `now`; 0 and equal places where nobody moved.
    `beyond_reach`: the winner stood too far below, so the game moved nobody."""

    climber: int = 0
    was: int = 0
    now: int = 0
    beyond_reach: bool = False

    @property
    def moved(self) -> bool:
        return self.was != self.now


@dataclass(frozen=True, slots=True)
class LadderOrder:
    """The order now, first place first, and what each game did."""

    order: tuple[int, ...]
    steps: tuple[LadderStep, ...]


def ladder_order(initial: Sequence[int], games: Iterable[Meeting], reach: int) -> LadderOrder:
    """The order after `games`. `initial`: everybody, first place first. Raises KeyError where a game names somebody who
    is not on the ladder."""
    order, steps = list(initial), []
    for game in games:
        step = _step(order, game, reach)
        if step.moved:
            order.insert(step.now - 1, order.pop(step.was - 1))
        steps.append(step)
    return LadderOrder(tuple(order), tuple(steps))


def _step(order: list[int], game: Meeting, reach: int) -> LadderStep:
    places = {player: place for place, player in enumerate(order, start=1)}
    white, black = places[game.white], places[game.black]
    outcome = OUTCOMES[game.result]
    if "win" not in (outcome.white, outcome.black):
        return LadderStep()
    won, lost = (white, black) if outcome.white == "win" else (black, white)
    if won < lost:
        return LadderStep()
    climber = order[won - 1]
    if won - lost > reach:
        return LadderStep(climber, won, won, beyond_reach=True)
    return LadderStep(climber, won, lost)
