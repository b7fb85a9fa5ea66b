"""What the ledger asks of the systems of the study that know no expected score, and wrong settings of every system."""

from typing import Any

import pytest

from ratings.systems import rating_system
from ratings.systems.base import Memory, Normalisation, Period, PlayerState
from ratings.systems.kd import KDSettings
from ratings.systems.league import LeagueSettings
from ratings.systems.r2 import R2Settings
from ratings.systems.solo_zerg import SoloZergSettings

FIELD, LEDGER = Memory.FIELD, Memory.LEDGER
ZERG, R2 = Normalisation(above=3000.0, factor=0.75, floor=1000.0), Normalisation(above=3000.0, factor=0.8, floor=1000.0)


@pytest.mark.parametrize(
    ("key", "start", "memory", "normalisation", "raw", "settings"),
    [
        ("league", 750.0, LEDGER, None, {"start": "1000", "inflation": 0}, LeagueSettings(1000.0, 0.0)),
        ("kd", 15.0, LEDGER, None, {"start": "50", "stake": 4}, KDSettings(50.0, 4.0)),
        ("solo-zerg", 1000.0, FIELD, ZERG, {"start": 1200, "normalise_above": "5000"}, (1200.0, 1000.0, 5000.0, 0.75)),
        ("r2", 1000.0, FIELD, R2, {"start": 1200, "normalise_above": "5000"}, (1200.0, 1000.0, 5000.0, 0.8)),
    ],
)
def test_a_newcomer_stands_at_the_start_every_game_is_a_period_and_settings_survive_storing(
    key: str, start: float, memory: Memory, normalisation: Normalisation | None, raw: dict[str, Any], settings: Any
) -> None:
    system = rating_system(key)
    plain = system.read_settings({})
    newcomer = system.newcomer(plain, 2001, 0)
    assert newcomer == PlayerState(start, 0, start, 2001)
    assert newcomer is not None
    assert system.expected(plain, newcomer, newcomer) is None
    assert (system.period(plain), system.memory(plain)) == (Period.GAME, memory)
    assert system.normalisation(plain) == normalisation
    if isinstance(settings, tuple):
        settings = {"solo-zerg": SoloZergSettings, "r2": R2Settings}[key](*settings)
    assert plain == type(settings)()
    assert system.read_settings(raw) == settings
    assert system.read_settings(system.stored_settings(settings)) == settings


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        (
            "elo",
            {"“kay”": {"kay": 20}, "k_rule constant": {"k": 20}, "start": {"start": "high"}, "scale": {"scale": 0}},
        ),
        ("elo", {"start": {"start": float("nan")}, "mine": {"k_rule": "mine"}, "best": {"preset": "best"}}),
        ("elo", {"whole": {"whole": "perhaps"}, "period": {"period": "all"}}),
        ("elo", {"scale is decided": {"preset": "fide", "scale": 300}, "period": {"preset": "fide", "period": "game"}}),
        ("glicko", {"“k”": {"k": 20}, "deviation": {"deviation": 0}, "c": {"c": -1}, "all": {"period": "all"}}),
        ("glicko2", {"“c”": {"c": 20}, "tau": {"tau": 0}, "volatility": {"volatility": 0}, "all": {"period": "all"}}),
        ("bradley-terry", {"“k”": {"k": 20}, "mean": {"mean": "?"}, "scale": {"scale": 0}}),
        ("league", {"League has no setting “k”": {"k": 20}, "inflation must lie": {"inflation": -1}}),
        ("league", {"start is no number": {"start": "x"}, "start is no number: “True”": {"start": True}}),
        ("kd", {"KD has no setting “k”": {"k": 20}, "start must lie between 0 and 100": {"start": 101}}),
        ("kd", {"stake must lie between 0.01 and 100": {"stake": 0}}),
        (
            "solo-zerg",
            {"Solo-Zerg has no setting “k”": {"k": 20}, "start must lie between 1000 and 3000": {"start": 999}},
        ),
        ("solo-zerg", {"start must lie between 1000 and 3000": {"start": 3001}, "factor must lie": {"factor": 1.1}}),
        ("solo-zerg", {"normalise_above must lie between 1000": {"normalise_above": 900}}),
        ("r2", {"R2 has no setting “k”": {"k": 20}, "start must lie between 1000 and 3000": {"start": 999}}),
        ("r2", {"normalise_above must lie between 1000": {"normalise_above": 900}, "factor must lie": {"factor": 0}}),
    ],
)
def test_a_wrong_setting_is_named(key: str, wrong: dict[str, dict[str, Any]]) -> None:
    for words, raw in wrong.items():
        with pytest.raises(ValueError, match=words):
            rating_system(key).read_settings(raw)


@pytest.mark.parametrize(
    ("key", "raw", "is_so"),
    [
        ("elo", {}, True),
        ("elo", {"scale": 500}, False),
        ("elo", {"base": 4}, False),
        ("glicko", {}, True),
        ("league", {}, False),
    ],
)
def test_which_lists_expect_ten_wins_for_a_loss_at_400_points(key: str, raw: dict[str, Any], is_so: bool) -> None:
    system = rating_system(key)
    assert system.is_on_elos_scale(system.read_settings(raw)) is is_so


@pytest.mark.parametrize(("sigma", "digits"), [(49.9, 1), (50.0, 0)])
def test_points_of_skill_are_listed_with_a_decimal_on_a_scale_of_small_numbers(sigma: float, digits: int) -> None:
    system = rating_system("trueskill")
    assert system.listing(system.read_settings({"sigma": sigma})).digits == digits
