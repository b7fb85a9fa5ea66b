"""One player's event: printed examples, and that it is the replay's own arithmetic."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.calculators.one_event import EventOutcome, rate_event
from ratings.lists.forms import ways
from ratings.systems import rating_system
from ratings.systems.base import Period, PlayerState
from ratings.systems.encounter import rate_single

ON = date(2026, 1, 5)
GAMES = st.lists(st.tuples(st.integers(1000, 2800), st.sampled_from([1.0, 0.5, 0.0])), min_size=1, max_size=12)


def state(rating: float, games: int = 100, **more: Any) -> PlayerState:
    return PlayerState(rating, games, max(rating, more.pop("peak", rating)), **more)


def event(
    raw: dict[str, Any], own: PlayerState | None, games: list[tuple[int, float]], on: date = ON, key: str = "elo"
) -> EventOutcome:
    system = rating_system(key)
    opponents = [state(rating) for rating, _score in games]
    return rate_event(system, system.read_settings(raw), own, opponents, [score for _rating, score in games], on)


def test_fide_rates_once_rounds_once_and_its_k_shrinks_with_many_games() -> None:
    """1800 against 1900 and 1700, one point: PD .36 and .64, so nothing moves."""
    outcome = event({"preset": "fide"}, state(1800), [(1900, 0.5), (1700, 0.5)])
    assert outcome.expected == pytest.approx(1.0)
    assert (outcome.change, outcome.after) == (0, 1800)
    assert {side.k for side in event({"preset": "fide"}, state(1800), [(1800, 0.5)] * 39).sides} == {17}
    assert {side.k for side in event({"preset": "fide"}, state(1800, 10), [(1800, 0.5)] * 18).sides} == {38}


def test_fides_first_rating_of_the_handbooks_five_games_and_none_of_four() -> None:
    """Opponents' sum 9507, three points of five: Ra 1872.43, p .57, Ru 1922."""
    games = [(1900, 1.0), (1900, 1.0), (1900, 1.0), (1900, 0.0), (1907, 0.0)]
    outcome = event({"preset": "fide"}, None, games)
    assert (outcome.before, outcome.after, outcome.change) == (None, 1922, None)
    assert event({"preset": "fide"}, None, [(1900, 0.5)] * 4).after is None


def test_us_chess_official_example_and_the_bonus_of_the_day() -> None:
    """1500 after 6 games, 1½ points against 1400, 1550 and 1650 → 1511 by the approximation; the exact one is near."""
    outcome = event({"preset": "us-chess"}, state(1500, 6), [(1400, 0.5), (1550, 1.0), (1650, 0.0)])
    assert outcome.after == pytest.approx(1511, abs=1)
    games = [(1400, 1.0), (1550, 1.0), (1600, 1.0), (1650, 1.0), (1700, 0.5)]
    days = (date(2022, 6, 1), date(2024, 6, 1), date(2025, 6, 1))
    changes = [event({"preset": "us-chess"}, state(1500, 100), games, day).change for day in days]
    assert changes == pytest.approx([94.01 + bonus for bonus in (62.71, 67.18, 71.65)], abs=0.01)


def test_glickos_own_example() -> None:
    """1500/200 beats 1400/30, loses to 1550/100 and 1700/300, one period → 1464.11."""
    system = rating_system("glicko")
    opponents = [state(1400, deviation=30), state(1550, deviation=100), state(1700, deviation=300)]
    found = rate_event(
        system, system.read_settings({"period": "event"}), state(1500, deviation=200), opponents, [1.0, 0.0, 0.0], ON
    )
    assert found.after == pytest.approx(1464.106463, abs=1e-6)


def test_the_unrated_begin_where_newcomers_begin_and_below_the_floor_again() -> None:
    outcome = event({}, None, [(1500, 0.5)])
    assert (outcome.before, outcome.after) == (1500, 1500)
    outcome = event({"preset": "fide"}, state(1405), [(1405, 0.0)])
    assert (outcome.after, outcome.change) == (None, None)
    assert event({}, state(1500), [(1500, 1.0)], key="league").expected is None


def test_games_and_scores_must_be_as_many() -> None:
    system = rating_system("elo")
    with pytest.raises(ValueError, match="zip"):
        rate_event(system, system.read_settings({}), state(1500), [state(1500)], [1.0, 0.0], ON)


@pytest.mark.extended
@pytest.mark.parametrize("way", [key for key, (_w, system, raw) in ways().items() if system.key != "bradley-terry"])
@settings(max_examples=15, deadline=None)
@given(games=GAMES, own=st.integers(1000, 2800))
def test_game_by_game_the_event_is_its_games_one_after_the_other(
    way: str, games: list[tuple[int, float]], own: int
) -> None:
    _words, system, raw = ways()[way]
    chosen = system.read_settings(raw)
    if system.period(chosen) != Period.GAME or system.key == "kd":
        return
    outcome = event(raw, state(own), games, key=system.key)
    assert len(outcome.sides) == len(games)
    first = rate_single(system, chosen, state(own), state(games[0][0]), games[0][1], ON)[0]
    if system.normalisation(chosen) is None:
        assert outcome.sides[0].after == pytest.approx(first.before if first.after is None else first.after)
    steps = [side.change or 0.0 for side in outcome.sides]
    if system.normalisation(chosen) is None:
        assert outcome.after == pytest.approx(own + sum(steps))


@given(games=GAMES, own=st.integers(1000, 2800))
def test_the_states_stay_as_they_are(games: list[tuple[int, float]], own: int) -> None:
    mine = state(own)
    event({}, mine, games)
    assert (mine.rating, mine.games) == (own, 100)
