"""The last risky action taken back: the facts are those before, and an offer that no longer holds is refused."""

from datetime import date

import pytest

from players.models import AuditEvent, Player
from players.refusals import Stale
from tests import factory
from tests.tournaments.undo import undo_cases
from tests.tournaments.undo.undo_cases import draft_of, facts, offered, take_back, taken_back
from tournaments.entries.services.late import enter_late
from tournaments.knockouts.services.brackets import redraw_bracket
from tournaments.knockouts.services.rulings import rule_match
from tournaments.models import Entry, Game, Pairing, Round, Stage, Tournament
from tournaments.results.services.results import correct_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import delete_round, delete_rounds, plan_round, publish_round, unpublish_round
from tournaments.standings.points import Result
from tournaments.undo.services.undo import last_undoable, undo, undo_at

pytestmark = pytest.mark.django_db


cast, under_way, swiss = undo_cases.cast, undo_cases.under_way, undo_cases.swiss


# --- rounds -------------------------------------------------------------------------------------------------------
def test_a_deleted_round_comes_back_with_its_boards_colours_byes_and_plan(swiss: Stage) -> None:
    plan_round(draft_of(swiss).pk, date(2026, 2, 3), by=None)
    for _turn in ("done", "done again"):
        with taken_back(swiss.tournament):
            delete_round(draft_of(swiss).pk, by=None)


def test_late_ones_come_again_in_the_round_they_were_to_come_to(swiss: Stage, cast: list[Player]) -> None:
    [late] = enter_late(swiss.tournament, cast[5:6], by=None)
    assert late.first_round == 3
    with taken_back(swiss.tournament):
        delete_round(draft_of(swiss).pk, by=None)
        late.refresh_from_db()
        assert late.first_round == 2


def test_all_rounds_of_a_round_robin_come_back_those_of_another_event_not(swiss: Stage, cast: list[Player]) -> None:
    cup = factory.make_round_robin(cast[:5])
    delete_round(draft_of(swiss).pk, by=None)
    assert last_undoable(cup) is None
    with taken_back(cup):
        delete_rounds(factory.stage_of(cup), by=None)
        assert not Round.objects.filter(stage__tournament=cup).exists()
    assert factory.play_round(cup, 1, [Result.DRAW, Result.WHITE_WINS])


def test_a_round_made_anew_meanwhile_keeps_the_old_one_away_a_corrected_result_does_not(swiss: Stage) -> None:
    before = Round.objects.count()
    delete_round(draft_of(swiss).pk, by=None)
    game = Game.objects.filter(result=Result.DRAW).get()
    correct_result(game=game.pk, result=Result.WHITE_WINS, by=None)
    take_back(swiss.tournament)
    assert Round.objects.count() == before
    delete_round(draft_of(swiss).pk, by=None)
    found = offered(swiss.tournament)
    pair_next_round(swiss, by=None)
    assert last_undoable(swiss.tournament) is None
    with pytest.raises(Stale):
        undo(found.event.pk, by=None, seen=found.seen)


def test_a_published_round_is_a_draft_again_and_one_out_of_sight_is_public(swiss: Stage) -> None:
    with taken_back(swiss.tournament):
        publish_round(draft_of(swiss).pk, by=None)
    publish_round(draft_of(swiss).pk, by=None)
    with taken_back(swiss.tournament):
        unpublish_round(draft_of(swiss).pk, reason="paired-wrongly", by=None)
    unpublish_round(draft_of(swiss).pk, reason="other", by=None)
    plan_round(draft_of(swiss).pk, date(2026, 2, 3), by=None)
    assert last_undoable(swiss.tournament) is None, "a draft changed since is published by hand"


def test_a_round_with_a_result_is_not_taken_out_of_sight_by_undo(swiss: Stage) -> None:
    publish_round(draft_of(swiss).pk, by=None)
    found = offered(swiss.tournament)
    factory.play_round(swiss.tournament, 2, [Result.DRAW, Result.DRAW])
    assert last_undoable(swiss.tournament) is None
    with pytest.raises(Stale):
        undo(found.event.pk, by=None, seen=found.seen)


