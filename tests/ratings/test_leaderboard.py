"""The leaderboard's filters, chips, "show me" and trends: combined, kept in the address, telling no age and no name."""

from datetime import timedelta
from html import unescape
from itertools import pairwise

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Club, Player
from players.selectors import SESSION_KEY
from players.services.club import update_club
from players.services.people import NewPlayer, create_players
from ratings.models import PlayerRating, RatingList, RatingTier
from ratings.selectors import around, leaderboard, rating_of
from ratings.services.lists import NewStart
from ratings.views.narrowing import AGE_GROUPS
from tests import factory
from tests.visitor import Visitor
from tournaments.services.past_lists import publish_list
from tournaments.services.rating import bring_starting_ratings, change_player
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
PAGE = "/ratings/standard/"
THIS_YEAR = factory.today().year


def numbers(client: Client, query: str = "") -> list[int]:
    """The players of a page, by number, in its order."""
    return [row.record.player.number for row in client.get(PAGE + query).context["table"].paginated_rows]


def as_member(client: Client) -> None:
    update_club({"pass_phrase": "open sesame"}, by=None)
    session = client.session
    session[SESSION_KEY] = Club.objects.get().pass_phrase_version
    session.save()


@pytest.fixture
def field(standard: RatingList) -> list[Player]:
    """Four adults without a year of birth: 1 and 2 established, 3 and 4 on probation; 1800, 1700, 1600, 1500."""
    players = factory.make_players(4)
    starts = [
        NewStart(player.pk, factory.MONDAY, 1900 - 100 * player.number, 40 if player.number < 3 else 3)
        for player in players
    ]
    bring_starting_ratings(standard, starts, by=None)
    return players


@pytest.fixture
def ages(standard: RatingList) -> dict[str, Player]:
    """One of every age, all with sixty games; the child and the teenager by initials, as minors are."""
    born = {"child": 9, "teen": 15, "adult": 30, "elder": 57, "oldest": 70, "hidden": 16, "unknown": None}
    people = create_players(
        [
            NewPlayer(
                f"Pat {name.title()}",
                birth_year=None if age is None else THIS_YEAR - age,
                visibility="hidden" if name == "hidden" else "",
            )
            for name, age in born.items()
        ],
        by=None,
    )
    starts = [NewStart(player.pk, factory.MONDAY, 1500, 60) for player in people]
    bring_starting_ratings(standard, starts, by=None)
    return dict(zip(born, people, strict=True))


# --- filters --------------------------------------------------------------------------------------------------
def test_filters_combine_with_each_other_and_with_the_search(client: Client, field: list[Player]) -> None:
    standard = RatingList.objects.get()
    RatingTier.objects.create(rating_list=standard, name="First", slug="first")
    RatingTier.objects.create(rating_list=standard, name="Second", slug="second", below=1750)
    assert numbers(client, "?tier=second") == [2, 3, 4]
    assert numbers(client, "?tier=second&show=ranked") == [2]
    assert numbers(client, "?tier=second&show=provisional&q=c") == [3]
    assert numbers(client, "?tier=first&show=provisional") == []


def test_chips_keep_what_else_is_chosen(client: Client, field: list[Player]) -> None:
    RatingTier.objects.create(rating_list=RatingList.objects.get(), name="First", slug="first")
    text = unescape(client.get(f"{PAGE}?show=ranked&q=a&sort=games&page=1").text)
    assert 'href="?show=provisional&q=a&sort=games"' in text
    assert 'href="?show=ranked&q=a&sort=games&tier=first"' in text
    chosen = unescape(client.get(f"{PAGE}?tier=first&show=ranked").text)
    lifted = chosen.partition('href="?show=ranked" ')[2]
    assert 'aria-current="true">First' in lifted.partition("</a>")[0]


def test_crawlers_need_not_follow_combinations(client: Client, field: list[Player]) -> None:
    assert "nofollow" not in client.get(PAGE).text
    for query in ("?show=ranked", "?sort=games", "?q=a"):
        text = unescape(client.get(PAGE + query).text)
        assert text.count(' rel="nofollow"') >= 6


def test_a_tab_keeps_the_filter_but_not_the_tier(client: Client, field: list[Player]) -> None:
    factory.make_list("rapid", pool="rapid", primary=False)
    text = unescape(client.get(f"{PAGE}?show=provisional&q=a&tier=x&page=2").text)
    assert 'href="/ratings/rapid/?show=provisional&q=a"' in text


