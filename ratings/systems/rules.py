"""What a rating system is, how its settings are read, and the rules of a rating list in time.

Settings are frozen dataclasses read from stored values; anything wrong raises ValueError with one sentence about it.

Dated rules: which system with which settings holds from which day, and the probation of players who return after years.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from datetime import date
from enum import StrEnum
from math import isfinite
from typing import Any, cast

from clubrating.ground.marks import sentence
from ratings.systems.base import (
    Figures,
    GameRater,
    GroupRater,
    Memory,
    Normalisation,
    Period,
    PlayedGame,
    PlayerState,
    StreamRater,
)
from ratings.systems.sides import Chances, ContestRater, MemberFigures, PlayedContest, PlayedSide, States, in_one_form


# --- settings --------------------------------------------------------------------------------------------------------
def ranged(default: float, low: float, high: float) -> Any:
    """A field of a settings type: a number between `low` and `high`."""
    return field(default=default, metadata={"range": (low, high)})


def refuse_unknown(raw: Mapping[str, Any], settings: type, system: str) -> None:
    """Raises ValueError for a name the system has no setting for."""
    known = {each.name for each in fields(settings)}
    unknown = sorted(set(raw) - known)
    if unknown:
        raise ValueError(
            sentence(
                "%(system)s has no setting “%(name)s”; it knows %(known)s.",
                system=system,
                name=unknown[0],
                known=", ".join(sorted(known)),
            )
        )


def number(raw: Mapping[str, Any], name: str, default: float, *, low: float, high: float) -> float:
    """A number between `low` and `high`, as 8.5 or as 25/3, or the default where none is given. Raises ValueError
    naming the setting."""
    try:
        if isinstance(raw.get(name), bool):
            raise TypeError
        above, is_fraction, below = str(raw.get(name, default)).partition("/")
        value = float(above) / float(below) if is_fraction else float(raw.get(name, default))
    except (TypeError, ValueError, ArithmeticError):
        raise ValueError(sentence("%(name)s is no number: “%(value)s”.", name=name, value=raw[name])) from None
    if not isfinite(value) or not low <= value <= high:
        raise ValueError(
            sentence(
                "%(name)s must lie between %(low)s and %(high)s, not %(value)s.",
                name=name,
                low=f"{low:g}",
                high=f"{high:g}",
                value=f"{value:g}",
            )
        )
    return value


def switch(raw: Mapping[str, Any], name: str, default: bool) -> bool:
    """On or off: true, false, and the words people type. Raises ValueError naming the setting."""
    value = raw.get(name, default)
    if isinstance(value, bool):
        return value
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if str(value).lower() not in words:
        raise ValueError(sentence("%(name)s is on or off, not “%(value)s”.", name=name, value=value))
    return words[str(value).lower()]


def choice(raw: Mapping[str, Any], name: str, default: str, known: Iterable[str]) -> str:
    """One of the known words. Raises ValueError naming the setting and the words."""
    value = str(raw.get(name, default))
    words = list(known)
    if value not in words:
        raise ValueError(
            sentence(
                "%(name)s “%(value)s” is not known; choose one of %(known)s.",
                name=name,
                value=value,
                known=", ".join(words),
            )
        )
    return value


def _value(raw: Mapping[str, Any], setting: Field[Any]) -> Any:
    """What `raw` says of one setting, by the kind of its default."""
    name, default = setting.name, cast(Any, setting.default)
    if isinstance(default, bool):
        return switch(raw, name, default)
    if isinstance(default, str):
        kind = type(default)  # text or an enumeration
        return kind(choice(raw, name, default, map(str, setting.metadata.get("known", kind))))
    low, high = setting.metadata["range"]
    return number(raw, name, default, low=low, high=high)


# --- what a list shows -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Listing:
    """What a list shows and is ordered by: the rating less so many `deviations`, so that nobody stands high of whom
    little is known. `unknown` is the deviation of whoever has none yet, `digits` the decimals that are shown. `grades`:
    a rating means a grade of go, and is shown with it."""

    deviations: float = 0.0
    unknown: float = 0.0
    digits: int = 0
    grades: bool = False

    def value(self, rating: float, deviation: float | None) -> float:
        """What stands in the list for that rating."""
        if not self.deviations:
            return rating
        return rating - self.deviations * (self.unknown if deviation is None else deviation)


AS_RATED = Listing()


# --- a rating system -------------------------------------------------------------------------------------------------
Weights = Sequence[Sequence[float]] | None  # each member's share of a contest, side by side; None: all 1


class RatingSystem:
    """The plain case of a system: rated game by game, or by the settings' `period` where they have one; newcomers stand
    at the settings' `start`. A system's own class holds only what differs.

    `settings_type`: a frozen dataclass of `ranged` numbers, switches and words, which are those of their enumeration or
    of the field's metadata ("known"); a value of it is handed to every method. `elo_scale`: whether its points mean
    what Elo's mean, so that classes and performances say something. `uses_importance`, `uses_weights`: whether the
    importance of a game or contest, a member's share of a contest can mean something to it. `reads_handicap`: whether
    stones and komi of a game of go count; other systems rate such a game as an even one. `lowest_start`: the lowest
    rating somebody may bring along.
    """

    key = ""
    name = ""
    settings_type: type
    presets: tuple[str, ...] = ()
    elo_scale = True
    uses_importance = True
    uses_weights = False
    reads_handicap = False
    lowest_start = 0.0

    def read_settings(self, raw: Mapping[str, Any]) -> Any:
        """Settings from stored values, defaults filled in. Raises ValueError naming the setting that is wrong."""
        refuse_unknown(raw, self.settings_type, self.name)
        return self.settings_type(**{each.name: _value(raw, each) for each in fields(self.settings_type)})

    def stored_settings(self, settings: Any) -> dict[str, Any]:
        """The settings as plain values that `read_settings` turns into the same settings again."""
        values = {each.name: getattr(settings, each.name) for each in fields(settings)}
        return {name: value.value if isinstance(value, StrEnum) else value for name, value in values.items()}

    def newcomer(self, settings: Any, birth_year: int | None, day: int) -> PlayerState | None:
        """The state of a player never seen before; None where the system first wants games to rate him by."""
        return PlayerState(settings.start, 0, settings.start, birth_year)

    def is_on_elos_scale(self, settings: Any) -> bool:
        """Whether 400 points more are expected ten times as many wins as losses."""
        same = getattr(settings, "scale", 400.0) == 400.0 and getattr(settings, "base", 10.0) == 10.0
        return self.elo_scale and same

    def period(self, settings: Any) -> Period:
        """Which games are rated together."""
        period: Period = getattr(settings, "period", Period.GAME)
        return period

    def memory(self, settings: Any) -> Memory:
        """Where all that it remembers can be read back."""
        return Memory.LEDGER

    def normalisation(self, settings: Any) -> Normalisation | None:
        """When the whole field is brought down; None where it never is."""
        return None

    def game_rater(self, settings: Any) -> GameRater:
        """The rater of single games (for Period.GAME)."""
        raise NotImplementedError(f"{self.name} does not rate game by game.")

    def stream_rater(self, settings: Any) -> StreamRater | None:
        """The game rater and the replay's bookkeeping in one loop, for long streams; None where there is none."""
        return None

    def group_rater(self, settings: Any) -> GroupRater:
        """A rater of periods, made anew for each replay: it may remember what it has seen."""
        raise NotImplementedError(f"{self.name} does not rate by periods.")

    def contest_rater(self, settings: Any) -> ContestRater | None:
        """The rater of contests with sides; None where the system rates games of two only."""
        return None

    def chances(self, settings: Any, sides: States, weights: Weights = None) -> Chances | None:
        """How likely each side of a contest is placed first, from its members' states before it, in the shape of
        `sides`; `weights`: each one's share of the contest. None where the system rates games of two only, or expects
        something else than a place."""
        return None

    def listing(self, settings: Any) -> Listing:
        """What of a rating a list shows and is ordered by."""
        return AS_RATED

    def listed(self, settings: Any, state: PlayerState) -> float:
        """The rating a list shows and is ordered by."""
        return self.listing(settings).value(state.rating, state.deviation)

    def expected(self, settings: Any, own: PlayerState, opponent: PlayerState) -> float | None:
        """Expected score of `own` in one game, 0 … 1; None where the system knows none."""
        return None


