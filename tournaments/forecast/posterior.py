"""How strong a field is, as far as its games tell: Bayesian strengths, drawn by Markov chains (pure, numpy).

Every player's strength is one number in Elo points. Before the games it is normal (`Prior`); a game between strengths
ends by Davidson's model with the list's ν (`ratings.systems.draws`), the same odds that the playouts use. Games within
the field and games against outsiders count alike; an outsider's strength is held fixed. Odds come from a table by the
gap, a point apart, interpolated linearly. Not done: drift of strength in time, White's advantage, strong players
drawing more often.

The sampler is component-wise random-walk Metropolis (N. Metropolis et al., J. Chem. Phys. 21, 1953; A. Gelman et al.,
Bayesian Data Analysis, 3rd ed. (2013), ch. 11). In a sweep each player is offered a step; those who have not met each
other are moved at once, for the games of one say nothing about the other. Then everybody together is offered one
common step, because games within the field do not show how strong all of it is. Chains run side by side as rows of
arrays and start from the prior. Step widths are tuned during the warm-up only, so that the draws kept have the target
as their distribution.

`split_rhat` and `effective_size` measure whether the chains agree, and how many independent draws they are worth
(Gelman et al., 11.4 and 11.5; A. Vehtari, A. Gelman, D. Simpson, B. Carpenter, P.-C. Bürkner, "Rank-normalization,
folding, and localization: An improved R̂", Bayesian Analysis 16 (2021), section 3). Every chain is cut into halves, so
that one that drifts disagrees with itself; autocorrelations are summed in pairs as long as a pair is positive, each
pair at most as large as the one before (C. Geyer, 1992). Not done: ranks in place of values (the draws have light
tails), tails and quantiles.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isfinite, log, log10, sqrt
from typing import Any, NamedTuple

import numpy

from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tournaments.forecast.outlook import Strengths, Tell

Floats = Any  # an array of chains × draws


# --- what is drawn ------------------------------------------------------------------------------------------------
SCORES = (1.0, 0.5, 0.0)  # win, draw, loss: the rows of the table of odds
REACH = 3_000  # points; a wider gap counts as this one
LEAST = 1e-12  # probability of what the model takes for impossible, so that a chain can leave such a state
AIM = 0.44  # share of steps accepted at which one component moves fastest (Gelman et al., ch. 12)
FIRST_STEP = 100.0  # Elo points, before tuning


class Prior(NamedTuple):
    """What is known of a player without the games: mean and standard deviation, Elo points."""

    mean: float
    deviation: float


class Meeting(NamedTuple):
    """A game of two of the field; `score` is that of `one`: 1, ½ or 0."""

    one: int
    other: int
    score: float


class Outside(NamedTuple):
    """A game of one of the field against somebody whose strength is held at `opponent` (Elo points)."""

    player: int
    opponent: float
    score: float


@dataclass(frozen=True, slots=True)
class Plan:
    """`chains` side by side; `warm_up` sweeps thrown away, then `kept` draws a chain, so many sweeps `apart`."""

    chains: int = 8
    warm_up: int = 300
    kept: int = 300
    apart: int = 4

    def __post_init__(self) -> None:
        if self.chains < 2 or self.kept < 4 or self.warm_up < 1 or self.apart < 1:
            raise ValueError("Chains are compared with each other: at least two, with four draws each.")

    @property
    def sweeps(self) -> int:
        return self.warm_up + self.kept * self.apart


USUAL = Plan()


@dataclass(frozen=True, slots=True)
class Posterior:
    """`chains`: the draws (kept × chains × players), Elo points. `accepted`: the share of steps taken after the
    warm-up, by player; `shifts` that of the common steps. `rate`: ν."""

    players: tuple[int, ...]
    chains: Floats
    accepted: tuple[float, ...]
    shifts: float
    rate: float

    def strengths(self, draws: int | None = None) -> Strengths:
        """The draws as a forecast takes them, those of one sweep together: all, or the first so many."""
        flat = self.chains.reshape(-1, len(self.players))
        return Strengths(self.players, flat[:draws], self.rate)

    def rhat(self, player: int) -> float:
        """Split-R̂: near 1 where the chains agree."""
        return split_rhat(self._of(player))

    def effective(self, player: int) -> float:
        """How many independent draws the mean is worth."""
        return effective_size(self._of(player))

    def _of(self, player: int) -> Floats:
        return self.chains[:, :, self.players.index(player)].T


def posterior(
    priors: Mapping[int, Prior],
    meetings: Sequence[Meeting],
    outside: Sequence[Outside],
    rate: float,
    *,
    plan: Plan = Plan(),
    rng: numpy.random.Generator,
    tell: Tell = lambda done, of: None,
) -> Posterior:
    """Strengths of those in `priors` (players in its order) given the games; `rate` is Davidson's ν. `tell` is called
    with the sweeps done. Raises ValueError for nobody, a prior or ν that is none, a game of a stranger or with another
    score."""
    _check(priors, meetings, outside, rate)
    field = _Field(priors, meetings, outside, rate)
    walk = _Walk(field, plan.chains, rng)
    for sweep in range(plan.warm_up):
        walk.sweep()
        walk.tune(sweep)
        tell(sweep + 1, plan.sweeps)
    walk.taken[:] = 0.0  # steps accepted are counted from here on
    kept = numpy.empty((plan.kept, plan.chains, len(priors)))
    for draw in range(plan.kept):
        for _sweep in range(plan.apart):
            walk.sweep()
        kept[draw] = walk.at
        tell(plan.warm_up + (draw + 1) * plan.apart, plan.sweeps)
    tried = plan.kept * plan.apart * plan.chains
    accepted = (walk.taken / tried).tolist()
    return Posterior(tuple(priors), kept, tuple(accepted[:-1]), accepted[-1], rate)


def _check(priors: Mapping[int, Prior], meetings: Sequence[Meeting], outside: Sequence[Outside], rate: float) -> None:
    if not priors:
        raise ValueError("There is nobody whose strength could be drawn.")
    if not (isfinite(rate) and rate > 0.0):
        raise ValueError(f"Draws come at a rate ν above 0, not at {rate}.")
    for player, prior in priors.items():
        if not (isfinite(prior.mean) and isfinite(prior.deviation) and prior.deviation > 0.0):
            raise ValueError(f"The prior of player {player} needs a finite mean and a deviation above 0.")
    for score in (*(met.score for met in meetings), *(played.score for played in outside)):
        if score not in SCORES:
            raise ValueError(f"A game scores 1, ½ or 0, not {score}.")
    for met in meetings:
        if met.one == met.other or met.one not in priors or met.other not in priors:
            raise ValueError(f"{met.one} and {met.other} are not two players of the field.")
    for played in outside:
        if played.player not in priors or not isfinite(played.opponent):
            raise ValueError(f"A game of {played.player} against {played.opponent} is none of the field's.")


# --- the games, grouped beforehand --------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Class:
    """Players who have not met each other, with all their games: where their rows of the table of odds begin (`rows`)
    and `weights` (games of one kind against one opponent are one entry), `own` and `other` strengths by place, `starts`
    the first entry of each of the `players`, `whose` the player of each entry, counted within the class. `mean` and
    `variance` are the players' priors."""

    players: Floats
    own: Floats
    other: Floats
    rows: Floats
    weights: Floats
    starts: Floats
    whose: Floats
    mean: Floats
    variance: Floats


