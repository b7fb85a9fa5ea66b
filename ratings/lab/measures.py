"""How well ratings order players of known strength, how well they predict, and what was predicted for each game.

Order: Kendall's tau-b (M. Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945) and the share of
pairs that stand in the right order. Prediction: logarithmic loss and Brier score (G. Brier, Monthly Weather Review 78,
1950), least in the mean where the true probabilities are predicted, and the distance to those probabilities, which only
an invented world knows. Drift: how fast the mean rating moves.

Sequences may be lists or NumPy arrays; scores are White's, 1, ½ or 0; expected scores lie between 0 and 1.

Predictions are what a system expects of every game of a stream before it is rated. A system is run through the loop
that rates the club (`ratings.systems.replay`) and knows what its ledger has as the state before a game; under a rule of
periods that is the state at the period's start. Bradley–Terry, which fits a whole history at once, is fitted again and
again to the games before a stretch of games, and predicts that stretch.

Not done: weights of games; a first-move term, which the back-test adds where it is asked to.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from math import nan, sqrt
from typing import Any, NamedTuple

import numpy

from ratings.lab.contenders import Contender
from ratings.systems.base import Group, Period, PlayedGame, PlayerState, RatedGame, Side, Start
from ratings.systems.bradley_terry import expected_score, fit_group
from ratings.systems.replay import DatedRule, DatedRules, Reentry, replay
from ratings.systems.sides import RatedMember

Figures = Sequence[float] | Any  # or a NumPy array
CLIP = 1e-6  # no prediction is taken as more certain than this: one upset would cost an infinite loss


class Pairs(NamedTuple):
    """All pairs of players, by how their ratings and their strengths stand to each other. `tied`: equal ratings of
    different strengths; `equals`: equal strengths, different ratings; `alike`: both equal."""

    right: int
    wrong: int
    tied: int
    equals: int
    alike: int


def count_pairs(ratings: Figures, strengths: Figures) -> Pairs:
    """Count them, by inserting each player into the order of those before. Raises ValueError where the two differ in
    length."""
    people = sorted(zip(map(float, strengths), map(float, ratings), strict=True))
    total = len(people) * (len(people) - 1) // 2
    same_strength = _tied_pairs([strength for strength, _ in people])
    alike = _tied_pairs(people)
    in_order: list[float] = []
    wrong = 0
    for _, rating in people:
        place = bisect_right(in_order, rating)
        wrong += len(in_order) - place
        in_order.insert(place, rating)
    tied = _tied_pairs(in_order) - alike
    return Pairs(total - wrong - tied - same_strength, wrong, tied, same_strength - alike, alike)


def _tied_pairs(ordered: Sequence[Any]) -> int:
    """Pairs of equals in a sorted sequence."""
    total = run = 0
    for at in range(1, len(ordered)):
        run = run + 1 if ordered[at] == ordered[at - 1] else 0
        total += run
    return total


def kendall_tau_b(ratings: Figures, strengths: Figures) -> float:
    """Kendall's tau-b of ratings and true strengths: (right − wrong) / √(pairs of different rating × pairs of different
    strength), from −1 to 1. Where players share a strength 1 is out of reach, for pairs of equals count under one root
    only: the study's first 140 players, twenty to a strength, get √(8400 / 9730) = 0.929 from the perfect table. 0
    where all ratings or all strengths are equal."""
    pairs = count_pairs(ratings, strengths)
    decided = pairs.right + pairs.wrong
    spread = (decided + pairs.equals) * (decided + pairs.tied)
    return (pairs.right - pairs.wrong) / sqrt(spread) if spread else 0.0


def ordered_pairs(ratings: Figures, strengths: Figures) -> float:
    """Share, of all pairs of different true strength, in which the stronger has the higher rating; equal ratings count
    half. 1 is the perfect table, ½ what a blind one has. Raises ValueError where all are equally strong."""
    return share_in_order(count_pairs(ratings, strengths))


def share_in_order(pairs: Pairs) -> float:
    """The same of pairs that are counted."""
    unequal = pairs.right + pairs.wrong + pairs.tied
    if not unequal:
        raise ValueError("All are equally strong: no pair has a right order.")
    return (pairs.right + pairs.tied / 2.0) / unequal


def log_losses(expected: Figures, scores: Figures, clip: float = CLIP) -> Any:
    """Of each game −(s ln E + (1 − s) ln(1 − E)) in nats, E held between `clip` and 1 − `clip`, as an array: for paired
    differences between systems on the same games. A draw counts as half a win and half a loss, so a game drawn for
    certain still costs ln 2. Raises ValueError as `checked`."""
    found, made = checked(expected, scores)
    held = numpy.clip(found, clip, 1.0 - clip)
    return -(made * numpy.log(held) + (1.0 - made) * numpy.log1p(-held))


def log_loss(expected: Figures, scores: Figures, clip: float = CLIP) -> float:
    """Mean of `log_losses`, ln 2 = 0.693 if one always says ½. Raises ValueError as `checked` or without games."""
    return _mean(log_losses(expected, scores, clip))


def brier(expected: Figures, scores: Figures) -> float:
    """Mean of (s − E)²: ¼ for whoever always says ½ and nobody draws. Raises ValueError without games and as
    `checked`."""
    found, made = checked(expected, scores)
    return _mean((made - found) ** 2)


def probability_error(expected: Figures, truth: Figures) -> float:
    """Root mean square of expected minus true expected score, over games: 0.1 means ten points of a hundred off.
    Raises ValueError as `brier`."""
    return sqrt(brier(expected, truth))


def drift(means: Figures, every: int) -> float:
    """Points by which the mean rating moves in 1000 games: the slope of the least-squares line through `means`, the
    first taken after `every` games, the next after twice as many, and so on. 0 for fewer than two."""
    seen = numpy.asarray(means, dtype=float)
    if len(seen) < 2:
        return 0.0
    times = numpy.arange(len(seen), dtype=float)
    times -= times.mean()
    return float((times @ (seen - seen.mean())) / (times @ times)) / every * 1000.0


def checked(expected: Figures, scores: Figures) -> tuple[Any, Any]:
    """Both as arrays. Raises ValueError where they differ in length or an expected score is missing (nan) or lies
    outside 0 … 1."""
    found, made = numpy.asarray(expected, dtype=float), numpy.asarray(scores, dtype=float)
    if found.shape != made.shape:
        raise ValueError(f"{found.size} expected scores for {made.size} games.")
    if not ((found >= 0.0) & (found <= 1.0)).all():
        raise ValueError("An expected score is missing or lies outside 0 … 1.")
    return found, made


def _mean(values: Any) -> float:
    if not values.size:
        raise ValueError("No games to judge by.")
    return float(values.mean())


FITS = 20  # how often a whole history is fitted anew while it is predicted


@dataclass(frozen=True, slots=True)
class History:
    """A stream in order of replay. `games[i].game` is unlike every other's; `dated`: whether its days mean anything.
    `given`: White's and Black's rating as the source had them before the game, by `game`; only where both are known."""

    games: Sequence[PlayedGame]
    birth_years: Mapping[int, int | None]
    dated: bool
    given: Mapping[int, tuple[float, float]]

    @property
    def scores(self) -> Any:
        """White's scores, as an array."""
        return numpy.array([game.score for game in self.games])

    @property
    def sizes(self) -> Any:
        """How many scores each game has: one."""
        return numpy.ones(len(self.games), dtype=int)


