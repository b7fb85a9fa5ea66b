"""Performance ratings: the printed example of each rule, and what clubs published."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import expected_score
from ratings.systems.fide_tables import expected_percent
from ratings.systems.performance import (
    average_opponents,
    performance_400,
    performance_fide,
    performance_linear,
    performance_logistic,
    performance_perfect,
)
from ratings.systems.us_chess import expected_special
from tests import ROOT

DATA = ROOT / "tests" / "data"
VARIATIONS = sorted(DATA.glob("*.fide_variation.csv"))

GAMES = st.lists(st.tuples(st.integers(100, 3000), st.sampled_from([1.0, 0.5, 0.0])), min_size=1, max_size=15)


@dataclass(frozen=True)
class Variation:
    """One player's row of a club event's published changes. `k`: every K that gives the published change."""

    event: str
    day: int
    own: int
    opponents: list[int]
    scores: list[float]
    k: list[int]
    hundredths: int
    change: int
    average: int
    performance: int


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def whole_numbers(cell: str) -> list[int]:
    return [int(part) for part in cell.split(";")]


def scores_of(cell: str) -> list[float]:
    return [float(part) for part in cell.split(";")]


def variations(paths: Iterable[Path]) -> list[Variation]:
    return [_variation(path, row) for path in paths for row in rows_of(path)]


def _variation(path: Path, row: dict[str, str]) -> Variation:
    event = path.name.removesuffix(".fide_variation.csv")
    return Variation(
        event,
        # Nobody here stands at 2650 or above, so the year in the name settles which rules hold.
        date(int(event.removeprefix("hb")[:4]), 7, 1).toordinal(),
        int(row["fide_rating"]),
        whole_numbers(row["opponents_fide_ratings"]),
        scores_of(row["scores"]),
        [int(k) for k in row["K_consistent_with_published"].split("/")],
        round(100 * float(row["sum_score_minus_PD"])),
        int(row["published_rating_change"]),
        int(row["published_ARO"]),
        int(row["published_Rp"]),
    )


def check(row: Variation) -> None:
    assert average_opponents(row.opponents) == row.average, row
    assert performance_fide(row.opponents, row.scores) == row.performance, row


def test_the_algorithm_of_400_as_the_diary_prints_it() -> None:
    found = performance_400([1360, 1321, 1350], [1, 0, 0.5])
    assert found == Fraction(4031, 3)
    assert float(found) == pytest.approx(1343.67, abs=0.005)
    assert [performance_400([1500], [score]) for score in (1, 0.5, 0)] == [1900, 1500, 1100]


def test_performance_by_fide() -> None:
    for opponents, scores, performance in (
        ([1500], [1], 2300),
        ([1500], [0], 700),
        ([1500, 1501], [1, 0], 1501),  # the mean 1500.5 is rounded up
        ([1600, 1600, 1600], [1, 1, 0], 1600 + 125),  # p = .67
        ([1600, 1600, 1600], [1, 0, 0], 1600 - 125),  # p = .33
        ([1800] * 8, [1, 0, 0, 0, 0, 0, 0, 0], 1800 - 322),  # p = .125, rounded up to .13
    ):
        assert performance_fide(opponents, scores) == performance


def test_what_a_program_of_a_club_printed() -> None:
    rows = variations(VARIATIONS)
    assert len(rows) == 15
    for row in rows:
        check(row)


@pytest.mark.real_data
def test_every_published_average_and_performance(real_data: Path) -> None:
    rows = variations(sorted(real_data.glob("*/*.fide_variation.csv")))
    assert len(rows) >= 81
    for row in rows:
        check(row)


@given(GAMES)
def test_fides_performance_lies_within_800_of_the_average_in_whatever_order(games: list[tuple[int, float]]) -> None:
    opponents, scores = [game[0] for game in games], [game[1] for game in games]
    by_fide, by_400 = performance_fide(opponents, scores), performance_400(opponents, scores)
    assert abs(by_fide - average_opponents(opponents)) <= 800
    assert abs(by_400 - Fraction(sum(opponents), len(opponents))) <= 400
    assert performance_fide(opponents[::-1], scores[::-1]) == by_fide
    assert performance_400(opponents[::-1], scores[::-1]) == by_400


# --- the rating whose expected score is the score made -----------------------------------------------------------
def test_three_quarters_against_one_rating_is_191_points_above_it() -> None:
    assert performance_logistic([1800] * 4, [1, 1, 1, 0]) == pytest.approx(1800 + 190.85, abs=0.01)
    assert performance_linear([1800] * 4, [1, 1, 1, 0]) == 2000
    assert performance_perfect([1800] * 4, [1, 1, 1, 0]) == 1800 + 189, "the lowest gap at which 8.1.2 says .75"


def test_a_full_score_and_none_stop_by_agreement() -> None:
    for scores, perfect, linear in (([1, 1], 2000 + 736, 2000 + 400), ([0, 0], 1600 - 800, 1600 - 400)):
        assert performance_logistic([1600, 2000], scores) is None
        assert performance_perfect([1600, 2000], scores) == perfect
        assert performance_linear([1600, 2000], scores) == linear


@given(games=GAMES)
def test_each_rule_expects_the_score_that_was_made_and_nobody_lower_does(
    games: list[tuple[int, float]],
) -> None:
    opponents, scores = [game[0] for game in games], [game[1] for game in games]
    logistic, linear = performance_logistic(opponents, scores), performance_linear(opponents, scores)
    if logistic is None:
        assert sum(scores) in (0, len(scores))
    else:
        assert sum(expected_score(logistic, opponent) for opponent in opponents) == pytest.approx(sum(scores), abs=1e-6)
    assert sum(expected_special(linear, opponent) for opponent in opponents) == pytest.approx(sum(scores), abs=1e-6)
    perfect = performance_perfect(opponents, scores)
    if sum(scores):
        at, below = (sum(expected_percent(own - other) for other in opponents) for own in (perfect, perfect - 1))
        assert at >= 100 * sum(scores) > below
    else:
        assert perfect == min(opponents) - 800


def test_without_a_game_there_is_no_performance_by_any_rule() -> None:
    for rule in (performance_400, performance_fide, performance_logistic, performance_linear, performance_perfect):
        with pytest.raises(ValueError, match="No game was played"):
            rule([], [])
        with pytest.raises(ValueError, match="2 opponents, but 1 scores"):
            rule([1800, 1800], [1.0])
        with pytest.raises(ValueError, match="Nobody was played"):
            average_opponents([])
