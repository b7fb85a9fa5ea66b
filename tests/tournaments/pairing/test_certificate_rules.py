"""The rules of the Swiss as the checker of certificates reads them: what fails in a pair and in a floater, criterion by
criterion, and what a history is worth. Digits: criterion, part, minus the size."""

from typing import Any

import pytest

from tournaments.pairing.certificates.rules import (
    ABSOLUTE,
    BLACK,
    BYE,
    DOWN,
    MILD,
    STRONG,
    UP,
    WHITE,
    Bracket,
    Facts,
    Player,
    colour_of,
)

EDITIONS = (2026, 2025)
DIGIT = tuple[int, int, int]


def facts(*rows: list[Any], edition: int = 2026, **given: object) -> Facts:
    """What the players did in the rounds before, of which each has as many."""
    players = [
        {"number": number, "here": True, "virtual": [], "rounds": rounds} for number, rounds in enumerate(rows, start=1)
    ]
    common = {"edition": edition, "round": len(rows[0]) + 1, "rounds": 9, "games": 1, "first_colour": "white"}
    points = {"unit": 2, "win": 2, "loss": 0}
    return Facts({**common, "points": points, "prohibited": [], "players": players, **given})


def player(number: int, score: int = 4, **given: Any) -> Player:
    plain = {"colours": (), "met": frozenset(), "floats": (0, 0), "may_have_bye": True, "unplayed": 0}
    common = {"number": number, "score": score, "points": score, "top": False, "odd": False, "due": 0, "strength": 0}
    return Player(**{**plain, **common, **given})


def bracket(edition: int, moved: list[Player], residents: list[Player], mates: dict[int, int]) -> Bracket:
    return Bracket(facts([], [], edition=edition), frozenset(), moved, residents, ((player(9, 2),),), mates)


MILDLY: dict[str, Any] = {"due": WHITE, "strength": MILD}
BLACK_ONCE: dict[str, Any] = {"colours": (BLACK,), "due": WHITE, "strength": STRONG}
BLACK_TWICE: dict[str, Any] = {"colours": (BLACK, BLACK), "due": WHITE, "strength": ABSOLUTE}
BLACK_THRICE: dict[str, Any] = {"colours": (BLACK,) * 3, "due": WHITE, "strength": ABSOLUTE}
BLACK_LATELY: dict[str, Any] = {"colours": (WHITE, BLACK, BLACK), "due": WHITE, "strength": ABSOLUTE}


@pytest.mark.parametrize(
    ("one", "other", "expected", "before"),
    [
        ({}, {}, [], []),
        (MILDLY, {}, [], []),
        (MILDLY, BLACK_ONCE, [(12, 0, -1)], [(10, 0, -1)]),
        (BLACK_ONCE, BLACK_TWICE, [(12, 0, -1), (13, 0, -1)], [(10, 0, -1), (11, 0, -1)]),
        (BLACK_LATELY, BLACK_TWICE, [(12, 0, -1)], [(10, 0, -1)]),
        (BLACK_TWICE, BLACK_LATELY, [(12, 0, -1)], [(10, 0, -1)]),
        (BLACK_TWICE, BLACK_TWICE, [(10, 0, -1), (12, 0, -1)], [(8, 0, -1), (10, 0, -1)]),
        (
            BLACK_TWICE | {"top": True},
            BLACK_TWICE,
            [(10, 0, -1), (12, 0, -1), (11, 0, -1)],
            [(8, 0, -1), (10, 0, -1), (9, 0, -1)],
        ),
        (
            BLACK_TWICE,
            BLACK_THRICE | {"top": True},
            [(10, 0, -1), (12, 0, -1), (11, 0, -1)],
            [(8, 0, -1), (10, 0, -1), (9, 0, -1)],
        ),
        ({"floats": (DOWN, DOWN)}, {"floats": (UP, UP)}, [], []),
        ({"score": 6, "floats": (DOWN, 0)}, {}, [(18, 0, -2)], [(6, 0, -2), (12, 0, -1), (16, 0, -2)]),
        ({"score": 6, "floats": (0, DOWN)}, {}, [(20, 0, -2)], [(6, 0, -2), (14, 0, -1), (18, 0, -2)]),
        ({"score": 6}, {"floats": (UP, 0)}, [(15, 0, -1), (19, 0, -2)], [(6, 0, -2), (13, 0, -1), (17, 0, -2)]),
        ({"score": 6}, {"floats": (0, UP)}, [(17, 0, -1), (21, 0, -2)], [(6, 0, -2), (15, 0, -1), (19, 0, -2)]),
    ],
)
def test_what_fails_in_a_pair(
    one: dict[str, Any], other: dict[str, Any], expected: list[DIGIT], before: list[DIGIT]
) -> None:
    for edition, digits in zip(EDITIONS, (expected, before), strict=True):
        two = player(1, **one), player(2, **other)
        assert list(bracket(edition, [two[0]], [two[1]], {1: 2, 2: 1}).of_pair(*two)) == digits


