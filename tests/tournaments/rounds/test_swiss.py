"""A Swiss at the club: byes, absences, leavers and late ones, boards set by hand, and rounds that cannot be paired."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from players.models import Player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.choosing import examples
from tests.databases import rolled_back
from tests.tournaments.admin_pages import fields_of, shown, url
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.rounds.round_cases import boards_of, byes_of, entries, entry, play
from tests.tournaments.swiss_events import BLACK, DRAW, WHITE, make_swiss, play_rounds, rate
from tournaments.entries.services.late import enter_late
from tournaments.entries.services.prohibited import prohibit
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import ByeKind, Entry, Game, ProhibitedPair, Round, Seat, Stage, Tournament
from tournaments.pairing.dutch.system import Dutch
from tournaments.presence.services import request_bye
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import record_result
from tournaments.rounds.selectors.field import attendance, pairing_field
from tournaments.rounds.services.next_round import pair_next_round, propose_round
from tournaments.rounds.services.rounds import delete_round
from tournaments.standings.crosstable import Bye
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import return_entry, withdraw_entry

pytestmark = pytest.mark.django_db


standard = club_and_list


@pytest.fixture(scope="module")
def cast(standard: RatingList) -> list[Player]:
    """Ten players rated 2100 … 1200."""
    players = factory.make_players(10)
    rate(standard, players, *range(2100, 1100, -100))
    return players


@pytest.fixture
def eight(cast: list[Player]) -> Stage:
    return make_swiss(cast[:8])


# --- the rounds ---------------------------------------------------------------------------------------------------
def test_the_upper_half_meets_the_lower_and_number_1_begins_with_the_colour_of_the_settings(cast: list[Player]) -> None:
    for colour, boards in (("white", [(1, 5), (6, 2), (3, 7), (8, 4)]), ("black", [(5, 1), (2, 6), (7, 3), (4, 8)])):
        stage = make_swiss(cast[:8], first_colour=colour, name=colour)
        row = pair_next_round(stage, by=None)
        assert boards_of(row) == boards
        delete_round(row.pk, by=None)
        assert boards_of(pair_next_round(stage, by=None)) == boards, "a draft is taken back and made anew"


def test_winners_meet_and_every_result_is_rated(eight: Stage, standard: RatingList) -> None:
    play_rounds(eight, 1, WHITE, BLACK, WHITE, BLACK)
    row = pair_next_round(eight, by=None)
    assert {number for board in boards_of(row)[:2] for number in board} == {1, 2, 3, 4}
    assert check_list(standard) == []


@pytest.mark.parametrize(("starts", "edition"), [("2026-01-31", 2025), ("2026-02-01", 2026)])
def test_the_edition_is_that_of_the_first_day(cast: list[Player], starts: str, edition: int) -> None:
    day = factory.MONDAY.fromisoformat(starts)
    cup = create_tournament(NewTournament("Open", pairing_system="dutch", starts_on=day), by=None)
    assert pairing_field(factory.stage_of(cup), 1, []).edition == cup.swiss_edition == edition


def test_the_field_has_the_events_points(eight: Stage) -> None:
    Tournament.objects.update(allocated_bye="draw", point_system="football")
    stage = Stage.objects.select_related("tournament").get()
    points = pairing_field(stage, 1, []).points
    assert (points.key, points.win, points.allocated_bye) == ("football", 3, 1)


# --- byes and absences --------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_the_lowest_has_the_bye_worth_a_win_and_nobody_has_it_twice(cast: list[Player]) -> None:
    stage = make_swiss(cast[:9])
    request_bye(entry(stage, 2).pk, 4, ByeKind.HALF, by=None)
    rounds = play_rounds(stage, 3)
    assert byes_of(rounds[0]) == {9: "pab"}
    assert pairing_field(stage, 2, []).byes == (Bye(1, 9, 2, "pab"),)
    assert len({number for row in rounds for number in byes_of(row)}) == 3
    play_rounds(stage, 1)
    assert Bye(4, 2, 1, "half") in pairing_field(stage, 5, []).byes, "one asked for brings half a point"


def test_whoever_left_is_not_paired_and_may_return(eight: Stage) -> None:
    play_rounds(eight, 1)
    withdraw_entry(entry(eight, 3).pk, by=None)
    second = play_rounds(eight, 1)[0]
    assert not Seat.objects.filter(round=second, entry=entry(eight, 3)).exists()
    return_entry(entry(eight, 3).pk, by=None)
    third = pair_next_round(eight, by=None)
    assert Seat.objects.filter(round=third, entry=entry(eight, 3)).exists()


def test_missed_rounds_of_a_late_one_have_no_record(eight: Stage, cast: list[Player]) -> None:
    play_rounds(eight, 1)
    [late] = enter_late(eight.tournament, [cast[9]], by=None)
    field = pairing_field(eight, 2, [late.pk])
    assert late.number in field.players
    assert not any(bye.player == late.number for bye in field.byes)
    assert late.number not in pairing_field(eight, 1, []).players


# --- by hand, and impossible --------------------------------------------------------------------------------------


def test_what_cannot_be_paired_is_refused_with_reason_and_remedy(desk: Client, cast: list[Player]) -> None:
    stage = make_swiss(cast[:2])
    play_rounds(stage, 1)
    with pytest.raises(Refused, match=r"cannot be paired.*or pair the round by hand\."):
        pair_next_round(stage, by=None)
    assert Round.objects.count() == 1
    html = shown(desk, "next_round", stage.pk)
    assert "or pair the round by hand" in html
    assert "No boards to show." in html


def test_pairs_that_must_not_meet_can_make_it_impossible(cast: list[Player]) -> None:
    stage = make_swiss(cast[:4])
    prohibit(stage.tournament, entries(stage, 1, 2, 3), by=None)
    with pytest.raises(Refused, match="allow two to meet who were kept apart"):
        pair_next_round(stage, by=None)
    ProhibitedPair.objects.all().delete()
    assert len(boards_of(pair_next_round(stage, by=None))) == 2


# --- the engine is asked once -------------------------------------------------------------------------------------
@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rounds the engine paired, one for every time it was asked."""
    asked: list[int] = []
    pair = Dutch.pair_round

    def counted(self: Dutch, field: Any, chosen: Any) -> Any:
        asked.append(field.round)
        return pair(self, field, chosen)

    monkeypatch.setattr(Dutch, "pair_round", counted)
    return asked


