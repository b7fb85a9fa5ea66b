"""Who should not meet: every two of a group, told to the formats by number."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.refusals import Refused
from tests import databases, factory
from tests.choosing import examples
from tests.tournaments.entries.entry_cases import entry_of, events, make_event, prohibited_of
from tournaments.entries.services.entries import enter_players, remove_entry
from tournaments.entries.services.prohibited import allow, prohibit, prohibited_pairs
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Entry, ProhibitedPair, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def event(world: None) -> Tournament:
    """Six players, numbered."""
    factory.make_club()
    factory.make_list()
    return make_event(factory.make_players(6), "by-hand")


def entries(event: Tournament, *numbers: int) -> list[Entry]:
    return [entry_of(event, number) for number in numbers]


def pairs(event: Tournament) -> set[tuple[int, ...]]:
    return {tuple(sorted(pair)) for pair in prohibited_of(event)}


def test_what_is_known_is_not_written_twice(event: Tournament) -> None:
    prohibit(event, entries(event, 1, 2), by=None)
    assert prohibit(event, entries(event, 2, 1, 3), by=None) == 2
    assert prohibit(event, entries(event, 1, 2), by=None) == 0
    assert ProhibitedPair.objects.count() == 3
    assert [len(row.after["pairs"]) for row in events("pairs.prohibited")] == [1, 2]


def test_a_group_is_of_two_to_forty_different_players_of_the_event(event: Tournament) -> None:
    [stranger] = enter_players(create_tournament(NewTournament("Other"), by=None), [entry_of(event, 1).player], by=None)
    many = enter_players(event, factory.make_players(41), by=None)
    for group, words in (
        (entries(event, 1), "at least two"),
        ([], "at least two"),
        (entries(event, 1, 2, 1), "twice"),
        ([*entries(event, 2), stranger], "not entered in this event"),
        (many, "Up to 40"),
    ):
        with pytest.raises(Refused, match=words):
            prohibit(event, group, by=None)
    assert not ProhibitedPair.objects.exists()
    assert prohibit(event, many[:40], by=None) == 780


def test_a_pair_may_meet_again_and_pairs_go_with_their_entry_or_its_number(event: Tournament) -> None:
    other = make_event([entry_of(event, number).player for number in (1, 2)], "by-hand")
    prohibit(other, entries(other, 1, 2), by=None)
    for group in ((3, 4), (1, 2, 3, 4)):
        prohibit(event, entries(event, *group), by=None)
    shown = [(pair.first.number, pair.second.number) for pair in prohibited_pairs(event)]
    assert shown == list(combinations((1, 2, 3, 4), 2))
    shown = prohibited_pairs(event, entry_of(event, 3))
    assert [(pair.first.number, pair.second.number) for pair in shown] == [(1, 3), (2, 3), (3, 4)]
    row = shown[0]
    allow(row.pk, by=None)
    [told] = events("pair.allowed")
    assert told.before["pairs"] == [[row.first_id, row.second_id]]
    [(_table, image)] = told.before["image"].items()
    assert [values[image["columns"].index("id")] for values in image["rows"]] == [row.pk]
    assert pairs(other) == {(1, 2)}, "in another event they stay apart"
    assert pairs(event) == {(1, 2), (2, 3), (1, 4), (2, 4), (3, 4)}
    with pytest.raises(Refused, match="may meet already"):
        allow(row.pk, by=None)
    remove_entry(entry_of(event, 2).pk, by=None)
    assert pairs(event) == {(1, 4), (3, 4)}
    Entry.objects.filter(number=4).update(number=None)
    assert prohibited_of(event) == frozenset(), "without a number nobody is paired"


@examples(60)
@given(st.lists(st.sets(st.integers(1, 6), min_size=2), max_size=4))
def test_the_pairs_are_those_of_all_groups(event: Tournament, groups: list[set[int]]) -> None:
    with databases.rolled_back():
        for group in groups:
            new = set(combinations(sorted(group), 2)) - pairs(event)
            assert prohibit(event, entries(event, *group), by=None) == len(new)
        assert pairs(event) == {pair for group in groups for pair in combinations(sorted(group), 2)}
