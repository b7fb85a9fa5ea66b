"""What is to be looked at before a round: each line fine or not, about the right boards and people."""

from collections.abc import Iterator
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import shown
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.rounds import round_cases
from tests.tournaments.rounds.round_cases import boards_of, entry, make_league, play
from tournaments.entries.services.late import enter_late
from tournaments.models import ByeRequest, CheckIn, Entry, Game, Round, Stage, Tournament
from tournaments.presence.services import check_in, report_absence
from tournaments.results.services.results import record_result
from tournaments.rounds.selectors.checklist import (
    ADJOURNED,
    AWAY,
    BYES,
    DRAFT,
    LATE,
    LEFT,
    MARKED,
    MISSING,
    NOTICE,
    UNKNOWN,
    UNREAD,
    Line,
    checklist_of,
    doubts_of,
)
from tournaments.rounds.selectors.field import attendance, next_number
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result
from tournaments.verification.selectors import NO_OTHER_READER
from tournaments.verification.services import read_result
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]

W, D = Result.WHITE_WINS, Result.DRAW


standard = club_and_list


@pytest.fixture(scope="module", autouse=True)
def arbiter(standard: RatingList) -> User:
    return factory.make_arbiter()


@pytest.fixture(scope="module", autouse=True)
def league(standard: RatingList) -> Iterator[Stage]:
    with pytest.MonkeyPatch.context() as patch:
        round_cases.install(patch)
        yield make_league(6)


@pytest.fixture
def cup(league: Stage) -> Tournament:
    return factory.make_round_robin(factory.first_players(5))


@pytest.fixture
def first(league: Stage) -> Round:
    """Round 1, published, nothing entered."""
    return pair_next_round(league, by=None, publish=True)


def today() -> date:
    return factory.today()


def lines(stage: Stage, number: int | None = None) -> list[Line]:
    stage = Stage.objects.select_related("tournament").get(pk=stage.pk)
    return checklist_of(stage, attendance(stage, number or next_number(stage)), today=today())


def line(stage: Stage, code: str) -> Line | None:
    """The one line of that code."""
    found = [each for each in lines(stage) if each.code == code]
    assert len(found) <= 1, found
    return found[0] if found else None


def needed(stage: Stage, code: str) -> Line:
    found = line(stage, code)
    assert found is not None
    return found


def numbers(row: Line) -> list[int]:
    return [board for _round, board in row.boards]


def people(row: Line) -> list[int | None]:
    return [each.number for each, _word in row.people]


# --- results ---------------------------------------------------------------------------------------------------------
def test_before_the_first_round_nothing_is_missing_and_a_draft_in_the_way_is_said(league: Stage) -> None:
    assert [each.code for each in lines(league)] == [UNKNOWN]
    assert needed(league, UNKNOWN).fine, "a club that checks nobody in is not told off"
    CheckIn.objects.create(entry=entry(league, 2), on=factory.MONDAY, here=False)
    assert line(league, AWAY) is None
    assert needed(league, UNKNOWN).fine
    pair_next_round(league, by=None)
    row = needed(league, DRAFT)
    assert (row.fine, row.words) == (False, "Round 1 is still a draft.")
    assert line(league, MISSING) is None


def test_missing_results_are_named_by_board(league: Stage, first: Round) -> None:
    play(first, W)
    row = needed(league, MISSING)
    assert (row.fine, numbers(row), row.boards[0][0]) == (False, [2, 3], first)
    assert row.words == "2 results are missing."
    for game in Game.objects.filter(pairing__round=first, result=""):
        record_result(game=game.pk, result=D, played_on=factory.MONDAY, by=None)
    row = needed(league, MISSING)
    assert (row.fine, row.boards, row.words) == (True, (), "Every result is entered.")


def test_an_adjourned_game_is_not_a_missing_one(league: Stage, first: Round) -> None:
    play(first, W, Result.ADJOURNED, D)
    assert needed(league, MISSING).fine
    assert (needed(league, ADJOURNED).fine, numbers(needed(league, ADJOURNED))) == (False, [2])