@pytest.mark.extended
@pytest.mark.parametrize("button", ["draft", "publish"])
def test_what_was_shown_is_written_one_less_paired_anew(
    desk: Client, eight: Stage, solved: list[int], button: str
) -> None:
    form = fields_of(shown(desk, "next_round", eight.pk))
    less = form | {f"p-{entry(eight, 8).pk}": "zero", "do": "draft"}
    assert desk.post(url("next_round", eight.pk), less).status_code == 302
    assert solved == [1, 1]
    assert byes_of(Round.objects.get()) == {7: "pab", 8: "zero"}
    delete_round(Round.objects.get().pk, by=None)
    assert desk.post(url("next_round", eight.pk), form | {"do": button}).status_code == 302
    assert solved == [1, 1]
    assert boards_of(Round.objects.get()) == [(1, 5), (6, 2), (3, 7), (8, 4)]


@pytest.mark.extended
def test_a_result_that_came_meanwhile_is_paired_by(desk: Client, eight: Stage, solved: list[int]) -> None:
    row = pair_next_round(eight, by=None, publish=True)
    play(row, *[DRAW] * 3)
    last = Game.objects.get(pairing__round=row, pairing__board=4)
    look = {**fields_of(shown(desk, "next_round", eight.pk)), "pair_anyway": "on", "do": "look"}
    form = fields_of(desk.post(url("next_round", eight.pk), look).content.decode())
    record_result(game=last.pk, result=BLACK, played_on=factory.MONDAY, by=None)
    answer = desk.post(url("next_round", eight.pk), form | {"do": "publish", "pair_anyway": "on"})
    assert answer.status_code == 409
    assert "not the boards you looked at" in answer.content.decode()
    assert Round.objects.count() == 1


def test_a_seal_that_is_not_ours_is_nothing(eight: Stage, solved: list[int]) -> None:
    for seal in ("", "x", "WyJhIixbXV0:1abc:forged"):
        propose_round(eight, seal=seal)
    assert solved == [1, 1, 1]


def test_a_seal_names_nobody_and_holds_only_for_what_it_was_made_of(eight: Stage, solved: list[int]) -> None:
    seal = propose_round(eight).seal()
    assert not any(player.name in seal for player in Player.objects.all())
    assert propose_round(eight, seal=seal).boards == propose_round(eight).boards
    assert len(solved) == 2
    prohibit(eight.tournament, entries(eight, 1, 5), by=None)
    propose_round(eight, seal=seal)
    Tournament.objects.update(swiss_edition=2026)
    propose_round(Stage.objects.select_related("tournament").get(), seal=seal)
    eight.settings = {"rounds": 9}
    propose_round(eight, seal=seal)
    assert len(solved) == 5


