"""A rating system out of typed formulas (`ratings.lab.formulas`): no code of the visitor's is run.

Ratings, games and a helper value are what a player carries; of a game the system is told who won. Formulas are worked
out from the values before the game, in this order: expected scores, K of both, intermediate values line by line, then
the new ratings and helper values. The floor comes last.

    expected score and K   r own rating, o opponent's; gr, go games so far; hr, ho helper values; gap = r − o
    all the others         w winner's rating, l loser's; gw, gl; hw, hl; gap = w − l; white: 1 if the winner had it
                           Ew, El expected scores and Kw, Kl K of winner and loser, where their formulas are given

Not done: draws (they leave all as it is, as in the study's own rules of winners and losers), periods, more than one
helper value, games between more than two.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from clubrating.ground.marks import marked, sentence
from ratings.lab.contenders import Contender
from ratings.lab.formulas import Budget, Formula, FormulaError, read_formula, read_lines
from ratings.systems.base import Figures, GameRater, Normalisation, PlayedGame, PlayerState
from ratings.systems.rules import RatingSystem

MOST_START = 1e6
OWN = ("r", "o", "gr", "go", "hr", "ho", "gap")
BOTH = ("w", "l", "gw", "gl", "hw", "hl", "gap", "white")
EXPECTED, KS = ("Ew", "El"), ("Kw", "Kl")


@dataclass(frozen=True, slots=True)
class TypedRules:
    """What was typed: formulas as text ("" where there is none), and numbers. `start`, `helper_start`: of a newcomer.
    `floor`: nobody falls below it. `above`: as soon as anybody stands higher, all ratings are times `factor`."""

    winner: str
    loser: str
    expected: str = ""
    k: str = ""
    values: str = ""
    winner_helper: str = ""
    loser_helper: str = ""
    start: float = 1000.0
    helper_start: float = 1.0
    floor: float | None = None
    above: float | None = None
    factor: float = 1.0

    @property
    def document(self) -> dict[str, Any]:
        """As plain values: what differs from the defaults, so that equal rules are equal documents."""
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name)) != each.default}


class Played(NamedTuple):
    """What a game comes to: ratings and helper values after it, and all that was worked out on the way, by name."""

    winner: float
    loser: float
    winner_helper: float
    loser_helper: float
    known: tuple[float, ...]


class Program:
    """Typed rules, read and ready. Raises FormulaError where they cannot be read."""

    def __init__(self, rules: TypedRules) -> None:
        self.rules, budget = rules, Budget()
        own = {name: at for at, name in enumerate(OWN)}
        self._expected = read_formula(rules.expected, "expected", own, budget) if rules.expected else None
        self._k = read_formula(rules.k, "k", own, budget) if rules.k else None
        names = chain(BOTH, EXPECTED if self._expected else (), KS if self._k else ())
        known = {name: at for at, name in enumerate(names)}
        self._values = read_lines(rules.values, "values", known, budget)
        self.names = tuple(known)

        def after(field: str) -> Formula:
            return read_formula(getattr(rules, field), field, known, budget)

        self._winner, self._loser = after("winner"), after("loser")
        self._winner_helper = after("winner_helper") if rules.winner_helper else None
        self._loser_helper = after("loser_helper") if rules.loser_helper else None
        self._floor = _lowest(rules)

    @property
    def predicts(self) -> bool:
        """Whether it has an expected score of its own."""
        return self._expected is not None

    def expect(self, own: "Standing", other: "Standing") -> float:
        """The expected score of `own`, 0 … 1. Raises FormulaError where the formula gives anything else."""
        assert self._expected is not None
        found = self._expected.value(_own(own, other))
        if 0.0 <= found <= 1.0:
            return found
        what = sentence("the expected score comes to %(value)s, not to 0 … 1.", value=f"{found:g}")
        raise FormulaError(self._expected.place, what)

    def play(self, winner: "Standing", loser: "Standing", *, white: bool) -> Played:
        """One game; `white`: the winner had White. Raises FormulaError where something cannot be worked out."""
        try:
            return self._played(winner, loser, 1.0 if white else 0.0)
        except FormulaError as refused:
            raise FormulaError(refused.place, refused.what, (winner.rating, loser.rating)) from None

    def _played(self, winner: "Standing", loser: "Standing", white: float) -> Played:
        known = [winner.rating, loser.rating, winner.games, loser.games, winner.helper, loser.helper]
        known += (winner.rating - loser.rating, white)
        if self._expected is not None:
            known += (self.expect(winner, loser), self.expect(loser, winner))
        if self._k is not None:
            known += (self._k.value(_own(winner, loser)), self._k.value(_own(loser, winner)))
        for formula in self._values:
            known.append(formula.value(known))
        return Played(
            max(self._floor, self._winner.value(known)),
            max(self._floor, self._loser.value(known)),
            winner.helper if self._winner_helper is None else self._winner_helper.value(known),
            loser.helper if self._loser_helper is None else self._loser_helper.value(known),
            tuple(known),
        )


class Standing(NamedTuple):
    """What a player brings to a game."""

    rating: float
    games: float
    helper: float


def _own(own: Standing, other: Standing) -> tuple[float, ...]:
    return own.rating, other.rating, own.games, other.games, own.helper, other.helper, own.rating - other.rating


def _lowest(rules: TypedRules) -> float:
    return float("-inf") if rules.floor is None else rules.floor


@lru_cache(maxsize=8)
def program(rules: TypedRules) -> Program:
    """The rules, read once. Raises FormulaError."""
    return Program(rules)


class Typed(RatingSystem):
    """The system of typed formulas. It stands in no register: no list of the club can be rated by it."""

    key = "typed"
    name = marked("Typed system")
    settings_type = TypedRules
    elo_scale = False

    def newcomer(self, settings: TypedRules, birth_year: int | None, day: int) -> PlayerState:
        return PlayerState(settings.start, 0, settings.start, birth_year, coefficient=settings.helper_start)

    def normalisation(self, settings: TypedRules) -> Normalisation | None:
        if settings.above is None:
            return None
        return Normalisation(
            settings.above, settings.factor, float("-inf") if settings.floor is None else settings.floor
        )

    def game_rater(self, settings: TypedRules) -> GameRater:
        found = program(settings)

        def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> Figures | None:
            if game.score == 0.5:
                return None
            has_white = game.score == 1.0
            winner, loser = (white, black) if has_white else (black, white)
            after = found.play(_standing(winner), _standing(loser), white=has_white)
            winner.rating, loser.rating, winner.coefficient, loser.coefficient = after[:4]
            return _NO_FIGURES

        return rate

    def expected(self, settings: TypedRules, own: PlayerState, opponent: PlayerState) -> float | None:
        found = program(settings)
        if not found.predicts:
            return None
        try:
            return found.expect(_standing(own), _standing(opponent))
        except FormulaError as refused:
            raise FormulaError(refused.place, refused.what, (own.rating, opponent.rating)) from None


_NO_FIGURES = Figures()


def _standing(state: PlayerState) -> Standing:
    return Standing(state.rating, state.games, state.coefficient or 0.0)


def typed_contender(rules: TypedRules) -> Contender:
    """The rules as a contender of the lab."""
    return Contender(TYPED.key, TYPED.name, TYPED, rules)


TYPED = Typed()

# --- a look before the study -----------------------------------------------------------------------------------------
# Ratings of winner and loser, as multiples of a newcomer's.
TRIED = ((1.5, 1.6), (1.6, 1.5), (1.0, 1.0), (2.0, 1.0), (1.0, 2.0))
TRIED_GAMES = (100.0, 10.0)  # of winner and loser


class Try(NamedTuple):
    """A game worked out for the reader: ratings before it, what it comes to, and everything worked out on the way, by
    name. `refused` in their place, where it cannot be worked out."""

    winner: float
    loser: float
    played: Played | None
    known: Mapping[str, float]
    refused: FormulaError | None = None


def tries(rules: TypedRules) -> list[Try]:
    """What some games come to; the winner has White. Raises FormulaError where the rules cannot be read."""
    found, unit = program(rules), abs(rules.start) or 1000.0
    return [_tried(found, one * unit, two * unit) for one, two in TRIED]


def _tried(found: Program, one: float, two: float) -> Try:
    own, other = (
        Standing(rating, games, found.rules.helper_start) for rating, games in zip((one, two), TRIED_GAMES, strict=True)
    )
    try:
        played = found.play(own, other, white=True)
    except FormulaError as refused:
        return Try(one, two, None, {}, refused)
    return Try(one, two, played, dict(zip(found.names, played.known, strict=True)))


# --- the study's rules, typed ----------------------------------------------------------------------------------------
# By key of the contender each of them equals, to the last bit.
EXAMPLES: Mapping[str, TypedRules] = {
    "elo": TypedRules(
        expected="1 / (1 + 10 ^ ((o - r) / 400))",
        k="10 if r >= 2400 else 15 if r >= 1000 else 25",
        # What White scored beyond what was expected of White, as the club's Elo counts it.
        values="s = 1 - Ew if white else El",
        winner="w + Kw * s",
        loser="l - Kl * s",
    ),
    "league": TypedRules(
        values="b = trunc(min(500, max(-500, l - w)) / 25) + 30", winner="w + b + 10", loser="l - b", start=750.0
    ),
    "solo-zerg": TypedRules(
        values="b = max(0, 100 - abs(l - w) ^ 0.6652)",
        winner="w + b",
        loser="l - b",
        floor=1000.0,
        above=3000.0,
        factor=0.75,
    ),
    "r2": TypedRules(
        values="\n".join((
            "a = w * hw",
            "c = l * hl",
            "d = min(99, abs(c - a) / 10)",
            "b = 100 - d",
            "m = 1 + (b if a > c else 100 + d) / 2000",
            "p = hw * m",
            "q = hl / m",
        )),
        winner="(w + b) * (p - 0.27) if p > 1.27 else w + b",
        loser="(l - b) / (1.79 - q) if q < 0.79 else l - b",
        winner_helper="min(1.27, p)",
        loser_helper="max(0.79, q)",
        floor=1000.0,
        above=3000.0,
        factor=0.8,
    ),
    "kd": TypedRules(
        values="s = 2 * (l + 2) / (w + 2)\nq = (1 - s / 100000) ^ 1000",
        winner="100 - (100 - w) * q",
        loser="l * q",
        start=15.0,
    ),
    # The helper value is the deviation; c = 0, one game is one period.
    "glicko": TypedRules(
        expected="1 / (1 + exp(-(1 / sqrt(1 + 3 * (log(10) / 400 * sqrt(hr * hr + ho * ho) / 3.141592653589793)"
        " * (log(10) / 400 * sqrt(hr * hr + ho * ho) / 3.141592653589793))) * (log(10) / 400) * (r - o)))",
        values="\n".join((
            "q = log(10) / 400",
            "u = q * hw / 3.141592653589793",
            "v = q * hl / 3.141592653589793",
            "x = 1 / sqrt(1 + 3 * v * v)",
            "y = 1 / sqrt(1 + 3 * u * u)",
            "e = 1 / (1 + exp(-x * q * (w - l)))",
            "f = 1 / (1 + exp(-y * q * (l - w)))",
            "a = 1 / (1 / (hw * hw) + q * q * (x * x * e * (1 - e)))",
            "b = 1 / (1 / (hl * hl) + q * q * (y * y * f * (1 - f)))",
        )),
        winner="w + q * a * x * (1 - e)",
        loser="l + q * b * y * (0 - f)",
        winner_helper="sqrt(a)",
        loser_helper="sqrt(b)",
        helper_start=350.0,
    ),
}  # fmt: skip
