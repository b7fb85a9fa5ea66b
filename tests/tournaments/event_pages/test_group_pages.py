"""Events of several parts: groups side by side, the knockout after them, team against team; and who leaves."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player, Visibility
from players.people.services import NewPlayer, create_players, update_player
from players.privacy.rules import NOBODY, OFFICER
from tests import factory
from tests.factory import make_players, make_round_robin, play_all
from tests.tournaments.event_pages import page_cases
from tests.tournaments.event_pages.page_cases import DRAW, WHITE, form_groups, make_event, play_stage, text_of
from tournaments.event_list.selectors import State, count_games, list_events, progress_of, state_of_facts
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import all_event_data, facts_of, stages_at, whole_of
from tournaments.events.services.closing import close_event
from tournaments.formats.services import Calendar, form_stages, make_rounds
from tournaments.models import Game, Pairing, Stage, Tournament
from tournaments.templatetags import events
from tournaments.templatetags.events import part_name

pytestmark = pytest.mark.django_db
CountQueries = Callable[..., object]
PARTS = ("", "standings/", "crosstable/", "rounds/1/", "rounds/1/?order=name", "entries/")


def whole(event: Tournament) -> EventData:
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
def test_the_list_says_who_won_a_knockout_and_nobody_of_groups(client: Client, people: list[Player]) -> None:
    won = page_cases.draw_cup(people[:4], name="Won")
    page_cases.play_bracket(won, 2)
    play_stage(stages()[0])
    winner = page_cases.match_of(won, 2, 1).advanced
    assert winner is not None
    page = text_of(client, "/tournaments/").split("<main")[1]
    assert [person.name for person in people if person.name in page] == [winner.player.name]
    close_event(won, by=None)
    counts = count_games(list_events(timezone.localdate()))
    assert (counts[won.pk], counts[cup().pk]) == (3, 6), "also of an event that is closed"
    cleared, replaced, _stands = won.games.order_by("pk")
    Game.objects.filter(pk=cleared.pk).update(result="")
    Pairing.objects.filter(games=replaced).update(superseded=True)
    assert count_games(list_events(timezone.localdate()))[won.pk] == 1, "results of boards that stand"


def test_before_a_round_is_paired_the_crosstable_shows_nobody(client: Client, people: list[Player]) -> None:
    event = make_event(people, "dutch", name="Open", rounds=3)
    page = text_of(client, f"{event.get_absolute_url()}crosstable/")
    assert people[0].name not in page.split("<main")[1]


def test_a_stage_knows_its_own_field_and_rounds_side_by_side_are_one_of_the_event() -> None:
    first, second, knockout = all_event_data(cup(), NOBODY)
    assert [facts.stage.name for facts in (first, second, knockout)] == ["Group A", "Group B", "Knockout"]
    assert [person.number for person in first.entrants] == [1, 2, 3, 4]
    assert {person.key for person in first.entrants} & {person.key for person in second.entrants} == set()
    assert knockout.entrants == ()
    assert len(first.everybody) == 8
    event = whole(cup())
    assert [(row.number, len(row.boards)) for row in event.rounds] == [(1, 4), (2, 4), (3, 4)]
    assert event.round_count == 3
    assert [person.number for person in event.entrants] == list(range(1, 9))
    assert [person.group for person in event.entrants[:4]] == ["Group A", "Group B", "Group B", "Group A"]


def test_a_plan_not_formed_yet_shows_its_entries_and_stations_follow_each_other(
    client: Client, people: list[Player]
) -> None:
    event = make_event(people, "groups", name="Plan")
    facts = all_event_data(event, NOBODY)
    assert [part.stage.pairing_system for part in facts] == ["groups"]
    page = text_of(client, "/tournaments/plan/")
    assert "Groups, then knockout, 8 players" in page
    assert "Ada Alvarez" in page
    event = make_event(people[:4], "stations", name="Stations", stations=2)
    one, _two = form_stages(event.stages.get(), by=None, seed=1)
    make_rounds(one, by=None, calendar=Calendar(first_day=factory.MONDAY), seed=1)
    page = text_of(client, "/tournaments/stations/bracket/")
    assert "Station 1" in page
    assert "Station 2" not in page, "not drawn yet"
    assert "Next: Semi-finals, 5 January 2026." in page
    assert ">Crosstable<" not in text_of(client, "/tournaments/stations/"), "an event without tables has none"


# --- pages --------------------------------------------------------------------------------------------------------


def test_a_simple_event_has_no_groups_on_its_pages(client: Client, people: list[Player]) -> None:
    make_round_robin(people[:4], name="Simple")
    page = text_of(client, "/tournaments/simple/")
    assert "halves" not in page
    assert '<h2 id="standings">Standings</h2>' in page
    assert '<h2 id="crosstable">Crosstable</h2>' in text_of(client, "/tournaments/simple/crosstable/")
    assert ">Group<" not in text_of(client, "/tournaments/simple/entries/")


def test_a_round_shows_every_group_that_plays_it_and_the_news_its_leader(client: Client) -> None:
    page = text_of(client, "/tournaments/cup/rounds/2/")
    assert "Group A</h3>" in page
    assert "Group B</h3>" in page
    assert page.count('class="result"') == 4
    for game in Game.objects.filter(tournament=cup(), pairing__round__number=1, pairing__board=1):
        factory.record_result(game=game.pk, result=WHITE, played_on=factory.MONDAY, by=None)
    page = text_of(client, "/tournaments/cup/")
    assert "Group A: Ada Alvarez leads." in page
    assert "Group B: Bo Brandt leads." in page


def test_no_page_of_groups_names_who_is_not_public(client: Client, people: list[Player]) -> None:
    (hidden,) = create_players([NewPlayer("Zacharias Quillfeather")], by=None)
    first, *_others = form_groups([hidden, *people[:7]])
    play_stage(first)
    pages = [f"/tournaments/{first.tournament.slug}/{part}" for part in PARTS]
    assert "quillfeather" in text_of(client, pages[0]).lower()
    named = []
    for visibility in (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN):
        update_player(hidden.pk, {"visibility": visibility}, by=None)
        named += [(visibility, page) for page in pages if "quillfeather" in text_of(client, page).lower()]
    assert named == []


@pytest.mark.extended
def test_pages_need_few_queries_however_many_groups(
    client: Client, django_assert_num_queries: CountQueries, at_most: CountQueries
) -> None:
    event = form_groups(make_players(16), groups=4)[0].tournament
    with django_assert_num_queries(5):
        all_event_data(event, OFFICER)
    arbiter = Client()
    arbiter.force_login(factory.make_arbiter())
    for visitor in (client, arbiter):
        for part in PARTS:
            with at_most(9):
                page = text_of(visitor, f"/tournaments/{event.slug}/{part}")
            is_told = page.count("Sonneborn-Berger: ")
            assert is_told == (part == "standings/"), "the rules of the standings are told once"


# --- the list of events -------------------------------------------------------------------------------------------
def state(event: Tournament) -> State:
    """As the list has it, which is as the event's own page has it."""
    event.refresh_from_db()
    today = timezone.localdate()
    line = next(line for line in list_events(today) if line.tournament == event)
    assert state_of_facts(whole(event), today) == line.state
    return line.state


