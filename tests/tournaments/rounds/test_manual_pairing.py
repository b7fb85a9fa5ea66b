"""Boards set by hand: everybody once, nobody by mistake, and how they differ from the engine's."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.models import AuditEvent
from players.refusals import Refused, Stale
from ratings.models import RatingList
from tests import databases, factory
from tests.choosing import examples
from tests.desk_scene import client_of
from tests.tournaments.admin_pages import url
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.rounds import round_cases
from tests.tournaments.rounds.round_cases import boards_of, byes_of, entries, entry, make_league, pairs, play
from tests.tournaments.teams.team_cases import make_team_event
from tournaments.models import Entry, Game, Pairing, ProhibitedPair, Round, Seat, Stage
from tournaments.rounds.services.by_hand import compare, differences, drawn, pair_by_hand, re_pair
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import delete_round, publish_round, unpublish_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
standard = club_and_list
six, league = round_cases.six, round_cases.league


@pytest.fixture
def draft(league: Stage) -> Round:
    """1–2, 3–4, 5–6."""
    return pair_next_round(league, by=None)


def numbers(boards: Sequence[tuple[Entry, Entry | None]]) -> list[tuple[int | None, int | None]]:
    return [(white.number, black.number if black else None) for white, black in boards]


# --- a draft set otherwise ------------------------------------------------------------------------------------
def test_a_draft_is_paired_otherwise(draft: Round) -> None:
    re_pair(draft.pk, pairs(draft.stage, (3, 1), (2, 4), (6, 5)), by=None)
    assert boards_of(draft) == [(3, 1), (2, 4), (6, 5)]
    assert [model.objects.count() for model in (Pairing, Seat, Game)] == [3, 6, 3]
    event = AuditEvent.objects.get(action="round.paired otherwise")
    keys = {number: entry(draft.stage, number).pk for number in range(1, 7)}
    assert event.before["boards"][0] == [keys[1], keys[2]]
    assert event.after["boards"][0] == [keys[3], keys[1]]


def test_a_draft_changed_published_or_deleted_meanwhile_stands(draft: Round) -> None:
    boards, others = (pairs(draft.stage, *wanted) for wanted in (((2, 1), (3, 4), (5, 6)), ((1, 2), (4, 3), (5, 6))))
    re_pair(draft.pk, boards, by=None, revision=0)
    with pytest.raises(Stale, match="Somebody else changed this round"):
        re_pair(draft.pk, others, by=None, revision=0)
    assert boards_of(draft)[0] == (2, 1)
    publish_round(draft.pk, by=None)
    with pytest.raises(Refused, match="Round 1 is published: take it out of sight first"):
        re_pair(draft.pk, others, by=None)
    delete_round(unpublish_round(draft.pk, reason="other", by=None).pk, by=None)
    with pytest.raises(Stale, match="deleted meanwhile"):
        re_pair(draft.pk, others, by=None)
    assert not Round.objects.exists()


def test_nobody_sits_twice_meets_himself_or_shares_the_bye(draft: Round) -> None:
    refused: dict[str, list[tuple[int, int | None]]] = {
        "player #1 stands on two boards": [(1, 2), (3, 4), (5, 1)],
        "player #5 stands on two boards": [(1, 2), (3, 4), (5, 5)],
        "Only one player can have the bye": [(1, 2), (3, 4), (5, None), (6, None)],
    }
    for found, boards in refused.items():
        with pytest.raises(Refused, match=found):
            re_pair(draft.pk, pairs(draft.stage, *boards), by=None)
    for boards in ([], [(1, None)]):
        with pytest.raises(Refused, match="Nobody stands on a board yet"):
            re_pair(draft.pk, pairs(draft.stage, *boards), by=None, rest_absent=True)
    assert boards_of(draft) == [(1, 2), (3, 4), (5, 6)]


def test_nobody_is_forgotten(draft: Round) -> None:
    boards = pairs(draft.stage, (1, 2), (3, 4))
    with pytest.raises(Refused, match=r"On no board yet: player #5, player #6"):
        re_pair(draft.pk, boards, by=None)
    re_pair(draft.pk, boards, by=None, rest_absent=True)
    assert byes_of(draft) == {5: "zero", 6: "zero"}


def test_whoever_was_absent_may_come_and_keeps_the_kind_else(league: Stage) -> None:
    absent = {entry(league, 5).pk: "half"}
    row = pair_next_round(league, by=None, present=entries(league, 1, 2, 3, 4), absent=absent)
    re_pair(row.pk, pairs(league, (1, 6), (3, 4), (2, None)), by=None)
    assert (boards_of(row), byes_of(row)) == ([(1, 6), (3, 4)], {2: "pab", 5: "half"})


def test_whoever_left_is_not_paired(draft: Round) -> None:
    Entry.objects.filter(pk=entry(draft.stage, 6).pk).update(withdrawn=True)
    with pytest.raises(Refused, match="player #6 cannot be paired in round 1"):
        re_pair(draft.pk, pairs(draft.stage, (1, 2), (3, 4), (6, 5)), by=None)
    re_pair(draft.pk, pairs(draft.stage, (1, 2), (3, 4), (5, None)), by=None)
    assert byes_of(draft) == {5: "pab"}


def test_prohibited_pairs_need_the_arbiters_word(draft: Round) -> None:
    first, second = entries(draft.stage, 1, 3)
    ProhibitedPair.objects.create(tournament=draft.stage.tournament, first=first, second=second)
    boards = pairs(draft.stage, (3, 1), (2, 4), (5, 6))
    with pytest.raises(Refused, match="player #3 and player #1 are not to meet"):
        re_pair(draft.pk, boards, by=None)
    re_pair(draft.pk, boards, by=None, nevertheless=True)
    assert boards_of(draft)[0] == (3, 1)
    assert AuditEvent.objects.get(action="round.paired otherwise").after["nevertheless"] is True
    first, second = entries(draft.stage, 1, 2)
    ProhibitedPair.objects.create(tournament=draft.stage.tournament, first=first, second=second)
    with pytest.raises(Refused, match="not to meet"):
        compare(draft)
    page = client_of(factory.make_arbiter()).get(url("boards", draft.pk))
    assert (page.status_code, "not to meet" in page.text) == (200, True)


def test_a_pair_of_whom_one_is_yet_to_come_keeps_nobody_apart(league: Stage) -> None:
    two, late, five = entries(league, 2, 3, 5)
    Entry.objects.filter(pk=late.pk).update(first_round=2)
    for first, second in ((two, late), (late, five)):
        ProhibitedPair.objects.create(tournament=league.tournament, first=first, second=second)
    row = pair_next_round(league, by=None)
    assert (boards_of(row), byes_of(row)) == ([(1, 2), (4, 5)], {6: "pab"})


def test_the_table_of_a_round_robin_stands(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    row = factory.round_of(cup, 1)
    for subject, pair in ((row.pk, re_pair), (row.stage, pair_by_hand)):
        with pytest.raises(Refused, match="only colours can be exchanged"):
            pair(subject, pairs(row.stage, (1, 2), (3, 4)), by=None)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="one by one"):
        compare(row)
    with pytest.raises(Refused, match="This event is one of teams"):
        pair_by_hand(factory.stage_of(make_team_event()), [], by=None)


def test_a_round_is_made_by_hand(standard: RatingList) -> None:
    stage = make_league(5, system="by-hand")
    row = pair_by_hand(stage, pairs(stage, (2, 1), (5, 4), (3, None)), by=None, day=factory.MONDAY)
    assert (row.number, row.state, row.planned_on) == (1, "draft", factory.MONDAY)
    assert (boards_of(row), byes_of(row)) == ([(2, 1), (5, 4)], {3: "pab"})
    with pytest.raises(Refused, match="still a draft"):
        pair_by_hand(stage, pairs(stage, (1, 2)), by=None, rest_absent=True)
    re_pair(row.pk, pairs(stage, (1, 2), (4, 5), (3, None)), by=None)
    publish_round(row.pk, by=None)
    play(row, Result.DRAW, Result.DRAW)
    assert pair_by_hand(stage, pairs(stage, (1, 3)), by=None, rest_absent=True).number == 2


# --- the engine's word ----------------------------------------------------------------------------------------
def test_differences_are_told_board_by_board_and_their_order_is_none(draft: Round) -> None:
    assert compare(draft) == [], "what the engine made differs in nothing"
    re_pair(draft.pk, pairs(draft.stage, (5, 6), (1, 2), (3, 4)), by=None)
    assert compare(draft) == []
    re_pair(draft.pk, pairs(draft.stage, (1, 3), (2, 4), (6, 5)), by=None)
    assert told(draft) == [((1, 3), (1, 2), False), ((2, 4), (3, 4), False), ((6, 5), (5, 6), True)]


def told(row: Round) -> list[tuple[object, ...]]:
    """Here, by the engine, and whether it is only the colours."""
    found = [(numbers([d.here]), numbers([d.engine]), d.colours) for d in compare(row) if d.here and d.engine]
    return [(*here, *engine, colours) for here, engine, colours in found]


def test_another_bye_is_a_difference_and_a_round_may_be_made_without_the_engine(league: Stage) -> None:
    row = pair_next_round(league, by=None, present=entries(league, 1, 2, 3))
    re_pair(row.pk, pairs(league, (3, 2), (1, None)), by=None)
    assert told(row) == [((3, 2), (1, 2), False), ((1, None), (3, None), False)]
    delete_round(row.pk, by=None)
    row = pair_by_hand(league, pairs(league, (1, 6), (2, 5), (3, 4)), by=None)
    assert len(compare(row)) == 2, "3–4 is the engine's too"


def test_a_round_is_compared_with_the_results_as_they_are_now(league: Stage) -> None:
    row = pair_next_round(league, by=None, publish=True)
    play(row, Result.WHITE_WINS, Result.WHITE_WINS, Result.WHITE_WINS)
    second = pair_next_round(league, by=None, publish=True)
    assert compare(second) == []
    Game.objects.filter(pairing__round=row, pairing__board=1).update(result="0-1")
    assert compare(second) != []


@pytest.mark.extended
@examples(60)
@given(order=st.permutations(range(1, 8)), boards=st.integers(1, 3))
def test_what_is_set_is_what_stands(league: Stage, order: list[int], boards: int) -> None:
    """Any way to seat everybody once is taken as it is, and read back the same."""
    with databases.rolled_back():
        stage = make_league(7)
        row = pair_next_round(stage, by=None)
        wanted = [(order[2 * at], order[2 * at + 1]) for at in range(boards)]
        re_pair(row.pk, pairs(stage, *wanted), by=None, rest_absent=True)
        assert numbers(drawn(row).boards) == wanted
        assert sorted(e.number or 0 for e, _kind in drawn(row).absent) == sorted(order[2 * boards :])
        engine = [each.engine for each in compare(row) if each.engine]
        assert differences(drawn(row).boards, drawn(row).boards) == []
        assert len(engine) <= boards + 1
