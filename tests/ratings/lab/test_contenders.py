"""Who takes part: the study's six at its own settings, and others under keys of their own."""

import pytest

from ratings.lab.contenders import CONTENDERS, STUDY, contender, contenders
from ratings.systems.elo import EloSettings
from ratings.systems.glicko import GlickoSettings


def test_the_studys_six_come_first_in_its_order_and_start_where_it_starts_them() -> None:
    assert [each.key for each in STUDY] == ["league", "solo-zerg", "r2", "kd", "elo", "glicko"]
    assert [each.settings.start for each in STUDY] == [750.0, 1000.0, 1000.0, 15.0, 1000.0, 1000.0]
    assert CONTENDERS[:6] == STUDY
    assert len({each.key for each in CONTENDERS}) == len(CONTENDERS)
    assert {each.system.period(each.settings) for each in CONTENDERS} == {"game"}


def test_the_studys_settings() -> None:
    settings = {each.key: each.settings for each in STUDY}
    elo, glicko = settings["elo"], settings["glicko"]
    assert isinstance(elo, EloSettings)
    assert (elo.k_rule, elo.scale, elo.base) == ("study", 400.0, 10.0)
    assert isinstance(glicko, GlickoSettings)
    assert (glicko.deviation, glicko.c, glicko.period) == (350.0, 0.0, "game")
    assert (settings["league"].inflation, settings["kd"].stake) == (10.0, 2.0)
    rules = [each.system.normalisation(each.settings) for each in STUDY]
    zerg, r2 = (3000.0, 0.75, 1000.0), (3000.0, 0.8, 1000.0)
    assert [rule and (rule.above, rule.factor, rule.floor) for rule in rules] == [None, zerg, r2, None, None, None]


def test_contenders_are_called_by_key_in_any_order() -> None:
    assert [each.key for each in contenders(["glicko", "league"])] == ["glicko", "league"]
    with pytest.raises(KeyError, match="chess"):
        contenders(["elo", "chess"])


def test_a_contender_is_made_from_the_register() -> None:
    made = contender("swift", "Swift", "elo", {"preset": "constant", "k": 64})
    assert (made.system.key, made.settings.k) == ("elo", 64)
    with pytest.raises(KeyError):
        contender("none", "None", "no-such-system")
    with pytest.raises(ValueError, match="K"):
        contender("wrong", "Wrong", "elo", {"K": 64})
