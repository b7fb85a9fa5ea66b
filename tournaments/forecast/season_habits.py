"""How a club plays, read off its games of the last year: which days, who comes, who meets whom (pure, numpy).

**Weeks.** Where nothing is planned, a week to come is a copy of one of the last year's weeks, drawn evenly: the same
weekdays, as many rounds, as well attended. Quiet weeks are copied as well, so holidays keep their share.

**Attendance.** A member comes to a play day with a chance of his own, the same on all days but for the day's own
`effect` in log-odds (a big open, a single game on a Tuesday). His chance is beta distributed: the days he came to and
those he did not, a day counting half as much after `HALF` days, added to what the club's members have in common. That
prior is the beta distribution under which everybody's attendance is likeliest (empirical Bayes; G. Casella, American
Statistician 39, 1985). His days are counted from his first one on, without it. The effect of a past day is what brings
as many as came then, by the mean chances of those who could have come.

**Rounds.** A day has as many rounds as anybody had games on it; whoever is there sits out each with the same chance.

**Opponents.** Those who are there stand in the order of their ratings, each moved by a normal number of points, and
neighbours meet. The width of that number is the one (of `WIDTHS`) at which the mean gap of past pairs comes out.

Not done: seasons of the year, habits of two who always meet, newcomers of whom nothing is known yet, repeats avoided.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import lgamma
from typing import Any

import numpy

from ratings.systems.base import PlayedGame

WEEK, YEAR = 7, 364  # days; whole weeks
HALF = 182.0  # days
WIDTHS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 1000.0)  # standard deviations of the ratings; the last: by lot
PRECISIONS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)  # days' worth of the prior that are tried
FEWEST_DAYS = 4  # with fewer play days within the year nothing is usual
LEFT_OVER = 0.5  # players a round who have no opponent, on average
LEAST = 1e-6  # of a chance, so that it has a logarithm

Floats = Any  # a numpy array of floats
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Evening:
    """What a play day is like: `rounds`, the share of them that those who came played, and how many came against the
    usual, in log-odds."""

    rounds: int
    stays: float
    effect: float


@dataclass(frozen=True, slots=True)
class Habits:
    """`players` in the order of the columns; `came` and `missed` are the two figures of each one's beta distribution.
    `weeks`: those of the last year, each its evenings by weekday (0: as the day the year ended on). `width`: how far
    neighbours may stand apart, in points."""

    players: tuple[int, ...]
    came: Floats
    missed: Floats
    weeks: tuple[tuple[tuple[int, Evening], ...], ...]
    width: float

    @property
    def rounds_a_week(self) -> float:
        return sum(evening.rounds for week in self.weeks for _day, evening in week) / len(self.weeks)

    @property
    def rates(self) -> Floats:
        """Everybody's mean chance to come to a usual day."""
        return self.came / (self.came + self.missed)


def habits_of(
    games: Iterable[PlayedGame], ratings: Mapping[int, float], until: int, rng: numpy.random.Generator
) -> Habits | None:
    """The habits of the players of `ratings` (points) by their games of the year before the day `until` (an ordinal,
    that day included); None where there were too few play days. Raises ValueError for nobody."""
    if not ratings:
        raise ValueError("Of nobody there are no habits.")
    days: dict[int, list[Pair]] = defaultdict(list)
    for game in games:
        if until - YEAR < game.day <= until and game.white in ratings and game.black in ratings:
            days[game.day].append((game.white, game.black))
    if len(days) < FEWEST_DAYS:
        return None
    players = tuple(ratings)
    in_order = sorted(days)
    there = numpy.array([_presence(days[day], players) for day in in_order])
    # Everybody's first day says that he is there, and nothing of how often he comes: it counts for neither.
    could = numpy.zeros_like(there)
    could[1:] = numpy.maximum.accumulate(there, axis=0)[:-1]
    weights = 0.5 ** ((until - numpy.array(in_order)) / HALF)
    came, of = weights @ (there * could), weights @ could
    alike = _in_common(came, of)
    own, missed = came + alike[0], of - came + alike[1]
    rates = own / (own + missed)
    effects = [_effect(rates[own > 0.0], own @ seen) for own, seen in zip(could, there, strict=True)]
    known = [(day, _evening(days[day], effect)) for day, effect in zip(in_order, effects, strict=True)]
    return Habits(players, own, missed, _weeks(known, until), _width(list(days.values()), ratings, rng))


# --- who comes ----------------------------------------------------------------------------------------------------
def _presence(pairs: Sequence[Pair], players: Sequence[int]) -> Floats:
    found = {player for pair in pairs for player in pair}
    return numpy.array([player in found for player in players], float)


