"""What a random driver found in knockouts: half-played matches, rulings, numbers, brackets drawn again."""

import pytest

from players.models import AuditEvent
from players.refusals import Refused, Stale
from tests.factory import (
    MONDAY,
    first_players,
    make_knockout,
    make_list,
    make_players,
    make_round_robin,
    match_of,
    play_match,
    stage_of,
)
from tests.tournaments.knockouts.match_cases import DRAW, LOSS, WIN, advanced, cup_of_four, entry_named, played_through
from tournaments.corrections.services.changes import ResultChange
from tournaments.corrections.services.corrections import commit, preview
from tournaments.events.services.closing import close_event
from tournaments.knockouts.services.brackets import redraw_bracket
from tournaments.knockouts.services.matches import FOLLOW, KEEP, seats_of_match
from tournaments.knockouts.services.rulings import add_extra_games, rule_match, take_ruling_back
from tournaments.models import Game, Pairing, Round
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.rounds import delete_rounds, unpublish_round
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import return_entry, withdraw_entry

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def lists(world: None) -> None:
    make_list()


def test_a_bracket_with_a_half_played_match_or_a_ruling_is_not_drawn_again() -> None:
    cup = cup_of_four(games=3)
    game = play_match(match_of(cup, 1, 1), Result.BLACK_FORFEITS)
    with pytest.raises(Refused, match="were played"):
        redraw_bracket(stage_of(cup), by=None, reason="other")
    game.refresh_from_db()
    assert game.result
    cup = cup_of_four()
    match = match_of(cup, 1, 1)
    rule_match(match.pk, advanced=entry_named(cup, "Dag").pk, walk_over=True, by=None)
    for refused in (
        lambda: delete_rounds(stage_of(cup), by=None),
        lambda: redraw_bracket(stage_of(cup), by=None, reason="other"),
        lambda: unpublish_round(match.round_id or 0, reason="other", by=None),
    ):
        with pytest.raises(Refused):
            refused()


def test_a_game_cleared_ruled_past_and_played_after_all_takes_a_new_number() -> None:
    cup = cup_of_four(games=3)
    semi = match_of(cup, 1, 1)
    play_match(semi, WIN)
    second = play_match(semi, LOSS)
    play_match(semi, WIN)
    correct_result(game=second.pk, result=Result.OPEN, by=None)
    rule_match(semi.pk, advanced=entry_named(cup, "Ada").pk, by=None)
    take_ruling_back(semi.pk, by=None)
    assert list(Game.objects.filter(pairing=semi).order_by("number").values_list("number", flat=True)) == [1, 3]
    assert advanced(semi) == "Ada"
    third = Game.objects.get(pairing=semi, number=3)
    correct_result(game=third.pk, result=DRAW, by=None)
    made = Game.objects.get(pairing=semi, result="")
    assert (made.number, made.white_id) == (4, third.black_id)


def test_extra_games_take_numbers_after_the_last_one() -> None:
    semi = match_of(cup_of_four(), 1, 1)
    play_match(semi, DRAW)
    made = add_extra_games(semi.pk, phase="blitz", games=3, by=None)
    record_result(game=made[2].pk, result=DRAW, played_on=MONDAY, by=None)
    above = seats_of_match(semi)[1].entry.player_id
    for game in made[:2]:
        record_result(game=game.pk, result=WIN if game.white_id == above else LOSS, played_on=MONDAY, by=None)
    assert advanced(semi) == "Ada"
    for game in made[:2]:
        correct_result(game=game.pk, result=DRAW, by=None)
    again = add_extra_games(semi.pk, phase="blitz", games=1, by=None)
    assert again[0].number == 5


def test_nothing_is_ruled_before_the_other_is_known_and_where_neither_came_the_next_one_goes_on() -> None:
    cup = cup_of_four()
    play_match(match_of(cup, 1, 1), WIN)
    with pytest.raises(Refused, match="not known yet"):
        rule_match(match_of(cup, 2, 1).pk, advanced=entry_named(cup, "Ada").pk, by=None)
    play_match(match_of(cup, 1, 2), Result.BOTH_FORFEIT)
    final = match_of(cup, 2, 1)
    rule_match(final.pk, advanced=entry_named(cup, "Ada").pk, walk_over=True, by=None)
    assert advanced(final) == "Ada"
    assert not Game.objects.filter(pairing=final).exists()


