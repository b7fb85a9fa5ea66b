"""Events of several parts: groups side by side, the knockout after them, team against team; and who leaves."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Visibility
from players.privacy import NOBODY, OFFICER
from players.services.people import NewPlayer, create_players
from ratings.models import RatingList
from tests import factory
from tests.factory import make_players, make_round_robin, play_all
from tests.tournaments.page_cases import (
    DRAW,
    WHITE,
    first_stage,
    form_groups,
    keizer_club,
    make_event,
    play_stage,
    text_of,
)
from tournaments.models import Game, Stage, Tournament
from tournaments.selectors.event_list import State, list_events, progress_of, state_of_facts
from tournaments.selectors.events import all_facts, facts_of, stages_at, whole_of
from tournaments.selectors.facts import EventFacts
from tournaments.services.stages import Calendar, form_stages, make_rounds
from tournaments.templatetags import events
from tournaments.templatetags.events import part_name

CountQueries = Callable[..., object]
PARTS = ("", "standings/", "crosstable/", "rounds/1/", "rounds/1/?order=name", "entries/")


def whole(event: Tournament) -> EventFacts:
    stages = stages_at(event.slug)
    return whole_of(stages, facts_of(stages, NOBODY))


def cup() -> Tournament:
    return Tournament.objects.get(slug="cup")


# --- facts --------------------------------------------------------------------------------------------------------


def test_a_stage_knows_its_own_field_and_numbers(standard: RatingList) -> None:
    form_groups(make_players(8))
    first, second, knockout = all_facts(cup(), NOBODY)
    assert [person.number for person in first.entrants] == [1, 2, 3, 4]
    assert {person.key for person in first.entrants} & {person.key for person in second.entrants} == set()
    assert knockout.entrants == ()
    assert len(first.everybody) == 8


def test_the_plan_is_no_part(standard: RatingList) -> None:
    form_groups(make_players(8))
    assert [facts.stage.name for facts in all_facts(cup(), NOBODY)] == ["Group A", "Group B", "Knockout"]


def test_a_plan_not_formed_yet_shows_its_entries(client: Client, standard: RatingList) -> None:
    event = make_event(make_players(8), "groups")
    facts = all_facts(event, NOBODY)
    assert [part.stage.pairing_system for part in facts] == ["groups"]
    page = text_of(client, "/tournaments/cup/")
    assert "Groups, then knockout, 8 players" in page
    assert "Ada Alvarez" in page


def test_rounds_side_by_side_are_one_round_of_the_event(standard: RatingList) -> None:
    form_groups(make_players(8))
    event = whole(cup())
    assert [row.number for row in event.rounds] == [1, 2, 3]
    assert [len(row.boards) for row in event.rounds] == [4, 4, 4]
    assert event.round_count == 3


def test_everybody_has_the_events_number_and_the_group(standard: RatingList) -> None:
    form_groups(make_players(8))
    people = whole(cup()).entrants
    assert [person.number for person in people] == list(range(1, 9))
    assert [person.group for person in people[:4]] == ["Group A", "Group B", "Group B", "Group A"]


def test_facts_need_the_same_queries_however_many_groups(
    standard: RatingList, django_assert_num_queries: CountQueries
) -> None:
    form_groups(make_players(16), groups=4)
    event = cup()
    with django_assert_num_queries(5):
        all_facts(event, OFFICER)


# --- pages --------------------------------------------------------------------------------------------------------


def test_groups_stand_side_by_side_with_their_own_tables(client: Client, standard: RatingList) -> None:
    form_groups(make_players(8))
    page = text_of(client, "/tournaments/cup/")
    assert 'class="halves"' in page
    for name in ("Group A", "Group B", "Knockout"):
        assert f">{name}<" in page
    assert page.count("crosstable") >= 2
    assert "The bracket is not drawn yet." in page
    assert page.count('id="standings-2"') == page.count('id="standings-3"') == 1


def test_a_simple_event_has_no_groups_on_its_pages(client: Client, standard: RatingList) -> None:
    make_round_robin(make_players(4), name="Cup")
    page = text_of(client, "/tournaments/cup/")
    assert "halves" not in page
    assert '<h2 id="standings">Standings</h2>' in page
    assert '<h2 id="crosstable">Crosstable</h2>' in page
    assert ">Group<" not in text_of(client, "/tournaments/cup/entries/")


def test_a_round_shows_every_group_that_plays_it(client: Client, standard: RatingList) -> None:
    form_groups(make_players(8))
    page = text_of(client, "/tournaments/cup/rounds/2/")
    assert "Group A</h3>" in page
    assert "Group B</h3>" in page
    assert page.count('class="result"') == 4


def test_the_knockout_counts_its_rounds_on(client: Client, standard: RatingList) -> None:
    knockout = play_the_groups()
    make_rounds(knockout, by=None, calendar=Calendar())
    page = text_of(client, "/tournaments/cup/rounds/4/")
    assert "Knockout, Semi-finals</h3>" in page
    assert "Group A</h3>" not in page
    assert "Semi-finals" in text_of(client, "/tournaments/cup/bracket/")


def play_the_groups() -> Stage:
    first, second, knockout = form_groups(make_players(8))
    play_stage(first)
    play_stage(second)
    return knockout


def test_entries_name_the_group(client: Client, standard: RatingList) -> None:
    form_groups(make_players(8))
    page = text_of(client, "/tournaments/cup/entries/")
    assert ">Group<" in page
    assert "Group B" in page


def test_the_news_names_the_leader_of_every_group(client: Client, standard: RatingList) -> None:
    first, second, _knockout = form_groups(make_players(8))
    for stage in (first, second):
        for game in Game.objects.filter(pairing__stage=stage, pairing__round__number=1, pairing__board=1):
            factory.record_result(game=game.pk, result=WHITE, played_on=factory.MONDAY, by=None)
    page = text_of(client, "/tournaments/cup/")
    assert "Group A: Ada Alvarez leads." in page
    assert "Group B: Bo Brandt leads." in page


def test_the_knockouts_news_takes_over(client: Client, standard: RatingList) -> None:
    make_rounds(play_the_groups(), by=None, calendar=Calendar())
    page = text_of(client, "/tournaments/cup/")
    assert "Next: Semi-finals." in page


def test_stations_follow_each_other(client: Client, standard: RatingList) -> None:
    event = make_event(make_players(4), "stations", stations=2)
    one, _two = form_stages(first_stage(event), by=None, seed=1)
    make_rounds(one, by=None, calendar=Calendar(first_day=factory.MONDAY), seed=1)
    page = text_of(client, "/tournaments/cup/bracket/")
    assert "Station 1" in page
    assert "Station 2" not in page, "not drawn yet"
    assert "Next: Semi-finals, 5 January 2026." in page


def test_an_event_without_tables_has_no_crosstable(client: Client, standard: RatingList) -> None:
    event = make_event(make_players(4), "stations", stations=1)
    (one,) = form_stages(first_stage(event), by=None, seed=1)
    make_rounds(one, by=None, calendar=Calendar(), seed=1)
    assert ">Crosstable<" not in text_of(client, "/tournaments/cup/")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("visibility", [Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN])
def test_no_page_of_groups_names_who_is_not_public(
    client: Client, standard: RatingList, visibility: Visibility, part: str
) -> None:
    hidden = create_players([NewPlayer("Zacharias Quillfeather", visibility=visibility)], by=None)
    first, second, _knockout = form_groups([*hidden, *make_players(7)])
    play_stage(first)
    play_stage(second)
    assert "quillfeather" not in text_of(client, f"/tournaments/cup/{part}").lower()


@pytest.mark.parametrize("signed_in", [False, True], ids=["public", "officer"])
@pytest.mark.parametrize("groups", [2, 8])
@pytest.mark.parametrize("part", PARTS)
def test_pages_need_few_queries_however_many_groups(
    client: Client,
    standard: RatingList,
    django_assert_max_num_queries: CountQueries,
    groups: int,
    part: str,
    signed_in: bool,
) -> None:
    form_groups(make_players(4 * groups), groups=groups)
    if signed_in:
        client.force_login(factory.make_arbiter())
    with django_assert_max_num_queries(9):
        text_of(client, f"/tournaments/cup/{part}")


# --- the list of events -------------------------------------------------------------------------------------------


def state(event: Tournament) -> State:
    """As the list has it, which is as the event's own page has it."""
    event.refresh_from_db()
    today = timezone.localdate()
    line = next(line for line in list_events(today) if line.tournament == event)
    assert state_of_facts(whole(event), today) == line.state
    return line.state


