"""Entries and events taken back: who left, who was removed, what was deleted or closed is as it was before."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import Model
from django.utils import timezone

from players.models import AuditEvent, Player
from players.people.services import delete_player
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from tests import databases, factory
from tests.tournaments.entries.entry_cases import prohibited_of
from tests.tournaments.undo import undo_cases
from tests.tournaments.undo.undo_cases import (
    draft_of,
    facts,
    make_swiss,
    offered,
    swiss_under_way,
    take_back,
    taken_back,
)
from tournaments.entries.services import entries as entries_service
from tournaments.entries.services.entries import enter_players, number_in_order, remove_entry
from tournaments.entries.services.late import enter_late, remove_late
from tournaments.entries.services.prohibited import allow, prohibit
from tournaments.events.services import events as events_service
from tournaments.events.services.closing import close_event, reopen_event
from tournaments.events.services.events import NewTournament, create_tournament, delete_tournament, open_event
from tournaments.free_play.services import record_free_game
from tournaments.knockouts.services.brackets import redraw_bracket
from tournaments.merging.services import merge_players
from tournaments.models import (
    AbsenceNotice,
    ByeRequest,
    Challenge,
    CheckIn,
    Entry,
    EntryMember,
    Game,
    LineUp,
    LineUpPlace,
    ProhibitedPair,
    Reading,
    Round,
    Stage,
    StageEntry,
    Team,
    TeamMatch,
    TeamPlayer,
    Tournament,
)
from tournaments.presence.services import check_in, report_absence, request_bye
from tournaments.prizes.services import Fund, NewPrize, set_prizes
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import delete_round, delete_rounds, publish_round, unpublish_round
from tournaments.standings.points import Result
from tournaments.undo.services.snapshots import column_in, image_of_entry, image_of_event, image_of_rounds, stand_of
from tournaments.undo.services.undo import UNDOABLE, Undo, event_of, last_undoable, undo, undo_at
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db


cast = undo_cases.cast


@pytest.fixture
def swiss(cast: list[Player]) -> Stage:
    """Five players and two who may come late."""
    return swiss_under_way(cast[:5])


# --- entries ------------------------------------------------------------------------------------------------------
def test_who_was_withdrawn_plays_on_and_a_walk_over_is_a_match_again(cast: list[Player]) -> None:
    cup = factory.make_round_robin(cast[:5])
    factory.play_round(cup, 1, [Result.DRAW, Result.WHITE_WINS])
    with taken_back(cup):
        withdraw_entry(Entry.objects.get(number=2).pk, by=None, rule="all")
        assert Game.objects.exclude(result="").count() > 2
    knockout = factory.make_knockout(cast[:4])
    with taken_back(knockout):
        withdraw_entry(Entry.objects.get(tournament=knockout, number=1).pk, by=None)
        assert AuditEvent.objects.get(action="match.ruled").reason == AuditEvent.Reason.LEFT


@pytest.mark.extended
def test_a_game_the_arbiter_changed_or_opened_keeps_the_player_out(cast: list[Player]) -> None:
    cup = factory.make_round_robin(cast[:4])
    withdraw_entry(Entry.objects.get(number=2).pk, by=None)
    game = Game.objects.exclude(result="")[0]
    correct_result(game=game.pk, result=Result.BOTH_FORFEIT, by=None)
    assert last_undoable(cup) is None
    cup = factory.make_round_robin(cast[:4], name="Opened")
    [first, second, *_others] = Entry.objects.filter(tournament=cup).order_by("number")
    withdraw_entry(second.pk, by=None)
    players = (first.player_id, second.player_id)
    game = Game.objects.get(tournament=cup, white__in=players, black__in=players)
    correct_result(game=game.pk, result=Result.OPEN, by=None)
    withdraw_entry(first.pk, by=None)
    assert last_undoable(cup) is None, "whoever returns would win it"


OTHERWISE = [(Tournament, {"leaver_rule": "all"}), (Tournament, {"closed": True}), (Entry, {"last_round": 2})]


@pytest.mark.parametrize(("table", "change"), OTHERWISE)
def test_a_leaver_stays_out_where_what_leaving_decided_is_otherwise(
    cast: list[Player], table: type[Model], change: dict[str, Any]
) -> None:
    cup = factory.make_round_robin(cast[:4])
    withdraw_entry(Entry.objects.get(number=2).pk, by=None)
    assert last_undoable(cup) is not None
    table._default_manager.update(**change)
    assert last_undoable(cup) is None


def test_a_removed_entry_comes_back_with_all_that_was_asked_for_it(cast: list[Player]) -> None:
    cup = create_tournament(NewTournament("Open", pairing_system="dutch", settings={"rounds": 5}), by=None)
    entries = enter_players(cup, cast[:4], by=None)
    number_in_order(factory.stage_of(cup), entries, by=None)
    request_bye(entries[1].pk, 2, "half", by=None)
    prohibit(cup, entries[:2], by=None)
    with taken_back(cup):
        remove_entry(entries[1].pk, by=None)


def test_on_a_ladder_those_below_move_down_again_and_a_late_entry_comes_again(swiss: Stage, cast: list[Player]) -> None:
    late = enter_late(swiss.tournament, cast[5:7], by=None)
    with taken_back(swiss.tournament):
        remove_late(late[0].pk, by=None)
    ladder = create_tournament(NewTournament("Ladder", pairing_system="ladder"), by=None)
    entries = enter_players(ladder, cast, by=None)
    with taken_back(ladder):
        remove_entry(entries[2].pk, by=None)
        numbers = Entry.objects.filter(tournament=ladder).order_by("number").values_list("number", flat=True)
        assert list(numbers) == [1, 2, 3, 4, 5, 6]


def test_an_entry_does_not_come_back_beside_somebody_new_or_without_its_player(cast: list[Player]) -> None:
    for name in ("Open", "Merged", "Closed"):
        cup = create_tournament(NewTournament(name), by=None)
        [gone] = enter_players(cup, cast[:1], by=None)
        remove_entry(gone.pk, by=None)
        assert last_undoable(cup) is not None
        if name == "Open":
            enter_players(cup, cast[4:5], by=None)
        elif name == "Merged":
            with databases.rolled_back():
                merge_players(keep=cast[1].pk, gone=cast[0].pk, by=None, reason="duplicate")
                assert last_undoable(cup) is None, name
            continue
        else:
            delete_player(cast[0].pk, by=None)
        assert last_undoable(cup) is None, name


def test_what_is_kept_of_an_entry_is_its_own(swiss: Stage) -> None:
    one, two, three, four = Entry.objects.filter(tournament=swiss.tournament).order_by("pk")[:4]
    team = Team.objects.create(tournament=swiss.tournament, number=1, name="Rooks")
    match = TeamMatch.objects.create(round=draft_of(swiss), number=1, home=team)
    line_up = LineUp.objects.create(match=match, team=team, handed_in_at=timezone.now())
    images = []
    for place, (entry, other) in enumerate(((one, three), (two, four)), start=1):
        own = {"tournament": swiss.tournament, "entry": entry}
        EntryMember.objects.create(**own, player=other.player, order=place)
        StageEntry.objects.create(stage=swiss, entry=entry, number=place)
        ByeRequest.objects.create(entry=entry, round_number=9, kind="zero")
        CheckIn.objects.create(entry=entry, on=factory.MONDAY, here=True)
        AbsenceNotice.objects.create(entry=entry, round_number=9)
        ProhibitedPair.objects.create(tournament=swiss.tournament, first=entry, second=other)
        days = {"made_on": factory.MONDAY, "answer_by": factory.MONDAY}
        Challenge.objects.create(tournament=swiss.tournament, challenger=other, challenged=entry, **days)
        player = TeamPlayer.objects.create(team=team, entry=entry, place=place)
        LineUpPlace.objects.create(line_up=line_up, board=place, player=player)
        images.append(image_of_entry(one.pk))
    assert images[0] == images[1]
    assert {len(rows["rows"]) for rows in images[0].values()} == {1}
    assert len(images[0]) == 10, "one row of every table that tells of an entry"


# --- events -------------------------------------------------------------------------------------------------------
def deletion() -> AuditEvent:
    return AuditEvent.objects.filter(action="tournament.deleted")[0]


def test_a_deleted_event_comes_back_with_everything_and_keeps_no_name_of_anybody(cast: list[Player]) -> None:
    cup = factory.make_round_robin(cast[:5])
    Tournament.objects.filter(pk=cup.pk).update(foreign_records="102 Ann Arbiter")
    delete_tournament(cup.pk, by=None)
    kept = repr(deletion().before)
    assert "Arbiter" not in kept
    assert not [player.name for player in cast if player.name in kept]
    cup = factory.make_round_robin(cast[:5], name="Other Cup")
    cup.officers.add(factory.make_arbiter())
    before = facts()
    delete_tournament(cup.pk, by=None)
    assert not Tournament.objects.exists()
    found = undo_at(deletion())
    assert found is not None
    undo(deletion().pk, by=None, seen=found.seen)
    assert facts() == before
    assert undo_at(deletion()) is None


def test_of_a_deleted_event_only_what_is_its_own_is_kept_and_comes_back(cast: list[Player]) -> None:
    cup = factory.make_round_robin(cast[:4])
    image = image_of_event(cup.pk)
    other = make_swiss(cast).tournament
    first, second = other.entries.order_by("number")[:2]
    prohibit(other, [first, second], by=None)
    request_bye(first.pk, 2, "half", by=None)
    report_absence(second.pk, 1, by=None)
    check_in(other, {first.pk: True}, on=factory.MONDAY, by=None)
    set_prizes(other, Fund("€", "full", 100, one_each=True), [NewPrize("place", None, 1, 5_000)], by=None)
    row = pair_next_round(factory.stage_of(other), by=None, publish=True)
    other.officers.add(factory.make_arbiter())
    team = Team.objects.create(tournament=other, number=1, name="Rooks")
    player = TeamPlayer.objects.create(team=team, entry=first, place=1)
    match = TeamMatch.objects.create(round=row, number=1, home=team)
    line_up = LineUp.objects.create(match=match, team=team, handed_in_at=timezone.now())
    LineUpPlace.objects.create(line_up=line_up, board=1, player=player)
    Reading.objects.create(game=other.games.all()[0], revision=0, result=Result.DRAW)
    assert image_of_event(cup.pk) == image
    assert "reading" not in image_of_rounds(Round.objects.filter(stage__tournament=cup))
    delete_tournament(cup.pk, by=None)
    allow(ProhibitedPair.objects.get().pk, by=None)
    found = undo_at(deletion())
    assert found is not None
    undo(deletion().pk, by=None, seen=found.seen)
    assert not prohibited_of(other), "what was changed in another event meanwhile stays so"


def test_games_without_a_round_are_not_what_an_event_is_made_of(cast: list[Player]) -> None:
    evenings = open_event("Thursdays", pool="standard", by=None).tournament
    before = stand_of(evenings.pk)
    record_free_game(evenings, *cast[:2], Result.DRAW, factory.MONDAY, by=None)
    assert stand_of(evenings.pk) == before


def test_the_field_of_a_stage_is_kept_with_its_own_event_and_entry_only(cast: list[Player]) -> None:
    cup, other = factory.make_round_robin(cast[:4]), make_swiss(cast).tournament
    first, second = cup.entries.order_by("number")[:2]
    StageEntry.objects.create(stage=factory.stage_of(cup), entry=first, number=1)
    elsewhere, here = stand_of(other.pk), stand_of(cup.pk)
    StageEntry.objects.create(stage=factory.stage_of(cup), entry=second, number=2)
    assert column_in(image_of_event(cup.pk), StageEntry, "entry_id") == [first.pk, second.pk]
    assert column_in(image_of_entry(first.pk), StageEntry, "entry_id") == [first.pk]
    assert column_in(image_of_event(other.pk), StageEntry, "entry_id") == []
    assert stand_of(cup.pk) != here
    assert stand_of(other.pk) == elsewhere


def test_a_closed_event_is_open_again(cast: list[Player]) -> None:
    cup, other = factory.make_round_robin(cast[:4]), factory.make_round_robin(cast[:2], name="Other")
    for event in (cup, other):
        factory.play_all(event)
    with taken_back(cup):
        close_event(cup, by=None)
        close_event(other, by=None)
        reopen_event(other, by=None)


def test_an_event_whose_address_was_taken_does_not_come_back(cast: list[Player]) -> None:
    cup = factory.make_round_robin(cast[:5])
    delete_tournament(cup.pk, by=None)
    factory.make_round_robin(cast[:4])
    assert undo_at(deletion()) is None
    with pytest.raises(Stale):
        undo(deletion().pk, by=None, seen=f"{deletion().pk}-")


def test_what_the_trail_kept_no_image_of_or_whose_player_is_gone_does_not_come_back(cast: list[Player]) -> None:
    cup = create_tournament(NewTournament("Cup"), by=None)
    enter_players(cup, cast[:1], by=None)
    for action, subject in (("tournament.deleted", cup), ("entry.removed", Entry.objects.get())):
        write_audit(action, subject, by=None, before={"slug": "cup", "tournament": "cup"})
        assert undo_at(AuditEvent.objects.filter(action=action)[0]) is None
    delete_tournament(cup.pk, by=None)
    assert undo_at(deletion()) is not None
    delete_player(cast[0].pk, by=None)
    assert undo_at(deletion()) is None


# --- every one of them --------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_every_undoable_action_says_what_it_was_and_what_comes_back(cast: list[Player]) -> None:
    values: dict[str, Undo] = {}

    def remember(tournament: Tournament, act: Callable[[], object]) -> None:
        act()
        found = offered(tournament)
        values[found.event.action] = found

    stage = make_swiss(cast[:5])
    cup = stage.tournament
    row = pair_next_round(stage, by=None)
    remember(cup, lambda: publish_round(row.pk, by=None))
    remember(cup, lambda: unpublish_round(row.pk, reason="other", by=None))
    remember(cup, lambda: delete_round(row.pk, by=None))
    remember(cup, lambda: remove_entry(Entry.objects.get(number=5).pk, by=None))
    league = factory.make_round_robin(cast)
    remember(league, lambda: withdraw_entry(Entry.objects.get(tournament=league, number=1).pk, by=None))
    knockout = factory.make_knockout(cast)
    remember(knockout, lambda: redraw_bracket(factory.stage_of(knockout), by=None, reason="other"))
    remember(knockout, lambda: delete_rounds(factory.stage_of(knockout), by=None))
    small = factory.make_round_robin(cast[:2], name="Match")
    factory.play_all(small)
    remember(small, lambda: close_event(small, by=None))
    delete_tournament(knockout.pk, by=None)
    found = undo_at(deletion())
    assert found is not None
    values["tournament.deleted"] = found
    assert set(values) == set(UNDOABLE)
    assert all(each.done and all(each.means) for each in values.values())


def test_an_undo_that_a_service_refuses_changes_nothing(swiss: Stage) -> None:
    unpublish = draft_of(swiss)
    publish_round(unpublish.pk, by=None)
    unpublish_round(unpublish.pk, reason="other", by=None)
    found = offered(swiss.tournament)
    # Past the services: somebody who left is still on a board of the draft.
    Entry.objects.filter(seats__round=unpublish, seats__pairing__bye="").update(withdrawn=True)
    before, events = facts(), AuditEvent.objects.count()
    with pytest.raises(Refused):
        undo(found.event.pk, by=None, seen=found.seen)
    assert (facts(), AuditEvent.objects.count()) == (before, events)


def test_results_entered_after_an_undo_are_as_any_other(swiss: Stage) -> None:
    publish_round(draft_of(swiss).pk, by=None)
    unpublish_round(draft_of(swiss).pk, reason="other", by=None)
    delete_round(draft_of(swiss).pk, by=None)
    take_back(swiss.tournament)
    take_back(swiss.tournament)
    game = Game.objects.filter(pairing__round__number=2).first()
    assert game is not None
    assert record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None).result == Result.DRAW


def test_an_entry_is_not_looked_for_in_another_event_at_the_same_address(cast: list[Player]) -> None:
    cup = create_tournament(NewTournament("Cup"), by=None)
    remove_entry(enter_players(cup, cast[:3], by=None)[0].pk, by=None)
    event = AuditEvent.objects.get(action="entry.removed")
    assert event_of(event) == cup
    delete_tournament(cup.pk, by=None)
    create_tournament(NewTournament("Cup"), by=None)
    assert event_of(event) is None
    assert undo_at(event) is None


def test_a_line_about_another_kind_of_row_with_the_same_key_is_no_step_of_the_event(
    swiss: Stage, cast: list[Player]
) -> None:
    Round.objects.create(pk=10**6, stage=swiss, number=9)
    late = Entry.objects.create(pk=10**7, tournament=swiss.tournament, player=cast[6])
    withdraw_entry(late.pk, by=None)
    before = offered(swiss.tournament)
    for action, subject in (("entry.withdrawn", Entry(pk=10**6)), ("round.published", Round(pk=10**7))):
        write_audit(action, subject, by=None)
    assert offered(swiss.tournament) == before


def test_of_two_who_take_an_entry_back_the_second_is_refused(
    cast: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a ladder those below would move up twice, and the trail keep an image without the entry."""
    ladder = create_tournament(NewTournament("Ladder", pairing_system="ladder"), by=None)
    first = enter_players(ladder, cast[:4], by=None)[0]
    lock = entries_service._lock

    def wait_for_the_other(key: int) -> Tournament:
        monkeypatch.setattr(entries_service, "_lock", lock)
        remove_entry(first.pk, by=None)
        return lock(key)

    monkeypatch.setattr(entries_service, "_lock", wait_for_the_other)
    with pytest.raises(Refused, match="not in the tournament any more"):
        remove_entry(first.pk, by=None)


def test_who_makes_an_event_waits_for_who_takes_its_address(
    cast: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of one name at once, or one that comes back meanwhile: the address is looked for behind the lock."""
    asked: list[str] = []
    lock, free = events_service.lock_lists, events_service.free_slug
    monkeypatch.setattr(events_service, "lock_lists", lambda: asked.append("lock") or lock())
    monkeypatch.setattr(events_service, "free_slug", lambda name: asked.append("address") or free(name))
    create_tournament(NewTournament("Cup"), by=None)
    assert asked == ["lock", "address"]
