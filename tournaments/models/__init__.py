"""Tables of who met whom: tournament → stage → round → pairing → seats and games.

The database keeps facts and refuses contradictions; standings are computed (`tournaments.standings`).
"""

from tournaments.models.event import (
    MOST_IN_ENTRY,
    RESERVED_SLUGS,
    BoardGame,
    ByeKind,
    ByeRequest,
    ByeWorth,
    CheckIn,
    Entry,
    EntryMember,
    LeaverRule,
    ProhibitedPair,
    ScoreKind,
    SecondReading,
    Stage,
    StageEntry,
    Tournament,
)
from tournaments.models.forecasts import Forecast, ForecastGame, ForecastKind, ForecastLine
from tournaments.models.members import AbsenceNotice, Prize, PrizeFund, ResultReport, Season
from tournaments.models.play import (
    Colour,
    Contest,
    ContestMember,
    ContestSide,
    Game,
    Pairing,
    Reading,
    Round,
    Seat,
)

__all__ = [
    "MOST_IN_ENTRY",
    "RESERVED_SLUGS",
    "AbsenceNotice",
    "BoardGame",
    "ByeKind",
    "ByeRequest",
    "ByeWorth",
    "CheckIn",
    "Colour",
    "Contest",
    "ContestMember",
    "ContestSide",
    "Entry",
    "EntryMember",
    "Forecast",
    "ForecastGame",
    "ForecastKind",
    "ForecastLine",
    "Game",
    "LeaverRule",
    "Pairing",
    "Prize",
    "PrizeFund",
    "ProhibitedPair",
    "Reading",
    "ResultReport",
    "Round",
    "ScoreKind",
    "Season",
    "Seat",
    "SecondReading",
    "Stage",
    "StageEntry",
    "Tournament",
]
