"""The pages of a Keizer competition: the list with its values, how points came about, rounds made one by one."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Visibility
from players.privacy import NOBODY
from players.services.people import NewPlayer, create_players
from ratings.models import RatingList
from tests import factory
from tests.factory import MONDAY, make_players
from tests.tournaments.page_cases import (
    BLACK,
    DRAW,
    WHITE,
    first_stage,
    keizer_club,
    make_event,
    play_open_round,
    text_of,
)
from tournaments.models import Entry, Tournament
from tournaments.selectors.event_list import list_events, progress_of
from tournaments.selectors.events import event_facts
from tournaments.selectors.keizer import is_keizer, keizer_places
from tournaments.selectors.tonight import running_events
from tournaments.services.next_round import pair_next_round

CountQueries = Callable[..., object]
PAGE = "/tournaments/keizer/"
PARTS = ("", "standings/", "crosstable/", "rounds/1/", "rounds/1/?order=name", "entries/")


def next_round(event: Tournament, absent: dict[int, str] | None = None) -> None:
    """The next round, without those whose numbers are given."""
    entries = {entry.number: entry for entry in Entry.objects.filter(tournament=event)}
    away = {entries[number].pk: kind for number, kind in (absent or {}).items()}
    here = [entry for entry in entries.values() if entry.pk not in away]
    pair_next_round(first_stage(event), by=None, day=MONDAY, present=here, absent=away, publish=True)


def test_the_list_is_ordered_by_keizer_points(standard: RatingList) -> None:
    event = keizer_club(make_players(4), [[WHITE, WHITE]])
    places = keizer_places(event_facts(first_stage(event), NOBODY))
    assert [line.score for line in places] == sorted((line.score for line in places), reverse=True)
    assert places[0].value > places[-1].value


def test_a_win_is_worth_what_the_opponent_is_worth_today(standard: RatingList) -> None:
    event = keizer_club(make_players(4), [[WHITE, DRAW]])
    places = {line.entrant.key: line for line in keizer_places(event_facts(first_stage(event), NOBODY))}
    gains = [(line, gain) for line in places.values() for gain in line.gains if gain.opponent]
    assert len(gains) == 4
    shares = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction(0)}
    for _line, gain in gains:
        assert gain.opponent is not None
        assert gain.worth == shares[gain.kind] * places[gain.opponent.key].value


def test_the_score_is_the_sum_of_what_is_told(standard: RatingList) -> None:
    event = keizer_club(make_players(5), [[WHITE, DRAW], [BLACK, WHITE]])
    for line in keizer_places(event_facts(first_stage(event), NOBODY)):
        assert line.score == sum((gain.worth for gain in line.gains), Fraction(0))


def test_the_page_tells_how_points_came_about(client: Client, standard: RatingList) -> None:
    event = keizer_club(make_players(5), [[WHITE, DRAW]])
    next_round(event, {1: "half", 2: "zero", 3: "zero"})
    page = text_of(client, PAGE + "standings/")
    for words in ("for beating", "for a draw with", "nothing for a loss to", "for a bye", "for an excused absence"):
        assert words in page
    assert "nothing for an absence" in page
    assert "List value" in page


def test_the_news_counts_keizer_points(client: Client, standard: RatingList) -> None:
    keizer_club(make_players(4), [[WHITE, DRAW]])
    page = text_of(client, PAGE)
    assert "Keizer points." in page
    assert "out of 1" not in page


def test_a_closed_competition_has_a_winner(client: Client, standard: RatingList) -> None:
    keizer_club(make_players(4), [[WHITE, DRAW]])
    Tournament.objects.update(closed=True)
    assert "Finished. " in text_of(client, PAGE)


def test_rounds_are_counted_without_a_total(client: Client, standard: RatingList) -> None:
    event = keizer_club(make_players(4), [[WHITE, DRAW]])
    assert "after 1 round <" in text_of(client, PAGE)
    next_round(event)
    page = text_of(client, PAGE)
    assert "Next is round 2." in page
    assert "of 2" not in page
    play_open_round(event, WHITE, WHITE)
    assert "after 2 rounds" in text_of(client, PAGE)


def test_the_list_of_events_names_the_leader_and_no_total(client: Client, standard: RatingList) -> None:
    event = keizer_club(make_players(4), [[WHITE, DRAW]])
    lead = progress_of(list_events(timezone.localdate()))[event.pk].lead
    assert lead is not None
    assert lead.by_value
    page = text_of(client, "/tournaments/")
    assert "1/1" not in page
    assert ">Keizer<" in page


def test_between_two_rounds_the_front_page_still_has_it_running(client: Client, standard: RatingList) -> None:
    keizer_club(make_players(4), [[WHITE, DRAW]])
    (row,) = running_events()
    assert (row.current, row.rounds) == (1, None)
    assert '<a href="/tournaments/keizer/rounds/1/">1</a>' in text_of(client, "/")


def test_absence_is_said_on_the_rounds_page(client: Client, standard: RatingList) -> None:
    event = make_event(make_players(4), "keizer", name="Keizer")
    next_round(event, {1: "half", 2: "zero"})
    page = text_of(client, PAGE + "rounds/1/")
    assert "excused" in page
    assert "absent" in page


def test_before_the_first_round_the_list_is_the_starting_order(standard: RatingList) -> None:
    event = make_event(make_players(4), "keizer", name="Keizer")
    places = keizer_places(event_facts(first_stage(event), NOBODY))
    assert [line.entrant.number for line in places] == [1, 2, 3, 4]
    assert not any(line.played for line in places)


def test_without_numbers_there_is_no_list(standard: RatingList) -> None:
    event = make_event([], "keizer", name="Keizer")
    assert keizer_places(event_facts(first_stage(event), NOBODY)) == []


def test_other_formats_have_no_keizer_list(standard: RatingList) -> None:
    facts = event_facts(first_stage(factory.make_round_robin(make_players(4))), NOBODY)
    assert not is_keizer(facts)
    assert keizer_places(facts) == []


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("visibility", [Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN])
def test_no_page_names_who_is_not_public(
    client: Client, standard: RatingList, visibility: Visibility, part: str
) -> None:
    hidden = create_players([NewPlayer("Zacharias Quillfeather", visibility=visibility)], by=None)
    keizer_club([*hidden, *make_players(3)], [[WHITE, DRAW], [BLACK, WHITE]])
    assert "quillfeather" not in text_of(client, PAGE + part).lower()


@pytest.mark.parametrize("signed_in", [False, True], ids=["public", "officer"])
@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("players", [4, 20])
def test_pages_need_few_queries_whatever_was_played(
    client: Client,
    standard: RatingList,
    django_assert_max_num_queries: CountQueries,
    players: int,
    rounds: int,
    signed_in: bool,
) -> None:
    keizer_club(make_players(players), [[WHITE] * (players // 2)] * rounds)
    if signed_in:
        client.force_login(factory.make_arbiter())
    for part in PARTS:
        with django_assert_max_num_queries(8):
            text_of(client, PAGE + part)


def test_the_crosstable_stands_in_the_order_of_the_list(client: Client, standard: RatingList) -> None:
    event = keizer_club(make_players(5), [[WHITE, DRAW], [BLACK, WHITE]])
    (parts,) = client.get(PAGE + "crosstable/").context["parts"]
    order = [row.entrant.key for row in parts[0].crosses[0].rows]
    assert order == [line.entrant.key for line in keizer_places(event_facts(first_stage(event), NOBODY))]
    assert "Points here are those of the games." in text_of(client, PAGE + "crosstable/")
