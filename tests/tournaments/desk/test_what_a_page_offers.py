"""Pages of the desk offer what is still to be done: on a draft, in a running event, in one that is over."""

import pytest
from django.test import Client
from django.urls import reverse

from ratings.models import RatingList
from tests import factory
from tests.tournaments.event_pages import page_cases
from tests.visitor import Page
from tournaments.free_boards.services.rules import NewFreeRules, set_free_rules
from tournaments.models import ByeKind, Entry, Round, Tournament
from tournaments.presence.services import request_bye
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss(standard: RatingList) -> Tournament:
    """Numbered, no round made."""
    return page_cases.make_event(factory.make_players(8), "dutch", name="Open", rounds=5)


def offers(desk: Client, name: str, key: int) -> set[str]:
    """The words of the links and buttons of that page."""
    answer = desk.get(reverse(f"admin:tournaments_tournament_{name}", args=[key]))
    assert answer.status_code == 200
    page = Page(answer.text)
    buttons = [button for form in page.forms for button in form.buttons]
    return {words for _href, words in page.links} | {words.removeprefix(value) for _name, value, words in buttons}


def close(event: Tournament) -> None:
    Tournament.objects.filter(pk=event.pk).update(closed=True)


def test_a_draft_is_published_or_deleted_and_a_public_round_played(desk: Client, swiss: Tournament) -> None:
    row = pair_next_round(page_cases.first_stage(swiss), by=None, day=factory.MONDAY, publish=False)
    of_draft, of_public = {"Save", "Save and publish", "Delete the draft"}, {"Enter results", "Take out of sight"}
    found = offers(desk, "boards", row.pk)
    assert (found & of_draft, found & of_public) == (of_draft, set())
    found = offers(desk, "results", row.pk)
    assert ("Publish round 1" in found, "Clock" in found) == (True, False)
    Round.objects.filter(pk=row.pk).update(state=Round.State.PUBLISHED)
    found = offers(desk, "boards", row.pk)
    assert (found & of_draft, found & of_public) == (set(), of_public)
    found = offers(desk, "results", row.pk)
    assert ("Publish round 1" in found, "Clock" in found) == (False, True)
    close(swiss)
    assert "Clock" not in offers(desk, "results", row.pk)


def test_nobody_is_awaited_where_the_event_is_over(desk: Client, swiss: Tournament) -> None:
    found = offers(desk, "rounds", swiss.pk)
    assert ("Check-in" in found, "Open the event again" in found) == (True, False)
    close(swiss)
    found = offers(desk, "rounds", swiss.pk)
    assert ("Check-in" in found, "Open the event again" in found) == (False, True)


@pytest.mark.extended
def test_a_bye_is_taken_back_and_numbers_are_sorted_until_the_rounds_are_made(desk: Client, swiss: Tournament) -> None:
    entry = Entry.objects.filter(tournament=swiss).order_by("number")[3]
    request_bye(entry.pk, 1, ByeKind.HALF, by=None)
    assert "Take back" in offers(desk, "entry", entry.pk)
    for number in range(1, 5):
        pair_next_round(page_cases.first_stage(swiss), by=None, day=factory.MONDAY, publish=True)
        assert "Take back" not in offers(desk, "entry", entry.pk)
        assert ("Sort by rating" in offers(desk, "entries", swiss.pk)) == (number < 4)
        page_cases.play_open_round(swiss, *[Result.DRAW] * (3 if number == 1 else 4))


def test_boards_are_set_and_evenings_opened_until_the_event_is_over(desk: Client, standard: RatingList) -> None:
    ladder = factory.make_ladder(factory.make_players(3)).tournament
    begin, board = "Open the evening", "Set the board"
    assert offers(desk, "free_boards", ladder.pk) & {begin, board} == {board}
    set_free_rules(ladder, NewFreeRules(check_in=True), by=None)
    assert offers(desk, "free_boards", ladder.pk) & {begin, board} == {begin, board}
    close(ladder)
    assert offers(desk, "free_boards", ladder.pk) & {begin, board} == set()