class _Field:
    """Places instead of players: first the field's own, behind them the fixed strengths it met."""

    def __init__(
        self, priors: Mapping[int, Prior], meetings: Iterable[Meeting], outside: Iterable[Outside], rate: float
    ) -> None:
        place = {player: at for at, player in enumerate(priors)}
        fixed = sorted({played.opponent for played in outside})
        beyond = {opponent: len(place) + at for at, opponent in enumerate(fixed)}
        self.mean = numpy.array([prior.mean for prior in priors.values()])
        self.deviation = numpy.array([prior.deviation for prior in priors.values()])
        self.fixed = numpy.array(fixed)
        self.table, self.slopes = _log_odds(rate)
        self.size = len(place)
        # (opponent's place, row of the table) → how many games, by player
        games: list[Counter[tuple[int, int]]] = [Counter() for _player in place]
        for one, other, score in meetings:
            games[place[one]][place[other], SCORES.index(score)] += 1
            games[place[other]][place[one], SCORES.index(1.0 - score)] += 1
        for player, opponent, score in outside:
            games[place[player]][beyond[opponent], SCORES.index(score)] += 1
        self.classes = [self._class(members, games) for members in self._apart(games)]
        abroad = [Counter({key: n for key, n in own.items() if key[0] >= self.size}) for own in games]
        self.everybody = self._class(range(self.size), abroad)

    def _apart(self, games: Sequence[Counter[tuple[int, int]]]) -> Iterator[list[int]]:
        """The field in as few classes of players who have not met as a greedy colouring finds, most met first."""
        met = [{other for other, _row in own if other < self.size} for own in games]
        colours: dict[int, int] = {}
        for player in sorted(range(self.size), key=lambda player: -len(met[player])):
            taken = {colours[other] for other in met[player] if other in colours}
            colours[player] = next(colour for colour in range(self.size) if colour not in taken)
        for colour in range(max(colours.values()) + 1):
            yield sorted(player for player in colours if colours[player] == colour)

    def _class(self, members: Iterable[int], games: Sequence[Counter[tuple[int, int]]]) -> _Class:
        players, starts = list(members), []
        entries: list[tuple[int, int, int, int]] = []
        for player in players:
            starts.append(len(entries))
            # Whoever has no game has one that does not count, so that every player has an entry to sum up.
            own = games[player] or {(player, 0): 0}
            entries += [(player, other, row, count) for (other, row), count in sorted(own.items())]
        own_place, other, rows, weights = (numpy.array(column) for column in zip(*entries, strict=True))
        whose = numpy.repeat(numpy.arange(len(players)), numpy.diff(starts, append=len(entries)))
        return _Class(
            players=numpy.array(players),
            own=own_place,
            other=other,
            rows=rows * (2 * REACH + 1),
            weights=weights.astype(float),
            starts=numpy.array(starts),
            whose=whose,
            mean=self.mean[players],
            variance=self.deviation[players] ** 2,
        )

    def log_likelihood(self, here: _Class, gaps: Floats) -> Floats:
        """Log-likelihood of a class's games by player (… × players) at those gaps (… × entries)."""
        at = numpy.minimum(numpy.maximum(gaps + REACH, 0.0), 2 * REACH - 1e-9)
        below = at.astype(numpy.intp)
        part = at - below
        below += here.rows
        each = (self.table.take(below) + part * self.slopes.take(below)) * here.weights
        return numpy.add.reduceat(each, here.starts, axis=-1)


