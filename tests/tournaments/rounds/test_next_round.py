"""Rounds made one by one: who is paired, who is not there, and when it is not the round's turn."""

import re
from datetime import time, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from players.models import AuditEvent
from players.refusals import Refused
from ratings.models import RatingList
from tests import databases, factory
from tests.choosing import examples
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.rounds import round_cases
from tests.tournaments.rounds.round_cases import boards_of, byes_of, entries, entry, make_league, play
from tournaments.models import ByeRequest, Entry, Game, ProhibitedPair, Round, Seat, Stage, Tournament
from tournaments.pairing.dutch.system import Dutch
from tournaments.rounds.selectors.field import attendance, next_number, open_boards, pairing_field
from tournaments.rounds.selectors.progress import rounds_to_make
from tournaments.rounds.services.next_round import pair_next_round, propose_round
from tournaments.rounds.services.rounds import delete_round, pair_all_rounds, publish_round
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
standard = club_and_list
six, league = round_cases.six, round_cases.league


def first_round(stage: Stage, *results: Result) -> Round:
    row = pair_next_round(stage, by=None, publish=True)
    play(row, *results)
    return row


# --- what is made ---------------------------------------------------------------------------------------------
def test_everybody_is_paired_and_the_round_is_a_draft(league: Stage) -> None:
    made = propose_round(league)
    assert [(white.number, black and black.number) for white, black in made.boards] == [(1, 2), (3, 4), (5, 6)]
    assert not Round.objects.exists(), "a proposal writes nothing"
    assert not AuditEvent.objects.filter(action="round.paired").exists()
    row = pair_next_round(league, by=None, day=factory.MONDAY, at=time(19, 30))
    assert (row.number, row.state, row.planned_on, row.planned_at) == (1, "draft", factory.MONDAY, time(19, 30))
    assert boards_of(row) == [(1, 2), (3, 4), (5, 6)]
    for game in Game.objects.select_related("pairing"):
        seats = dict(Seat.objects.filter(pairing=game.pairing).values_list("colour", "entry__player"))
        assert seats == {"w": game.white_id, "b": game.black_id}
    with pytest.raises(Refused, match="Round 1 is still a draft"):
        pair_next_round(league, by=None)
    assert Round.objects.count() == 1


def test_the_next_round_is_paired_from_the_results_before(league: Stage) -> None:
    first_round(league, Result.BLACK_WINS, Result.DRAW, Result.WHITE_WINS)
    row = pair_next_round(league, by=None, publish=True)
    assert (row.number, row.state, row.planned_on) == (2, "published", None), "a day is optional"
    assert boards_of(row) == [(2, 5), (3, 4), (1, 6)]


def test_whoever_is_not_there_has_a_seat_without_opponent_and_the_trail_says_who_was_paired(league: Stage) -> None:
    row = pair_next_round(league, by=None, present=entries(league, 2, 3, 4, 6), absent={entry(league, 5).pk: "half"})
    assert boards_of(row) == [(2, 3), (4, 6)]
    assert byes_of(row) == {1: "zero", 5: "half"}
    assert Seat.objects.filter(round=row).count() == 6
    event = AuditEvent.objects.get(action="round.paired")
    keys = [entry(league, number).pk for number in range(1, 7)]
    assert (event.subject_key, event.after["number"]) == (row.pk, 1)
    assert event.after["boards"] == [keys[1:3], [keys[3], keys[5]]]
    assert event.after["absent"] == {str(keys[0]): "zero", str(keys[4]): "half"}
    delete_round(row.pk, by=None)
    row = pair_next_round(league, by=None, present=entries(league, 1, 2, 3, 4, 5))
    assert boards_of(row) == [(1, 2), (3, 4)]
    assert byes_of(row) == {5: "pab", 6: "zero"}, "of an odd number one has the allocated bye"


# --- who is not there -----------------------------------------------------------------------------------------


def test_a_bye_asked_for_is_kept_unless_the_player_comes(league: Stage) -> None:
    ByeRequest.objects.create(entry=entry(league, 2), round_number=1, kind="half")
    assert {each.number for each, _kind in propose_round(league).absent} == {2}
    assert dict(attendance(league, 1).asked) == {entry(league, 2).pk: "half"}
    came = propose_round(league, present=entries(league, 1, 2))
    assert (2, "half") not in [(each.number, kind) for each, kind in came.absent]
    row = pair_next_round(league, by=None)
    assert byes_of(row) == {2: "half", 6: "pab"}


def test_whoever_left_is_not_paired_and_has_no_seat(league: Stage) -> None:
    Entry.objects.filter(pk=entry(league, 3).pk).update(withdrawn=True)
    row = pair_next_round(league, by=None)
    assert not Seat.objects.filter(round=row, entry__number=3).exists()
    assert byes_of(row) == {6: "pab"}
    publish_round(row.pk, by=None)
    play(row, *[Result.DRAW] * 3)
    here = entries(league, 1, 3)
    with pytest.raises(Refused, match="player #3 cannot be paired in round 2"):
        pair_next_round(league, by=None, present=here)


