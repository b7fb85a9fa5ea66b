"""Elo: R' = R + K (S − E), with interchangeable K rules, expectations and periods.

Sources: A. Elo, "The Rating of Chessplayers", 1978; K rules in `ratings.systems.k_factors`, tables of expected scores
in `ratings.systems.fide_tables`. FIDE's own update by the event (`ratings.systems.fide`) and US Chess' formula
(`ratings.systems.us_chess`) are presets of this system with raters of their own.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from functools import partial
from math import log
from typing import Any, get_args

from clubrating.ground.marks import marked, sentence
from ratings.systems.base import (
    AGE_UNKNOWN,
    Contribution,
    GameRater,
    Group,
    GroupRater,
    GroupRating,
    Memory,
    Move,
    Period,
    PlayedGame,
    PlayerState,
    StreamRater,
)
from ratings.systems.elo_sides import Combine, Normaliser, SidesRule, rate_contest, side_rating
from ratings.systems.elo_stream import rate_stream
from ratings.systems.evidence import Evidence, NewcomerK, check_newcomers
from ratings.systems.fide import FideSettings, fide_group_rater
from ratings.systems.fide_tables import fide_expected, nearest, xiangqi_expected
from ratings.systems.k_factors import CONSTANT, K_RULES, KRule, KStep, common_k, constant
from ratings.systems.margins import FACTORS, SHARES, Margin, MarginRule, check_margin, read_margin
from ratings.systems.probation import Probation
from ratings.systems.rules import RatingSystem, Weights, choice, ranged, refuse_unknown
from ratings.systems.sides import Chances, ContestRater, States, first_of_gumbels
from ratings.systems.us_chess import UsChessSettings, us_chess_group_rater, us_chess_start

Expectation = Callable[[float, float], float]


class Method(StrEnum):
    """`elo`: the formula above. `fide`, `us-chess`: those federations' own update by the event."""

    ELO = "elo"
    FIDE = "fide"
    US_CHESS = "us-chess"


class Curve(StrEnum):
    """Where the expected score comes from."""

    LOGISTIC = "logistic"
    FIDE = "fide-table"
    XIANGQI = "xiangqi-table"


PRESETS: dict[str, Mapping[str, Any]] = {
    "club": {},
    "fide": {"method": "fide", "curve": "fide-table", "period": "event", "importance": False},
    "fide-simple": {"k_rule": "fide-simple"},
    "fide-old": {"k_rule": "fide-old"},
    "uscf": {"k_rule": "uscf"},
    "us-chess": {"method": "us-chess", "start": 1300, "period": "event", "importance": False},
    "xiangqi": {"k_rule": "xiangqi", "curve": "xiangqi-table", "one_k": True},
    "diary": {"k_rule": "diary", "start": 1600},
    "study": {"k_rule": "study", "start": 1000},
    "constant": {"k_rule": CONSTANT},
}


@dataclass(frozen=True, slots=True)
class EloSettings:
    """`start`: rating of a newcomer. `base`, `scale`: the favourite by `scale` points scores base : 1 (logistic only).
    `k_rule`: key of K_RULES or "constant" with `k`. `newcomer_k`, `newcomer_deviation`: how K ends to be a newcomer's,
    and with it the probation (`ratings.systems.evidence`). `one_k`: both players' change by one K, chosen by who won.
    `period`: which games are rated together. `floor`: lowest rating (0: none; under FIDE's method its own, by date).
    `whole`: ratings are rounded to whole numbers, halves away from zero. `importance`: the event's factor is
    multiplied into K. `margin` with `margin_unit` and `margin_cap`: what is taken of the points (`MarginRule`).
    `rapid`: FIDE's rapid and blitz exceptions. `sides`, `normaliser`: contests (`ratings.systems.elo_sides`).
    Metadata "only": settings of games of two, or of contests."""

    preset: str = field(default="club", metadata={"known": tuple(PRESETS)})
    method: Method = Method.ELO
    start: float = ranged(1500.0, 0, 4000)
    base: float = ranged(10.0, 1.01, 1000)
    scale: float = ranged(400.0, 100, 2000)
    curve: Curve = Curve.LOGISTIC
    k_rule: str = field(default="fide", metadata={"known": (*K_RULES, CONSTANT)})
    k: float = ranged(32.0, 0.1, 1000)
    newcomer_k: NewcomerK = field(default=NewcomerK.RULE, metadata={"only": "games"})
    newcomer_deviation: float = field(default=200.0, metadata={"range": (1, 1000), "only": "games"})
    one_k: bool = field(default=False, metadata={"only": "games"})
    period: Period = field(default=Period.GAME, metadata={"only": "games"})
    floor: float = ranged(0.0, 0, 4000)
    whole: bool = False
    importance: bool = True
    margin: Margin = Margin.NONE
    margin_unit: float = ranged(1.0, 0.001, 100_000)
    margin_cap: float = ranged(2.0, 1, 100_000)
    rapid: bool = field(default=False, metadata={"only": "games"})
    sides: Combine = field(default="mean", metadata={"known": get_args(Combine), "only": "contests"})
    normaliser: Normaliser = field(default="n-1", metadata={"known": get_args(Normaliser), "only": "contests"})

    @property
    def margins(self) -> MarginRule:
        return MarginRule(self.margin, self.margin_unit, self.margin_cap)


