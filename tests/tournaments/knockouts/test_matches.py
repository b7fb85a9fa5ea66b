"""Knockouts played: who goes on, what follows a corrected result, rulings, extra games, and the ledger behind."""

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from players.models import AuditEvent
from players.privacy.rules import OFFICER
from players.refusals import Refused, Stale
from ratings.models import RatingList
from tests import databases
from tests.choosing import examples
from tests.factory import (
    MONDAY,
    make_arbiter,
    make_club,
    make_knockout,
    make_list,
    make_players,
    match_of,
    play_match,
    stage_of,
    told,
)
from tests.tournaments.knockouts.match_cases import (
    DRAW,
    LOSS,
    WIN,
    advanced,
    cup_of_four,
    entry_named,
    name_in,
    played_through,
    state_of,
)
from tournaments.corrections.selectors import corrections
from tournaments.corrections.services.changes import ResultChange
from tournaments.corrections.services.corrections import commit, preview
from tournaments.knockouts.selectors.match_reach import games_behind, matches_behind
from tournaments.knockouts.services.brackets import redraw_bracket
from tournaments.knockouts.services.matches import FOLLOW, KEEP, BracketMovesError, seats_of_match
from tournaments.knockouts.services.rulings import add_extra_games, rule_match, take_ruling_back
from tournaments.models import Game, Pairing, Tournament
from tournaments.rated_games.selectors.exported import exported_games, left_out
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


def ledger_is_a_fresh_replay() -> bool:
    return not any(check_list(rating_list) for rating_list in RatingList.objects.all())


@pytest.fixture(scope="module", autouse=True)
def lists(world: None) -> None:
    make_list()
    make_list("rapid", pool="rapid", primary=False)


@pytest.mark.extended
def test_the_winner_takes_his_place_in_the_next_match_and_the_losers_meet_for_third_place() -> None:
    cup = cup_of_four(third_place=True)
    semi, final, third = match_of(cup, 1, 1), match_of(cup, 2, 1), match_of(cup, 2, 2)
    play_match(semi, WIN)
    assert advanced(semi) == "Ada"
    assert [name_in(final, 1), name_in(final, 2)] == ["Ada", "–"]
    assert not Game.objects.filter(pairing=final).exists(), "the other one is still to come"
    play_match(match_of(cup, 1, 2), WIN)
    assert {name_in(third, 1), name_in(third, 2)} == {"Dag", "Cleo"}
    assert Game.objects.filter(pairing=final).count() == 1
    play_match(final, LOSS)
    assert advanced(final) == name_in(final, 2)


def test_a_match_of_two_games_makes_its_second_game_and_stops_when_it_is_decided() -> None:
    semi = match_of(cup_of_four(games=2), 1, 1)
    play_match(semi, WIN)
    games = list(Game.objects.filter(pairing=semi).order_by("number"))
    assert len(games) == 2
    assert games[0].white_id == games[1].black_id, "colours alternate"
    assert advanced(semi) == "–"
    play_match(semi, DRAW)
    assert advanced(semi) == "Ada"
    assert Game.objects.filter(pairing=semi).count() == 2


def test_extra_games_count_in_the_list_of_their_pool_only() -> None:
    semi = match_of(cup_of_four(extra="rapid2 blitz2 armageddon1"), 1, 1)
    play_match(semi, DRAW)
    rapid = Game.objects.get(pairing=semi, number=2)
    assert (rapid.phase, rapid.pool) == ("rapid", "rapid")
    play_match(semi, WIN)
    play_match(semi, DRAW)
    assert advanced(semi) == "Ada"
    games = {row.slug: row.ratings.filter(games__gt=0).count() for row in RatingList.objects.all()}
    assert games == {"standard": 2, "rapid": 2}
    assert ledger_is_a_fresh_replay()


def test_black_goes_on_after_a_draw_in_armageddon_and_the_score_stays_even() -> None:
    semi = match_of(cup_of_four(extra="armageddon1"), 1, 1)
    play_match(semi, DRAW)
    game = play_match(semi, DRAW)
    assert semi.stage.tournament.entries.get(player=game.black).player.name.startswith(advanced(semi))
    state = state_of(semi)
    assert state.upper == state.lower
    assert game.pool == "armageddon"


