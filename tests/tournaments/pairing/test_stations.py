"""Stations: the same field plays several knockouts, each drawn anew."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.pairing import PairingError, pairing_system
from tournaments.pairing.base import Bracket, BracketSystem, PlannedStage
from tournaments.pairing.groups import Stations


def plan(players: int, **chosen: object) -> tuple[PlannedStage, ...]:
    return Stations().plan(players, chosen, Random(1))


def bracket_of(stage: PlannedStage, seed: int) -> Bracket:
    system = pairing_system(stage.system)
    assert isinstance(system, BracketSystem)
    return system.bracket(len(stage.numbers), stage.settings, Random(seed))


def test_three_stations_one_after_the_other_with_everybody_in_each() -> None:
    stages = plan(8)
    lines = [(stage.name, stage.part, stage.system) for stage in stages]
    assert lines == [(f"Station {number}", number, "knockout") for number in (1, 2, 3)]
    assert {stage.numbers for stage in stages} == {tuple(range(1, 9))}


def test_every_station_is_drawn_by_its_own_lots() -> None:
    stages = plan(8)
    drawn = [bracket_of(stage, seed) for stage, seed in zip(stages, (1, 2, 3), strict=True)]
    assert len({tuple(match.upper for match in bracket) for bracket in drawn}) == 3
    assert bracket_of(stages[0], 1) == drawn[0]
    semifinals = [(match.upper.match, match.lower.match) for match in drawn[0] if match.round == 2]
    assert semifinals == [((1, 1), (1, 4)), ((1, 2), (1, 3))], "the first winner meets the fourth"


@given(players=st.integers(2, 40), stations=st.integers(1, 9), games=st.integers(1, 9), third=st.booleans())
@settings(deadline=None, max_examples=30)
def test_settings_of_the_matches_are_handed_on(players: int, stations: int, games: int, third: bool) -> None:
    stages = plan(players, stations=stations, games=games, third_place=third)
    assert len(stages) == stations
    for stage in stages:
        assert (stage.settings["games"], stage.settings["third_place"]) == (games, third)
        assert len(bracket_of(stage, 5)) == len(bracket_of(stages[0], 9))


def test_a_field_too_small_or_too_large_and_a_setting_that_is_none_are_refused() -> None:
    assert Stations().qualified({}, [[3, 1, 2]]) == (), "nobody has to qualify"
    for players in (0, 1, 257):
        with pytest.raises(PairingError, match="A station takes 2 to 256 players"):
            plan(players)
    for name, value in (("stations", 0), ("stations", 10), ("seeding", "standard")):
        with pytest.raises(PairingError, match="setting"):
            plan(8, **{name: value})
