"""FIDE's rating of events: published changes row by row, the 400-point rule by date, newcomers, the floor."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Contribution, Group, GroupRater, GroupRating, Move, PlayedGame, PlayerState
from ratings.systems.fide import (
    FideSettings,
    InitialRating,
    capped_gaps,
    event_change,
    fide_floor,
    fide_group_rater,
    initial_rating,
    limited_k,
)
from ratings.systems.fide_tables import score_percent
from tests.ratings.test_performance import DATA, VARIATIONS, Variation, rows_of, scores_of, variations, whole_numbers

TODAY = date(2026, 11, 21).toordinal()


def day(text: str) -> int:
    return date.fromisoformat(text).toordinal()


# --- what was published ------------------------------------------------------------------------------------------
def check(row: Variation) -> None:
    for rapid in (False, True):  # the two differ for the elite only
        for k in row.k:
            result = event_change(row.own, row.opponents, row.scores, k, row.day, rapid=rapid)
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
        result = event_change(
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
@pytest.mark.parametrize(
    ("on", "own", "gaps"),
    [
        ("2021-12-31", 2000, [400, -400, 400, 399]),
        ("2022-01-01", 2000, [500, -400, 450, 399]),
        ("2024-02-29", 2000, [500, -400, 450, 399]),
        ("2024-03-01", 2000, [400, -400, 400, 399]),
        ("2025-09-30", 2650, [400, -400, 400, 399]),
        ("2025-10-01", 2650, [500, -700, 450, 399]),
        ("2025-10-01", 2649, [400, -400, 400, 399]),
    ],
)
def test_the_400_point_rule_by_date(on: str, own: int, gaps: list[int]) -> None:
    opponents = [own - 500, own + 700, own - 450, own - 399]
    assert capped_gaps(own, opponents, day(on)) == gaps


def test_of_two_equally_great_differences_the_first_is_the_one_that_counts_as_400() -> None:
    assert capped_gaps(2000, [1500, 2500, 1500], day("2023-05-01")) == [400, -500, 500]


def test_the_same_game_looks_different_from_both_sides_in_the_elite() -> None:
    strong = event_change(2813, [2400], [1], 10, day("2026-01-01"))
    weak = event_change(2400, [2813], [0], 10, day("2026-01-01"))
    assert (strong.percents, weak.percents) == ([93], [8])


@pytest.mark.parametrize(
    ("on", "own", "opponent", "gap"),
    [
        ("2024-11-30", 2700, 2000, 400),
        ("2024-12-01", 2700, 2000, None),
        ("2024-12-01", 2000, 2700, None),
        ("2024-12-01", 2700, 2100, None),
        ("2024-12-01", 2700, 2101, 400),
        ("2024-12-01", 2600, 1900, 400),
        ("2026-01-01", 2700, 2200, 400),
    ],
)
def test_rapid_caps_everybody_and_drops_the_widest_gaps(on: str, own: int, opponent: int, gap: int | None) -> None:
    assert capped_gaps(own, [opponent], day(on), rapid=True) == [gap]


@given(st.integers(1400, 2900), st.lists(st.integers(1400, 2900)), st.integers(day("2015-01-01"), TODAY), st.booleans())
def test_a_cap_only_ever_brings_a_difference_nearer_to_400(
    own: int, opponents: list[int], on: int, rapid: bool
) -> None:
    for opponent, gap in zip(opponents, capped_gaps(own, opponents, on, rapid=rapid), strict=True):
        assert gap is None or gap == own - opponent or (abs(gap) == 400 and abs(own - opponent) > 400)


# --- K and rounding ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("k", "games", "used"), [(20, 39, 17), (40, 18, 38), (20, 35, 20), (40, 17, 40), (10, 71, 9)])
def test_k_times_games_stays_within_700(k: float, games: int, used: float) -> None:
    assert limited_k(k, games) == used


@pytest.mark.parametrize(
    ("score", "k", "change"),
    # One game between equals: half a point over or under expectation.
    [(1, 5, 3), (0, 5, -3), (1, 20, 10), (0.5, 40, 0), (1, 1, 1), (0, 1, -1)],
)
def test_the_change_is_rounded_once_with_halves_away_from_zero(score: float, k: float, change: int) -> None:
    assert event_change(1500, [1500], [score], k, TODAY).change == change


def test_no_game_brings_no_change() -> None:
    assert event_change(1500, [], [], 20, TODAY).change == 0


def test_a_change_needs_a_score_for_every_opponent() -> None:
    with pytest.raises(ValueError, match="zip"):
        event_change(1500, [1500, 1600], [1], 20, TODAY)


# --- newcomers' first rating -------------------------------------------------------------------------------------
def check_initial(path: Path) -> None:
    for row in rows_of(path):
        found = initial_rating(whole_numbers(row["opponents_ratings"]), scores_of(row["scores"]))
        assert found.rating == int(row["expected_initial_rating"]), row["note"]


def test_initial_ratings_of_another_program() -> None:
    check_initial(DATA / "fide_initial_rating_cases.csv")


@pytest.mark.real_data
def test_initial_ratings_in_the_delivered_file(real_data: Path) -> None:
    check_initial(real_data / "ratings" / "fide_initial_rating_cases.csv")


def test_the_worked_example_of_an_initial_rating() -> None:
    opponents = [1901, 1902, 1900, 1903, 1901]
    assert sum(opponents) == 9507
    assert score_percent(8, 7) == 57
    assert initial_rating(opponents, [1, 1, 1, 0, 0]) == InitialRating(1922, 5)


def test_an_initial_rating_is_at_most_2200() -> None:
    assert initial_rating([2400] * 5, [1, 1, 1, 1, 1]).rating == 2200


@pytest.mark.parametrize(
    ("rating", "games", "floor", "answer"),
    [(1400, 5, 1400, True), (1399, 5, 1400, False), (2000, 4, 1400, False), (1000, 5, 1000, True), (700, 5, 0, True)],
)
def test_what_is_published(rating: int, games: int, floor: float, answer: bool) -> None:
    assert InitialRating(rating, games).is_publishable(floor) is answer


# --- the rater of groups -----------------------------------------------------------------------------------------
RATED_A, RATED_B, NEW, OTHER_NEW = 1, 2, 8, 9
FIELD = dict.fromkeys(range(11, 21), 1500.0)
K20 = FideSettings(lambda rating, games, peak, age: 20)


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


def rate(group: Group, settings: FideSettings = K20) -> GroupRating:
    return fide_group_rater(settings)(group)


def newcomers_event(rater: GroupRater, scores: list[float], on: str) -> Move | None:
    """NEW meets as many players of 1500 as there are scores."""
    games = [(NEW, opponent, score) for opponent, score in zip(FIELD, scores, strict=False)]
    return rater(event(games, FIELD, on)).moves.get(NEW)


def test_both_players_move_by_the_table_and_each_game_says_its_share() -> None:
    rating = rate(event([(RATED_A, RATED_B, 1.0), (RATED_B, RATED_A, 0.5)], {RATED_A: 1600.4, RATED_B: 1500}))
    assert rating.sides[0] == (Contribution(1600.4, 0.64, 20, 7.2), Contribution(1500, 0.36, 20, -7.2))
    assert rating.sides[1] == (Contribution(1500, 0.36, 20, 2.8), Contribution(1600.4, 0.64, 20, -2.8))
    assert rating.moves == {RATED_A: Move(change=4), RATED_B: Move(change=-4)}


def test_a_ratings_fraction_is_rounded_before_the_table_and_kept_in_the_state() -> None:
    # 1503.5 counts as 1504: a difference of 4 expects .51.
    rating = rate(event([(RATED_A, RATED_B, 1.0)], {RATED_A: 1503.5, RATED_B: 1500.2}))
    assert rating.sides[0][0] == Contribution(1503.5, 0.51, 20, 9.8)
    assert rating.moves[RATED_A] == Move(change=10)


def test_k_is_asked_for_with_the_figures_of_the_state() -> None:
    asked: list[tuple[float, int, float, int]] = []

    def k_of(rating: float, games: int, peak: float, age: int) -> float:
        asked.append((rating, games, peak, age))
        return 10

    ratings: dict[int, float | PlayerState] = {RATED_A: state(1600, games=7, peak=2400, born=2010), RATED_B: 1500}
    rate(event([(RATED_A, RATED_B, 1.0)], ratings), FideSettings(k_of))
    assert asked == [(1600, 7, 2400, 16), (1500, 100, 1500, 999)]


def test_a_fixed_k_overrules_the_rule_but_not_the_limit() -> None:
    fixed = state(1500)
    fixed.fixed_k = 100
    games = [(RATED_A, RATED_B, 1.0)] * 8
    assert rate(event(games[:7], {RATED_A: fixed, RATED_B: 1500})).sides[0][0].k == 100
    assert rate(event(games, {RATED_A: fixed, RATED_B: 1500})).sides[0][0].k == 87


def test_the_limit_of_700_counts_rated_games_only() -> None:
    games = [(RATED_A, RATED_B, 1.0)] * 35 + [(RATED_A, NEW, 1.0)] * 9
    assert rate(event(games, {RATED_A: 1500, RATED_B: 1500})).sides[0][0].k == 20


def test_a_game_against_an_unrated_player_rates_nobody() -> None:
    rating = rate(event([(RATED_A, NEW, 0.0), (NEW, OTHER_NEW, 1.0)], {RATED_A: 1500}))
    assert rating.sides == [(Contribution(), Contribution())] * 2
    assert rating.moves == {}


def test_a_rapid_game_across_600_points_does_not_count() -> None:
    rating = rate(event([(RATED_A, RATED_B, 0.0)], {RATED_A: 2700, RATED_B: 2000}), FideSettings(K20.k_of, rapid=True))
    assert rating.sides == [(Contribution(), Contribution())]
    assert rating.moves == {}


def test_a_newcomer_enters_with_his_fifth_game() -> None:
    rater = fide_group_rater(K20)
    assert newcomers_event(rater, [1, 0.5, 0], "2026-01-10") is None
    # Ra (7500 + 3600) / 7 = 1585.71; 3½ + 1 points of 7: p .64, dp 102.
    assert newcomers_event(rater, [1, 1], "2026-02-10") == Move(enters_at=1688, games=5)


def test_a_zero_in_the_first_event_is_dropped_but_not_in_the_second() -> None:
    rater = fide_group_rater(K20)
    assert newcomers_event(rater, [0, 0, 0], "2026-01-10") is None
    assert newcomers_event(rater, [0, 0, 0], "2026-02-10") is None
    move = newcomers_event(rater, [1, 1], "2026-03-10")
    assert move is not None
    assert move.games == 5


def test_results_are_pooled_over_26_months_and_no_longer() -> None:
    for last, games in (("2026-02-28", 6), ("2026-03-01", 5)):
        rater = fide_group_rater(K20)
        newcomers_event(rater, [1], "2024-01-31")
        move = newcomers_event(rater, [1, 1, 1, 0, 0], last)
        assert move is not None
        assert move.games == games


def test_whoever_is_too_weak_for_the_list_waits_and_his_results_stay() -> None:
    rater = fide_group_rater(K20)
    assert newcomers_event(rater, [0.5, 0, 0, 0, 0], "2026-01-10") is None
    move = newcomers_event(rater, [1, 1, 1, 1, 1], "2026-02-10")
    assert move is not None
    assert move.games == 10


def test_a_club_without_a_rated_player_rates_nobody() -> None:
    rater = fide_group_rater(K20)
    for month in range(1, 10):
        rating = rater(event([(1, 2, 1.0), (3, 4, 0.5), (2, 3, 0.0)], {}, f"2026-0{month}-01"))
        assert rating.moves == {}


def test_below_the_floor_a_player_is_unrated_and_begins_again() -> None:
    rater = fide_group_rater(K20)
    newcomers_event(rater, [1, 1], "2026-01-10")  # the pool before he was rated is gone
    fallen = rater(event([(NEW, RATED_A, 0.0)], {NEW: 1405, RATED_A: 1405}, "2026-02-01"))
    assert fallen.moves[NEW] == Move(change=-10, leaves=True)
    assert fallen.moves[RATED_A] == Move(change=10)
    assert newcomers_event(rater, [1, 1, 1, 1], "2026-03-10") is None
    move = newcomers_event(rater, [1], "2026-04-10")
    assert move is not None
    assert move.games == 5


@pytest.mark.parametrize(
    ("floor", "on", "leaves"),
    [(None, "2024-02-29", False), (None, "2024-03-01", True), (0, "2026-01-01", False), (1450, "2020-01-01", True)],
)
def test_the_floor_by_date_or_by_the_setting(floor: float | None, on: str, leaves: bool) -> None:
    group = event([(RATED_A, RATED_B, 0.0)], {RATED_A: 1405, RATED_B: 1405}, on)
    assert rate(group, FideSettings(K20.k_of, floor=floor)).moves[RATED_A].leaves is leaves


def test_fides_floor() -> None:
    assert [fide_floor(day(on)) for on in ("2020-01-01", "2024-02-29", "2024-03-01")] == [1000, 1000, 1400]


def test_two_raters_share_no_memory() -> None:
    newcomers_event(fide_group_rater(K20), [1, 1, 1, 1], "2026-01-10")
    assert newcomers_event(fide_group_rater(K20), [1], "2026-02-10") is None


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