# What a federation's own method leaves to choose; everything else it decides itself.
_OPEN = {
    Method.FIDE: {"preset", "method", "k_rule", "k", "floor", "rapid", "period"},
    Method.US_CHESS: {"preset", "method", "start", "period"},
}


# --- arithmetic: plain numbers in, plain numbers out -------------------------------------------------------------
def expected_score(own: float, opponent: float, scale: float = 400.0, base: float = 10.0) -> float:
    """Expected score of one game, between 0 and 1: 1 / (1 + base^((opponent − own) / scale)). Rating points."""
    exponent = (opponent - own) / scale
    if exponent > 200.0:  # a gap at which the power could no longer be written down
        return 0.0
    odds: float = base**exponent
    return 1.0 / (1.0 + odds)


class Elo(RatingSystem):
    key = "elo"
    name = marked("Elo")
    presets = tuple(PRESETS)
    settings_type = EloSettings

    def read_settings(self, raw: Mapping[str, Any]) -> EloSettings:
        """Settings from stored values; `preset` fills in what is not given. Raises ValueError for an unknown name, a
        value out of range, a wrong type, or a setting the preset's own method does not leave open."""
        refuse_unknown(raw, EloSettings, self.name)
        preset = choice(raw, "preset", "club", PRESETS)
        if "margin" in raw:
            raw = {**raw, "margin": read_margin(raw["margin"])}
        settings: EloSettings = super().read_settings({**PRESETS[preset], **raw})
        if "k" in raw and settings.k_rule != CONSTANT:
            raise ValueError(marked("k is the K of the rule constant: add k_rule constant, or leave k out."))
        if settings.period == Period.ALL or (settings.method != Method.ELO and settings.period == Period.GAME):
            raise ValueError(
                sentence(
                    "period “%(period)s” does not go with %(method)s.",
                    period=settings.period.value,
                    method=settings.method.value,
                )
            )
        check_newcomers(raw, evidence_of(settings), settings.period, settings.one_k)
        check_margin(raw, settings.margin)
        if settings.margin in SHARES and settings.curve != Curve.LOGISTIC:
            raise ValueError(
                sentence(
                    "margin “%(margin)s” needs the curve “logistic”, with a scale of the list’s own: a table expects "
                    "results.",
                    margin=settings.margin.value,
                )
            )
        closed = set(raw) - _OPEN.get(settings.method, set(raw))
        wrong = sorted(name for name in closed if raw[name] != PRESETS[preset].get(name, getattr(EloSettings(), name)))
        if wrong:
            raise ValueError(
                sentence(
                    "%(name)s is decided by the method “%(method)s”: leave it out.",
                    name=wrong[0],
                    method=settings.method.value,
                )
            )
        return settings

    def newcomer(self, settings: EloSettings, birth_year: int | None, day: int) -> PlayerState | None:
        if settings.method == Method.FIDE:
            return None
        start = settings.start
        if settings.method == Method.US_CHESS and birth_year is not None:
            start = us_chess_start(date.fromordinal(day).year - birth_year)
        return PlayerState(start, 0, start, birth_year)

    def memory(self, settings: EloSettings) -> Memory:
        """FIDE's pools of newcomers' results and what US Chess' floors rest on stand in no column."""
        return Memory.LEDGER if settings.method == Method.ELO else Memory.HISTORY

    def game_rater(self, settings: EloSettings) -> GameRater:
        expectation, ks_of = expectation_of(settings), _ks_of(settings)
        weigh, settle, scored, evidence = _weight(settings), _settle(settings), _scored(settings), evidence_of(settings)

        def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> tuple[float | None, ...]:
            own, opponent = white.rating, black.rating
            expected = expectation(own, opponent)
            white_k, black_k = ks_of(white, black, game)
            if evidence is not None:
                evidence.carry(white, black, game.played_on.year, expected, (white_k, black_k))
            if weigh is not None:
                factor = weigh(game, own, opponent)
                white_k, black_k = white_k * factor, black_k * factor
            surplus = (game.score if scored is None else scored(game)) - expected
            white.rating, black.rating = own + white_k * surplus, opponent - black_k * surplus
            if settle is not None:
                white.rating, black.rating = settle(white.rating), settle(black.rating)
            return expected, white_k, 1.0 - expected, black_k

        return rate

    def stream_rater(self, settings: EloSettings) -> StreamRater | None:
        if not is_plain(settings):
            return None
        return partial(
            rate_stream,
            rule=k_rule_of(settings),
            start=settings.start,
            scale=settings.scale,
            base=settings.base,
            importance=settings.importance,
        )

    def group_rater(self, settings: EloSettings) -> GroupRater:
        if settings.method == Method.FIDE:
            rule = k_rule_of(settings)
            return fide_group_rater(
                FideSettings(lambda *figures: rule.step(*figures).k, settings.floor or None, settings.rapid)
            )
        if settings.method == Method.US_CHESS:
            return us_chess_group_rater(UsChessSettings(start=settings.start))
        return lambda group: _rate_group(group, settings)

    def probation(self, settings: EloSettings, games: int) -> Probation:
        evidence = evidence_of(settings)
        return Probation(games, evidence.after_count(games) if evidence else ())

    def contest_rater(self, settings: EloSettings) -> ContestRater | None:
        """None where one K for both, K by evidence, or a federation's own method knows games of two only."""
        if settings.one_k or settings.method != Method.ELO or evidence_of(settings) is not None:
            return None
        return partial(rate_contest, rule=sides_rule(settings))

    def chances(self, settings: EloSettings, sides: States, weights: Weights = None) -> Chances | None:
        """Two sides: the curve. More: base^(R/scale) to one another, of which any two make that curve. None where a
        list expects a share of the points."""
        if self.contest_rater(settings) is None or settings.margin in SHARES:
            return None
        ratings = [side_rating([state.rating for state in side], settings.sides) for side in sides]
        if len(ratings) == 2:
            expected = expectation_of(settings)(*ratings)
            return Chances((expected, 1.0 - expected))
        return Chances(first_of_gumbels([rating * log(settings.base) / settings.scale for rating in ratings]))

    def expected(self, settings: EloSettings, own: PlayerState, opponent: PlayerState) -> float | None:
        return expectation_of(settings)(own.rating, opponent.rating)

    def stored_settings(self, settings: EloSettings) -> dict[str, Any]:
        """The preset and what differs from it: the rest follows. A capped margin always says its cap."""
        plain = super().stored_settings(self.read_settings({"preset": settings.preset}))
        if settings.margin == Margin.CAPPED:
            plain["margin_cap"] = None
        return {"preset": settings.preset} | {
            name: value for name, value in super().stored_settings(settings).items() if value != plain[name]
        }


