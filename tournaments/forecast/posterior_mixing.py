"""Whether Markov chains tell the same, and how much (pure): split-R̂ and effective sample size.

Source: A. Gelman et al., Bayesian Data Analysis, 3rd ed. (2013), 11.4 and 11.5; A. Vehtari, A. Gelman, D. Simpson,
B. Carpenter, P.-C. Bürkner, "Rank-normalization, folding, and localization: An improved R̂", Bayesian Analysis 16
(2021), section 3. Every chain is cut into halves, so that one that wanders disagrees with itself; autocorrelations are
summed in pairs as long as a pair is positive, each pair at most as large as the one before (C. Geyer, 1992).

Not done: ranks in place of values (the draws here have light tails), tails and quantiles.
"""

from math import inf, log10, sqrt
from typing import Any

import numpy

Floats = Any  # an array of chains × draws


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
    """How many independent draws tell the mean as well as these do, over all chains.

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
