"""Who leaves a round robin forfeits what is left, and gets it back by returning; nobody else is touched."""

from datetime import date

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from players.models import Player
from players.refusals import Refused, Stale
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tests.choosing import examples
from tests.tournaments.entries.entry_cases import club_and_list, entry_of, events, results_of
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.closing import close_event
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Game, LeaverRule, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.rounds import pair_all_rounds
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import leaving, return_entry, returning, withdraw_entry

pytestmark = pytest.mark.django_db


standard = club_and_list


@pytest.fixture(scope="module")
def players(standard: RatingList) -> list[Player]:
    return factory.make_players(6)


@pytest.fixture(scope="module")
def six(players: list[Player]) -> Tournament:
    """Six players, five rounds of three boards; two rounds are played."""
    cup = factory.make_round_robin(players)
    factory.play_round(cup, 1, [Result.WHITE_WINS] * 3)
    factory.play_round(cup, 2, [Result.DRAW] * 3)
    return cup


def game_of(cup: Tournament, one: int, other: int) -> Game:
    pair = {entry_of(cup, one).player_id, entry_of(cup, other).player_id}
    return next(game for game in Game.objects.filter(tournament=cup) if {game.white_id, game.black_id} == pair)


def own_game(cup: Tournament, number: int) -> Game:
    """The game of number 1 in that round."""
    player = entry_of(cup, 1).player_id
    games = Game.objects.filter(pairing__round=factory.round_of(cup, number))
    return next(game for game in games if player in (game.white_id, game.black_id))


# --- leaving ------------------------------------------------------------------------------------------------------
def test_what_is_left_is_forfeited_to_the_opponents_and_moves_no_rating(six: Tournament, standard: RatingList) -> None:
    before = list(LedgerEntry.objects.values_list("game", "white_after", "black_after"))
    found = leaving(entry_of(six, 1))
    assert (found.own.completed, found.own.scheduled, found.own.less_than_half) == (2, 5, True)
    assert [row.result for row in found.forfeits].count(Result.OPEN) == 0
    assert (len(found.forfeits), found.waiting) == (3, ())
    assert results_of(six, 1) == ["1", "½", ".", ".", "."], "looking changes nothing"
    withdraw_entry(entry_of(six, 1).pk, by=None, note="ill")
    assert results_of(six, 1) == ["1", "½", "−", "−", "−"]
    others = [mark for number in range(2, 7) for mark in results_of(six, number)]
    assert (set(others), others.count("+")) == ({"1", "½", "0", "+", "."}, 3)
    entry = entry_of(six, 1)
    assert (entry.withdrawn, entry.last_round) == (True, 2)
    games = Game.objects.filter(tournament=six, result__in=("+-", "-+"))
    assert {game.played_on for game in games} == {timezone.localdate()}
    [event] = events("entry.withdrawn")
    assert sorted(event.after["forfeits"]) == sorted([game.pk, game.revision] for game in games)
    assert (event.note, event.after["last_round"], event.subject_key) == ("ill", 2, entry.pk)
    assert list(LedgerEntry.objects.values_list("game", "white_after", "black_after")) == before
    assert check_list(standard) == []


def test_who_leaves_one_event_stays_in_another_and_wins_there(six: Tournament, players: list[Player]) -> None:
    other = factory.make_round_robin(players, name="Other Cup")
    for number in (2, 4):
        withdraw_entry(entry_of(other, number).pk, by=None)
    elsewhere = list(Game.objects.filter(tournament=other).order_by("pk").values())
    withdraw_entry(entry_of(six, 1).pk, by=None)
    assert results_of(six, 1) == ["1", "½", "−", "−", "−"]
    assert results_of(six, 4).count("+") == 1
    assert list(Game.objects.filter(tournament=other).order_by("pk").values()) == elsewhere


