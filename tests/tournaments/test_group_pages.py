"""Events of several parts: groups side by side, the knockout after them, team against team; and who leaves."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player, Visibility
from players.privacy import NOBODY, OFFICER
from players.services.people import NewPlayer, create_players, update_player
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

pytestmark = pytest.mark.django_db
CountQueries = Callable[..., object]
PARTS = ("", "standings/", "crosstable/", "rounds/1/", "rounds/1/?order=name", "entries/")


def whole(event: Tournament) -> EventFacts:
    stages = stages_at(event.slug)
    return whole_of(stages, facts_of(stages, NOBODY))


def cup() -> Tournament:
    return Tournament.objects.get(slug="cup")


@pytest.fixture(scope="module")
def people(world: None) -> list[Player]:
    factory.make_club()
    factory.make_list()
    return make_players(8)


@pytest.fixture(scope="module", autouse=True)
def groups(people: list[Player]) -> list[Stage]:
    """Two groups of four, their rounds made, nothing played; the knockout waits."""
    return form_groups(people)


def stages() -> list[Stage]:
    return list(cup().stages.exclude(name="").order_by("order"))


def play_the_groups() -> Stage:
    first, second, knockout = stages()
    play_stage(first)
    play_stage(second)
    return knockout


# --- facts --------------------------------------------------------------------------------------------------------
def test_a_stage_knows_its_own_field_and_numbers_and_the_plan_is_no_part() -> None:
    first, second, knockout = all_facts(cup(), NOBODY)
    assert [facts.stage.name for facts in (first, second, knockout)] == ["Group A", "Group B", "Knockout"]
    assert [person.number for person in first.entrants] == [1, 2, 3, 4]
    assert {person.key for person in first.entrants} & {person.key for person in second.entrants} == set()
    assert knockout.entrants == ()
    assert len(first.everybody) == 8


def test_a_plan_not_formed_yet_shows_its_entries(client: Client, people: list[Player]) -> None:
    event = make_event(people, "groups", name="Plan")
    facts = all_facts(event, NOBODY)
    assert [part.stage.pairing_system for part in facts] == ["groups"]
    page = text_of(client, "/tournaments/plan/")
    assert "Groups, then knockout, 8 players" in page
    assert "Ada Alvarez" in page


def test_rounds_side_by_side_are_one_round_of_the_event() -> None:
    event = whole(cup())
    assert [row.number for row in event.rounds] == [1, 2, 3]
    assert [len(row.boards) for row in event.rounds] == [4, 4, 4]
    assert event.round_count == 3


def test_everybody_has_the_events_number_and_the_group() -> None:
    people = whole(cup()).entrants
    assert [person.number for person in people] == list(range(1, 9))
    assert [person.group for person in people[:4]] == ["Group A", "Group B", "Group B", "Group A"]


# --- pages --------------------------------------------------------------------------------------------------------
def test_groups_stand_side_by_side_with_their_own_tables(client: Client) -> None:
    page = text_of(client, "/tournaments/cup/")
    assert 'class="halves"' in page
    for name in ("Group A", "Group B", "Knockout"):
        assert f">{name}<" in page
    assert page.count("crosstable") >= 2
    assert "The bracket is not drawn yet." in page
    assert page.count('id="standings-2"') == page.count('id="standings-3"') == 1
    entries = text_of(client, "/tournaments/cup/entries/")
    assert ">Group<" in entries
    assert "Group B" in entries


def test_a_simple_event_has_no_groups_on_its_pages(client: Client, people: list[Player]) -> None:
    make_round_robin(people[:4], name="Simple")
    page = text_of(client, "/tournaments/simple/")
    assert "halves" not in page
    assert '<h2 id="standings">Standings</h2>' in page
    assert '<h2 id="crosstable">Crosstable</h2>' in page
    assert ">Group<" not in text_of(client, "/tournaments/simple/entries/")


def test_a_round_shows_every_group_that_plays_it(client: Client) -> None:
    page = text_of(client, "/tournaments/cup/rounds/2/")
    assert "Group A</h3>" in page
    assert "Group B</h3>" in page
    assert page.count('class="result"') == 4


def test_the_news_names_the_leader_of_every_group(client: Client) -> None:
    first, second, _knockout = stages()
    for stage in (first, second):
        for game in Game.objects.filter(pairing__stage=stage, pairing__round__number=1, pairing__board=1):
            factory.record_result(game=game.pk, result=WHITE, played_on=factory.MONDAY, by=None)
    page = text_of(client, "/tournaments/cup/")
    assert "Group A: Ada Alvarez leads." in page
    assert "Group B: Bo Brandt leads." in page


def test_stations_follow_each_other(client: Client, people: list[Player]) -> None:
    event = make_event(people[:4], "stations", name="Stations", stations=2)
    one, _two = form_stages(first_stage(event), by=None, seed=1)
    make_rounds(one, by=None, calendar=Calendar(first_day=factory.MONDAY), seed=1)
    page = text_of(client, "/tournaments/stations/bracket/")
    assert "Station 1" in page
    assert "Station 2" not in page, "not drawn yet"
    assert "Next: Semi-finals, 5 January 2026." in page


def test_an_event_without_tables_has_no_crosstable(client: Client, people: list[Player]) -> None:
    event = make_event(people[:4], "stations", name="One", stations=1)
    (one,) = form_stages(first_stage(event), by=None, seed=1)
    make_rounds(one, by=None, calendar=Calendar(), seed=1)
    assert ">Crosstable<" not in text_of(client, "/tournaments/one/")


def test_no_page_of_groups_names_who_is_not_public(client: Client, people: list[Player]) -> None:
    (hidden,) = create_players([NewPlayer("Zacharias Quillfeather")], by=None)
    first, second, _knockout = form_groups([hidden, *people[:7]])
    play_stage(first)
    play_stage(second)
    pages = [f"/tournaments/{first.tournament.slug}/{part}" for part in PARTS]
    assert "quillfeather" in text_of(client, pages[0]).lower()
    named = []
    for visibility in (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN):
        update_player(hidden.pk, {"visibility": visibility}, by=None)
        named += [(visibility, page) for page in pages if "quillfeather" in text_of(client, page).lower()]
    assert named == []


@pytest.mark.parametrize("groups_of_four", [2, 8])
def test_pages_need_few_queries_however_many_groups(
    client: Client,
    django_assert_num_queries: CountQueries,
    django_assert_max_num_queries: CountQueries,
    groups_of_four: int,
) -> None:
    event = form_groups(make_players(4 * groups_of_four), groups=groups_of_four)[0].tournament
    with django_assert_num_queries(5):
        all_facts(event, OFFICER)
    for part in PARTS:
        with django_assert_max_num_queries(9):
            page = text_of(client, f"/tournaments/{event.slug}/{part}")
        if not part:
            assert page.count("Sonneborn-Berger: ") == 1, "the rules of the standings are told once"
    client.force_login(factory.make_arbiter())
    for part in PARTS:
        with django_assert_max_num_queries(9):
            text_of(client, f"/tournaments/{event.slug}/{part}")


# --- the list of events -------------------------------------------------------------------------------------------


def state(event: Tournament) -> State:
    """As the list has it, which is as the event's own page has it."""
    event.refresh_from_db()
    today = timezone.localdate()
    line = next(line for line in list_events(today) if line.tournament == event)
    assert state_of_facts(whole(event), today) == line.state
    return line.state