def test_a_bracket_that_stays_leaves_no_open_game_behind_and_is_not_kept_by_a_ruling() -> None:
    cup, game = played_through(extra="blitz1")
    correct_result(game=game.pk, result=DRAW, by=None, bracket=KEEP)
    assert not Game.objects.filter(tournament=cup, result="").exists()
    close_event(cup, by=None)
    cup, _game = played_through()
    with pytest.raises(Refused, match="let it follow"):
        rule_match(match_of(cup, 1, 1).pk, advanced=entry_named(cup, "Dag").pk, by=None, bracket=KEEP)


def test_what_is_ruled_on_is_a_published_match_of_the_bracket_and_goes_to_somebody_who_is_there() -> None:
    cup = cup_of_four(extra="blitz1")
    semi, ada, dag = match_of(cup, 1, 1), entry_named(cup, "Ada"), entry_named(cup, "Dag")
    cup.entries.filter(pk=dag.pk).update(withdrawn=True)
    with pytest.raises(Refused, match="somebody who withdrew"):
        rule_match(semi.pk, advanced=dag.pk, walk_over=True, by=None)
    cup.entries.filter(pk=dag.pk).update(withdrawn=False)
    play_match(semi, DRAW)
    Game.objects.filter(pairing=semi, result="").delete()
    with pytest.raises(Refused, match="come by themselves"):
        add_extra_games(semi.pk, phase="rapid", by=None)
    old = cup_of_four()
    superseded = match_of(old, 1, 1)
    redraw_bracket(stage_of(old), by=None, reason="other")
    bye = Pairing.objects.exclude(bye="").get(stage=stage_of(make_knockout(first_players(3), name="Three")))
    board = match_of(make_round_robin(first_players(4)), 1, 1)
    for match in (superseded, bye, board):
        entry = match.seats.all()[0].entry_id
        with pytest.raises(Refused, match="no match of a bracket"):
            rule_match(match.pk, advanced=entry, by=None)
    Round.objects.filter(stage=stage_of(cup)).update(state=Round.State.DRAFT)
    with pytest.raises(Refused, match="Round 1 is a draft"):
        rule_match(semi.pk, advanced=ada.pk, by=None)
    assert advanced(semi) == "–"
    assert Game.objects.filter(pairing=semi).count() == 1


@pytest.mark.extended
def test_a_preview_is_stale_once_the_next_match_is_ruled_on() -> None:
    cup, game = played_through()
    change = ResultChange(game.pk, LOSS)
    shown = preview(change, by=None, bracket=FOLLOW)
    final = match_of(cup, 2, 1)
    other = next(seat.entry for seat in seats_of_match(final).values() if seat.entry_id != final.advanced_id)
    rule_match(final.pk, advanced=other.pk, by=None)
    with pytest.raises(Stale):
        commit(change, shown.seen, reason="entry-error", by=None, bracket=FOLLOW)


def test_a_walk_over_that_came_by_itself_is_in_the_trail_and_taken_back_by_a_return() -> None:
    cup = cup_of_four()
    play_match(match_of(cup, 1, 1), WIN)
    ada = entry_named(cup, "Ada")
    withdraw_entry(ada.pk, by=None)
    play_match(match_of(cup, 1, 2), WIN)
    final = match_of(cup, 2, 1)
    assert (advanced(final), final.walk_over) == ("Bo", True)
    assert AuditEvent.objects.filter(action="match.ruled", subject_key=final.pk).exists()
    return_entry(ada.pk, by=None)
    assert advanced(final) == "–"
    assert Game.objects.get(pairing=final).result == ""


def test_with_fewer_players_no_empty_round_is_left_and_with_more_one_is_added_as_public_as_the_others() -> None:
    make_players(5)
    cup, other = (make_knockout(first_players(5), name=name) for name in ("Cup", "Other Cup"))
    eva, rounds = cup.entries.filter(player__name__startswith="Eva"), stage_of(cup).rounds
    for state in (Round.State.PUBLISHED, Round.State.DRAFT):
        rounds.update(state=state)
        eva.update(withdrawn=True)
        redraw_bracket(stage_of(cup), by=None, reason="other")
        assert (rounds.count(), stage_of(other).rounds.count()) == (2, 3)
        eva.update(withdrawn=False)
        redraw_bracket(stage_of(cup), by=None, reason="other")
        assert list(rounds.values_list("state", flat=True)) == [state] * 3


def test_a_game_that_went_meanwhile_is_stale() -> None:
    cup, game = played_through()
    final = Game.objects.get(pairing=match_of(cup, 2, 1))
    correct_result(game=game.pk, result=LOSS, by=None, bracket=FOLLOW)
    for late in (
        lambda: record_result(game=final.pk, result=WIN, played_on=MONDAY, by=None),
        lambda: correct_result(game=final.pk, result=DRAW, by=None),
    ):
        with pytest.raises(Stale, match="not there any more"):
            late()