@pytest.mark.extended
def test_a_corrected_result_sends_the_other_one_on_while_the_next_match_is_open() -> None:
    cup = cup_of_four()
    semi, final = match_of(cup, 1, 1), match_of(cup, 2, 1)
    game = play_match(semi, WIN)
    play_match(match_of(cup, 1, 2), WIN)
    correct_result(game=game.pk, result=LOSS, by=None)
    assert (advanced(semi), name_in(final, 1)) == ("Dag", "Dag")
    open_game = Game.objects.get(pairing=final)
    assert entry_named(cup, "Dag").player_id in (open_game.white_id, open_game.black_id)
    correct_result(game=game.pk, result=Result.OPEN, by=None)
    assert (advanced(semi), name_in(final, 1)) == ("–", "–")
    assert not Game.objects.filter(pairing=final).exists()


@pytest.mark.extended
def test_where_the_next_match_was_played_the_arbiter_is_asked_and_it_may_follow() -> None:
    """What was played by the wrong one is cleared."""
    cup, game = played_through()
    final = match_of(cup, 2, 1)
    assert [row.pairing_id for row in games_behind(game)] == [final.pk], "the other semi-final stands apart"
    with pytest.raises(BracketMovesError) as asked:
        correct_result(game=game.pk, result=LOSS, by=None)
    assert [row.pairing_id for row in asked.value.games] == [final.pk]
    game.refresh_from_db()
    assert game.result == WIN, "nothing is changed before he decides"
    correct_result(game=game.pk, result=LOSS, by=None, bracket=FOLLOW)
    assert (name_in(final, 1), advanced(final)) == ("Dag", "–")
    assert list(Game.objects.filter(pairing=final).values_list("result", flat=True)) == [""]
    gone = AuditEvent.objects.get(action="game.removed")
    assert gone.before["result"] in (WIN, LOSS)
    assert ledger_is_a_fresh_replay()


def test_behind_a_match_are_all_that_hang_on_it_each_once() -> None:
    cup = make_knockout(make_players(8), third_place=True)
    for number, board in (*((1, board) for board in range(1, 5)), (2, 1), (2, 2), (3, 1), (3, 2)):
        play_match(match_of(cup, number, board), WIN)
    behind = [match_of(cup, *place) for place in ((2, 1), (3, 1), (3, 2))]
    assert matches_behind(match_of(cup, 1, 1)) == behind
    cup = make_knockout(make_players(4), system="double-elimination")
    for number, board in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (4, 1)):
        play_match(match_of(cup, number, board), WIN)
    behind = [match_of(cup, *place) for place in ((2, 1), (3, 1), (4, 1), (2, 2))]
    assert matches_behind(match_of(cup, 1, 1)) == behind


@pytest.mark.extended
def test_keeping_corrects_the_result_and_lets_the_bracket_stand() -> None:
    cup, game = played_through()
    correct_result(game=game.pk, result=LOSS, by=None, bracket=KEEP)
    semi = match_of(cup, 1, 1)
    assert (advanced(semi), semi.ruled) == ("Ada", True)
    assert list(Pairing.objects.filter(ruled=True)) == [semi], "every other match goes by its games"
    assert advanced(match_of(cup, 2, 1)) != "–"
    assert ledger_is_a_fresh_replay()


@pytest.mark.extended
def test_the_preview_is_carried_out_at_once_and_stale_once_the_final_has_moved() -> None:
    for bracket in (FOLLOW, KEEP):
        cup, game = played_through()
        change = ResultChange(game.pk, LOSS)
        with pytest.raises(BracketMovesError):
            preview(change, by=None)
        shown = preview(change, by=None, bracket=bracket)
        final = Game.objects.get(pairing=match_of(cup, 2, 1))
        before = Result(final.result)
        correct_result(game=final.pk, result=DRAW, by=None)
        with pytest.raises(Stale):
            commit(change, shown.seen, reason="entry-error", by=None, bracket=bracket)
        correct_result(game=final.pk, result=before, by=None)
        shown = preview(change, by=None, bracket=bracket)
        done = commit(change, shown.seen, reason="entry-error", by=None, bracket=bracket)
        assert not hasattr(done, "kind"), "carried out at once"
        assert ledger_is_a_fresh_replay()


