"""What an event's head and a player's next game say only where it is so: place, game, rating, tier, hour, colour."""

from datetime import time

import pytest
from django.test import Client

from ratings.models import RatingList
from tests import factory
from tests.tournaments.event_pages.page_cases import make_event, text_of
from tournaments.models import Game, Round, Tournament

pytestmark = pytest.mark.django_db
SAID = {
    "place": "Town hall",
    "game": "· xiangqi",
    "not rated": "· not rated",
    "importance": "· importance",
    "from": "· for ratings from 1500",
    "between": "from 1500 to below 1800",
    "below": "· for ratings below 1800",
}
HEADS = [
    ({}, set[str]()),
    ({"place": "Town hall"}, {"place"}),
    ({"game": "xiangqi"}, {"game"}),
    ({"importance": 2}, {"importance"}),
    ({"rated": False, "importance": 2}, {"not rated"}),
    ({"tier_from": 1500}, {"from"}),
    ({"tier_below": 1800}, {"below"}),
    ({"tier_from": 1500, "tier_below": 1800}, {"from", "between"}),
]


def head(client: Client, event: Tournament) -> str:
    return text_of(client, event.get_absolute_url()).partition("<main")[2].partition("</h1>")[0]


@pytest.mark.parametrize(("facts", "said"), HEADS)
def test_the_head_of_an_event_says_what_is_special_with_it(
    client: Client, standard: RatingList, facts: dict[str, object], said: set[str]
) -> None:
    event = make_event(factory.make_players(2), "dutch")
    Tournament.objects.filter(pk=event.pk).update(**facts)
    assert {fact for fact, words in SAID.items() if words in head(client, event)} == said


@pytest.mark.parametrize(("facts", "said"), HEADS[:5])
def test_the_head_of_an_open_ended_one_too(
    client: Client, standard: RatingList, facts: dict[str, object], said: set[str]
) -> None:
    event = make_event([], "free", name="Evenings")
    Tournament.objects.filter(pk=event.pk).update(**facts)
    assert {fact for fact, words in SAID.items() if words in head(client, event)} == said - {"not rated"}


@pytest.mark.parametrize("is_white", [True, False])
def test_the_next_game_tells_the_own_colour_and_the_hour(
    client: Client, standard: RatingList, *, is_white: bool
) -> None:
    factory.make_round_robin(factory.make_players(2), first_day=factory.today())
    game = Game.objects.select_related("white", "black")[0]
    own, other = (game.white, game.black) if is_white else (game.black, game.white)
    line = text_of(client, own.get_absolute_url()).partition("<b>Next game</b>")[2].partition("</p>")[0]
    assert [colour for colour in ("White", "Black") if f"with {colour}" in line] == ["White" if is_white else "Black"]
    assert ('class="side black"' in line) != is_white
    assert other.name in line
    assert "19:30" not in line
    Round.objects.update(planned_at=time(19, 30))
    assert ", 19:30 ·" in text_of(client, own.get_absolute_url()).partition("<b>Next game</b>")[2]
