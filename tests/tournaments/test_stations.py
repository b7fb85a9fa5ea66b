"""Stations: the same field plays several knockouts, each drawn anew."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.pairing import PairingError, pairing_system
from tournaments.pairing.base import Bracket, BracketSystem, PlannedStage
from tournaments.pairing.stations import Stations


def plan(players: int, **chosen: object) -> tuple[PlannedStage, ...]:
    return Stations().plan(players, chosen, Random(1))


def bracket_of(stage: PlannedStage, seed: int) -> Bracket:
    system = pairing_system(stage.system)
    assert isinstance(system, BracketSystem)
    return system.bracket(len(stage.numbers), stage.settings, Random(seed))


def test_three_stations_one_after_the_other_with_everybody_in_each() -> None:
    stages = plan(8)
    assert [(stage.name, stage.part, stage.system) for stage in stages] == [
        ("Station 1", 1, "knockout"),
        ("Station 2", 2, "knockout"),
        ("Station 3", 3, "knockout"),
    ]
    assert {stage.numbers for stage in stages} == {tuple(range(1, 9))}


def test_the_winner_of_the_first_match_meets_the_winner_of_the_fourth() -> None:
    semifinals = [match for match in bracket_of(plan(8)[0], 1) if match.round == 2]
    assert [(match.upper.match, match.lower.match) for match in semifinals] == [((1, 1), (1, 4)), ((1, 2), (1, 3))]


def test_every_station_is_drawn_by_its_own_lots() -> None:
    stages = plan(8)
    drawn = [bracket_of(stage, seed) for stage, seed in zip(stages, (1, 2, 3), strict=True)]
    assert len({tuple(match.upper for match in bracket) for bracket in drawn}) == 3
    assert bracket_of(stages[0], 1) == drawn[0]


@given(players=st.integers(2, 40), stations=st.integers(1, 9), games=st.integers(1, 9), third=st.booleans())
@settings(deadline=None, max_examples=30)
def test_settings_of_the_matches_are_handed_on(players: int, stations: int, games: int, third: bool) -> None:
    stages = plan(players, stations=stations, games=games, third_place=third)
    assert len(stages) == stations
    for stage in stages:
        assert (stage.settings["games"], stage.settings["third_place"]) == (games, third)
        assert len(bracket_of(stage, 5)) == len(bracket_of(stages[0], 9))


def test_nobody_has_to_qualify() -> None:
    assert Stations().qualified({}, [[3, 1, 2]]) == ()


@pytest.mark.parametrize("players", [0, 1, 257])
def test_a_field_too_small_or_too_large_is_refused(players: int) -> None:
    with pytest.raises(PairingError, match="A station takes 2 to 256 players"):
        plan(players)


@pytest.mark.parametrize("chosen", [{"stations": 0}, {"stations": 10}, {"seeding": "standard"}])
def test_a_setting_that_is_none_is_refused(chosen: dict[str, object]) -> None:
    with pytest.raises(PairingError, match="setting"):
        plan(8, **chosen)
