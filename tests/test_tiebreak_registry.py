"""Contracts over every tie-break: whoever adds one gets these tests for nothing."""

from fractions import Fraction

import pytest

from tournaments.pairing.base import TIEBREAK_EDITIONS
from tournaments.standings.crosstable import Bye, Meeting, build_crosstable
from tournaments.standings.points import POINT_SYSTEMS, PointSystem, Result
from tournaments.standings.tiebreaks import TIEBREAKS, Contest, GroupTiebreak, PlayerTiebreak, Rule, Worth, tiebreak

each_tiebreak = pytest.mark.parametrize("rule", TIEBREAKS, ids=lambda rule: rule.code)
THREE = [Meeting(1, 1, 2, Result.WHITE_WINS), Meeting(2, 3, 1, Result.DRAW), Meeting(3, 2, 3, Result.DRAW)]


def three(players: list[int], meetings: list[Meeting], points: PointSystem, *, is_swiss: bool) -> Contest:
    """Three players of whom two meet in every round, and the third is free."""
    byes = [Bye(number, player, 0, "zero") for number, player in ((1, 3), (2, 2), (3, 1))] if is_swiss else []
    table = build_crosstable(players, meetings, byes, points)
    return Contest(table, points, 3, is_swiss, ratings={1: 1800, 2: 1700, 3: 1650}, lots=1)


def worths(rule: Rule, contest: Contest) -> dict[int, Worth]:
    if isinstance(rule, GroupTiebreak):
        return dict(rule.places([1, 2, 3], contest))
    assert isinstance(rule, PlayerTiebreak)
    found = {player: rule.worth(player, contest) for player in (1, 2, 3)}
    return {player: worth for player, worth in found.items() if worth is not None}


@each_tiebreak
def test_a_tiebreak_keeps_its_contract(rule: Rule) -> None:
    assert tiebreak(rule.code) is rule
    assert tiebreak(f" {rule.code.lower()} ") is rule
    assert rule.name
    assert rule.rule.endswith(".")
    assert isinstance(rule, PlayerTiebreak) != isinstance(rule, GroupTiebreak), "for players or for groups"
    assert rule.variations == ()
    assert rule.since in TIEBREAK_EDITIONS
    with pytest.raises(ValueError, match=f"There is no “{rule.code}/X”"):
        tiebreak(f"{rule.code}/X")


@each_tiebreak
@pytest.mark.parametrize("points", POINT_SYSTEMS, ids=lambda points: points.key)
@pytest.mark.parametrize("is_swiss", [True, False], ids=["swiss", "round-robin"])
def test_a_tiebreak_does_not_depend_on_the_order_of_players_and_games(
    rule: Rule, points: PointSystem, is_swiss: bool
) -> None:
    found = worths(rule, three([1, 2, 3], THREE, points, is_swiss=is_swiss))
    assert found or isinstance(rule, GroupTiebreak)
    assert all(isinstance(worth.number, Fraction) for worth in found.values())
    assert worths(rule, three([3, 1, 2], THREE[::-1], points, is_swiss=is_swiss)) == found


@each_tiebreak
def test_a_tiebreak_of_nothing_played_is_nothing(rule: Rule) -> None:
    points = POINT_SYSTEMS[0]
    nothing = Contest(build_crosstable([1, 2, 3], [], [], points), points, 0, ratings={1: 0, 2: 0, 3: 0}, lots=1)
    assert all(worth.number == 0 or worth.how == "number" for worth in worths(rule, nothing).values())


@each_tiebreak
def test_a_tiebreak_takes_the_modifiers_it_names(rule: Rule) -> None:
    for letter in ("C1", "C2", "M1", "M2", "P", "R", "F", "L+1", "L-2", "L60"):
        if letter[0] in rule.takes:
            assert tiebreak(f"{rule.code}/{letter}").code == f"{rule.code}/{letter}"
            assert all(sentence.endswith(".") for sentence in tiebreak(f"{rule.code}/{letter}").variations)
        else:
            with pytest.raises(ValueError, match=f"There is no “{rule.code}/"):
                tiebreak(f"{rule.code}/{letter}")