def test_groups_that_are_over_are_no_finished_event(standard: RatingList) -> None:
    knockout = play_the_groups()
    assert state(cup()) == State.RUNNING
    make_rounds(knockout, by=None, calendar=Calendar())
    assert state(cup()) == State.RUNNING


def test_an_event_is_finished_with_its_final(client: Client, standard: RatingList) -> None:
    make_rounds(play_the_groups(), by=None, calendar=Calendar())
    for _round in range(2):
        for game in Game.objects.filter(tournament=cup(), result=""):
            factory.record_result(game=game.pk, result=WHITE, played_on=factory.MONDAY, by=None)
    assert state(cup()) == State.FINISHED
    line = list_events(timezone.localdate())[0]
    assert progress_of([line])[cup().pk].winner is not None
    assert "has won" in text_of(client, "/tournaments/cup/")


def test_a_closed_event_is_finished_whatever_is_open(standard: RatingList) -> None:
    event = make_round_robin(make_players(4))
    Tournament.objects.filter(pk=event.pk).update(closed=True)
    assert state(event) == State.FINISHED


def test_a_round_robin_finishes_with_its_last_board(standard: RatingList) -> None:
    event = make_round_robin(make_players(4))
    assert state(event) == State.RUNNING
    play_all(event)
    assert state(event) == State.FINISHED


