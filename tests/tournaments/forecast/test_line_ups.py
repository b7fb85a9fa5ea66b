"""Which line-up to send: against every order tried, by hand, and what cannot be told apart."""

from itertools import permutations

import numpy
import pytest

from tests.tournaments.forecast.playing_cases import rng
from tournaments.forecast.line_ups import (
    ALL_ORDERS,
    BY_GAME_POINTS,
    FEW,
    LineUpQuestion,
    advise_line_up,
    all_orders,
    best_by_game_points,
    count_orders,
    match_points_of,
)
from tournaments.forecast.posterior import Prior
from tournaments.forecast.team_match import MatchRule, forecast_match
from tournaments.pairing.line_up_rules import LineUpRule, Order, SquadPlayer, check_line_up
from tournaments.standings.team_event import TeamScoring

RATINGS = (2010, 1940, 1900, 1830, 1790)
SQUAD = tuple(SquadPlayer(number, rating, place=number) for number, rating in enumerate(RATINGS, 1))
RULES = {
    "free": LineUpRule(4),
    "rating": LineUpRule(4, Order.RATING, tolerance=100),
    "list": LineUpRule(4, Order.LIST),
    "neighbours": LineUpRule(4, Order.LIST, swaps=True),
}


def question(
    rule: LineUpRule, deviation: float = 60.0, opponents: tuple[int | None, ...] = (11, 12, 13, 14), white: float = 0.0
) -> LineUpQuestion:
    strengths = {player.number: Prior(float(player.rating or 0) + 9 * player.number, deviation) for player in SQUAD}
    strengths |= {11: Prior(2100.0, 40.0), 12: Prior(1850.0, 90.0), 13: Prior(1840.0, 20.0), 14: Prior(1700.0, 0.0)}
    match = MatchRule(TeamScoring(4), 0.8, white=white)
    return LineUpQuestion(SQUAD, opponents, strengths, rule, match)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize("seats", [1, 3, 4])
def test_the_allowed_orders_are_those_the_check_lets_pass(rule: LineUpRule, seats: int) -> None:
    known = {player.number: player for player in SQUAD}
    passed = {order for order in permutations(known, seats) if not check_line_up(rule, order, known)}
    found = [tuple(player.number for player in order) for order in all_orders(rule, SQUAD, seats)]
    assert len(found) == len(set(found)) == count_orders(rule, SQUAD, seats)
    assert set(found) == passed


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize("opponents", [(11, 12, 13, 14), (11, None, 13)])
def test_the_best_are_the_best_of_all_orders_forecast_one_by_one(
    rule: LineUpRule, opponents: tuple[int | None, ...]
) -> None:
    asked = question(rule, opponents=opponents, white=35.0)
    orders = list(all_orders(rule, SQUAD, 4))
    single = [forecast_match(asked.boards(order), asked.strengths, asked.match) for order in orders]
    indices = numpy.array([[player.number - 1 for player in order] for order in orders])
    assert match_points_of(asked, indices) == pytest.approx([each.match_points[0] for each in single], abs=1e-9)
    advice = advise_line_up(asked, rng())
    best = sorted((each.match_points[0] for each in single), reverse=True)[:FEW]
    assert [each.match_points for each in advice.best] == pytest.approx(best, abs=1e-9)
    assert (advice.allowed, advice.method, advice.default.order) == (len(orders), ALL_ORDERS, (1, 2, 3, 4))
    assert (advice.default.difference, advice.default.error) == (0.0, 0.0)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_with_too_many_orders_the_best_by_game_points_are_exact(rule: LineUpRule) -> None:
    asked = question(rule, white=35.0)
    orders = all_orders(rule, SQUAD, 4)
    points = [forecast_match(asked.boards(order), asked.strengths, asked.match).expected[0] for order in orders]
    found = [
        forecast_match(asked.boards(order), asked.strengths, asked.match).expected[0]
        for order in best_by_game_points(asked)
    ]
    assert found == pytest.approx(sorted(points, reverse=True)[:FEW], abs=1e-9)
    advice = advise_line_up(asked, rng(), most=1)
    assert advice.method == BY_GAME_POINTS
    assert max(each.game_points for each in advice.best) == pytest.approx(max(points))


def sure(own: tuple[int, int], opponents: tuple[int, int], deviation: float = 0.0) -> LineUpQuestion:
    strengths = dict(zip((1, 2, 11, 12), (*own, *opponents), strict=True))
    squad = tuple(SquadPlayer(number, strengths[number]) for number in (1, 2))
    known = {number: Prior(float(mean), deviation) for number, mean in strengths.items()}
    return LineUpQuestion(squad, (11, 12), known, LineUpRule(2), MatchRule(TeamScoring(2), 0.0))