def test_two_who_leave_get_nothing_against_each_other_until_one_returns(six: Tournament) -> None:
    """1 and 4 would have met in round 4."""
    for number in (1, 4):
        withdraw_entry(entry_of(six, number).pk, by=None)
    assert game_of(six, 1, 4).result == Result.BOTH_FORFEIT
    return_entry(entry_of(six, 4).pk, by=(officer := factory.make_arbiter()))
    assert results_of(six, 4).count("+") == 1
    line = factory.told("entry.returned", entry_of(six, 4), officer)
    assert (line.before, len(line.after["forfeits"])) == ({"last_round": 2}, 3)
    return_entry(entry_of(six, 1).pk, by=None)
    assert game_of(six, 1, 4).result == Result.OPEN


def test_a_forfeit_won_while_still_there_is_kept(six: Tournament) -> None:
    withdraw_entry(entry_of(six, 1).pk, by=None)
    for number in (3, 4, 5):
        for game in Game.objects.filter(pairing__round=factory.round_of(six, number), result=""):
            record_result(game=game.pk, result=Result.DRAW, played_on=date(2026, 1, 20), by=None)
    for number, result in ((3, Result.BLACK_FORFEITS), (4, Result.WHITE_FORFEITS)):
        withdraw_entry(entry_of(six, number).pk, by=None)
        assert "+" in results_of(six, number)
        assert game_of(six, 1, number).result == result, "with either colour"


def test_an_adjourned_game_is_left_to_the_arbiter(six: Tournament) -> None:
    game = own_game(six, 3)
    record_result(game=game.pk, result=Result.ADJOURNED, played_on=factory.MONDAY, by=None)
    found = leaving(entry_of(six, 1))
    assert [row.pk for row in found.still_open] == [game.pk]
    withdraw_entry(entry_of(six, 1).pk, by=None)
    game.refresh_from_db()
    assert game.result == Result.ADJOURNED


def test_the_rule_for_leavers_can_be_chosen_with_it(six: Tournament) -> None:
    other = create_tournament(NewTournament("Other Cup"), by=None)
    withdraw_entry(entry_of(six, 1).pk, by=None, rule=LeaverRule.ALL)
    for cup, now in ((six, ("all", 1)), (other, ("fide", other.revision))):
        cup.refresh_from_db()
        assert (cup.leaver_rule, cup.revision) == now
    assert events("tournament.changed")[0].before == {"leaver_rule": "fide"}
    with pytest.raises(Refused, match="no such rule"):
        withdraw_entry(entry_of(six, 2).pk, by=None, rule="mine")
    assert not entry_of(six, 2).withdrawn


def test_an_armageddon_game_is_no_game_more_of_those_that_count(players: list[Player]) -> None:
    cup = factory.make_round_robin(players[:4], name="Armageddon Cup")
    Tournament.objects.filter(pk=cup.pk).update(point_system="armageddon")
    factory.play_round(cup, 1, [Result.DRAW] * 2)
    assert Game.objects.filter(tournament=cup, number=2).count() == 2
    own = leaving(entry_of(cup, 1)).own
    assert (own.completed, own.scheduled) == (1, 3)


# --- what is refused ----------------------------------------------------------------------------------------------
def test_nobody_leaves_twice_returns_without_leaving_or_leaves_an_event_that_is_over(six: Tournament) -> None:
    with pytest.raises(Refused, match="not in the tournament"):
        withdraw_entry(999_999, by=None)
    with pytest.raises(Refused, match="not withdrawn"):
        return_entry(entry_of(six, 1).pk, by=None)
    withdraw_entry(entry_of(six, 1).pk, by=None)
    with pytest.raises(Refused, match="withdrawn already"):
        withdraw_entry(entry_of(six, 1).pk, by=None)
    assert len(events("entry.withdrawn")) == 1
    for game in Game.objects.filter(tournament=six, result=""):
        record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    close_event(six, by=None)
    with pytest.raises(Refused, match="open it again"):
        withdraw_entry(entry_of(six, 2).pk, by=None)


