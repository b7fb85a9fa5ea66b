"""Boards that tell most on a free evening: proposed to the arbiter with the reason for each, set as all others are."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import Player
from ratings.models import PlayerRating, RatingList
from tests import factory
from tests.tournaments.admin_pages import url
from tournaments.evenings.selectors import Proposal, Told, busy_at, evening_now, here_at, propose
from tournaments.evenings.services import arrive, open_evening
from tournaments.evenings.words import broken, reasons
from tournaments.events.services.events import open_event
from tournaments.forecast import learning
from tournaments.free_boards.services.rules import NewFreeRules, set_free_rules
from tournaments.free_play.services import record_free_game
from tournaments.models import Evening, Game, Tournament
from tournaments.pairing.evening import Partners, in_order
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]
AGO = (7, 30, 30, 30, 30)


@pytest.fixture(scope="module")
def thursdays(world: None) -> Tournament:
    """The first two met a week ago. An older event stands beside, in a pool without a list."""
    factory.make_club()
    factory.make_list()
    people = factory.make_players(6)
    open_event("Mondays", pool="blitz", by=None)
    event = open_event("Thursdays", pool="standard", by=None).tournament
    set_free_rules(event, NewFreeRules(check_in=True), by=None, revision=0)
    played = [(0, 2), (0, 3), (1, 2), (3, 2), (0, 1)]
    for (one, other), ago in zip(played, sorted(AGO, reverse=True), strict=True):
        day = timezone.localdate() - timedelta(days=ago)
        record_free_game(event, people[one], people[other], Result.WHITE_WINS, day, by=None)
    evening = open_evening(event, by=None)
    for each in people[:4]:
        arrive(evening.pk, each)
    return event


def proposed(event: Tournament, rule: Partners | None) -> Proposal:
    evening = evening_now(event, timezone.now())
    assert evening is not None
    return propose(evening, here_at(evening), busy_at(event), timezone.localdate(), rule)


@pytest.mark.parametrize("rule", [rule for rule in Partners if rule.asks])
def test_every_board_has_its_reason_and_keeps_the_bounds_where_it_can(thursdays: Tournament, rule: Partners) -> None:
    found = proposed(thursdays, rule)
    one, two = Player.objects.order_by("number")[:2]
    assert in_order(one.pk, two.pk) not in [in_order(white.pk, black.pk) for white, black in found.boards]
    assert len(found.told) == len(found.boards) == 2
    for told in found.told:
        assert (told.firsts is None) == (rule is not Partners.TITLE)
        assert sorted(told.few) == [2, 3], "all are newcomers to the list"
        assert not broken(told)
    assert not proposed(thursdays, None).told, "the usual rule asks nothing"


def test_the_usual_rule_takes_the_order_of_the_pools_own_list(thursdays: Tournament) -> None:
    usual = proposed(thursdays, None).boards
    other = factory.make_list("blitz", pool="blitz", primary=False)
    for place, row in enumerate(PlayerRating.objects.order_by("rating")):
        row.pk, row.rating_list, row.generation, row.rating = None, other, other.live_generation, (7 * place) % 4
        row.save()
    assert proposed(thursdays, None).boards == usual


def test_a_pool_without_a_list_tells_what_games_tell(thursdays: Tournament) -> None:
    RatingList.objects.update(public=False)
    found = proposed(thursdays, Partners.LIST)
    assert [told.above >= 0.5 for told in found.told] == [True, True]
    Game.objects.update(played_on=timezone.localdate() - timedelta(days=1000))
    assert {told.above for told in proposed(thursdays, Partners.TITLE).told} == {0.5}


def test_reasons_are_words_and_broken_bounds_say_so() -> None:
    told = Told(0.552, 120.4, None, (3,), 45, again=False, uneven=False, far=False)
    assert reasons(told) == [
        "who stands higher is the stronger: 55 %",
        "newcomer with 3 rated games",
        "not met for 45 days",
        "120 points apart",
    ]
    told = Told(0.3, 480.0, (0.31, 0.0001), (), 3, again=True, uneven=True, far=True)
    assert reasons(told) == [
        "chances of the first place: 31 % and 1 %",
        "who stands lower is the stronger: 70 %",
    ]
    assert broken(told) == ["met less than 30 days ago", "colours get uneven", "more than 400 points apart"]
    assert reasons(Told(0.5, 0.0, None, (), None, again=False, uneven=False, far=False))[1] == "not met for a year"


def test_the_arbiter_asks_by_a_button_and_sets_the_boards_as_always(client: Client, thursdays: Tournament) -> None:
    client.force_login(factory.make_arbiter())
    address = url("free_boards", thursdays.pk)
    plain, asked, nonsense = (client.get(address, {"rule": rule}).text for rule in ("", "list", "'--"))
    assert "?rule=list#proposal" in plain
    assert "is the stronger: " in asked
    assert "is the stronger: " not in plain + nonsense
    assert 'value="list" selected' in asked
    white, black = proposed(thursdays, Partners.LIST).boards[0]
    answer = client.post(f"{address}?rule=list", {"propose": "1", "pair": f"{white.pk}-{black.pk}"})
    assert answer.status_code == 302
    assert Game.objects.get(result=Result.OPEN).white == white


def test_a_board_tells_its_last_game_and_broken_bounds(thursdays: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    people, today = list(Player.objects.order_by("number")), timezone.localdate()
    Evening.objects.get().arrivals.filter(player__in=people[2:4]).delete()
    PlayerRating.objects.filter(player=people[0]).update(games=200)
    last = record_free_game(thursdays, people[0], people[1], Result.WHITE_WINS, today - timedelta(days=3), by=None)
    monkeypatch.setattr(learning, "GAP", 1.0)
    [told] = proposed(thursdays, Partners.LIST).told
    assert (told.ago, told.again, told.far, told.few) == (3, True, True, (3,)), "one of them is no newcomer"
    Game.objects.exclude(pk=last.pk).update(result=Result.OPEN)
    for days, again in ((29, True), (30, False)):
        Game.objects.filter(pk=last.pk).update(played_on=today - timedelta(days=days))
        [told] = proposed(thursdays, Partners.LIST).told
        assert (told.ago, told.again) == (days, again)


def test_more_guests_ask_no_more_of_the_database(thursdays: Tournament) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            proposed(thursdays, Partners.LIST)
        return len(queries)

    before = asked()
    for each in Player.objects.order_by("number")[4:]:
        arrive(Evening.objects.get().pk, each)
    assert asked() == before <= 16