@lru_cache(maxsize=8)
def _log_odds(rate: float) -> tuple[Floats, Floats]:
    """Logarithms of win, draw and loss at every whole gap from −REACH to REACH, one after the other, and how far it is
    from each to the next."""
    odds = [odds_of(expected_score(float(gap), 0.0), rate) for gap in range(-REACH, REACH + 1)]
    kinds = ([each.win for each in odds], [each.draw for each in odds], [each.loss for each in odds])
    table = numpy.array([[log(max(chance, LEAST)) for chance in kind] for kind in kinds])
    return table.ravel(), numpy.diff(table, axis=1, append=table[:, -1:]).ravel()


# --- the walk -----------------------------------------------------------------------------------------------------
class _Walk:
    """Chains at one moment: `at` (chains × players). `steps` are the widths of the players' steps and, last, of the
    common one; `taken` counts those accepted in all chains."""

    def __init__(self, field: _Field, chains: int, rng: numpy.random.Generator) -> None:
        self.field, self.rng = field, rng
        start = field.mean + field.deviation * rng.standard_normal((chains, field.size))
        fixed = numpy.broadcast_to(field.fixed, (chains, len(field.fixed)))
        self._places = numpy.concatenate([start, fixed], axis=1)
        self.at = self._places[:, : field.size]  # a view: what moves here moves there
        self.steps = numpy.full(field.size + 1, FIRST_STEP)
        self.taken = numpy.zeros(field.size + 1)
        self._seen = self.taken.copy()

    def sweep(self) -> None:
        """One step offered to each player, then one to all together."""
        for each in self.field.classes:
            steps = self.steps[each.players] * self.rng.standard_normal((len(self.at), len(each.players)))
            yes = self._accepts(self._gains(each, steps))
            self.at[:, each.players] += steps * yes
            self.taken[each.players] += yes.sum(axis=0)
        common = self.steps[-1] * self.rng.standard_normal((len(self.at), 1))
        gains = self._gains(self.field.everybody, numpy.broadcast_to(common, self.at.shape))
        yes = self._accepts(gains.sum(axis=1, keepdims=True))
        self.at += common * yes
        self.taken[-1] += yes.sum()

    def tune(self, sweep: int) -> None:
        """Wider steps where too many are taken, narrower where too few, ever more cautiously."""
        share = (self.taken - self._seen) / len(self.at)
        self._seen = self.taken.copy()
        self.steps *= numpy.exp((share - AIM) * 2.0 / (1.0 + sweep / 10.0) ** 0.6)

    def _accepts(self, gains: Floats) -> Floats:
        return numpy.log1p(-self.rng.random(gains.shape)) < gains

    def _gains(self, here: _Class, steps: Floats) -> Floats:
        """How much the logarithm of the target grows for each of the class (chains × players of it) by these steps of
        theirs, everybody else standing still or, in a common step, having no game with them in the class."""
        now = self.at.take(here.players, axis=1)
        gaps = numpy.empty((2, len(self.at), len(here.own)))
        numpy.subtract(self._places.take(here.own, axis=1), self._places.take(here.other, axis=1), out=gaps[0])
        numpy.add(gaps[0], steps.take(here.whose, axis=1), out=gaps[1])
        before, after = self.field.log_likelihood(here, gaps)
        prior = ((now - here.mean) ** 2 - (now + steps - here.mean) ** 2) / (2.0 * here.variance)
        return after - before + prior


