"""Tie-breaks (pure). A new one is one file and one line in TIEBREAKS; codes are those of FIDE C.07."""

from tournaments.standings.tiebreaks.base import Tiebreak
from tournaments.standings.tiebreaks.sonneborn_berger import SonnebornBerger
from tournaments.standings.tiebreaks.wins import Wins

__all__ = ["TIEBREAKS", "Tiebreak", "tiebreak"]

TIEBREAKS: tuple[Tiebreak, ...] = (SonnebornBerger(), Wins())


def tiebreak(code: str) -> Tiebreak:
    """The tie-break of that code. Raises KeyError for an unknown one."""
    return {rule.code: rule for rule in TIEBREAKS}[code]
