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


def test_places_bring_points_by_the_table_and_who_shares_them_the_mean() -> None:
    events = {1: {7: at(1), 8: at(2), 9: at(6)}, 2: {8: at(1), 9: at(2)}}
    assert totals(season_table(events, GRAND_PRIX)) == [(1, 8, 22), (2, 7, 12), (3, 9, 10)]
    assert [worth_of(each, GRAND_PRIX) for each in (at(2, last=3), at(5, last=6), at(9))] == [9, 3, 0]
    assert season_table({}, GRAND_PRIX) == []
    added = {1: {7: Finish(1, 1, Fraction(9, 2))}, 2: {7: Finish(3, 3, Fraction(3))}}
    assert totals(season_table(added, Rules(Scoring.POINTS))) == [(1, 7, Fraction(15, 2))]


def test_the_best_results_count_of_equals_the_earlier_and_the_others_are_struck() -> None:
    for places, best, counts in (((3, 1, 2), 2, [False, True, True]), ((2, 2), 1, [True, False])):
        events = {number: {7: at(place)} for number, place in enumerate(places, start=1)}
        [line] = season_table(events, Rules(Scoring.PLACES, TABLE, best=best))
        assert [score.counts for score in line.scores.values()] == counts
        assert line.total == {2: 22, 1: 10}[best]


def test_equal_totals_by_the_better_best_result_or_events_won() -> None:
    """12 + 6 against 10 + 8."""
    events = {1: {7: at(2), 8: at(1)}, 2: {7: at(3), 8: at(5)}}
    assert [line.person for line in season_table(events, GRAND_PRIX)] == [8, 7]
    shared = season_table(events, Rules(Scoring.PLACES, TABLE, tie=Tie.SHARED))
    assert [(line.place, line.person) for line in shared] == [(1, 7), (1, 8)]
    events = {1: {7: at(2), 8: at(1)}}
    won = season_table(events, Rules(Scoring.PLACES, (10, 10, 1), tie=Tie.WINS))
    assert [line.person for line in won] == [8, 7]
    assert [line.place for line in season_table(events, Rules(Scoring.PLACES, (10, 10, 1)))] == [1, 1]


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
