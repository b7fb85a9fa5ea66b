"""A list that shows less than the rating: μ − 3σ decides order and places everywhere, and stands where it is shown."""

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client

from players.models import Player
from ratings.lists.markup import figure_of
from ratings.lists.selectors.distribution import distribution_of
from ratings.lists.selectors.listing import listing_of
from ratings.lists.selectors.lists import around, from_place, leaderboard, place_of, ranked_players, rating_of
from ratings.lists.services import NewRule, NewTier, create_list, set_rules, set_tiers
from ratings.models import PublishedRow, RatingList
from ratings.systems import RatingSystem
from ratings.systems.base import PlayerState
from tests import factory
from tests.test_registries import each_system
from tests.tournaments.contests.contest_cases import DAY, make_tables, play
from tournaments.corrections.services.contest_changes import ContestChange
from tournaments.corrections.services.corrections import preview
from tournaments.models import Contest
from tournaments.rated_games.services.past_lists import known_on, publish_list

pytestmark = pytest.mark.django_db

KNOWN, LUCKY, UNLUCKY = (1, 2, 3, 4), (5, 7), (6, 8)


@pytest.fixture(scope="module")
def evening(world: None) -> None:
    """Four who have met eight times without a winner, of whom much is known; two who won once; two who lost to them.
    By the mean the winners of one evening stand first, by what is listed they stand behind the four."""
    factory.make_club()
    factory.make_players(8)
    rating_list, event = make_tables()
    for number in range(8):
        play(event, "1: 1 2; 1: 3 4", number)
    play(event, "1: 5 7; 2: 6 8", 8)
    RatingList.objects.filter(pk=rating_list.pk).update(provisional_games=0, primary=True)
    rating_list.rules.update(valid_from=date(1900, 1, 1))


@pytest.fixture
def tables(evening: None) -> RatingList:
    found = RatingList.objects.get(slug="tables")
    found.ratings.update(ranked=True)
    return found


def numbers(rows: object) -> list[int]:
    return [row.player.number for row in rows]  # type: ignore[attr-defined]


@each_system
def test_what_a_list_shows_is_what_the_system_says(system: RatingSystem) -> None:
    settings = system.read_settings({})
    listing = system.listing(settings)
    state = PlayerState(30.0, 5, 30.0, deviation=4.0)
    assert listing.value(30.0, 4.0) == system.listed(settings, state)
    assert (listing.deviations > 0) == (system.key in {"trueskill", "weng-lin"})


def test_the_list_is_ordered_by_what_it_shows(tables: RatingList) -> None:
    listing = listing_of(tables)
    rows = list(leaderboard(tables))
    values = [listing.value(row.rating, row.deviation) for row in rows]
    assert values == sorted(values, reverse=True)
    assert [row.listed for row in rows] == values, "the database computes it to the last bit"  # type: ignore[attr-defined]
    assert set(numbers(rows)[:4]) == set(KNOWN)
    assert numbers(rows)[4:6] == list(LUCKY)
    assert max(rows, key=lambda row: row.rating).player.number in LUCKY, "by the mean it is another order"


def test_places_are_counted_in_that_order(tables: RatingList) -> None:
    rows = list(leaderboard(tables))
    order = numbers(rows)
    assert [place_of(tables, row) for row in rows] == list(range(1, 9))
    assert list(ranked_players(tables)) == [row.player_id for row in rows]
    assert numbers(from_place(tables, 3, 4)) == order[2:6]
    middle = rating_of(tables, order[4])
    assert middle is not None
    assert numbers(around(tables, middle, 2)) == order[2:7]
    spread = distribution_of(tables)
    assert spread is not None
    assert spread.ranked == 8
    assert spread.low <= 4.0, "the last two show little above nothing"
    assert [figure_of(value, 1) for value in (-0.06, -0.04, 0.0)] == ["−0.1", "0.0", "0.0"]


