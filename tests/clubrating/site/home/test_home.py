"""The front page: every round that is on, who leads, what was played, who moved; nothing private, at one cost."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubrating.site.home import selectors
from clubrating.site.home.selectors import boards_of, latest_results
from players.models import Player
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.tournaments.event_pages.page_cases import keizer_club
from tests.tournaments.pairs.pair_cases import make_doubles, make_lists
from tournaments.models import Game, Pairing, Round
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import bring_starting_ratings, change_player
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


def section(client: Client, name: str) -> str:
    """One section of the front page."""
    text = client.get("/").text
    return text[text.index(f'<section aria-labelledby="{name}"') :].split("</section>")[0]


@pytest.fixture
def field(standard: RatingList) -> list[Player]:
    players = factory.make_players(4)
    starts = [NewStart(player.pk, factory.MONDAY, 1500, 40) for player in players]
    bring_starting_ratings(standard, starts, by=None)
    return players


def test_every_round_that_is_on_stands_there(client: Client, field: list[Player]) -> None:
    today = factory.today()
    for name in ("First Cup", "Second Cup", "Third Cup"):
        factory.make_round_robin(field, name=name, first_day=today)
    page = client.get("/")
    shown = {page.context["now"].tournament.name, *(row.record.tournament.name for row in page.context["others"].rows)}
    assert shown == {"First Cup", "Second Cup", "Third Cup"}
    assert "2 more rounds are not finished." in page.text
    assert "0 / 2" in section(client, "others")


def test_one_round_alone_has_no_others(client: Client, field: list[Player]) -> None:
    factory.make_round_robin(field, first_day=factory.today())
    assert "Other unfinished rounds" not in client.get("/").text


def test_the_boards_of_a_round_are_its_own_and_no_draft(field: list[Player]) -> None:
    cup, _other = (factory.make_round_robin(field, name=name) for name in ("First Cup", "Second Cup"))
    row = factory.round_of(cup, 1)
    own = list(Game.objects.filter(pairing__round=row).order_by("pairing__board"))
    assert boards_of(row, None, 9) == own
    assert boards_of(row, None, 1) == own[:1]
    Pairing.objects.filter(games=own[0].pk).update(board=3)
    assert boards_of(row, None, 9) == own[::-1]
    Pairing.objects.filter(games=own[0].pk).update(superseded=True)
    assert boards_of(row, None, 9) == own[1:]
    Round.objects.update(state=Round.State.DRAFT)
    assert boards_of(row, None, 9) == []


def test_a_running_event_tells_its_leader_with_points(client: Client, field: list[Player]) -> None:
    cup = factory.make_round_robin(field)
    assert ">–</t" in section(client, "running").replace("\n", "")
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    box = section(client, "running")
    assert "Ada Alvarez" in box
    assert '<span class="alt">1</span>' in box


def test_leaders_stand_as_the_viewer_sees_them(client: Client, field: list[Player]) -> None:
    factory.play_round(factory.make_round_robin(field), 1, [Result.WHITE_WINS, Result.DRAW])
    change_player(field[0].pk, {"visibility": "hidden"}, by=None)
    assert "Alvarez" not in client.get("/").text
    assert "Player 1" in section(client, "running")
    client.force_login(factory.make_arbiter())
    assert "Ada Alvarez" in section(client, "running")


def test_forfeits_are_no_news(client: Client, field: list[Player], monkeypatch: pytest.MonkeyPatch) -> None:
    cup = factory.make_round_robin(field)
    played, given = Game.objects.filter(tournament=cup, pairing__round__number=1).order_by("pairing__board")
    record_result(game=played.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    record_result(game=given.pk, result=Result.WHITE_FORFEITS, played_on=factory.MONDAY, by=None)
    assert [game.pk for game in latest_results()] == [played.pk]
    with monkeypatch.context() as briefly:
        briefly.setattr(selectors, "LOOKED_AT", 1)
        assert latest_results() == []
    Round.objects.update(state=Round.State.DRAFT)
    assert latest_results() == []


def test_a_loaded_history_is_no_news_and_hides_none_before_it(client: Client, field: list[Player]) -> None:
    cup = factory.make_round_robin(field)
    factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    Game.objects.filter(tournament=cup, pairing__board=1).update(recorded_at=None)
    assert [game.pairing.board for game in latest_results()] == [2]


# --- movers -----------------------------------------------------------------------------------------------------
def test_movers_tell_their_change_and_since_when(
    client: Client, standard: RatingList, field: list[Player], club_time: None
) -> None:
    on = factory.today() - timedelta(days=20)
    publish_list(standard, on, by=None)
    cup = factory.make_round_robin(field, first_day=on + timedelta(days=1))
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    box = section(client, "movers")
    assert f"?on={on}" in box
    assert '<span class="change">+10</span>' in box
    assert '<span class="change">−10</span>' in box
    assert box.count("<li") == 2  # whose rating did not move by a point is no mover


def test_movers_are_those_whose_names_are_seen(
    client: Client, standard: RatingList, field: list[Player], club_time: None
) -> None:
    first = factory.today() - timedelta(days=10)
    factory.play_round(factory.make_round_robin(field, first_day=first), 1, [Result.WHITE_WINS, Result.DRAW])
    change_player(field[0].pk, {"visibility": "initials"}, by=None)
    box = section(client, "movers")
    assert "+10" not in box
    assert "A. A." not in box
    client.force_login(factory.make_arbiter())
    assert "+10" in section(client, "movers")


def test_a_mover_on_probation_is_told_by_class_mark_and_words(
    client: Client, standard: RatingList, club_time: None
) -> None:
    first = factory.today() - timedelta(days=10)
    factory.play_all(factory.make_round_robin(factory.make_players(2), first_day=first), Result.WHITE_WINS)
    box = section(client, "movers")
    assert '<li class="provisional">' in box
    assert '<span class="mark" aria-hidden="true">?</span>' in box
    assert "on probation" in box
    assert "1/30" in box


def test_where_nothing_moved_it_says_so(client: Client, field: list[Player]) -> None:
    assert "rating has moved since" in section(client, "movers")


def test_an_empty_club_has_a_front_page(client: Client, club: object) -> None:
    text = client.get("/").text
    for words in ("No round tonight", "No result yet", "No event is running", "Nobody is on probation", "No round is"):
        assert words in text
    assert "Biggest movers" not in text


def test_a_returning_player_is_counted_from_the_return(client: Client, standard: RatingList) -> None:
    (ada,) = factory.make_players(1)
    bring_starting_ratings(standard, [NewStart(ada.pk, factory.MONDAY, 1500, 200)], by=None)
    standard.ratings.update(reentry=7, ranked=False)
    assert "3/10" in section(client, "new")


def test_the_page_costs_the_same_queries_whatever_is_on(client: Client, standard: RatingList) -> None:
    counted = []
    for round_of_tests in range(2):
        players = factory.make_players(6)
        for number in range(2 + 3 * round_of_tests):
            cup = factory.make_round_robin(
                players, name=f"Cup {round_of_tests}{number}", first_day=factory.today() - timedelta(days=number)
            )
            game = Game.objects.filter(tournament=cup, pairing__round__number=1)[0]
            record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
        with CaptureQueriesContext(connection) as seen:
            assert client.get("/").status_code == 200
        counted.append(len(seen))
    assert counted[0] == counted[1] <= 20


def test_a_keizer_event_and_its_leader_stand_there_too(client: Client, standard: RatingList) -> None:
    keizer_club(factory.make_players(4), [[Result.WHITE_WINS, Result.DRAW]])
    assert "Keizer" in section(client, "running")


def test_a_side_of_two_shows_no_rating_of_one_of_them(field: list[Player], standard: RatingList) -> None:
    factory.make_round_robin(field)
    make_lists()
    make_doubles([*field, *factory.make_players(2)])
    for name, known in (("Winter Cup", True), ("Doubles Cup", False)):
        row = Round.objects.filter(stage__tournament__name=name).order_by("number")[0]
        games: list[Any] = list(boards_of(row, standard, 8))
        assert games
        assert {game.white_rating is not None for game in games if game.white in field} == {known}