@pytest.mark.extended
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


@pytest.mark.extended
def test_events_finish_when_they_are_closed_and_a_round_robin_with_its_last_board(people: list[Player]) -> None:
    robin = make_round_robin(people[:3])
    keizer = page_cases.keizer_club(people[:4], [[WHITE, DRAW]])
    found = {line.tournament: (line.players, line.rounds) for line in list_events(timezone.localdate())}
    assert (found[robin], found[keizer]) == ((3, 3), (4, 1))
    for event in (robin, keizer):
        assert state(event) == State.RUNNING
        Tournament.objects.filter(pk=event.pk).update(closed=True)
        assert state(event) == State.FINISHED
    Tournament.objects.filter(pk=robin.pk).update(closed=False)
    play_all(robin)
    assert state(robin) == State.FINISHED


def test_groups_stand_side_by_side_with_their_own_tables_and_have_no_total(client: Client) -> None:
    page = text_of(client, "/tournaments/")
    assert "0/3" not in page
    assert 'rounds/1/">1</a>' in page, "no total while the knockout is not drawn"
    assert "Groups, then knockout" in page
    page = text_of(client, "/tournaments/cup/")
    assert 'class="halves"' in page
    for name in ("Group A", "Group B", "Knockout"):
        assert f">{name}<" in page
    assert text_of(client, "/tournaments/cup/crosstable/").count('id="crosstable-') == 2
    assert "The bracket is not drawn yet." in page
    assert page.count('id="standings-2"') == page.count('id="standings-3"') == 1
    entries = text_of(client, "/tournaments/cup/entries/")
    assert ">Group<" in entries
    assert "Group B" in entries


@pytest.mark.extended
def test_the_list_needs_few_queries_with_events_of_several_parts(
    client: Client, people: list[Player], at_most: CountQueries
) -> None:
    play_stage(stages()[0])
    for count in (2, 3):
        while Tournament.objects.count() < count:
            play_stage(form_groups(people)[0])
        with at_most(8):
            text_of(client, "/tournaments/")


def test_names_the_plan_gave_are_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {"Group %(mark)s": "группа %(mark)s", "Station %(mark)s": "станция %(mark)s", "Knockout": "плей-офф"}
    monkeypatch.setattr(events, "_", lambda text: words[text])
    shown = {"Group A": "группа A", "Station 2": "станция 2", "Knockout": "плей-офф"}
    shown |= {name: name for name in ("Group of friends", "Knockout for all", "")}
    assert {stored: part_name(stored) for stored in shown} == shown
