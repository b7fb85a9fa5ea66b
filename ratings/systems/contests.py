"""Contests with sides: what was played, in its one form, the systems that rate it, and their replay.

A contest has two sides or more, a side one player or more and a place (1 is first, equal places are a tie). Its one
form: places 1-2-2-4, sides in order of place and, within a tie, of their lowest player number; members by number. So
the order in which sides and members were entered changes no figure, not even its last bit. Within ties of three and
more it is this order that TrueSkill compares.

Not done here: a place from scores (whether much is good is a matter of the event), periods, probation.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from ratings.systems.base import SEQUENCE_BITS, Figures, GameRater, PlayedGame, PlayerState
from ratings.systems.replay import advance
from ratings.systems.rules import RatingSystem
from ratings.systems.trueskill import TrueSkill, chances, rate_sides
from ratings.systems.weng_lin import WengLin, chance
from ratings.systems.weng_lin import rate_sides as rate_by_weng_lin

MAX_SIDES, MAX_MEMBERS = 64, 32  # what looks at every pair of sides stays small


# --- what was played -------------------------------------------------------------------------------------------------
class PlayedSide(NamedTuple):
    """One side: its place, its members' numbers, each one's share of the contest (0 < w ≤ 1), and its score where the
    game has one. The score is kept, not used."""

    place: int
    players: tuple[int, ...]
    weights: tuple[float, ...]
    score: float | None = None


class PlayedContest(NamedTuple):
    """A rated contest as a replay needs it; the other fields as in `PlayedGame`."""

    contest: int | str
    sides: tuple[PlayedSide, ...]
    order: int
    rules_day: int
    event: int | str | None = None
    closed: bool = True
    importance: float = 1.0

    @property
    def played_on(self) -> date:
        return date.fromordinal(self.order >> SEQUENCE_BITS)


def in_one_form(sides: Sequence[PlayedSide]) -> tuple[PlayedSide, ...]:
    """The sides as every rater wants them. Places written 1-2-2-3 become 1-2-2-4.

    Raises ValueError with a sentence for fewer than two sides, more than MAX_SIDES, a side without or with more than
    MAX_MEMBERS players, a player twice, a share outside 0 < w ≤ 1, and places no tie explains."""
    if not 2 <= len(sides) <= MAX_SIDES:
        raise ValueError(f"a contest has 2 to {MAX_SIDES} sides, this one has {len(sides)}")
    seen: set[int] = set()
    for side in sides:
        _check_members(side, seen)
    places = read_places([side.place for side in sides])
    ordered = [_with_members_in_order(side)._replace(place=place) for side, place in zip(sides, places, strict=True)]
    return tuple(sorted(ordered, key=lambda side: (side.place, side.players[0])))


def _check_members(side: PlayedSide, seen: set[int]) -> None:
    """`seen`: whoever plays on the sides before, and then on this one too."""
    if not 1 <= len(side.players) <= MAX_MEMBERS or len(side.weights) != len(side.players):
        raise ValueError(f"a side has 1 to {MAX_MEMBERS} players, each with a share")
    if not all(0.0 < weight <= 1.0 for weight in side.weights):
        raise ValueError("a player’s weight is above 0 and at most 1: whoever did not play is left out")
    for player in side.players:
        if player in seen:
            raise ValueError("a player stands in the contest twice: keep one of the two")
        seen.add(player)


def read_places(given: Sequence[int]) -> list[int]:
    """The places as 1-2-2-4, from that form or from 1-2-2-3. Raises ValueError."""
    ordered = sorted(given)
    by_number = {place: number for number, place in reversed(list(enumerate(ordered, start=1)))}
    in_turn = {place: number for number, place in enumerate(sorted(set(given)), start=1)}
    if all(place == number for place, number in by_number.items()) or all(
        place == number for place, number in in_turn.items()
    ):
        return [by_number[place] for place in given]
    raise ValueError(
        f"the places {', '.join(map(str, ordered))} do not follow from each other: "
        f"write {', '.join(str(by_number[place]) for place in ordered)}"
    )


def _with_members_in_order(side: PlayedSide) -> PlayedSide:
    members = sorted(zip(side.players, side.weights, strict=True))
    return side._replace(players=tuple(player for player, _ in members), weights=tuple(weight for _, weight in members))


# --- systems that rate it --------------------------------------------------------------------------------------------
States = Sequence[Sequence[PlayerState]]


class MemberFigures(NamedTuple):
    """What a system has to say of a member besides the new rating."""

    expected: float | None = None
    k: float | None = None


NO_FIGURES = MemberFigures()


class ContestSystem(RatingSystem):
    """A system that rates contests with sides; a game of two players is two sides of one for it.

    `uses_deviation`: its states have one. `uses_importance`, `uses_weights`: a contest's importance, a member's share
    of it mean something to it."""

    uses_deviation = True
    uses_importance = False
    uses_weights = True

    def rate_contest(self, settings: Any, contest: PlayedContest, states: States) -> list[list[MemberFigures]]:
        """Move the members' states (rating and deviation, nothing else), in the order of the contest's sides, and
        return each one's figures in the same shape."""
        raise NotImplementedError(f"{self.name} does not rate contests.")

    def listed(self, settings: Any, state: PlayerState) -> float:
        """The rating a list is ordered by."""
        return state.rating

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


