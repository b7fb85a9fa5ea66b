"""The order of a ladder, from the places at the start and the games in the order they were played (pure).

Who beats somebody above him takes that place, and everybody between moves down by one. Nobody else moves: not after a
draw, not when the one above wins, not when the other stood further above than may be challenged (`reach`). A win
without playing counts, for whoever does not come to a challenge loses his place.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import OUTCOMES


@dataclass(frozen=True, slots=True)
class LadderStep:
    """What one game did. `climber` went from place `was` to place `now`; 0 and equal places where nobody moved.
    `beyond_reach`: the winner stood too far below, so the game moved nobody."""

    meeting: Meeting
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
        return LadderStep(game)
    won, lost = (white, black) if outcome.white == "win" else (black, white)
    if won < lost:
        return LadderStep(game)
    climber = order[won - 1]
    if won - lost > reach:
        return LadderStep(game, climber, won, won, beyond_reach=True)
    return LadderStep(game, climber, won, lost)
