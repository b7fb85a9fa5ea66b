"""The list of players: a rating of another list than the main one says of which; who plays no more is marked."""

import pytest
from django.test import Client

from players.models import Player
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tournaments.rated_games.services.people import bring_starting_ratings

pytestmark = pytest.mark.django_db


def test_what_a_line_says_of_the_rating_and_of_who_plays_no_more(client: Client, standard: RatingList) -> None:
    ada, bo = factory.make_players(2)
    for player, rating_list in ((ada, standard), (bo, factory.make_list("rapid", pool="rapid", primary=False))):
        bring_starting_ratings(rating_list, [NewStart(player.pk, factory.MONDAY, 1500, 40)], by=None)
    Player.objects.filter(pk=bo.pk).update(active=False)
    rows = list(client.get("/players/").context["table"].paginated_rows)
    assert [("Rapid" in row.get_cell("rating"), "inactive" in row.get_cell("name")) for row in rows] == [
        (False, False),
        (True, True),
    ]


def test_a_title_stands_with_the_name_alone(client: Client, standard: RatingList) -> None:
    ada, _bo = factory.make_players(2)
    Player.objects.filter(pk=ada.pk).update(title="WGM", visibility="hidden")
    assert "WGM" not in client.get("/players/").text, "so rare that it could tell who stands there by number"
    client.force_login(factory.make_arbiter())
    page = client.get("/players/").text
    assert '<abbr class="muted">WGM</abbr>' in page
    assert "Ada Alvarez" in page