CONTEST_SYSTEMS: tuple[ContestSystem, ...] = (TrueSkillSystem(), WengLinSystem())


def contest_system(key: str) -> ContestSystem:
    """The system of that key. Raises KeyError for one that does not rate contests."""
    return {system.key: system for system in CONTEST_SYSTEMS}[key]


# --- replay ----------------------------------------------------------------------------------------------------------
class RatedMember(NamedTuple):
    """One member of a rated contest: the state before, what was expected, what came of it. `side` counts from 1 in the
    contest's one form."""

    contest: PlayedContest
    side: int
    player: int
    before: float
    games: int
    deviation: float | None
    figures: MemberFigures
    after: float
    deviation_after: float | None

    @property
    def is_rated(self) -> bool:
        """Whether this row stands for its contest: one of them does, so that contests can be counted."""
        return self.side == 1 and self.player == self.contest.sides[0].players[0]


def replay_contests(
    contests: Iterable[PlayedContest],
    states: dict[int, PlayerState],
    birth_years: Mapping[int, int | None],
    system: ContestSystem,
    settings: Any,
) -> Iterator[RatedMember]:
    """Rate contests in order, move `states` (players not in them are new) and yield a row for every member.

    A contest counts once in a player's record, whatever its size: alone in first place is a win, first place shared a
    draw, anything else a loss."""
    for contest in contests:
        present = [
            [_enter(player, contest, states, birth_years, system, settings) for player in side.players]
            for side in contest.sides
        ]
        before = [[(state.rating, state.games, state.deviation) for state in side] for side in present]
        found = system.rate_contest(settings, contest, present)
        shared = sum(side.place == 1 for side in contest.sides) > 1
        for number, side in enumerate(contest.sides):
            outcome = 0.0 if side.place > 1 else 0.5 if shared else 1.0
            for seat, player in enumerate(side.players):
                state, was = present[number][seat], before[number][seat]
                after = advance(state, was[0], outcome, contest.order, contest.order >> SEQUENCE_BITS)
                figures = found[number][seat]
                yield RatedMember(contest, number + 1, player, *was, figures, after, state.deviation)


def _enter(
    player: int,
    contest: PlayedContest,
    states: dict[int, PlayerState],
    birth_years: Mapping[int, int | None],
    system: ContestSystem,
    settings: Any,
) -> PlayerState:
    """The player's state; a new one for whom the list does not know."""
    if player not in states:
        state = system.newcomer(settings, birth_years.get(player), contest.order >> SEQUENCE_BITS)
        if state is None:
            raise ValueError(f"{system.name} rates contests one by one and needs a rating for everybody.")
        state.reached = contest.order
        states[player] = state
    return states[player]
