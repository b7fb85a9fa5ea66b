"""Rounds without a game: articles 15 and 16, clause by clause."""

from fractions import Fraction

import pytest

from tests.tournaments.crosstables import Rows, contest_with, plain, swiss, unrated, value, values, worths
from tests.tournaments.interchange.trf_files import report, row
from tests.tournaments.real_events import CLASSIC
from tournaments.interchange.standings_of_report import contest_of
from tournaments.standings.crosstable import Bye, Meeting, build_crosstable
from tournaments.standings.points import POINT_SYSTEMS, Result, point_system
from tournaments.standings.tiebreaks import Contest
from tournaments.standings.tiebreaks.parts import DUMMY, DUMMY_DRAWS, DUMMY_DUE, MISSED_AT_THE_END
from tournaments.standings.tiebreaks.unplayed import Category, adjusted_scores, as_if_drawn, meant_rounds, turns_of

FOOTBALL = point_system("football")


def categories(contest: Contest, player: int) -> list[Category]:
    return [turn.category for turn in turns_of(contest)[player]]


# --- 16.2: what kind of round it was ------------------------------------------------------------------------------
def test_a_requested_bye_is_at_the_end_where_only_absence_follows() -> None:
    theirs = {"2 w 1": "2 b 0", "2 w +": "2 b -", "2 w -": "2 b +"}
    given, played, requested, away = Category.GIVEN, Category.PLAYED, Category.REQUESTED, Category.AWAY_AT_THE_END
    for rounds, *kinds in (
        ("- - U|2 w 1", given, played),
        ("- - F|2 w 1", given, played),
        ("- - H|2 w 1", requested, played),
        ("- - Z|2 w 1", requested, played),
        ("- - H|- - Z", away, away),
        ("- - H|2 w +", requested, Category.FORFEIT_WIN),
        ("- - H|2 w -", away, Category.FORFEIT_LOSS),
        ("- - H|- - U", requested, given),
    ):
        second = rounds.split("|")[1]
        opposite = theirs.get(second, "3 w 1").replace("2 b", "1 b")
        third = "- - Z|- - Z" if second in theirs else "- - Z|2 b 0"
        assert categories(swiss(unrated(rounds, f"- - Z|{opposite}", third)), 1) == kinds, rounds


def test_whoever_is_in_no_row_of_a_round_has_a_zero_point_bye_there() -> None:
    table = build_crosstable([1, 2, 3], [Meeting(1, 1, 2, Result.DRAW), Meeting(2, 1, 3, Result.DRAW)], [], CLASSIC)
    assert categories(contest_with(table, swiss=True), 2) == [Category.PLAYED, Category.AWAY_AT_THE_END]
    assert categories(contest_with(table, swiss=True), 3) == [Category.REQUESTED, Category.PLAYED]
    assert categories(contest_with(table), 2) == [Category.PLAYED], "a round robin has free days"


def test_a_game_still_open_is_no_round_yet_but_shows_that_somebody_is_there() -> None:
    meetings = [Meeting(1, 1, 2, Result.WHITE_WINS), Meeting(2, 1, 3, Result.OPEN)]
    contest = contest_with(build_crosstable([1, 2, 3], meetings, [Bye(1, 3, 1, "half")], CLASSIC), swiss=True)
    assert categories(contest, 1) == [Category.PLAYED]
    assert categories(contest, 3) == [Category.REQUESTED], "he plays the round after"
    assert value(contest, "BH", 1) == 0.5, "player 2 stayed away after it: a draw"


# --- 16.3: how opponents see it -----------------------------------------------------------------------------------
def test_only_absence_at_the_end_counts_as_draws_for_the_opponents() -> None:
    rows = unrated(
        "2 w 1|3 w -|- - Z", "1 b 0|- - H|- - H", "- - Z|1 b +|- - U", "- - Z|- - Z|5 w =", "- - Z|- - Z|4 b ="
    )
    contest = swiss(rows)
    assert {player: line.points for player, line in contest.table.items()} == {1: 2, 2: 2, 3: 4, 4: 1, 5: 1}
    assert adjusted_scores(contest) == {1: 2 + 1, 2: 2, 3: 4, 4: 1, 5: 1}