def test_an_offer_to_lose_the_first_board_by_hand() -> None:
    """No draws. 2000 and 1600 against 2400 and 1600. In order: E(400) = 10/11 is lost, so 1/11 on board 1, 1/2 on board
    2: two match points with 1/22, one with 1/22 + 10/22, in half-points 4/22 + 2 · 11/22 = 26/22. Turned: 1/101 and
    10/11: 4 · 10/1111 + 2 · (1 · 1 + 100 · 10) / 1111 = 2042/1111."""
    advice = advise_line_up(sure((2000, 1600), (2400, 1600)), rng())
    assert advice.default.match_points == pytest.approx(26 / 22)
    best = advice.best[0]
    assert (best.order, best.match_points) == ((2, 1), pytest.approx(2042 / 1111))
    assert best.difference == pytest.approx(2042 / 1111 - 26 / 22)
    assert best.error == pytest.approx(0.0)
    assert best.is_told


def test_between_players_hardly_known_no_difference_is_told() -> None:
    advice = advise_line_up(sure((1810, 1800), (1820, 1790), deviation=150.0), rng())
    assert not any(each.is_told for each in advice.best)
    assert max(each.error for each in advice.best) > abs(advice.best[0].difference)


def test_the_error_is_how_far_strengths_leave_the_difference_open() -> None:
    """Halved deviations about halve it: the difference is nearly linear in the strengths."""
    wide, narrow = (
        max(each.error for each in advise_line_up(sure((2000, 1600), (2100, 1700), deviation=deviation), rng()).best)
        for deviation in (40.0, 20.0)
    )
    assert narrow == pytest.approx(wide / 2, rel=0.15)


def test_the_error_is_that_of_matches_between_strengths_drawn_one_by_one() -> None:
    asked, lots, found = sure((2000, 1600), (2100, 1700), deviation=60.0), rng(1), []
    for _draw in range(400):
        known = {number: Prior(lots.normal(each.mean, 60.0), 0.0) for number, each in asked.strengths.items()}
        orders = (asked.players, asked.players[::-1])
        worth = [forecast_match(asked.boards(order), known, asked.match).match_points[0] for order in orders]
        found.append(worth[1] - worth[0])
    turned = next(each for each in advise_line_up(asked, rng()).best if each.order == (2, 1))
    assert turned.error == pytest.approx(numpy.std(found), rel=0.15)


def test_fewer_players_leave_the_bottom_boards_empty() -> None:
    asked = question(RULES["free"])
    few = LineUpQuestion(SQUAD[:2], asked.opponents, asked.strengths, asked.order, asked.match)
    advice = advise_line_up(few, rng())
    assert advice.allowed == 2
    in_order = match_points_of(few, numpy.array([[0, 1]]))
    assert in_order == pytest.approx([advice.default.match_points], abs=1e-9)
    assert advice.default.game_points < 4.0, "two boards are lost without a game"
    assert {each.order for each in advice.best} == {(1, 2), (2, 1)}


def test_a_squad_of_twelve_on_eight_boards_is_answered() -> None:
    squad = tuple(SquadPlayer(number, 2000 - 20 * number) for number in range(12))
    strengths = {player.number: Prior(float(player.rating or 0), 50.0) for player in squad}
    strengths |= {20 + at: Prior(1900.0 - 30 * at, 50.0) for at in range(8)}
    asked = LineUpQuestion(squad, tuple(range(20, 28)), strengths, LineUpRule(8), MatchRule(TeamScoring(8), 0.8))
    advice = advise_line_up(asked, rng())
    assert (advice.method, advice.allowed) == (BY_GAME_POINTS, 19_958_400)
    few = question(RULES["free"])
    ways = advise_line_up(few, rng()).allowed
    assert [advise_line_up(few, rng(), most).method for most in (ways, ways - 1)] == [ALL_ORDERS, BY_GAME_POINTS]
    assert set(advice.best[0].order) == set(range(8)), "with equal deviations the strongest play"


def test_questions_without_an_answer_say_why() -> None:
    asked = question(RULES["free"])
    needs_two = MatchRule(TeamScoring(4), 0.8, minimum=2)
    many = tuple(SquadPlayer(number) for number in range(17))
    for players, opponents, strengths, match, said in (
        ((), asked.opponents, asked.strengths, asked.match, "Nobody is there"),
        (many, asked.opponents, asked.strengths, asked.match, "17 players are named"),
        (many[:16], asked.opponents, {}, asked.match, "how strong number 0 is"),
        (SQUAD[:1], asked.opponents, asked.strengths, needs_two, "fewer players than the match needs"),
        (SQUAD[:2], asked.opponents, {}, needs_two, "how strong number 1 is"),
        (SQUAD, asked.opponents, {}, asked.match, "how strong number 1 is"),
        (SQUAD, (11, 12, 13, 14, 15), asked.strengths, asked.match, "has 4 boards"),
    ):
        with pytest.raises(ValueError, match=said):
            advise_line_up(LineUpQuestion(players, opponents, strengths, asked.order, match), rng())
