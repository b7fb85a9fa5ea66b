"""The leaderboard's filters, chips, "show me" and trends: combined, kept in the address, telling no age and no name."""

from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Player
from ratings.models import PlayerRating, RatingList, RatingTier
from tests import factory
from tests.clubrating.site.lists.list_pages import PAGE, as_member, found_list, numbers
from tests.visitor import Visitor
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import change_player
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def field(world: None) -> list[Player]:
    """Four adults without a year of birth: 1 and 2 established, 3 and 4 on probation; 1800, 1700, 1600, 1500."""
    return found_list((1800, 40), (1700, 40), (1600, 3), (1500, 3))


def test_filters_combine_with_each_other_and_with_the_search(client: Client, field: list[Player]) -> None:
    standard = RatingList.objects.get()
    RatingTier.objects.create(rating_list=standard, name="First", slug="first")
    RatingTier.objects.create(rating_list=standard, name="Second", slug="second", below=1750)
    assert numbers(client, "?tier=second") == [2, 3, 4]
    assert numbers(client, "?tier=second&show=ranked") == [2]
    assert numbers(client, "?tier=second&show=provisional&q=c") == [3]
    assert numbers(client, "?tier=first&show=provisional") == []
    PlayerRating.objects.filter(player__number=2).update(rating=1749.5)
    assert (numbers(client, "?tier=first"), numbers(client, "?tier=second")) == ([1, 2], [3, 4]), "it is shown as 1750"


def test_chips_keep_what_else_is_chosen_and_a_tab_all_but_the_tier(client: Client, field: list[Player]) -> None:
    RatingTier.objects.create(rating_list=RatingList.objects.get(), name="First", slug="first")
    text = unescape(client.get(f"{PAGE}?show=ranked&q=a&sort=games&page=1").text)
    assert 'href="?show=provisional&q=a&sort=games"' in text
    assert 'href="?show=ranked&q=a&sort=games&tier=first"' in text
    chosen = unescape(client.get(f"{PAGE}?tier=first&show=ranked").text)
    lifted = chosen.partition('href="?show=ranked" ')[2]
    assert 'aria-current="true">First' in lifted.partition("</a>")[0]
    factory.make_list("rapid", pool="rapid", primary=False)
    text = unescape(client.get(f"{PAGE}?show=provisional&q=a&tier=x&page=2").text)
    assert 'href="/ratings/rapid/?show=provisional&q=a"' in text


@pytest.mark.parametrize("column", ["games", "peak", "last_played"])
def test_equals_stand_in_one_order_whatever_the_list_is_sorted_by(
    client: Client, field: list[Player], column: str
) -> None:
    with CaptureQueriesContext(connection) as queries:
        client.get(f"{PAGE}?sort={column}")
    orders = [query["sql"].partition(f'ORDER BY "ratings_playerrating"."{column}" ')[2] for query in queries]
    assert any('"player_id" DESC' in order for order in orders)


def test_crawlers_need_not_follow_combinations(client: Client, field: list[Player]) -> None:
    assert "nofollow" not in client.get(PAGE).text.partition("<footer")[0]
    for query in ("?show=ranked", "?sort=games", "?q=a"):
        text = unescape(client.get(PAGE + query).text)
        assert text.count(' rel="nofollow"') >= 6


def test_the_search_form_keeps_the_filters_without_script(field: list[Player]) -> None:
    visitor = Visitor()
    visitor.open(f"{PAGE}?show=provisional")
    visitor.send("Search", q="costa")
    assert visitor.sees("1 player found for “costa”", "Cleo Costa")
    visitor.open(f"{PAGE}?show=ranked")
    visitor.send("Search", q="costa")
    assert visitor.sees("0 players found for “costa”")


def test_search_as_you_type_asks_for_the_page_takes_its_rows_and_says_their_count(
    client: Client, field: list[Player]
) -> None:
    text = client.get(PAGE).text
    assert 'hx-get="/ratings/standard/"' in text
    assert 'hx-select="#shown"' in text
    assert '"allowEval":false' in text
    assert '"historyCacheSize":0' in text
    assert "htmx" not in client.get("/players/").text
    assert 'hx-get="/ru/ratings/standard/"' in client.get(f"/ru{PAGE}").text
    text = client.get(f"{PAGE}?q=costa").text
    said = text.index('id="said" role="status"')
    assert said < text.index("1 player found") < text.index('<div id="shown">')


def test_show_me_with_a_name_of_several_or_of_nobody_searches_and_remembers_nothing(
    client: Client, field: list[Player]
) -> None:
    assert client.get(f"{PAGE}?me=1&q=a").headers["Location"] == f"{PAGE}?q=a"
    assert client.get(f"{PAGE}?me=1&q=zz+top").headers["Location"] == f"{PAGE}?q=zz+top"
    assert client.get(f"{PAGE}?me=1&show=ranked&q=zz").headers["Location"] == f"{PAGE}?show=ranked&q=zz"
    assert "write a name or a number" in client.get(f"{PAGE}?me=1&q=").text
    assert client.get(f"{PAGE}?me=1&q=%23").headers["Location"] == f"{PAGE}?q=%23"
    assert client.get(f"{PAGE}?me=1&q=999", follow=True).status_code == 200
    client.get(f"{PAGE}?me=1&q=costa", follow=True)
    assert not client.cookies


def test_show_me_confirms_no_guessed_name_and_around_nobody_is_the_list(client: Client, field: list[Player]) -> None:
    for query in ("?around=999", "?around=x", "?around=" + "9" * 40):
        page = client.get(PAGE + query)
        assert len(page.context["table"].rows) == 4
        assert "The marked row" not in page.text
    change_player(field[2].pk, {"visibility": "initials"}, by=None)
    assert "around" not in client.get(f"{PAGE}?me=1&q=costa").headers["Location"]
    as_member(client)
    assert "around=3" in client.get(f"{PAGE}?me=1&q=costa").headers["Location"]


def test_a_trend_is_drawn_with_its_ends_in_words(client: Client, field: list[Player]) -> None:
    factory.play_all(factory.make_round_robin(field), Result.WHITE_WINS)
    text = client.get(PAGE).text
    assert text.count('<svg class="spark"') == 4
    assert "in 3 games" in text
    assert 'class="line provisional"' in text
    assert text.count('class="dot provisional"') == 2


def test_a_trend_is_drawn_only_where_the_name_is_seen(client: Client, field: list[Player]) -> None:
    publish_list(RatingList.objects.get(), factory.MONDAY, by=None)
    factory.play_all(factory.make_round_robin(field, first_day=factory.MONDAY + timedelta(days=1)), Result.WHITE_WINS)
    change_player(field[0].pk, {"visibility": "initials"}, by=None)
    change_player(field[1].pk, {"visibility": "hidden"}, by=None)
    assert client.get(PAGE).text.count('<svg class="spark"') == 2
    as_member(client)
    assert client.get(PAGE).text.count('<svg class="spark"') == 3
    client.force_login(factory.make_arbiter())
    assert client.get(PAGE).text.count('<svg class="spark"') == 4


def test_names_are_escaped_in_rows_written_in_one_go_which_say_the_same_cell_by_cell(
    client: Client, field: list[Player]
) -> None:
    change_player(field[0].pk, {"name": "Ada <b>&Bold"}, by=None)
    text = client.get(PAGE).text
    assert "Ada &lt;b&gt;&amp;Bold" in text
    assert "<b>&" not in text
    table = client.get(PAGE).context["table"]
    for row in table.paginated_rows:
        for name in ("rating", "games", "peak", "record"):
            assert str(row.get_cell(name)) in table.body
