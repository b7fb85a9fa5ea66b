"""Steps taken back several at once: after any evening, whatever was taken back, everything is as it was before."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.db.models import QuerySet
from hypothesis import given
from hypothesis import strategies as st

from players.models import AuditEvent, Player
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import factory
from tests.choosing import examples
from tests.tournaments.corrections.correction_cases import dump
from tests.tournaments.event_pages.page_cases import form_groups
from tests.tournaments.undo import test_undo_properties, undo_cases
from tests.tournaments.undo.test_undo_properties import ORDINARY, RISKY, _entry, _of
from tests.tournaments.undo.undo_cases import facts, facts_beside, swiss_under_way, take_back
from tournaments.corrections.services.corrections import standings_lines
from tournaments.corrections.services.game_changes import swap_colours
from tournaments.entries.services.entries import enter_players
from tournaments.entries.services.late import enter_late
from tournaments.entries.services.numbering import renumber_by_rating
from tournaments.entries.services.prohibited import allow, prohibit
from tournaments.events.services.events import NewTournament, create_tournament, update_tournament
from tournaments.models import AbsenceNotice, ByeRequest, Entry, Game, Pairing, Round, Stage, Tournament
from tournaments.presence.services import cancel_bye, check_in, report_absence, request_bye, take_absence_back
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.footnotes import note_result
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.clock import set_clock
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import plan_round
from tournaments.standings.points import Result
from tournaments.undo.services.stack import commit, last_steps, preview
from tournaments.undo.services.steps import take_back as take_step_back
from tournaments.withdrawals.services.withdrawals import return_entry, withdraw_entry

pytestmark = pytest.mark.django_db
cast, under_way, swiss = undo_cases.cast, undo_cases.under_way, undo_cases.swiss
Deed = Callable[[Stage], object]
RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.WHITE_FORFEITS)


def _played(stage: Stage, index: int) -> int:
    return _of(list(Game.objects.filter(pairing__stage=stage).exclude(result="").order_by("pk")), index)


def _enter_result(stage: Stage, index: int) -> None:
    games = Game.objects.filter(pairing__stage=stage, pairing__superseded=False, result="").order_by("pk")
    for game in games[: 1 + index % 3]:
        record_result(game=game.pk, result=RESULTS[index % 4], played_on=factory.MONDAY, by=None)


def _correct(stage: Stage, index: int) -> None:
    day = (None, factory.MONDAY + timedelta(3), factory.MONDAY + timedelta(9))[index % 3]
    correct_result(game=_played(stage, index), result=RESULTS[(index + 1) % 4], played_on=day, by=None)


def _apart(stage: Stage, index: int) -> None:
    rows = list(Entry.objects.filter(tournament=stage.tournament_id).order_by("pk"))
    prohibit(stage.tournament, [rows[(index + more) % len(rows)] for more in range(3)], by=None)


def _plan(stage: Stage, index: int) -> None:
    plan_round(test_undo_properties._round(stage, index), factory.MONDAY + timedelta(index), by=None)


def _check(stage: Stage, index: int) -> None:
    check_in(stage.tournament, {_entry(stage, index): bool(index % 2)}, on=factory.MONDAY, by=None)


EVENING: dict[str, Callable[[Stage, int], object]] = {
    **ORDINARY,
    **RISKY,
    "results": _enter_result,
    "results again": _enter_result,
    "pair and publish": lambda stage, _index: pair_next_round(stage, by=None, pair_anyway=True, publish=True),
    "correct": _correct,
    "swap": lambda stage, index: swap_colours(
        game=_played(stage, index), mirror=bool(index % 2), by=None, reason="other"
    ),
    "bye": lambda stage, index: request_bye(_entry(stage, index), 2 + index, "zero", by=None),
    "other bye": lambda stage, index: request_bye(_entry(stage, index), 2 + index, "half", by=None),
    "no bye": lambda stage, index: cancel_bye(_entry(stage, index), 2 + index, by=None),
    "absent": lambda stage, index: report_absence(_entry(stage, index), 1 + index, by=None),
    "comes": lambda stage, index: take_absence_back(_entry(stage, index), 1 + index, by=None),
    "plan": lambda stage, index: plan_round(
        test_undo_properties._round(stage, index), factory.MONDAY + timedelta(index), by=None
    ),
    "apart": _apart,
    "together": lambda stage, index: allow(_of(list(stage.tournament.prohibited_pairs.order_by("pk")), index), by=None),
    "check in": _check,
}


def image(tournament: Tournament) -> dict[str, Any]:
    """The facts, the standings and the ledger, all of it."""
    ledger, stands = (
        [field.attname for field in table._meta.concrete_fields if field.name not in ("id", "generation")]
        for table in (LedgerEntry, PlayerRating)
    )
    return {
        **facts(),
        "ledger": list(LedgerEntry.objects.order_by("rating_list", "order").values_list(*ledger)),
        "ratings": list(PlayerRating.objects.order_by("rating_list", "player").values_list(*stands)),
        "standings": {player.number: line for player, line in standings_lines(tournament).items()},
    }


def rewind(tournament: Tournament, step: int) -> None:
    commit(tournament, step, seen=preview(tournament, step, by=None).seen, by=None)


def newest(tournament: Tournament) -> int:
    return next((row.event.pk for row in last_steps(tournament)), 0)


@pytest.mark.extended
@examples(80)
@given(
    plan=st.lists(st.tuples(st.sampled_from(sorted(EVENING)), st.integers(0, 5)), min_size=3, max_size=14),
    depth=st.integers(0, 19),
)
def test_after_any_evening_steps_taken_back_leave_what_was_before_them(
    swiss: Stage, plan: list[tuple[str, int]], depth: int
) -> None:
    with transaction.atomic():
        images = {newest(swiss.tournament): image(swiss.tournament)}
        for name, index in plan:
            try:
                with transaction.atomic():
                    EVENING[name](Stage.objects.select_related("tournament").get(pk=swiss.pk), index)
            except Refused:
                continue
            images[newest(swiss.tournament)] = image(swiss.tournament)
        steps = [row.event.pk for row in last_steps(swiss.tournament) if not row.why_not]
        # Only what one deed did is taken back as a whole: the step below was the newest once.
        known = [at for at in range(len(steps) - 1) if steps[at + 1] in images]
        if known:
            at = known[depth % len(known)]
            rewind(swiss.tournament, steps[at])
            assert image(swiss.tournament) == images[steps[at + 1]]
            assert newest(swiss.tournament) == steps[at + 1]
            assert all(check_list(row) == [] for row in RatingList.objects.all())
        transaction.set_rollback(True)


def _every_deed(stage: Stage) -> Iterator[object]:
    deeds = (
        "absent,comes,publish,results,correct,swap,other bye,bye,no bye,pair and publish,plan,apart,together,withdraw"
    )
    for name in f"{deeds},return,check in,enter,remove late".split(","):
        at = {"publish": 0, "remove late": 5}.get(name, 1)
        yield EVENING[name](Stage.objects.select_related("tournament").get(pk=stage.pk), at)


@pytest.mark.extended
def test_every_kind_of_step_of_an_evening_goes_back_one_by_one(swiss: Stage, cast: list[Player]) -> None:
    """So that the property above is about something. Another event, of the same deeds, stays as it is."""
    list(_every_deed(swiss_under_way(cast[2:])))
    event = swiss.tournament
    beside = facts_beside(event)
    images = {newest(event): image(event)}
    for _deed in _every_deed(swiss):
        images[newest(event)] = image(event)
        assert facts_beside(event) == beside
    steps = [row.event.pk for row in last_steps(event)]
    assert len(steps) == 20
    for at, step in enumerate(steps[:-1]):
        rewind(event, step)
        assert facts_beside(event) == beside
        if steps[at + 1] in images:
            assert image(event) == images[steps[at + 1]], AuditEvent.objects.get(pk=step).action


@pytest.mark.parametrize(("said", "taken"), [("apart", "together"), ("bye", "no bye"), ("absent", "comes")])
def test_what_another_event_took_back_since_does_not_come_back(
    swiss: Stage, cast: list[Player], said: str, taken: str
) -> None:
    other = swiss_under_way(cast[2:])
    for name, stage in ((said, other), (said, swiss), (taken, swiss), (taken, other)):
        EVENING[name](stage, 1)
    beside = facts_beside(swiss.tournament)
    rewind(swiss.tournament, newest(swiss.tournament))
    assert facts_beside(swiss.tournament) == beside


def test_who_left_a_round_robin_is_back_with_every_game_and_one_line_stands_for_all_of_it(cast: list[Player]) -> None:
    cup = factory.make_round_robin(cast[:5])
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    before, steps = image(cup), last_steps(cup)
    withdraw_entry(Entry.objects.get(tournament=cup, number=2).pk, by=None, rule="all")
    assert [row.event.action for row in last_steps(cup)][:3] == [
        "entry.withdrawn",
        "tournament.changed",
        "result.recorded",
    ]
    rewind(cup, last_steps(cup)[1].event.pk)
    assert image(cup) == before
    assert last_steps(cup) == steps


def test_entries_go_back_before_the_first_round_whatever_another_event_has_played(
    swiss: Stage, cast: list[Player]
) -> None:
    cup = create_tournament(NewTournament("Cup", pairing_system="round-robin"), by=None)
    before = image(cup)
    enter_players(cup, cast[:2], by=None)
    rewind(cup, last_steps(cup)[1].event.pk)
    assert image(cup) == before


def test_what_has_no_way_back_ends_the_list_with_its_reason_and_nothing_before_it_is_taken_back(swiss: Stage) -> None:
    older = newest(swiss.tournament)
    update_tournament(swiss.tournament_id, {"name": "Spring Cup"}, by=None)
    plan_round(undo_cases.draft_of(swiss).pk, factory.MONDAY, by=None)
    last = last_steps(swiss.tournament)
    assert [bool(row.why_not) for row in last] == [False, True]
    for step in (last[1].event.pk, older, 0):
        with pytest.raises(Refused):
            preview(swiss.tournament, step, by=None)


@pytest.mark.parametrize("moved", [{"kind": "zero"}, {"round_number": 4}, {"entry": 3}])
def test_a_bye_that_is_another_one_by_now_is_not_taken_back(swiss: Stage, moved: dict[str, Any]) -> None:
    """Past the services: no step tells of it."""
    entries = list(swiss.tournament.entries.order_by("number"))
    for entry in entries[1::-1]:
        request_bye(entry.pk, 3, "half", by=None)
    changes = {name: entries[value] if name == "entry" else value for name, value in moved.items()}
    ByeRequest.objects.filter(entry=entries[0]).update(**changes)
    with pytest.raises(Stale):
        preview(swiss.tournament, newest(swiss.tournament), by=None)


def test_a_preview_writes_nothing_and_what_was_done_since_makes_it_stale(swiss: Stage, cast: list[Player]) -> None:
    elsewhere = swiss_under_way(cast[:5])
    request_bye(elsewhere.tournament.entries.all()[0].pk, 3, "half", by=None)
    Entry.objects.filter(tournament=elsewhere.tournament).update(withdrawn=True)
    EVENING["publish"](swiss, 0)
    _enter_result(swiss, 1)
    step = last_steps(swiss.tournament)[1].event.pk
    before = dump()
    shown = preview(swiss.tournament, step, by=None)
    assert dump() == before
    results, boards, byes, *others = ((row.before, row.after) for row in shown.counts)
    assert (results, boards, byes) == ((4, 2), (4, 4), (2, 2))
    assert others == [(2, 2), (2, 2), (5, 5), (0, 0), (0, 0)], "nothing of the other event is counted"
    assert len(shown.lists[0].moves) == 4
    _correct(swiss, 3)
    with pytest.raises(Stale):
        commit(swiss.tournament, step, seen=shown.seen, by=None)
    rewind(swiss.tournament, step)
    undone = AuditEvent.objects.filter(action__endswith=".undone").order_by("pk")
    assert [row.action for row in undone] == ["result.corrected.undone", *["result.recorded.undone"] * 2]
    offered = take_back(swiss.tournament)
    assert offered.action == "round.published", "the last risky action is still the one before"


# --- facts that are no longer as a step left them ---------------------------------------------------------------------
def _last_game(event: Tournament) -> QuerySet[Game]:
    return Game.objects.filter(pk=last_steps(event)[0].event.subject_key)


def _publish_and(deed: str) -> Deed:
    def done(stage: Stage) -> None:
        EVENING["publish"](stage, 0)
        EVENING[deed](stage, 0)

    return done


def _noted(stage: Stage) -> None:
    note_result(game=_played(stage, 0), text="Black came late.", seen="", by=None, reason="other")


def _renumbered(stage: Stage) -> None:
    enter_late(stage.tournament, factory.first_players(6)[5:], by=None)
    Entry.objects.filter(tournament=stage.tournament, number=6).update(rating=2900)
    renumber_by_rating(stage, by=None)


def _asked_otherwise(stage: Stage) -> None:
    request_bye(_entry(stage, 0), 4, "half", by=None)


MOVED: dict[str, tuple[Deed, Callable[[Tournament], object]]] = {
    "a round with a ruling by now": (
        lambda stage: EVENING["publish"](stage, 0),
        lambda event: Pairing.objects.filter(stage__tournament=event, round__number=2).update(ruled=True),
    ),
    "another result than was entered": (
        _publish_and("results"),
        lambda event: _last_game(event).update(result=Result.DRAW),
    ),
    "another result than was corrected": (
        lambda stage: _correct(stage, 0),
        lambda event: _last_game(event).update(result=Result.BOTH_FORFEIT),
    ),
    "other numbers": (_renumbered, lambda event: Entry.objects.filter(tournament=event, number=6).update(number=9)),
    "a pair that may play again": (lambda stage: _apart(stage, 0), lambda event: event.prohibited_pairs.all().delete()),
    "another bye": (
        _asked_otherwise,
        lambda event: ByeRequest.objects.filter(entry__tournament=event).update(kind="zero"),
    ),
    "an absence that is gone": (
        lambda stage: report_absence(_entry(stage, 0), 4, by=None),
        lambda event: AbsenceNotice.objects.filter(entry__tournament=event).delete(),
    ),
    "a clock that was set otherwise": (
        lambda stage: set_clock(_published(stage), minutes=90, by=None),
        lambda event: Round.objects.filter(stage__tournament=event).update(clock_minutes=60),
    ),
}


def _published(stage: Stage) -> int:
    return Round.objects.get(stage=stage, number=1).pk


@pytest.mark.parametrize("name", MOVED)
def test_what_is_no_longer_as_the_step_left_it_is_not_taken_back(swiss: Stage, name: str) -> None:
    deed, change = MOVED[name]
    deed(swiss)
    step = newest(swiss.tournament)
    change(swiss.tournament)
    before = dump()
    with pytest.raises(Refused, match=r"no longer as it was|changed meanwhile|Nobody said"):
        preview(swiss.tournament, step, by=None)
    assert dump() == before


@pytest.mark.parametrize("deed", [_publish_and("results"), lambda stage: _correct(stage, 0)])
def test_a_result_that_is_as_before_already_needs_nothing(swiss: Stage, deed: Deed) -> None:
    deed(swiss)
    line = last_steps(swiss.tournament)[0].event
    Game.objects.filter(pk=line.subject_key).update(result=line.before.get("result", ""))
    before = facts()
    take_step_back(line, None)
    assert facts() == before


def test_all_rounds_made_at_once_go_at_once_but_not_those_of_several_parts(cast: list[Player]) -> None:
    cup = factory.make_round_robin(cast[:4])
    rewind(cup, last_steps(cup)[0].event.pk)
    assert not Round.objects.filter(stage__tournament=cup).exists()
    groups = form_groups(cast[:6])[0].tournament
    steps = [row for row in last_steps(groups) if row.event.action == "rounds.paired"]
    with pytest.raises(Refused, match="has several parts"):
        preview(groups, steps[0].event.pk, by=None)


def test_a_step_without_a_way_back_says_why(swiss: Stage, cast: list[Player], monkeypatch: pytest.MonkeyPatch) -> None:
    write_audit(
        "bye.cancelled", Entry.objects.get(pk=_entry(swiss, 1)), by=None, after={"round": 3}
    )  # by an old version
    cup, other = (factory.make_round_robin(cast[:4], name=name) for name in ("Cup", "Other"))
    game = Game.objects.filter(tournament=cup).order_by("pk")[0]
    for result in (Result.ADJOURNED, Result.DRAW):
        record_result(game=game.pk, result=result, played_on=factory.MONDAY, by=None)
    left = Entry.objects.get(tournament=other, number=2).pk
    withdraw_entry(left, by=None)
    return_entry(left, by=None)
    for event, sentence in ((swiss.tournament, "does not keep"), (cup, "adjourned game"), (other, "games were opened")):
        assert sentence in last_steps(event)[0].why_not
    monkeypatch.setattr("tournaments.undo.services.stack.LONG_TAIL", 0)
    _enter_result(factory.stage_of(other), 0)
    with pytest.raises(Refused, match="More than 0 games"):
        preview(other, newest(other), by=None)
    monkeypatch.setattr("tournaments.undo.services.stack.LONG_TAIL", 1)
    assert preview(other, newest(other), by=None).events