@dataclass(frozen=True, slots=True)
class Predictions:
    """Of every game White's expected score, and White's lead in rating; nan where the system knew none."""

    expected: Any
    gaps: Any


# A history (of games, or of contests with sides: `ratings.lab.sides_measures`), the first game that will be scored.
Teller = Callable[[Any, int], Predictions]


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who is put to the test: `key` for commands and files, `name` for people. `first_move`: so many points are added
    for White as the first part of the games says."""

    key: str
    name: str
    tell: Teller
    first_move: bool = False


def entrant(contender: Contender, starts: Iterable[Start] = ()) -> Entrant:
    """A contender of the lab; `starts`: ratings its players bring, on its scale."""
    rules = DatedRules([DatedRule(date.min, contender.system, contender.settings)])
    return ruled(contender.key, contender.name, rules, starts)


def ruled(
    key: str, name: str, rules: DatedRules, starts: Iterable[Start] = (), reentry: Reentry | None = None
) -> Entrant:
    """A list with its dated rules, starting ratings and re-entry rule. Where the rule in force at last fits a whole
    history, that one is taken throughout."""
    brought = tuple(starts)

    def tell(history: History, first: int) -> Predictions:
        if rules.all[-1].period == Period.ALL:
            return _refitted(history, first)
        return _replayed(history, rules, brought, reentry)

    return Entrant(key, name, tell)


def entrant_of_rule(
    key: str, name: str, rule: DatedRule, starts: Iterable[Start] = (), reentry: Reentry | None = None
) -> Entrant:
    """One rule as if it had held from the first game on; `starts`, on Elo's scale, are for systems on that scale."""
    always = DatedRules([DatedRule(date.min, rule.system, rule.settings)])
    return ruled(key, name, always, starts if rule.system.elo_scale else (), reentry)


