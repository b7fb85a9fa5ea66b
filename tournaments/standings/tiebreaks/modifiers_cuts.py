"""Which values a cut leaves out: the least and the most significant ones (art. 14.1–14.4, 16.5)."""

from collections.abc import Callable, Sequence

from tournaments.standings.tiebreaks.unplayed import Meant


def cut_rounds(rounds: Sequence[Meant], low: int, high: int, worth: Callable[[Meant], int]) -> frozenset[int]:
    """Indices of what is cut: `low` times the least, then `high` times the most significant value; `worth` is what a
    round adds. The least is that of the lowest opponent, and of equal ones the lowest value (14.1.1). But where a round
    was missed of one's own will, the lowest of those goes first, unless it is lower than the least (16.5)."""
    left = set(range(len(rounds)))
    for _cut in range(min(low, len(rounds))):
        left.remove(_least(rounds, left, worth))
    for _cut in range(min(high, len(left))):
        left.remove(max(left, key=lambda at: (rounds[at].score, worth(rounds[at]), at)))
    return frozenset(range(len(rounds))) - left


def _least(rounds: Sequence[Meant], left: set[int], worth: Callable[[Meant], int]) -> int:
    least = min(left, key=lambda at: (rounds[at].score, worth(rounds[at]), at))
    missed = [at for at in left if rounds[at].voluntary]
    if not missed:
        return least
    lowest = min(missed, key=lambda at: (worth(rounds[at]), rounds[at].score, at))
    return lowest if worth(rounds[lowest]) >= worth(rounds[least]) else least