def test_an_adjusted_score_says_why_and_a_round_after_the_last_game_does_not_count_yet() -> None:
    contest = swiss(unrated("2 w 1|- - H", "1 b 0|- - Z"))
    assert (contest.rounds, adjusted_scores(contest)) == (1, {1: 2, 2: 0})
    parts = worths(swiss(unrated("2 w 1|3 w 1", "1 b 0|- - Z", "- - H|1 b 0")), "BH")[1].parts
    lines = [(part.opponent, plain(part.amount), part.note) for part in parts]
    assert lines == [(2, 0.5, MISSED_AT_THE_END), (3, 0.5, "")]


# --- 16.4: the dummy ------------------------------------------------------------------------------------------------
# Number 1 wins everything, once by forfeit; 2 came to one round only; 3 has the half-point bye, 4 the free point.
DUMMIES: Rows = unrated("2 w +|3 b 1|4 w 1", "1 b -|4 w 0|- - Z", "- - H|1 w 0|- - H", "- - U|2 b 1|1 b 0")


def dummies(edition: int) -> dict[int, list[tuple[int | float, str]]]:
    found = worths(swiss(DUMMIES, edition), "BH")
    return {player: [(plain(part.amount), part.note) for part in worth.parts if not part.opponent]
            for player, worth in found.items()}  # fmt: skip


def test_since_2026_the_dummy_has_no_more_than_the_opponent_due_or_a_draw_in_every_round() -> None:
    own = {player: [amount for amount, _note in parts] for player, parts in dummies(2023).items()}
    assert own == {1: [3], 2: [0, 0], 3: [1, 1], 4: [2]}, "until 2026 the player's own points"
    assert dummies(2026) == {
        1: [(0.5, DUMMY_DUE)],  # the opponent due: nothing, and a draw for the round missed at the end
        2: [(0, DUMMY), (0, DUMMY)],
        3: [(1, DUMMY), (1, DUMMY)],
        4: [(1.5, DUMMY_DRAWS)],  # 2 points, three rounds
    }
    parts, half = worths(swiss(DUMMIES, 2023), "SB")[3].parts, Fraction(1, 2)
    lines = [(part.round, part.factors, part.amount) for part in parts]
    assert lines == [(1, (1, half), half), (2, (3, 0), 0), (3, (1, half), half)], "of it what the round brought"


def test_three_points_for_a_win_make_the_ceiling_one_a_round() -> None:
    """The ceiling is a draw's points in every round: 3 of 3 rounds, where the player has 7."""
    meetings = [Meeting(2, 1, 2, Result.WHITE_WINS), Meeting(3, 3, 1, Result.DRAW), Meeting(1, 2, 3, Result.DRAW)]
    contest = contest_with(build_crosstable([1, 2, 3], meetings, [Bye(1, 1, 3, "pab")], FOOTBALL), FOOTBALL, swiss=True)
    assert contest.table[1].points == 7
    assert worths(contest, "BH")[1].parts[0].amount == 3
    old = contest_with(contest.table, FOOTBALL, swiss=True, edition=2023)
    assert worths(old, "BH")[1].parts[0].amount == 7


# --- 16.5: the cuts -------------------------------------------------------------------------------------------------
def test_a_cut_takes_the_lowest_round_missed_on_purpose_even_if_an_opponent_is_lower() -> None:
    """2 has 2 points and a dummy of 1½ (the ceiling); his opponent 3 has nothing."""
    contest = swiss(unrated("2 w 0|3 w 1|4 b =", "1 b 1|- - H|3 w 1", "4 w 0|1 b 0|2 b 0", "3 b 1|- - U|1 w ="))
    parts = {part.round: (plain(part.amount), part.cut) for part in worths(contest, "BH/C1")[2].parts}
    assert parts == {1: (1.5, False), 2: (1.5, True), 3: (0, False)}
    again = {part.round: part.cut for part in worths(contest, "BH/C2")[2].parts}
    assert again == {1: False, 2: True, 3: True}, "nothing of that kind is left: the lowest"
    contest = swiss(unrated("2 w 1|3 w 1", "1 b 0|- - U", "- - Z|1 b 0"))
    assert [part.cut for part in worths(contest, "BH/C1")[2].parts] == [False, True], "none for want of an opponent"
    assert value(contest, "BH", 2) == 2 + 1


