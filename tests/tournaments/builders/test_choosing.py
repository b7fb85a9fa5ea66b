"""What the adviser's figures come to: which formats fit, which cannot be told apart, where there are most games."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.builders.choosing import choose, doubt
from tournaments.builders.views.format_answer import FormatRow, Share, counsel
from tournaments.forecast.adviser import Advice, Estimate
from tournaments.forecast.formats import Format, Kind

NONE = Estimate(0.0, 0.0)
PLAIN = Advice(Format(Kind.KNOCKOUT), True, 4, 4, Estimate(0.4, 0.01), NONE, NONE, 1.9, 1, 4, 1000)


def of(best: float, error: float = 0.01, **other: object) -> Advice:
    return replace(PLAIN, best_wins=Estimate(best, error), **other)  # type: ignore[arg-type]


def test_of_what_fits_the_highest_chance_is_best_unless_chance_may_have_parted_them() -> None:
    found = choose([of(0.3), of(0.5), of(0.9, fits=False)])
    assert found.fitting == (0, 1)
    assert found.best == (1,)
    assert choose([of(0.40), of(0.41, fits=False)]).best == (0,)
    assert choose([of(0.40), of(0.427)]).best == (1, 0)
    assert choose([of(0.40), of(0.429)]).best == (1,)


def test_most_games_is_what_the_unluckiest_gets_and_where_nothing_fits_the_shortest_wins() -> None:
    few, many = of(0.4, fewest=1, games_each=9.0), of(0.4, fewest=5, games_each=5.0)
    assert choose([few, many]).most_games == 1
    assert choose([many, replace(many, games_each=5.5)]).most_games == 1
    assert choose([replace(few, fewest=30, fits=False), many]).most_games == 1
    found = choose([of(0.4, fits=False, evenings=9), of(0.4, fits=False, evenings=5)])
    assert (found.fitting, found.best, found.most_games, found.shortest) == ((), (), None, 1)
    with pytest.raises(ValueError, match="empty"):
        choose([])


def test_samples_that_were_all_the_same_leave_the_doubt_of_the_rule_of_three() -> None:
    assert doubt(Estimate(1.0, 0.0), 1000) == doubt(Estimate(0.0, 0.0), 1000) == 0.003
    assert doubt(Estimate(0.4, 0.015), 1000) == 0.03
    assert choose([of(1.0, 0.0, samples=100), of(0.98, 0.014, samples=100)]).best == (0, 1)


def test_where_a_single_format_fits_it_is_named() -> None:
    advice, share = {"A": of(0.4), "B": of(0.5, fits=False, evenings=9)}, Share(40.0, 1.0)
    rows = [FormatRow(1, name, one, share, None, share, None, "") for name, one in advice.items()]
    assert counsel(choose([*advice.values()]), rows) == ["Only one of these formats fits: A."]


@given(st.lists(st.tuples(st.floats(0.0, 1.0), st.booleans()), min_size=1, max_size=8))
def test_the_best_fit_and_the_highest_of_them_comes_first(rows: list[tuple[float, bool]]) -> None:
    advice = [of(chance, fits=fits) for chance, fits in rows]
    found = choose(advice)
    assert set(found.best) <= set(found.fitting)
    assert bool(found.best) == any(fits for _chance, fits in rows)
    if found.best:
        assert advice[found.best[0]].best_wins.value == max(chance for chance, fits in rows if fits)