def test_the_page_shows_it_with_the_uncertainty(client: Client, tables: RatingList) -> None:
    page = client.get("/ratings/tables/")
    table = page.context["table"]
    assert numbers(row.record for row in table.rows) == numbers(leaderboard(tables))
    lucky = rating_of(tables, 5)
    assert lucky is not None
    shown = f"{lucky.rating - 3 * (lucky.deviation or 0):.1f}"
    assert f'{shown}<span class="mark"' in page.text
    assert f"{lucky.rating:.1f} ± {2 * (lucky.deviation or 0):.1f}" in page.text
    by_games = client.get("/ratings/tables/?sort=games").context["table"]
    order = numbers(leaderboard(tables))
    assert all(order[row.record.place - 1] == row.record.player.number for row in by_games.paginated_rows)
    backwards = client.get("/ratings/tables/?sort=rating").context["table"]
    assert numbers(row.record for row in backwards.rows) == numbers(leaderboard(tables))[::-1]
    for address in (lucky.player.get_absolute_url(), "/players/?q=Eva", "/search/?q=Eva", "/ratings/tables/wall/"):
        assert shown in client.get(address).text, address


def test_a_tier_goes_by_what_is_shown(client: Client, tables: RatingList) -> None:
    set_tiers(tables, [NewTier("First", None), NewTier("Second", 10)], by=None)
    table = client.get("/ratings/tables/?tier=first").context["table"]
    assert set(numbers(row.record for row in table.rows)) == set(KNOWN)


def test_programs_are_told_the_rating_its_deviation_and_what_is_listed(client: Client, tables: RatingList) -> None:
    for said in (
        client.get("/api/v1/ratings/tables/").json()["players"][0],
        client.get(f"/api/v1/players/{numbers(leaderboard(tables))[0]}/").json()["ratings"][0],
    ):
        assert said["listed"] == pytest.approx(said["rating"] - 3 * said["deviation"], abs=1e-3)


def test_a_published_list_and_an_earlier_day_stand_in_that_order(client: Client, tables: RatingList) -> None:
    on = max(Contest.objects.values_list("played_on", flat=True))
    rows = known_on(tables, on)
    keys = [row.player_id for row in leaderboard(tables)]
    assert [row.player for row in rows] == keys
    published = publish_list(tables, on, by=None)
    placed = PublishedRow.objects.filter(published_list=published, place__isnull=False).order_by("place")
    assert [row.player_id for row in placed] == [key for key in keys if key in {row.player_id for row in placed}]
    day = f"?on={on.isoformat()}"
    for address in ("/ratings/tables/", "/ratings/tables/wall/"):
        assert f"{listing_of(tables).value(rows[0].rating, rows[0].deviation):.1f}" in client.get(address + day).text
    assert "±" in client.get(f"/ratings/tables/{day}").text
    said = client.get(f"/ratings/tables/list.json{day}").json()["players"]
    assert [each["listed"] for each in said] == sorted((each["listed"] for each in said), reverse=True)
    assert said[0]["listed"] == pytest.approx(said[0]["rating"] - 3 * said[0]["deviation"], abs=1e-3)
    live = client.get("/ratings/tables/")
    assert all(row.record.published_rating == row.record.listed for row in live.context["table"].rows)


def test_a_preview_tells_places_of_that_order(tables: RatingList) -> None:
    last = Contest.objects.order_by("-sequence")[0]
    shown = preview(ContestChange(contest=last.pk, withdrawn=True), by=None)
    (moves,) = [each.moves for each in shown.lists]
    assert {move.player.number: move.place_before for move in moves if move.player.number in LUCKY} == {5: 5, 7: 6}


def test_a_list_without_such_a_rule_asks_for_none(
    evening: None, django_assert_num_queries: Callable[[int], object]
) -> None:
    plain = create_list(name="Plain", slug="plain", pool="plain", by=None)
    assert not plain.cautious
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        assert listing_of(plain).value(1500.0, 80.0) == 1500.0
    set_rules(plain, [NewRule(DAY, "glicko", {}), NewRule(date(2030, 1, 1), "weng-lin", {})], by=None)
    plain = RatingList.objects.get(slug="plain")
    assert plain.cautious, "some day it will be"
    assert listing_of(plain, date(2029, 12, 31)).deviations == 0.0
    assert listing_of(plain, date(2030, 1, 1)).deviations == 3.0
    set_rules(plain, [NewRule(DAY, "elo", {})], by=None)
    assert not RatingList.objects.get(slug="plain").cautious


def test_changes_of_a_scale_of_small_numbers_have_a_decimal(client: Client, tables: RatingList) -> None:
    page = client.get(Player.objects.get(number=5).get_absolute_url()).text
    (entry,) = tables.contest_ledger.filter(player=Player.objects.get(number=5).pk)
    assert f">+{entry.change:.1f}<" in page
    assert "contests/" in page
