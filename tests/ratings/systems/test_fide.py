"""FIDE's rating of events: published changes row by row, the 400-point rule by date, newcomers, the floor."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import fide
from ratings.systems.base import Contribution, Group, GroupRater, GroupRating, Move, PlayedGame, PlayerState
from ratings.systems.fide_tables import score_percent
from tests.ratings.systems.test_performance import (
    DATA,
    VARIATIONS,
    Variation,
    rows_of,
    scores_of,
    variations,
    whole_numbers,
)

TODAY = date(2026, 11, 21).toordinal()


def day(text: str) -> int:
    return date.fromisoformat(text).toordinal()


# --- what was published ------------------------------------------------------------------------------------------
def check(row: Variation) -> None:
    for rapid in (False, True):  # the two differ for the elite only
        for k in row.k:
            result = fide.event_change(row.own, row.opponents, row.scores, k, row.day, rapid=rapid)
            assert result.change == row.change, row
            assert sum(100 * score for score in row.scores) - sum(map(int, result.percents)) == row.hundredths, row


def test_what_a_program_of_a_club_printed() -> None:
    rows = variations(VARIATIONS)
    assert len(rows) == 15
    for row in rows:
        check(row)


@pytest.mark.real_data
def test_every_published_change_of_the_clubs(real_data: Path) -> None:
    rows = variations(sorted(real_data.glob("*/*.fide_variation.csv")))
    assert len(rows) >= 81
    for row in rows:
        check(row)


def check_candidates(path: Path) -> None:
    rows = rows_of(path)
    assert len(rows) == 8
    for row in rows:
        result = fide.event_change(
            int(row["rating_at_start"]),
            whole_numbers(row["opponents_ratings"]),
            scores_of(row["scores"]),
            int(row["K"]),
            day("2024-04-04"),
        )
        assert result.change == int(row["published_change"]), row["name"]
        assert int(row["rating_before"]) + result.change == int(row["rating_after"])


def test_fides_own_changes_of_the_candidates_2024() -> None:
    check_candidates(DATA / "fide_published_changes_candidates2024.csv")


@pytest.mark.real_data
def test_fides_own_changes_in_the_delivered_file(real_data: Path) -> None:
    check_candidates(real_data / "ratings" / "fide_published_changes_candidates2024.csv")


# --- the 400-point rule ------------------------------------------------------------------------------------------
def test_the_400_point_rule_by_date() -> None:
    for on, own, gaps in (
        ("2021-12-31", 2000, [400, -400, 400, 399]), ("2022-01-01", 2000, [500, -400, 450, 399]),
        ("2024-02-29", 2000, [500, -400, 450, 399]), ("2024-03-01", 2000, [400, -400, 400, 399]),
        ("2025-09-30", 2650, [400, -400, 400, 399]), ("2025-10-01", 2650, [500, -700, 450, 399]),
        ("2025-10-01", 2649, [400, -400, 400, 399]),
    ):  # fmt: skip
        opponents = [own - 500, own + 700, own - 450, own - 399]
        assert fide.capped_gaps(own, opponents, day(on)) == gaps


def test_a_difference_beyond_400_counts_once_and_only_from_the_side_below_the_elite() -> None:
    assert fide.capped_gaps(2000, [1500, 2500, 1500], day("2023-05-01")) == [400, -500, 500]
    strong = fide.event_change(2813, [2400], [1], 10, day("2026-01-01"))
    weak = fide.event_change(2400, [2813], [0], 10, day("2026-01-01"))
    assert (strong.percents, weak.percents) == ([93], [8])


def test_rapid_caps_everybody_and_drops_the_widest_gaps() -> None:
    for on, own, opponent, gap in (
        ("2024-11-30", 2700, 2000, 400), ("2024-12-01", 2700, 2000, None), ("2024-12-01", 2000, 2700, None),
        ("2024-12-01", 2700, 2100, None), ("2024-12-01", 2700, 2101, 400), ("2024-12-01", 2600, 1900, 400),
        ("2026-01-01", 2700, 2200, 400),
    ):  # fmt: skip
        assert fide.capped_gaps(own, [opponent], day(on), rapid=True) == [gap]


@given(st.integers(1400, 2900), st.lists(st.integers(1400, 2900)), st.integers(day("2015-01-01"), TODAY), st.booleans())
def test_a_cap_only_ever_brings_a_difference_nearer_to_400(
    own: int, opponents: list[int], on: int, rapid: bool
) -> None:
    for opponent, gap in zip(opponents, fide.capped_gaps(own, opponents, on, rapid=rapid), strict=True):
        assert gap is None or gap == own - opponent or (abs(gap) == 400 and abs(own - opponent) > 400)


# --- K and rounding ----------------------------------------------------------------------------------------------


def test_the_change_is_rounded_once_with_halves_away_from_zero() -> None:
    """One game between equals: half a point over or under expectation."""
    for score, k, change in ((1, 5, 3), (0, 5, -3), (1, 20, 10), (0.5, 40, 0), (1, 1, 1), (0, 1, -1)):
        assert fide.event_change(1500, [1500], [score], k, TODAY).change == change
    assert fide.event_change(1500, [], [], 20, TODAY).change == 0
    with pytest.raises(ValueError, match="zip"):
        fide.event_change(1500, [1500, 1600], [1], 20, TODAY)


# --- newcomers' first rating -------------------------------------------------------------------------------------
def check_initial(path: Path) -> None:
    for row in rows_of(path):
        found = fide.initial_rating(whole_numbers(row["opponents_ratings"]), scores_of(row["scores"]))
        assert found.rating == int(row["expected_initial_rating"]), row["note"]


def test_initial_ratings_of_another_program() -> None:
    check_initial(DATA / "fide_initial_rating_cases.csv")


@pytest.mark.real_data
def test_initial_ratings_in_the_delivered_file(real_data: Path) -> None:
    check_initial(real_data / "ratings" / "fide_initial_rating_cases.csv")


def test_the_worked_example_of_an_initial_rating_and_its_ceiling() -> None:
    opponents = [1901, 1902, 1900, 1903, 1901]
    assert (sum(opponents), score_percent(8, 7)) == (9507, 57)
    assert fide.initial_rating(opponents, [1, 1, 1, 0, 0]) == fide.InitialRating(1922, 5)
    assert fide.initial_rating([2400] * 5, [1, 1, 1, 1, 1]).rating == 2200


def test_what_is_published() -> None:
    for rating, games, floor, answer in (
        (1400, 5, 1400, True), (1399, 5, 1400, False), (2000, 4, 1400, False), (1000, 5, 1000, True),
        (700, 5, 0, True),
    ):  # fmt: skip
        assert fide.InitialRating(rating, games).is_publishable(floor) is answer


# --- the rater of groups -----------------------------------------------------------------------------------------
RATED_A, RATED_B, NEW, OTHER_NEW = 1, 2, 8, 9
FIELD = dict.fromkeys(range(11, 21), 1500.0)
K20 = fide.FideSettings(lambda rating, games, peak, age: 20)


def state(rating: float, *, games: int = 100, peak: float = 0, born: int | None = None) -> PlayerState:
    return PlayerState(rating, games, max(rating, peak), born)


def event(
    games: list[tuple[int, int, float]], ratings: dict[int, float | PlayerState], on: str = "2026-05-01"
) -> Group:
    states = {key: each if isinstance(each, PlayerState) else state(each) for key, each in ratings.items()}
    played = [
        PlayedGame(number, white, black, score, day(on) << 40 | number, day(on))
        for number, (white, black, score) in enumerate(games)
    ]
    return Group(played, states, {}, day(on))


def rate(group: Group, settings: fide.FideSettings = K20) -> GroupRating:
    return fide.fide_group_rater(settings)(group)


def newcomers_event(rater: GroupRater, scores: list[float], on: str) -> Move | None:
    """NEW meets as many players of 1500 as there are scores."""
    games = [(NEW, opponent, score) for opponent, score in zip(FIELD, scores, strict=False)]
    return rater(event(games, FIELD, on)).moves.get(NEW)


def pooled(rater: GroupRater, scores: list[float], on: str) -> int | None:
    """Of how many games his first rating is made; None where he still waits for it."""
    move = newcomers_event(rater, scores, on)
    return None if move is None else move.games


def test_both_players_move_by_the_table_from_rounded_ratings_and_each_game_says_its_share() -> None:
    rating = rate(event([(RATED_A, RATED_B, 1.0), (RATED_B, RATED_A, 0.5)], {RATED_A: 1600.4, RATED_B: 1500}))
    assert rating.sides[0] == (Contribution(1600.4, 0.64, 20, 7.2), Contribution(1500, 0.36, 20, -7.2))
    assert rating.sides[1] == (Contribution(1500, 0.36, 20, 2.8), Contribution(1600.4, 0.64, 20, -2.8))
    assert rating.moves == {RATED_A: Move(change=4), RATED_B: Move(change=-4)}
    rating = rate(event([(RATED_A, RATED_B, 1.0)], {RATED_A: 1503.5, RATED_B: 1500.2}))
    assert rating.sides[0][0] == Contribution(1503.5, 0.51, 20, 9.8)
    assert rating.moves[RATED_A] == Move(change=10)


def test_k_is_asked_for_with_the_figures_of_the_state() -> None:
    asked: list[tuple[float, int, float, int]] = []

    def k_of(rating: float, games: int, peak: float, age: int) -> float:
        asked.append((rating, games, peak, age))
        return 10

    ratings: dict[int, float | PlayerState] = {RATED_A: state(1600, games=7, peak=2400, born=2010), RATED_B: 1500}
    rate(event([(RATED_A, RATED_B, 1.0)], ratings), fide.FideSettings(k_of))
    assert asked == [(1600, 7, 2400, 16), (1500, 100, 1500, 999)]


def test_the_limit_of_700_counts_rated_games_only_and_holds_for_a_fixed_k() -> None:
    used = {(20, 39): 17, (40, 18): 38, (20, 35): 20, (40, 17): 40, (10, 71): 9}
    assert {each: fide.limited_k(*each) for each in used} == used
    fixed = state(1500)
    fixed.fixed_k = 100
    games = [(RATED_A, RATED_B, 1.0)] * 8
    assert rate(event(games[:7], {RATED_A: fixed, RATED_B: 1500})).sides[0][0].k == 100
    assert rate(event(games, {RATED_A: fixed, RATED_B: 1500})).sides[0][0].k == 87
    games = [(RATED_A, RATED_B, 1.0)] * 35 + [(RATED_A, NEW, 1.0)] * 9
    assert rate(event(games, {RATED_A: 1500, RATED_B: 1500})).sides[0][0].k == 20


def test_a_game_against_the_unrated_and_a_rapid_one_across_600_points_rate_nobody() -> None:
    among = rate(event([(RATED_A, NEW, 0.0), (NEW, OTHER_NEW, 1.0)], {RATED_A: 1500}))
    wide = event([(RATED_A, RATED_B, 0.0)], {RATED_A: 2700, RATED_B: 2000})
    for rating in (among, rate(wide, fide.FideSettings(K20.k_of, rapid=True))):
        assert set(rating.sides) == {(Contribution(), Contribution())}
        assert rating.moves == {}


def test_a_newcomer_enters_with_his_fifth_game_of_the_same_rater() -> None:
    rater = fide.fide_group_rater(K20)
    assert newcomers_event(rater, [1, 0.5, 0], "2026-01-10") is None
    # Ra (7500 + 3600) / 7 = 1585.71; 3½ + 1 points of 7: p .64, dp 102.
    assert newcomers_event(rater, [1, 1], "2026-02-10") == Move(enters_at=1688, games=5)
    newcomers_event(fide.fide_group_rater(K20), [1, 1, 1, 1], "2026-01-10")
    assert newcomers_event(fide.fide_group_rater(K20), [1], "2026-02-10") is None


def test_a_zero_in_the_first_event_is_dropped_a_rating_too_low_is_not() -> None:
    rater = fide.fide_group_rater(K20)
    assert pooled(rater, [0, 0, 0], "2026-01-10") is None
    assert pooled(rater, [0, 0, 0], "2026-02-10") is None
    assert pooled(rater, [1, 1], "2026-03-10") == 5
    rater = fide.fide_group_rater(K20)
    assert pooled(rater, [0.5, 0, 0, 0, 0], "2026-01-10") is None
    assert pooled(rater, [1, 1, 1, 1, 1], "2026-02-10") == 10


def test_results_are_pooled_over_26_months_and_no_longer() -> None:
    for last, games in (("2026-02-28", 6), ("2026-03-01", 5)):
        rater = fide.fide_group_rater(K20)
        newcomers_event(rater, [1], "2024-01-31")
        assert pooled(rater, [1, 1, 1, 0, 0], last) == games


def test_a_club_without_a_rated_player_rates_nobody() -> None:
    rater = fide.fide_group_rater(K20)
    for month in range(1, 10):
        rating = rater(event([(1, 2, 1.0), (3, 4, 0.5), (2, 3, 0.0)], {}, f"2026-0{month}-01"))
        assert rating.moves == {}


def test_below_the_floor_a_player_is_unrated_and_begins_again() -> None:
    rater = fide.fide_group_rater(K20)
    newcomers_event(rater, [1, 1], "2026-01-10")  # the pool before he was rated is gone
    fallen = rater(event([(NEW, RATED_A, 0.0)], {NEW: 1405, RATED_A: 1405}, "2026-02-01"))
    assert fallen.moves[NEW] == Move(change=-10, leaves=True)
    assert fallen.moves[RATED_A] == Move(change=10)
    assert pooled(rater, [1, 1, 1, 1], "2026-03-10") is None
    assert pooled(rater, [1], "2026-04-10") == 5


def test_the_floor_by_date_or_by_the_setting() -> None:
    for floor, on, leaves in (
        (None, "2024-02-29", False),
        (None, "2024-03-01", True),
        (0, "2026-01-01", False),
        (1450, "2020-01-01", True),
        (1395, "2020-01-01", False),  # just where he stands then
    ):
        group = event([(RATED_A, RATED_B, 0.0)], {RATED_A: 1405, RATED_B: 1405}, on)
        assert rate(group, fide.FideSettings(K20.k_of, floor=floor)).moves[RATED_A].leaves is leaves
        assert [fide.fide_floor(day(each)) for each in ("2020-01-01", "2024-02-29", "2024-03-01")] == [1000, 1000, 1400]


@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(7, 12), st.sampled_from([0.0, 0.5, 1.0])), max_size=30),
    st.lists(st.integers(1500, 2300), min_size=12, max_size=12),
)
def test_a_move_is_the_sum_of_its_games_rounded(games: list[tuple[int, int, float]], ratings: list[int]) -> None:
    group = event(games, {player: float(rating) for player, rating in enumerate(ratings, 1)})
    rating = rate(group)
    sums: dict[int, float] = {}
    for played, (white, black) in zip(group.games, rating.sides, strict=True):
        for player, side in ((played.white, white), (played.black, black)):
            assert side.change is not None
            sums[player] = sums.get(player, 0) + side.change
    assert sums.keys() == rating.moves.keys()
    for player, total in sums.items():
        assert abs(rating.moves[player].change - total) < 0.5 + 1e-6
        assert rating.moves[player].change == int(rating.moves[player].change)
