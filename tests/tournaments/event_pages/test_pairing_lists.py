"""Pairing tables: by board and by name, byes in words, and what the front page makes of rounds side by side."""

from datetime import time, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubrating.site.home.selectors import boards_of
from players.models import Visibility
from players.people.services import NewPlayer, create_players
from players.privacy.rules import MEMBER, NOBODY, OFFICER, Viewer
from tests import factory
from tests.factory import make_players, make_round_robin, play_round, round_of
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages.page_cases import (
    DRAW,
    WHITE,
    draw_cup,
    first_stage,
    form_groups,
    play_match,
    text_of,
)
from tournaments.event_list.selectors import progress_of, running_events
from tournaments.event_pages.selectors.finding import SeatByName, seats_by_name
from tournaments.events.selectors.events import event_data
from tournaments.models import ByeKind, Pairing, Round, Seat, Stage, Tournament
from tournaments.rounds.selectors.progress import next_rounds, rounds_now, rounds_of, rounds_to_enter

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standard")]
NAMES = ("Anna Aal", "Zoe Zander", "Mia Maus", "Bea Bach", "Kim Kohl")


standard = club_and_list


def event_of(*visibilities: str) -> Tournament:
    """A round robin of people whose numbers are not in the order of their names."""
    people = [NewPlayer(name, visibility=level) for name, level in zip(NAMES, visibilities, strict=False)]
    return make_round_robin(create_players(people, by=None))


def seats_in_order(event: Tournament, viewer: Viewer = NOBODY) -> list[SeatByName]:
    return seats_by_name(event_data(first_stage(event), viewer).rounds[0], viewer)


def names_in_order(event: Tournament, viewer: Viewer) -> list[str]:
    return [seat.entrant.player.name for seat in seats_in_order(event, viewer)]


# --- by name ------------------------------------------------------------------------------------------------------
def test_everybody_stands_once_in_the_order_of_the_sort_names_with_board_colour_and_opponent() -> None:
    seats = seats_in_order(event_of(*["public"] * 5))
    order = [seat.entrant.player.sort_name for seat in seats]
    assert order == sorted(order)
    assert len({seat.entrant.key for seat in seats}) == len(seats) == 5
    by_key = {seat.entrant.key: seat for seat in seats}
    for seat in seats:
        if seat.opponent is None:
            assert seat.bye == ByeKind.ALLOCATED
            continue
        other = by_key[seat.opponent.key]
        assert other.opponent is not None
        assert other.opponent.key == seat.entrant.key
        assert {seat.colour, other.colour} == {"w", "b"}
        assert seat.board == other.board


def test_a_name_not_shown_does_not_tell_its_place_in_the_alphabet() -> None:
    for level in (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN):
        event = event_of(level, "public", level, "public")
        assert names_in_order(event, NOBODY) == ["Bea Bach", "Zoe Zander", "Anna Aal", "Mia Maus"], "then by number"
    event = event_of("initials", "public", "hidden", "public")
    assert names_in_order(event, MEMBER) == ["Anna Aal", "Bea Bach", "Zoe Zander", "Mia Maus"]
    assert names_in_order(event, OFFICER) == ["Anna Aal", "Bea Bach", "Mia Maus", "Zoe Zander"], "who sees the names"


def test_the_page_switches_between_the_two_orders(client: Client) -> None:
    event = event_of(*["public"] * 4)
    address = f"/tournaments/{event.slug}/rounds/1/"
    by_board, by_name = text_of(client, address), text_of(client, address + "?order=name")
    assert f'href="{address}?order=name"' in by_board
    assert f'href="{address}"' in by_name
    assert ">Opponent<" in by_name
    assert ">Opponent<" not in by_board
    assert "By name</b>" in by_name
    assert ">Opponent<" not in text_of(client, address + "?order=rating'"), "an unknown order is by board"


def test_by_name_every_group_has_its_list_and_an_opponent_who_is_to_come_is_told(client: Client) -> None:
    play_match(draw_cup(make_players(4), name="Knockout"), 1, 1, WHITE)
    page = text_of(client, "/tournaments/knockout/rounds/2/?order=name")
    assert "Ada Alvarez" in page
    assert "to come" in page
    form_groups(make_players(8))
    page = text_of(client, "/tournaments/cup/rounds/1/?order=name")
    assert page.count("<thead>") == 2
    assert "Group A</h3>" in page


