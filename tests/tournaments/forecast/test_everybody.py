"""What everybody needs at once is what each needs alone: the endings are only gone through once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.forecast.playing_cases import by_trying, needs_by_trying
from tests.tournaments.forecast.races import both_ties
from tests.tournaments.forecast.test_outcomes import LAST, event, running
from tournaments.forecast import everybody
from tournaments.forecast.clinching import Ties
from tournaments.forecast.everybody import endings, is_quick, needs_by_points, needs_of_all, stand_on_points
from tournaments.forecast.needs import Line, Verdict
from tournaments.forecast.outcomes import Running

SURE, HELP, LOST, OPEN = Verdict.SURE, Verdict.HELP, Verdict.LOST, Verdict.OPEN
ALL = (1, 2, 3, 4)


@pytest.mark.extended
@given(one=running(), top=st.integers(1, 3), ties=both_ties)
def test_the_needs_of_all_are_those_of_each(one: Running, top: int, ties: Ties) -> None:
    assert needs_of_all(one, ALL, top, ties) == {who: needs_by_trying(one, who, top, ties) for who in ALL}


@given(one=running("football", 3), ties=both_ties)
@examples(25)
def test_with_three_points_a_win_too(one: Running, ties: Ties) -> None:
    assert needs_of_all(one, ALL, 1, ties) == {who: needs_by_trying(one, who, 1, ties) for who in ALL}


@given(one=running("armageddon", 2), ties=both_ties)
@examples(25)
def test_with_armageddon_there_is_one_line_the_player_as_he_stands(one: Running, ties: Ties) -> None:
    found = needs_of_all(one, ALL, 1, ties)
    for who in ALL:
        assert found[who].lines == (Line((), by_trying(one, who, 1, ties)),)


@given(one=running(), top=st.integers(1, 3))
def test_what_points_decide_the_endings_confirm(one: Running, top: int) -> None:
    whole = needs_of_all(one, ALL, top)
    for who in ALL:
        for line, decided in zip(needs_by_points(one, who, top).lines, whole[who].lines, strict=True):
            assert line.own == decided.own
            assert line.verdict in (decided.verdict, OPEN)


@pytest.mark.extended
@given(one=running(), top=st.integers(1, 3))
def test_who_is_through_or_out_on_points_is(one: Running, top: int) -> None:
    for who, stands in stand_on_points(one, top).items():
        assert stands in (by_trying(one, who, top, Ties.SHARED), OPEN)


def test_level_is_left_to_the_tiebreaks_and_of_three_points_a_win_points_say_nothing() -> None:
    # 1 has two wins, beat 2 and 4, and may lose the last game: then 2 or 4 draws level.
    needs = needs_by_points(event(LAST, "DE"), 1)
    assert {line.own: line.verdict for line in needs.lines} == {(2,): SURE, (1,): SURE, (0,): OPEN}
    assert needs_of_all(event(LAST, "DE"), [1])[1].lines == (Line((0,), SURE), Line((1,), SURE), Line((2,), SURE))
    assert stand_on_points(event(LAST, "DE")) == {1: OPEN, 2: OPEN, 3: LOST, 4: OPEN}
    assert needs_of_all(event(LAST, "DE"), [1, 2])[2].verdict is LOST
    assert set(stand_on_points(event(LAST, points="football")).values()) == {OPEN}


def test_it_tells_how_far_it_is_and_too_many_endings_leave_the_lines_open(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[tuple[int, int]] = []
    needs_of_all(event(LAST, "DE"), ALL, tell=lambda done, of: lines.append((done, of)))
    assert lines == [(done, 9) for done in range(9)]
    lines.clear()
    needs_of_all(event("11 11 11", "DE"), ALL, tell=lambda done, of: lines.append((done, of)))
    assert len(lines) <= 1, "nothing is left to be gone through but the one ending there is"
    one = event(LAST, "DE")
    assert endings(one) == 9
    monkeypatch.setattr(everybody, "MOST_ENDINGS", 8)
    assert needs_of_all(one, ALL) == {who: needs_by_points(one, who) for who in ALL}
    monkeypatch.setattr(everybody, "MOST_ENDINGS", 9)
    assert needs_of_all(one, ALL) != {who: needs_by_points(one, who) for who in ALL}
    early, late = event("." * 28, players=8).race(), event("1" * 20 + "." * 8, players=8).race()
    assert (is_quick(early, 1, 1), is_quick(late, 1, 1), is_quick(late, 1, 3)) == (False, True, True)
    ways = 3 ** len(late.opponents(1)) * 35  # of choosing three of the seven others
    for most, is_so in ((ways, True), (ways - 1, False)):
        monkeypatch.setattr(everybody, "MOST_AT_ONCE", most)
        assert is_quick(late, 1, 3) is is_so
