"""Parts of the tie-breaks that are sums over opponents: how they are shown, and which are cut (pure).

Amounts are in shown points, with a note where a round needs one. `cut_rounds`: which values a cut leaves out, the least
and the most significant ones (FIDE C.07 art. 14.1–14.4, 16.5).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Part
from tournaments.standings.tiebreaks.unplayed import Category, Meant

DUMMY = marked("Not played: counts as a game against a dummy with one’s own points.")
DUMMY_DRAWS = marked("Not played: counts as a game against a dummy that drew in every round.")
DUMMY_DUE = marked("Not played: counts as a game against a dummy with the points of the opponent due.")
MISSED_AT_THE_END = marked("The rounds this opponent missed at the end count as draws.")


@lru_cache(maxsize=8192)
def shown(number: int, unit: int = 1) -> Fraction:
    """A number of `unit`ths, exact. Cached, since the same few numbers are asked for again and again."""
    return Fraction(number, unit)


def score_part(meant: Meant, contest: Contest, *, cut: bool) -> Part:
    """A round that adds the opponent's score."""
    opponent = 0 if meant.is_dummy else meant.turn.opponent
    amount = shown(meant.score, contest.points.unit)
    return Part(meant.turn.round, opponent, amount, (), cut, _note(meant, contest))


def product_part(meant: Meant, contest: Contest, *, cut: bool, taken_unit: int = 0) -> Part:
    """A round that adds the opponent's score times the points taken from him; `taken_unit`: the unit of the points
    taken, where it is not the contest's."""
    unit, taken = contest.points.unit, taken_unit or contest.points.unit
    opponent = 0 if meant.is_dummy else meant.turn.opponent
    factors = (shown(meant.score, unit), shown(meant.turn.points, taken))
    return Part(meant.turn.round, opponent, shown(meant.product, unit * taken), factors, cut, _note(meant, contest))


def _note(meant: Meant, contest: Contest) -> str:
    if not meant.is_dummy:
        return MISSED_AT_THE_END if meant.score != contest.table[meant.turn.opponent].points else ""
    if meant.capped:
        return DUMMY_DUE if meant.turn.category in (Category.FORFEIT_WIN, Category.FORFEIT_LOSS) else DUMMY_DRAWS
    return DUMMY


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
