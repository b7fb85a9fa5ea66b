"""Last resorts: drawing of lots, and the pairing number.

Drawing of lots, from a seed that the event keeps, so that everybody can draw it again (FIDE C.07 art. 4.2; the code is
ours). A lot does not depend on who else takes part, so a late entry changes nobody's place before another's.

Pairing number, the lower the better, in place of lots (art. 7.8, new in 2026); /R turns it round.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from random import Random

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth


class Lots(Rule):
    base = "LOTS"
    name = marked("Drawing of lots")
    rule = marked("The place in a drawing of lots.")
    low_first = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        return None if contest.lots is None else Worth(Fraction(_drawn(contest)[player]), how="number")


@lru_cache(maxsize=32)
def _drawn(contest: Contest) -> Mapping[int, int]:
    """Everybody's place in the drawing, by number."""
    lots = {player: Random(f"{contest.lots} {player}").random() for player in contest.table}
    return {player: place for place, player in enumerate(sorted(lots, key=lambda own: (lots[own], own)), start=1)}


class PairingNumber(Rule):
    base = "TPN"
    name = marked("Pairing number")
    rule = marked("The lower pairing number comes first.")
    takes = "R"
    low_first = True

    def worth(self, player: int, contest: Contest) -> Worth:
        return Worth(Fraction(contest.table[player].player), how="number")
