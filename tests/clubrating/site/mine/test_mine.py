"""The reader's own page: the next board with what one asks about it, only what is public, never kept."""

from datetime import time, timedelta
from typing import Any

import pytest
from django.db.models import F, Q
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from clubrating.site.mine.selectors import boards_of
from clubrating.site.mine.views import MOST_FOLLOWED, Asked, asked_in
from clubrating.web.page_cache import code_stamp
from players.club.services import update_club
from players.models import Player
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.players.links.link_cases import phone_of, switch_links_on
from tests.tournaments.event_pages import page_cases
from tests.tournaments.teams.team_cases import make_team_event
from tournaments.events.services.events import update_tournament
from tournaments.models import Game, Pairing, Round, TeamMatch, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings, change_player
from tournaments.results.services.results import record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result
from tournaments.teams.services.line_ups import open_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def field(standard: RatingList) -> list[Player]:
    players = factory.make_players(4)
    bring_starting_ratings(standard, [NewStart(player.pk, factory.MONDAY, 1500, 40) for player in players], by=None)
    return players


@pytest.fixture
def cup(field: list[Player]) -> Tournament:
    return factory.make_round_robin(field, first_day=factory.today())


def own(client: Client, query: str) -> str:
    """The reader's section, without its line breaks."""
    text = " ".join(client.get(f"/mine/?{query}").text.split())
    return text[text.index('<section id="mine"') :].split("</section>")[0]


def test_the_board_comes_with_opponent_colour_record_and_need(client: Client, field: list[Player]) -> None:
    earlier = factory.make_round_robin(field[:2], name="Earlier", first_day=factory.today() - timedelta(days=9))
    factory.play_all(earlier, Result.WHITE_WINS)
    cup = factory.make_round_robin(field[:2], name="Cup", first_day=factory.today())
    game = Game.objects.get(tournament=cup)
    for player, colour in ((game.white, "White"), (game.black, "Black")):
        other = game.black if player == game.white else game.white
        said = own(client, f"player={player.number}")
        square = "side" if colour == "White" else "side black"
        assert f'<span class="{square}"></span>Board 1: {colour} against' in said
        assert other.name in said
        assert "You have not met before." not in said
        assert ("1 won, 0 drawn, 0 lost" in said) is (Game.objects.get(tournament=earlier).white == player)
        assert "A win is enough, whatever the others do." in said
    record_result(game=game.pk, result=Result.WHITE_WINS, played_on=factory.today(), by=None)
    assert "For first place:" not in own(client, f"player={game.white.number}"), "the board is played"


def test_whoever_can_no_longer_be_first_is_told_nothing_of_it(client: Client, field: list[Player]) -> None:
    cup = factory.make_round_robin(field, first_day=factory.today() - timedelta(days=14))
    for game in Game.objects.filter(tournament=cup, pairing__round__number__lt=3).select_related("white", "black"):
        lower_loses = Result.BLACK_WINS if game.white.number < game.black.number else Result.WHITE_WINS
        record_result(game=game.pk, result=lower_loses, played_on=factory.today() - timedelta(days=7), by=None)
    last, first = (own(client, f"player={number}") for number in (1, 4))
    assert ("Board" in last, "Board" in first) == (True, True)
    assert ("For first place:" in last, "For first place:" in first) == (False, True)


def test_of_a_bracket_the_matches_to_be_won_are_told_and_of_a_swiss_nothing_while_it_is_open(
    client: Client, field: list[Player]
) -> None:
    factory.make_knockout(field, first_day=factory.today())
    swiss = page_cases.make_event(field, "dutch", name="Open", rounds=3)
    pair_next_round(factory.stage_of(swiss), by=None, day=factory.today(), publish=True)
    said = own(client, "player=1")
    assert "Winning the next 2 matches in a row is enough." in said
    assert (said.count("against"), said.count("For first place:")) == (2, 1)


def test_boards_of_one_day_stand_in_one_order_however_the_database_keeps_them(
    client: Client, field: list[Player], cup: Tournament
) -> None:
    factory.make_round_robin(field, name="Second", first_day=factory.today())
    before = own(client, f"player={field[0].number}")
    assert before.count("Board") == 2
    Game.objects.filter(tournament=cup).update(importance=2)  # PostgreSQL writes a changed row behind the others
    assert own(client, f"player={field[0].number}") == before


