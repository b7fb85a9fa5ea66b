"""How a day is written, language by language: the site's pages name a kind of date, never a format.

kind     English               where
short    14 Nov 2026           lists, captions
long     14 November 2026      sentences
full     Saturday 14 November 2026    the head of a page
near     Sat 14 Nov            dates of this season
weekday  Sat 14 Nov 2026       calendars
month    Nov 2026              axes of charts
season   November 2026         since when somebody is a member
brief    14 Nov                dates of this season, where little room is
when     14 Nov 2026, 20:15    when something was written
lately   14 Nov, 20:15         the same, where the year is known
meeting  Saturday 14 November 2026, 20:15    an appointment, a backup of the day
"""

from datetime import date, datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language

KINDS = ("short", "long", "full", "near", "month", "season", "brief", "when", "lately", "meeting", "weekday")
_ENGLISH = (
    *("j M Y", "j F Y", "l j F Y", "D j M", "M Y", "F Y"),
    *("j M", "j M Y, H:i", "j M, H:i", "l j F Y, H:i", "D j M Y"),
)
_RUSSIAN = (
    *("d.m.Y", "j E Y г.", "l, j E Y г.", "D, j E", "m.Y", "E Y г."),
    *("j E", "d.m.Y, H:i", "j E, H:i", "l, j E Y г., H:i", "D, d.m.Y"),
)
_CHINESE = (
    *("Y年n月j日", "Y年n月j日", "Y年n月j日 l", "n月j日 D", "Y年n月", "Y年n月"),
    *("n月j日", "Y年n月j日 H:i", "n月j日 H:i", "Y年n月j日 l H:i", "Y年n月j日 D"),
)
# In Django's letters; E is a month's name as it stands in a date ("14 ноября"), F by itself ("ноябрь").
FORMATS = {
    "en": dict(zip(KINDS, _ENGLISH, strict=True)),
    "ru": dict(zip(KINDS, _RUSSIAN, strict=True)),
    "zh-hans": dict(zip(KINDS, _CHINESE, strict=True)),
    "zh-hant": dict(zip(KINDS, _CHINESE, strict=True)),
}
# From the first day to the last: within a month, within a year, over the turn of one.
_SPANS = {
    "en": (("j", " to ", "j F Y"), ("j F", " to ", "j F Y"), ("j F Y", " to ", "j F Y")),
    "ru": (("j", "–", "j E Y г."), ("j E", " – ", "j E Y г."), ("j E Y г.", " – ", "j E Y г.")),
    "zh-hans": (("Y年n月j日", "至", "j日"), ("Y年n月j日", "至", "n月j日"), ("Y年n月j日", "至", "Y年n月j日")),
    "zh-hant": (("Y年n月j日", "至", "j日"), ("Y年n月j日", "至", "n月j日"), ("Y年n月j日", "至", "Y年n月j日")),
}


def day_text(day: date | None, kind: str = "short") -> str:
    """A day, or a moment in the club's time, as the page's language writes it; a dash for none. Raises KeyError for a
    kind there is not."""
    if day is None:
        return "–"
    here = timezone.localtime(day) if isinstance(day, datetime) and timezone.is_aware(day) else day
    return date_format(here, FORMATS[get_language() or "en"][kind])


def span_text(first: date, last: date | None) -> str:
    """The days of an event, 14 to 16 November 2026; one day by itself."""
    if last is None or first == last:
        return day_text(first, "long")
    far = 0 if (first.year, first.month) == (last.year, last.month) else 1 if first.year == last.year else 2
    opening, dash, end = _SPANS[get_language() or "en"][far]
    return f"{date_format(first, opening)}{dash}{date_format(last, end)}"
