"""What do I need, tie-breaks included: as the standings themselves rank every outcome."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.forecast.playing_cases import by_trying, needs_by_trying
from tests.tournaments.forecast.races import both_ties
from tournaments.forecast import everybody
from tournaments.forecast.clinching import Ties, TooManyWaysError
from tournaments.forecast.everybody import needs_of_all
from tournaments.forecast.needs import Line, Needs, Verdict, needs_on_points
from tournaments.forecast.outcomes import Goal, Running, all_outcomes
from tournaments.pairing.round_robin import berger_table
from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import Result, point_system
from tournaments.standings.tiebreaks import tiebreaks_of

SURE, HELP, LOST, OPEN = Verdict.SURE, Verdict.HELP, Verdict.LOST, Verdict.OPEN
CODES = ("", "DE", "SB", "DE, SB, WIN", "KS, BWG, LOTS", "WIN, SB", "PS")


def event(results: str, codes: str = "", points: str = "classic", players: int = 4) -> Running:
    """A round robin by the Berger table: its results in order of boards, 1 = 0 seen from White, "." to come."""
    shown = {"1": Result.WHITE_WINS, "=": Result.DRAW, "0": Result.BLACK_WINS, ".": Result.OPEN}
    boards = [(number, pair) for number, pairs in enumerate(berger_table(players), 1) for pair in pairs]
    meetings = [
        Meeting(number, white, black, shown[mark])
        for (number, (white, black)), mark in zip(boards, results.replace(" ", ""), strict=True)
    ]
    return Running(tuple(range(1, players + 1)), tuple(meetings), point_system(points), tiebreaks_of(codes), lots=1)


def needs_with_tiebreaks(one: Running, player: int, top: int = 1, ties: Ties = Ties.SHARED) -> Needs:
    return needs_of_all(one, [player], top, ties)[player]


def verdicts(needs: Needs) -> dict[tuple[int, ...], Verdict]:
    return {line.own: line.verdict for line in needs.lines}


@st.composite
def running(draw: st.DrawFn, points: str = "classic", to_come: int = 4) -> Running:
    """Four players; up to four games are to come, anywhere in the event."""
    open_games = draw(st.sets(st.integers(0, 5), max_size=to_come))
    marks = "".join("." if number in open_games else draw(st.sampled_from("1=0")) for number in range(6))
    return event(marks, draw(st.sampled_from(CODES)), points)


# Berger table of four: 1–4 2–3 | 4–3 1–2 | 2–4 3–1. Before the last round 1 has two wins, 2 and 4 one each.
#   1 beat 4 and 2; 2 beat 3; 4 beat 3.
LAST = "11 11 .."


def test_the_direct_encounter_decides_for_the_leader_and_without_it_level_stays_level() -> None:
    # 1 may lose to 3 and be caught by 2 or by 4: he beat both.
    assert verdicts(needs_with_tiebreaks(event(LAST, "DE"), 1, ties=Ties.ALONE)) == {(2,): SURE, (1,): SURE, (0,): SURE}
    assert verdicts(needs_on_points(event(LAST).race(), 1, ties=Ties.ALONE))[0,] is HELP
    assert verdicts(needs_with_tiebreaks(event(LAST), 1, ties=Ties.ALONE))[0,] is HELP
    assert verdicts(needs_with_tiebreaks(event(LAST), 1, ties=Ties.SHARED))[0,] is SURE
    assert needs_with_tiebreaks(event(LAST), 2).verdict is HELP, "level is enough, and there is no tie-break"
    assert needs_with_tiebreaks(event(LAST, "DE"), 2).verdict is LOST
    assert needs_with_tiebreaks(event(LAST, "DE"), 2, top=2).verdict is HELP


@pytest.mark.extended
@given(one=running(), top=st.integers(1, 3), ties=both_ties, player=st.integers(1, 4))
def test_every_line_is_that_of_ranking_every_outcome(one: Running, top: int, ties: Ties, player: int) -> None:
    assert needs_with_tiebreaks(one, player, top, ties) == needs_by_trying(one, player, top, ties)


@given(one=running(), top=st.integers(1, 3), ties=both_ties, player=st.integers(1, 4))
def test_without_tiebreaks_it_is_what_the_points_say(one: Running, top: int, ties: Ties, player: int) -> None:
    bare = replace(one, tiebreaks=())
    assert needs_with_tiebreaks(bare, player, top, ties) == needs_on_points(bare.race(), player, top, ties)


@given(one=running("football", 3), ties=both_ties, player=st.integers(1, 4))
def test_three_points_a_win_are_tried_out(one: Running, ties: Ties, player: int) -> None:
    assert not one.is_race
    assert needs_with_tiebreaks(one, player, 1, ties) == needs_by_trying(one, player, 1, ties)


def test_a_win_is_worth_more_in_football_and_an_armageddon_game_ends_in_four_ways() -> None:
    # 1 has 6 football points, 2 and 4 have 3 each: a win takes them level, as in chess; a draw is nothing like half.
    assert needs_with_tiebreaks(event(LAST, points="football"), 4).least == 2
    assert event("1= =. ..", points="football").race().points == {1: 3, 2: 1, 3: 2, 4: 1}
    one = event("11 11 ..", points="armageddon")
    assert len(list(all_outcomes(one))) == 16
    assert len(list(all_outcomes(event("11 11 =.", points="armageddon")))) == 8
    assert by_trying(one, 1, 1, Ties.SHARED) is SURE
    assert needs_with_tiebreaks(one, 1).lines == (Line((), SURE),), "of four ways there is no list of own results"


def test_an_adjourned_game_is_to_come_and_those_of_somebody_who_left_are_not() -> None:
    one = replace(event("11 11 .."), annulled=frozenset({3}))
    assert one.race().games == ((2, 4),)
    assert 3 not in one.race().points
    assert verdicts(needs_with_tiebreaks(one, 1)) == {(): SURE}
    done = replace(event("11 11 01"), annulled=frozenset({3}))
    assert Goal(2, 3, Ties.SHARED).on_points(done.table(done.meetings)) is SURE, "nobody counts behind 1 and 4"
    with pytest.raises(KeyError):
        needs_with_tiebreaks(one, 3)
    one = event("11 11 1.")
    adjourned = replace(one, meetings=(*one.meetings[:-1], replace(one.meetings[-1], result=Result.ADJOURNED)))
    assert adjourned.race() == one.race()


def test_with_too_many_outcomes_the_verdict_stays_open_or_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    one = event(LAST, "DE")
    assert needs_with_tiebreaks(one, 2).verdict is LOST
    monkeypatch.setattr(everybody, "MOST_ENDINGS", 8)
    assert needs_with_tiebreaks(one, 2).verdict is OPEN
    assert needs_with_tiebreaks(one, 3).verdict is LOST, "no tie-break can help him"
    with pytest.raises(TooManyWaysError, match="9 own games"):
        needs_with_tiebreaks(event("." * 45, players=10), 1)
