"""Rating systems (pure). A new one is one file and one line in SYSTEMS."""

from ratings.systems.bradley_terry import BradleyTerry
from ratings.systems.egf import Egf
from ratings.systems.elo import Elo
from ratings.systems.glicko import Glicko
from ratings.systems.glicko2 import Glicko2
from ratings.systems.kd import KD
from ratings.systems.league import League
from ratings.systems.r2 import R2
from ratings.systems.rules import RatingSystem
from ratings.systems.solo_zerg import SoloZerg
from ratings.systems.trueskill import TrueSkillSystem
from ratings.systems.weng_lin import WengLinSystem

__all__ = ["SYSTEMS", "RatingSystem", "rating_system"]

SYSTEMS: tuple[RatingSystem, ...] = (
    Elo(),
    Glicko(),
    Glicko2(),
    League(),
    SoloZerg(),
    R2(),
    KD(),
    BradleyTerry(),
    TrueSkillSystem(),
    WengLinSystem(),
    Egf(),
)


def rating_system(key: str) -> RatingSystem:
    """The system of that key. Raises KeyError for an unknown one."""
    return {system.key: system for system in SYSTEMS}[key]
