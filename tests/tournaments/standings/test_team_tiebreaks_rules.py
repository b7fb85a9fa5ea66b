"""Tie-breaks of teams, article by article, on matches small enough to be counted by hand."""

from fractions import Fraction

import pytest

from tests.tournaments.standings.team_events import event, match, numbers, places, rows
from tournaments.standings.crosstable import build_crosstable
from tournaments.standings.points import point_system
from tournaments.standings.team_contest import team_contest
from tournaments.standings.team_event import TeamEvent, TeamPenalty, TeamScoring
from tournaments.standings.team_tiebreaks import team_tiebreak
from tournaments.standings.tiebreaks import Contest, Part, PlayerTiebreak, Worth

# Exercises 46 to 48: teams 11 and 14 drew with 1 ½ ½ 0.
DRAWN = event(match(1, 1, 2, "1==0"))
SCORING = TeamScoring(4)


# --- boards (art. 12) ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("code", ["BC", "TBR", "BBE", "BERLIN", "EDEBT", "EDEBB", "EDET", "EDEB"])
def test_the_higher_boards_decide_a_drawn_match(code: str) -> None:
    assert places(DRAWN, code) == [(1, 1), (2, 2)]


def test_board_count_of_a_drawn_match() -> None:
    """1 + 1 + 1½ against 1 + 1½ + 4."""
    assert numbers(DRAWN, "BC") == {1: Fraction("3.5"), 2: Fraction("6.5")}
    (first, _second) = rows(DRAWN, "BC")
    assert first.tiebreaks[0] is not None
    assert first.tiebreaks[0].parts[2] == Part(0, 0, Fraction("1.5"), (Fraction(3), Fraction("0.5")))


def test_board_count_compares_only_teams_with_equal_game_points() -> None:
    """Three teams with 2 match points; those with 2 and 2½ game points are not compared."""
    won = event(match(1, 1, 2, "1100", ruled=(4, 0)), match(2, 3, 4, "0=11"), match(3, 2, 4, "0011", ruled=(4, 0)))
    assert places(won, "BC") == [(1, 1), (1, 2), (1, 3), (4, 4)]
    assert numbers(won, "BC")[1] == 3


def test_bottom_boards_out_drops_one_board_more_where_it_is_level() -> None:
    """0 1 ½ ½ against 1 0 ½ ½ is 1½ without board 4, 1 without 3 and 4, then 0 against 1."""
    found = event(match(1, 1, 2, "01=="))
    assert places(found, "BBE") == [(1, 2), (2, 1)]
    assert places(event(match(1, 1, 2, "===="), boards=4), "BBE") == [(1, 1), (1, 2)]


def test_an_allocated_bye_counts_as_a_win_on_every_board_whatever_it_brought() -> None:
    free = event(match(1, 1, 2, "1==0"), teams=3, byes=(SCORING.bye(1, 3, "pab"),), swiss=True)
    assert rows(free)[0].score.game_points == 4, "a draw's points"
    assert numbers(free, "BC")[3] == 1 + 2 + 3 + 4


def test_defaulted_boards_are_ordinary_ones() -> None:
    assert numbers(event(match(1, 1, 2, "+-=="), swiss=True), "BC") == {1: Fraction("4.5"), 2: Fraction("5.5")}


# --- extended direct encounter (13.3) -----------------------------------------------------------------------------
CYCLE = (match(1, 1, 2, "1110"), match(2, 2, 3, "11=0"), match(3, 3, 1, "1=10"))


def test_where_match_points_part_nobody_game_points_of_the_same_matches_do() -> None:
    """Everybody won once: 4½, 3½ and 4 game points."""
    assert places(event(*CYCLE), "DE") == [(1, 1), (1, 2), (1, 3)]
    assert places(event(*CYCLE), "EDE") == [(1, 1), (2, 3), (3, 2)]
    assert places(event(*CYCLE), "DE:GP") == places(event(*CYCLE), "EDE")


def test_the_score_that_decides_is_looked_at_first() -> None:
    """Among 1, 2 and 3 match points are 4, 2 and 0, game points 5, 5½ and 1½; the others lost to 2 and 3."""
    among = (match(1, 1, 2, "11=0"), match(2, 1, 3, "11=0"), match(3, 2, 3, "1111"))
    others = (match(1, 3, 4, "1111"), match(2, 2, 5, "1111"), match(4, 3, 5, "1111"))
    assert places(event(*among, *others), "EDE")[:3] == [(1, 1), (2, 2), (3, 3)]
    assert places(event(*among, *others), "DE:GP")[:3] == [(1, 2), (2, 1), (3, 3)]


