"""Tie-breaks (pure). A new one is one file and one line in TIEBREAKS; codes are those of FIDE C.07.

`base` what a tie-break is and reads · `modifiers` what follows a code · `unplayed` and `parts` what several rules
share · one file a rule, or a family of rules (`buchholz`, `performance`, `ratings`, `wins`).
"""

from dataclasses import replace

from tournaments.standings.tiebreaks.base import Contest, GroupTiebreak, Part, PlayerTiebreak, Rule, Tiebreak, Worth
from tournaments.standings.tiebreaks.buchholz import AverageBuchholz, Buchholz, ForeBuchholz
from tournaments.standings.tiebreaks.direct_encounter import DirectEncounter
from tournaments.standings.tiebreaks.lots import Lots, PairingNumber
from tournaments.standings.tiebreaks.modifiers import read_modifiers
from tournaments.standings.tiebreaks.performance import (
    AveragePerfectPerformance,
    AveragePerformance,
    PerfectPerformance,
    Performance,
)
from tournaments.standings.tiebreaks.progressive import Progressive
from tournaments.standings.tiebreaks.ratings import AverageRating, OwnRating
from tournaments.standings.tiebreaks.sonneborn_berger import Koya, SonnebornBerger
from tournaments.standings.tiebreaks.wins import BlackGames, BlackWins, GamesWon, RoundsElected, StandardPoints, Wins

__all__ = [
    "TIEBREAKS",
    "Contest",
    "GroupTiebreak",
    "Part",
    "PlayerTiebreak",
    "Rule",
    "Tiebreak",
    "Worth",
    "tiebreak",
    "tiebreaks_of",
]

TIEBREAKS: tuple[Rule, ...] = (
    DirectEncounter(),
    Wins(),
    GamesWon(),
    BlackGames(),
    BlackWins(),
    Progressive(),
    RoundsElected(),
    StandardPoints(),
    Buchholz(),
    AverageBuchholz(),
    ForeBuchholz(),
    SonnebornBerger(),
    Koya(),
    AverageRating(),
    Performance(),
    PerfectPerformance(),
    AveragePerformance(),
    AveragePerfectPerformance(),
    PairingNumber(),
    OwnRating(),
    Lots(),
)


def tiebreak(code: str) -> Rule:
    """The tie-break of that code, with the modifiers written after it. Raises KeyError for an unknown one, ValueError
    with a sentence for a modifier it does not have."""
    base, *letters = code.strip().upper().split("/")
    rule = {rule.base: rule for rule in TIEBREAKS}[base]
    return replace(rule, modifiers=read_modifiers(base, letters, rule.takes)) if letters else rule


def tiebreaks_of(codes: str) -> tuple[Rule, ...]:
    """The tie-breaks of a list such as "BH/C1, BH, SB". Raises KeyError and ValueError as `tiebreak`."""
    return tuple(tiebreak(code) for code in codes.split(",") if code.strip())
