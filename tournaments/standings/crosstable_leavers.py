"""Who leaves a round robin: whether his games count (pure).

FIDE: who has completed fewer than half of his games is taken out of the standings. What he played stays in the table
and is rated, but counts for nobody, neither points nor tie-breaks. From half on everything counts, and what is left of
his games is forfeited. Many clubs let everything count: `rule` "all".

Source: FIDE General Regulations for Competitions, round robins (formerly Tournament Rules C.06, 5.4): exactly half
counts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import OUTCOMES

FIDE, ALL = "fide", "all"


@dataclass(frozen=True, slots=True)
class OwnGames:
    """How many games a player has in the whole tournament, and how many of them are completed."""

    completed: int
    scheduled: int

    @property
    def less_than_half(self) -> bool:
        return 2 * self.completed < self.scheduled


def own_games(player: int, meetings: Iterable[Meeting]) -> OwnGames:
    """The player's games among all of the tournament, open ones too. A game he came to is completed: played, or won
    because the other did not come. One he forfeited is not, else his own leaving would complete them."""
    own = [meeting for meeting in meetings if player in (meeting.white, meeting.black)]
    return OwnGames(sum(_came(player, meeting) for meeting in own), len(own))


def annulled(leavers: Mapping[int, OwnGames], rule: str) -> frozenset[int]:
    """Those who left and whose games count for nobody. `rule` is "fide" or "all". Raises ValueError for another."""
    if rule not in (FIDE, ALL):
        raise ValueError(f"There is no rule “{rule}” for who leaves a round robin.")
    return frozenset(player for player, games in leavers.items() if rule == FIDE and games.less_than_half)


def _came(player: int, meeting: Meeting) -> bool:
    outcome = OUTCOMES[meeting.result]
    return outcome.played or (outcome.white if meeting.white == player else outcome.black) == "win"
