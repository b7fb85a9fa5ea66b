"""How a day is written, language by language: the site's pages name a kind of date, never a format.

kind     English               where
short    14 Nov 2026           lists, captions
long     14 November 2026      sentences
full     Saturday 14 November 2026    the head of a page
near     Sat 14 Nov            dates of this season
month    Nov 2026              axes of charts
season   November 2026         since when somebody is a member
"""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import get_language

KINDS = ("short", "long", "full", "near", "month", "season")
_CHINESE = ("Y年n月j日", "Y年n月j日", "Y年n月j日 l", "n月j日 D", "Y年n月", "Y年n月")
# In Django's letters; E is a month's name as it stands in a date ("14 ноября"), F by itself ("ноябрь").
FORMATS = {
    "en": dict(zip(KINDS, ("j M Y", "j F Y", "l j F Y", "D j M", "M Y", "F Y"), strict=True)),
    "ru": dict(zip(KINDS, ("d.m.Y", "j E Y г.", "l, j E Y г.", "D, j E", "m.Y", "F Y г."), strict=True)),
    "zh-hans": dict(zip(KINDS, _CHINESE, strict=True)),
    "zh-hant": dict(zip(KINDS, _CHINESE, strict=True)),
}


def day_text(day: date | None, kind: str = "short") -> str:
    """A day as the page's language writes it; a dash for none. Raises KeyError for a kind there is not."""
    return date_format(day, FORMATS[get_language() or "en"][kind]) if day else "–"
