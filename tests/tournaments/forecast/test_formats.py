"""Rounds, boards and evenings: reckoned, and as the pairing systems themselves lay the event out."""

from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubrating.ground.marks import Sentence
from tournaments.forecast.formats import (
    Format,
    Hall,
    Kind,
    check_format,
    games_by_round,
    last_evening,
    schedule,
    usual_formats,
)
from tournaments.pairing.base import PairingError
from tournaments.pairing.groups import GroupsThenKnockout
from tournaments.pairing.knockout import Knockout
from tournaments.pairing.round_robin import RoundRobin


def test_sixteen_players_on_eight_boards_or_half_of_them() -> None:
    hall = Hall(evenings=7, boards=8)
    evenings = {
        Format(Kind.ROUND_ROBIN): 15,
        Format(Kind.SWISS, rounds=7): 7,
        Format(Kind.KNOCKOUT): 4,
        Format(Kind.KNOCKOUT, games=2): 8,
        Format(Kind.GROUPS, groups=4): 3 + 3,
    }
    assert {form: hall.evenings_for(games_by_round(form, 16)) for form in evenings} == evenings
    assert Hall(1, boards=4).evenings_for(games_by_round(Format(Kind.SWISS, rounds=5), 16)) == 10
    assert Hall(1, boards=4, rounds_an_evening=4).evenings_for(games_by_round(Format(Kind.SWISS, rounds=5), 16)) == 3
    assert Hall(1, boards=7).sittings_for(8) == 2


def test_so_many_games_has_each_round_of_a_format() -> None:
    assert games_by_round(Format(Kind.KNOCKOUT), 16) == (8, 4, 2, 1)
    assert games_by_round(Format(Kind.KNOCKOUT), 13) == (5, 4, 2, 1), "three have a bye"
    assert games_by_round(Format(Kind.KNOCKOUT, games=2), 4) == (2, 2, 1, 1)
    assert games_by_round(Format(Kind.GROUPS), 8) == (4, 4, 4, 2, 1)
    assert games_by_round(Format(Kind.GROUPS), 7) == (3, 3, 3, 2, 1), "four and three: a group of three is three rounds"
    assert games_by_round(Format(Kind.ROUND_ROBIN), 5) == (2,) * 5
    assert games_by_round(Format(Kind.ROUND_ROBIN, cycles=2), 6) == (3,) * 10
    assert schedule(3, 1) == (((1, 2),), ((0, 1),), ((2, 0),)), "against the absent fourth one is free"


@given(players=st.integers(2, 40))
def test_rounds_are_those_of_the_round_robin(players: int) -> None:
    rounds = RoundRobin().schedule(players, {})
    assert games_by_round(Format(Kind.ROUND_ROBIN), players) == tuple(
        sum(not board.is_bye for board in boards) for boards in rounds
    )


@given(players=st.integers(2, 64))
def test_rounds_are_those_of_the_bracket(players: int) -> None:
    bracket = Knockout().bracket(players, {}, Random(0))
    rounds = max(match.round for match in bracket)
    played = [match for match in bracket if not (match.upper.is_nobody or match.lower.is_nobody)]
    counts = tuple(sum(match.round == number for match in played) for number in range(1, rounds + 1))
    assert games_by_round(Format(Kind.KNOCKOUT), players) == counts


@given(players=st.integers(8, 40), groups=st.integers(2, 4))
def test_groups_have_the_games_of_their_plan(players: int, groups: int) -> None:
    stages = GroupsThenKnockout().plan(players, {"groups": groups}, Random(0))
    in_groups = sum(len(stage.numbers) * (len(stage.numbers) - 1) // 2 for stage in stages)
    assert sum(games_by_round(Format(Kind.GROUPS, groups=groups), players)) == in_groups + 2 * groups - 1


@given(players=st.integers(2, 60), boards=st.integers(1, 30), evenings=st.integers(1, 12))
def test_usual_formats_can_all_be_played(players: int, boards: int, evenings: int) -> None:
    hall = Hall(evenings, boards)
    found = usual_formats(players, hall)
    assert len(set(found)) == len(found)
    for form in found:
        assert hall.evenings_for(games_by_round(form, players)) > 0
    assert Kind.KNOCKOUT in {form.kind for form in found}


def swiss_lengths(players: int, hall: Hall) -> list[int]:
    return [form.rounds for form in usual_formats(players, hall) if form.kind is Kind.SWISS]


def test_how_long_a_swiss_usually_is_and_what_it_cannot_be_in_every_language() -> None:
    assert swiss_lengths(16, Hall(7, 8)) == [4, 5, 7]
    assert swiss_lengths(16, Hall(3, 8, rounds_an_evening=2)) == [4, 5, 6]
    assert swiss_lengths(16, Hall(30, 8)) == [4, 6, 8], "half the field: beyond, all play all"
    assert swiss_lengths(16, Hall(2, 8)) == [4], "fewer name no winner; that it does not fit is said"
    assert swiss_lengths(200, Hall(100, 100)) == [8, 11, 15], "nobody thinks of a longer one"
    assert swiss_lengths(2, Hall(9, 1)) == [1]
    with pytest.raises(PairingError) as refused:
        check_format(Format(Kind.SWISS, rounds=8), 8)
    words = refused.value.args[0]
    assert words == "A Swiss of 8 players has 1 to 7 rounds, not 8."
    assert isinstance(words, Sentence)
    assert words.values == {"players": 8, "most": 7, "rounds": 8}


def test_the_last_evening_is_counted_from_the_first() -> None:
    tuesday = date(2026, 12, 1)
    assert last_evening(tuesday, 7, 1) == tuesday
    assert last_evening(tuesday, 7, 4) == date(2026, 12, 22)
    assert last_evening(tuesday, 7, 7) == date(2027, 1, 12), "over the new year"
    assert last_evening(tuesday, 0, 9) == tuesday, "all on one day"
    assert last_evening(date(2028, 2, 28), 1, 2) == date(2028, 2, 29)
    with pytest.raises(ValueError, match="at least one evening"):
        last_evening(tuesday, 7, 0)


def test_a_format_or_a_hall_that_cannot_be_is_refused() -> None:
    for form, players in (
        (Format(Kind.SWISS, rounds=0), 8), (Format(Kind.SWISS, rounds=8), 8), (Format(Kind.ROUND_ROBIN), 41),
        (Format(Kind.ROUND_ROBIN, cycles=3), 8), (Format(Kind.GROUPS, groups=4), 7),
        (Format(Kind.GROUPS, groups=2, qualifiers=5), 16), (Format(Kind.KNOCKOUT), 257),
        (Format(Kind.KNOCKOUT, games=0), 8),
    ):  # fmt: skip
        with pytest.raises(PairingError):
            check_format(form, players)
    for numbers in ((0, 1, 1), (1, 0, 1), (1, 1, 0)):
        with pytest.raises(ValueError, match="an evening, a board"):
            Hall(*numbers)
