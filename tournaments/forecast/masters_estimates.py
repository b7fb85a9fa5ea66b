"""The masters' forecast: exactly, by plain Monte Carlo, or by Metropolis–Hastings (`masters_chain`).

Plain: every event is drawn and played anew, so standard errors are √(p (1 − p) / n); the three stations of an event are
independent of each other and count as three for the title. Metropolis–Hastings: neighbouring samples resemble each
other, so errors come from the means of batches much longer than that resemblance lasts. Only the title of a station is
known exactly: the final order hangs on how many tenths of a point everybody has won.

Several chains begin far apart, at the likeliest and the unlikeliest results in turn, and are put together; split-R̂ says
whether they agree (`posterior.split_rhat`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import isqrt, sqrt

import numpy

from tournaments.forecast.masters import MastersField, Rule, by_rating, chances
from tournaments.forecast.masters_chain import (
    BURN_IN,
    MOVES,
    USUAL,
    Chain,
    Ends,
    Floats,
    Ints,
    Plan,
    deal,
    exact_titles,
    outcome_table,
    play,
)
from tournaments.forecast.posterior import split_rhat

BATCHES = 40  # of a chain
LEAST = 0.05  # chance of a possible outcome in a proposal, before all are made to add up
CHUNK = 20_000  # events held in memory at a time
MONTE_CARLO, METROPOLIS, EXACT = "mc", "mh", "exact"
Tell = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Outlook:
    """One player's probabilities and their standard errors: to be first after the event, to be among the first four (of
    others than eight: in the upper half), to win a station. None: not known by this method."""

    name: str
    p_first: float | None
    p_top4: float | None
    p_station: float
    se_first: float | None
    se_top4: float | None
    se_station: float | None


@dataclass(frozen=True, slots=True)
class ChainReport:
    """How the chain moved: samples thrown away at its start, moves from one sample to the next, the share of moves that
    was accepted, and how many independent events the samples are worth for each of the three questions. `rhat`: the
    largest split-R̂ of all players and questions, 1 where the chains agree."""

    burn_in: int
    moves: int
    accepted: float
    effective_first: float
    effective_top4: float
    effective_station: float
    rhat: float = 1.0


@dataclass(frozen=True, slots=True)
class Forecast:
    """`samples`: events played, None where none was. `chain` only of Metropolis–Hastings. Players by rating."""

    rule: Rule
    method: str
    samples: int | None
    players: tuple[Outlook, ...]
    chain: ChainReport | None = None


def exact(field: MastersField, rule: Rule, plan: Plan = USUAL) -> Forecast:
    """P(station title) over all draws and results; nothing else is known exactly."""
    titles = exact_titles(_table(field, rule), plan)
    players = (
        Outlook(name, None, None, title, None, None, None) for name, title in zip(field.names, titles, strict=True)
    )
    return Forecast(rule, EXACT, None, tuple(players))


def monte_carlo(
    field: MastersField,
    rule: Rule,
    samples: int,
    random: numpy.random.Generator,
    tell: Tell = lambda done: None,
    plan: Plan = USUAL,
) -> Forecast:
    """So many events drawn and played. `tell` is told how many are done. Raises ValueError for no sample."""
    if samples < 1:
        raise ValueError("A forecast needs at least one sample.")
    table, asked = _table(field, rule), _per_event(plan)
    counts = numpy.zeros((3, len(field.names)), dtype=numpy.int64)
    done = 0
    for count in _chunks(samples):
        counts += _counts(play(field, deal(table, count, random, plan))).sum(axis=0)
        done += count
        tell(done)
    shares = counts / (samples * asked)
    errors = numpy.sqrt(shares * (1.0 - shares) / (samples * asked))
    return Forecast(rule, MONTE_CARLO, samples, _outlooks(field, shares, errors))


def metropolis(
    field: MastersField,
    rule: Rule,
    samples: int,
    random: numpy.random.Generator,
    tell: Tell = lambda done: None,
    plan: Plan = USUAL,
    chains: int = 1,
) -> Forecast:
    """So many samples of each chain, after its burn-in. Raises ValueError for fewer than four."""
    if samples < 4:
        raise ValueError("Errors from batches need at least four samples.")
    target, asked = _table(field, rule), _per_event(plan)
    proposal = _open_to_all(target, outcome_table(field, partial(by_rating, field, draws=rule is Rule.DRAWS)))
    runs, means, moves = [], [], numpy.zeros(2)
    for number in range(chains):
        chain = Chain(target, proposal, random, plan, far=number % 2 == 1)
        chain.run(BURN_IN)
        chain.accepted = chain.tried = 0
        counts = []
        for size in _batch_sizes(samples):
            batch = numpy.concatenate([_counts(play(field, chain.run(count))) for count in _chunks(size)])
            counts.append(batch)
            means.append(batch.sum(axis=0) / (size * asked))
            tell(number * samples + sum(map(len, counts)))
        runs.append(numpy.concatenate(counts))
        moves += chain.accepted, chain.tried
    shares = numpy.sum(runs, axis=(0, 1)) / (chains * samples * asked)
    errors = numpy.std(means, axis=0, ddof=1) / sqrt(len(means))
    first, top4, station = _effective(shares, errors, chains * samples, asked)
    accepted, rhat = float(moves[0] / moves[1]), _worst_rhat(numpy.array(runs))
    report = ChainReport(BURN_IN, MOVES, accepted, first, top4, station, rhat)
    return Forecast(rule, METROPOLIS, chains * samples, _outlooks(field, shares, errors), report)


# --- the parts ----------------------------------------------------------------------------------------------------
def _table(field: MastersField, rule: Rule) -> Floats:
    return outcome_table(field, partial(chances, field, rule))


def _open_to_all(target: Floats, proposal: Floats) -> Floats:
    """The proposal with a chance for whatever the rule knows as possible: a gap of ratings may leave none."""
    least = numpy.where(target > 0.0, LEAST, 0.0)
    short = (proposal < least).any(axis=2)
    raised = numpy.maximum(proposal[short], least[short])
    opened = proposal.copy()
    opened[short] = raised / raised.sum(axis=1, keepdims=True)
    return opened


def _per_event(plan: Plan) -> Ints:
    """How often each of the three questions is asked in an event."""
    return numpy.array([[1], [1], [plan.stations]])


def _counts(ends: Ends) -> Ints:
    """Of each event how often each player was first, in the upper half, and won a station (events × 3 × players)."""
    events, players = ends.order.shape
    counts = numpy.zeros((events, 3, players), dtype=numpy.int64)
    rows = numpy.arange(events)
    for question, asked in enumerate((ends.order[:, :1], ends.order[:, : players // 2], ends.titles)):
        for who in asked.T:
            counts[rows, question, who] += 1
    return counts


def _worst_rhat(runs: Ints) -> float:
    """Of the chains (chains × samples × 3 × players) in any question about any player."""
    return max(split_rhat(runs[:, :, question, who]) for question in range(3) for who in range(runs.shape[3]))


def _outlooks(field: MastersField, shares: Floats, errors: Floats) -> tuple[Outlook, ...]:
    rows = zip(field.names, shares.T.tolist(), errors.T.tolist(), strict=True)
    return tuple(Outlook(name, *found, *wrong) for name, found, wrong in rows)


def _batch_sizes(samples: int) -> list[int]:
    """Forty batches, fewer of few samples, that differ by one at most."""
    count = min(BATCHES, isqrt(samples))
    return [samples // count + (number < samples % count) for number in range(count)]


def _chunks(size: int) -> list[int]:
    return [min(CHUNK, size - start) for start in range(0, size, CHUNK)]


def _effective(shares: Floats, errors: Floats, samples: int, asked: Ints) -> list[float]:
    """How many independent events would have errors as large, over all players together; a station counts as a part of
    an event there (`asked`). Never more than were sampled."""
    spread = (shares * (1.0 - shares) / asked).sum(axis=1)
    squares = (errors**2).sum(axis=1)
    worth = [each / square if square > 0.0 else samples for each, square in zip(spread, squares, strict=True)]
    return [min(float(each), float(samples)) for each in worth]