def test_what_moved_since_is_looked_at_again_but_not_for_other_peoples_results(six: Tournament) -> None:
    seen = leaving(entry_of(six, 1)).seen
    factory.play_round(six, 3, [Result.DRAW] * 3)
    with pytest.raises(Stale, match="look at it again"):
        withdraw_entry(entry_of(six, 1).pk, by=None, seen=seen)
    seen = leaving(entry_of(six, 1)).seen
    other = Game.objects.filter(pairing__round=factory.round_of(six, 4)).exclude(pk=own_game(six, 4).pk)[0]
    record_result(game=other.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    withdraw_entry(entry_of(six, 1).pk, by=None, seen=seen)
    assert results_of(six, 1) == ["1", "½", "½", "−", "−"]


def test_nothing_is_forfeited_in_a_draft_and_before_there_are_rounds_an_entry_is_removed(players: list[Player]) -> None:
    cup = create_tournament(NewTournament("Drafted"), by=None)
    number_in_order(factory.stage_of(cup), enter_players(cup, players[:4], by=None), by=None)
    with pytest.raises(Refused, match="remove the entry from the list instead"):
        withdraw_entry(entry_of(cup, 1).pk, by=None)
    pair_all_rounds(factory.stage_of(cup), by=None, publish=False)
    assert "Round 1 is a draft" in leaving(entry_of(cup, 1)).problems[0]
    with pytest.raises(Refused, match="publish the rounds first"):
        withdraw_entry(entry_of(cup, 1).pk, by=None)
    assert not entry_of(cup, 1).withdrawn


# --- returning ----------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_returning_takes_exactly_the_forfeits_back_and_what_the_arbiter_touched_stays(six: Tournament) -> None:
    before = [results_of(six, number) for number in range(1, 7)]
    withdraw_entry(entry_of(six, 1).pk, by=None)
    assert len(returning(entry_of(six, 1)).forfeits) == 3
    return_entry(entry_of(six, 1).pk, by=None)
    assert [results_of(six, number) for number in range(1, 7)] == before
    entry = entry_of(six, 1)
    assert (entry.withdrawn, entry.last_round) == (False, None)
    withdraw_entry(entry_of(six, 1).pk, by=None)
    correct_result(game=own_game(six, 4).pk, result=Result.BOTH_FORFEIT, by=None)
    return_entry(entry_of(six, 1).pk, by=None)
    assert results_of(six, 1) == ["1", "½", ".", "−", "."]
    factory.play_round(six, 3, [Result.WHITE_FORFEITS] * 3)
    before = [results_of(six, 1)]
    withdraw_entry(entry_of(six, 1).pk, by=None)
    return_entry(entry_of(six, 1).pk, by=None)
    assert [results_of(six, 1)] == before, "a forfeit the arbiter entered before"


@pytest.fixture(scope="module")
def small_cup(players: list[Player]) -> int:
    cup = factory.make_round_robin(players[:5], name="Small Cup")
    factory.play_round(cup, 1, [Result.WHITE_WINS] * 2)
    return cup.pk


@pytest.mark.extended
@examples(25)
@given(st.lists(st.integers(1, 5), max_size=7))
def test_coming_and_going_leaves_no_trace(small_cup: int, moves: list[int]) -> None:
    """However often people leave and return in whatever order: once all are back, everything is as it was; and while
    somebody is away no game of that player is open."""
    with transaction.atomic():
        cup = Tournament.objects.get(pk=small_cup)
        before = [results_of(cup, number) for number in range(1, 6)]
        for number in moves:
            entry = entry_of(cup, number)
            (return_entry if entry.withdrawn else withdraw_entry)(entry.pk, by=None)
            for other in range(1, 6):
                assert not (entry_of(cup, other).withdrawn and "." in results_of(cup, other))
        for number in range(1, 6):
            if entry_of(cup, number).withdrawn:
                return_entry(entry_of(cup, number).pk, by=None)
        assert [results_of(cup, number) for number in range(1, 6)] == before
        transaction.set_rollback(True)