def test_a_late_entry_is_paired_from_its_first_round_on(league: Stage) -> None:
    Entry.objects.filter(pk=entry(league, 6).pk).update(first_round=2)
    row = first_round(league, Result.DRAW, Result.DRAW)
    assert not Seat.objects.filter(round=row, entry__number=6).exists()
    assert 6 in {number for board in boards_of(pair_next_round(league, by=None)) for number in board}


def test_a_round_needs_two_who_are_there_and_ways_to_be_absent_are_known(league: Stage) -> None:
    for here in ([], entries(league, 3)):
        with pytest.raises(Refused, match="at least two players"):
            pair_next_round(league, by=None, present=here)
    for kind in ("pab", "ill"):
        with pytest.raises(Refused, match="no way to be absent"):
            pair_next_round(league, by=None, present=entries(league, 1, 2), absent={entry(league, 3).pk: kind})


# --- when it is not its turn ----------------------------------------------------------------------------------
def test_open_boards_hold_the_next_round_up_are_named_and_count_as_draws(
    league: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    first_round(league, Result.BLACK_WINS)
    for most, named in ((2, "(round 1, board 2; round 1, board 3)"), (1, "(round 1, board 2; …)")):
        monkeypatch.setattr("tournaments.rounds.services.next_round.MOST_NAMED", most)
        with pytest.raises(Refused, match=re.escape(named)):
            pair_next_round(league, by=None)
    assert open_boards(league, 2) == [(1, 2), (1, 3)]
    drawn = (Meeting(1, 3, 4, Result.DRAW), Meeting(1, 5, 6, Result.DRAW))
    assert pairing_field(league, 2, []).meetings == (Meeting(1, 1, 2, Result.BLACK_WINS), *drawn)


def test_an_adjourned_game_counts_as_a_draw_for_the_pairing_only(league: Stage) -> None:
    row = first_round(league, Result.BLACK_WINS, Result.ADJOURNED, Result.WHITE_WINS)
    with pytest.raises(Refused, match="round 1, board 2"):
        pair_next_round(league, by=None)
    second = pair_next_round(league, by=None, pair_anyway=True)
    assert boards_of(second) == [(2, 5), (3, 4), (1, 6)], "3 and 4 stand between the winners and the losers"
    assert Game.objects.get(pairing__round=row, pairing__board=2).result == Result.ADJOURNED


def test_what_cannot_be_paired_is_refused_with_its_sentence(league: Stage) -> None:
    """Formats of another way, a pair the engine cannot part, an entry without number, an event that is over."""
    with pytest.raises(Refused, match="one by one"):
        pair_all_rounds(league, by=None)
    robin = factory.stage_of(factory.make_round_robin(factory.make_players(4)))
    rounds = Round.objects.count()
    one, two = entries(league, 1, 2)
    ProhibitedPair.objects.create(tournament=league.tournament, first=one, second=two)
    for stage, words in (
        (robin, "does not make its rounds one by one"),
        (make_league(4, system="by-hand", name="By hand"), "paired by hand"),
        (league, "not to meet"),
    ):
        with pytest.raises(Refused, match=words):
            pair_next_round(stage, by=None)
    Entry.objects.filter(pk=entry(league, 6).pk).update(number=None)
    with pytest.raises(Refused, match="draw lots or sort by rating"):
        pair_next_round(league, by=None)
    Tournament.objects.filter(pk=league.tournament.pk).update(closed=True)
    with pytest.raises(Refused, match="The event is over"):
        pair_next_round(league, by=None)
    assert Round.objects.count() == rounds


def test_a_real_keizer_league_pairs_three_evenings(standard: RatingList) -> None:
    stage = make_league(6, system="keizer")
    for number in range(1, 4):
        row = pair_next_round(stage, by=None, present=entries(stage, 1, 2, 3, 4, 5), publish=True)
        assert row.number == number
        assert len(boards_of(row)) == 2
        play(row, Result.WHITE_WINS, Result.DRAW)
    assert len({frozenset(board) for row in Round.objects.all() for board in boards_of(row)}) >= 5


# --- the field ------------------------------------------------------------------------------------------------
def test_the_field_knows_byes_with_their_kind_and_points(league: Stage) -> None:
    row = pair_next_round(league, by=None, present=entries(league, 1, 2, 3), absent={entry(league, 4).pk: "half"})
    publish_round(row.pk, by=None)
    play(row, Result.DRAW)
    field = pairing_field(league, 2, [entry(league, 1).pk, entry(league, 4).pk])
    assert set(field.byes) == {Bye(1, 3, 2, "pab"), Bye(1, 4, 1, "half"), Bye(1, 5, 0, "zero"), Bye(1, 6, 0, "zero")}
    assert (field.players, field.present, field.round) == ((1, 2, 3, 4, 5, 6), {1, 4}, 2)
    for worth, points in {"": 2, "win": 2, "draw": 1, "loss": 0}.items():
        Tournament.objects.update(allocated_bye=worth)
        stage = Stage.objects.select_related("tournament").get(pk=league.pk)
        assert Bye(1, 3, points, "pab") in pairing_field(stage, 2, []).byes, worth


def test_the_armageddon_game_after_a_draw_decides_a_meeting(league: Stage) -> None:
    Tournament.objects.update(point_system="armageddon")
    stage = Stage.objects.select_related("tournament").get(pk=league.pk)
    row = first_round(stage, Result.DRAW)
    armageddon = Game.objects.get(pairing__round=row, number=2)
    Game.objects.filter(pk=armageddon.pk).update(result="0-1", played_on=factory.MONDAY, sequence=999)
    assert pairing_field(stage, 2, []).meetings[0] == Meeting(1, 1, 2, Result.DRAW, Result.BLACK_WINS)
    assert len(pairing_field(stage, 2, []).meetings) == 3


def test_rounds_of_a_later_part_count_on(league: Stage) -> None:
    first_round(league, *[Result.DRAW] * 3)
    Entry.objects.filter(pk=entry(league, 6).pk).update(withdrawn=True)
    rules = {"pairing_system": Dutch.key, "settings": {"rounds": 1}}
    final = Stage.objects.create(tournament=league.tournament, order=2, part=2, **rules)
    assert next_number(final) == 2
    row = pair_next_round(final, by=None)
    assert row.number == 2
    assert pairing_field(final, 2, []).round == 1, "the engine counts from the stage's own first round"
    field = pairing_field(final, 3, [])
    assert [each.round for each in (*field.meetings, *field.byes)] == [1, 1, 1]


def test_games_are_rated_in_the_pool_of_the_stage_where_it_has_one(league: Stage) -> None:
    Stage.objects.update(pool="rapid")
    pair_next_round(Stage.objects.select_related("tournament").get(pk=league.pk), by=None)
    assert set(Game.objects.values_list("pool", flat=True)) == {"rapid"}


def test_the_next_round_is_to_be_made_until_the_last_while_the_event_is_awake(league: Stage) -> None:
    first_round(league, *[Result.DRAW] * 3)

    def numbers(days: int = 0) -> list[int]:
        return [due.number for due in rounds_to_make(factory.MONDAY + timedelta(days=days))]

    Stage.objects.update(pairing_system=Dutch.key, settings={"rounds": 2})
    Round.objects.update(planned_on=factory.MONDAY)
    assert (numbers(), numbers(60), numbers(61)) == ([2], [2], [])
    Stage.objects.update(settings={"rounds": 1})
    assert numbers() == []
    Stage.objects.update(settings={"rounds": 2})
    Tournament.objects.update(closed=True)
    assert numbers() == []


def test_a_stage_with_its_own_field_pairs_only_that(league: Stage) -> None:
    league.takes_everybody = False
    league.save()
    for own, number in enumerate((6, 2, 4, 3), start=1):
        league.field.create(entry=entry(league, number), number=own)
    assert boards_of(pair_next_round(league, by=None)) == [(6, 2), (4, 3)]
    league.field.get(number=1).delete()
    assert pairing_field(league, 2, []).meetings == (Meeting(1, 3, 4, Result.DRAW),), "White of the other is out"


def test_a_round_of_sixty_asks_as_much_as_one_of_six(league: Stage) -> None:
    counts = []
    for stage in (league, make_league(60, name="Large")):
        with CaptureQueriesContext(connection) as queries:
            propose_round(stage)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 12


@pytest.mark.extended
@examples(50)
@given(
    evenings=st.lists(st.sets(st.integers(1, 7), min_size=2), min_size=1, max_size=4),
    leaves=st.dictionaries(st.integers(1, 7), st.integers(1, 4), max_size=3),
)
def test_everybody_sits_once_and_whoever_left_nowhere(
    league: Stage, evenings: list[set[int]], leaves: dict[int, int]
) -> None:
    """Whatever evenings come: each who can play sits once, whoever left nowhere, and no two meet on two boards."""
    with databases.rolled_back():
        stage = make_league(7)
        for number, here in enumerate(evenings, start=1):
            gone = {player for player, since in leaves.items() if since <= number}
            stage.tournament.entries.filter(number__in=gone).update(withdrawn=True)
            if len(here - gone) < 2:
                return
            row = pair_next_round(stage, by=None, present=entries(stage, *(here - gone)), publish=True)
            seated = sorted(Seat.objects.filter(round=row).values_list("entry__number", flat=True))
            assert seated == sorted(set(range(1, 8)) - gone)
            assert {p for board in boards_of(row) for p in board} <= here - gone
            play(row, *[Result.WHITE_WINS] * 3)
