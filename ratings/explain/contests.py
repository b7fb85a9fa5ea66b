"""What an explanation of a contest with sides is made of: every side with its members, and one sentence for each.

A side's strength is what its system compares (`Explainer.strength`): put in order, the strengths say which places the
ratings expected. Of whoever the viewer does not see the name of, neither change nor K is told (docs/decisions/0003).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from ratings.systems.base import PlayerState
from ratings.systems.rules import DatedRule
from ratings.systems.sides import Chances


@dataclass(frozen=True, slots=True)
class MemberCase:
    """One member's row of the ledger. `key` is the player's; `named`: whether the viewer sees the name."""

    key: int
    before: float
    deviation: float | None
    change: float
    after: float
    deviation_after: float | None = None
    expected: float | None = None
    k: float | None = None
    weight: float = 1.0
    named: bool = True


class SideCase(NamedTuple):
    """One side: its place, its members in the contest's one form, and its score where the contest has one."""

    place: int
    members: tuple[MemberCase, ...]
    score: float | None = None


@dataclass(frozen=True, slots=True)
class ContestCase:
    """A contest as one list rated it: its sides in order of place, and the dated rule that held."""

    sides: tuple[SideCase, ...]
    rule: DatedRule

    @property
    def settings(self) -> Any:
        return self.rule.settings

    def shares_place(self, side: SideCase) -> bool:
        """Whether another side has the same place."""
        return sum(other.place == side.place for other in self.sides) > 1

    def score(self, side: SideCase) -> float:
        """The share of the other sides it left behind, one of the same place as a half."""
        behind = sum(other.place > side.place for other in self.sides)
        level = sum(other.place == side.place for other in self.sides) - 1
        return (behind + level / 2.0) / (len(self.sides) - 1)


def expected_places(strengths: Sequence[float]) -> list[int]:
    """The places the strengths would have: 1 for the greatest, the same for equal ones."""
    return [1 + sum(other > own for other in strengths) for own in strengths]


def first_places(case: ContestCase) -> Chances | None:
    """How likely each side was placed first before it was played, in order of place; None where the system knows no
    such chance."""
    states = [
        [PlayerState(each.before, 0, each.before, deviation=each.deviation) for each in side.members]
        for side in case.sides
    ]
    weights = [[each.weight for each in side.members] for side in case.sides]
    return case.rule.system.chances(case.settings, states, weights)


def in_short(case: ContestCase, side: SideCase, expected: int, change: float, figure: str) -> str:
    """A member's change beside the place, in one sentence; `figure` is the change as it is written."""
    middle = (len(case.sides) + 1) / 2.0
    surprising = (change > 0.0 and side.place > middle) or (change < 0.0 and side.place < middle)
    values = {"change": figure, "place": side.place, "sides": len(case.sides), "expected": expected}
    if case.shares_place(side):
        said = _("%(change)s: place %(place)s of %(sides)s, shared; by the ratings place %(expected)s was expected.")
        return said % values
    if surprising:
        said = _("%(change)s although place %(place)s of %(sides)s: by the ratings place %(expected)s was expected.")
        return said % values
    if side.place == expected:
        return _("%(change)s: place %(place)s of %(sides)s, as the ratings expected.") % values
    return _("%(change)s: place %(place)s of %(sides)s; by the ratings place %(expected)s was expected.") % values
