"""US Chess: the specification's checked numbers, the special formula solved two ways, floors, the rater of events."""

from datetime import date
from math import inf, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Contribution, Group, GroupRater, Move, PlayedGame, PlayerState
from ratings.systems.us_chess import (
    Record,
    UsChessSettings,
    absolute_floor,
    bonus,
    bonus_threshold,
    effective_games,
    established_floor,
    expected_special,
    expected_standard,
    special_rating,
    standard_k,
    us_chess_group_rater,
    us_chess_start,
)

RATINGS = st.integers(200, 2600)
RESULTS = st.lists(st.tuples(RATINGS, st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=9)
RECORDS = st.tuples(RATINGS, st.integers(0, 8), st.sampled_from(["won", "lost", "mixed"]))


def day(text: str) -> int:
    return date.fromisoformat(text).toordinal()


def record_of(drawn: tuple[int, int, str]) -> Record:
    rating, games, kind = drawn
    return Record(rating, games, games if kind == "won" else 0, games if kind == "lost" else 0)


# --- starts, effective games, K ----------------------------------------------------------------------------------
def test_the_start_by_age_effective_games_and_k() -> None:
    assert [us_chess_start(age) for age in (0, 2, 3, 10, 25, 26, 70)] == [100, 100, 150, 500, 1250, 1300, 1300]
    assert us_chess_start() == 1300
    worth = [effective_games(*each) for each in ((1700, 30), (1500, 6), (2356, 80), (2356, 12), (2355, 80))]
    assert worth == pytest.approx([20.01, 6.0, 50, 12, 49.989], abs=0.005)
    ks = [standard_k(*each) for each in ((1700, 30, 4), (2400, 100, 5), (1500, 100, 5))]
    assert ks == pytest.approx([33.32, 14.55, 37.09], abs=0.005)


def test_a_dual_rated_event_moves_high_ratings_less() -> None:
    for rating, share in ((2100, 1), (2200, 1), (2300, 0.75), (2400, 0.5), (2500, 0.25), (2700, 0.25)):
        assert standard_k(rating, 100, 5, dual_rated=True) == pytest.approx(share * standard_k(rating, 100, 5))


# --- the bonus ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("on", "threshold"),
    [
        *(("2015-01-01", 12), ("2017-04-30", 12), ("2017-05-01", 14), ("2023-01-31", 14)),
        *(("2023-02-01", 12), ("2024-12-31", 12), ("2025-01-01", 10), ("2026-11-21", 10)),
    ],
)
def test_the_threshold_by_date(on: str, threshold: float) -> None:
    assert bonus_threshold(day(on)) == threshold


def test_the_bonus_of_the_checked_example_and_none_for_two_games_nor_for_a_small_change() -> None:
    points = [bonus(94.01, 5, threshold) for threshold in (14, 12, 10)]
    assert points == pytest.approx([62.71, 67.18, 71.65], abs=0.005)
    assert (bonus(100, 2, 10), bonus(100, 3, 10), bonus(20, 4, 10)) == (0, 80, 0)


# --- the special formula -----------------------------------------------------------------------------------------
def test_the_official_example_gives_1511_and_other_checked_numbers() -> None:
    rating = special_rating(Record(1500, 6), [1400, 1550, 1650], [1, 0.5, 0])
    assert rating == pytest.approx(1511.11, abs=0.005)
    assert [expected_special(own, 1500) for own in (1000, 1500, 1700, 1900)] == [0, 0.5, 0.75, 1]
    assert special_rating(Record(802, 1, losses=1), [200, 200, 401], [1, 1, 1]) == 801
    with pytest.raises(ValueError, match="Nobody scores"):
        special_rating(Record(1500, 0), [1500], [2])


def test_special_ratings_by_hand() -> None:
    for record, opponents, scores, rating in (
        (Record(1300, 0), [1500], [1], 1900),  # a first win: 400 above
        (Record(1300, 0), [1500], [0], 1100),
        (Record(1300, 0), [1500], [0.5], 1500),
        (Record(1300, 0), [2500, 2600], [1, 1], 2700),  # the ceiling
        (Record(1600, 4, wins=4), [900, 1000], [1, 1], 1600),  # all won so far: no win lowers
        (Record(1600, 4, losses=4), [2300], [0], 1600),  # all lost so far: no loss raises
        # Any rating from 1400 to 2000 fits. The provisional formula says 1700; that stands within 400 of the start.
        (Record(1600, 0), [1000, 2400], [1, 0], 1700),
        (Record(1200, 0), [1000, 2400], [1, 0], 1600),
        (Record(2200, 0), [1000, 2400], [1, 0], 1800),
        (Record(1950, 1, wins=1), [1000, 2800], [1, 0], 1950),  # 1950 … 2400 fit: nobody moves without need
    ):
        assert special_rating(record, opponents, scores) == pytest.approx(rating)


