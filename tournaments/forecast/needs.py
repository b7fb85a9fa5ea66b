"""What a player needs: his own results to come, and what each combination of them is worth on points (pure).

`needs_on_points` decides exactly for every combination (won, drawn or lost against each opponent still to be met)
whether it is enough whatever the others do, enough with their help, or not enough at all, by the order of points
(`clinching`); what tie-breaks decide is worked out in `everybody`. A better combination is never worth less, so most
verdicts follow from others and are not worked out.

`by_margin`: who is through and who is out where nobody knows who will meet whom, on points alone, whatever the
pairings. Sound, not complete: who is said to be through is through, and who is said to be out is out; of the others
nothing is said. In a Swiss two rivals may meet and take points from each other, which is not considered. Points never
fall.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from tournaments.forecast.clinching import DRAW, LOSS, WIN, Race, Ties, TooManyWaysError, can_reach, has_clinched

# --- combinations of own results ----------------------------------------------------------------------------------
MOST_OWN_GAMES = 7  # 2,187 combinations
Own = tuple[int, ...]


class Verdict(StrEnum):
    """`sure`: whatever the others do. `help`: depends on them. `lost`: whatever they do. `open`: not decided, for more
    results would have to be tried than is allowed (only where tie-breaks count)."""

    SURE = "sure"
    HELP = "help"
    LOST = "lost"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Line:
    """One combination: half-points against each opponent still to be met, and what it is worth."""

    own: Own
    verdict: Verdict

    @property
    def halves(self) -> int:
        return sum(self.own)


@dataclass(frozen=True, slots=True)
class Needs:
    """All combinations of a player's results to come; one, empty, where he has no games left. `opponents` in the order
    of the results."""

    player: int
    top: int
    ties: Ties
    opponents: tuple[int, ...]
    lines: tuple[Line, ...]

    @property
    def verdict(self) -> Verdict:
        """Of the player as he stands: sure, lost, or still to be played for (help); open where nothing is known."""
        found = {line.verdict for line in self.lines}
        if len(found) == 1:
            return found.pop()
        if Verdict.OPEN in found and Verdict.HELP not in found and len(found) == 2:
            return Verdict.OPEN
        return Verdict.HELP

    @property
    def in_own_hands(self) -> bool:
        """Whether some results of his own are enough whatever the others do."""
        return any(line.verdict is Verdict.SURE for line in self.lines)

    @property
    def enough(self) -> int | None:
        """The fewest half-points, from these games, that are enough however they are made and whatever the others do;
        None where no number is."""
        return self._fewest(lambda verdicts: verdicts == {Verdict.SURE})

    @property
    def least(self) -> int | None:
        """The fewest half-points with which something is still possible; None where nothing is."""
        return self._fewest(lambda verdicts: bool(verdicts & {Verdict.SURE, Verdict.HELP}))

    @property
    def sure_lines(self) -> tuple[Line, ...]:
        """The combinations that are enough whatever the others do, without those that only better another one."""
        sure = [line for line in self.lines if line.verdict is Verdict.SURE]
        return tuple(line for line in sure if not any(_betters(line.own, other.own) for other in sure))

    def _fewest(self, is_met: Callable[[set[Verdict]], bool]) -> int | None:
        """From how many half-points on every number of them meets the condition."""
        by_halves: dict[int, set[Verdict]] = {}
        for line in self.lines:
            by_halves.setdefault(line.halves, set()).add(line.verdict)
        found = None
        for halves in sorted(by_halves, reverse=True):
            if not is_met(by_halves[halves]):
                break
            found = halves
        return found


def needs_on_points(race: Race, player: int, top: int = 1, ties: Ties = Ties.SHARED) -> Needs:
    """What the player needs to be among the first `top` on points. Raises KeyError for somebody not in the table,
    ValueError for a `top` below 1, TooManyWaysError with more than `MOST_OWN_GAMES` games of his own to come."""
    known: dict[Own, Verdict] = {}
    opponents = race.opponents(player)
    for own in combinations_of(len(opponents)):
        # Worse combinations are known already; where one of them is sure, so is this one.
        worse = {known[below] for below in _one_step_below(own)}
        after = race.after(player, own)
        is_sure = Verdict.SURE in worse or has_clinched(after, player, top, ties)
        known[own] = verdict_of(is_sure, is_sure or Verdict.HELP in worse or can_reach(after, player, top, ties))
    return Needs(player, top, ties, opponents, tuple(Line(own, verdict) for own, verdict in known.items()))


def combinations_of(games: int) -> list[Own]:
    """Every combination of so many results, fewest half-points first. Raises TooManyWaysError."""
    if games > MOST_OWN_GAMES:
        raise TooManyWaysError(f"{games} own games are to come; their results are tried up to {MOST_OWN_GAMES}.")
    return sorted(product((WIN, DRAW, LOSS), repeat=games), key=lambda own: (sum(own), own))


def verdict_of(sure: bool, possible: bool) -> Verdict:
    """The verdict: `sure` where every outcome is enough, `possible` where at least one is."""
    if sure:
        return Verdict.SURE
    return Verdict.HELP if possible else Verdict.LOST


def _one_step_below(own: Own) -> list[Own]:
    return [(*own[:at], halves - 1, *own[at + 1 :]) for at, halves in enumerate(own) if halves > LOSS]


def _betters(own: Own, other: Own) -> bool:
    return own != other and all(mine >= his for mine, his in zip(own, other, strict=True))


# --- where the pairings are not known -----------------------------------------------------------------------------
def by_margin(points: Mapping[int, int], to_come: Mapping[int, int], top: int = 1) -> dict[int, Verdict]:
    """Of everybody: sure where, with no further point, fewer than `top` others can still draw level; lost where, with
    all points there are to come, `top` others are ahead already; else open. `to_come`: the most each can still make, in
    the same unit. Raises ValueError for a `top` below 1, KeyError where somebody is missing."""
    if top < 1:
        raise ValueError(f"The first {top} is nobody.")
    return {player: _verdict(player, points, to_come, top) for player in points}


def _verdict(player: int, points: Mapping[int, int], to_come: Mapping[int, int], top: int) -> Verdict:
    others = [other for other in points if other != player]
    if sum(points[other] + to_come[other] >= points[player] for other in others) < top:
        return Verdict.SURE
    if sum(points[other] > points[player] + to_come[player] for other in others) >= top:
        return Verdict.LOST
    return Verdict.OPEN
