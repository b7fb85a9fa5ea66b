"""How likely an entered result is beside another that may have been meant: colours exchanged, two boards exchanged.

A result weighs odds ** score, where White's odds are e / (1 − e) of his expected score e, and the score is his 1, ½ or
0. Source: Davidson (1970), On extending the Bradley–Terry model to accommodate ties: win, draw and loss are to each
other as e, ν √(e (1 − e)) and 1 − e. Where the same games are compared with other results, ν and the sum cancel.

Not done: White's advantage, and what a rating of few games is worth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

# A winner who was expected to score less is an upset.
UPSET_BELOW = 0.03
# So many times likelier, and what stands is worth a question.
MUCH_LIKELIER = 20.0
# No table and no curve makes anybody surer than this of a game of chess.
SUREST = 0.999


@dataclass(frozen=True, slots=True)
class Entered:
    """A game by its key: White's expected score, and the score entered for him (1, ½ or 0)."""

    game: int
    expected: float
    score: float

    @property
    def odds(self) -> float:
        likely = min(max(self.expected, 1.0 - SUREST), SUREST)
        return likely / (1.0 - likely)


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two games whose results, exchanged, are so many `times` as likely together; `first` is the one named earlier."""

    first: int
    second: int
    times: float


def expected_of_winner(entered: Entered) -> float | None:
    """What the winner was expected to score, at least 1 in 1000; None after a draw."""
    if entered.score == 0.5:
        return None
    likely = entered.odds / (1.0 + entered.odds)
    return likely if entered.score == 1.0 else 1.0 - likely


def times_mirrored(entered: Entered) -> float:
    """How many times as likely as the result the one with colours exchanged is; 1 for a draw."""
    return float(entered.odds ** (1.0 - 2.0 * entered.score))


def times_exchanged(one: Entered, other: Entered) -> float:
    """How many times as likely both are together with their results exchanged; 1 where they are the same."""
    return float((one.odds / other.odds) ** (other.score - one.score))


def exchanges(entered: Sequence[Entered]) -> list[Exchange]:
    """Pairs of games whose results may have been exchanged, the likeliest first, each game in one pair at most. Each
    result has to be likelier on the other board: one surprise alone does not accuse every game beside it."""
    found = [
        Exchange(one.game, other.game, times_exchanged(one, other))
        for one, other in combinations(entered, 2)
        if one.score != other.score and _fits(one, other.score) and _fits(other, one.score)
    ]
    named: set[int] = set()
    kept = []
    for pair in sorted(found, key=lambda each: -each.times):
        if pair.times >= MUCH_LIKELIER and not named & {pair.first, pair.second}:
            named |= {pair.first, pair.second}
            kept.append(pair)
    return kept


def _fits(entered: Entered, score: float) -> bool:
    """Whether that score would be likelier there than the one entered."""
    return float(entered.odds ** (score - entered.score)) > 1.0