def test_missing_results_of_all_rounds_before_are_told(league: Stage, first: Round) -> None:
    play(first, W, W)
    second = pair_next_round(league, by=None, publish=True, pair_anyway=True)
    play(second, W, W, W)
    assert [(row.number, board) for row, board in needed(league, MISSING).boards] == [(1, 3)]


# --- second readings, and what looks odd -----------------------------------------------------------------------------
def test_unread_results_count_only_where_the_event_asks(league: Stage, first: Round, arbiter: User) -> None:
    games = play(first, W, D)
    assert line(league, UNREAD) is None
    Tournament.objects.update(second_reading="any")
    assert numbers(needed(league, UNREAD)) == [1, 2]
    read_result(game=games[0].pk, result=W, by=arbiter, revision=games[0].revision)
    assert numbers(needed(league, UNREAD)) == [2]
    read_result(game=games[1].pk, result=D, by=arbiter, revision=games[1].revision)
    assert needed(league, UNREAD).fine
    Tournament.objects.update(second_reading="other")
    row = needed(league, UNREAD)
    assert (row.fine, str(NO_OTHER_READER) in row.words) == (True, True), "there is one officer only"


def test_an_odd_result_is_cleared_by_a_second_reading(league: Stage, first: Round, arbiter: User) -> None:
    games = play(first, W, D, D)
    assert needed(league, MARKED).fine
    CheckIn.objects.create(entry=entry(league, 1), on=factory.MONDAY, here=False)
    assert (needed(league, MARKED).fine, numbers(needed(league, MARKED))) == (False, [1])
    read_result(game=games[0].pk, result=W, by=arbiter, revision=games[0].revision)
    assert needed(league, MARKED).fine


# --- people ----------------------------------------------------------------------------------------------------------
def test_who_is_not_here_and_who_is_unknown(league: Stage, arbiter: User) -> None:
    keys = {number: entry(league, number).pk for number in range(1, 7)}
    check_in(league.tournament, {keys[1]: True, keys[2]: False, keys[3]: True}, on=today(), by=arbiter)
    assert (needed(league, AWAY).fine, people(needed(league, AWAY))) == (True, [2])
    assert (needed(league, UNKNOWN).fine, people(needed(league, UNKNOWN))) == (False, [4, 5, 6])
    check_in(league.tournament, {keys[n]: True for n in (4, 5, 6)}, on=today(), by=arbiter)
    assert (needed(league, UNKNOWN).fine, people(needed(league, UNKNOWN))) == (True, [])


def test_byes_are_told_with_their_kind_and_whoever_came_is_asked_about(league: Stage, arbiter: User) -> None:
    ByeRequest.objects.create(entry=entry(league, 5), round_number=1, kind="half")
    ByeRequest.objects.create(entry=entry(league, 6), round_number=2, kind="zero")
    row = needed(league, BYES)
    assert [(each.number, word) for each, word in row.people] == [(5, "half-point bye")]
    check_in(league.tournament, {entry(league, 1).pk: True}, on=today(), by=arbiter)
    assert 5 not in people(needed(league, UNKNOWN)), "who has a bye is not awaited"
    check_in(league.tournament, {entry(league, 5).pk: True}, on=today(), by=arbiter)
    asked, came = [row for row in lines(league) if row.code == BYES]
    assert (asked.fine, people(asked)) == (True, [5])
    assert (came.fine, people(came)) == (False, [5])


def test_who_comes_in_late_or_has_just_left_is_told(league: Stage, first: Round) -> None:
    Entry.objects.filter(pk=entry(league, 6).pk).update(first_round=2)
    for number, last in ((4, 1), (5, 0)):
        Entry.objects.filter(pk=entry(league, number).pk).update(withdrawn=True, last_round=last)
    assert (people(needed(league, LATE)), people(needed(league, LEFT))) == ([6], [4])