def _in_common(came: Floats, of: Floats) -> tuple[float, float]:
    """The two figures of the prior: its mean is the club's, its precision the likeliest of those tried."""
    mean = float(numpy.clip(came.sum() / max(of.sum(), LEAST), 0.01, 0.99))
    likeliest = max(PRECISIONS, key=lambda size: _log_evidence(came, of, size * mean, size * (1.0 - mean)))
    return likeliest * mean, likeliest * (1.0 - mean)


def _log_evidence(came: Floats, of: Floats, own: float, missed: float) -> float:
    """Of everybody's attendance under a beta distribution (beta-binomial, without what does not depend on it)."""
    base = lgamma(own) + lgamma(missed) - lgamma(own + missed)
    return sum(
        lgamma(own + x) + lgamma(missed + n - x) - lgamma(own + missed + n) - base
        for x, n in zip(came.tolist(), of.tolist(), strict=True)
    )


# --- what days are like -------------------------------------------------------------------------------------------
def logit(chances: Floats) -> Floats:
    kept = numpy.clip(chances, LEAST, 1.0 - LEAST)
    return numpy.log(kept) - numpy.log1p(-kept)


def chances_on(rates: Floats, effect: float) -> Floats:
    """The chance of each to come on a day with that effect, by his chance on a usual one."""
    return 1.0 / (1.0 + numpy.exp(-(logit(rates) + effect)))


def _evening(pairs: Sequence[Pair], effect: float) -> Evening:
    """The evening of those pairs."""
    games = Counter(player for pair in pairs for player in pair)
    rounds = max(games.values())
    # In every round one of two odd fields leaves somebody over, who is not seen on a day of one round.
    there = len(games) + (LEFT_OVER if rounds == 1 else 0.0)
    stays = min((2.0 * len(pairs) / rounds + LEFT_OVER) / there, 1.0)
    return Evening(rounds, stays, effect)


def _effect(rates: Floats, there: float) -> float:
    """The effect at which so many of those are to be expected, by halving; none where there is nobody."""
    if not len(rates):
        return 0.0
    there = min(max(there, LEFT_OVER), len(rates) - LEFT_OVER)  # nobody and everybody lie infinitely far off
    low, high = -15.0, 15.0
    for _step in range(40):
        middle = (low + high) / 2.0
        low, high = (middle, high) if chances_on(rates, middle).sum() < there else (low, middle)
    return (low + high) / 2.0


def _weeks(days: Sequence[tuple[int, Evening]], until: int) -> tuple[tuple[tuple[int, Evening], ...], ...]:
    """The weeks up to `until` in which there could have been a day, the earliest first: from the first play day on."""
    count = (until - days[0][0]) // WEEK + 1
    weeks: list[list[tuple[int, Evening]]] = [[] for _week in range(count)]
    for day, evening in days:
        before = until - day
        weeks[count - 1 - before // WEEK].append((WEEK - 1 - before % WEEK, evening))
    return tuple(tuple(week) for week in weeks)


# --- who meets whom -----------------------------------------------------------------------------------------------
def neighbours(ratings: Floats, there: Floats, width: float, rng: numpy.random.Generator) -> Floats:
    """Pairs (… × 2) of those columns (`there`), neighbours in the order of ratings moved by that width; whoever is
    left over plays nobody, and colours fall by lot."""
    moved = ratings[there] + width * rng.standard_normal(len(there))
    order = there[numpy.argsort(moved)]
    if len(order) % 2:
        order = numpy.delete(order, rng.integers(len(order)))
    pairs = order.reshape(-1, 2)
    turned = rng.random(len(pairs)) < 0.5
    return numpy.where(turned[:, None], pairs[:, ::-1], pairs)


def _width(days: Sequence[Sequence[Pair]], ratings: Mapping[int, float], rng: numpy.random.Generator) -> float:
    """The width (points) at which neighbours stand as far apart as the pairs of those days did."""
    spread = float(numpy.std(list(ratings.values())))
    gap = numpy.mean([abs(ratings[one] - ratings[other]) for pairs in days for one, other in pairs])
    fields = [numpy.array([ratings[player] for player in {one for pair in pairs for one in pair}]) for pairs in days]
    weights = [len(pairs) for pairs in days]

    def gap_at(width: float) -> float:
        found, games = 0.0, 0
        for field, weight in zip(fields, weights, strict=True):
            pairs = neighbours(field, numpy.arange(len(field)), width, rng)
            if len(pairs):
                found += weight * float(numpy.abs(field[pairs[:, 0]] - field[pairs[:, 1]]).mean())
                games += weight
        return found / max(games, 1)

    return min((share * spread for share in WIDTHS), key=lambda width: abs(gap_at(width) - gap))
