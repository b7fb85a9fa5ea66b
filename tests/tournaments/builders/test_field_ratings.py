"""Fields at hand: an event's entries and the top of a list give ratings, as the public may read them, and no names."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from players.people.services import NewPlayer, create_players
from ratings.models import RatingList
from tests import factory
from tournaments.builders.selectors import draws_of, events_to_come, field_of_event, field_of_list
from tournaments.entries.services.entries import enter_players
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Entry, Tournament
from tournaments.rated_games.services.people import change_player
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db

PAGE = "/tools/format/"


@pytest.fixture
def rated(standard: RatingList) -> list[Player]:
    """Four players of whom everybody has met everybody; one of them is hidden, one seen by members only."""
    kept_back = [NewPlayer("Hilde Hidden", visibility="hidden"), NewPlayer("Mara Members", visibility="members")]
    players = [*factory.make_players(2), *create_players(kept_back, by=None)]
    factory.play_all(factory.make_round_robin(players), Result.WHITE_WINS)
    return players


@pytest.fixture
def spring(rated: list[Player]) -> Tournament:
    """An event to come with all four and somebody without a rating."""
    event = create_tournament(NewTournament("Spring Cup", starts_on=factory.MONDAY), by=None)
    newcomer = create_players([NewPlayer("Nora Newcomer")], by=None)
    enter_players(event, [*rated, *newcomer], by=None)
    return event


def ratings_of(event: Tournament) -> list[int]:
    known = Entry.objects.filter(tournament=event, rating__isnull=False).values_list("rating", flat=True)
    return sorted((round(rating) for rating in known), reverse=True)


@pytest.mark.extended
def test_entries_give_their_ratings_best_first_and_who_has_none_is_counted(
    spring: Tournament, rated: list[Player]
) -> None:
    found = field_of_event(spring.slug)
    assert found is not None
    assert (found.name, list(found.ratings), found.unrated) == ("Spring Cup", ratings_of(spring), 1)
    assert len(found.ratings) == 4, "hidden players have a rating in the event's list of entries: they count"
    Entry.objects.filter(tournament=spring, player=rated[0]).update(withdrawn=True)
    found = field_of_event(spring.slug)
    assert found is not None
    assert len(found.ratings) == 3, "who withdrew is not in the field"


def test_ratings_of_a_list_that_is_not_public_stay_where_they_are(spring: Tournament, standard: RatingList) -> None:
    RatingList.objects.filter(pk=standard.pk).update(public=False)
    found = field_of_event(spring.slug)
    assert found is not None
    assert (found.ratings, found.unrated, found.draws) == ((), 5, None)
    assert field_of_list("standard", 4) is None


def test_the_top_of_a_list_is_as_long_as_asked(rated: list[Player], standard: RatingList) -> None:
    found = field_of_list("standard", 3)
    assert found is not None
    everybody = field_of_list("standard", 200)
    assert everybody is not None
    assert found.ratings == everybody.ratings[:3]
    assert list(everybody.ratings) == sorted(everybody.ratings, reverse=True)
    change_player(rated[0].pk, {"active": False}, by=None)
    playing = field_of_list("standard", 200)
    assert playing is not None
    assert len(playing.ratings) == len(everybody.ratings) - 1, "who plays no more is not in the field"


@pytest.mark.extended
def test_draws_between_equals_begin_at_thirty_and_follow_the_games(standard: RatingList) -> None:
    assert draws_of(standard) == 30
    factory.play_all(factory.make_round_robin(factory.make_players(8)), Result.DRAW)
    # 28 draws and 6 of the 20 assumed games: 34 of 48, all nearly between equals.
    assert draws_of(standard) == pytest.approx(71, abs=1)


def test_the_form_comes_filled_in_with_ratings_alone_of_events_to_come(
    spring: Tournament, rated: list[Player], client: Client
) -> None:
    days = {"Alone": factory.MONDAY, "Some Day": None, "Winter": factory.MONDAY - timedelta(days=1)}
    for count, (name, day) in enumerate(days.items(), start=1):
        enter_players(create_tournament(NewTournament(name, starts_on=day), by=None), rated[:count], by=None)
    over = create_tournament(NewTournament("Called Off"), by=None)
    enter_players(over, rated, by=None)
    Tournament.objects.filter(pk=over.pk).update(closed=True)
    ladder = factory.make_ladder(rated).tournament
    assert field_of_event(ladder.slug) is None, "it has no field to come"
    coming = [(event.name, event.entered) for event in events_to_come()]  # type: ignore[attr-defined]
    assert coming == [("Winter", 3), ("Spring Cup", 5), ("Some Day", 2)]
    page = client.get(f"{PAGE}?event={spring.slug}").text
    assert "\n".join(map(str, ratings_of(spring))) in page.replace("\r", "")
    assert "Spring Cup: 4 ratings." in page
    assert "1 player without a rating is left out." in page
    for name in ("Ada", "Hilde", "Mara", "Nora", "Player 3"):
        assert name not in page
    assert f'href="{PAGE}?event={spring.slug}"' in client.get(PAGE).text
    Entry.objects.filter(tournament=spring, player=rated[0]).update(withdrawn=True)
    found = field_of_event(spring.slug)
    assert found is not None
    assert len(found.ratings) == 3, "who withdrew is not in the field"


def test_the_form_comes_filled_in_with_the_top_of_a_list(client: Client, rated: list[Player]) -> None:
    found = field_of_list("standard", 2)
    assert found is not None
    page = client.get(f"{PAGE}?list=standard&top=2").text
    assert "\n".join(map(str, found.ratings)) in page.replace("\r", "")
    assert "Standard: 2 ratings." in page
    assert "Hilde" not in page
    for query in ("event=nowhere", "list=nowhere", "event="):
        assert client.get(f"{PAGE}?{query}").status_code == 404, query
    for top in ("", "x", "-3", "99999999999", "1"):
        assert client.get(f"{PAGE}?list=standard&top={top}").status_code == 200, f"{top}: taken for a usual number"


def test_an_event_costs_the_same_queries_however_many_are_entered(
    client: Client, spring: Tournament, django_assert_num_queries: Callable[..., Any]
) -> None:
    # The club; the stages, entries, lists and boards of the event; how often its list draws; events to come and lists.
    for more in (0, 12):
        if more:
            enter_players(spring, create_players([NewPlayer(f"Late {n}") for n in range(more)], by=None), by=None)
        with django_assert_num_queries(8):
            client.get(f"{PAGE}?event={spring.slug}")