def test_whom_the_special_formula_rates() -> None:
    for record, special in (
        (Record(1500, 0), True),
        (Record(1500, 8, wins=3), True),
        (Record(1500, 9, wins=3), False),
        (Record(1500, 9, wins=9), True),
        (Record(1500, 40, losses=40), True),
        (Record(1500, 40), False),  # brought in without known wins and losses
    ):
        assert record.is_special is special


def bisected(record: Record, opponents: list[int], score: float) -> tuple[float, float]:
    """The lowest and highest rating that solve the equation, by halving."""
    games = effective_games(record.rating, record.games)
    shift = 400 * ((0 < record.games == record.losses) - (0 < record.games == record.wins))
    points = score + games * (0.5 - shift / 800)
    prior = record.rating + shift

    def excess(rating: float) -> float:
        return (
            games * expected_special(rating, prior) + sum(expected_special(rating, each) for each in opponents) - points
        )

    def edge(slack: float) -> float:
        low, high = -5000.0, 9000.0
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if excess(middle) < slack else (low, middle)
        return low

    return edge(-1e-9), edge(1e-9)


@given(RECORDS, RESULTS)
def test_breakpoints_and_halving_agree_and_more_points_never_give_less(
    drawn: tuple[int, int, str], results: list[tuple[int, float]]
) -> None:
    record = record_of(drawn)
    opponents, scores = [each[0] for each in results], [each[1] for each in results]
    rating = special_rating(record, opponents, scores)
    low, high = bisected(record, opponents, sum(scores))
    assert min(low, 2700) - 0.001 <= rating <= min(high, 2700) + 0.001
    assert special_rating(record, opponents, [min(1.0, score + 0.5) for score in scores]) >= rating - 1e-6


@given(RATINGS, st.integers(1, 8), st.lists(RATINGS, min_size=1, max_size=9))
def test_wins_alone_never_lower_and_losses_alone_never_raise(own: int, games: int, opponents: list[int]) -> None:
    won, lost = [1.0] * len(opponents), [0.0] * len(opponents)
    for record in (Record(own, games), Record(own, games, wins=games)):
        assert special_rating(record, opponents, won) >= own - 1e-6
    for record in (Record(own, games), Record(own, games, losses=games)):
        assert special_rating(record, opponents, lost) <= own + 1e-6


# --- floors ------------------------------------------------------------------------------------------------------
def test_the_absolute_floor_and_that_of_an_established_player() -> None:
    records = ((0, 0, 0), (3, 2, 4), (12, 1, 0), (100, 0, 90))
    assert [absolute_floor(*each) for each in records] == [100, 120, 150, 150]
    peaks = {1399.9: 0, 1400: 1200, 1499: 1200, 1941: 1700, 2299: 2000, 2300: 2100, 2800: 2100}
    assert {peak: established_floor(peak) for peak in peaks} == peaks


# --- the rater of groups -----------------------------------------------------------------------------------------
OWN = 1
STANDARD = UsChessSettings()


def event(
    meetings: list[tuple[int, float]],
    states: dict[int, PlayerState],
    on: str = "2025-06-01",
    birth_years: dict[int, int | None] | None = None,
) -> Group:
    """OWN's games: opponent and his own score, White and Black in turn."""
    played = []
    for number, (opponent, score) in enumerate(meetings):
        white, black, result = (OWN, opponent, score) if number % 2 == 0 else (opponent, OWN, 1.0 - score)
        played.append(PlayedGame(number, white, black, result, day(on) << 40 | number, day(on)))
    return Group(played, states, birth_years or {}, day(on))


def field(*ratings: float) -> dict[int, PlayerState]:
    return {player: PlayerState(rating, 100, rating, wins=40, losses=40) for player, rating in enumerate(ratings, 2)}