def test_a_round_is_not_taken_out_of_sight_by_undo_behind_a_later_one_or_in_an_event_that_is_over(swiss: Stage) -> None:
    publish_round(draft_of(swiss).pk, by=None)
    found = offered(swiss.tournament).event
    for closed in (True, False):
        Tournament.objects.filter(pk=swiss.tournament_id).update(closed=closed)
        assert (undo_at(found) is None) is closed
    pair_next_round(swiss, by=None, pair_anyway=True)
    assert undo_at(found) is None


# --- one after another --------------------------------------------------------------------------------------------
def test_undone_makes_the_action_before_it_the_last(swiss: Stage) -> None:
    states = [facts()]
    publish_round(draft_of(swiss).pk, by=None)
    states.append(facts())
    unpublish_round(draft_of(swiss).pk, reason="other", by=None)
    states.append(facts())
    delete_round(draft_of(swiss).pk, by=None)
    actions = []
    for state in (states[2], states[1]):
        actions.append(take_back(swiss.tournament).action)
        assert facts() == state
    assert actions == ["round.deleted", "round.unpublished"]


def test_undoing_is_told_with_its_reason_and_what_is_undone_is_not_undone_again(swiss: Stage) -> None:
    arbiter = factory.make_arbiter()
    delete_round(draft_of(swiss).pk, by=arbiter)
    event = take_back(swiss.tournament, by=arbiter)
    found = AuditEvent.objects.get(action="round.deleted.undone")
    assert (found.actor, found.reason, found.after) == (arbiter, "undone", {"event": event.pk})
    assert undo_at(event) is None
    with pytest.raises(Stale):
        undo(event.pk, by=None, seen=f"{event.pk}-{event.after['stand']}")


def test_only_the_last_risky_action_is_taken_back(swiss: Stage) -> None:
    publish_round(draft_of(swiss).pk, by=None)
    older = offered(swiss.tournament)
    unpublish_round(draft_of(swiss).pk, reason="other", by=None)
    with pytest.raises(Stale):
        undo(older.event.pk, by=None, seen=older.seen)


# --- brackets -----------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_the_bracket_before_comes_back(cast: list[Player]) -> None:
    for count in (4, 6, 7):
        cup = factory.make_knockout(cast[:count], name=f"Cup of {count}", seeding="lots")
        with taken_back(cup):
            redraw_bracket(factory.stage_of(cup), by=None, reason="paired-wrongly", seed=99)
            assert Pairing.objects.filter(stage__tournament=cup, superseded=True).exists()
        factory.play_match(factory.match_of(cup, 1, 2), Result.WHITE_WINS)


def test_a_bracket_comes_back_after_it_was_drawn_for_fewer_or_more_but_not_one_that_was_begun(
    cast: list[Player],
) -> None:
    cup = factory.make_knockout(cast[:5])
    before = facts()
    Entry.objects.filter(tournament=cup, number=5).update(withdrawn=True)
    redraw_bracket(factory.stage_of(cup), by=None, reason="left")
    assert Round.objects.filter(stage__tournament=cup).count() == 2
    take_back(cup)
    Entry.objects.filter(tournament=cup, number=5).update(withdrawn=False)
    assert facts() == before
    Entry.objects.filter(tournament=cup, number=5).update(withdrawn=True)
    redraw_bracket(factory.stage_of(cup), by=None, reason="left")
    Entry.objects.filter(tournament=cup, number=5).update(withdrawn=False)
    redraw_bracket(factory.stage_of(cup), by=None, reason="other")
    assert Round.objects.filter(stage__tournament=cup).count() == 3
    take_back(cup)
    assert Round.objects.filter(stage__tournament=cup).count() == 2, "for more"
    played, ruled, fewer = (factory.make_knockout(cast[:4], name=name) for name in ("Played", "Ruled", "Fewer"))
    for cup in (played, ruled, fewer):
        redraw_bracket(factory.stage_of(cup), by=None, reason="other")
        assert last_undoable(cup) is not None
    factory.play_match(factory.match_of(played, 1, 1), Result.WHITE_WINS)
    match = factory.match_of(ruled, 1, 1)
    rule_match(match.pk, advanced=match.seats.get(line=1).entry_id, walk_over=True, by=None, reason="did-not-come")
    Entry.objects.filter(tournament=fewer, number=4).update(withdrawn=True)
    assert [last_undoable(cup) for cup in (played, ruled, fewer)] == [None] * 3
