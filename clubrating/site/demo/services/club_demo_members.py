"""What the demo club's members have a part in: prizes of two events, and the table of the season."""

from datetime import date

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.models import Tournament
from tournaments.prizes.services import Fund, NewPrize, set_prizes
from tournaments.seasons.services import save_season

_FUND = Fund("€", "full", 100, one_each=True)
_PRIZES = (
    NewPrize("place", None, 1, 12_000),
    NewPrize("place", None, 2, 8_000),
    NewPrize("place", None, 3, 5_000),
    NewPrize("junior", 18, 1, 3_000),
    NewPrize("senior", 60, 1, 3_000),
    NewPrize("below", 1600, 1, 0, "a book"),
)
_WITH_PRIZES = ("club-cup", "friday-swiss")
_MASTERS = "masters"  # their event is not the club's


def announce(today: date, by: User) -> None:
    """Prizes, and a Grand Prix over all events of the club."""
    events = list(Tournament.objects.filter(open_ended=False).exclude(pool=_MASTERS).order_by("pk"))
    for event in events:
        if event.slug.startswith(_WITH_PRIZES):
            set_prizes(event, _FUND, _PRIZES, by=by)
    facts = {"name": _("Grand Prix %(year)s") % {"year": today.year}, "best": 3}
    save_season(None, facts, [event.pk for event in events], by=by)