# --- at the desk --------------------------------------------------------------------------------------------------
def test_the_sheet_tells_byes_asked_for_and_who_is_missing(desk: Client, eight: Stage) -> None:
    html = shown(desk, "next_round", eight.pk)
    assert "not here and will not be paired" not in html
    assert "Asked for a bye" not in html
    request_bye(entry(eight, 2).pk, 1, ByeKind.HALF, by=None)
    html = shown(desk, "next_round", eight.pk)
    assert "Asked for a bye in this round: Bo Brandt (half-point bye)" in " ".join(html.split())
    assert "1 player is not here" in html
    form = fields_of(html) | {f"p-{entry(eight, 8).pk}": "zero", "do": "look"}
    assert "2 players are not here" in desk.post(url("next_round", eight.pk), form).content.decode()


def test_a_late_entry_at_the_desk_says_what_will_happen(desk: Client, eight: Stage, cast: list[Player]) -> None:
    play_rounds(eight, 1)
    html = shown(desk, "entries", eight.tournament_id)
    assert "whoever stands below moves down" in html
    desk.post(url("entries", eight.tournament_id), {"do": "enter", "player": [cast[8].pk]})
    assert Entry.objects.get(player=cast[8]).number == 9


def test_numbers_are_sorted_and_ratings_corrected_at_the_desk_until_round_4(desk: Client, eight: Stage) -> None:
    play_rounds(eight, 1)
    event, key = eight.tournament_id, entry(eight, 8).pk
    assert 'name="rating" value="1400"' in shown(desk, "entry", key)
    assert desk.post(url("entry", key), {"do": "rating", "rating": "2050"}).status_code == 302
    assert "number is 2" in shown(desk, "entry", key)
    assert desk.post(url("entry", key), {"do": "rating", "rating": "x"}).status_code == 200
    assert Entry.objects.get(pk=key).rating == 2050
    Entry.objects.filter(pk=key).update(rating=2500.0)
    assert 'value="rating"' in shown(desk, "entries", event)
    desk.post(url("entries", event), {"do": "rating"})
    assert entry(eight, 1).player.name == "Hana Hora"
    play_rounds(eight, 3)
    assert 'value="rating"' not in shown(desk, "entries", event)
    assert 'name="rating"' not in shown(desk, "entry", key)
    for address in (url("entries", event), url("entry", key)):
        assert "until round 4" in desk.post(address, {"do": "rating", "rating": "1000"}).content.decode()


def test_the_sheet_asks_as_much_for_forty_as_for_eight(desk: Client, eight: Stage, standard: RatingList) -> None:
    counts = []
    for stage in (eight, make_swiss(factory.make_players(40), name="Large")):
        with CaptureQueriesContext(connection) as queries:
            assert desk.get(url("next_round", stage.pk)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 40, counts


# --- whatever happens ---------------------------------------------------------------------------------------------
@pytest.mark.extended
@given(
    away=st.lists(st.sets(st.integers(1, 10), max_size=5), min_size=1, max_size=4),
    results=st.lists(st.sampled_from([WHITE, DRAW, BLACK, Result.WHITE_FORFEITS]), min_size=20, max_size=20),
)
@examples(10)
def test_the_rules_hold_on_every_evening(cast: list[Player], away: list[set[int]], results: list[Result]) -> None:
    """Whoever is missing, leaves or comes late: everybody who is there sits once, nobody has two byes for want of an
    opponent, nobody meets twice, and no round is made that the rules forbid."""
    with rolled_back():
        stage = Stage.objects.select_related("tournament").get(pk=make_swiss(cast).pk)
        played: set[frozenset[int]] = set()
        byes: list[int] = []
        for number, missing in enumerate(away):
            here = [entry(stage, one) for one in range(1, 11) if one not in missing]
            try:
                row = pair_next_round(stage, by=None, present=here, publish=True)
            except Refused:
                return
            boards = boards_of(row)
            seated = sorted(n for board in boards for n in board) + [n for n, k in byes_of(row).items() if k == "pab"]
            assert sorted(seated) == [one.number for one in here]
            codes = results[5 * number : 5 * number + len(boards)]
            play(row, *codes)
            over = [frozenset(b) for b, code in zip(boards, codes, strict=True) if code != Result.WHITE_FORFEITS]
            assert not played & set(over) | played & {frozenset(board) for board in boards}
            played |= set(over)
            byes += [one for one, kind in byes_of(row).items() if kind == "pab"]
        assert len(byes) == len(set(byes))
        assert len(attendance(stage, 9).entries) == 10