_NO_FIGURES = Figures()


def winner_rater(rule: Callable[[float, float, float], tuple[float, float]], figure: float) -> GameRater:
    """A rater for a rule that knows no draws: `rule`(winner's rating, loser's, `figure`) gives both after the game."""

    def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> Figures | None:
        if game.score == 0.5:
            return None
        if game.score == 1.0:
            white.rating, black.rating = rule(white.rating, black.rating, figure)
        else:
            black.rating, white.rating = rule(black.rating, white.rating, figure)
        return _NO_FIGURES

    return rate


# --- systems of skill ------------------------------------------------------------------------------------------------
_NOTHING = MemberFigures()
Skills = Sequence[Sequence[tuple[float, float]]]  # (μ, σ) of each member, side by side


class SkillSystem(RatingSystem):
    """A system that knows of everybody a normal distribution of skill and rates contests with any number of sides; a
    game of two players is two sides of one for it. Rating is μ, deviation σ; a list shows μ − 3σ, so that nobody stands
    high whom it hardly knows. Settings have `mu` and `sigma` of a newcomer.

    `uses_weights`: a member's share of a contest means something to it; its importance means nothing."""

    elo_scale = False
    uses_importance = False
    uses_weights = True

    def rated(self, settings: Any, contest: PlayedContest, before: Skills) -> Skills:
        """Everybody's (μ, σ) after a contest, in the order of its sides."""
        raise NotImplementedError

    def first_places(self, settings: Any, sides: Skills, weights: Weights = None) -> Chances:
        """How likely each side is placed first, from everybody's (μ, σ) before the contest."""
        raise NotImplementedError

    def newcomer(self, settings: Any, birth_year: int | None, day: int) -> PlayerState:
        return PlayerState(settings.mu, 0, settings.mu, birth_year, deviation=settings.sigma)

    def contest_rater(self, settings: Any) -> ContestRater:
        def rate(contest: PlayedContest, states: States) -> list[list[MemberFigures]]:
            before = _skills(states, settings.sigma)
            after = self.rated(settings, contest, before)
            for side, moved in zip(states, after, strict=True):
                for state, (rating, deviation) in zip(side, moved, strict=True):
                    state.rating, state.deviation = rating, deviation
            return [[_NOTHING] * len(side) for side in states]

        return rate

    def game_rater(self, settings: Any) -> GameRater:
        rate_contest = self.contest_rater(settings)

        def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> Figures:
            places = (1 if game.score >= 0.5 else 2, 1 if game.score <= 0.5 else 2)
            sides = [PlayedSide(places[0], (game.white,), (1.0,)), PlayedSide(places[1], (game.black,), (1.0,))]
            contest = PlayedContest(game.game, in_one_form(sides), game.order, game.rules_day)
            of = {game.white: white, game.black: black}
            rate_contest(contest, [[of[side.players[0]]] for side in contest.sides])
            return _NO_FIGURES

        return rate

    def listing(self, settings: Any) -> Listing:
        """μ − 3σ; on a scale of small numbers with a decimal."""
        return Listing(3.0, settings.sigma, 1 if settings.sigma < 50.0 else 0)

    def expected(self, settings: Any, own: PlayerState, opponent: PlayerState) -> float:
        return self.chances(settings, [[own], [opponent]]).expected

    def chances(self, settings: Any, sides: States, weights: Weights = None) -> Chances:
        return self.first_places(settings, _skills(sides, settings.sigma), weights)


