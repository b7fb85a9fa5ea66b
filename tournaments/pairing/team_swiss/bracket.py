"""One bracket: which teams float up into it, and who meets whom (pure).

The rules list sets and pairings in an order and take the first that keeps the criteria best. Both lists are far too
long to be made. But every criterion counts teams or pairs of a complete pairing, so the choice is a complete pairing of
least cost: the criteria are the digits of one whole number, the weightiest first, and the order is the last of them.

Upfloaters (C3 to C7, art. 3.5): a pairing of all teams that are left. The score group's pairs with lower teams name the
upfloaters. C4 counts them; C5 counts those of the lowest score first; C6 counts the pairs that the following score
group then makes with teams below it, which are the upfloaters its own bracket will need; C7 counts those that floated
in the round before. Of sets that are equal so far the lexicographically first has the largest number if every team,
the best first, is a binary digit. No two upfloaters meet: without them a smaller set would do (C4).

Pairs (C1, C8 to C10, art. 3.6): the top members are binary digits alike, since their number is fixed; then there is one
digit for each team that can be a top member, which is its bottom member's place.

Source: FIDE C.04.6 (2026) art. 2.3, 3.5, 3.6. Readings: docs/decisions/0033.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.pairing.team_swiss.field import Contender
from tournaments.pairing.team_swiss.legal import Legal
from tournaments.pairing.weighted_matching import heaviest_pairs

Pair = tuple[Contender, Contender]


@dataclass(frozen=True, slots=True)
class PairedBracket:
    """A bracket as it was paired: `residents` of the score group, the `upfloaters` in order, the `pairs` with the
    smaller number first, in that order, and the teams that were `left` for the brackets below."""

    residents: tuple[Contender, ...]
    upfloaters: tuple[Contender, ...]
    pairs: tuple[Pair, ...]
    left: tuple[Contender, ...]
    following_floaters: int

    @property
    def score(self) -> int:
        """Of the score group."""
        return self.residents[0].score


def pair_bracket(teams: Sequence[Contender], legal: Legal, *, last_two: bool) -> PairedBracket:
    """The bracket of the highest score group; `teams`: all that are left, by score, then by number. They must have a
    legal pairing."""
    residents = tuple(team for team in teams if team.score == teams[0].score)
    upfloaters, following = choose_upfloaters(residents, teams[len(residents) :], legal, last_two=last_two)
    pairs = _best_pairs(residents, upfloaters, legal, last_two=last_two)
    gone = {team.number for pair in pairs for team in pair}
    left = tuple(team for team in teams if team.number not in gone)
    return PairedBracket(residents, upfloaters, pairs, left, following)


# --- upfloaters ---------------------------------------------------------------------------------------------------
def choose_upfloaters(
    residents: Sequence[Contender], lower: Sequence[Contender], legal: Legal, *, last_two: bool
) -> tuple[tuple[Contender, ...], int]:
    """The set of upfloaters, in order, and how many the following score group will need then."""
    if legal.has_pairing(team.number for team in residents) and legal.has_pairing(team.number for team in lower):
        return (), 0
    teams = {team.number: team for team in (*residents, *lower)}
    scores = sorted({team.score for team in lower})
    order = {team.number: 1 << at for at, team in enumerate(reversed(lower))}
    room = len(teams) + 1

    def cost(one: Contender, other: Contender) -> int:
        if other in residents:
            return 0
        if one not in residents:
            return _number((*(0 for _score in scores), _leaves(one, other, scores[-1]), 0), room) * room << len(lower)
        lowest = (int(other.score == score) for score in scores)
        digits = (1, *lowest, 0, int(other.floated and not last_two))
        return _number(digits, room) * (room << len(lower)) + (1 << len(lower)) - order[other.number]

    mates = cheapest_pairing([*residents, *lower], legal, cost)
    up = tuple(team for team in lower if teams[mates[team.number]] in residents)
    following = (team for team in lower if team.score == scores[-1] and team not in up)
    return up, sum(teams[mates[team.number]].score != scores[-1] for team in following)


def _leaves(one: Contender, other: Contender, following: int) -> int:
    """Whether the pair takes one of two lower teams out of the following score group."""
    return int((one.score == following) != (other.score == following))


# --- pairs --------------------------------------------------------------------------------------------------------
def _best_pairs(
    residents: Sequence[Contender], upfloaters: Sequence[Contender], legal: Legal, *, last_two: bool
) -> tuple[Pair, ...]:
    teams = sorted((*residents, *upfloaters), key=lambda team: team.number)
    count, floating = len(teams), frozenset(upfloaters)
    place = {team.number: at for at, team in enumerate(teams)}

    def cost(top: Contender, bottom: Contender) -> int:
        digits = failures_of((top, bottom), floating, last_two=last_two)
        last = count - 1 - place[top.number]
        tops = _number(digits, count + 1) * (count << count) + (1 << count) - (1 << last)
        return tops * int(count**count) + place[bottom.number] * int(count**last)

    mates = cheapest_pairing(teams, legal, cost)
    pairs = ((one, other) for one, other in combinations(teams, 2) if mates[one.number] == other.number)
    return tuple(pairs)


def failures_of(pair: Pair, upfloaters: Collection[Contender], *, last_two: bool) -> tuple[int, int, int]:
    """What a pair adds to C8 (preferences not fulfilled), C9 (strong ones) and C10 (opponents of upfloaters that
    floated in the round before)."""
    one, other = pair
    same = one.preference.white is not None and one.preference.white == other.preference.white
    strong = same and one.preference.strong and other.preference.strong
    again = 0 if last_two else (one in upfloaters and other.floated) + (other in upfloaters and one.floated)
    return int(same), int(strong), again


# --- the cheapest pairing -----------------------------------------------------------------------------------------
def cheapest_pairing(
    teams: Sequence[Contender], legal: Legal, cost: Callable[[Contender, Contender], int]
) -> dict[int, int]:
    """Everybody's opponent in the complete pairing of least cost; there must be one. `cost` is asked for the two in
    the order of `teams`."""
    costs = {
        (one.number, other.number): cost(one, other)
        for one, other in combinations(teams, 2)
        if other.number in legal.opponents[one.number]
    }
    # One pair more outweighs all that a pairing can cost.
    most = len(teams) * max(costs.values(), default=0) + 1
    return heaviest_pairs({pair: most - value for pair, value in costs.items()})


def _number(digits: Iterable[int], base: int) -> int:
    made = 0
    for digit in digits:
        made = made * base + digit
    return made