def is_plain(settings: EloSettings) -> bool:
    """Whether one loop knows all these settings (`ratings.systems.elo_stream`): the logistic curve, game by game, each
    player by his own K, nothing rounded."""
    unusual = settings.one_k or settings.floor or settings.whole or settings.margin != Margin.NONE
    by_count = settings.newcomer_k is NewcomerK.RULE
    return not unusual and by_count and settings.period == Period.GAME and settings.curve == Curve.LOGISTIC


def k_rule_of(settings: EloSettings) -> KRule:
    """The K rule in force."""
    return constant(settings.k) if settings.k_rule == CONSTANT else K_RULES[settings.k_rule]


def evidence_of(settings: EloSettings) -> Evidence | None:
    """What tells newcomers from the established where the K rule's count of games does not."""
    kind, q = settings.newcomer_k, log(settings.base) / settings.scale
    return None if kind is NewcomerK.RULE else Evidence(k_rule_of(settings), kind, settings.newcomer_deviation, q)


def k_step_of(settings: EloSettings, state: PlayerState, on: date) -> KStep:
    """The step of the K rule that holds for a player on a day; his fixed K where he has one."""
    if state.fixed_k is not None:
        return KStep(state.fixed_k, "fixed")
    rule, age = evidence_of(settings), state.age_on(on.year)
    return rule.step(state, age) if rule else k_rule_of(settings).step(state.rating, state.games, state.peak, age)