def test_an_event_of_groups_is_finished_with_its_final(client: Client) -> None:
    """Not with the groups; the knockout's rounds count on, and its news take over."""
    knockout = play_the_groups()
    assert state(cup()) == State.RUNNING
    make_rounds(knockout, by=None, calendar=Calendar())
    assert state(cup()) == State.RUNNING
    assert "Next: Semi-finals." in text_of(client, "/tournaments/cup/")
    page = text_of(client, "/tournaments/cup/rounds/4/")
    assert "Knockout, Semi-finals</h3>" in page
    assert "Group A</h3>" not in page
    assert "Semi-finals" in text_of(client, "/tournaments/cup/bracket/")
    for _round in range(2):
        for game in Game.objects.filter(tournament=cup(), result=""):
            factory.record_result(game=game.pk, result=WHITE, played_on=factory.MONDAY, by=None)
    assert state(cup()) == State.FINISHED
    (line,) = list_events(timezone.localdate())
    assert progress_of([line])[cup().pk].winner is not None
    assert "has won" in text_of(client, "/tournaments/cup/")


def test_a_round_robin_finishes_with_its_last_board_or_when_it_is_closed(people: list[Player]) -> None:
    event = make_round_robin(people[:4])
    assert state(event) == State.RUNNING
    Tournament.objects.filter(pk=event.pk).update(closed=True)
    assert state(event) == State.FINISHED
    Tournament.objects.filter(pk=event.pk).update(closed=False)
    play_all(event)
    assert state(event) == State.FINISHED


def test_formats_that_pair_round_by_round_finish_when_they_are_closed(people: list[Player]) -> None:
    event = keizer_club(people[:4], [[WHITE, DRAW]])
    assert state(event) == State.RUNNING
    Tournament.objects.filter(pk=event.pk).update(closed=True)
    assert state(event) == State.FINISHED


def test_the_list_says_no_total_where_more_rounds_may_come(client: Client) -> None:
    page = text_of(client, "/tournaments/")
    assert "0/3" not in page
    assert ">0<" in page
    assert "Groups, then knockout" in page


def test_the_list_needs_few_queries_with_events_of_several_parts(
    client: Client, people: list[Player], django_assert_max_num_queries: CountQueries
) -> None:
    play_the_groups()
    for count in (2, 4):
        while Tournament.objects.count() < count:
            first, second, _knockout = form_groups(people)
            play_stage(first)
            play_stage(second)
        with django_assert_max_num_queries(8):
            text_of(client, "/tournaments/")


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
