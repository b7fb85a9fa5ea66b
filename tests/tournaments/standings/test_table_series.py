"""Places typed or from scores, and the standings of a series of tables."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing import PairingError, pairing_system
from tournaments.pairing.base import read_options
from tournaments.standings.places import places_by_scores, typed_places
from tournaments.standings.points import read_place_points
from tournaments.standings.table_series import Seat, SeriesRules, TieBreak, place_points, series_standings


@pytest.mark.parametrize(
    ("text", "places"),
    [("1 2 2 4", [1, 2, 2, 4]), ("1-2-2-3", [1, 2, 2, 4]), ("3, 1, 2", [3, 1, 2]), ("1 1", [1, 1])],
)
def test_typed_places(text: str, places: list[int]) -> None:
    assert typed_places(text, len(places)) == places


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2", "There are 2 places for 3 sides"),
        ("1 x 2", "“x” is no place"),
        ("x" * 21, f"“{'x' * 20}” is no place"),
        ("0 1 2", "“0”"),
        ("1 2 1000", "“1000” is no place"),
        ("1 2 4", "write 1, 2, 3"),
    ],
)
def test_places_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        typed_places(text, 3)


def test_places_by_scores() -> None:
    scores = [Fraction(10), Fraction(30), Fraction(10), Fraction(5)]
    assert places_by_scores(scores) == [2, 1, 2, 4]
    assert places_by_scores(scores, lower_is_better=True) == [2, 4, 2, 1]
    assert places_by_scores(scores, [3, None, 2, None]) == [3, 1, 2, 4]
    assert places_by_scores(scores, [2, 1, 2, 3]) == [2, 1, 2, 4]


@pytest.mark.parametrize("places", [[1, 2, 3, 4], [2, 2, 2, 1], [3, None, None, None], [3, None, 1, None], [1, 1]])
def test_places_against_scores_are_refused(places: list[int | None]) -> None:
    with pytest.raises(ValueError, match=r"contradict|do not follow|all have a place|not 2"):
        places_by_scores([Fraction(10), Fraction(30), Fraction(10), Fraction(5)], places)


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=8))
def test_places_by_scores_are_their_own_normal_form(numbers: list[int]) -> None:
    scores = [Fraction(number) for number in numbers]
    places = places_by_scores(scores)
    assert typed_places(" ".join(map(str, places)), len(places)) == places
    assert places_by_scores(scores, list(places)) == places


def table(*results: tuple[int, int, int]) -> list[Seat]:
    return [Seat(player, place, Fraction(score)) for player, place, score in results]


FIRST = table((1, 1, 50), (2, 2, 40), (3, 2, 40), (4, 4, 10))
SECOND = table((1, 3, 20), (2, 1, 60), (3, 2, 30), (4, 4, 10))


def test_those_who_share_a_place_share_its_points_or_have_the_higher() -> None:
    assert place_points(FIRST, SeriesRules()) == {1: 4, 2: Fraction(5, 2), 3: Fraction(5, 2), 4: 1}
    assert place_points(FIRST, SeriesRules(shared="higher")) == {1: 4, 2: 3, 3: 3, 4: 1}


@given(st.lists(st.integers(0, 3), min_size=1, max_size=8))
def test_shared_points_keep_the_table_s_sum(numbers: list[int]) -> None:
    places = places_by_scores([Fraction(number) for number in numbers])
    rules = SeriesRules(points=tuple(Fraction(n) for n in (9, 7, 5, 3)))
    found = place_points([Seat(player, place) for player, place in enumerate(places)], rules)
    assert sum(found.values()) == sum(rules.points[: len(places)])


def order(rules: SeriesRules) -> list[tuple[int, int, Fraction]]:
    return [(row.place, row.player, row.total) for row in series_standings([1, 2, 3, 4], [[FIRST], [SECOND]], rules)]


def test_standings_by_points_and_by_scores() -> None:
    assert order(SeriesRules()) == [
        (1, 2, Fraction(13, 2)),
        (2, 1, Fraction(6)),
        (3, 3, Fraction(11, 2)),
        (4, 4, Fraction(2)),
    ]
    scores = SeriesRules(by="scores", tie_breaks=())
    assert order(scores) == [(1, 2, Fraction(100)), (2, 1, Fraction(70)), (2, 3, Fraction(70)), (4, 4, Fraction(20))]
    lower = SeriesRules(by="scores", lower_is_better=True, tie_breaks=())
    assert order(lower) == [(1, 4, Fraction(20)), (2, 1, Fraction(70)), (2, 3, Fraction(70)), (4, 2, Fraction(100))]


def test_the_worst_round_is_dropped() -> None:
    assert order(SeriesRules(dropped=1))[0] == (1, 2, Fraction(4))  # 60 + 40 against 50 + 20 parts 2 from 1
    assert [total for _, _, total in order(SeriesRules(dropped=1))] == [4, 4, 3, 1]
    assert {total for _, _, total in order(SeriesRules(dropped=3))} == {0}, "more than were played"


@pytest.mark.parametrize(("key", "places"), [("places", [1, 2]), ("direct", [1, 1]), ("score", [1, 1])])
def test_a_tie_break_parts_those_who_are_equal(key: TieBreak, places: list[int]) -> None:
    """1 is first and third, 2 second twice: 1 has the first place; each was above the other once; scores are equal."""
    rounds = [[table((1, 1, 9), (2, 2, 5), (3, 3, 1))], [table((3, 1, 9), (2, 2, 5), (1, 3, 1))]]
    rows = series_standings(
        [1, 2], rounds, SeriesRules(points=(Fraction(3), Fraction(2), Fraction(1)), tie_breaks=(key,))
    )
    assert [row.place for row in rows] == places


def test_direct_meetings_count_among_the_equal_alone() -> None:
    """1 and 2 have 3 points each; 2 was above 1 at their one table, and far below 3 in vain."""
    rounds = [
        [table((2, 2, 0), (1, 3, 0), (3, 1, 0))],
        [table((1, 2, 0), (4, 1, 0)), table((2, 3, 0), (3, 1, 0), (5, 2, 0))],
    ]
    rows = series_standings(
        [1, 2], rounds, SeriesRules(points=(Fraction(3), Fraction(2), Fraction(1)), tie_breaks=("direct",))
    )
    assert [(row.place, row.player, row.values) for row in rows] == [(1, 2, ((1,),)), (2, 1, ((-1,),))]


def test_with_lower_scores_better_a_missed_round_is_no_gain() -> None:
    rounds = [[table((1, 1, 3), (2, 2, 4), (3, 3, 5))], [table((1, 1, 3), (2, 2, 4))]]
    rules = SeriesRules(by="scores", lower_is_better=True, tie_breaks=())
    assert [row.player for row in series_standings([1, 2, 3], rounds, rules)] == [1, 2, 3]


def test_only_so_many_of_the_best_results_count() -> None:
    assert [total for _, _, total in order(SeriesRules(best=1))] == [4, 4, 3, 1]
    assert order(SeriesRules(best=9)) == order(SeriesRules()), "as many as there are"


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("10, 7, 5", (10, 7, 5)),
        ("3 3 1½", (3, 3, Fraction(3, 2))),
        ("2.5;1;0", (Fraction(5, 2), 1, 0)),
        ("1 0", (1, 0)),
        ("1000", (1000,)),
        ("½ 0", (Fraction(1, 2), 0)),
        ("1 " * 64, (1,) * 64),
    ],
)
def test_points_for_places_as_typed(text: str, worth: tuple[Fraction, ...]) -> None:
    assert read_place_points(text) == worth


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ten", "in order, like 10, 7, 5"),
        ("-1", "in order"),
        ("0 0", "worth more than 0"),
        ("", "worth more than 0"),
        ("1 " * 65, "at most 64 places"),
        ("1001 5", "at most 1000"),
        ("5 7", "more than the one before"),
    ],
)
def test_points_for_places_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_place_points(text)


def test_points_for_places_that_are_no_text_are_no_value_of_the_setting() -> None:
    with pytest.raises(PairingError, match="“5” is no value of the setting “place_points”"):
        read_options(pairing_system("free").options, {"place_points": 5})
