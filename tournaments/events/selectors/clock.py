"""The clock of a round as a value: when it began, how long it lasts, whether it stands. No chess clock: what each
player has left is on the board."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any


class State(StrEnum):
    WAITING = "waiting"  # for its start
    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Clock:
    """The round starts at `starts_at` and lasts `minutes`, and the `paused` seconds that it stood; `paused_at`: since
    when it stands now. `note`: the time control in words."""

    starts_at: datetime
    minutes: int
    note: str = ""
    paused_at: datetime | None = None
    paused: int = 0

    @property
    def ends_at(self) -> datetime:
        """When the round ends, if nothing stops it again."""
        return self.starts_at + timedelta(minutes=self.minutes, seconds=self.paused)

    def seconds_left(self, now: datetime) -> int:
        """How long it still goes on, from its start on; 0 once it is over."""
        at = max(self.paused_at or now, self.starts_at)
        return max(0, int((self.ends_at - at).total_seconds()))

    def state(self, now: datetime) -> State:
        """What it does at that moment."""
        if self.paused_at is not None:
            return State.PAUSED
        if now < self.starts_at:
            return State.WAITING
        return State.RUNNING if self.seconds_left(now) else State.OVER


COLUMNS = ("clock_starts_at", "clock_minutes", "clock_note", "clock_paused_at", "clock_paused")


def clock_of(row: Any, prefix: str = "") -> Clock | None:
    """The clock of a round, or of a row of a query that has its columns behind that prefix; None without one."""
    starts_at, minutes, note, paused_at, paused = (getattr(row, prefix + name) for name in COLUMNS)
    return None if starts_at is None else Clock(starts_at, minutes, note, paused_at, paused)
