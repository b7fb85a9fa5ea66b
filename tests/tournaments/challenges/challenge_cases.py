"""A ladder of five who challenge each other and check in, named by their places at the start."""

import pytest

from players.models import Player
from tests import factory
from tests.players.links.link_cases import switch_links_on
from tournaments.challenges.services import challenge
from tournaments.event_pages.selectors.formats import ladder_of
from tournaments.free_boards.services.rules import NewFreeRules, set_free_rules
from tournaments.models import Challenge, Entry, Tournament

ON = NewFreeRules(challenges=True, check_in=True)


@pytest.fixture(scope="module")
def ladder(world: None) -> Tournament:
    """For a file that says `ladder = challenge_cases.ladder`."""
    factory.make_club()
    factory.make_list()
    switch_links_on()
    ladder = factory.make_ladder(factory.make_players(5), reach=2).tournament
    set_free_rules(ladder, ON, by=None, revision=0)
    Tournament.objects.filter(pk=ladder.pk).update(player_results="agreed")
    return ladder


def entry(ladder: Tournament, place: int) -> Entry:
    """By the place at the start."""
    return Entry.objects.select_related("player").get(tournament=ladder, number=place)


def player(ladder: Tournament, place: int) -> Player:
    return entry(ladder, place).player


def ask(ladder: Tournament, own: int, other: int) -> Challenge:
    return challenge(ladder, player(ladder, own).pk, entry(ladder, other).pk)


def order(ladder: Tournament) -> list[int | None]:
    return [each.number for each in ladder_of(factory.stage_of(ladder)).order]
