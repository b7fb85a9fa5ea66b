"""The clock of a round on a page: complete without script, which only counts down by the server's time."""

from math import ceil

from django import template
from django.utils import timezone

from tournaments.events.selectors.clock import Clock, clock_of
from tournaments.models import Round

register = template.Library()


@register.inclusion_tag("tournaments/_clock.html")
def round_clock(of: Clock | Round | None) -> dict[str, object]:
    """When the round ends, and what was left when the page was made; nothing for a round without a clock."""
    clock = clock_of(of) if isinstance(of, Round) else of
    if clock is None:
        return {}
    now = timezone.now()
    return {
        "clock": clock,
        "state": str(clock.state(now)),
        "left": ceil(clock.seconds_left(now) / 60),
        "now": timezone.localtime(now),
        "start": int(clock.starts_at.timestamp()),
        "end": int(clock.ends_at.timestamp()),
    }
