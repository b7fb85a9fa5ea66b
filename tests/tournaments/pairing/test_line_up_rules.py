"""Line-ups: orders by rating, by list and free; who may play; every breach named with board, player and remedy."""

from itertools import permutations

import pytest

from tournaments.pairing.base import PairingError
from tournaments.pairing.line_up_rules import (
    SAYS,
    Breach,
    Elsewhere,
    Finding,
    LineUpRule,
    Order,
    SquadPlayer,
    check_line_up,
    default_order,
    may_follow,
)

RATINGS = (2000, 1900, 1790, None)  # numbers 1 to 4, in this order on the list
SQUAD = {number: SquadPlayer(number, rating, place=number) for number, rating in enumerate(RATINGS, 1)}
NORTHANTS = LineUpRule(4, Order.RATING, tolerance=100)
LIST, KONZ = LineUpRule(4, Order.LIST), LineUpRule(4, Order.LIST, swaps=True)


def said(found: tuple[Finding, ...]) -> list[tuple[str, int, bool]]:
    return [(each.breach.value, each.board, each.refused) for each in found]


def text(found: Finding) -> str:
    players = {name: f"No. {number}" for name, number in found.remark.players.items()}
    return found.remark.text % {**found.remark.values, **players}


def test_by_rating_a_player_may_sit_a_hundred_points_too_low_but_no_more() -> None:
    assert check_line_up(NORTHANTS, [2, 1, 3, 4], SQUAD) == ()
    (found,) = check_line_up(NORTHANTS, [1, 3, 2, 4], SQUAD)
    assert found.refused
    assert text(found) == (
        "Board 3: No. 2 is rated above No. 3 on board 2 by 110 (allowed: 100). "
        "Seat the stronger player higher, or ask the other captain for consent."
    )
    assert check_line_up(NORTHANTS, [1, 3, 2, 4], SQUAD, consent=True) == ()


def test_without_a_rating_the_set_one_counts() -> None:
    connaught = LineUpRule(4, Order.RATING, tolerance=150, unrated=1200)
    assert said(check_line_up(connaught, [4, 1], SQUAD)) == [("rating order", 2, True)]
    assert check_line_up(LineUpRule(4, Order.RATING, 150, unrated=1850), [4, 1], SQUAD) == ()


def test_on_a_fixed_list_absentees_close_up_and_neighbours_change_only_by_rule() -> None:
    assert check_line_up(LIST, [1, 3, 4], SQUAD) == ()
    assert said(check_line_up(LIST, [3, 1, 4], SQUAD)) == [("list order", 2, True)]
    assert check_line_up(KONZ, [3, 1, 4], SQUAD) == (), "neighbours once 2 is absent"
    assert said(check_line_up(KONZ, [2, 3, 1], SQUAD)) == [("neighbours", 3, True)]


@pytest.mark.parametrize("rule", [NORTHANTS, LIST, KONZ, LineUpRule(4)])
def test_what_may_follow_board_by_board_is_what_the_check_allows(rule: LineUpRule) -> None:
    for size in range(1, 5):
        for order in permutations(SQUAD.values(), size):
            step_by_step = all(may_follow(rule, order[:at], order[at]) for at in range(size))
            assert step_by_step is (check_line_up(rule, [player.number for player in order], SQUAD) == ())


def test_the_default_order_breaks_nothing() -> None:
    for rule in (NORTHANTS, LIST, KONZ, LineUpRule(3)):
        order = [player.number for player in default_order(rule, list(reversed(SQUAD.values())))]
        assert order == [1, 2, 3, 4][: rule.boards]
        assert check_line_up(rule, order, SQUAD) == ()