def test_what_was_played_after_the_decision_stays_in_the_books_unrated() -> None:
    semi = match_of(cup_of_four(games=3), 1, 1)
    first = play_match(semi, WIN)
    play_match(semi, LOSS)
    third = play_match(semi, WIN)
    second = Game.objects.get(pairing=semi, number=2)
    correct_result(game=second.pk, result=WIN if second.white_id == first.white_id else LOSS, by=None)
    third.refresh_from_db()
    assert third.surplus
    assert advanced(semi) == "Ada"
    assert ledger_is_a_fresh_replay()
    assert (len(list(exported_games("standard"))), left_out("standard")) == (2, 1), "and in no file of rated games"
    correct_result(game=second.pk, result=DRAW, by=None)
    third.refresh_from_db()
    assert not third.surplus
    assert ledger_is_a_fresh_replay()


def test_a_game_that_a_correction_makes_needless_goes_while_it_is_open() -> None:
    semi = match_of(cup_of_four(games=3), 1, 1)
    play_match(semi, WIN)
    second = play_match(semi, LOSS)
    assert semi.games.count() == 3
    correct_result(game=second.pk, result=LOSS if second.result == WIN else WIN, by=None)
    assert (advanced(semi), semi.games.count()) == ("Ada", 2)


# --- rulings ------------------------------------------------------------------------------------------------------
def test_a_walk_over_sends_on_without_a_game_until_it_is_taken_back() -> None:
    cup = cup_of_four()
    semi, final = match_of(cup, 1, 1), match_of(cup, 2, 1)
    rule_match(semi.pk, advanced=entry_named(cup, "Dag").pk, walk_over=True, by=None, reason="other")
    semi.refresh_from_db()
    assert (advanced(semi), semi.walk_over, semi.ruled) == ("Dag", True, True)
    assert name_in(final, 1) == "Dag"
    assert not Game.objects.filter(pairing=semi).exists()
    take_ruling_back(semi.pk, by=(officer := make_arbiter()))
    line = told("match.ruling_taken_back", semi, officer)
    assert (line.before["ruled"], line.after["ruled"]) == (True, False)
    assert (advanced(semi), name_in(final, 1)) == ("–", "–")
    assert Game.objects.get(pairing=semi).result == ""
    with pytest.raises(Refused, match="Nothing was ruled"):
        take_ruling_back(semi.pk, by=None)


def test_who_withdrew_before_the_opponent_was_known_loses_by_walk_over_and_is_not_drawn_again() -> None:
    cup = cup_of_four()
    cup.entries.filter(player__name__startswith="Bo").update(withdrawn=True)
    redraw_bracket(stage_of(cup), by=None, reason="other")
    names = {name_in(match_of(cup, 1, board), line) for board in (1, 2) for line in (1, 2)}
    assert names == {"Ada", "Cleo", "Dag", "–"}, "who withdrew before the draw is not drawn"
    other = cup_of_four()
    play_match(match_of(other, 1, 1), WIN)
    other.entries.filter(player__name__startswith="Ada").update(withdrawn=True)
    play_match(match_of(other, 1, 2), WIN)
    final = match_of(other, 2, 1)
    assert (advanced(final), final.walk_over) == ("Bo", True)
    assert not Game.objects.filter(pairing=final).exists()


def test_a_drawn_match_may_be_decided_by_lot_for_one_of_the_two_and_only_as_it_stands() -> None:
    cup = cup_of_four()
    semi, dag = match_of(cup, 1, 1), entry_named(cup, "Dag")
    with pytest.raises(Refused, match="one of the two"):
        rule_match(semi.pk, advanced=entry_named(cup, "Bo").pk, by=None)
    play_match(semi, DRAW)
    assert advanced(semi) == "–"
    rule_match(semi.pk, advanced=dag.pk, by=None)
    assert advanced(semi) == "Dag"
    with pytest.raises(Stale):
        rule_match(semi.pk, advanced=entry_named(cup, "Ada").pk, by=None, knew=0)
    with pytest.raises(Stale):
        take_ruling_back(semi.pk, by=None, knew=0)
    assert (state_of(semi).upper, state_of(semi).lower) == (1, 1), "the score stays"
    for match in (semi, match_of(cup, 2, 1)):
        with pytest.raises(Refused, match="decided, or waits for its players"):
            add_extra_games(match.pk, phase="rapid", by=None)