def test_the_search_form_keeps_the_filters_without_script(field: list[Player]) -> None:
    visitor = Visitor()
    visitor.open(f"{PAGE}?show=provisional")
    visitor.send("Search", q="costa")
    assert visitor.sees("1 player found for “costa”", "Cleo Costa")
    visitor.open(f"{PAGE}?show=ranked")
    visitor.send("Search", q="costa")
    assert visitor.sees("0 players found for “costa”")


def test_the_count_is_announced_where_it_stays_while_rows_change(client: Client, field: list[Player]) -> None:
    text = client.get(f"{PAGE}?q=costa").text
    said = text.index('id="said" role="status"')
    assert said < text.index("1 player found") < text.index('<div id="shown">')


def test_search_as_you_type_asks_for_the_page_and_takes_its_rows(client: Client, field: list[Player]) -> None:
    text = client.get(PAGE).text
    assert 'hx-get="/ratings/standard/"' in text
    assert 'hx-select="#shown"' in text
    assert '"allowEval":false' in text
    assert '"historyCacheSize":0' in text
    assert "htmx" not in client.get("/players/").text


def test_a_language_keeps_its_search(client: Client, field: list[Player]) -> None:
    assert 'hx-get="/ru/ratings/standard/"' in client.get(f"/ru{PAGE}").text


# --- age groups -------------------------------------------------------------------------------------------------
def test_the_public_is_shown_no_age_group(client: Client, ages: dict[str, Player]) -> None:
    everybody = numbers(client)
    for group in AGE_GROUPS:
        page = client.get(f"{PAGE}?age={group.key}")
        assert numbers(client, f"?age={group.key}") == everybody
        assert "Age groups tell ages" in page.text
    assert "?age=" not in client.get(PAGE).text


def test_members_see_age_groups_of_those_whose_names_they_see(client: Client, ages: dict[str, Player]) -> None:
    as_member(client)
    names = {player.number: name for name, player in ages.items()}
    found = {group.key: {names[number] for number in numbers(client, f"?age={group.key}")} for group in AGE_GROUPS}
    assert found["u8"] == set()
    assert found["u10"] == found["u14"] == {"child"}
    assert found["u16"] == found["u20"] == {"child", "teen"}
    assert found["50"] == {"elder", "oldest"}
    assert found["65"] == {"oldest"}
    assert 'href="?age=u10"' in client.get(PAGE).text


def test_officers_see_everybody_with_a_year_of_birth(client: Client, ages: dict[str, Player]) -> None:
    client.force_login(factory.make_arbiter())
    assert ages["hidden"].number in numbers(client, "?age=u16")
    assert ages["unknown"].number not in {n for group in AGE_GROUPS for n in numbers(client, f"?age={group.key}")}


def test_an_age_group_is_no_age_but_a_year(ages: dict[str, Player]) -> None:
    """U18: nobody who turned 18 before this year; whoever turns 18 this year is in it."""
    change_player(ages["adult"].pk, {"birth_year": THIS_YEAR - 18}, by=None)
    group = next(group for group in AGE_GROUPS if group.key == "u18")
    assert Player.objects.filter(group.born(factory.today(), ""), pk=ages["adult"].pk).exists()
    change_player(ages["adult"].pk, {"birth_year": THIS_YEAR - 19}, by=None)
    assert not Player.objects.filter(group.born(factory.today(), ""), pk=ages["adult"].pk).exists()


def test_younger_groups_lie_within_the_older_ones(client: Client, ages: dict[str, Player]) -> None:
    client.force_login(factory.make_arbiter())
    juniors = [set(numbers(client, f"?age={group.key}")) for group in AGE_GROUPS if group.under]
    assert all(younger <= older for younger, older in pairwise(juniors))


