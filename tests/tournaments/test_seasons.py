"""The table of a season: worked by hand, and what holds whatever was played."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.seasons import Finish, Line, Rules, Scoring, Tie, season_table, worth_of

TABLE = (12, 10, 8, 7, 6)
GRAND_PRIX = Rules(Scoring.PLACES, TABLE)


def at(place: int, points: int = 0, *, last: int | None = None) -> Finish:
    return Finish(place, last or place, Fraction(points))


def totals(lines: list[Line]) -> list[tuple[int, int, Fraction]]:
    return [(line.place, line.person, line.total) for line in lines]


def test_places_bring_points_by_the_table() -> None:
    events = {1: {7: at(1), 8: at(2), 9: at(6)}, 2: {8: at(1), 9: at(2)}}
    assert totals(season_table(events, GRAND_PRIX)) == [(1, 8, 22), (2, 7, 12), (3, 9, 10)]


def test_who_shares_places_gets_the_mean_of_their_points() -> None:
    assert worth_of(at(2, last=3), GRAND_PRIX) == 9
    assert worth_of(at(5, last=6), GRAND_PRIX) == 3
    assert worth_of(at(9), GRAND_PRIX) == 0


def test_points_of_the_events_are_added() -> None:
    events = {1: {7: Finish(1, 1, Fraction(9, 2))}, 2: {7: Finish(3, 3, Fraction(3))}}
    assert totals(season_table(events, Rules(Scoring.POINTS))) == [(1, 7, Fraction(15, 2))]


def test_the_best_results_count_and_the_others_are_struck() -> None:
    events = {1: {7: at(3)}, 2: {7: at(1)}, 3: {7: at(2)}}
    [line] = season_table(events, Rules(Scoring.PLACES, TABLE, best=2))
    assert (line.total, [score.counts for score in line.scores.values()]) == (22, [False, True, True])


def test_of_equal_results_the_earlier_event_counts() -> None:
    [line] = season_table({1: {7: at(2)}, 2: {7: at(2)}}, Rules(Scoring.PLACES, TABLE, best=1))
    assert [score.counts for score in line.scores.values()] == [True, False]


def test_equal_totals_by_the_better_best_result() -> None:
    """12 + 6 against 10 + 8."""
    events = {1: {7: at(2), 8: at(1)}, 2: {7: at(3), 8: at(5)}}
    assert [line.person for line in season_table(events, GRAND_PRIX)] == [8, 7]
    shared = season_table(events, Rules(Scoring.PLACES, TABLE, tie=Tie.SHARED))
    assert [(line.place, line.person) for line in shared] == [(1, 7), (1, 8)]


def test_equal_totals_by_events_won() -> None:
    rules = Rules(Scoring.PLACES, (10, 10, 1), tie=Tie.WINS)
    events = {1: {7: at(2), 8: at(1)}}
    assert [line.person for line in season_table(events, rules)] == [8, 7]
    same = season_table(events, Rules(Scoring.PLACES, (10, 10, 1)))
    assert [line.place for line in same] == [1, 1]


def test_nobody_played_nobody_stands() -> None:
    assert season_table({}, GRAND_PRIX) == []


@st.composite
def seasons(draw: st.DrawFn) -> dict[int, dict[int, Finish]]:
    finish = st.builds(
        lambda first, more, points: Finish(first, first + more, Fraction(points, 2)),
        st.integers(1, 8),
        st.integers(0, 3),
        st.integers(0, 14),
    )
    return draw(st.dictionaries(st.integers(1, 5), st.dictionaries(st.integers(1, 6), finish), max_size=5))


RULES = st.builds(
    Rules,
    st.sampled_from(list(Scoring)),
    st.lists(st.integers(0, 30), max_size=8).map(lambda points: tuple(sorted(points, reverse=True))),
    st.none() | st.integers(1, 5),
    st.sampled_from(list(Tie)),
)


@given(seasons(), RULES)
def test_totals_fall_from_line_to_line_and_add_up(events: dict[int, dict[int, Finish]], rules: Rules) -> None:
    lines = season_table(events, rules)
    assert {line.person for line in lines} == {person for finishes in events.values() for person in finishes}
    assert [line.total for line in lines] == sorted((line.total for line in lines), reverse=True)
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    for line in lines:
        counting = [score.worth for score in line.scores.values() if score.counts]
        dropped = [score.worth for score in line.scores.values() if not score.counts]
        assert line.total == sum(counting)
        assert len(counting) == min(len(line.scores), rules.best or len(line.scores))
        assert not (counting and dropped) or max(dropped) <= min(counting)


@given(seasons(), RULES)
def test_one_more_event_lowers_nobodys_total(events: dict[int, dict[int, Finish]], rules: Rules) -> None:
    before = {line.person: line.total for line in season_table(dict(list(events.items())[1:]), rules)}
    after = {line.person: line.total for line in season_table(events, rules)}
    assert all(after[person] >= total for person, total in before.items())