def test_a_ruling_against_a_played_next_match_asks_too() -> None:
    cup, _game = played_through()
    semi = match_of(cup, 1, 1)
    with pytest.raises(BracketMovesError):
        rule_match(semi.pk, advanced=entry_named(cup, "Dag").pk, by=None)
    rule_match(semi.pk, advanced=entry_named(cup, "Dag").pk, by=None, bracket=FOLLOW)
    assert name_in(match_of(cup, 2, 1), 1) == "Dag"
    assert ledger_is_a_fresh_replay()
    ruling = AuditEvent.objects.get(action="match.ruled")
    numbers = {side: entry_named(cup, name).player.number for side, name in (("white", "Ada"), ("black", "Dag"))}
    assert ruling.before | numbers == ruling.before
    assert ruling.effect["standard"]["players"] == 2, "the public list of corrections tells what it moved"
    assert [row.action for row in corrections(OFFICER)] == ["match.ruled", "game.removed"]
    make_club()
    html = Client().get("/ratings/corrections/").content.decode()
    assert "decided by the arbiter" in html
    assert "stands with the correction of the match before it" in html


def test_the_arbiter_adds_extra_games_where_the_settings_leave_them_to_him() -> None:
    semi = match_of(cup_of_four(), 1, 1)
    with pytest.raises(Refused, match="still open"):
        add_extra_games(semi.pk, phase="rapid", by=None)
    play_match(semi, DRAW)
    for phase, games in (("chess", 1), ("rapid", 0), ("rapid", 10), ("armageddon", 2)):
        with pytest.raises(Refused, match="Choose a kind"):
            add_extra_games(semi.pk, phase=phase, games=games, by=None)
    made = add_extra_games(semi.pk, phase="rapid", games=2, by=(officer := make_arbiter()))
    assert told("match.extra_games", semi, officer).after == {"phase": "rapid", "games": 2}
    assert [game.number for game in made] == [2, 3]
    assert made[0].white_id != made[1].white_id
    record_result(game=made[0].pk, result=WIN, played_on=MONDAY, by=None)
    record_result(game=made[1].pk, result=DRAW, played_on=MONDAY, by=None)
    assert advanced(semi) != "–"
    with pytest.raises(Refused, match="decided"):
        add_extra_games(semi.pk, phase="blitz", by=None)


STEPS = st.lists(
    st.tuples(st.integers(0, 30), st.sampled_from([WIN, DRAW, LOSS, Result.OPEN])), min_size=4, max_size=14
)


@pytest.mark.extended
@examples(20)
@given(count=st.integers(3, 8), games=st.integers(1, 2), steps=STEPS)
def test_changing_any_result_keeps_the_bracket_consistent(
    count: int, games: int, steps: list[tuple[int, Result]]
) -> None:
    with databases.rolled_back():
        cup = make_knockout(make_players(count), games=games, extra="blitz1", third_place=True)
        for which, result in steps:
            rows = list(Game.objects.filter(tournament=cup).order_by("pk"))
            game = rows[which % len(rows)]
            if game.result and game.result != result:
                correct_result(game=game.pk, result=result, by=None, bracket=FOLLOW)
            elif not game.result and result:
                record_result(game=game.pk, result=result, played_on=MONDAY, by=None)
        assert_consistent(cup)
        assert ledger_is_a_fresh_replay()


def assert_consistent(cup: Tournament) -> None:
    for match in Pairing.objects.filter(stage=stage_of(cup), superseded=False):
        seats = seats_of_match(match)
        assert set(seats) <= {1, 2}
        assert match.advanced_id is None or match.advanced_id in {seat.entry_id for seat in seats.values()}
        fed = {row.advanced_id for row in match.winners_from.all()} - {None}
        assert match.winners_from.count() == 0 or {seat.entry_id for seat in seats.values()} == fed
        for game in match.games.all():
            assert {game.white_id, game.black_id} == {seat.entry.player_id for seat in seats.values()}
        if match.bye == "":
            winner = state_of(match).winner
            assert match.advanced_id == (seats[winner].entry_id if winner else None)
