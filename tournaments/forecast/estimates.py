"""A forecast of a whole event: exactly, by plain Monte Carlo, or by Metropolis–Hastings (`tournaments.forecast.chain`).

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

from tournaments.forecast.chain import BURN_IN, MOVES, Chain
from tournaments.forecast.masters import Contest, Rule, by_rating, chances
from tournaments.forecast.station import STATIONS, Ends, Floats, deal, exact_titles, outcome_table, play

TOP = 4
BATCHES = 40
CHUNK = 20_000  # events held in memory at a time
MONTE_CARLO, METROPOLIS, EXACT = "mc", "mh", "exact"
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


def exact(contest: Contest, rule: Rule) -> Forecast:
    """P(station title) over all draws and results; nothing else is known exactly."""
    titles = exact_titles(_table(contest, rule))
    players = (
        Outlook(name, None, None, title, None, None, None) for name, title in zip(contest.names, titles, strict=True)
    )
    return Forecast(rule, EXACT, None, tuple(players))


def monte_carlo(
    contest: Contest, rule: Rule, samples: int, random: numpy.random.Generator, tell: Tell = lambda done: None
) -> Forecast:
    """So many events drawn and played. `tell` is told how many are done. Raises ValueError for no sample."""
    if samples < 1:
        raise ValueError("A forecast needs at least one sample.")
    table = _table(contest, rule)
    sums = numpy.zeros((3, len(contest.names)))
    for start in range(0, samples, CHUNK):
        count = min(CHUNK, samples - start)
        sums += count * _shares(play(contest, deal(table, count, random)))
        tell(start + count)
    shares = sums / samples
    spread = numpy.sqrt(shares * (1.0 - shares))
    errors = spread / numpy.sqrt([[samples], [samples], [STATIONS * samples]])
    return Forecast(rule, MONTE_CARLO, samples, _outlooks(contest, shares, errors))


def metropolis(
    contest: Contest, rule: Rule, samples: int, random: numpy.random.Generator, tell: Tell = lambda done: None
) -> Forecast:
    """So many samples of a chain, after its burn-in. Raises ValueError for fewer than four."""
    if samples < 4:
        raise ValueError("Errors from batches need at least four samples.")
    target = _table(contest, rule)
    proposal = outcome_table(contest, partial(by_rating, contest, draws=rule is Rule.DRAWS))
    chain = Chain(target, proposal, random)
    chain.run(BURN_IN)
    chain.accepted = chain.tried = 0
    sizes = _batch_sizes(samples)
    means = []
    for size in sizes:
        parts = [_shares(play(contest, chain.run(count))) * count for count in _chunks(size)]
        means.append(sum(parts) / size)
        tell(sum(sizes[: len(means)]))
    batches = numpy.array(means)
    shares = numpy.average(batches, axis=0, weights=sizes)
    errors = batches.std(axis=0, ddof=1) / sqrt(len(sizes))
    report = ChainReport(BURN_IN, MOVES, chain.accepted / chain.tried, *_effective(shares, errors, samples))
    return Forecast(rule, METROPOLIS, samples, _outlooks(contest, shares, errors), report)


# --- the parts ----------------------------------------------------------------------------------------------------
def _table(contest: Contest, rule: Rule) -> Floats:
    return outcome_table(contest, partial(chances, contest, rule))


def _shares(ends: Ends) -> Floats:
    """Three rows: how often each player was first, among the first four, and won a station (a third for one of three)."""
    events, players = ends.order.shape
    first = numpy.bincount(ends.order[:, 0], minlength=players) / events
    top = numpy.bincount(ends.order[:, :TOP].ravel(), minlength=players) / events
    titles = numpy.bincount(ends.titles.ravel(), minlength=players) / ends.titles.size
    return numpy.array([first, top, titles])


def _outlooks(contest: Contest, shares: Floats, errors: Floats) -> tuple[Outlook, ...]:
    rows = zip(contest.names, shares.T.tolist(), errors.T.tolist(), strict=True)
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
    spread = (shares * (1.0 - shares)).sum(axis=1) / numpy.array([1, 1, STATIONS])
    squares = (errors**2).sum(axis=1)
    worth = [each / square if square > 0.0 else samples for each, square in zip(spread, squares, strict=True)]
    return [min(float(each), float(samples)) for each in worth]