@pytest.mark.parametrize(
    ("rule", "order"),
    [
        (LineUpRule(3, Order.RATING), [2, 3, 1]),
        (LineUpRule(4, Order.RATING), [2, 4, 3, 1]),
        (LineUpRule(4, Order.LIST), [1, 4, 3, 2]),
        (LineUpRule(4), [1, 3, 2, 4]),
    ],
)
def test_a_reserve_sits_where_others_are_missing_in_the_order_of_the_rule(rule: LineUpRule, order: list[int]) -> None:
    squad = [SquadPlayer(1, 1500, 1), SquadPlayer(2, 1900, 4), SquadPlayer(3, 1700, 3)]
    reserve = SquadPlayer(4, 1800, 2, reserve=True)
    assert [player.number for player in default_order(rule, [reserve, *squad])] == order


def test_nobody_sits_twice_and_nobody_of_another_team_plays() -> None:
    there = {2: Elsewhere("Rooks", "Rooks – Bishops"), 3: Elsewhere("Rooks II", "Rooks II – Pawns", same_round=False)}
    found = check_line_up(LineUpRule(5), [1, 2, 1, 9, 3], SQUAD, elsewhere=there)
    assert said(found) == [("elsewhere", 2, True), ("twice", 3, True), ("stranger", 4, True), ("same day", 5, True)]
    assert "No. 3 already plays for “Rooks II” on this day (Rooks II – Pawns)." in text(found[-1])
    order, _twice = check_line_up(LIST, [3, 1, 3], SQUAD)
    assert (order.board, order.remark.values["above"]) == (2, 1), "who is named twice sits where he is named first"
    assert text(found[1]) == "Board 3: No. 1 already sits on board 1. Name each player once."


def test_gaps_and_few_players_are_warnings_and_players_below_the_last_board_are_refused() -> None:
    rule = LineUpRule(3, minimum=2)
    assert said(check_line_up(rule, [None, 1, None], SQUAD)) == [("too few", 0, False), ("gap", 1, False)]
    assert check_line_up(rule, [1, 2, None], SQUAD) == (), "empty boards at the bottom are no gap"
    assert said(check_line_up(rule, [1, 2, 3, 4], SQUAD)) == [("too many", 4, True)]


def test_nominated_players_stay_and_three_games_up_tie_to_the_higher_team() -> None:
    rule = LineUpRule(4, most_games_up=3)
    squad = {
        1: SquadPlayer(1, team=1, nominated=True),
        2: SquadPlayer(2, team=2, games_up=3),
        3: SquadPlayer(3, team=2, games_up=2),
        4: SquadPlayer(4, team=1),
    }
    assert said(check_line_up(rule, [1, 2, 3, 4], squad, team=2)) == [("nominated", 1, True), ("tied", 2, True)]
    assert said(check_line_up(rule, [1, 2, 3, 4], squad, team=1)) == [("last game up", 3, False)]


def test_a_substitute_stronger_than_who_is_absent_needs_consent() -> None:
    rule = LineUpRule(2, substitute_margin=100)
    squad = {1: SquadPlayer(1, 1500), 2: SquadPlayer(2, 1600), 3: SquadPlayer(3, 1701, reserve=True)}
    found = check_line_up(rule, [3, 1], squad)
    assert said(found) == [("substitute", 1, True)]
    assert found[0].remark.players == {"player": 3, "other": 2}
    assert check_line_up(rule, [3, 1], squad, consent=True) == ()
    assert check_line_up(rule, [3, 2], {**squad, 1: SquadPlayer(1, 1601)}) == ()
    absent = {2: SquadPlayer(2, 1400), 4: SquadPlayer(4, 1601), 3: squad[3]}
    assert check_line_up(rule, [3], absent) == (), "the strongest of the absent counts"
    assert check_line_up(rule, [3, 1], {1: squad[1], 3: squad[3]}) == (), "nobody is absent"


def test_every_breach_has_its_sentence_and_numbers_that_make_no_rule_are_refused() -> None:
    assert set(SAYS) == set(Breach)
    few, many = ({"boards": 4, "minimum": minimum} for minimum in (-1, 5))
    for wrong in ({"boards": 0}, {"boards": 4, "tolerance": -1}, few, many):
        with pytest.raises(PairingError, match="A match has at least one board"):
            LineUpRule(**wrong)
    assert LineUpRule(1, minimum=1).boards == 1
