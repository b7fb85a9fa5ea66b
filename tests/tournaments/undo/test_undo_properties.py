"""Any risky action and its undo: whatever was done before, the facts are those before, another event stays as it is,
and an offer that no longer holds is refused with a sentence and nothing else."""

from collections.abc import Callable, Iterator, Sequence

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from players.models import Player
from players.refusals import Refused
from tests import factory
from tests.choosing import examples
from tests.tournaments.undo.undo_cases import facts, facts_beside, make_swiss
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.late import enter_late, remove_late
from tournaments.events.services.closing import close_event, reopen_event
from tournaments.formats.services import Calendar, make_rounds
from tournaments.knockouts.services.brackets import redraw_bracket
from tournaments.models import Entry, Game, Stage, Tournament
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import delete_round, delete_rounds, publish_round, unpublish_round
from tournaments.standings.points import Result
from tournaments.undo.services.undo import last_undoable, undo
from tournaments.withdrawals.services.withdrawals import return_entry, withdraw_entry

Act = Callable[[Stage, int], object]


def _of(rows: Sequence[object], index: int) -> int:
    if not rows:
        raise Refused("nothing to choose from")
    return rows[index % len(rows)].pk  # type: ignore[attr-defined, no-any-return]


def _entry(stage: Stage, index: int) -> int:
    return _of(list(Entry.objects.filter(tournament=stage.tournament_id).order_by("pk")), index)


def _round(stage: Stage, index: int) -> int:
    return _of(list(stage.rounds.order_by("-number")), index)


def _make(stage: Stage, index: int) -> None:
    if stage.pairing_system == "dutch":
        pair_next_round(stage, by=None, pair_anyway=bool(index % 2), publish=bool(index % 3))
    else:
        make_rounds(stage, by=None, calendar=Calendar(publish=bool(index % 3)))


def _play(stage: Stage, index: int) -> None:
    games = Game.objects.filter(pairing__stage=stage, pairing__superseded=False, result="").order_by("pk")
    record_result(game=_of(list(games), index), result=Result.WHITE_WINS, played_on=factory.MONDAY, by=None)


def _clear(stage: Stage, index: int) -> None:
    games = Game.objects.filter(pairing__stage=stage).exclude(result="").order_by("pk")
    correct_result(game=_of(list(games), index), result=Result.OPEN, by=None)


def _enter(stage: Stage, index: int) -> None:
    out = Player.objects.exclude(entries__tournament=stage.tournament_id).order_by("pk")
    enter_late(stage.tournament, [Player.objects.get(pk=_of(list(out), index))], by=None)


ORDINARY: dict[str, Act] = {
    "make": _make,
    "play": _play,
    "clear": _clear,
    "enter": _enter,
    "return": lambda stage, index: return_entry(_entry(stage, index), by=None),
    "reopen": lambda stage, _index: reopen_event(stage.tournament, by=None),
}
RISKY: dict[str, Act] = {
    "publish": lambda stage, index: publish_round(_round(stage, index), by=None),
    "unpublish": lambda stage, index: unpublish_round(_round(stage, index), reason="other", by=None),
    "delete": lambda stage, index: delete_round(_round(stage, index), by=None),
    "delete all": lambda stage, _index: delete_rounds(stage, by=None),
    "redraw": lambda stage, index: redraw_bracket(stage, reason="other", seed=index, by=None),
    "withdraw": lambda stage, index: withdraw_entry(_entry(stage, index), by=None),
    "remove": lambda stage, index: remove_entry(_entry(stage, index), by=None),
    "remove late": lambda stage, index: remove_late(_entry(stage, index), by=None),
    "close": lambda stage, _index: close_event(stage.tournament, by=None),
}
FORMATS: dict[str, Callable[[list[Player]], Tournament]] = {
    "swiss": lambda players: make_swiss(players[:5]).tournament,
    "round robin": lambda players: factory.make_round_robin(players[:4]),
    "knockout": lambda players: factory.make_knockout(players[:5]),
}
steps = st.lists(
    st.tuples(st.sampled_from([*ORDINARY, *RISKY, *RISKY, "undo"]), st.integers(0, 5)), min_size=4, max_size=14
)


def act(tournament: Tournament, name: str, index: int) -> bool:
    """Do it where a service lets us; whether it was done."""
    stage = Stage.objects.select_related("tournament").get(tournament=tournament)
    try:
        with transaction.atomic():
            {**ORDINARY, **RISKY}[name](stage, index)
    except Refused:
        return False
    return True


def undo_last(tournament: Tournament) -> bool:
    """Take the last risky action back where that is offered; whether it was done."""
    found = last_undoable(tournament)
    if found is None:
        return False
    try:
        with transaction.atomic():
            undo(found.event.pk, by=None, seen=found.seen)
    except Refused:
        return False
    return True


@pytest.fixture(scope="module", params=FORMATS)
def event(request: pytest.FixtureRequest, world: None) -> Iterator[tuple[str, Tournament]]:
    """An event of each format, beside another."""
    with transaction.atomic():
        factory.make_club()
        factory.make_list()
        players, make = factory.make_players(7), FORMATS[request.param]
        make(players[::-1])
        yield request.param, make(players)
        transaction.set_rollback(True)


@pytest.mark.extended
@pytest.mark.django_db
@examples(25)
@given(plan=steps)
def test_a_risky_action_undone_leaves_the_facts(event: tuple[str, Tournament], plan: list[tuple[str, int]]) -> None:
    with transaction.atomic():
        tournament = Tournament.objects.get(pk=event[1].pk)
        beside = facts_beside(tournament)
        for name, index in plan:
            if name == "undo":
                undo_last(tournament)
                continue
            before = facts()
            if not act(tournament, name, index) or name not in RISKY or facts() == before:
                continue
            with transaction.atomic():
                if undo_last(tournament):
                    assert facts() == before, name
                transaction.set_rollback(True)
        assert facts_beside(tournament) == beside
        transaction.set_rollback(True)


@pytest.mark.extended
@pytest.mark.django_db
def test_every_risky_action_is_reached_and_undone(event: tuple[str, Tournament]) -> None:
    """So that the property above is about something."""
    plans = {
        "swiss": ["make", "publish", "unpublish", "delete", "withdraw"],
        "round robin": ["unpublish", "publish", "delete all", "withdraw"],
        "knockout": ["redraw", "unpublish", "delete all", "withdraw"],
    }
    system, tournament = event[0], Tournament.objects.get(pk=event[1].pk)
    undone, beside = [], facts_beside(tournament)
    for name in plans[system]:
        if name == "withdraw" and system == "swiss":
            act(tournament, "make", 1)
        before = facts()
        if act(tournament, name, 0) and name in RISKY and undo_last(tournament):
            assert facts() == before, name
            undone.append(name)
            act(tournament, name, 0)
            assert facts_beside(tournament) == beside
    assert len(undone) >= 2, undone
