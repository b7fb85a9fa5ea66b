"""The masters' meetings as printed, and who goes on by which rule."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.fide_tables import xiangqi_expected
from tournaments.forecast.masters import MASTERS, TABLES, Chances, MastersField, Record, Rule, by_rating, chances

WANG_T, XU, ZHAO, WANG_Y, XIE, SUN, ZHENG, HONG = range(8)
STRANGERS = [(SUN, ZHENG), (SUN, HONG), (ZHENG, HONG)]
# The rates the paper prints, in order of opponents.
PRINTED = {
    WANG_T: "33.3 53.1 65.6 61.1 67.4 55.9 58",
    XU: "66.7 54.2 60.7 63.3 55.2 65 58.2",
    ZHAO: "46.9 45.8 48.4 59.1 44.2 68.8 50",
    WANG_Y: "34.4 39.3 51.6 50 54.5 50 54.8",
    XIE: "38.9 36.7 40.9 50 42.9 50 52.8",
}
PAIRS = st.lists(st.integers(0, 7), min_size=2, max_size=2, unique=True)


def met(one: int, other: int) -> Record:
    record = MASTERS.record(one, other)
    assert record is not None
    return record


def printed_rate(record: Record) -> Decimal:
    exactly = Decimal(50 * (2 * record.won + record.drawn)) / record.games
    return exactly.quantize(Decimal("0.1"), ROUND_HALF_UP)


# --- the paper's data ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("one", PRINTED)
def test_score_rates_are_those_printed_to_the_last_digit(one: int) -> None:
    others = [other for other in range(8) if other != one]
    rates = [printed_rate(met(one, other)) for other in others]
    assert rates == [Decimal(rate) for rate in PRINTED[one].split()]


def test_the_field_stands_by_rating_and_tables_of_two_tell_the_same_of_their_games() -> None:
    names = "Wang Tianyi, Xu Yinchuan, Zhao Xinxin, Wang Yang, Xie Jing, Sun Yongzheng, Zheng Weitong, Hong Zhi"
    assert MASTERS.names == tuple(names.split(", "))
    assert MASTERS.ratings == (2665, 2663, 2634, 2630, 2618, 2597, 2589, 2588)
    assert MASTERS.k == 10
    both = [(one, other) for one in PRINTED for other in PRINTED if one < other]
    assert len(both) == 10
    for one, other in both:
        assert MASTERS.met[one, other] == MASTERS.met[other, one].mirrored


def test_three_pairs_of_28_are_not_known_lost_tables_are_read_off_the_opponents() -> None:
    pairs = [(one, other) for one in range(8) for other in range(one + 1, 8)]
    assert [pair for pair in pairs if MASTERS.record(*pair) is None] == STRANGERS
    assert [len(row) for row in TABLES] == [7] * 5
    assert met(HONG, XU) == (9, 28, 18)
    assert met(SUN, WANG_T) == (2, 11, 10)
    assert met(WANG_Y, ZHAO).games == 32
    known = [met(one, other) for one in PRINTED for other in range(one + 1, 8)]
    games, drawn = sum(record.games for record in known), sum(record.drawn for record in known)
    assert MASTERS.drawn_share == drawn / games
    assert round(100 * MASTERS.drawn_share) == 61


# --- rules --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rule", "one", "other", "won", "drawn"),
    [
        (Rule.SCORE_RATE, WANG_T, XU, 5 / 15, 0),
        (Rule.SCORE_RATE, XIE, ZHENG, 0.5, 0),
        (Rule.DECISIVE, XU, WANG_T, 1, 0),
        (Rule.DECISIVE, WANG_T, XU, 0, 0),
        (Rule.DECISIVE, WANG_T, XIE, 5 / 6, 0),
        (Rule.DECISIVE, XIE, ZHENG, 0.54, 0),  # 0-5-0: nothing was decided, 29 points more
        (Rule.DRAWS, WANG_T, HONG, 7 / 25, 15 / 25),
        (Rule.DRAWS, ZHENG, XIE, 0, 1),
        (Rule.DRAWS, WANG_T, XU, 0, 10 / 15),
        (Rule.RATING, WANG_T, HONG, 0.61, 0),  # 77 points more
        (Rule.SHRUNK, WANG_T, XU, (5 + 10 * 0.5) / 25, 0),
        (Rule.SHRUNK, HONG, XU, (9 + 14 + 10 * 0.4) / 65, 0),  # 75 points less
    ],
)
def test_worked_cases(rule: Rule, one: int, other: int, won: float, drawn: float) -> None:
    assert chances(MASTERS, rule, one, other) == pytest.approx((won, drawn, 1 - won - drawn), abs=1e-12)


def test_a_certain_win_is_certain_to_the_last_bit_and_chances_turn_round() -> None:
    assert chances(MASTERS, Rule.DECISIVE, XU, WANG_T) == (1, 0, 0)
    assert chances(MASTERS, Rule.DRAWS, XU, WANG_T).lost == 0
    assert Chances(0.5, 0.3, 0.2).mirrored == (0.2, 0.3, 0.5)
    assert Chances(0.5, 0.3, 0.2).going_on == 0.65


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("pair", STRANGERS)
def test_strangers_go_by_rating(rule: Rule, pair: tuple[int, int]) -> None:
    expected = xiangqi_expected(*(MASTERS.ratings[player] for player in pair))
    assert chances(MASTERS, rule, *pair).going_on == pytest.approx(expected)
    assert expected == (0.5 if pair == (ZHENG, HONG) else 0.51)


def test_strangers_draw_as_often_as_the_others_and_a_favourite_less() -> None:
    found = chances(MASTERS, Rule.DRAWS, SUN, ZHENG)
    assert found.drawn == MASTERS.drawn_share
    assert found == by_rating(MASTERS, SUN, ZHENG, draws=True)
    strangers = MastersField(("a", "b"), (2500, 2500), {(0, 1): Record(0, 0, 0)})
    assert (strangers.record(0, 1), strangers.drawn_share) == (None, 0)
    known = {(1, 2): Record(0, 50, 0)}
    found = by_rating(MastersField(tuple("abcd"), (3000, 2600, 2600, 2600), known), 0, 1, draws=True)
    assert found == pytest.approx((0.84, 0.16, 0))


@given(pair=PAIRS, rule=st.sampled_from(Rule))
def test_a_match_has_an_outcome_and_two_sides(pair: list[int], rule: Rule) -> None:
    found = chances(MASTERS, rule, *pair)
    assert sum(found) == pytest.approx(1)
    assert min(found) >= 0
    assert chances(MASTERS, rule, *reversed(pair)) == found.mirrored


@given(pair=PAIRS)
def test_rules_side_by_side(pair: list[int]) -> None:
    by = {rule: chances(MASTERS, rule, *pair).going_on for rule in Rule}
    assert by[Rule.DRAWS] == pytest.approx(by[Rule.SCORE_RATE])
    low, high = sorted((by[Rule.SCORE_RATE], by[Rule.RATING]))
    assert low - 1e-12 <= by[Rule.SHRUNK] <= high + 1e-12
    assert by_rating(MASTERS, *pair, draws=True).going_on == pytest.approx(by[Rule.RATING])


@given(pair=PAIRS)
def test_only_the_rule_of_draws_knows_any(pair: list[int]) -> None:
    assert [rule for rule in Rule if chances(MASTERS, rule, *pair).drawn] == [Rule.DRAWS]


# --- fields that are none -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("names", "ratings", "sentence"),
    [
        ("abc", (2500, 2450, 2400), "A station takes 2, 4, 8, 16"),
        ("a", (2500,), "A station takes 2, 4, 8, 16"),
        ("ab", (2500,), "each with a rating"),
        ("ab", (2450, 2500), "the highest first"),
        ("ab", (2450, 2399), "must have reached 2400"),
    ],
)
def test_a_field_that_is_none_is_refused(names: str, ratings: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        MastersField(tuple(names), ratings, {})
    assert MastersField(("a", "b"), (2450, 2400), {}).names == ("a", "b"), "who has just reached it"
