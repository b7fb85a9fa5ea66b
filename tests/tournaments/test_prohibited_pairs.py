"""Who should not meet: every two of a group, told to the formats by number."""

from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from players.models import Player
from players.services.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entry_cases import entry_of, events, make_event
from tournaments.models import Entry, ProhibitedPair, Tournament
from tournaments.services.entries import enter_players, remove_entry
from tournaments.services.events import NewTournament, create_tournament
from tournaments.services.prohibited import allow, prohibit, prohibited_of, prohibited_pairs

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(standard: RatingList) -> list[Player]:
    return factory.make_players(6)


@pytest.fixture
def event(cast: list[Player]) -> Tournament:
    return make_event(cast, "by-hand")


def entries(event: Tournament, *numbers: int) -> list[Entry]:
    return [entry_of(event, number) for number in numbers]


def pairs(event: Tournament) -> set[tuple[int, ...]]:
    return {tuple(sorted(pair)) for pair in prohibited_of(event)}


def test_every_two_of_a_group_are_kept_apart(event: Tournament) -> None:
    assert prohibit(event, entries(event, 5, 2, 4), by=None) == 3
    assert pairs(event) == {(2, 4), (2, 5), (4, 5)}


def test_what_is_known_is_not_written_twice(event: Tournament) -> None:
    prohibit(event, entries(event, 1, 2), by=None)
    assert prohibit(event, entries(event, 2, 1, 3), by=None) == 2
    assert prohibit(event, entries(event, 1, 2), by=None) == 0
    assert ProhibitedPair.objects.count() == 3
    assert [len(row.after["pairs"]) for row in events("pairs.prohibited")] == [1, 2]


@pytest.mark.parametrize(("numbers", "words"), [((1,), "at least two"), ((), "at least two"), ((1, 2, 1), "twice")])
def test_a_group_is_of_two_or_more_different_players(event: Tournament, numbers: tuple[int, ...], words: str) -> None:
    with pytest.raises(Refused, match=words):
        prohibit(event, entries(event, *numbers), by=None)
    assert not ProhibitedPair.objects.exists()


def test_an_entry_of_another_event_is_refused(event: Tournament, cast: list[Player]) -> None:
    other = create_tournament(NewTournament("Other"), by=None)
    [stranger] = enter_players(other, cast[:1], by=None)
    with pytest.raises(Refused, match="not entered in this event"):
        prohibit(event, [*entries(event, 2), stranger], by=None)


def test_a_group_has_its_limit(event: Tournament) -> None:
    many = enter_players(event, factory.make_players(41), by=None)
    with pytest.raises(Refused, match="Up to 40"):
        prohibit(event, many, by=None)


def test_a_pair_may_meet_again(event: Tournament) -> None:
    prohibit(event, entries(event, 1, 2, 3), by=None)
    row = prohibited_pairs(event, entry_of(event, 3)).first()
    assert row is not None
    allow(row.pk, by=None)
    assert pairs(event) == {(1, 2), (2, 3)}
    with pytest.raises(Refused, match="may meet already"):
        allow(row.pk, by=None)


def test_pairs_go_with_their_entry(event: Tournament) -> None:
    prohibit(event, entries(event, 1, 2, 3), by=None)
    remove_entry(entry_of(event, 2).pk, by=None)
    assert pairs(event) == {(1, 3)}


def test_without_a_number_nobody_is_paired_so_nobody_is_kept_apart(event: Tournament) -> None:
    prohibit(event, entries(event, 1, 2), by=None)
    Entry.objects.filter(number=2).update(number=None)
    assert prohibited_of(event) == frozenset()


class GroupsAddUp(TestCase):
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.sets(st.integers(1, 6), min_size=2), max_size=4))
    def test_the_pairs_are_those_of_all_groups(self, groups: list[set[int]]) -> None:
        factory.make_club()
        factory.make_list()
        event = make_event(factory.make_players(6), "by-hand")
        for group in groups:
            prohibit(event, entries(event, *group), by=None)
        assert pairs(event) == {pair for group in groups for pair in combinations(sorted(group), 2)}
