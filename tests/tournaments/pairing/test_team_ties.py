"""Who goes on from a level match of teams, and which step said so."""

from random import Random

import pytest

from tournaments.pairing.base import PairingError
from tournaments.pairing.team_ties import TieRule, tie_winner
from tournaments.standings.team_event import BoardPoints

NO_COUNT = TieRule(board_count=False)
POINTS = {"1": (2, 0), "=": (1, 1), "0": (0, 2), "-": (0, 0)}


def boards(results: str) -> list[BoardPoints]:
    """From board 1 down, as the first team sees them."""
    return [BoardPoints(at, *POINTS[result]) for at, result in enumerate(results, start=1)]


@pytest.mark.parametrize(
    ("results", "rule", "winner", "said"),
    [
        ("1=0===", TieRule(), 1, "Level on game points. The lower board count goes on: 9½ against 11½."),
        ("1110==", TieRule(), 1, "More game points: 4 to 2."),
        ("10-", TieRule(), 1, "Level on game points. The lower board count goes on: 1 against 2."),
        # Dorset, 3–3: boards 1, 2 and 6 were won, 3, 4 and 5 lost.
        ("110001", TieRule(), 1, "Level on game points. The lower board count goes on: 9 against 12."),
        # 1 + 6 = 2 + 5 with boards 3 and 4 shared: level again, so the bottom board goes out.
        ("10==01", TieRule(), 2, "Level so far. Without board 6 and those below: 2 to 3."),
        ("0==1", NO_COUNT, 2, "Level so far. Without board 4 and those below: 1 to 2."),
        ("10=", NO_COUNT, 1, "Level so far. Without board 2 and those below: 1 to 0."),
        # Shropshire: all drawn.
        ("====", TieRule(), 2, "Level in everything: the team that had Black on the odd boards goes on."),
        ("====", TieRule(last="replay"), 0, "Level in everything: a replay decides."),
        # Teams 11 and 14 of FIDE's exercises: 1 ½ ½ 0.
        ("1==0", TieRule(), 1, "Level on game points. The lower board count goes on: 3½ against 6½."),
        ("1==0", NO_COUNT, 1, "Level so far. Without board 4 and those below: 2 to 1."),
        ("", TieRule(), 0, "The match is not over: a board has no result yet."),
    ],
)
def test_the_first_step_that_parts_them_decides(results: str, rule: TieRule, winner: int, said: str) -> None:
    decision = tie_winner(boards(results), rule)
    assert (decision.winner, decision.remark.text % decision.remark.values) == (winner, said)


def test_two_matches_are_one_tie() -> None:
    """The two clubs of `two_team_match.trf`: 2½ each; 1, 1 and ½ on boards 1 to 3 against 0, 1 and 1½."""
    both = [BoardPoints(1, 2, 0), BoardPoints(2, 2, 0), BoardPoints(3, 0, 2)]
    both += [BoardPoints(1, 0, 0), BoardPoints(2, 0, 2), BoardPoints(3, 1, 1)]
    decision = tie_winner(both, TieRule())
    assert (decision.winner, decision.remark.values) == (1, {"first": "4½", "second": "6½"})


def test_the_last_step_follows_the_colour_or_the_lots() -> None:
    assert tie_winner(boards("=="), TieRule(), first_has_white=False).winner == 1
    drawn = [tie_winner(boards("=="), TieRule(last="lots"), lots=Random(seed)).winner for seed in range(20)]
    assert set(drawn) == {1, 2}
    with pytest.raises(PairingError, match="draw lots"):
        tie_winner(boards("=="), TieRule(last="lots"))
    assert tie_winner([BoardPoints(1, 0, 0, decided=False)], TieRule()).winner == 0


@pytest.mark.parametrize("seed", range(40))
def test_the_sides_exchanged_the_other_one_goes_on(seed: int) -> None:
    results = Random(seed).choices("10=", k=6)
    decision = tie_winner(boards("".join(results)), TieRule())
    mirrored = tie_winner(
        boards("".join({"1": "0", "0": "1"}.get(one, one) for one in results)), TieRule(), first_has_white=False
    )
    assert (decision.winner, decision.step) == (3 - mirrored.winner, mirrored.step)
