"""What two ways of pairing a round fail in, criterion by criterion (pure): where they part, and which is the better.

Source: FIDE C.04.3 art. 3.8 (edition 2025: B.8): candidates are compared by their failures, the first difference
decides.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournaments.pairing.dutch.candidate import Candidate
from tournaments.pairing.dutch.competitor import Bracket
from tournaments.pairing.dutch.criteria import COUNTING, Criterion, Failures
from tournaments.pairing.dutch.pairing import PairedBracket


@dataclass(frozen=True, slots=True)
class Parting:
    """The first bracket that two rounds pair differently, and the criterion that tells them apart with what fails in
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
            return _parting(mine.bracket, _tail(chosen, index), _tail(other, index), criteria)
    return None


def _tail(made: Sequence[PairedBracket], index: int) -> tuple[PairedBracket, PairedBracket | None]:
    return made[index], made[index + 1] if index + 1 < len(made) else None


def _parting(
    bracket: Bracket,
    chosen: tuple[PairedBracket, PairedBracket | None],
    other: tuple[PairedBracket, PairedBracket | None],
    criteria: Sequence[Criterion],
) -> Parting:
    # Where only one of them has the bye decided here, the number of floaters tells them apart before.
    decided = replace(bracket, decides_bye=chosen[0].bracket.decides_bye and other[0].bracket.decides_bye)
    for criterion in criteria:
        mine, theirs = _failures(criterion, decided, *chosen), _failures(criterion, decided, *other)
        if mine != theirs:
            return Parting(bracket, criterion, mine, theirs)
    return Parting(bracket, None)


def _failures(criterion: Criterion, bracket: Bracket, made: PairedBracket, following: PairedBracket | None) -> Failures:
    own = _of_candidate(criterion, bracket, made.candidate)
    if criterion.key in COUNTING and following is not None:
        own += _of_following(criterion, bracket, following)
    return tuple(sorted(own, reverse=True))


def _of_candidate(criterion: Criterion, bracket: Bracket, candidate: Candidate) -> Failures:
    pairs = _joined(criterion.pair(bracket, one, other) for one, other in candidate.pairs)
    return pairs + _joined(criterion.floater(bracket, player) for player in candidate.floaters)


def _of_following(criterion: Criterion, bracket: Bracket, following: PairedBracket) -> Failures:
    """What the bracket's floaters lead to one bracket below: there it is the first thing to be kept small."""
    candidate = following.candidate
    pairs = _joined(criterion.next_pair(bracket, one, other) for one, other in candidate.pairs)
    return pairs + _joined(criterion.next_floater(bracket, player) for player in candidate.floaters)


def _joined(found: Iterable[Failures]) -> Failures:
    return tuple(size for failures in found for size in failures)