# --- byes and times -----------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_every_bye_is_said_in_words_and_a_time_with_the_day(client: Client) -> None:
    event = event_of(*["public"] * 3)
    Round.objects.filter(stage__tournament=event, number=1).update(planned_at=time(19, 30))
    address = f"/tournaments/{event.slug}/rounds/1/"
    for kind, words in {
        ByeKind.ALLOCATED: "bye: a free round, no points",
        ByeKind.FULL: "full-point bye",
        ByeKind.HALF: "half-point bye",
        ByeKind.ZERO: "zero-point bye",
    }.items():
        Pairing.objects.filter(stage__tournament=event, round__number=1).exclude(bye="").update(bye=kind)
        page = text_of(client, address)
        assert words in page
        assert words in text_of(client, address + "?order=name")
    assert "19:30" in page


# --- rounds of groups side by side --------------------------------------------------------------------------------
def test_groups_are_one_round_tonight_and_the_desk_has_every_group(client: Client) -> None:
    form_groups(make_players(8))
    today = timezone.localdate()
    Round.objects.update(planned_on=None)
    groups = [(row.round.stage.name, row.round.number) for row in rounds_to_enter(today)]
    assert groups == [("Group A", 1), ("Group B", 1)]
    Stage.objects.filter(name="Group A").update(order=9)
    assert [row.round.stage.name for row in rounds_to_enter(today)] == ["Group B", "Group A"]
    assert rounds_of(Tournament.objects.get())[0].round.stage.name == "Group B"
    Round.objects.filter(stage__name="Group B").update(state=Round.State.DRAFT)
    assert [row.round.stage.name for row in rounds_to_enter(today)] == ["Group A"], "a draft waits for nothing yet"
    Round.objects.update(state=Round.State.PUBLISHED)
    Round.objects.update(planned_on=today + timedelta(days=3))
    assert [row.number for row in next_rounds(today)] == [1, 2, 3], "the next dates name a round once"
    Round.objects.exclude(number=3).update(planned_on=today)
    (now,) = rounds_now(today)
    assert (now.boards, now.round.number, now.round.stage.name) == (4, 1, "Group B")
    assert len(boards_of(now.round, None, 10)) == 4
    assert "4 boards" in text_of(client, "/")
    Round.objects.exclude(number=2).update(state=Round.State.DRAFT)
    Round.objects.update(planned_on=today + timedelta(days=3))
    assert [row.number for row in next_rounds(today)] == [2], "nobody is told of a draft"
    assert not rounds_now(today)


def test_a_round_of_today_is_on_before_one_that_is_still_owed() -> None:
    cup, today = make_round_robin(make_players(4)), timezone.localdate()
    play_round(cup, 1, [WHITE, DRAW])
    cup.games.filter(result=DRAW).update(result="")
    Round.objects.filter(number=1).update(planned_on=today - timedelta(days=7))
    Round.objects.filter(number=2).update(planned_on=today)
    assert [row.round.number for row in rounds_now(today)] == [2]


def test_tonight_a_match_shows_its_latest_game() -> None:
    cup = draw_cup(make_players(4), games=2)
    play_match(cup, 1, 1, DRAW)
    games = boards_of(round_of(cup, 1), None, 10)
    assert [game.number for game in games] == [2, 1]


def test_a_knockout_runs_until_its_final_is_played_and_a_superseded_bracket_does_not() -> None:
    cup, today = draw_cup(make_players(4)), timezone.localdate()
    play_match(cup, 1, 1, WHITE)
    play_match(cup, 1, 2, WHITE)
    (line,) = running_events(today)
    assert (progress_of([line])[line.tournament.pk].current, line.planned_rounds) == (2, 2)
    play_match(cup, 2, 1, WHITE)
    assert running_events(today) == []
    draw_cup(make_players(4), name="Superseded")
    Seat.objects.all().delete()
    Pairing.objects.update(superseded=True)
    assert running_events(today) == []


@pytest.mark.extended
def test_lists_by_name_need_few_queries(client: Client, at_most: DjangoAssertNumQueries) -> None:
    events = [make_round_robin(make_players(count)) for count in (4, 20)]
    arbiter = factory.make_arbiter()
    for event in events:
        play_round(event, 1, [WHITE] * (event.entries.count() // 2))
    for signed_in in (False, True):
        if signed_in:
            client.force_login(arbiter)
        for event in events:
            with at_most(8):
                text_of(client, f"/tournaments/{event.slug}/rounds/1/?order=name")