def test_what_game_points_leave_tied_starts_again_with_match_points() -> None:
    """The arbiter ruled the matches: everybody has 2 match points. Game points put 3 first and leave 1 and 2 level;
    the match points of their own match put 2 first."""
    level = (
        match(1, 1, 2, "1100", ruled=(0, 4)),
        match(2, 1, 3, "1000", ruled=(4, 0)),
        match(3, 2, 3, "0100", ruled=(0, 4)),
    )
    assert places(event(*level), "EDE") == [(1, 3), (2, 2), (3, 1)]


def test_several_matches_against_one_team_count_as_their_mean() -> None:
    """Teams 1 and 2 won once each, with 3 and 3½ game points: 2¼ is the mean of 2."""
    twice = event(match(1, 1, 2, "1110"), match(2, 2, 1, "1=11"), match(3, 1, 3, "==10"), match(4, 2, 3, "1100"))
    second = next(row for row in rows(twice, "DE:GP") if row.team == 2)
    assert second.tiebreaks == (Worth(Fraction(1), (Part(1, 1, Fraction("2.25")),), "place"),)
    assert [team for _place, team in places(twice, "EDE")[:2]] == [2, 1]


def test_in_a_swiss_a_missing_match_leaves_tied_whom_it_could_part() -> None:
    """1 beat 2 and 3, who have not met each other and have beaten two others each."""
    sure = (match(1, 1, 2, "1110"), match(2, 1, 3, "1110"))
    others = (match(2, 2, 4, "1110"), match(3, 2, 5, "1110"), match(1, 3, 4, "1110"), match(3, 3, 6, "1110"))
    assert places(event(*sure, *others, swiss=True), "EDEBT")[:3] == [(1, 1), (2, 2), (2, 3)]


def test_a_match_without_a_game_is_no_encounter_in_a_swiss_unless_the_code_says_so() -> None:
    forfeited = (match(1, 1, 2, "++++"), match(2, 2, 3, "1111"), match(2, 1, 4, "0000"), match(3, 4, 3, "1111"))
    assert numbers(event(*forfeited, swiss=True), "EDE")[1] is None
    assert numbers(event(*forfeited, swiss=True), "EDE/P")[1] == 1
    assert numbers(event(*forfeited), "EDE")[1] == 1
    assert places(event(match(1, 1, 2, "++--"), swiss=True), "EDET") == [(1, 1), (1, 2)]
    assert places(event(match(1, 1, 2, "++--"), swiss=True), "EDET/P") == [(1, 1), (2, 2)]


# --- what unplayed matches count for (art. 15, 16) -----------------------------------------------------------------
def test_a_match_with_one_game_is_a_played_one() -> None:
    """Team 2 then missed the second round: 1 for its opponent. Without a game it is a dummy with the winner's own 4."""
    for boards, buchholz in (("+++1", 1), ("++++", 4)):
        found = event(match(1, 1, 2, boards), match(2, 1, 3, "1111"), swiss=True, edition=2023)
        assert numbers(found, "BH")[1] == buchholz


def test_a_forfeited_match_counts_as_played_where_the_code_says_so() -> None:
    """The dummy has team 1's own 2 match points, the opponent who was due none."""
    forfeited = event(match(1, 1, 2, "++++"), match(2, 2, 3, "0000"), swiss=True, edition=2023)
    assert [numbers(forfeited, code)[1] for code in ("EMMSB", "EMMSB/P", "SB/P")] == [4, 0, 0]


def test_in_a_round_robin_a_forfeited_match_counts_as_played() -> None:
    assert (
        numbers(event(match(1, 1, 2, "++++"), match(2, 2, 3, "1110"), match(3, 1, 3, "1100")), "EGGSB")[1]
        == 4 * 3 + 2 * 3
    )


# --- scores -------------------------------------------------------------------------------------------------------
def test_penalties_are_a_part_of_the_score_and_no_match() -> None:
    fined = event(*CYCLE, penalties=(TeamPenalty(1, 2, -2, -1),))
    assert places(fined) == [(1, 2), (1, 3), (3, 1)]
    (worth,) = next(row for row in rows(fined, "MPvGP") if row.team == 1).tiebreaks
    assert worth is not None
    assert worth.number == 4 == sum(part.amount for part in worth.parts)
    assert [part.amount for part in worth.parts] == [3, Fraction("1.5"), Fraction("-0.5")]
    assert numbers(fined, "EMMSB")[3] == 2 * 1
    only = event(match(1, 1, 2, "1110"), penalties=(TeamPenalty(2, 1, -2),), swiss=True)
    assert numbers(only, "FB")[1] == 1 - 1, "a drawn match less the penalty"


