"""Groups, then a knockout: who plays in which group, who meets whom afterwards, and who can meet again when."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tournaments.pairing import PairingError, pairing_system
from tournaments.pairing.base import BracketSystem, PlannedStage, PlanSystem
from tournaments.pairing.groups import GroupsThenKnockout, seeds, serpentine

ALL_COUNTS = [(groups, qualifiers) for groups in range(2, 17) for qualifiers in range(1, 5)]
each_count = pytest.mark.parametrize(("groups", "qualifiers"), ALL_COUNTS)
Line = tuple[str, int]


def plan(players: int, **chosen: object) -> tuple[PlannedStage, ...]:
    return GroupsThenKnockout().plan(players, chosen, Random(1))


def first_round(groups: int, qualifiers: int) -> list[tuple[str, ...]]:
    """The knockout's first round from top to bottom in words: A1, B2 …; one alone has a bye."""
    places = [[f"{letter}{place}" for place in range(1, 5)] for letter in "ABCDEFGHIJKLMNOP"[:groups]]
    order = GroupsThenKnockout().qualified({"groups": groups, "qualifiers": qualifiers}, places)  # type: ignore[arg-type]
    last = plan(groups * 4, groups=groups, qualifiers=qualifiers)[-1]
    system = pairing_system(last.system)
    assert isinstance(system, BracketSystem)
    bracket = system.bracket(len(order), last.settings, Random(1))
    return [
        tuple(str(order[line.seed - 1]) for line in (match.upper, match.lower) if line.seed)
        for match in sorted(bracket, key=lambda match: match.slot)
        if match.round == 1
    ]


def can_meet_again(groups: int, qualifiers: int) -> list[tuple[str, str, int]]:
    """Pairs of one group, and how many rounds before the final they can meet: 0 is the final."""
    matches = first_round(groups, qualifiers)
    slots = {name: slot for slot, match in enumerate(matches) for name in match}
    rounds = len(matches).bit_length() - 1
    return [
        (one, other, rounds - (slots[one] ^ slots[other]).bit_length())
        for one, other in combinations(slots, 2)
        if one[0] == other[0]
    ]


# --- groups ---------------------------------------------------------------------------------------------------


def test_groups_are_round_robins_side_by_side_and_the_knockout_follows() -> None:
    stages = plan(8, cycles=2, third_place=True, games=2, extra="blitz1")
    assert [(stage.name, stage.part, stage.system) for stage in stages] == [
        ("Group A", 1, "round-robin"),
        ("Group B", 1, "round-robin"),
        ("Knockout", 2, "knockout"),
    ]
    assert [stage.numbers for stage in stages] == [(1, 4, 5, 8), (2, 3, 6, 7), ()]
    assert stages[0].settings == {"cycles": 2}
    assert stages[-1].settings == {"seeding": "given", "third_place": True, "games": 2, "extra": "blitz1"}


@given(groups=st.integers(2, 16), extra=st.integers(0, 100), by=st.sampled_from(["rating", "lots"]))
@examples(100)
def test_everybody_is_in_one_group_and_sizes_differ_by_at_most_one(groups: int, extra: int, by: str) -> None:
    players = 2 * groups + extra * groups // 4
    stages = plan(players, groups=groups, by=by)
    fields = [stage.numbers for stage in stages if stage.part == 1]
    assert len(fields) == groups
    assert sorted(number for field in fields for number in field) == list(range(1, players + 1))
    assert max(map(len, fields)) - min(map(len, fields)) <= 1


@given(groups=st.integers(2, 16), rows=st.integers(1, 10))
def test_by_rating_the_groups_are_equally_strong_in_every_two_rows(groups: int, rows: int) -> None:
    fields = serpentine(range(1, 2 * rows * groups + 1), groups)
    assert len({sum(field) for field in fields}) == 1


def test_what_cannot_be_planned_is_refused() -> None:
    assert isinstance(pairing_system("groups"), PlanSystem)
    for players, chosen, says in (
        (3, {}, "2 groups from which 2 go on need at least 4 players, not 3"),
        (11, {"groups": 4, "qualifiers": 3}, "at least 12 players"),
        (81, {}, "up to 40 players: form more than 2"),
        (8, {"groups": 1}, "setting “groups”"),
        (8, {"qualifiers": 5}, "setting “qualifiers”"),
        (8, {"seeding": "given"}, "no setting “seeding”"),
    ):
        with pytest.raises(PairingError, match=says):
            plan(players, **chosen)
    assert plan(80), "40 in each of two"
    orders = {"2 groups, and the orders of 1": [[1, 2]], "From group B 2 go on": [[1, 2], [3]]}
    for says, places in orders.items():
        with pytest.raises(PairingError, match=says):
            GroupsThenKnockout().qualified({}, places)


# --- who goes on ----------------------------------------------------------------------------------------------
def test_groups_are_crossed_in_pairs_with_winners_in_different_halves() -> None:
    assert first_round(2, 2) == [("A1", "B2"), ("B1", "A2")]
    assert first_round(4, 2) == [("A1", "B2"), ("C1", "D2"), ("B1", "A2"), ("D1", "C2")]
    assert first_round(3, 2) == [("A1",), ("B2", "C2"), ("B1",), ("C1", "A2")], "two winners have a bye"
    matches = {frozenset(match) for match in first_round(2, 4)}
    assert matches == {frozenset(pair) for pair in (("A1", "B4"), ("B1", "A4"), ("A2", "B3"), ("B2", "A3"))}
    assert GroupsThenKnockout().qualified({}, [[5, 1, 3], [4, 6, 2]]) == (5, 6, 4, 1)


@each_count
def test_everybody_who_goes_on_is_seeded_once_and_byes_go_to_winners_first(groups: int, qualifiers: int) -> None:
    found = seeds(groups, qualifiers)
    assert sorted(found) == [(group, place) for group in range(groups) for place in range(qualifiers)]
    free = [match[0] for match in first_round(groups, qualifiers) if len(match) == 1]
    assert sum(name[1] == "1" for name in free) == min(len(free), groups)


@each_count
def test_people_of_one_group_meet_again_in_the_end_only(groups: int, qualifiers: int) -> None:
    """The first two of a group only in the final; nobody of one group before the semifinals."""
    for one, other, before_final in can_meet_again(groups, qualifiers):
        assert before_final <= 1, (one, other)
        if {one[1], other[1]} == {"1", "2"}:
            assert before_final == 0, (one, other)


@pytest.mark.parametrize("groups", [2, 4, 8, 16])
def test_winners_of_a_pair_of_groups_can_meet_only_in_the_final(groups: int) -> None:
    upper = {name for match in first_round(groups, 2)[: groups // 2] for name in match}
    for first, second in zip("ACEGIKMO", "BDFHJLNP", strict=True):
        if f"{first}1" in upper:
            assert f"{second}1" not in upper
            assert f"{first}2" not in upper
            assert f"{second}2" in upper
