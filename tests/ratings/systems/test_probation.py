"""When a probation is over: by count exactly as ever, by evidence as soon as the games tell as much as the count's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import rating_system
from ratings.systems.evidence import error_after
from ratings.systems.probation import LONGEST, MOST_BY_EVIDENCE, Probation, Record

Q = 2.302585092994046 / 400.0


def by_evidence(games: int, **settings: object) -> Probation:
    elo = rating_system("elo")
    return elo.probation(elo.read_settings({"newcomer_k": "evidence", **settings}), games)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 3), st.floats(1, 300) | st.none())
def test_by_count_only_games_matter(of: int, games: int, reentry: int, deviation: float | None) -> None:
    for system in ("elo", "glicko2"):
        known = rating_system(system)
        found = known.probation(known.read_settings({}), of)
        assert found.holds(Record(games, reentry, deviation)) == (games < of or reentry > 0)


def test_thirty_games_against_equals_at_k_40_are_the_measure() -> None:
    deviation, probation = 200.0, by_evidence(30)
    for game in range(1, 31):
        deviation = error_after(deviation, 0.0, 0.5, 40.0, Q)
        assert probation.done(Record(5, deviation=deviation)) == game
    assert probation.deviation == deviation
    assert round(deviation, 1) == 67.9
    assert not probation.holds(Record(5, deviation=deviation)), "however few the games"
    assert probation.holds(Record(5, 1, deviation)), "but a return is one of its own"


@pytest.mark.parametrize(
    ("games", "deviation", "done"),
    [
        (0, None, 0),
        (17, None, 17),  # nothing told yet: counted
        (30, None, 30),
        (40, 150.0, 5),
        (LONGEST * 30 - 1, 150.0, 5),
        (LONGEST * 30, 150.0, 30),
        (3, 400.0, 0),
    ],
)
def test_how_much_lies_behind(games: int, deviation: float | None, done: int) -> None:
    probation = by_evidence(30)
    assert (probation.of, probation.latest) == (30, 90)
    assert probation.done(Record(games, deviation=deviation)) == done
    assert probation.holds(Record(games, deviation=deviation)) == (done < 30)


@pytest.mark.parametrize("games", [30, 45, 60])
def test_a_junior_at_his_own_k_leaves_no_later_than_the_games_against_equals(games: int) -> None:
    deviation, probation = 200.0, by_evidence(games)
    for _game in range(games):
        deviation = error_after(deviation, 0.0, 0.5, 40.0, Q)
    assert not probation.holds(Record(games, deviation=deviation))


def test_no_length_is_too_much_and_none_is_none() -> None:
    assert by_evidence(30_000).of == MOST_BY_EVIDENCE
    assert not by_evidence(0).holds(Record(0))
    assert not by_evidence(0).holds(Record(0, deviation=400.0))
