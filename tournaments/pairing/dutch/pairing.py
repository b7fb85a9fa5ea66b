"""A round of the Dutch system, and where two ways of pairing it differ (pure).

`pair_players`: score group after score group from the top, each with those moved down to it. Before February 2026 a
bracket was paired without asking whether the round could be completed. Where it turned out that it could not, this
bracket was paired again so that it could, and all below it became one last bracket. Source: FIDE C.04.3 art. 1.9
(edition 2025: A.9).

`boards_of`: the boards in the order of publication (C.04.2): the score of the higher ranked of a pair, the sum of both,
the number of the higher ranked; real points, the bye last.

`where_they_part`: what two ways of pairing a round fail in, criterion by criterion: where they first differ, and which
is the better. Source: FIDE C.04.3 art. 3.8 (edition 2025: B.8): candidates are compared by their failures, the first
difference decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import Board, PairedRound, PairingError
from tournaments.pairing.dutch.candidate import Candidate, best_candidate, decides_bye
from tournaments.pairing.dutch.competitor import Bracket, Competitor, colour_rule, score_groups
from tournaments.pairing.dutch.criteria import COUNTING, CRITERIA, LOOKING_AHEAD, Criterion, Failures
from tournaments.pairing.dutch.legal import Legal


# --- the round ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class PairedBracket:
    """A bracket and what came of it."""

    bracket: Bracket
    candidate: Candidate


def pair_players(players: Sequence[Competitor], legal: Legal, edition: int, point: int) -> list[PairedBracket]:
    """All brackets in order; who floats from the last one has the bye. `players`: the highest ranked first. Raises
    PairingError where there is no legal round."""
    lowest = legal.odd and edition >= 2026
    if not (legal.restrict_bye(players) if lowest else legal.has_round(players)):
        raise PairingError(_why_impossible(players, legal))
    return list(_brackets(players, legal, edition, point))


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
        following, *rest = below or [()]
        # Whoever is left over in the last group has the bye.
        barred = frozenset(legal.opponents) - legal.byes if legal.odd and len(below) == 1 else frozenset()
        bracket = Bracket(moved_down, residents, following, tuple(chain.from_iterable(rest)), point, barred)
        candidate, groups = _paired(bracket, below, legal, edition)
        decided = decides_bye(bracket, candidate, legal)
        yield PairedBracket(replace(bracket, decides_bye=decided), candidate)
        moved_down = candidate.floaters


def _paired(
    bracket: Bracket, below: list[tuple[Competitor, ...]], legal: Legal, edition: int
) -> tuple[Candidate, list[tuple[Competitor, ...]]]:
    """The bracket's candidate, and the score groups below it."""
    criteria = CRITERIA[edition]
    if edition >= 2026:
        return _certain(best_candidate(bracket, legal, criteria, complete=True)), below
    if below:
        freely = _certain(best_candidate(bracket, legal, criteria, complete=False))
        if legal.has_round((*freely.floaters, *bracket.below)):
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


# --- where two rounds differ --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Parting:
    """The first bracket that two rounds pair differently, and the criterion in which they differ, with what fails in
    each, the worst first; None where they fail in the same, and the order of candidates decides. `regrouped`: by the
    older rules one of the two has made one bracket of several, so that there is nothing to compare."""

    bracket: Bracket
    criterion: Criterion | None
    chosen: Failures = ()
    other: Failures = ()
    regrouped: bool = False


def where_they_part(
    chosen: Sequence[PairedBracket], other: Sequence[PairedBracket], criteria: Sequence[Criterion]
) -> Parting | None:
    """Where a round parts from the one the rules choose; None where they are the same. Both begin with the same
    bracket."""
    for index, (mine, theirs) in enumerate(zip(chosen, other, strict=False)):
        if mine.bracket.players != theirs.bracket.players:
            return Parting(mine.bracket, None, regrouped=True)
        if mine.candidate != theirs.candidate:
            return _parting(mine.bracket, chosen[index:], other[index:], criteria)
    return None


def _parting(
    bracket: Bracket, chosen: Sequence[PairedBracket], other: Sequence[PairedBracket], criteria: Sequence[Criterion]
) -> Parting:
    # Where only one of them has the bye decided here, they differ in the number of floaters before.
    decided = replace(bracket, decides_bye=chosen[0].bracket.decides_bye and other[0].bracket.decides_bye)
    for criterion in criteria:
        mine, theirs = _failures(criterion, decided, chosen), _failures(criterion, decided, other)
        if mine != theirs:
            return Parting(bracket, criterion, mine, theirs)
    return Parting(bracket, None)


def _failures(criterion: Criterion, bracket: Bracket, made: Sequence[PairedBracket]) -> Failures:
    """What fails in the first of those brackets, the worst first."""
    candidate = made[0].candidate
    own = [criterion.pair(one, other) for one, other in candidate.pairs]
    own += [criterion.floater(bracket, player) for player in candidate.floaters]
    if criterion.key in COUNTING and len(made) > 1:
        # What the bracket's floaters lead to one bracket below: there it is the first thing to be kept small.
        following = made[1].candidate
        own += [criterion.next_pair(one, other) for one, other in following.pairs]
        own += [criterion.next_floater(bracket, player) for player in following.floaters]
    return tuple(sorted(chain.from_iterable(own), reverse=True))
