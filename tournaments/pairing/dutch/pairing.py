"""A round of the Dutch system (pure): score group after score group from the top, each with those moved down to it.

Before February 2026 a bracket was paired without asking whether the round could be completed. Where it turned out that
it could not, this bracket was paired again so that it could, and all below it became one last bracket.

Source: FIDE C.04.3 art. 1.9 (edition 2025: A.9). Boards: C.04.2, order of publication: the score of the higher ranked
of a pair, the sum of both, the number of the higher ranked; real points, the bye last.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import Board, PairedRound, PairingError
from tournaments.pairing.dutch.candidate import Candidate, best_candidate, decides_bye
from tournaments.pairing.dutch.competitor import Bracket, Competitor, colour_rule, score_groups
from tournaments.pairing.dutch.criteria import CRITERIA, LOOKING_AHEAD
from tournaments.pairing.dutch.legal import BYE, Legal


@dataclass(frozen=True, slots=True)
class PairedBracket:
    """A bracket and what came of it."""

    bracket: Bracket
    candidate: Candidate


def pair_players(players: Sequence[Competitor], legal: Legal, edition: int, point: int) -> list[PairedBracket]:
    """All brackets in order; who floats from the last one has the bye. `players`: the highest ranked first. Raises
    PairingError where there is no legal round."""
    check_possible(players, legal, edition)
    return list(_brackets(players, legal, edition, point))


def check_possible(players: Sequence[Competitor], legal: Legal, edition: int) -> None:
    """Leave the bye to the lowest score that can have it. Raises PairingError where there is no legal round."""
    lowest = legal.odd and edition >= 2026
    if not (legal.restrict_bye(players) if lowest else legal.has_round(players)):
        raise PairingError(_why_impossible(players, legal))


def _why_impossible(players: Sequence[Competitor], legal: Legal) -> str:
    if legal.odd and not legal.byes:
        return marked("Nobody may have the bye any more: everybody had one, or won without playing.")
    stuck = [player.number for player in players if not legal.opponents[player.number]]
    alone = [number for number in stuck if number not in legal.byes]
    if alone:
        text = ", ".join(f"{number}" for number in alone)
        return sentence("The round cannot be paired: nobody is left whom number %(number)s may meet.", number=text)
    return marked(
        "The round cannot be paired: those who have not met cannot be put together so that everybody has an opponent, "
        "with colours that may be given."
    )


def _brackets(players: Sequence[Competitor], legal: Legal, edition: int, point: int) -> Iterator[PairedBracket]:
    groups = score_groups(players)
    moved_down: tuple[Competitor, ...] = ()
    while groups or len(moved_down) > 1:
        residents, *below = groups or [()]
        bracket = _bracket(moved_down, residents, below, point)
        candidate, groups = _paired(bracket, below, legal, edition)
        decided = decides_bye(bracket, candidate, legal)
        yield PairedBracket(replace(bracket, decides_bye=decided), candidate)
        moved_down = candidate.floaters


def _bracket(
    moved_down: tuple[Competitor, ...],
    residents: tuple[Competitor, ...],
    below: Sequence[tuple[Competitor, ...]],
    point: int,
) -> Bracket:
    following = below[0] if below else ()
    rest = tuple(player for group in below[1:] for player in group)
    return Bracket(moved_down, residents, following, rest, point)


def _paired(
    bracket: Bracket, below: list[tuple[Competitor, ...]], legal: Legal, edition: int
) -> tuple[Candidate, list[tuple[Competitor, ...]]]:
    """The bracket's candidate, and the score groups below it."""
    criteria = CRITERIA[edition]
    if edition >= 2026:
        return _certain(best_candidate(bracket, legal, criteria, complete=True)), below
    if below:
        freely = _certain(best_candidate(bracket, legal, criteria, complete=False))
        left = [player.number for player in (*freely.floaters, *bracket.below)]
        if legal.may_complete([*left, BYE] if legal.odd else left):
            return freely, below
    last = [criterion for criterion in criteria if criterion.key not in LOOKING_AHEAD]
    chosen = _certain(best_candidate(bracket, legal, last, complete=True))
    return chosen, [bracket.below] if bracket.below else []


def _certain(candidate: Candidate | None) -> Candidate:
    if candidate is None:
        raise AssertionError("a round that can be completed has a candidate in every bracket")
    return candidate


def boards_of(made: Sequence[PairedBracket], *, first_white: bool) -> PairedRound:
    """The boards in the order in which they are published; who is left has the bye. `first_white`: the colour drawn for
    number 1."""
    pairs = [pair for bracket in made for pair in bracket.candidate.pairs]
    boards = [_board(higher, lower, first_white) for higher, lower in sorted(pairs, key=_board_order)]
    left = made[-1].candidate.floaters if made else ()
    return (*boards, *(Board(player.number, None) for player in left))


def _board(higher: Competitor, lower: Competitor, first_white: bool) -> Board:
    white, _rule = colour_rule(higher, lower, first_white)
    return Board(higher.number, lower.number) if white else Board(lower.number, higher.number)


def _board_order(pair: tuple[Competitor, Competitor]) -> tuple[int, int, int]:
    better = min(pair, key=lambda player: (-player.points, player.number))
    return -better.points, -sum(player.points for player in pair), better.number
