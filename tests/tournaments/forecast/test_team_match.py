"""A match of teams: the convolution against every ending tried, mirrors, sums, and a match reckoned by hand."""

from itertools import product
from math import inf

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tests.choosing import examples
from tournaments.forecast.outlook import EXACT, SAMPLED, Strengths
from tournaments.forecast.posterior import Prior
from tournaments.forecast.team_match import (
    MatchBoard,
    MatchRule,
    alternating,
    forecast_drawn_match,
    forecast_match,
    match_points_by_draw,
    mean_chances,
)
from tournaments.standings.points import point_system
from tournaments.standings.team_event import BoardPoints, TeamMeeting, TeamScoring

CLASSIC = MatchRule(TeamScoring(4), rate=0.8)
CLASSIC_OF_TWO = MatchRule(TeamScoring(4), rate=0.8, minimum=2)


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[MatchBoard], dict[int, Prior], MatchRule]:
    """Up to six boards: open, decided (0–0 too), lacking one or both; two point systems, White's advantage."""
    size = draw(st.integers(1, 6))
    points = point_system(draw(st.sampled_from(["classic", "football"])))
    rule = MatchRule(TeamScoring(size, points, win=6), draw(st.floats(0.0, 3.0)), white=draw(st.sampled_from([0, 35])))
    boards = []
    for at in range(size):
        first, second = (draw(st.sampled_from([number, number, None])) for number in (at, 100 + at))
        decided = draw(st.sampled_from([None, None, (points.win, 0), (0, 0)]))
        boards.append(MatchBoard(first, second, draw(st.booleans()), decided))
    strength = st.tuples(st.floats(800, 2600), st.floats(0, 350)).map(lambda pair: Prior(*pair))
    return boards, {number: draw(strength) for at in range(size) for number in (at, 100 + at)}, rule


def tried(boards: list[MatchBoard], strengths: dict[int, Prior], rule: MatchRule) -> tuple[float, ...]:
    """Win, draw, loss and match points, adding up every ending: a second way that convolves nothing."""
    ways = []
    for board in boards:
        if not board.is_open:
            lacking = {(True, True): (0, 0), (True, False): rule.worths[2], (False, True): rule.worths[0]}
            ways.append([(1.0, board.decided or lacking[board.first is None, board.second is None])])
            continue
        one, other = strengths[board.first], strengths[board.second]
        spread = numpy.hypot(one.deviation, other.deviation)
        odds = mean_chances(rule, numpy.array([one.mean - other.mean]), spread, numpy.array([board.first_white]))
        chances = (float(part[0, 0]) for part in (odds.win, odds.draw, odds.loss))
        ways.append(list(zip(chances, rule.worths, strict=True)))
    found = numpy.zeros(5)
    for ending in product(*ways):
        chance = numpy.prod([each for each, _points in ending])
        points = [BoardPoints(at, *won) for at, (_chance, won) in enumerate(ending, 1)]
        one, other = rule.scoring.match_points(TeamMeeting(1, 1, 2, tuple(points)))
        found[0 if one > other else 1 if one == other else 2] += chance
        found[3:] += chance * numpy.array([one, other])
    return tuple(found.tolist())


@given(match=matches())
@examples(150)
def test_the_convolution_is_every_ending_added_up(match: tuple[list[MatchBoard], dict[int, Prior], MatchRule]) -> None:
    found = forecast_match(*match)
    assert (found.win, found.draw, found.loss, *found.match_points) == pytest.approx(tried(*match), abs=1e-9)
    assert sum(found.game_points.values()) == pytest.approx(1.0, abs=1e-9)
    assert found.win + found.draw + found.loss == pytest.approx(1.0, abs=1e-9)


