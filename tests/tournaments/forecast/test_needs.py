"""What do I need: every combination of one's own results, and what the others may do about it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.forecast.races import both_ties, finished, is_among, own_halves, races
from tournaments.forecast.clinching import Race, Ties, TooManyWaysError
from tournaments.forecast.needs import Line, Needs, Verdict, combinations_of, needs_on_points, verdict_of

SURE, HELP, LOST, OPEN = Verdict.SURE, Verdict.HELP, Verdict.LOST, Verdict.OPEN
# Before the last round, in half-points: 1 and 2 lead with 6 and meet others; 3 is one point behind.
BEFORE_LAST = Race({1: 6, 2: 6, 3: 4, 4: 2}, ((1, 3), (2, 4)))


def verdicts(race: Race, player: int, top: int = 1, ties: Ties = Ties.SHARED) -> dict[tuple[int, ...], Verdict]:
    return {line.own: line.verdict for line in needs_on_points(race, player, top, ties).lines}


def test_the_leader_the_player_behind_and_the_last_before_the_last_round() -> None:
    assert verdicts(BEFORE_LAST, 1) == {(2,): SURE, (1,): HELP, (0,): HELP}
    assert verdicts(BEFORE_LAST, 1, ties=Ties.ALONE) == {(2,): HELP, (1,): HELP, (0,): LOST}
    needs = needs_on_points(BEFORE_LAST, 1)
    assert (needs.verdict, needs.enough, needs.least, needs.in_own_hands) == (HELP, 2, 0, True)
    needs = needs_on_points(BEFORE_LAST, 3)
    assert [(line.own, line.verdict) for line in needs.lines] == [((0,), LOST), ((1,), LOST), ((2,), HELP)]
    assert (needs.enough, needs.least, needs.in_own_hands) == (None, 2, False)
    assert needs.opponents == (1,)
    needs = needs_on_points(BEFORE_LAST, 4)
    assert needs.verdict is LOST
    assert needs.least is None


def test_it_matters_whom_one_beats_and_only_the_least_that_is_enough_is_named() -> None:
    # 1 still meets 2 (level with him) and 4 (far behind): two half-points are enough only if they come from 2.
    race = Race({1: 6, 2: 6, 4: 0}, ((1, 2), (1, 4)))
    assert verdicts(race, 1)[2, 0] is SURE
    assert verdicts(race, 1)[0, 2] is SURE, "level is enough"
    alone = verdicts(race, 1, ties=Ties.ALONE)
    assert (alone[2, 0], alone[0, 2]) == (SURE, LOST)
    needs = needs_on_points(race, 1, ties=Ties.ALONE)
    assert {line.own for line in needs.sure_lines} == {(2, 0), (1, 1)}
    assert needs.enough == 3, "with two half-points, both from 4, he would be level"


def test_somebody_without_games_has_one_empty_line_and_eight_are_too_many_to_list() -> None:
    done = Race({1: 6, 2: 5, 3: 5}, ((2, 3),))
    assert needs_on_points(done, 1).lines == (Line((), HELP),)
    assert needs_on_points(done, 1).verdict is HELP
    assert needs_on_points(Race({1: 7, 2: 5, 3: 5}, ((2, 3),)), 1).verdict is SURE
    with pytest.raises(TooManyWaysError, match="8 own games"):
        needs_on_points(Race({1: 0, 2: 0}, ((1, 2),) * 8), 1)
    assert len(combinations_of(7)) == 3**7


@given(race=races(), top=st.integers(1, 3), ties=both_ties, data=st.data())
@examples(200)
def test_every_line_is_what_all_outcomes_say(race: Race, top: int, ties: Ties, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from(sorted(race.points)))
    found: dict[tuple[int, ...], list[bool]] = {}
    for halves, points in finished(race):
        found.setdefault(own_halves(race, player, halves), []).append(is_among(points, player, top, ties))
    expected = {own: verdict_of(all(met), any(met)) for own, met in found.items()}
    assert verdicts(race, player, top, ties) == expected


@given(race=races(), ties=both_ties, data=st.data())
def test_enough_and_least_are_read_off_the_outcomes(race: Race, ties: Ties, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from(sorted(race.points)))
    needs = needs_on_points(race, player, ties=ties)
    made: dict[int, list[bool]] = {}
    for halves, points in finished(race):
        made.setdefault(sum(own_halves(race, player, halves)), []).append(is_among(points, player, 1, ties))
    assert needs.enough == min((own for own, met in made.items() if all(met)), default=None)
    assert needs.least == min((own for own, met in made.items() if any(met)), default=None)


def test_the_verdict_of_the_whole() -> None:
    for found, whole in (
        ([SURE, SURE], SURE), ([LOST, LOST], LOST), ([SURE, LOST], HELP), ([HELP, OPEN, LOST], HELP),
        ([OPEN, LOST], OPEN), ([SURE, OPEN], OPEN), ([SURE, OPEN, LOST], HELP),
    ):  # fmt: skip
        lines = tuple(Line((own,), verdict) for own, verdict in enumerate(found))
        assert Needs(1, 1, Ties.SHARED, (2,), lines).verdict is whole, found