def test_todays_result_stands_until_the_next_day(client: Client, field: list[Player], cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    game = Game.objects.get(tournament=cup, pairing__round__number=1, pairing__board=1)
    assert "Won against" in own(client, f"player={game.white.number}")
    assert "Lost to" in own(client, f"player={game.black.number}")
    drawn = Game.objects.get(tournament=cup, pairing__round__number=1, pairing__board=2)
    assert "Drawn with" in own(client, f"player={drawn.white.number}")
    followed = own(client, f"follow={game.white.number},{game.black.number}")
    assert followed.index("Won against") < followed.index("Lost to")
    Round.objects.filter(stage__tournament=cup, number=1).update(planned_on=factory.today() - timedelta(days=1))
    assert "Won against" not in own(client, f"player={game.white.number}")


def test_of_several_rounds_on_a_day_the_one_to_be_played_is_told_and_in_the_end_the_last_result(
    field: list[Player], cup: Tournament
) -> None:
    late = factory.make_round_robin(field[:2], name="Late Cup", first_day=factory.today() - timedelta(days=9))
    Round.objects.filter(stage__tournament=cup).update(planned_on=factory.today())
    for told, played in ((1, 1), (2, 2), (3, 3), (3, 0)):
        boards = boards_of(field[:1], factory.today())[field[0].pk]
        rounds = [(each.game.tournament, each.game.pairing.round.number) for each in boards if each.game.pairing.round]
        assert rounds == [(cup, told), (late, 1)], "today’s first"
        games = Game.objects.filter(tournament=cup, pairing__round__number=played)
        games.update(result=Result.DRAW, played_on=factory.today(), sequence=F("pk"))


def test_the_round_tells_its_day_and_hour_as_far_as_they_are_known(client: Client, cup: Tournament) -> None:

    def told() -> str:
        return own(client, "player=1").split('<p class="note">')[1].split("</p>")[0]

    day = f'<time datetime="{factory.today()}">'
    assert day in told()
    assert told().endswith("</time>")
    Round.objects.update(planned_at=time(19, 30))
    assert told().endswith("</time>, 19:30")
    Round.objects.update(planned_at=None, planned_on=None)
    assert "<time" not in told()
    assert "You have not met before." in own(client, "player=1")


def test_a_result_is_reported_where_players_report_from_a_device_with_a_link(client: Client, cup: Tournament) -> None:
    def is_offered() -> bool:
        return "Report the result" in own(client, "player=1")

    assert not is_offered()
    switch_links_on()
    assert not is_offered(), "the event does not ask for it"
    cup = update_tournament(cup.pk, {"player_results": "agreed"}, by=None)
    assert is_offered()
    update_club({"personal_links": False}, by=None)
    assert not is_offered(), "no device is known"
    switch_links_on()
    factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    assert not is_offered(), "it is there"


def test_only_a_device_nobody_is_known_on_is_asked_who_it_is(
    client: Client, cup: Tournament, settings: Settings
) -> None:
    assert "Open my link" not in client.get("/mine/").text, "the club makes no links"
    switch_links_on()
    player = Player.objects.get(number=1)
    # Who is known, whose page it is, who is followed: none, or one of them.
    phone = phone_of(player)
    for page, is_stranger in (
        (client.get("/mine/"), True),
        (phone.get("/mine/"), False),
        (client.get("/mine/?player=1"), False),
        (client.get("/mine/?follow=1"), False),
    ):
        said = page.text
        asked = "data-stranger" in said, "Open my link" in said, 'on-screen" open><summary>By number' in said
        assert asked == (is_stranger,) * 3
    assert "A personal link was opened on this device." in phone.get("/mine/").text
    assert "Who you are is kept on this device only." in client.get("/mine/").text
    assert "Passkeys" not in phone.get("/mine/").text
    settings.PASSKEY_SITE = "club.example.org"
    assert "Passkeys" in phone.get("/mine/").text


def test_notices_are_offered_where_the_club_sends_them_to_the_reader(
    client: Client, cup: Tournament, settings: Settings
) -> None:
    ways = "Notices on this device", "Notices by e-mail"

    def offered(query: str) -> list[bool]:
        return [way in own(client, query) for way in ways]

    settings.PUSH_KEY, settings.MAIL = "", None
    assert offered("player=1") == [False, False]
    settings.PUSH_KEY, settings.MAIL = "k" * 43, factory.MAIL
    assert offered("player=1") == [True, True]
    assert offered("follow=2") == [False, False]


@pytest.mark.parametrize(
    ("rows", "change"),
    [
        (Round, {"state": Round.State.DRAFT}),
        (Tournament, {"closed": True}),
        (Pairing, {"superseded": True}),
        (Game, {"surplus": True}),
    ],
)
def test_no_draft_shines_through_nor_what_is_not_played_any_more(
    client: Client, cup: Tournament, rows: Any, change: dict[str, Any]
) -> None:
    rows.objects.update(**change)
    assert "No game is paired for you." in own(client, "player=1")


def test_players_report_their_boards_but_those_of_teams_are_their_captains(
    client: Client, cup: Tournament, standard: RatingList
) -> None:
    switch_links_on()
    league = make_team_event()
    open_match(TeamMatch.objects.order_by("pk")[0].pk, by=None)
    Tournament.objects.update(player_results="agreed")
    for event, reports in ((cup, True), (league, False)):
        game = Game.objects.filter(tournament=event, result="").order_by("pk")[0]
        said = own(client, f"player={game.white.number}")
        assert (game.black.name in said, "Report the result" in said) == (True, reports)


def test_the_rating_tells_its_change_since_the_last_look(client: Client, standard: RatingList, cup: Tournament) -> None:
    looked = f"player=1&was=1490&since=2026-03-02&list={standard.slug}"
    assert "+10 since" in own(client, looked)
    assert f'data-list="{standard.slug}" data-rating="1500"' in own(client, looked)
    assert "since" not in own(client, looked.replace(standard.slug, "other"))  # points of another list
    assert "since" not in own(client, f"player=1&was=1490&list={standard.slug}")


def test_nobody_learns_more_than_from_the_public_pages(client: Client, field: list[Player], cup: Tournament) -> None:
    for level in ("members", "hidden"):
        change_player(field[0].pk, {"visibility": level}, by=None)
        hidden, nobody = (client.get(f"/mine/?player={number}").text for number in (1, 777))
        assert hidden == nobody.replace("player=777", "player=1").replace('value="777"', 'value="1"')
        assert "Alvarez" not in own(client, "player=2&follow=1,3,4")
    change_player(field[0].pk, {"visibility": "initials"}, by=None)
    assert "data-rating" not in own(client, "player=1")


def test_people_one_follows_stand_below_with_their_boards(client: Client, field: list[Player], cup: Tournament) -> None:
    said = own(client, "player=1&follow=2,1,99")
    assert "People you follow" in said
    assert said.count("<li>") == 1
    assert "Bo Brandt" in said.split("People you follow")[1]
    own_games = Q(white__number=2) | Q(black__number=2)
    board = Game.objects.get(own_games, tournament=cup, pairing__round__number=1)
    for player, square in ((board.white, "side"), (board.black, "side black")):
        said = own(client, f"follow={player.number}")
        assert f'<span class="{square}"></span>board {board.pairing.board} against' in said


def test_what_is_no_number_or_day_is_left_out() -> None:
    asked = asked_in({"player": "x", "follow": "3,3,²,#5,,-1", "was": "1e3", "since": "2026-13-40"})
    assert asked == Asked(None, (3, 5), "", None, None)
    assert len(asked_in({"follow": ",".join(map(str, range(99)))}).follow) == MOST_FOLLOWED


def test_nobody_keeps_it(client: Client, cup: Tournament) -> None:
    code_stamp()
    for _ in range(2):
        answer = client.get("/mine/?player=1")
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert "ETag" not in answer.headers
    unknown = client.get("/mine/?player=77")
    assert unknown.status_code == 200
    assert ["Nobody with that number" in page.text for page in (unknown, answer)] == [True, False]


def test_more_people_cost_no_more_queries(
    client: Client, field: list[Player], cup: Tournament, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(10):
        client.get("/mine/?player=1&follow=2,3,4")