@given(match=matches())
@examples(100)
def test_the_other_side_sees_the_mirror(match: tuple[list[MatchBoard], dict[int, Prior], MatchRule]) -> None:
    boards, strengths, rule = match
    turned = [
        MatchBoard(board.second, board.first, not board.first_white, board.decided and board.decided[::-1])
        for board in boards
    ]
    found, mirror = forecast_match(boards, strengths, rule), forecast_match(turned, strengths, rule)
    assert (mirror.loss, mirror.draw, mirror.win) == pytest.approx((found.win, found.draw, found.loss), abs=1e-9)
    assert mirror.match_points[::-1] == pytest.approx(found.match_points, abs=1e-9)
    assert mirror.expected[::-1] == pytest.approx(found.expected, abs=1e-9)


@pytest.mark.parametrize(("gap", "spread", "rate"), [(0.0, 30.0, 0.8), (120.0, 490.0, 0.8), (-700.0, 250.0, 2.0)])
def test_odds_over_an_unknown_gap_are_a_fine_sum_of_single_odds(gap: float, spread: float, rate: float) -> None:
    steps = numpy.arange(-9.0, 9.0, 0.002)
    odds = [odds_of(expected_score(gap + spread * float(step), 0.0), rate) for step in steps]
    weights = numpy.exp(-(steps**2) / 2) / numpy.exp(-(steps**2) / 2).sum()
    rule = MatchRule(TeamScoring(1), rate)
    found = mean_chances(rule, numpy.array([gap]), numpy.array([spread]), numpy.array([True]))
    assert found.win[0, 0] == pytest.approx(weights @ [each.win for each in odds], abs=1e-9)
    assert found.draw[0, 0] == pytest.approx(weights @ [each.draw for each in odds], abs=1e-9)


def test_two_boards_between_equals_by_hand() -> None:
    """ν = 0.5: equals win, draw and lose 0.4, 0.2 and 0.4 of their games. Two boards: won 2–0 with 0.16 and 1½–½ with
    2 · 0.4 · 0.2 = 0.16; drawn with 2 · 0.4 · 0.4 + 0.2² = 0.36. With a draw of board 1 in hand: 0.4, 0.2, 0.4."""
    rule = MatchRule(TeamScoring(2), rate=0.5)
    strengths = dict.fromkeys((1, 2, 3, 4), Prior(1500.0, 0.0))
    found = forecast_match(alternating([1, 2], [3, 4], 2), strengths, rule)
    assert (found.win, found.draw, found.loss) == pytest.approx((0.32, 0.36, 0.32))
    chances = {(4, 0): 0.16, (3, 1): 0.16, (2, 2): 0.36, (1, 3): 0.16, (0, 4): 0.16}
    assert dict(found.game_points) == pytest.approx(chances)
    assert (found.match_points, found.expected) == (pytest.approx((2.0, 2.0)), pytest.approx((2.0, 2.0)))
    running = [MatchBoard(1, 3, decided=(1, 1)), MatchBoard(2, 4)]
    found = forecast_match(running, strengths, rule)
    assert (found.win, found.draw, found.loss) == pytest.approx((0.4, 0.2, 0.4))


def test_an_empty_board_is_won_and_colours_alternate_with_the_empty_boards_at_the_bottom() -> None:
    boards = alternating([1, 2], [3], 3, first_white=False)
    assert boards == (MatchBoard(1, 3, False), MatchBoard(2, None, True), MatchBoard(None, None, False))
    found = forecast_match(boards, {1: Prior(1500, 0), 3: Prior(9000, 0)}, CLASSIC)
    assert found.game_points[2, 2] == pytest.approx(1.0, abs=1e-9)
    with pytest.raises(ValueError, match="has 1 boards"):
        alternating([1, 2], [3], 1)


@pytest.mark.parametrize(
    ("counts", "second", "points", "worth"),
    [
        (False, [3], (8, 0), (4.0, 0.0)),
        (True, [3], (7, 1), (4.0, 0.0)),
        (False, [], (8, 0), (4.0, 0.0)),
    ],
)
def test_below_the_minimum_a_side_loses_by_default(
    counts: bool, second: list[int], points: tuple[int, int], worth: tuple[float, float]
) -> None:
    rule = MatchRule(CLASSIC.scoring, rate=1e9, minimum=2, games_count=counts)
    found = forecast_match(alternating([1, 2, 5, 6], second, 4), dict.fromkeys((1, 2, 3), Prior(1500, 0)), rule)
    assert found.expected == pytest.approx(points, abs=1e-6)
    assert (*found.match_points, found.win) == pytest.approx((*worth, 1.0))