def test_formats_that_pair_round_by_round_finish_when_they_are_closed(standard: RatingList) -> None:
    event = keizer_club(make_players(4), [[WHITE, DRAW]])
    assert state(event) == State.RUNNING
    Tournament.objects.filter(pk=event.pk).update(closed=True)
    assert state(event) == State.FINISHED


def test_the_list_says_no_total_where_more_rounds_may_come(client: Client, standard: RatingList) -> None:
    form_groups(make_players(8))
    page = text_of(client, "/tournaments/")
    assert "0/3" not in page
    assert ">0<" in page
    assert "Groups, then knockout" in page


@pytest.mark.parametrize("events", [2, 12])
def test_the_list_needs_few_queries_with_events_of_several_parts(
    client: Client, standard: RatingList, django_assert_max_num_queries: CountQueries, events: int
) -> None:
    people = make_players(8)
    for _event in range(events):
        first, second, _knockout = form_groups(people)
        play_stage(first)
        play_stage(second)
    with django_assert_max_num_queries(8):
        text_of(client, "/tournaments/")


def test_the_rules_of_the_standings_are_told_once(client: Client, standard: RatingList) -> None:
    form_groups(make_players(16), groups=4)
    assert text_of(client, "/tournaments/cup/").count("Sonneborn-Berger: ") == 1


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("Group A", "группа A"),
        ("Station 2", "станция 2"),
        ("Knockout", "плей-офф"),
        ("Group of friends", "Group of friends"),
        ("Knockout for all", "Knockout for all"),
        ("", ""),
    ],
)
def test_names_the_plan_gave_are_translated(monkeypatch: pytest.MonkeyPatch, stored: str, shown: str) -> None:
    words = {"Group %(mark)s": "группа %(mark)s", "Station %(mark)s": "станция %(mark)s", "Knockout": "плей-офф"}
    monkeypatch.setattr(events, "_", lambda text: words[text])
    assert part_name(stored) == shown