# --- whether the chains agree -------------------------------------------------------------------------------------
def split_rhat(chains: Floats) -> float:
    """R̂ of chains (rows) cut into halves: √(variance pooled over all / mean variance within), 1 where they agree.

    Chains that never move are one where all stand on the same spot and infinite where they do not. Raises ValueError
    for fewer than four draws."""
    halves = _halves(chains)
    within, pooled = _variances(halves)
    if within == 0.0:
        return 1.0 if pooled == 0.0 else inf
    return sqrt(pooled / within)


def effective_size(chains: Floats) -> float:
    """How many independent draws give the mean as precisely as these do, over all chains.

    At most N log₁₀ N of N draws, as chains that swing to and fro would claim more. Zero where nothing moves. Raises
    ValueError for fewer than four draws."""
    halves = _halves(chains)
    within, pooled = _variances(halves)
    if within == 0.0:
        return 0.0
    kept = halves.shape[1]
    # 1 − (W − mean autocovariance at lag t) / var⁺, with autocovariances of the same denominator as W
    covariance = _autocovariances(halves).mean(axis=0) * kept / (kept - 1)
    correlation = 1.0 - (within - covariance) / pooled
    correlation[0] = 1.0
    pairs = correlation[: kept // 2 * 2].reshape(-1, 2).sum(axis=1)
    stop = int(numpy.argmax(pairs <= 0.0)) if (pairs <= 0.0).any() else len(pairs)
    time = -1.0 + 2.0 * float(numpy.minimum.accumulate(pairs[:stop]).sum())
    size: int = halves.size
    return size / max(time, 1.0 / log10(size))


def _halves(chains: Floats) -> Floats:
    """Twice as many chains of half the length; of an odd number of draws the middle one is left out."""
    kept = chains.shape[1]
    if kept < 4:
        raise ValueError(f"Chains of {kept} draws cannot be compared: at least four.")
    half = kept // 2
    return numpy.concatenate([chains[:, :half], chains[:, kept - half :]])


def _variances(chains: Floats) -> tuple[float, float]:
    """W, the mean variance within the chains, and var⁺ = (n − 1)/n W + the variance of their means."""
    kept = chains.shape[1]
    within = float(chains.var(axis=1, ddof=1).mean())
    return within, (kept - 1) / kept * within + float(chains.mean(axis=1).var(ddof=1))


def _autocovariances(chains: Floats) -> Floats:
    """Of every chain at every lag (chains × lags), by the fast Fourier transform, padded so that nothing wraps."""
    kept = chains.shape[1]
    away = chains - chains.mean(axis=1, keepdims=True)
    waves = numpy.fft.rfft(away, n=2 * kept, axis=1)
    return numpy.fft.irfft(waves * waves.conj(), n=2 * kept, axis=1)[:, :kept] / kept
