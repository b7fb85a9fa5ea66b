"""The masters' forecast: exactly, by plain Monte Carlo, or by Metropolis–Hastings (`masters_chain`).

Plain: every event is drawn and played anew, so standard errors are √(p (1 − p) / n); the three stations of an event are
independent of each other and count as three for the title. Metropolis–Hastings: neighbouring samples resemble each
other, so errors come from the means of batches much longer than that resemblance lasts. Only the title of a station is
known exactly: the final order hangs on how many tenths of a point everybody has won.
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
    STATIONS,
    Chain,
    Ends,
    Floats,
    Ints,
    deal,
    exact_titles,
    outcome_table,
    play,
)

TOP = 4
BATCHES = 40
CHUNK = 20_000  # events held in memory at a time
MONTE_CARLO, METROPOLIS, EXACT = "mc", "mh", "exact"
_PER_EVENT = numpy.array([[1], [1], [STATIONS]])  # how often each of the three questions is asked in an event
Tell = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Outlook:
    """One player's probabilities and their standard errors: to be first after the event, to be among the first four, to
    win a station. None: not known by this method."""

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
    was accepted, and how many independent events the samples are worth for each of the three questions."""

    burn_in: int
    moves: int
    accepted: float
    effective_first: float
    effective_top4: float
    effective_station: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """`samples`: events played, None where none was. `chain` only of Metropolis–Hastings. Players by rating."""

    rule: Rule
    method: str
    samples: int | None
    players: tuple[Outlook, ...]
    chain: ChainReport | None = None


def exact(field: MastersField, rule: Rule) -> Forecast:
    """P(station title) over all draws and results; nothing else is known exactly."""
    titles = exact_titles(_table(field, rule))
    players = (
        Outlook(name, None, None, title, None, None, None) for name, title in zip(field.names, titles, strict=True)
    )
    return Forecast(rule, EXACT, None, tuple(players))


def monte_carlo(
    field: MastersField, rule: Rule, samples: int, random: numpy.random.Generator, tell: Tell = lambda done: None
) -> Forecast:
    """So many events drawn and played. `tell` is told how many are done. Raises ValueError for no sample."""
    if samples < 1:
        raise ValueError("A forecast needs at least one sample.")
    table = _table(field, rule)
    counts = numpy.zeros((3, len(field.names)), dtype=numpy.int64)
    done = 0
    for count in _chunks(samples):
        counts += _counts(play(field, deal(table, count, random)))
        done += count
        tell(done)
    shares = counts / (samples * _PER_EVENT)
    errors = numpy.sqrt(shares * (1.0 - shares) / (samples * _PER_EVENT))
    return Forecast(rule, MONTE_CARLO, samples, _outlooks(field, shares, errors))


def metropolis(
    field: MastersField, rule: Rule, samples: int, random: numpy.random.Generator, tell: Tell = lambda done: None
) -> Forecast:
    """So many samples of a chain, after its burn-in. Raises ValueError for fewer than four."""
    if samples < 4:
        raise ValueError("Errors from batches need at least four samples.")
    target = _table(field, rule)
    proposal = outcome_table(field, partial(by_rating, field, draws=rule is Rule.DRAWS))
    chain = Chain(target, proposal, random)
    chain.run(BURN_IN)
    chain.accepted = chain.tried = 0
    sizes = _batch_sizes(samples)
    counts = []
    for size in sizes:
        parts = [_counts(play(field, chain.run(count))) for count in _chunks(size)]
        counts.append(numpy.sum(parts, axis=0))
        tell(sum(sizes[: len(counts)]))
    means = [count / (size * _PER_EVENT) for count, size in zip(counts, sizes, strict=True)]
    shares = numpy.sum(counts, axis=0) / (samples * _PER_EVENT)
    errors = numpy.std(means, axis=0, ddof=1) / sqrt(len(sizes))
    report = ChainReport(BURN_IN, MOVES, chain.accepted / chain.tried, *_effective(shares, errors, samples))
    return Forecast(rule, METROPOLIS, samples, _outlooks(field, shares, errors), report)


# --- the parts ----------------------------------------------------------------------------------------------------
def _table(field: MastersField, rule: Rule) -> Floats:
    return outcome_table(field, partial(chances, field, rule))


def _counts(ends: Ends) -> Ints:
    """Three rows: how often each player was first, among the first four, and won a station."""
    players = ends.order.shape[1]
    asked = (ends.order[:, 0], ends.order[:, :TOP], ends.titles)
    return numpy.array([numpy.bincount(each.ravel(), minlength=players) for each in asked])


def _outlooks(field: MastersField, shares: Floats, errors: Floats) -> tuple[Outlook, ...]:
    rows = zip(field.names, shares.T.tolist(), errors.T.tolist(), strict=True)
    return tuple(Outlook(name, *found, *wrong) for name, found, wrong in rows)


def _batch_sizes(samples: int) -> list[int]:
    """Forty batches, fewer of few samples, that differ by one at most."""
    count = min(BATCHES, isqrt(samples))
    return [samples // count + (number < samples % count) for number in range(count)]


def _chunks(size: int) -> list[int]:
    return [min(CHUNK, size - start) for start in range(0, size, CHUNK)]


def _effective(shares: Floats, errors: Floats, samples: int) -> list[float]:
    """How many independent events would have errors as large, over all players together; a station counts as a third of
    an event there. Never more than were sampled."""
    spread = (shares * (1.0 - shares) / _PER_EVENT).sum(axis=1)
    squares = (errors**2).sum(axis=1)
    worth = [each / square if square > 0.0 else samples for each, square in zip(spread, squares, strict=True)]
    return [min(float(each), float(samples)) for each in worth]
