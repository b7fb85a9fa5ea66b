"""Tie-breaks (pure). A new one is one file and one line in TIEBREAKS; codes are those of FIDE C.07.

`base` what a tie-break is and reads · `modifiers` what follows a code · `unplayed`, `cuts`, `parts`, `counts` and
`over_the_board` what several rules share · one file a rule.
"""

from dataclasses import replace

from tournaments.standings.tiebreaks.buchholz_average_buchholz import AverageBuchholz
from tournaments.standings.tiebreaks.performance_average_perfect_performance import AveragePerfectPerformance
from tournaments.standings.tiebreaks.performance_average_performance import AveragePerformance
from tournaments.standings.tiebreaks.ratings import AverageRating
from tournaments.standings.tiebreaks.base import Contest, GroupTiebreak, Part, PlayerTiebreak, Rule, Tiebreak, Worth
from tournaments.standings.tiebreaks.wins_black_games import BlackGames
from tournaments.standings.tiebreaks.wins_black_wins import BlackWins
from tournaments.standings.tiebreaks.buchholz import Buchholz
from tournaments.standings.tiebreaks.direct_encounter import DirectEncounter
from tournaments.standings.tiebreaks.buchholz_fore_buchholz import ForeBuchholz
from tournaments.standings.tiebreaks.wins_games_won import GamesWon
from tournaments.standings.tiebreaks.sonneborn_berger_koya import Koya
from tournaments.standings.tiebreaks.lots import Lots
from tournaments.standings.tiebreaks.modifiers import read_modifiers
from tournaments.standings.tiebreaks.ratings_own_rating import OwnRating
from tournaments.standings.tiebreaks.lots_pairing_number import PairingNumber
from tournaments.standings.tiebreaks.performance_perfect_performance import PerfectPerformance
from tournaments.standings.tiebreaks.performance import Performance
from tournaments.standings.tiebreaks.progressive import Progressive
from tournaments.standings.tiebreaks.wins_rounds_elected import RoundsElected
from tournaments.standings.tiebreaks.sonneborn_berger import SonnebornBerger
from tournaments.standings.tiebreaks.wins_standard_points import StandardPoints
from tournaments.standings.tiebreaks.wins import Wins

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
