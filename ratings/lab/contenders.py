"""Who takes part in the lab: the six systems of the study at its own settings, and others beside them.

A contender is a rating system of the club's register with settings. To see a new system through the whole lab, add one
line here (docs/lab.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clubrating.ground.marks import marked
from ratings.systems import RatingSystem, rating_system

STUDY_START = 1000.0


@dataclass(frozen=True, slots=True)
class Contender:
    """`key` is what commands and files call it; `settings` the system's own type."""

    key: str
    name: str
    system: RatingSystem
    settings: Any


def contender(key: str, name: str, system: str, settings: Mapping[str, Any] | None = None) -> Contender:
    """A contender from the register. Raises KeyError for an unknown system, ValueError for a wrong setting."""
    found = rating_system(system)
    return Contender(key, name, found, found.read_settings(settings or {}))


# The study's six, in its order.
STUDY: tuple[Contender, ...] = (
    contender("league", marked("League"), "league"),
    contender("solo-zerg", marked("Solo-Zerg"), "solo-zerg"),
    contender("r2", marked("R2"), "r2"),
    contender("kd", marked("KD"), "kd"),
    contender("elo", marked("Elo"), "elo", {"preset": "study"}),
    contender("glicko", marked("Glicko-1"), "glicko", {"start": STUDY_START}),
)
CONTENDERS: tuple[Contender, ...] = (
    *STUDY,
    contender("elo-k20", marked("Elo, K 20"), "elo", {"preset": "constant", "k": 20, "start": STUDY_START}),
    contender("elo-k32", marked("Elo, K 32"), "elo", {"preset": "constant", "k": 32, "start": STUDY_START}),
    contender("fide", marked("Elo, FIDE’s K"), "elo", {"preset": "club", "start": STUDY_START}),
    contender("glicko-c", marked("Glicko-1, c = 55.47"), "glicko", {"start": STUDY_START, "c": 55.47}),
    contender("glicko2", marked("Glicko-2"), "glicko2", {"start": STUDY_START}),
)


def contenders(keys: Sequence[str]) -> tuple[Contender, ...]:
    """The contenders of those keys, in that order. Raises KeyError naming the first that is unknown."""
    known = {each.key: each for each in CONTENDERS}
    return tuple(known[key] for key in keys)


# Kinds of one system that only contests with more than two sides tell apart.
WENG_LIN_KINDS = (
    contender("weng-lin-part", marked("Weng–Lin, neighbours only"), "weng-lin", {"model": "bt_part"}),
    contender("weng-lin-pl", marked("Weng–Lin, Plackett–Luce"), "weng-lin", {"model": "pl"}),
)