@pytest.mark.extended
def test_late_ones_and_who_left_are_told_once(league: Stage, first: Round) -> None:
    assert line(league, LATE) is None
    play(first, W, W, W)
    enter_late(league.tournament, factory.make_players(1), by=None)
    assert people(needed(league, LATE)) == [7]
    play(pair_next_round(league, by=None, publish=True), W, W, W)
    assert line(league, LATE) is None
    withdraw_entry(entry(league, 4).pk, by=None)
    assert people(needed(league, LEFT)) == [4]
    play(pair_next_round(league, by=None, publish=True), W, W, W)
    assert line(league, LEFT) is None


# --- any format, any size --------------------------------------------------------------------------------------------
def test_a_round_robin_may_be_asked_too(cup: Tournament) -> None:
    factory.play_round(cup, 1, [W, D])
    stage = factory.stage_of(cup)
    assert [row.fine for row in lines(stage, 2) if row.code == MISSING] == [True]
    assert [numbers(row) for row in lines(stage, 3) if row.code == MISSING] == [[1, 2]]


def test_rounds_all_known_are_looked_at_as_far_as_they_were_played(cup: Tournament) -> None:
    stage = factory.stage_of(cup)
    factory.play_round(factory.make_round_robin(factory.first_players(6), name="Other"), 5, [W] * 3)
    assert doubts_of(stage, today=today()) == []
    factory.play_round(cup, 1, [W, D])
    assert doubts_of(stage, today=today()) == []
    second = Game.objects.filter(pairing__round=factory.round_of(cup, 2)).order_by("pairing__board")
    record_result(game=second[0].pk, result=W, played_on=factory.MONDAY, by=None)
    for number in (1, 5):
        report_absence(cup.entries.get(number=number).pk, 3, by=None)
        CheckIn.objects.create(entry=cup.entries.get(number=number), on=today(), here=False)
    withdraw_entry(cup.entries.get(number=5).pk, by=None)
    assert Game.objects.filter(pairing__round__number__gt=2).exclude(result="").exists(), "forfeits of who left"
    missing = [row for row in doubts_of(stage, today=today()) if row.code == MISSING]
    left = [game.pairing.board for game in second if not game.result]
    assert [numbers(row) for row in missing] == ([left] if left else [])
    Game.objects.filter(pairing__round=factory.round_of(cup, 1), result=D).update(result=Result.ADJOURNED)
    found = {row.code: row for row in doubts_of(stage, today=today())}
    assert not any("pair anyway" in row.remedy for row in found.values()), "nobody is paired here"
    assert (numbers(found[ADJOURNED]), people(found[AWAY]), people(found[NOTICE])) == ([2], [1], [1])
    assert list(found)[-2:] == [AWAY, NOTICE]


def test_the_rounds_of_a_round_robin_show_what_to_look_at(desk: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [W, D])
    assert "To look at" not in shown(desk, "rounds", cup.pk)
    Tournament.objects.update(second_reading="any")
    html = shown(desk, "rounds", cup.pk)
    assert "To look at" in html
    assert "2 results were not read a second time." in html


@pytest.mark.extended
def test_the_list_costs_the_same_for_many() -> None:
    costs = []
    for count in (4, 8):
        stage = make_league(count, name=f"League {count}")
        Tournament.objects.update(second_reading="any")
        play(pair_next_round(stage, by=None, publish=True), *[W] * (count // 2))
        stage = Stage.objects.select_related("tournament").get(pk=stage.pk)
        assert len(boards_of(Round.objects.get(stage=stage))) == Game.objects.filter(pairing__stage=stage).count()
        who = attendance(stage, 2)
        with CaptureQueriesContext(connection) as seen:
            checklist_of(stage, who, today=today())
        costs.append(len(seen))
    assert costs[0] == costs[1] <= 17, costs
