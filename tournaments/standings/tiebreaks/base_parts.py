"""How the parts of the sums over opponents are written: amounts in shown points, and what needs saying of a round."""

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
    """A number of `unit`ths, exact. Kept, since the same few come again and again."""
    return Fraction(number, unit)


def score_part(meant: Meant, contest: Contest, *, cut: bool) -> Part:
    """A round that adds the opponent's score."""
    opponent = 0 if meant.is_dummy else meant.turn.opponent
    amount = shown(meant.score, contest.points.unit)
    return Part(meant.turn.round, opponent, amount, (), cut, _note(meant, contest))


def product_part(meant: Meant, contest: Contest, *, cut: bool) -> Part:
    """A round that adds the opponent's score times the points taken from him."""
    unit = contest.points.unit
    opponent = 0 if meant.is_dummy else meant.turn.opponent
    factors = (shown(meant.score, unit), shown(meant.turn.points, unit))
    return Part(meant.turn.round, opponent, shown(meant.product, unit * unit), factors, cut, _note(meant, contest))


def _note(meant: Meant, contest: Contest) -> str:
    if not meant.is_dummy:
        return MISSED_AT_THE_END if meant.score != contest.table[meant.turn.opponent].points else ""
    if meant.capped:
        return DUMMY_DUE if meant.turn.category in (Category.FORFEIT_WIN, Category.FORFEIT_LOSS) else DUMMY_DRAWS
    return DUMMY
