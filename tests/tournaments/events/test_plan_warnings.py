"""A plan that does not fit together is told and not forbidden."""

from datetime import date, timedelta

import pytest
from django.test import Client

from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import shown, url
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.entries.services.entries import enter_players, number_by_rating
from tournaments.events.selectors.events import byes_too_late, rounds_outside
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.formats.services import change_running_settings
from tournaments.models import ByeRequest, Round, Stage, Tournament
from tournaments.presence.services import request_bye
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db


standard = club_and_list


@pytest.fixture
def swiss(standard: RatingList) -> Stage:
    """Seven rounds; somebody misses the fifth."""
    stage = make_swiss(factory.make_players(6), rounds=7)
    entry = stage.tournament.entries.order_by("number")[0]
    request_bye(entry.pk, round_number=5, kind="half", by=None)
    return Stage.objects.select_related("tournament").get(pk=stage.pk)


# --- days -------------------------------------------------------------------------------------------------------------
def test_rounds_before_the_first_day_and_after_the_last_are_outside() -> None:
    monday, week = factory.MONDAY, factory.MONDAY + timedelta(days=7)
    before, after = monday - timedelta(days=1), week + timedelta(days=1)
    days = (before, monday, week, after, None)
    rounds = [Round(number=number, planned_on=day) for number, day in enumerate(days, start=1)]
    for starts, ends, outside in ((monday, week, [1, 4]), (None, None, []), (None, week, [4]), (monday, None, [1])):
        found = rounds_outside(Tournament(starts_on=starts, ends_on=ends), rounds)
        assert [row.number for row in found] == outside


def test_the_rounds_page_says_so(desk: Client, cup: Tournament) -> None:
    assert "outside the event’s days" not in shown(desk, "rounds", cup.pk)
    Tournament.objects.update(ends_on=factory.MONDAY + timedelta(days=28))
    html = shown(desk, "rounds", cup.pk)
    assert html.count("outside the event’s days") == 0
    Round.objects.filter(number=5).update(planned_on=date(2026, 3, 1))
    text = "Round 5 is planned for 1 March 2026, outside the event’s days (5 January 2026 to 2 February 2026)."
    assert text in shown(desk, "rounds", cup.pk)


def test_an_event_of_one_day_has_its_rounds_on_one_day(desk: Client, standard: RatingList) -> None:
    players = factory.make_players(4)
    for name, last in (("Blitz", factory.MONDAY), ("League", None)):
        event = create_tournament(NewTournament(name, starts_on=factory.MONDAY, ends_on=last), by=None)
        enter_players(event, players, by=None)
        number_by_rating(factory.stage_of(event), by=None)
        wanted = "0" if last else "7"
        assert f'name="days_between" value="{wanted}"' in shown(desk, "rounds", event.pk)


# --- byes -------------------------------------------------------------------------------------------------------------
def late_byes() -> int:
    return len(byes_too_late(Stage.objects.select_related("tournament").get(tournament__name="Open")))


def test_fewer_rounds_leave_byes_behind(swiss: Stage) -> None:
    """With five rounds the fifth is the last, in which no half-point bye is given; with four it does not come."""
    other = make_swiss(factory.first_players(6), name="Other", rounds=9)
    request_bye(other.tournament.entries.order_by("number")[0].pk, round_number=8, kind="zero", by=None)
    found = []
    for rounds in (7, 6, 5, 4):
        change_running_settings(swiss.pk, {"rounds": rounds}, by=None)
        found.append(late_byes())
    assert found == [0, 0, 1, 1]
    ByeRequest.objects.update(kind="zero")
    change_running_settings(swiss.pk, {"rounds": 5}, by=None)
    assert late_byes() == 0, "a zero-point bye may be in the last round"


def test_both_pages_name_who_is_meant_and_who_has_left_asks_for_nothing(desk: Client, swiss: Stage) -> None:
    play_rounds(swiss, 1)
    entry = ByeRequest.objects.select_related("entry__player").get().entry
    form = {"do": "save", "rounds": "4", "first_colour": "w", "acceleration": ""}
    assert desk.post(url("format", swiss.tournament_id), form).status_code == 302
    sentence = f"A bye is asked for in round 5, where there is none any more: {entry.player.name}."
    for page in ("format", "rounds"):
        assert sentence in shown(desk, page, swiss.tournament_id)
    withdraw_entry(entry.pk, by=None)
    assert late_byes() == 0


def test_a_format_without_a_number_of_rounds_has_none_too_late(cup: Tournament) -> None:
    assert byes_too_late(factory.stage_of(cup)) == []
