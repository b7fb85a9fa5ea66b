"""Tables of who met whom: tournament → stage → round → pairing → seats and games.

The database keeps facts and refuses contradictions; standings are computed (`tournaments.standings`).
`event` holds the event and its entries, `play` what is played in it.
"""

from tournaments.models.event import (
    RESERVED_SLUGS,
    ByeKind,
    ByeRequest,
    ByeWorth,
    CheckIn,
    Entry,
    LeaverRule,
    ProhibitedPair,
    SecondReading,
    Stage,
    StageEntry,
    Tournament,
)
from tournaments.models.play import Colour, Game, Pairing, Reading, Round, Seat

__all__ = [
    "RESERVED_SLUGS",
    "ByeKind",
    "ByeRequest",
    "ByeWorth",
    "CheckIn",
    "Colour",
    "Entry",
    "Game",
    "LeaverRule",
    "Pairing",
    "ProhibitedPair",
    "Reading",
    "Round",
    "Seat",
    "SecondReading",
    "Stage",
    "StageEntry",
    "Tournament",
]
