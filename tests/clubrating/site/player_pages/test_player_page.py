"""A player's page: one chart of all lists, record, streaks, best win, opponents, and what is shown to whom."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from clubrating.site.player_pages import selectors
from clubrating.site.player_pages.selectors import next_game_of, placings_of
from clubrating.site.player_pages.views import player as views
from players.models import Player
from ratings.lists.services import NewRule, NewStart, set_rules
from ratings.models import RatingList
from tests import factory
from tests.clubrating.site.lists.list_pages import found_list
from tests.visitor import Visitor
from tournaments.events.services.events import update_tournament
from tournaments.models import Entry, Game, Pairing, Round, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings, change_player
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def cast(world: None) -> list[Player]:
    """Four players, the first two established, in a standard and a rapid cup where White won every game."""
    players = found_list((1800, 40), (1700, 40), players=4)
    factory.make_list("rapid", pool="rapid", primary=False)
    for name, pool in (("Winter Cup", "standard"), ("Rapid Cup", "rapid")):
        cup = factory.make_round_robin(players, name=name)
        update_tournament(cup.pk, {"pool": pool}, by=None)
        factory.play_all(cup, Result.WHITE_WINS)
    return players


@pytest.mark.extended
def test_all_lists_are_in_one_chart_unless_their_points_are_of_another_kind(client: Client, cast: list[Player]) -> None:
    page = client.get(cast[0].get_absolute_url())
    lines = page.context["chart"].wide.lines
    assert [(line.name, line.look, line.chosen) for line in lines] == [("Standard", 1, True), ("Rapid", 2, False)]
    assert [line.last.provisional for line in lines] == [False, True]
    other = client.get(cast[0].get_absolute_url() + "?list=rapid").context["chart"].wide
    assert [(line.look, line.chosen) for line in other.lines] == [(1, False), (2, True)]
    assert len(other.zones) == 1, "the ground is that of the list whose figures stand above"
    rapid = RatingList.objects.get(slug="rapid")
    set_rules(rapid, [NewRule(factory.MONDAY, "kd", {})], by=None)
    rebuild_list(rapid)
    assert client.get(cast[0].get_absolute_url()).context["chart"].wide.lines[0].name == "Standard"
    assert client.get(cast[0].get_absolute_url() + "?list=rapid").context["chart"].wide.lines[0].name == "Rapid"


def test_a_start_that_came_after_games_is_no_second_first_rating(client: Client, cast: list[Player]) -> None:
    standard, page = RatingList.objects.get(slug="standard"), cast[2].get_absolute_url()
    assert "on a starting rating of" not in client.get(page).text, "none, or one before every game"
    bring_starting_ratings(standard, [NewStart(cast[2].pk, factory.today(), 1992, 50)], by=None)
    text = client.get(page).text
    assert "on a starting rating of 1992 holds; the games before it were rated without it and led to 1" in text
    assert "brought along" not in text, "the games of the start count in place of those before it, not beside them"


def test_every_point_is_read_by_keyboard_and_stands_in_the_table(client: Client, cast: list[Player]) -> None:
    page = client.get(cast[0].get_absolute_url())
    points = re.findall(r'<g class="point[^>]*>', page.text)
    assert points
    assert all('tabindex="0"' in point and "aria-label=" in point for point in points)
    assert "on probation" in " ".join(points)
    played = [(row.get_cell("list_name"), row.record.sample.event) for row in page.context["marks"].rows]
    assert sorted(played) == [("Rapid", "Rapid Cup")] * 3 + [("Standard", "Winter Cup")] * 3
    assert len(points) == 2 * len(played), "each in both drawings"
    assert "Show as a table" in page.text


def test_the_record_tells_streaks_the_best_win_and_how_far_the_probation_is(client: Client, cast: list[Player]) -> None:
    page = client.get(cast[2].get_absolute_url())
    best = page.context["career"].best_win
    assert best.opponent == max(row for row in (best.opponent, 1500.0))
    for said in ("Wins in a row", "now, ", "Best win: over the highest rating"):
        assert said in page.text
    assert f"/why/{best.game}/{cast[2].number}/" in page.text
    text = client.get(cast[2].get_absolute_url()).text
    assert "On probation: 3 of 30 games." in text
    assert 'aria-label="3 of 30 games"' in text
    assert "After 27 more rated games the mark goes" in text


def test_opponents_lead_to_both_and_a_game_s_page_to_the_way_to_say_that_it_is_wrong(cast: list[Player]) -> None:
    visitor = Visitor()
    visitor.open(cast[0].get_absolute_url())
    visitor.click("Head to head: Bo Brandt")
    assert visitor.address == f"/players/{cast[0].slug}/vs/{cast[1].slug}/"
    assert visitor.sees("Rapid", "Standard", "2 games")
    visitor.open(cast[0].get_absolute_url())
    assert "wrong?" not in visitor.page.words
    visitor.click("why?")
    visitor.click("wrong?")
    assert visitor.address.endswith("/wrong/")
    assert visitor.sees("Ada Alvarez", "Winter Cup", "Tell the arbiters")


def test_the_card_says_place_percentile_and_where_the_games_were_played(client: Client, cast: list[Player]) -> None:
    page = client.get(cast[1].get_absolute_url())
    among = page.context["among"]
    assert (among.place, among.ranked, among.percent) == (2, 2, 0)
    assert sum(among.spread.counts) == 2
    for said in (
        "2 of 2",
        "ahead of 0 % of the others",
        "43 rated games",
        "(3 here, 40 brought along)",
        "3 games here",
    ):
        assert said in page.text
    newcomer = client.get(cast[2].get_absolute_url())
    assert newcomer.context["among"] is None
    assert "brought along" not in newcomer.text


@pytest.mark.parametrize(("span", "points"), [("", 6), ("all", 6), ("nonsense", 6), ("year", 3), ("3-months", 0)])
def test_a_span_shows_the_games_of_that_time(client: Client, cast: list[Player], span: str, points: int) -> None:
    Game.objects.filter(pool="rapid").update(played_on=factory.today() - timedelta(days=200))
    Game.objects.filter(pool="standard").update(played_on=factory.today() - timedelta(days=400))
    page = client.get(cast[0].get_absolute_url(), {"span": span, "list": "rapid"})
    chart = page.context["chart"]
    assert sum(len(line.points) for line in chart.wide.lines) == points if points else chart is None
    assert ("No two rated games in this time." in page.text) == (points == 0)


def test_the_place_in_an_event_is_that_of_its_standings(client: Client, cast: list[Player]) -> None:
    rows = client.get("/tournaments/winter-cup/standings/").context["table"].rows
    places = {row.record.entrant.player.pk: row.record.place for row in rows}
    for entry in Entry.objects.filter(tournament__slug="winter-cup"):
        page = client.get(entry.player.get_absolute_url())
        shown = page.context["events_table"].places["winter-cup"]
        assert (shown.first, shown.players, shown.final) == (places[entry.player_id], 4, True)
        assert f'{shown.first} <span class="alt">of 4</span>' in page.text


def test_of_very_large_events_no_place_is_worked_out(cast: list[Player], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MOST_ENTRIES", 7)
    assert set(placings_of(cast[0], ["rapid-cup", "winter-cup"], factory.today())) == {"rapid-cup"}
    monkeypatch.setattr(selectors, "MOST_ENTRIES", 8)
    assert len(placings_of(cast[0], ["rapid-cup", "winter-cup"], factory.today())) == 2
    (nobody,) = factory.make_players(1)
    assert placings_of(nobody, ["rapid-cup"], factory.today()) == {}, "whoever does not play has no place"


def test_the_next_game_is_the_next_one_to_be_played(
    client: Client, cast: list[Player], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert client.get(cast[0].get_absolute_url()).context["next"] is None
    cup = factory.make_round_robin(cast, name="Spring Cup")
    rounds = list(Round.objects.filter(stage__tournament=cup).order_by("number"))
    for row, days in zip(rounds, (-70, 9, 2), strict=True):
        Round.objects.filter(pk=row.pk).update(planned_on=factory.today() + timedelta(days=days))
    late = factory.make_round_robin(cast, name="Late Cup")
    Round.objects.filter(stage__tournament=late).update(planned_on=factory.today() - timedelta(days=5))
    page = client.get(cast[0].get_absolute_url())
    assert page.context["next"].game.pairing.round == rounds[2], "the earliest to come, and not one overdue"
    assert "Next game" in page.text
    assert "Spring Cup, round 3" in page.text
    record_result(game=page.context["next"].game.pk, result=Result.DRAW, played_on=factory.today(), by=None)
    with django_assert_num_queries(1):
        board = next_game_of(cast[0], factory.today())
        assert board is not None
        assert {board.game.white, board.game.black} > {cast[0]}
    assert board.game.pairing.round == rounds[1], "the other is played, before its day"
    Round.objects.filter(stage__tournament=cup).update(planned_on=factory.today() - timedelta(days=70))
    board = next_game_of(cast[0], factory.today())
    assert board is not None
    assert board.game.tournament == late, "what is overdue may still be played"
    Round.objects.update(planned_on=factory.today() - timedelta(days=70))
    assert next_game_of(cast[0], factory.today()) is None


@pytest.mark.parametrize(
    ("rows", "change"),
    [(Round, {"state": Round.State.DRAFT}), (Tournament, {"closed": True}), (Pairing, {"superseded": True})],
)
def test_no_game_of_a_draft_or_of_what_is_over_comes_next(
    cast: list[Player], rows: Any, change: dict[str, Any]
) -> None:
    factory.make_round_robin(cast, name="Spring Cup", first_day=factory.today())
    assert next_game_of(cast[0], factory.today())
    rows.objects.update(**change)
    assert next_game_of(cast[0], factory.today()) is None


def test_fifteen_games_stand_on_the_page_and_all_on_the_next(
    client: Client, cast: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        factory.play_all(factory.make_round_robin(cast, name=f"Cup {number}"))
    page = client.get(cast[0].get_absolute_url())
    assert len(page.context["table"].rows) == 15
    address = f"/players/{cast[0].slug}/games/?list=standard"
    assert address in page.text
    games = client.get(address)
    assert len(games.context["table"].rows) == 18
    assert "18 games in Standard" in games.text
    monkeypatch.setattr(views, "PER_PAGE", 7)
    pages = [client.get(f"{address}&page={number}").context["table"] for number in (1, 2, 3)]
    assert [row.record for page in pages for row in page.rows] == [row.record for row in games.context["table"].rows]
    monkeypatch.setattr(views, "FIRST_GAMES", 18)
    assert address not in client.get(cast[0].get_absolute_url()).text
    assert (
        client.get(cast[0].get_absolute_url() + "?list=rapid&page=2")
        .headers["Location"]
        .endswith("/games/?list=rapid&page=2")
    )
    old = client.get(f"/players/{cast[0].number}/games/?list=rapid")
    assert old.headers["Location"] == f"/players/{cast[0].slug}/games/?list=rapid"
    newcomer = factory.make_players(5)[4]
    assert client.get(f"{newcomer.get_absolute_url()}games/").status_code == 404


def test_whose_name_is_not_seen_has_neither_chart_nor_changes(client: Client, cast: list[Player]) -> None:
    change_player(cast[0].pk, {"visibility": "initials"}, by=None)
    page = client.get(f"/players/{cast[0].number}/")
    assert "chart" not in page.context or page.context.get("chart") is None
    for found in ("<polyline", "/why/", "change num", "Ada"):
        assert found not in page.text
    assert "Best win" in page.text, "games and ratings are public"


def test_a_hidden_opponent_is_a_number_in_the_best_win_and_no_choice(client: Client, cast: list[Player]) -> None:
    loser = client.get(cast[0].get_absolute_url()).context["best_loser"]
    change_player(loser.pk, {"visibility": "hidden"}, by=None)
    text = client.get(cast[0].get_absolute_url()).text
    assert loser.name not in text
    assert f"Player {loser.number}" in text
    assert f'<option value="{loser.number}"' not in text


@pytest.mark.extended
def test_the_page_costs_the_same_however_long_the_career(client: Client, cast: list[Player]) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(cast[0].get_absolute_url())
        return len(queries)

    client.get("/")
    before = cost()
    more = factory.make_players(4)
    for number in range(2):
        factory.play_all(factory.make_round_robin([cast[0], *more], name=f"Cup {number}"))
    assert cost() == before
    assert before <= 19