def test_of_two_who_are_due_the_same_colour_the_stronger_and_then_the_wider_claim_has_it() -> None:
    for higher, lower in ((BLACK_ONCE, BLACK_TWICE), (BLACK_TWICE, BLACK_THRICE)):
        assert colour_of(player(1, **higher), player(2, **lower), WHITE) == BLACK
        assert colour_of(player(1, **lower), player(2, **higher), WHITE) == WHITE


@pytest.mark.parametrize(
    ("floats", "moved", "resident", "before"),
    [
        ((0, 0), [], [], []),
        ((DOWN, 0), [(18, 0, -13)], [(14, 0, -1)], [(12, 0, -1), (16, 0, -4)]),
        ((0, DOWN), [(20, 0, -13)], [(16, 0, -1)], [(14, 0, -1), (18, 0, -4)]),
        ((UP, UP), [], [], []),
    ],
)
def test_what_fails_in_a_floater(
    floats: tuple[int, int], moved: list[DIGIT], resident: list[DIGIT], before: list[DIGIT]
) -> None:
    """The one moved down has 3 points, the resident 2."""
    high, low = player(1, 6, floats=floats), player(2, floats=floats)
    made = bracket(2026, [high], [low], {})
    assert list(made.of_floater(high)) == [(6, 0, -1), (7, 0, -6), *moved]
    assert list(made.of_floater(low)) == [(6, 0, -1), (7, 0, -4), *resident]
    assert list(bracket(2025, [high], [low], {}).of_floater(high)) == [(5, 0, -1), (6, 0, -4), *before]


def test_what_fails_in_the_following_group() -> None:
    one, other = player(1), player(2, 2)
    assert list(bracket(2026, [], [one], {}).of_next(one, None)) == [(8, 0, -1), (8, 1, -4)]
    assert list(bracket(2026, [], [one], {}).of_next(one, other)) == []
    assert list(bracket(2025, [], [one], {}).of_next(one, other)) == [(7, 1, -2)]
    assert list(bracket(2025, [], [one], {}).of_next(other, player(3, 2))) == []
    assert list(bracket(2025, [], [one], {}).of_next(one, None)) == [(7, 0, -1), (7, 1, -4)]
    odd = Bracket(facts([], [], [], edition=2025), frozenset({2}), [], [one], ((other,),), {})
    assert [list(odd.of_next(each, None))[:2].count((7, 0, -1)) for each in (one, other)] == [2, 1]


def test_a_bracket_needs_no_proof_where_the_halves_meet_in_order_and_nothing_fails() -> None:
    four, mates = [player(number) for number in range(1, 5)], {1: 3, 3: 1, 2: 4, 4: 2}
    assert bracket(2026, [], four, mates).is_first
    assert not bracket(2026, [], four, {1: 4, 4: 1, 2: 3, 3: 2}).is_first
    assert not bracket(2026, four[:1], four[1:], mates).is_first
    assert not bracket(2026, [], [*four[:3], player(4, 2)], mates).is_first
    assert not bracket(2026, [], [*four, player(5)], mates).is_first
    same = [player(number, **MILDLY) for number in range(1, 5)]
    assert not bracket(2026, [], same, mates).is_first
    assert [str(bracket(2026, [], [player(1, score)], {})) for score in (4, 3)] == ["Score group 2", "Score group 1½"]


@pytest.mark.parametrize(
    ("entry", "floats", "may_have_bye"),
    [
        (None, (0, DOWN), (True, True)),
        ([BYE, "a", 0], (0, DOWN), (True, True)),
        ([BYE, "a", 1], (DOWN, DOWN), (True, True)),
        ([BYE, "a", 2], (DOWN, DOWN), (False, True)),
        ([BYE, "p", 0], (DOWN, DOWN), (False, False)),
    ],
)
def test_what_a_bye_is_worth(entry: Any, floats: tuple[int, int], may_have_bye: tuple[bool, bool]) -> None:
    for edition, fallen, may in zip(EDITIONS, floats, may_have_bye, strict=True):
        (found,) = facts([entry], edition=edition).players
        assert (found.floats, found.may_have_bye, found.unplayed) == ((fallen, 0), may, 1)


def test_of_two_games_against_each_opponent_the_first_has_the_colour() -> None:
    one, two = facts([[2, "w", 2], [2, "b", 2]], [[1, "b", 0], [1, "w", 0]], games=2, rounds=4).players
    assert (one.colours, two.colours, one.met, one.unplayed) == ((WHITE,), (BLACK,), {2}, 0)


def test_who_has_more_than_half_of_the_points_before_the_last_round_is_on_top() -> None:
    rows = [[2, "w", 2], [3, "w", 1]], [[1, "b", 0], [BYE, "a", 2]], [[BYE, "a", 0], [1, "b", 1]]
    for rounds, top in ((3, [1]), (4, [])):
        assert [each.number for each in facts(*rows, rounds=rounds).players if each.top] == top