def test_sonneborn_berger_cuts_the_higher_of_the_two_products() -> None:
    """Number 4 of FIDE's exercise: since 2026 his own product is lower than that of his lowest opponent, and stays."""
    rows = unrated("2 w 1|- - H|3 b =", "1 b 0|3 w 0|- - U", "- - U|2 b 1|1 w =")
    parts = worths(swiss(rows), "SB/C1")[1].parts
    lines = [(part.opponent, plain(part.amount), part.cut) for part in parts]
    assert lines == [(2, 1, True), (0, 0.75, False), (3, 1.25, False)]


def test_medians_cut_the_least_first_and_then_the_most() -> None:
    contest = swiss(unrated("2 w =|3 w =|4 w =", "1 b =|4 b 1|3 w 1", "4 w =|1 b =|2 b 0", "3 b =|2 w 0|1 b ="))
    parts = {part.opponent: (plain(part.amount), part.cut) for part in worths(contest, "BH/M1")[1].parts}
    assert parts == {2: (2.5, True), 3: (1, True), 4: (1, False)}
    assert value(contest, "BH/M1", 1) == 1
    assert value(contest, "BH/M2", 1) == 0, "nothing is left"


# --- forfeits as played, the last round as drawn --------------------------------------------------------------------
def test_forfeits_as_played_leave_byes_to_the_dummy() -> None:
    contest = swiss(DUMMIES)
    assert value(contest, "BH/P", 1) == 0.5 + 1 + 2
    assert [part.opponent for part in worths(contest, "BH/P")[3].parts] == [0, 1, 0]
    assert [part.opponent for part in worths(contest, "BH/P")[2].parts] == [1, 4, 0]


def test_an_open_game_of_the_last_round_is_drawn_for_fore_buchholz() -> None:
    meetings = [Meeting(1, 1, 2, Result.WHITE_WINS), Meeting(2, 2, 1, Result.OPEN)]
    contest = contest_with(build_crosstable([1, 2], meetings, [], CLASSIC), swiss=True)
    assert adjusted_scores(as_if_drawn(contest)) == {1: 3, 2: 1}
    assert values(contest, "FB") == {1: 1, 2: 3}
    assert as_if_drawn(contest) is as_if_drawn(contest), "worked out once"


def test_a_forfeit_of_the_last_round_is_drawn_and_no_longer_missed() -> None:
    rows = unrated("2 w 1|3 w -", "1 b 0|- - U", "- - Z|1 b +")
    contest = swiss(rows)
    assert [meant.voluntary for meant in meant_rounds(contest)[1]] == [False, True]
    assert [meant.voluntary for meant in meant_rounds(as_if_drawn(contest))[1]] == [False, False]
    assert value(contest, "FB", 1) == 1 + 0.5


# --- 15: round robins -----------------------------------------------------------------------------------------------
def test_in_a_round_robin_a_forfeit_counts_like_a_game_but_not_for_own_games_and_ratings() -> None:
    rows = (row(1, "2 w +|3 b ="), row(2, "1 b -|- - Z|3 w 1"), row(3, "- - Z|1 w =|2 b 0"))
    contest = contest_of(report("012 Cup", "092 Round-Robin", *rows))
    assert not contest.swiss
    assert values(contest, "SB") == {1: 1 + 0.25, 2: 0.5, 3: 0.75}
    assert values(contest, "WIN") == {1: 1, 2: 1, 3: 0}
    assert values(contest, "WON") == {1: 0, 2: 1, 3: 0}
    assert values(contest, "BPG") == {1: 1, 2: 0, 3: 1}, "the forfeited game with Black is none"
    assert values(contest, "REP") == {1: 2, 2: 1, 3: 2}


@pytest.mark.parametrize("points", POINT_SYSTEMS, ids=lambda points: points.key)
def test_without_unplayed_rounds_both_editions_agree(points: object) -> None:
    meetings = [Meeting(1, 1, 2, Result.DRAW), Meeting(2, 2, 1, Result.WHITE_WINS)]
    table = build_crosstable([1, 2], meetings, [], points)  # type: ignore[arg-type]
    for code in ("BH", "BH/C1", "SB", "SB/C1", "FB", "AOB", "PS"):
        old, new = (contest_with(table, points, swiss=True, edition=year) for year in (2023, 2026))  # type: ignore[arg-type]
        assert worths(old, code) == worths(new, code)
