"""The systems that rate contests with sides (`ratings.systems.sides`).

For each of them a game of two players is two sides of one. Elo's way is in `ratings.systems.elo_sides`. Not done:
periods.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from ratings.systems.base import Figures, GameRater, PlayedGame, PlayerState
from ratings.systems.elo import Elo
from ratings.systems.rules import RatingSystem
from ratings.systems.sides import (
    ContestRater,
    MemberFigures,
    PlayedContest,
    PlayedSide,
    States,
    in_one_form,
)
from ratings.systems.trueskill import TrueSkill, chances, rate_sides
from ratings.systems.weng_lin import WengLin, chance
from ratings.systems.weng_lin import rate_sides as rate_by_weng_lin

NO_FIGURES = MemberFigures()


class ContestSystem(RatingSystem):
    """A system that rates contests with sides; a game of two players is two sides of one for it.

    Its states have a deviation, and a list shows the rating cautiously (`listed`)."""

    uses_importance = False
    uses_weights = True

    def rate_contest(self, settings: Any, contest: PlayedContest, states: States) -> list[list[MemberFigures]]:
        """Move the members' states (rating and deviation, nothing else), in the order of the contest's sides, and
        return each one's figures in the same shape."""
        raise NotImplementedError(f"{self.name} does not rate contests.")

    def contest_rater(self, settings: Any) -> ContestRater:
        return partial(self.rate_contest, settings)

    def game_rater(self, settings: Any) -> GameRater:
        def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> Figures:
            places = (1 if game.score >= 0.5 else 2, 1 if game.score <= 0.5 else 2)
            sides = [PlayedSide(places[0], (game.white,), (1.0,)), PlayedSide(places[1], (game.black,), (1.0,))]
            contest = PlayedContest(
                game.game, in_one_form(sides), game.order, game.rules_day, importance=game.importance
            )
            of = {game.white: white, game.black: black}
            found = self.rate_contest(settings, contest, [[of[side.players[0]]] for side in contest.sides])
            figures = {side.players[0]: own[0] for side, own in zip(contest.sides, found, strict=True)}
            return Figures(*figures[game.white], *figures[game.black])

        return rate


class TrueSkillSystem(ContestSystem):
    """Rating is μ, deviation σ; a list shows μ − 3σ, so that nobody stands high whom it hardly knows."""

    key = "trueskill"
    name = "TrueSkill"
    settings_type = TrueSkill
    elo_scale = False

    def newcomer(self, settings: TrueSkill, birth_year: int | None, day: int) -> PlayerState:
        return PlayerState(settings.mu, 0, settings.mu, birth_year, deviation=settings.sigma)

    def rate_contest(self, settings: TrueSkill, contest: PlayedContest, states: States) -> list[list[MemberFigures]]:
        before = [[_mu_and_sigma(state, settings.sigma) for state in side] for side in states]
        after = rate_sides(
            before, [side.place for side in contest.sides], settings, [side.weights for side in contest.sides]
        )
        _move(states, after)
        return [[NO_FIGURES] * len(side) for side in states]

    def listed(self, settings: TrueSkill, state: PlayerState) -> float:
        mu, sigma = _mu_and_sigma(state, settings.sigma)
        return mu - 3.0 * sigma

    def expected(self, settings: TrueSkill, own: PlayerState, opponent: PlayerState) -> float:
        one, other = _mu_and_sigma(own, settings.sigma), _mu_and_sigma(opponent, settings.sigma)
        return chances([one], [other], settings).expected


class WengLinSystem(ContestSystem):
    """Rating is μ, deviation σ; a list shows μ − 3σ, as for TrueSkill."""

    key = "weng-lin"
    name = "Weng–Lin"
    settings_type = WengLin
    elo_scale = False
    uses_weights = False

    def newcomer(self, settings: WengLin, birth_year: int | None, day: int) -> PlayerState:
        return PlayerState(settings.mu, 0, settings.mu, birth_year, deviation=settings.sigma)

    def rate_contest(self, settings: WengLin, contest: PlayedContest, states: States) -> list[list[MemberFigures]]:
        before = [[_mu_and_sigma(state, settings.sigma) for state in side] for side in states]
        _move(states, rate_by_weng_lin(before, [side.place for side in contest.sides], settings))
        return [[NO_FIGURES] * len(side) for side in states]

    def listed(self, settings: WengLin, state: PlayerState) -> float:
        mu, sigma = _mu_and_sigma(state, settings.sigma)
        return mu - 3.0 * sigma

    def expected(self, settings: WengLin, own: PlayerState, opponent: PlayerState) -> float:
        one, other = _mu_and_sigma(own, settings.sigma), _mu_and_sigma(opponent, settings.sigma)
        return chance([one], [other], settings)


def _mu_and_sigma(state: PlayerState, sigma: float) -> tuple[float, float]:
    return state.rating, sigma if state.deviation is None else state.deviation


def _move(states: States, after: Sequence[Sequence[tuple[float, float]]]) -> None:
    for side, moved in zip(states, after, strict=True):
        for state, (rating, deviation) in zip(side, moved, strict=True):
            state.rating, state.deviation = rating, deviation


CONTEST_SYSTEMS: tuple[RatingSystem, ...] = (TrueSkillSystem(), WengLinSystem(), Elo())


def contest_system(key: str) -> RatingSystem:
    """The system of that key. Raises KeyError for one that does not rate contests."""
    return {system.key: system for system in CONTEST_SYSTEMS}[key]
