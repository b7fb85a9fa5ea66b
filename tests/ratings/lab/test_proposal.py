"""A list's course under its rules: the end is a replay's end, the drift a mean worked out by hand."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from ratings.lab.measures import History
from ratings.lab.proposal import YEAR, Course, run_course
from ratings.systems import SYSTEMS, rating_system
from ratings.systems.base import PlayerState, RatedGame, Start
from ratings.systems.replay import DatedRule, DatedRules, replay
from tests.ratings.lab.streams import FIRST_DAY, history, invented

BEGINNING = date(1900, 1, 1)


def rules(key: str = "elo", settings: Mapping[str, Any] | None = None) -> DatedRules:
    system = rating_system(key)
    return DatedRules([DatedRule(BEGINNING, system, system.read_settings(settings or {}))])


K20 = {"preset": "constant", "k": 20}


def course(
    games: History, by: DatedRules, *, since: int = 0, every: int = 10, starts: tuple[Start, ...] = ()
) -> Course:
    return run_course(
        games.games, starts, rules=by, birth_years={}, reentry=None, since=since, every=every, tell=lambda games: None
    )


@pytest.mark.parametrize("key", [system.key for system in SYSTEMS])
def test_the_end_is_a_replay_s_end_and_the_last_mean_its_mean(key: str) -> None:
    games = invented(200, days=40)
    found = course(games, rules(key))
    states: dict[int, PlayerState] = {}
    rows = list(replay(games.games, (), states=states, birth_years={}, rules=rules(key)))
    assert found.states == states
    assert found.games == sum(isinstance(row, RatedGame) for row in rows) == 200
    mean = sum(state.rating for state in states.values()) / len(states)
    assert found.means[200] == pytest.approx(mean)


def test_a_field_that_is_brought_down_is_followed() -> None:
    low = rules("r2", {"normalise_above": 1010, "start": 1000, "floor": 900})
    games = invented(200, days=40, draws=0.0)
    states: dict[int, PlayerState] = {}
    rows = list(replay(games.games, (), states=states, birth_years={}, rules=low))
    assert any(not isinstance(row, RatedGame) and row.player is None for row in rows)
    mean = sum(state.rating for state in states.values()) / len(states)
    assert course(games, low).means[200] == pytest.approx(mean)


def test_means_by_hand() -> None:
    """K 20: a wins twice against b, who started at 1600."""
    games = history([(1, 2, 1.0), (1, 2, 1.0)], [0, 1])
    starts = (Start(2, date(2020, 1, 1), 1600.0),)
    found = course(games, rules(settings=K20), every=1, starts=starts)
    assert found.means == {1: pytest.approx(1550.0), 2: pytest.approx(1550.0)}  # what one wins the other loses
    first = 20 * (1 - 1 / (1 + 10 ** (100 / 400)))
    second = 20 * (1 - 1 / (1 + 10 ** ((100 - 2 * first) / 400)))
    assert found.states[1].rating == pytest.approx(1500 + first + second)
    assert found.worths.moved == pytest.approx(2 * (first + second))


def test_only_who_played_within_a_year_counts() -> None:
    games = history([(1, 2, 1.0), (3, 4, 1.0)], [0, 400])
    found = course(games, rules(settings=K20), every=1, starts=(Start(9, date(2020, 1, 1), 2500.0),))
    assert found.means == {1: pytest.approx(1500.0), 2: pytest.approx(1500.0)}
    for days, counts in ((YEAR, True), (YEAR + 1, False), (400, False)):
        mean = course(history([(1, 2, 1.0), (3, 1, 1.0)], [0, days]), rules(settings=K20), every=1).means[2]
        assert (mean == pytest.approx(1500.0)) is counts, "who lost and stayed away"
        assert counts or mean > 1500.0


def test_worths_are_of_the_games_from_the_day_on_and_without_k_ratings_still_move() -> None:
    games = history([(1, 2, 1.0), (1, 2, 1.0), (1, 2, 0.5)], [0, 1, 2])
    found = course(games, rules(settings=K20), since=FIRST_DAY + 1)
    assert (found.rated, found.worths.sides, found.worths.ks) == (2, 4, 4)
    assert (found.worths.mean_k, found.worths.k_low, found.worths.k_high) == (20.0, 20.0, 20.0)
    # 1510 wins against 1490 (expected 0.5288) and draws as 1519.4 with 1480.6 (expected 0.5557).
    assert found.worths.mean_move == pytest.approx((20 * (1 - 0.52875) + 20 * (0.55571 - 0.5)) / 2, abs=1e-3)
    later = course(games, rules(settings=K20), since=FIRST_DAY + 9)
    assert (later.rated, later.worths.mean_k, later.worths.mean_move) == (0, None, None)
    worths = course(invented(60, days=6), rules("league")).worths
    assert worths.mean_k is None
    assert worths.mean_move is not None
    assert worths.mean_move > 0.0


def test_it_tells_how_far_it_is_a_fit_has_one_moment_and_nothing_played_says_nothing() -> None:
    lines: list[int] = []
    run_course(
        invented(45).games, (), rules=rules(), birth_years={}, reentry=None, since=0, every=10, tell=lines.append
    )
    assert lines == [10, 20, 30, 40]
    found = course(history([]), rules(), starts=(Start(1, date(2020, 1, 1), 1800.0),))
    assert (found.means, found.games, found.rated) == ({}, 0, 0)
    assert list(course(invented(60, days=6), rules("bradley-terry")).means) == [60]