def given(key: str, name: str) -> Entrant:
    """The ratings that stand beside the games. They come from anywhere, on any scale, so only the gap is read."""

    def tell(history: History, first: int) -> Predictions:
        known = [history.given.get(game.game) for game in history.games]
        gaps = numpy.array([nan if pair is None else pair[0] - pair[1] for pair in known])
        return Predictions(numpy.full(len(known), nan), gaps)

    return Entrant(key, name, tell)


def coin(key: str, name: str) -> Entrant:
    """Whoever calls every game even: what can be had without knowing anything."""

    def tell(history: History, first: int) -> Predictions:
        count = len(history.games)
        return Predictions(numpy.full(count, 0.5), numpy.full(count, nan))

    return Entrant(key, name, tell)


def _replayed(history: History, rules: DatedRules, starts: Sequence[Start], reentry: Reentry | None) -> Predictions:
    count = len(history.games)
    place = {game.game: at for at, game in enumerate(history.games)}
    found = Predictions(numpy.full(count, nan), numpy.full(count, nan))
    births = history.birth_years
    rows = replay(history.games, starts, states={}, birth_years=births, rules=rules, reentry=reentry)
    for row in rows:
        if not isinstance(row, RatedGame) or row.white_before is None or row.black_before is None:
            continue
        at, played, rule = place[row.played.game], row.played, rules.on(row.played.rules_day)
        found.gaps[at] = row.white_before - row.black_before
        white = state_before(row.white, births.get(played.white))
        expected = rule.system.expected(rule.settings, white, state_before(row.black, births.get(played.black)))
        found.expected[at] = nan if expected is None else expected
    return found


def state_before(side: Side | RatedMember, birth_year: int | None) -> PlayerState:
    """The player as the ledger has him before the game or contest."""
    before, games, peak = side.before, side.games, side.peak
    assert before is not None
    return PlayerState(
        before, games, before if peak is None else peak, birth_year, side.deviation, side.volatility, side.coefficient,
        reached=side.reached, last_day=side.last_day, reentry=side.reentry,
    )  # fmt: skip


def _refitted(history: History, first: int) -> Predictions:
    """Bradley–Terry–Davidson, fitted to all games before each of twenty stretches of those to be scored. Whoever has
    not played yet stands at the mean, where everybody's virtual draw was played."""
    count = len(history.games)
    found = Predictions(numpy.full(count, nan), numpy.full(count, nan))
    edges = numpy.linspace(first, count, min(FITS, count - first) + 1).astype(int).tolist()
    for start, end in pairwise(edges):
        theta, nu = fit_group(Group(history.games[:start], {}, {}, 0))
        for at in range(start, end):
            game = history.games[at]
            found.expected[at] = expected_score(theta.get(game.white, 0.0) - theta.get(game.black, 0.0), nu)
    return found