def _skills(states: States, sigma: float) -> list[list[tuple[float, float]]]:
    return [
        [(state.rating, sigma if state.deviation is None else state.deviation) for state in side] for side in states
    ]


# --- dated rules -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class DatedRule:
    """From `valid_from` on the list is rated by `system` with `settings` (the system's own type)."""

    valid_from: date
    system: RatingSystem
    settings: Any

    @property
    def period(self) -> Period:
        return self.system.period(self.settings)

    @property
    def memory(self) -> Memory:
        return self.system.memory(self.settings)

    @property
    def is_on_elos_scale(self) -> bool:
        return self.system.is_on_elos_scale(self.settings)


class DatedRules:
    """A list's rules in order of time; before the first one's date the first one holds."""

    def __init__(self, rules: Sequence[DatedRule]) -> None:
        if not rules:
            raise ValueError("A rating list needs at least one rule.")
        self.all = sorted(rules, key=lambda rule: rule.valid_from)
        self._days = [rule.valid_from.toordinal() for rule in self.all]

    def on(self, day: date | int) -> DatedRule:
        """The rule that holds on a day (date or ordinal)."""
        ordinal = day if isinstance(day, int) else day.toordinal()
        return self.all[max(bisect_right(self._days, ordinal) - 1, 0)]


@dataclass(frozen=True, slots=True)
class Reentry:
    """Whoever played no game for more than `days` days is on probation again for `games` games."""

    days: int
    games: int