def test_the_minimum_itself_is_enough() -> None:
    found = forecast_match(alternating([1, 2], [3, 4], 4), dict.fromkeys(range(5), Prior(1500, 0)), CLASSIC_OF_TWO)
    assert 0.0 < found.win < 0.5


def test_below_the_minimum_on_both_sides_both_lose() -> None:
    found = forecast_match(alternating([1], [], 4), {}, MatchRule(CLASSIC.scoring, 0.8, minimum=2))
    assert (found.loss, found.match_points, found.expected) == (1.0, (0.0, 0.0), (0.0, 0.0))


def test_draws_agree_with_the_exact_mean_within_their_error_and_what_is_shared_is_kept() -> None:
    strengths = {number: Prior(1500.0 + 30 * number, 120.0) for number in range(8)}
    boards = alternating([0, 1, 2, 3], [4, 5, 6, 7], 4)
    rng = numpy.random.default_rng(7)
    draws = rng.normal([each.mean for each in strengths.values()], 120.0, (4_000, 8))
    exact = forecast_match(boards, strengths, CLASSIC)
    drawn = forecast_drawn_match(boards, Strengths(tuple(strengths), draws, 0.8), CLASSIC)
    assert (exact.method, drawn.method, exact.errors) == (EXACT, SAMPLED, (0.0,) * 4)
    for one, other, error in zip((exact.win, exact.draw), (drawn.win, drawn.draw), drawn.errors, strict=False):
        assert 0.0 < error < 0.01
        assert abs(one - other) < 4 * error
    together = draws.copy()
    together[:, :4] = draws[:, :1] + numpy.array([0, 30, 60, 90])  # all of the first team strong, or none
    wide = forecast_drawn_match(boards, Strengths(tuple(strengths), together, 0.8), CLASSIC)
    assert wide.draw < drawn.draw - 5 * drawn.errors[1], "strengths that hang together make close matches rarer"
    fewer = forecast_drawn_match(boards, Strengths(tuple(strengths), draws, 0.8), CLASSIC, effective=1_000.0)
    assert fewer.errors == pytest.approx([2 * error for error in drawn.errors])


def test_white_helps_who_has_it_and_nobody_sits_twice_or_without_a_strength() -> None:
    strengths = dict.fromkeys((1, 2), Prior(1500.0, 50.0))
    rule = MatchRule(TeamScoring(1), 0.8, white=35.0)
    assert (
        forecast_match([MatchBoard(1, 2)], strengths, rule).win
        > forecast_match([MatchBoard(1, 2)], strengths, MatchRule(TeamScoring(1), 0.8)).win
    )
    for boards, said in (
        ([], "at least one board"),
        ([MatchBoard(1, 2), MatchBoard(2, 3)], "Number 2 sits on two boards"),
        ([MatchBoard(1, 9)], "how strong number 9 is"),
        ([MatchBoard(1, 3)], "deviation of number 3 is below 0"),
        ([MatchBoard(1, 4)], "finite mean and a finite deviation"),
    ):
        with pytest.raises(ValueError, match=said):
            forecast_match(boards, {**strengths, 3: Prior(1500.0, -1.0), 4: Prior(inf, 50.0)}, rule)
    draws = Strengths((1, 2, 3), numpy.full((2, 3), 1500.0), 0.8)
    for boards, said in (([], "at least one board"), ([MatchBoard(1, 2), MatchBoard(2, 3)], "Number 2 sits on two")):
        for forecast in (forecast_drawn_match, match_points_by_draw):
            with pytest.raises(ValueError, match=said):
                forecast(boards, draws, rule)
    with pytest.raises(ValueError, match="armageddon"):
        MatchRule(TeamScoring(4, point_system("armageddon")), 0.8)