def sides_rule(settings: EloSettings) -> SidesRule:
    """How contests are rated."""
    return SidesRule(
        expectation=expectation_of(settings),
        k_of=lambda state, on: k_step_of(settings, state, on).k,
        combine=settings.sides,
        normaliser=settings.normaliser,
        margins=settings.margins,
        importance=settings.importance,
        settle=_settle(settings),
    )


def expectation_of(settings: EloSettings) -> Expectation:
    """The curve as a function of own and opponent's rating."""
    if settings.curve == Curve.FIDE:
        return fide_expected
    if settings.curve == Curve.XIANGQI:
        return xiangqi_expected
    return partial(expected_score, scale=settings.scale, base=settings.base)


# --- K and rounding ----------------------------------------------------------------------------------------------
def _ks_of(settings: EloSettings) -> Callable[[PlayerState, PlayerState, PlayedGame], tuple[float, float]]:
    """A function that gives White's and Black's K for a game, not weighed yet."""
    rule, evidence = k_rule_of(settings), evidence_of(settings)
    choose, ks = rule.choose, tuple(step.k for step in rule.steps)

    def k_of(state: PlayerState, game: PlayedGame) -> float:
        if state.fixed_k is not None:
            return state.fixed_k
        if evidence is not None:
            return evidence.step(state, state.age_on(game.played_on.year)).k
        age = AGE_UNKNOWN if state.birth_year is None else game.played_on.year - state.birth_year
        return ks[choose(state.rating, state.games, state.peak, age)]

    def ks_of(white: PlayerState, black: PlayerState, game: PlayedGame) -> tuple[float, float]:
        white_k, black_k = k_of(white, game), k_of(black, game)
        if settings.one_k:
            white_k = black_k = common_k(white.rating - black.rating, game.score, white_k, black_k)
        return white_k, black_k

    return ks_of


def _weight(settings: EloSettings) -> Callable[[PlayedGame, float, float], float] | None:
    """What K is multiplied with, from the game and both ratings before it; None where nothing is."""
    margins, has_importance, has_margin = settings.margins, settings.importance, settings.margin in FACTORS
    if not has_importance and not has_margin:
        return None

    def weigh(game: PlayedGame, white: float, black: float) -> float:
        factor = game.importance if has_importance else 1.0
        return factor * margins.factor(game.score, game.margin, white, black) if has_margin else factor

    return weigh


def _scored(settings: EloSettings) -> Callable[[PlayedGame], float] | None:
    """White's score where it is not the result; None where it always is."""
    if settings.margin not in SHARES:
        return None
    margins = settings.margins
    return lambda game: margins.score(game.score, game.margin, game.scores)


def _settle(settings: EloSettings) -> Callable[[float], float] | None:
    """A new rating as it is kept: rounded and held above the floor; None where the settings say neither."""
    lowest, whole = settings.floor, settings.whole
    if not lowest and not whole:
        return None

    def settle(rating: float) -> float:
        value = nearest(rating) if whole else rating
        return max(value, lowest) if lowest else value  # 0: there is no floor, not one at zero

    return settle


# --- a period at a time ------------------------------------------------------------------------------------------
def _rate_group(group: Group, settings: EloSettings) -> GroupRating:
    """All expectations from the ratings at the start; one update per player (the diary's tournament update)."""
    expectation, ks_of = expectation_of(settings), _ks_of(settings)
    weigh, settle, scored = _weight(settings), _settle(settings), _scored(settings)
    sides = []
    changes: defaultdict[int, float] = defaultdict(float)
    for game in group.games:
        white, black = group.states[game.white], group.states[game.black]
        expected = expectation(white.rating, black.rating)
        score = scored(game) if scored else game.score
        factor = weigh(game, white.rating, black.rating) if weigh else 1.0
        white_k, black_k = (factor * k for k in ks_of(white, black, game))
        white_change = white_k * (score - expected)
        black_change = black_k * (1.0 - score - (1.0 - expected))
        sides.append(
            (
                Contribution(white.rating, expected, white_k, white_change),
                Contribution(black.rating, 1.0 - expected, black_k, black_change),
            )
        )
        changes[game.white] += white_change
        changes[game.black] += black_change
    moves = {}
    for player, change in changes.items():
        before = group.states[player].rating
        moves[player] = Move(change=settle(before + change) - before if settle else change)
    return GroupRating(sides, moves)