# --- show me ------------------------------------------------------------------------------------------------------
def test_show_me_by_name_leads_into_the_middle_of_ten(client: Client, standard: RatingList) -> None:
    players = factory.make_players(30)
    starts = [NewStart(player.pk, factory.MONDAY, 1900 - player.number, 40) for player in players]
    bring_starting_ratings(standard, starts, by=None)
    answer = client.get(f"{PAGE}?me=1&q=Extra+Player+15")
    assert answer.headers["Location"] == f"{PAGE}?around=15#player-15"
    assert numbers(client, "?around=15") == list(range(10, 21))
    text = client.get(f"{PAGE}?around=15").text
    assert 'id="player-15" aria-current="true"' in text
    assert client.get(f"{PAGE}?me=1&q=%2315").headers["Location"] == f"{PAGE}?around=15#player-15"


def test_show_me_remembers_nothing(client: Client, field: list[Player]) -> None:
    client.get(f"{PAGE}?me=1&q=costa", follow=True)
    assert not client.cookies


def test_show_me_with_a_name_of_several_or_of_nobody_searches(client: Client, field: list[Player]) -> None:
    assert client.get(f"{PAGE}?me=1&q=a").headers["Location"] == f"{PAGE}?q=a"
    assert client.get(f"{PAGE}?me=1&q=zz+top").headers["Location"] == f"{PAGE}?q=zz+top"
    assert client.get(f"{PAGE}?me=1").headers["Location"] == f"{PAGE}?q="
    assert client.get(f"{PAGE}?me=1&q=999", follow=True).status_code == 200


def test_show_me_confirms_no_guessed_name(client: Client, field: list[Player]) -> None:
    change_player(field[2].pk, {"visibility": "initials"}, by=None)
    assert "around" not in client.get(f"{PAGE}?me=1&q=costa").headers["Location"]
    as_member(client)
    assert "around=3" in client.get(f"{PAGE}?me=1&q=costa").headers["Location"]


def test_around_somebody_who_is_not_in_the_list_is_the_list(client: Client, field: list[Player]) -> None:
    for query in ("?around=999", "?around=x", "?around=" + "9" * 40):
        page = client.get(PAGE + query)
        assert len(page.context["table"].rows) == 4
        assert "The marked row" not in page.text


def test_those_around_a_row_are_its_neighbours_in_the_list(standard: RatingList) -> None:
    players = factory.make_players(23)
    rows = [
        PlayerRating(
            rating_list=standard, player=player, rating=1500 + player.number // 4, games=40, wins=0, draws=0, losses=0,
            peak=0, reached_order=player.number % 3, ranked=player.number % 2 > 0,
        )
        for player in players
    ]  # fmt: skip
    PlayerRating.objects.bulk_create(rows)
    order = [row.pk for row in leaderboard(standard)]
    for place, key in enumerate(order):
        row = rating_of(standard, PlayerRating.objects.get(pk=key).player.number)
        assert row is not None
        assert [near.pk for near in around(standard, row)] == order[max(place - 5, 0) : place + 6]


# --- trends -------------------------------------------------------------------------------------------------------
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


def test_names_are_escaped_in_rows_written_in_one_go(client: Client, field: list[Player]) -> None:
    change_player(field[0].pk, {"name": "Ada <b>&Bold"}, by=None)
    text = client.get(PAGE).text
    assert "Ada &lt;b&gt;&amp;Bold" in text
    assert "<b>&" not in text


def test_a_row_says_the_same_cell_by_cell(client: Client, field: list[Player]) -> None:
    table = client.get(PAGE).context["table"]
    for row in table.paginated_rows:
        for name in ("rating", "games", "peak", "record"):
            assert str(row.get_cell(name)) in table.body


# --- cost ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("query", ["", "?show=ranked", "?q=a", "?around=3", "?sort=games", "?from=2"])
def test_a_page_costs_the_same_queries_however_long_the_list(client: Client, standard: RatingList, query: str) -> None:
    counted = []
    for count in (10, 130):
        players = factory.make_players(count)
        starts = [NewStart(player.pk, factory.MONDAY, 1500 + player.number, 40) for player in players]
        bring_starting_ratings(standard, starts, by=None)
        with CaptureQueriesContext(connection) as seen:
            page = client.get(PAGE + query)
        counted.append(len(seen))
        assert len(list(page.context["table"].paginated_rows)) <= 50
        # No more than a page of people is ever fetched.
        fetched = [sql["sql"] for sql in seen.captured_queries if '"sort_name"' in sql["sql"].partition("FROM")[0]]
        assert all("LIMIT" in sql or " IN (" in sql for sql in fetched)
    assert counted[0] == counted[1] <= 13
