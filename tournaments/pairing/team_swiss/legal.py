"""Which teams may meet, and who has the bye (pure).

C1: nobody meets twice; pairs the arbiter prohibits are treated alike. C2 and C3: the bye goes to a team that may have
it and leaves a legal pairing of all others; of those to the lowest score, then to who played most matches, then to the
largest number. Source: FIDE C.04.6 (2026) art. 2.1, 2.2, 3.4.
"""

from collections.abc import Collection, Iterable, Sequence

from clubrating.ground.marks import marked
from tournaments.pairing.base import PairingError
from tournaments.pairing.matching import maximum_matching
from tournaments.pairing.team_swiss.field import Contender

BYE = 0  # stands for an opponent where a team has the bye
Two = tuple[int, int]


class Legal:
    """The pairs that may meet. `forced`: two who shall meet, or one who shall have the bye (BYE)."""

    def __init__(
        self, teams: Sequence[Contender], prohibited: Collection[frozenset[int]], forced: Two | None = None
    ) -> None:
        self.forced = forced
        self.opponents = {
            one.number: frozenset(
                other.number
                for other in teams
                if other is not one
                and other.number not in one.met
                and frozenset((one.number, other.number)) not in prohibited
                and self._is_open(one.number, other.number)
            )
            for one in teams
        }

    def _is_open(self, one: int, other: int) -> bool:
        return self.forced is None or not {one, other} & set(self.forced) or {one, other} == set(self.forced)

    def may_be_free(self, team: Contender) -> bool:
        """Whether the team may have the bye."""
        if self.forced is None or not team.may_have_bye:
            return team.may_have_bye
        return self.forced == (team.number, BYE) if BYE in self.forced else team.number not in self.forced

    def has_pairing(self, teams: Iterable[int]) -> bool:
        """Whether all of them can be paired with one another."""
        wanted = set(teams)
        graph = {team: sorted(self.opponents[team] & wanted) for team in sorted(wanted)}
        return len(maximum_matching(graph)) == len(graph)


def bye_order(team: Contender) -> tuple[int, int, int]:
    """Who is asked first to take the bye (art. 3.4.2 to 3.4.4)."""
    return team.score, -len(team.colours), -team.number


def bye_of(teams: Sequence[Contender], legal: Legal) -> Contender | None:
    """Who has the bye; None where their number is even. Raises PairingError where there is no legal pairing."""
    everybody = {team.number for team in teams}
    if len(teams) % 2 == 0:
        if legal.has_pairing(everybody):
            return None
        raise PairingError(marked("The teams cannot all be paired: too many have met already, or must not meet."))
    for team in sorted(teams, key=bye_order):
        if legal.may_be_free(team) and legal.has_pairing(everybody - {team.number}):
            return team
    raise PairingError(
        marked("No team may have the bye so that all others can be paired: too many have met, or had a bye already.")
    )
