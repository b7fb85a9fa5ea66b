"""A list's rules in time: which system holds from which day, and what becomes of whoever returns after years."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from ratings.systems.base import Memory, Period, RatingSystem


@dataclass(frozen=True, slots=True)
class DatedRule:
    """From `valid_from` on the list is rated by `system` with `settings` (the system's own type)."""

    valid_from: date
    system: RatingSystem
    settings: Any

    @property
    def period(self) -> Period:
        return self.system.period(self.settings)

    @property
    def memory(self) -> Memory:
        return self.system.memory(self.settings)


class DatedRules:
    """A list's rules in order of time; before the first one's date the first one holds."""

    def __init__(self, rules: Sequence[DatedRule]) -> None:
        if not rules:
            raise ValueError("A rating list needs at least one rule.")
        self.all = sorted(rules, key=lambda rule: rule.valid_from)
        self._days = [rule.valid_from.toordinal() for rule in self.all]

    def on(self, day: date | int) -> DatedRule:
        """The rule that holds on a day (date or ordinal)."""
        ordinal = day if isinstance(day, int) else day.toordinal()
        return self.all[max(bisect_right(self._days, ordinal) - 1, 0)]


@dataclass(frozen=True, slots=True)
class Reentry:
    """Whoever played no game for more than `days` days is on probation again for `games` games."""

    days: int
    games: int
