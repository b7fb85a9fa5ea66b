"""The pages of a Keizer competition: the list with its values, how points came about, rounds made one by one."""

from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Visibility
from players.people.services import NewPlayer, create_players
from players.privacy.rules import NOBODY
from ratings.models import RatingList
from tests import factory
from tests.factory import MONDAY, make_players
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages import page_cases
from tests.tournaments.event_pages.page_cases import BLACK, DRAW, WHITE, first_stage, keizer_club, make_event, text_of
from tournaments.event_list.selectors import list_events, progress_of
from tournaments.event_pages.selectors.formats import KeizerPlace, is_keizer, keizer_places
from tournaments.events.selectors.events import event_data
from tournaments.models import Entry, Tournament
from tournaments.rounds.services.next_round import pair_next_round

pytestmark = pytest.mark.django_db
CountQueries = Callable[..., object]
PAGE = "/tournaments/keizer/"
PARTS = ("", "standings/", "crosstable/", "rounds/1/", "rounds/1/?order=name", "entries/")
standard = club_and_list


@pytest.fixture(scope="module", autouse=True)
def after_two_rounds(standard: RatingList) -> Tournament:
    """Five players, so one has the bye in every round."""
    return keizer_club(make_players(5), [[WHITE, DRAW], [BLACK, WHITE]])


@pytest.fixture
def event(after_two_rounds: Tournament) -> Tournament:
    return deepcopy(after_two_rounds)


def places_of(event: Tournament) -> list[KeizerPlace]:
    return keizer_places(event_data(first_stage(event), NOBODY))


def next_round(event: Tournament, absent: dict[int, str] | None = None) -> None:
    """The next round, without those whose numbers are given."""
    entries = {entry.number: entry for entry in Entry.objects.filter(tournament=event)}
    away = {entries[number].pk: kind for number, kind in (absent or {}).items()}
    here = [entry for entry in entries.values() if entry.pk not in away]
    pair_next_round(first_stage(event), by=None, day=MONDAY, present=here, absent=away, publish=True)


def test_the_list_is_ordered_by_keizer_points_and_a_win_worth_what_the_opponent_is_today(event: Tournament) -> None:
    places = places_of(event)
    assert [line.score for line in places] == sorted((line.score for line in places), reverse=True)
    assert places[0].value > places[-1].value
    for line in places:
        assert line.score == sum((gain.worth for gain in line.gains), Fraction(0))
    values = {line.entrant.key: line.value for line in places}
    gains = [(gain, gain.opponent) for line in places for gain in line.gains if gain.opponent]
    assert len(gains) == 8
    shares = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction(0)}
    assert all(gain.worth == shares[gain.kind] * values[opponent.key] for gain, opponent in gains)


def test_the_page_tells_how_points_came_about(client: Client, event: Tournament) -> None:
    next_round(event, {1: "half", 2: "zero", 3: "zero"})
    page = text_of(client, PAGE + "standings/")
    for words in ("for beating", "for a draw with", "nothing for a loss to", "for a bye", "for an excused absence"):
        assert words in page
    assert "nothing for an absence" in page
    assert "List value" in page
    rounds = text_of(client, PAGE + "rounds/3/")
    assert ("excused" in rounds, "absent" in rounds) == (True, True)


def test_rounds_and_points_are_counted_without_a_total(client: Client, event: Tournament) -> None:
    page = text_of(client, PAGE)
    assert "Keizer points." in page
    assert "out of 2" not in page
    assert "after 2 rounds" in page
    next_round(event)
    page = text_of(client, PAGE)
    assert "Next is round 3." in page
    assert "of 3" not in page
    page_cases.play_open_round(event, WHITE, WHITE)
    assert "after 3 rounds" in text_of(client, PAGE)
    Tournament.objects.update(closed=True)
    assert "Finished. " in text_of(client, PAGE)


def test_before_the_first_round_the_list_is_the_starting_order_and_elsewhere_there_is_none(client: Client) -> None:
    other = make_event(make_players(4), "keizer", name="Other")
    places = places_of(other)
    assert [line.entrant.number for line in places] == [1, 2, 3, 4]
    assert not any(line.played for line in places)
    next_round(other)
    page_cases.play_open_round(other, WHITE, DRAW)
    assert "after 1 round <" in text_of(client, "/tournaments/other/")
    assert places_of(make_event([], "keizer", name="Nobody")) == []
    facts = event_data(first_stage(factory.make_round_robin(make_players(4))), NOBODY)
    assert not is_keizer(facts)
    assert keizer_places(facts) == []


def test_the_list_of_events_and_the_front_page_name_the_leader_and_no_total(client: Client, event: Tournament) -> None:
    """Between two rounds it is still running."""
    lead = progress_of(list_events(timezone.localdate()))[event.pk].lead
    assert lead is not None
    assert lead.by_value
    first, second, *_others = places_of(event)
    assert (lead.leaders, lead.chasers) == ((first.entrant.player,), (second.entrant.player,))
    assert lead.ahead_by == first.score - second.score
    page = text_of(client, "/tournaments/")
    assert "2/2" not in page
    assert ">Keizer<" in page
    for address in ("/", "/tournaments/"):
        assert '<a href="/tournaments/keizer/rounds/2/">2</a>' in text_of(client, address)


def test_no_page_names_who_is_not_public(client: Client) -> None:
    kept_back = (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN)
    hidden = create_players([NewPlayer("Zacharias Quillfeather", visibility=kind) for kind in kept_back], by=None)
    other = keizer_club([*hidden, *make_players(1)], [[WHITE, DRAW], [BLACK, WHITE]])
    pages = [f"/tournaments/{other.slug}/{part}" for part in PARTS]
    assert [page for page in pages if "quillfeather" in text_of(client, page).lower()] == []


@pytest.mark.extended
def test_pages_need_few_queries_whatever_was_played(client: Client, at_most: CountQueries) -> None:
    large = keizer_club(make_players(10), [[WHITE] * 5] * 2)
    arbiter = factory.make_arbiter()
    for signed_in in (False, True):
        if signed_in:
            client.force_login(arbiter)
        for part in PARTS:
            with at_most(8):
                text_of(client, f"/tournaments/{large.slug}/{part}")


def test_the_crosstable_stands_in_the_order_of_the_list(client: Client, event: Tournament) -> None:
    answer = client.get(PAGE + "crosstable/")
    (parts,) = answer.context["parts"]
    order = [row.entrant.key for row in parts[0].crosses[0].rows]
    assert order == [line.entrant.key for line in places_of(event)]
    assert "Points here are those of the games." in " ".join(answer.text.split())
