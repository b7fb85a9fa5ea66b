"""Tie-breaks of teams (pure). A new one is one class and one line in TEAM_TIEBREAKS; codes are those of FIDE C.07.

Those of players stand behind them, with matches for games; `:MP` or `:GP` after the code names the score they read
(art. 13), which else is the one that decides. Not for teams: ratings, and lots.
"""

from dataclasses import replace

from clubrating.ground.marks import sentence
from tournaments.standings.team_tiebreaks.boards import Berlin, BoardCount, BottomBoardsOut, TopBoards
from tournaments.standings.team_tiebreaks.extended_direct_encounter import (
    CountThenBottomBoardsOut,
    CountThenTopBoards,
    ExtendedDirectEncounter,
    ThenBottomBoardsOut,
    ThenTopBoards,
)
from tournaments.standings.team_tiebreaks.extended_sonneborn_berger import (
    GameByGame,
    GameByMatch,
    MatchByGame,
    MatchByMatch,
)
from tournaments.standings.team_tiebreaks.schedule_strength import ScheduleStrength
from tournaments.standings.team_tiebreaks.secondary_score import SecondaryScore
from tournaments.standings.tiebreaks import TIEBREAKS, Rule
from tournaments.standings.tiebreaks.modifiers import read_modifiers

__all__ = ["TEAM_TIEBREAKS", "team_tiebreak", "team_tiebreaks_of"]

TEAM_TIEBREAKS: tuple[Rule, ...] = (
    SecondaryScore(),
    ExtendedDirectEncounter(),
    CountThenTopBoards(),
    CountThenBottomBoardsOut(),
    ThenTopBoards(),
    ThenBottomBoardsOut(),
    MatchByMatch(),
    MatchByGame(),
    GameByMatch(),
    GameByGame(),
    ScheduleStrength(),
    BoardCount(),
    TopBoards(),
    BottomBoardsOut(),
    Berlin(),
    *(rule for rule in TIEBREAKS if not rule.by_rating and rule.base != "LOTS"),
)
SCORES = ("MP", "GP")


def team_tiebreak(code: str) -> Rule:
    """The tie-break of that code, with the score and the modifiers written after it: BH:MP/C1. Raises KeyError for an
    unknown one, ValueError with a sentence for a score or a modifier it does not have."""
    named, *letters = code.strip().upper().split("/")
    base, colon, score = named.partition(":")
    if base == "ESB":
        raise ValueError(sentence("ESB alone names no tie-break: write EMMSB, EMGSB, EGMSB or EGGSB."))
    rule = {rule.base.upper(): rule for rule in TEAM_TIEBREAKS}[base]
    if colon and not (rule.scored and score in SCORES):
        raise ValueError(_no_score(rule, named))
    if not colon and not letters:
        return rule
    return replace(rule, modifiers=replace(read_modifiers(rule.base, letters, rule.takes), score=score))


def team_tiebreaks_of(codes: str) -> tuple[Rule, ...]:
    """The tie-breaks of a list such as "EDE, BH:MP/C1". Raises KeyError and ValueError as `team_tiebreak`."""
    return tuple(team_tiebreak(code) for code in codes.split(",") if code.strip())


def _no_score(rule: Rule, named: str) -> str:
    if rule.scored:
        return sentence("There is no “%(code)s”: write %(base)s:MP or %(base)s:GP.", code=named, base=rule.base)
    return sentence("There is no “%(code)s”: %(base)s stands without a score.", code=named, base=rule.base)
