"""Leaving, returning and coming late in formats without a fixed table: knockout, Keizer, ladder."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from players.models import Player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.choosing import examples
from tests.tournaments.entries.entry_cases import entry_of, events, make_event, present_entries, results_of
from tournaments.entries.services.entries import enter_players, number_by_rating, remove_entry
from tournaments.entries.services.late import enter_late, late_terms
from tournaments.formats.services import Calendar, form_stages, make_rounds
from tournaments.knockouts.services.brackets import redraw_bracket
from tournaments.knockouts.services.matches import seats_of_match
from tournaments.knockouts.services.rulings import rule_match, take_ruling_back
from tournaments.models import Entry, Game, Pairing, Round, Seat, Stage, Tournament
from tournaments.presence.services import cancel_bye, request_bye
from tournaments.results.services.results import record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import publish_round
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import leaving, return_entry, returning, withdraw_entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(standard: RatingList) -> list[Player]:
    return factory.make_players(8)


# --- knockout -----------------------------------------------------------------------------------------------------
@pytest.fixture
def four(cast: list[Player]) -> Tournament:
    """1–4 and 2–3; the winners meet."""
    return factory.make_knockout(cast[:4])


def in_match(match: Pairing) -> list[int]:
    return sorted(seat.entry.number or 0 for seat in seats_of_match(match).values())


@pytest.mark.extended
def test_the_open_match_of_a_leaver_is_a_walk_over_until_he_returns(four: Tournament) -> None:
    redraw_bracket(factory.stage_of(four), by=None, reason="other")
    found = leaving(entry_of(four, 1))
    assert [row.opponent.number for row in found.walk_overs] == [4], "of the bracket that stands"
    assert found.still_open == (), "its game is not played any more"
    assert found.own.scheduled == 0, "the rule for leavers of a round robin does not matter here"
    withdraw_entry(entry_of(four, 1).pk, by=None)
    semi = factory.match_of(four, 1, 1)
    assert (semi.walk_over, semi.advanced, in_match(factory.match_of(four, 2, 1))) == (True, entry_of(four, 4), [4])
    assert events("entry.withdrawn")[0].after["matches"] == [semi.pk]
    withdraw_entry(entry_of(four, 2).pk, by=None)
    assert [row.opponent.number for row in returning(entry_of(four, 1)).walk_overs] == [4], "whoever left since"
    return_entry(entry_of(four, 2).pk, by=None)
    return_entry(entry_of(four, 1).pk, by=None)
    semi = factory.match_of(four, 1, 1)
    assert (semi.walk_over, semi.advanced, in_match(factory.match_of(four, 2, 1))) == (False, None, [])
    factory.play_match(semi, Result.WHITE_WINS)
    assert in_match(factory.match_of(four, 2, 1)) == [1]


def test_once_the_next_match_was_played_the_walk_over_stays(four: Tournament) -> None:
    withdraw_entry(entry_of(four, 1).pk, by=None)
    factory.play_match(factory.match_of(four, 1, 2), Result.WHITE_WINS)
    factory.play_match(factory.match_of(four, 2, 1), Result.WHITE_WINS)
    assert returning(entry_of(four, 1)).walk_overs == ()
    return_entry(entry_of(four, 1).pk, by=None)
    assert factory.match_of(four, 1, 1).walk_over


def test_a_walk_over_of_the_arbiter_stays_when_its_loser_leaves_and_returns(cast: list[Player]) -> None:
    cup = factory.make_knockout(cast[:4], system="double-elimination")
    first = factory.match_of(cup, 1, 1)
    rule_match(first.pk, advanced=entry_of(cup, 4).pk, walk_over=True, by=None)
    factory.play_match(factory.match_of(cup, 1, 2), Result.WHITE_WINS)
    withdraw_entry(entry_of(cup, 1).pk, by=None)
    assert [row.match for row in returning(entry_of(cup, 1)).walk_overs] == [factory.match_of(cup, 2, 2)]
    return_entry(entry_of(cup, 1).pk, by=None)
    first.refresh_from_db()
    assert (first.walk_over, first.advanced) == (True, entry_of(cup, 4))


def test_a_return_takes_back_walk_overs_of_the_leaver_alone_and_none_that_was_decided_anew(
    cast: list[Player], four: Tournament
) -> None:
    withdraw_entry(entry_of(four, 1).pk, by=None)
    other = factory.make_knockout(cast[:4], name="Other Cup")
    factory.play_match(factory.match_of(other, 1, 1), Result.WHITE_WINS)
    withdraw_entry(entry_of(other, 1).pk, by=None)
    factory.play_match(factory.match_of(other, 1, 2), Result.WHITE_WINS)
    assert factory.match_of(other, 2, 1).walk_over
    semi = factory.match_of(four, 1, 1)
    assert [row.match for row in returning(entry_of(four, 1)).walk_overs] == [semi]
    take_ruling_back(semi.pk, by=None)
    rule_match(semi.pk, advanced=entry_of(four, 4).pk, by=None)
    assert returning(entry_of(four, 1)).walk_overs == ()


def test_a_leaver_plays_for_no_third_place_and_nobody_comes_late(cast: list[Player], four: Tournament) -> None:
    cup = factory.make_knockout(cast[:4], third_place=True)
    withdraw_entry(entry_of(cup, 1).pk, by=None)
    assert not Seat.objects.filter(entry__number=1, round__number=2).exists()
    with pytest.raises(Refused, match="delete the rounds, enter the player and draw anew"):
        enter_late(four, [cast[4]], by=None)
    assert four.entries.count() == 4


def test_whoever_is_out_moves_no_bracket_and_a_match_without_opponent_is_left(four: Tournament) -> None:
    factory.play_match(factory.match_of(four, 1, 1), Result.WHITE_WINS)
    withdraw_entry(entry_of(four, 4).pk, by=None)
    assert in_match(factory.match_of(four, 2, 1)) == [1]
    assert not Pairing.objects.filter(walk_over=True).exists()
    found = leaving(entry_of(four, 1))
    assert (found.walk_overs, [match.pk for match in found.waiting]) == ((), [factory.match_of(four, 2, 1).pk])
    withdraw_entry(entry_of(four, 1).pk, by=None)
    assert entry_of(four, 1).withdrawn


# --- ladder -------------------------------------------------------------------------------------------------------
@pytest.fixture
def ladder(cast: list[Player]) -> Tournament:
    return make_event(cast[:3], "ladder")


def feet(event: Tournament) -> list[tuple[int | None, int]]:
    return list(Entry.objects.filter(tournament=event).order_by("number").values_list("number", "player__number"))


def play_free(event: Tournament, white: int, black: int) -> None:
    pairing = Pairing.objects.create(stage=factory.stage_of(event))
    players = {"white": entry_of(event, white).player, "black": entry_of(event, black).player}
    game = Game.objects.create(tournament=event, pairing=pairing, pool=event.pool, **players)
    record_result(game=game.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=None)


def test_on_a_ladder_people_come_at_any_time_at_its_foot(ladder: Tournament, cast: list[Player]) -> None:
    with pytest.raises(Refused, match="nobody is late"):
        enter_late(ladder, [cast[4]], by=None)
    assert "no rounds" in late_terms(ladder).says
    play_free(ladder, 2, 1)
    enter_players(ladder, cast[3:5], by=None)
    assert feet(ladder) == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]


def test_games_move_the_places_of_a_ladder_and_whoever_played_is_not_removed(ladder: Tournament) -> None:
    number_by_rating(factory.stage_of(ladder), by=None)
    play_free(ladder, 2, 1)
    with pytest.raises(Refused, match="they move the places"):
        number_by_rating(factory.stage_of(ladder), by=None)
    with pytest.raises(Refused, match="Player #1 has games"):
        remove_entry(entry_of(ladder, 1).pk, by=None)
    withdraw_entry(entry_of(ladder, 1).pk, by=None)
    return_entry(entry_of(ladder, 1).pk, by=None)
    assert not entry_of(ladder, 1).withdrawn
    remove_entry(entry_of(ladder, 3).pk, by=None)  # games of others hold nobody back


def test_an_entry_taken_back_leaves_no_gap_on_a_ladder(ladder: Tournament) -> None:
    remove_entry(entry_of(ladder, 1).pk, by=None)
    assert feet(ladder) == [(1, 2), (2, 3)]


# --- groups -------------------------------------------------------------------------------------------------------
@pytest.fixture
def groups(cast: list[Player]) -> Tournament:
    """Two groups of three, then a knockout of four; the rounds of the groups are made."""
    event = make_event(cast[:6], "groups")
    for stage in form_stages(Stage.objects.get(tournament=event), by=None, seed=1)[:2]:
        make_rounds(stage, by=None, calendar=Calendar(factory.MONDAY))
    return event


def test_formed_groups_take_nobody_in_and_who_leaves_forfeits(groups: Tournament, cast: list[Player]) -> None:
    with pytest.raises(Refused, match="groups are formed"):
        enter_late(groups, [cast[6]], by=None)
    found = leaving(entry_of(groups, 1))
    assert (found.own.scheduled, len(found.forfeits), found.walk_overs) == (2, 2, ())
    withdraw_entry(entry_of(groups, 1).pk, by=None)
    assert results_of(groups, 1) == ["−", "−"]


def test_formed_groups_hold_entries_and_numbers_before_there_are_rounds(cast: list[Player]) -> None:
    event = make_event(cast[:6], "groups")
    plan = Stage.objects.get(tournament=event)
    form_stages(plan, by=None, seed=1)
    for change in (
        lambda: enter_players(event, cast[6:], by=None),
        lambda: remove_entry(entry_of(event, 1).pk, by=None),
        lambda: number_by_rating(plan, by=None),
    ):
        with pytest.raises(Refused, match="take them apart"):
            change()


# --- Keizer -------------------------------------------------------------------------------------------------------
def test_under_keizer_excuses_are_not_limited(cast: list[Player]) -> None:
    event = make_event(cast[:4], "keizer")
    for number in range(1, 6):
        request_bye(entry_of(event, 1).pk, number, "half", by=None)
    assert entry_of(event, 1).bye_requests.count() == 5


def test_a_draft_holds_only_those_who_are_in_it(cast: list[Player]) -> None:
    event = make_event(cast[:5], "keizer")
    stage = factory.stage_of(event)
    publish_round(pair_next_round(stage, by=None).pk, by=None)
    assert leaving(entry_of(event, 1)).problems == (), "round 1 is none any more"
    pair_next_round(stage, by=None, pair_anyway=True)
    enter_late(event, [cast[5]], by=None)
    found = leaving(event.entries.get(player=cast[5]))
    assert (found.problems, found.last_round) == ((), 1)
    found = leaving(entry_of(event, 2))
    assert "Round 2 is a draft" in found.problems[0]
    rounds = [game.pairing.round for game in found.still_open]
    assert [row.number for row in rounds if row] == [1], "a draft has no game to settle"


MOVES = st.lists(
    st.tuples(st.sampled_from(["pair", "leave", "return", "bye", "cancel", "late"]), st.integers(1, 6)), max_size=14
)


class WhoeverLeftIsNotPaired(TestCase):
    """In whatever order people leave, return, miss rounds or come late: nobody stands in a round made while away."""

    @classmethod
    def setUpTestData(cls) -> None:
        factory.make_club()
        factory.make_list()
        factory.make_players(8)

    @pytest.mark.extended
    @examples(50)
    @given(MOVES)
    def test_a_withdrawn_player_never_appears_in_a_later_round(self, moves: list[tuple[str, int]]) -> None:
        players = list(Player.objects.order_by("number"))
        event = make_event(players[:6], "keizer")
        stage, spare = factory.stage_of(event), players[6:]
        for move, number in [("pair", 1), *moves, ("pair", 1)]:
            self._move(event, move, number, spare)
            if move == "pair":
                made = stage.rounds.count()
                assert not (self.paired and Seat.objects.filter(round__number=made, entry__withdrawn=True).exists())
        for entry in event.entries.all():
            assert not Seat.objects.filter(entry=entry, round__number__lt=entry.first_round).exists()
        assert all(later > earlier for earlier, later in pairwise(stage.rounds.values_list("number", flat=True)))

    def _move(self, event: Tournament, move: str, number: int, spare: list[Player]) -> None:
        entry, stage = entry_of(event, number), factory.stage_of(event)
        self.paired = False
        try:
            if move == "pair":
                here = len(present_entries(stage, stage.rounds.count() + 1))
                if here > 1:
                    row = pair_next_round(stage, by=None, pair_anyway=True)
                    publish_round(row.pk, by=None)
                    self.paired = True
            elif move == "leave":
                withdraw_entry(entry.pk, by=None)
            elif move == "return":
                return_entry(entry.pk, by=None)
            elif move == "bye":
                request_bye(entry.pk, Round.objects.filter(stage=stage).count() + 1, "half", by=None)
            elif move == "cancel":
                cancel_bye(entry.pk, Round.objects.filter(stage=stage).count() + 1, by=None)
            elif spare:
                enter_late(event, [spare.pop()], by=None)
        except Refused:
            assert move != "pair"
