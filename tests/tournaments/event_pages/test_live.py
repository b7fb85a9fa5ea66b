"""Pages follow the round that is being played: when they do, what they ask, and what an unchanged event costs."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import pytest
from django.test import Client

from players.models import Player, Visibility
from players.privacy.rules import NOBODY, OFFICER
from tests import factory
from tests.tournaments.event_pages.page_cases import BLACK, DRAW, WHITE, draw_cup, form_groups, play_match, text_of
from tournaments.event_pages.views.live import EVERY
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import all_event_data
from tournaments.models import Game, Round, Tournament
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.selectors.progress import last_result_at, round_after, round_on
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
FOLLOWING = ("", "standings/", "rounds/1/")
PART = "?part=live"
CountQueries = Callable[[int], AbstractContextManager[object]]


@pytest.fixture(scope="module")
def cup(world: None) -> Tournament:
    """Five players, so one has a bye in every round."""
    factory.make_club()
    factory.make_list()
    return factory.make_round_robin(factory.make_players(5))


@pytest.fixture
def begun(cup: Tournament) -> Tournament:
    """One of the two boards of round 1 has its result."""
    record_result(game=board(cup, 1).pk, result=WHITE, played_on=factory.MONDAY, by=None)
    return cup


def board(cup: Tournament, number: int) -> Game:
    return Game.objects.get(tournament=cup, pairing__round__number=1, pairing__board=number)


def facts_of(event: Tournament) -> EventData:
    return all_event_data(event, NOBODY)[0]


# --- when a round is on -------------------------------------------------------------------------------------------
def test_a_round_is_on_from_its_first_result_to_its_last(cup: Tournament) -> None:
    day = factory.MONDAY - timedelta(days=9)
    assert (round_on(facts_of(cup), day), last_result_at(cup)) == (None, None)
    record_result(game=board(cup, 1).pk, result=WHITE, played_on=factory.MONDAY, by=None)
    on = round_on(facts_of(cup), day)
    assert on is not None
    assert on.number == 1
    assert last_result_at(cup) == board(cup, 1).recorded_at, "the moment it was entered"
    record_result(game=board(cup, 2).pk, result=DRAW, played_on=factory.MONDAY, by=None)
    assert round_on(facts_of(cup), day) is None


def test_a_round_whose_only_board_was_decided_without_play_is_behind_all(cup: Tournament) -> None:
    small = factory.make_round_robin(factory.first_players(3))
    record_result(game=board(small, 1).pk, result=Result.BLACK_FORFEITS, played_on=factory.MONDAY, by=None)
    current = facts_of(small).current_round
    assert current is not None
    assert current.number == 2


def test_a_round_is_on_the_whole_day_it_is_planned_for_but_never_a_draft(cup: Tournament) -> None:
    assert round_on(facts_of(cup), factory.MONDAY) is not None
    assert round_on(facts_of(cup), factory.MONDAY + timedelta(days=1)) is None
    Round.objects.update(state=Round.State.DRAFT)
    assert round_on(all_event_data(cup, OFFICER)[0], factory.MONDAY) is None


def test_the_next_round_is_the_first_that_is_still_to_come_unless_the_event_is_over(cup: Tournament) -> None:
    present = round_after(facts_of(cup), factory.MONDAY)
    record_result(game=board(cup, 1).pk, result=WHITE, played_on=factory.MONDAY, by=None)
    following = round_after(facts_of(cup), factory.MONDAY)
    assert present is not None
    assert following is not None
    assert (present.number, following.number) == (1, 2)
    Round.objects.filter(number=2).update(state=Round.State.DRAFT)
    public = round_after(all_event_data(cup, OFFICER)[0], factory.MONDAY)
    assert public is not None
    assert public.number == 3, "no draft"
    late = factory.MONDAY + timedelta(days=999)
    assert round_after(facts_of(cup), late) is None
    Tournament.objects.update(closed=True)
    cup.refresh_from_db()
    assert round_on(facts_of(cup), factory.MONDAY) is None
    assert round_after(facts_of(cup), factory.MONDAY) is None


# --- what a page says ---------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_page_that_follows_asks_for_its_parts_until_the_round_is_over(client: Client, begun: Tournament) -> None:
    for address in (f"/tournaments/{begun.slug}/{part}" for part in FOLLOWING):
        page, parts = text_of(client, address), text_of(client, f"{address}{PART}")
        assert f'data-every="{EVERY}" data-address="{address}{PART}"' in page
        assert "Round 1: 1 of 2 results are in." in page
        assert "Load again" in page
        assert "js/live.js" in page
        news, live = parts.split('<div class="stack" id="live"')
        assert news.strip() in page
        assert live.removesuffix("</div>").strip() in page
        assert "<html" not in parts
    assert "?order=name&amp;part=live" in text_of(client, f"/tournaments/{begun.slug}/rounds/1/?order=name")
    assert "data-every" not in text_of(client, f"/tournaments/{begun.slug}/rounds/2/"), "another round"
    record_result(game=board(begun, 2).pk, result=DRAW, played_on=factory.MONDAY, by=None)
    for address in (f"/tournaments/{begun.slug}/{part}" for part in FOLLOWING):
        for page in (text_of(client, address), text_of(client, f"{address}{PART}")):
            assert "data-every" not in page
            assert "js/live.js" not in page


def test_a_knockout_and_groups_are_followed_too(client: Client, cup: Tournament) -> None:
    people = factory.make_players(8)
    cup = draw_cup(people)
    play_match(cup, 1, 1, WHITE)
    assert "Round 1: 1 of 4 results are in." in text_of(client, "/tournaments/cup/")
    groups = form_groups(people)[0].tournament
    first = Game.objects.filter(tournament=groups).order_by("pk")[0]
    record_result(game=first.pk, result=DRAW, played_on=factory.MONDAY, by=None)
    assert "Round 1: 1 of 4 results are in." in text_of(client, groups.get_absolute_url())


# --- what asking costs --------------------------------------------------------------------------------------------
@pytest.mark.extended
@pytest.mark.parametrize("signed_in", [False, True], ids=["public", "officer"])
def test_an_unchanged_event_is_answered_in_the_fewest_queries(
    client: Client, begun: Tournament, at_most: CountQueries, signed_in: bool
) -> None:
    if signed_in:
        client.force_login(factory.make_arbiter())
    for part in FOLLOWING:
        address = f"/tournaments/{begun.slug}/{part}{PART}"
        tag = client.get(address).headers["ETag"]
        # The club with its stamp; of an officer his session and himself too.
        with at_most(4 if signed_in else 1):
            answer = client.get(address, headers={"If-None-Match": tag})
        assert answer.status_code == 304
        assert not answer.content


@pytest.mark.parametrize("signed_in", [False, True], ids=["public", "officer"])
def test_a_result_a_correction_and_a_hidden_name_are_told_at_once(
    client: Client, begun: Tournament, signed_in: bool
) -> None:
    if signed_in:
        client.force_login(factory.make_arbiter())
    address = f"/tournaments/{begun.slug}/rounds/1/{PART}"
    tag = client.get(address).headers["ETag"]

    def asked_again() -> str:
        nonlocal tag
        answer = client.get(address, headers={"If-None-Match": tag})
        assert answer.status_code == 200
        tag = answer.headers["ETag"]
        return answer.content.decode()

    assert correct_result(game=board(begun, 1).pk, result=BLACK, by=None)
    asked_again()
    record_result(game=board(begun, 2).pk, result=DRAW, played_on=factory.MONDAY, by=None)
    assert "data-every" not in asked_again()


def test_officer_and_public_never_share_an_answer(client: Client, begun: Tournament) -> None:
    hidden = board(begun, 1).white
    Player.objects.filter(pk=hidden.pk).update(visibility=Visibility.HIDDEN)
    address = f"/tournaments/{begun.slug}/standings/{PART}"
    public = client.get(address)
    assert hidden.name not in public.content.decode()
    client.force_login(factory.make_arbiter())
    officer = client.get(address, headers={"If-None-Match": public.headers["ETag"]})
    assert officer.status_code == 200
    assert hidden.name in officer.content.decode()
    assert "no-store" in officer.headers["Cache-Control"]


@pytest.mark.extended
def test_the_parts_need_few_queries_whatever_the_number_of_players(
    client: Client, begun: Tournament, at_most: CountQueries
) -> None:
    large = factory.make_round_robin(factory.make_players(20), name="Large")
    record_result(game=board(large, 1).pk, result=WHITE, played_on=factory.MONDAY, by=None)
    for event in (begun, large):
        for part in FOLLOWING:
            with at_most(8):
                client.get(f"/tournaments/{event.slug}/{part}{PART}")