def veteran(rating: float, *, games: int = 100, peak: float = 0) -> PlayerState:
    return PlayerState(rating, games, max(peak, rating), wins=games // 3, losses=games // 3)


def change(rater: GroupRater, group: Group) -> float:
    return rater(group).moves[OWN].change


def test_four_and_a_half_of_five_bring_the_checked_change_and_bonus() -> None:
    for on, points in (("2022-06-01", 62.71), ("2024-06-01", 67.18), ("2016-06-01", 67.18), ("2025-06-01", 71.65)):
        states = {OWN: veteran(1500), **field(1400, 1550, 1600, 1650, 1700)}
        group = event([(2, 1.0), (3, 1.0), (4, 1.0), (5, 1.0), (6, 0.5)], states, on)
        rating = us_chess_group_rater(STANDARD)(group)
        own = [rating.sides[number][number % 2] for number in range(5)]
        assert sum(side.change or 0 for side in own) == pytest.approx(94.01, abs=0.005)
        assert rating.moves[OWN].change == pytest.approx(94.01 + points, abs=0.01)


def test_a_game_of_the_standard_formula_says_its_share() -> None:
    group = event([(2, 1.0)], {OWN: veteran(1500), **field(1500)})
    side = us_chess_group_rater(STANDARD)(group).sides[0][0]
    k = standard_k(1500, 100, 1)
    assert side == Contribution(1500, 0.5, k, k / 2)
    assert change(us_chess_group_rater(STANDARD), group) == pytest.approx(k / 2)


def test_no_bonus_where_one_opponent_is_met_three_times() -> None:
    states = {OWN: veteran(1500), **field(1600, 1600)}
    twice = change(us_chess_group_rater(STANDARD), event([(2, 1.0), (2, 1.0), (3, 1.0), (3, 1.0)], states))
    thrice = change(us_chess_group_rater(STANDARD), event([(2, 1.0), (2, 1.0), (2, 1.0), (3, 1.0)], states))
    plain = 4 * standard_k(1500, 100, 4) * (1 - expected_standard(1500, 1600))
    assert thrice == pytest.approx(plain)
    assert twice == pytest.approx(2 * plain - 10 * sqrt(4))


def test_few_games_are_rated_by_the_special_formula_unless_k_is_fixed() -> None:
    states = {OWN: PlayerState(1500, 6, 1500, wins=3, losses=3), **field(1400, 1550, 1650)}
    rating = us_chess_group_rater(STANDARD)(event([(2, 1.0), (3, 0.5), (4, 0.0)], states))
    assert rating.moves[OWN].change == pytest.approx(11.11, abs=0.005)
    assert rating.sides[0][0] == Contribution(1500, 0.625, None, None)
    assert rating.sides[1][1].expected == pytest.approx(0.4375)
    assert rating.sides[0][1].k is not None, "the opponent is rated by the standard formula"
    own = PlayerState(1500, 6, 1500, fixed_k=32)
    assert change(us_chess_group_rater(STANDARD), event([(2, 1.0)], {OWN: own, **field(1500)})) == 16


def test_an_unrated_player_starts_by_his_age_or_where_the_setting_says() -> None:
    group = event([(2, 1.0)], {OWN: veteran(1500)}, birth_years={2: 2015})
    rating = us_chess_group_rater(STANDARD)(group)
    assert rating.sides[0][0].expected == pytest.approx(expected_standard(1500, 500))
    assert (rating.moves[2], rating.sides[0][1]) == (Move(enters_at=1100), Contribution(500, 0.0))
    rating = us_chess_group_rater(UsChessSettings(start=1000))(event([(2, 1.0)], {OWN: veteran(1500)}))
    assert rating.sides[0][1].before == 1000
    with_white = event([(3, 1.0), (2, 1.0)], {OWN: veteran(1500), 3: veteran(1500)}, birth_years={2: 2015})
    assert us_chess_group_rater(STANDARD)(with_white).sides[1][0] == Contribution(500, 0.0)


def test_nobody_falls_below_the_floor_his_peak_has_earned_from_the_26th_game_on() -> None:
    states = {OWN: veteran(1705, peak=1950), **field(1300, 1300)}
    group = event([(2, 0.0), (3, 0.0)], states)
    assert change(us_chess_group_rater(STANDARD), group) == -5
    assert change(us_chess_group_rater(UsChessSettings(floors=False)), group) < -40
    for games, keeps in ((25, False), (26, True)):
        states[OWN] = veteran(1705, games=games, peak=1950)
        assert (change(us_chess_group_rater(STANDARD), event([(2, 0.0), (3, 0.0)], states)) == -5) is keeps


def test_a_provisional_peak_earns_no_floor() -> None:
    rater = us_chess_group_rater(STANDARD)
    change(rater, event([(2, 0.5)], {OWN: PlayerState(1900, 24, 1900, wins=12, losses=12), **field(1900)}))  # the 25th
    young = PlayerState(1900, 20, 1900, wins=10, losses=10)
    fallen = change(rater, event([(2, 0.0)] * 2 + [(3, 0.0)] * 4, {OWN: young, **field(1300, 1300)}))
    assert 1700 < 1900 + fallen < 1730
    established = PlayerState(1900 + fallen, 26, 1900, wins=10, losses=16)
    falling = change(rater, event([(2, 0.0), (3, 0.0)], {OWN: established, **field(1300, 1300)}))
    assert 1900 + fallen + falling < 1700


def test_events_of_three_games_raise_the_absolute_floor() -> None:
    rater = us_chess_group_rater(STANDARD)
    weakest = PlayerState(100, 30, 100, losses=29)
    meetings = [(2, 0.0), (3, 0.0), (4, 0.0)]
    states = {OWN: weakest, **field(100, 100, 100)}
    assert [change(rater, event(meetings, states)) for _ in range(3)] == [1, 2, 3]


@given(RESULTS, RATINGS)
def test_the_move_of_a_standard_player_is_his_games_the_bonus_and_the_floor(
    results: list[tuple[int, float]], own: int
) -> None:
    states = {OWN: veteran(own), **field(*(float(rating) for rating, _ in results))}
    group = event([(player, score) for player, (_, score) in enumerate(results, 2)], states)
    rating = us_chess_group_rater(UsChessSettings(floors=False))(group)
    games = sum(rating.sides[number][number % 2].change or 0 for number in range(len(results)))
    assert rating.moves[OWN].change == pytest.approx(games + bonus(games, len(results), 10))
    assert -inf < games < inf
