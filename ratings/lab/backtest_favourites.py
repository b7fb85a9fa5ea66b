"""What a back-test says to a member: how the favourite did, and how far the system is ahead of a coin.

A calibration is cut by White's expected score. Whoever has White is nobody's question, so the bin of 20 to 30 per cent
is that of 70 to 80 seen from the other side, and the two are put together.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ratings.lab.backtest import COIN
from ratings.lab.calibration import Bin

CLEAR = 0.6  # from here on somebody is the favourite


def read_bins(values: Iterable[Mapping[str, Any]]) -> list[Bin]:
    """The bins of a report (`ratings.lab.backtest.report`) again."""
    return [_bin(each) for each in values]


def _bin(each: Mapping[str, Any]) -> Bin:
    games = each["games"]
    expected, points = ((each[name] or 0.0) * games for name in ("expected", "score"))
    return Bin(each["low"], each["high"], games, expected, points)


def favourite_bands(bins: Sequence[Bin]) -> list[Bin]:
    """The upper half of the bins, from the favourite's side: each with its mirror image added. Raises ValueError for
    an odd number of bins, whose middle one has no sides."""
    if len(bins) % 2:
        raise ValueError("An odd number of bins has a middle one, and no favourite in it.")
    pairs = zip(bins[len(bins) // 2 :], reversed(bins[: len(bins) // 2]), strict=True)
    return [
        Bin(
            own.low,
            own.high,
            own.games + other.games,
            own.expected_points + other.games - other.expected_points,
            own.points + other.games - other.points,
        )
        for own, other in pairs
    ]


def telling_band(bins: Sequence[Bin]) -> Bin:
    """The favourite's band to speak of: of those from `CLEAR` on the one with the most games (the lower of two equal
    ones); where none of them has any, the lowest."""
    bands = favourite_bands(bins)
    clear = [band for band in bands if band.low >= CLEAR - 1e-9 and band.games]
    return max(clear, key=lambda band: band.games, default=bands[0])


def ahead_of_coin(log_loss: float) -> float:
    """By which share of the coin's loss somebody errs less than it; below 0: more."""
    return 1.0 - log_loss / COIN
