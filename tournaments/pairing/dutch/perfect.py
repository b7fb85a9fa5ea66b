"""The first perfect candidate (pure): the upper half against the lower half, and nothing fails.

The rules take a perfect candidate at once. In a score group to which nobody was moved down the first one is found by a
matching of the halves: the first of S1 gets the highest ranked of S2 who leaves the others pairable, then the second …
An odd last bracket has one place more in S1, at its end, for whoever has the bye.

Source: FIDE C.04.3 art. 3.4 (edition 2025: B.4).
"""

from collections.abc import Sequence

from tournaments.pairing.dutch.competitor import Bracket, Competitor
from tournaments.pairing.dutch.costs import Two
from tournaments.pairing.dutch.criteria import COUNTING, Criterion
from tournaments.pairing.dutch.legal import BYE, Legal
from tournaments.pairing.matching import dearest_pairs


def first_perfect(bracket: Bracket, legal: Legal, criteria: Sequence[Criterion]) -> tuple[Two, ...] | None:
    """The pairs of the first perfect candidate in which nobody floats, but one to have the bye where nobody is below;
    None where there is none, or it cannot be told so simply."""
    group = bracket.residents
    odd = len(group) % 2
    if bracket.moved_down or (odd and bracket.below) or group[0].score != group[-1].score:
        return None
    choosing = [criterion for criterion in criteria if criterion.key not in COUNTING]
    upper, lower = group[: len(group) // 2], group[len(group) // 2 :]

    def fits(one: Competitor, other: Competitor) -> bool:
        return legal.allows(one, other) and not any(criterion.pair(one, other) for criterion in choosing)

    graph = {one.number: [other.number for other in lower if fits(one, other)] for one in upper}
    if odd:
        graph[BYE] = _free_of(bracket, legal, choosing, lower)
    met: dict[int, list[int]] = {other.number: [] for other in lower}
    for one, others in graph.items():
        for other in others:
            met[other].append(one)
    found = dearest_pairs(graph | met)
    if found is None:
        return None
    known = {player.number: player for player in group}
    return tuple((known[one], known[other]) for one, other in found if one != BYE)


def _free_of(bracket: Bracket, legal: Legal, choosing: Sequence[Criterion], lower: Sequence[Competitor]) -> list[int]:
    """Who may have the bye so that nothing fails. It is not noted yet that the bye is decided here, so C9 is minded by
    hand: of those who may have it nobody has played more."""
    fewest = min((player.unplayed for player in bracket.residents if player.number in legal.byes), default=0)
    minds = any(criterion.key == "C9" for criterion in choosing)
    return [
        player.number
        for player in lower
        if player.number in legal.byes
        and not (minds and player.unplayed > fewest)
        and not any(criterion.floater(bracket, player) for criterion in choosing)
    ]
