"""The next game of two players: expected score, odds and the three endings, by the very system of the list."""

from datetime import date
from typing import Any

import pytest

from ratings.systems import RatingSystem, rating_system
from ratings.systems.base import Period, PlayerState
from ratings.systems.encounter import encounter
from ratings.systems.replay import DatedRule
from tests.test_registries import each_way

DAY = date(2026, 1, 5)
STRONG, WEAK = PlayerState(1800.0, 50, 1850.0, 1980), PlayerState(1600.0, 50, 1650.0, 1990)


def rule_of(key: str, raw: dict[str, Any] | None = None) -> DatedRule:
    system = rating_system(key)
    return DatedRule(date.min, system, system.read_settings(raw or {}))


def test_the_first_sources_example() -> None:
    """2344 against 2777: +18, +8, −2 and −9, −4, +1 (ratings rounded)."""
    low, high = PlayerState(2344.0, 100, 2344.0), PlayerState(2777.0, 100, 2777.0)
    found = encounter(rule_of("elo", {"preset": "fide-simple"}), low, high, DAY, 1.0)
    changes = [(round(each.own_change or 0), round(each.other_change or 0)) for each in found.endings]
    assert changes == [(18, -9), (8, -4), (-2, 1)]


def apart(rule: DatedRule) -> tuple[PlayerState, PlayerState]:
    """A stronger and a weaker player: 200 points apart, or one β where the system counts in those."""
    if (beta := getattr(rule.settings, "beta", None)) is None:
        return STRONG, WEAK
    mean = rule.settings.mu
    return PlayerState(mean + beta / 2, 50, mean), PlayerState(mean - beta / 2, 50, mean)


@each_way
def test_every_system_has_an_answer_or_says_that_it_has_none(system: RatingSystem, raw: dict[str, str]) -> None:
    rule = rule_of(system.key, raw)
    strong, weak = apart(rule)
    found = encounter(rule, strong, weak, DAY, 1.0)
    assert len(found.endings) == (0 if rule.period == Period.ALL else 3)
    assert (found.odds is None) == (found.expected is None)
    if found.expected is not None and found.odds is not None:
        assert 0.5 < found.expected < 1.0
        assert found.odds.expected == pytest.approx(found.expected)
        assert found.odds.win > found.odds.loss
    changes = [each.own_change for each in found.endings if each.own_change is not None]
    assert changes == sorted(changes, reverse=True), "a better result is never worth less"
    own = PlayerState(1500.0, 10, 1500.0)
    encounter(rule, own, weak, DAY, 1.0)
    assert own == PlayerState(1500.0, 10, 1500.0)


@pytest.mark.parametrize(("key", "raw"), [("elo", {}), ("elo", {"period": "event"}), ("glicko2", {"period": "month"})])
def test_seen_from_the_other_side_it_is_the_same_game(key: str, raw: dict[str, Any]) -> None:
    rule = rule_of(key, raw)
    one, other = encounter(rule, STRONG, WEAK, DAY, 1.0), encounter(rule, WEAK, STRONG, DAY, 1.0)
    others = [each.other_change for each in reversed(other.endings)]
    assert [each.own_change for each in one.endings] == pytest.approx(others)


@pytest.mark.parametrize("key", ["league", "solo-zerg", "r2", "kd"])
def test_a_system_without_draws_and_expectations_says_so(key: str) -> None:
    found = encounter(rule_of(key), STRONG, WEAK, DAY, 1.0)
    assert found.expected is None
    assert not found.knows_draws
    assert found.endings[0].own_change is not None
