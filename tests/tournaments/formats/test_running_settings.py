"""What may still change in a Swiss that is under way, and what a set number of rounds means."""

import pytest
from django.test import Client

from players.models import Player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, shown, url
from tests.tournaments.entries.entry_cases import club_and_list, events, make_event
from tests.tournaments.rounds.round_cases import entry, pairs
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.entries.services.late import enter_late
from tournaments.events.selectors.stages import round_limit
from tournaments.events.services.closing import close_event
from tournaments.events.services.events import change_settings, update_tournament
from tournaments.formats.services import change_running_settings, still_changeable
from tournaments.models import ByeKind, Round, Stage
from tournaments.presence.services import request_bye
from tournaments.rounds.services.by_hand import pair_by_hand
from tournaments.rounds.services.next_round import pair_next_round, propose_round

standard = club_and_list


@pytest.fixture(scope="module")
def cast(standard: RatingList) -> list[Player]:
    return factory.make_players(8)


@pytest.fixture(scope="module", autouse=True)
def swiss(cast: list[Player]) -> Stage:
    """Eight players, three rounds, of which one is played."""
    stage = make_swiss(cast, rounds=3)
    play_rounds(stage, 1)
    return stage


# --- the number of rounds -----------------------------------------------------------------------------------------
def test_no_round_is_made_beyond_the_last_until_there_are_more(swiss: Stage, cast: list[Player]) -> None:
    play_rounds(swiss, 2)
    for make in (
        lambda: propose_round(swiss),
        lambda: pair_next_round(swiss, by=None),
        lambda: pair_by_hand(swiss, pairs(swiss, (1, 2), (3, 4), (5, 6), (7, 8)), by=None),
    ):
        with pytest.raises(Refused, match="All 3 rounds are made: to have another, change the number of rounds first"):
            make()
    assert Round.objects.count() == 3
    extra = factory.make_players(9)[8:]
    with pytest.raises(Refused, match="nobody can come any more"):
        enter_late(swiss.tournament, extra, by=None)
    with pytest.raises(Refused, match="The event has 3 rounds"):
        request_bye(entry(swiss, 1).pk, 4, ByeKind.ZERO, by=None)
    stage = change_running_settings(swiss.pk, {"rounds": 4}, by=None)
    assert round_limit(stage) == 4
    assert pair_next_round(stage, by=None).number == 4
    [found] = events("stage.changed")
    assert (found.before["rounds"], found.after["rounds"]) == (3, 4)


def test_fewer_rounds_than_are_made_there_cannot_be(desk: Client, swiss: Stage) -> None:
    play_rounds(swiss, 1)
    change_running_settings(swiss.pk, {"rounds": 2}, by=None)
    with pytest.raises(Refused, match="2 rounds are made"):
        change_running_settings(swiss.pk, {"rounds": 1}, by=None)
    answer = desk.post(url("format", swiss.tournament_id), {"rounds": "1", "do": "save"})
    assert answer.status_code == 409
    assert "2 rounds are made" in answer.content.decode()


def test_a_half_point_bye_is_not_given_in_the_last_round(swiss: Stage) -> None:
    key = entry(swiss, 1).pk
    with pytest.raises(Refused, match="In the last rounds"):
        request_bye(key, 3, ByeKind.HALF, by=None)
    change_running_settings(swiss.pk, {"rounds": 4}, by=None)
    request_bye(key, 3, ByeKind.HALF, by=None)


def test_what_rounds_were_paired_by_stands_and_of_an_event_that_is_over_all(swiss: Stage) -> None:
    for rounds in (0, 31, "many", True):
        with pytest.raises(Refused, match="is no value of the setting"):
            change_running_settings(swiss.pk, {"rounds": rounds}, by=None)
    for settings in ({"first_colour": "black"}, {"acceleration": "baku"}):
        with pytest.raises(Refused, match="only their number can still change"):
            change_running_settings(swiss.pk, settings, by=None)
    change_running_settings(swiss.pk, {"rounds": 3, "first_colour": "white", "acceleration": "none"}, by=None)
    assert not events("stage.changed"), "saying again what holds changes nothing"
    swiss.refresh_from_db()
    assert swiss.settings == {"rounds": 3}
    close_event(swiss.tournament, by=None)
    with pytest.raises(Refused, match="open it again"):
        change_running_settings(swiss.pk, {"rounds": 9}, by=None)


# --- what is fixed ------------------------------------------------------------------------------------------------
def test_before_the_first_round_everything_can_change_in_other_formats_nothing_after_it(cast: list[Player]) -> None:
    stage = make_swiss(cast)
    changed = change_settings(stage.pk, {"rounds": 7, "first_colour": "black", "acceleration": "baku"}, by=None)
    assert changed.settings["first_colour"] == "black"
    stage = factory.stage_of(factory.make_round_robin(cast))
    assert still_changeable(stage) == ()
    with pytest.raises(Refused, match="delete them before you change the format"):
        change_running_settings(stage.pk, {"cycles": 2}, by=None)
    empty = make_event([], "dutch")
    with pytest.raises(Refused, match="cannot become each other"):
        update_tournament(empty.pk, {"pairing_system": "free"}, by=None)
    system = factory.stage_of(empty).pairing_system
    update_tournament(empty.pk, {"name": "Spring", "pairing_system": system}, by=None)
    assert set(events("tournament.changed")[0].after) == {"name"}, "the format that stands is no change"


def test_under_baku_the_number_changes_only_where_the_rounds_made_stay_right(cast: list[Player]) -> None:
    """Of five rounds three are accelerated, two of them with a point; of seven four, two with a point; of nine five,
    three with a point."""
    stage = make_swiss(cast, rounds=5, acceleration="baku")
    play_rounds(stage, 3)
    change_running_settings(stage.pk, {"rounds": 7}, by=None)
    with pytest.raises(Refused, match="Baku acceleration counts on the number of rounds"):
        change_running_settings(stage.pk, {"rounds": 9}, by=None)
    stage.refresh_from_db()
    assert stage.settings["rounds"] == 7


# --- at the desk --------------------------------------------------------------------------------------------------
def test_the_format_page_lets_the_number_of_rounds_change(desk: Client, swiss: Stage) -> None:
    html = shown(desk, "format", swiss.tournament_id)
    assert "only the number of rounds can still change" in html
    assert html.count("disabled") == 3
    form = fields_of(html) | {"rounds": "6", "first_colour": "black", "do": "save"}
    assert desk.post(url("format", swiss.tournament_id), form).status_code == 302
    swiss.refresh_from_db()
    assert (swiss.settings["rounds"], swiss.settings["first_colour"]) == (6, "white"), "what is fixed is not read"


@pytest.mark.extended
def test_the_desk_counts_the_rounds_where_their_number_is_set(desk: Client, swiss: Stage) -> None:
    change = f"/admin/tournaments/tournament/{swiss.tournament_id}/change/"
    assert "round 1 of 3" in desk.get(change).content.decode()
    assert "Round 1 of 3" in shown(desk, "rounds", swiss.tournament_id)
    assert "Round 2 of 3" in shown(desk, "next_round", swiss.pk)
    play_rounds(swiss, 2)
    html = shown(desk, "rounds", swiss.tournament_id)
    assert "All 3 rounds are made." in html
    assert "Make the next round" not in html
    assert "Make the next round" not in desk.get(change).content.decode()
    assert "change the number of rounds first" in shown(desk, "next_round", swiss.pk)
    Stage.objects.update(pairing_system="keizer", settings={})
    assert "Round 4</h1>" in shown(desk, "next_round", swiss.pk).replace("\n", "")
    assert "3 rounds" in desk.get(change).content.decode()
