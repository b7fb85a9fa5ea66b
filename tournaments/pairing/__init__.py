"""Pairing systems (pure). A new one is one file and one line in PAIRING_SYSTEMS."""

from tournaments.pairing.base import Board, PairedRound, PairingError, PairingSystem
from tournaments.pairing.double_elimination import DoubleElimination
from tournaments.pairing.dutch.system import Dutch
from tournaments.pairing.free import ByHand, FreePlay, Ladder, Teams
from tournaments.pairing.groups import GroupsThenKnockout, Stations
from tournaments.pairing.keizer import Keizer
from tournaments.pairing.knockout import Knockout
from tournaments.pairing.round_robin import RoundRobin
from tournaments.pairing.scheveningen import Scheveningen

__all__ = ["PAIRING_SYSTEMS", "Board", "PairedRound", "PairingError", "PairingSystem", "pairing_system"]

PAIRING_SYSTEMS: tuple[PairingSystem, ...] = (
    RoundRobin(),
    Dutch(),
    Knockout(),
    DoubleElimination(),
    GroupsThenKnockout(),
    Stations(),
    Scheveningen(),
    Keizer(),
    Ladder(),
    FreePlay(),
    ByHand(),
    Teams(),
)


def pairing_system(key: str) -> PairingSystem:
    """The system of that key. Raises KeyError for an unknown one."""
    return {system.key: system for system in PAIRING_SYSTEMS}[key]
