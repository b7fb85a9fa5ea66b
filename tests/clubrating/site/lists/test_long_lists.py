"""Places in a list of hundreds: as a plain count gives them, and always along the index."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratings.lists.selectors.lists import from_place, place_of, rating_of, rows_before
from ratings.models import PlayerRating, RatingList
from tests import factory

pytestmark = pytest.mark.django_db
MANY = 600


@pytest.fixture(scope="module")
def many(world: None) -> RatingList:
    factory.make_club()
    standard = factory.make_list()
    players = factory.make_players(MANY)
    rows = [
        PlayerRating(
            rating_list=standard,
            player=player,
            rating=1000.0 + place // 4, games=40, wins=20, draws=0, losses=20, peak=2000,
            reached_order=place % 3, ranked=place % 5 > 0,
        )
        for place, player in enumerate(players)
    ]  # fmt: skip
    PlayerRating.objects.bulk_create(rows)
    return standard


def test_show_me_leads_to_the_page_and_marks_the_row(client: Client, many: RatingList) -> None:
    answer = client.get("/ratings/standard/?player=300")
    address = answer.headers["Location"]
    assert address.endswith("#player-300")
    page = client.get(address.split("#")[0])
    assert 'id="player-300"' in page.text
    row = page.text[page.text.index('id="player-300"') - 60 :][:120]
    assert 'aria-current="true"' in row


def test_hundreds_of_rows_have_the_places_a_plain_count_gives(many: RatingList) -> None:
    everybody = sorted(PlayerRating.objects.all(), key=lambda row: (-row.rating, row.reached_order, row.player_id))
    for at in (0, 49, 50, 434, MANY - 1):
        assert rows_before(many, everybody[at]) == at
    ranked = [row for row in everybody if row.ranked]
    for place in (1, 2, 3, 200, 400, len(ranked)):
        assert place_of(many, ranked[place - 1]) == place
        found = [row.pk for row in from_place(many, place)]
        assert found == [row.pk for row in ranked[place - 1 : place + 9]]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's plan")
def test_no_question_walks_over_the_table(client: Client, many: RatingList) -> None:
    row = PlayerRating.objects.filter(ranked=True)[300]
    with CaptureQueriesContext(connection) as seen:
        place_of(many, row)
        rows_before(many, row)
        list(from_place(many, 300))
        rating_of(many, 77)
        client.get("/api/v1/ratings/standard/rank/77/")
    asked = [query["sql"] for query in seen.captured_queries if "ratings_playerrating" in query["sql"]]
    assert len(asked) >= 5
    for sql in asked:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + sql)
            plan = [line[-1] for line in cursor.fetchall()]
        assert not [line for line in plan if line.startswith("SCAN ratings_playerrating")], (plan, sql)


def test_places_cost_the_same_few_queries_whatever_the_rows(client: Client, many: RatingList) -> None:
    for address in ("/ratings/standard/?from=400", "/ratings/standard/?player=77&page=3", "/api/v1/ratings/standard/"):
        with CaptureQueriesContext(connection) as seen:
            assert client.get(address).status_code == 200
        assert len(seen) <= 12