def test_who_left_early_is_last_and_counts_for_nobody() -> None:
    left = event(*CYCLE, match(4, 4, 1, "1000"), annulled=frozenset([4]), penalties=(TeamPenalty(4, 1, 20),))
    found = rows(left, "EDE,BC")
    assert (found[-1].place, found[-1].team, found[-1].counts) == (4, 4, False)
    assert set(found[-1].tiebreaks) == {None}
    assert numbers(left, "BC")[1] == numbers(event(*CYCLE), "BC")[1]
    for line in (team_contest(left).by_score(score).table for score in ("MP", "GP")):
        assert line[4].points == 0
    assert {row.team: row.score.match_points for row in found} == {1: 4, 2: 4, 3: 4, 4: 0}


def test_matches_are_counted_by_their_result_whichever_score_decides() -> None:
    for primary in ("MP", "GP"):
        counted = event(match(1, 1, 2, "1110"), match(2, 1, 3, "++++"), match(3, 2, 1, "1==0"), primary=primary)
        assert [numbers(counted, code)[1] for code in ("WIN", "WON", "BPG", "REP")] == [2, 1, 1, 3]
    assert TeamScoring(4, draw=0).halves(0, 0) == 1, "drawn, though a loss brings the same"


def test_individual_tiebreaks_read_the_score_that_decides_or_the_one_named() -> None:
    by_match, by_game = event(*CYCLE), event(*CYCLE, primary="GP")
    for code, twin in (("SB:MP", "EMMSB"), ("SB:GP", "EGGSB")):
        assert numbers(by_match, code) == numbers(by_match, twin) == numbers(by_game, code)
    assert numbers(by_match, "SB") == numbers(by_match, "SB:MP")
    assert numbers(by_game, "SB") == numbers(by_game, "SB:GP")
    assert numbers(by_game, "PS")[1] == 3 + 3 + Fraction("4.5")


def test_other_match_points_and_other_game_points() -> None:
    """3 – 1 – 0 for a match and for a game."""
    scoring = TeamScoring(2, point_system("football"), win=6, draw=2)
    other = event(match(1, 1, 2, "1="), match(2, 2, 3, "1="), boards=2, scoring=scoring)
    assert [row.score.match_points for row in rows(other)] == [6, 6, 0]
    assert numbers(other, "EMMSB")[1] == 9


def test_the_divisor_is_never_nothing() -> None:
    assert numbers(event(match(1, 1, 2, "1110"), swiss=True), "SSSC") == {1: 3 + 0, 2: 1 + 2}


# --- codes --------------------------------------------------------------------------------------------------------
def test_codes_that_name_nothing_are_refused() -> None:
    for code, sentence in (
        ("ESB/C1", "ESB alone names no tie-break"),
        ("EDE:GP", "EDE stands without a score"),
        ("BH:XP", "write BH:MP or BH:GP"),
        ("SSSC/K0", "“/K0” after “SSSC” says nothing"),
    ):
        with pytest.raises(ValueError, match=sentence):
            team_tiebreak(code)
    for code in ("ARO", "LOTS", "XYZ/C1"):
        with pytest.raises(KeyError):
            team_tiebreak(code)


def test_a_tiebreak_of_teams_is_not_for_players() -> None:
    points = point_system("classic")
    rule = team_tiebreak("BC")
    assert isinstance(rule, PlayerTiebreak)
    with pytest.raises(TypeError, match="contest of players"):
        rule.worth(1, Contest(build_crosstable([1], [], [], points), points, 0))


def test_nothing_played_is_nothing() -> None:
    nothing = TeamEvent((1, 2), SCORING, ())
    assert places(nothing, "EDEBT,EMMSB/C1,SSSC,BC,TBR") == [(1, 1), (1, 2)]


def test_a_match_is_won_drawn_or_lost_by_its_match_points() -> None:
    scoring = TeamScoring(2)
    pairs = ((4, 0), (0, 4), (2, 2), (0, 0), (4, 4))
    assert [scoring.halves(own, other) for own, other in pairs] == [2, 0, 1, 0, 2], "level by a ruling or a no-show"
