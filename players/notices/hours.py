"""When a reader may be told something: not in the club's quiet hours, and once a day at an hour of its own for whoever
wants one letter a day. Wall-clock hours in the club's time zone, on days with 23 and 25 hours too; the moment is handed
in.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

_DAY, _INSTANT = timedelta(days=1), timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Hours:
    """The club's hours, 0 to 23: nothing is sent from `quiet_from` until `quiet_until` (equal: always allowed), and
    daily letters at `letters_at`."""

    zone: ZoneInfo
    quiet_from: int
    quiet_until: int
    letters_at: int

    def is_quiet(self, moment: datetime) -> bool:
        """Whether nothing is sent at that moment."""
        hour = moment.astimezone(self.zone).hour
        if self.quiet_from <= self.quiet_until:
            return self.quiet_from <= hour < self.quiet_until
        return hour >= self.quiet_from or hour < self.quiet_until

    def allowed(self, moment: datetime) -> datetime:
        """The first moment from that one on at which something may be sent."""
        # More than once where the clock is moved past all that is not quiet.
        while self.is_quiet(moment):
            moment = self._next(moment + _INSTANT, self.quiet_until)
        return moment

    def daily(self, moment: datetime) -> datetime:
        """The next moment, later than that one, for daily letters: the first allowed one from their hour on."""
        return self.allowed(self._next(moment + _INSTANT, self.letters_at))

    def _next(self, moment: datetime, hour: int) -> datetime:
        """When the clock next shows that hour, or is moved past it. An hour shown twice counts once, the first time."""
        day = moment.astimezone(self.zone).date() - _DAY
        while True:
            found = datetime.combine(day, time(hour), self.zone).astimezone(UTC)
            if found >= moment:
                return found
            day += _DAY
