"""Rating systems (pure). A new one is one file and one line in SYSTEMS."""

from ratings.systems.base import RatingSystem
from ratings.systems.elo import Elo

__all__ = ["SYSTEMS", "RatingSystem", "rating_system"]

SYSTEMS: tuple[RatingSystem, ...] = (Elo(),)


def rating_system(key: str) -> RatingSystem:
    """The system of that key. Raises KeyError for an unknown one."""
    return {system.key: system for system in SYSTEMS}[key]
