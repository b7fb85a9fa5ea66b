"""Formatting for pages: days, figures with decimals, columns of tables, QR codes.

Days are written language by language; the site's pages name a kind of date, never a format.

kind     English               where
short    14 Nov 2026           lists, captions
long     14 November 2026      sentences
full     Saturday 14 November 2026    the head of a page
near     Sat 14 Nov            dates of this season
weekday  Sat 14 Nov 2026       calendars
month    Nov 2026              axes of charts
season   November 2026         since when somebody is a member
brief    14 Nov                dates of this season, where space is short
when     14 Nov 2026, 20:15    when something was written
lately   14 Nov, 20:15         the same, where the year is known
meeting  Saturday 14 November 2026, 20:15    an appointment, a backup of the day

Figures come from pure code as texts with a decimal point (`clubrating.ground.figures`) and are written with the decimal
sign of the page's language: 12.5, in Russian 12,5. What programs read, in files and in attributes of a page, keeps the
point.

A QR code is inline SVG without styles; it stays dark on white in the dark theme.
"""

from datetime import date, datetime
from decimal import Decimal

import segno
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format, get_format, number_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django_tables2 import RequestConfig, Table

# --- days ------------------------------------------------------------------------------------------------------------
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
# Russian writes days of the week small; only at the head of a page ("full") one begins the line.
_SMALL_IN_RUSSIAN = {"near", "weekday", "meeting"}
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
    language = get_language() or "en"
    text = date_format(here, FORMATS[language][kind])
    return text.lower() if language == "ru" and kind in _SMALL_IN_RUSSIAN else text


def span_text(first: date, last: date | None) -> str:
    """The days of an event, 14 to 16 November 2026; one day by itself."""
    if last is None or first == last:
        return day_text(first, "long")
    far = 0 if (first.year, first.month) == (last.year, last.month) else 1 if first.year == last.year else 2
    opening, dash, end = _SPANS[get_language() or "en"][far]
    return f"{date_format(first, opening)}{dash}{date_format(last, end)}"


# --- figures ---------------------------------------------------------------------------------------------------------
def written(figure: str) -> str:
    """The figure, or a computation of figures, with the language's decimal sign."""
    sign: str = get_format("DECIMAL_SEPARATOR")
    return figure if sign == "." else figure.replace(".", sign)


# --- tables ----------------------------------------------------------------------------------------------------------
def css(*classes: str) -> dict[str, dict[str, str]]:
    """Classes of a column's head and cells: "num" for figures; "second" and "third" are hidden on narrow screens."""
    joined = " ".join(classes)
    return {"th": {"class": joined}, "td": {"class": joined}}


def show_page(request: HttpRequest, table: Table, per_page: int, *, count: int | None = None) -> None:
    """Sort the table as the address asks, and show the page it asks for; a page that is none shows the nearest one.

    `per_page` is fixed here, because django-tables2 would let the address set it, up to the whole list. `count`:
    how many rows there are, where that is known.
    """
    RequestConfig(request, paginate=False).configure(table)
    # Set before the rows are counted: the paginator then counts them by a query instead of fetching every row.
    table.paginator = pages = Paginator(table.rows, per_page)
    if count is not None:
        pages.count = count
    table.page = pages.get_page(request.GET.get(table.prefixed_page_field))


def short_day(day: date | None) -> str:
    """A day in a list: 14 Nov 2026; a dash for none."""
    return day_text(day)


def decimals(value: float | None, places: int) -> str:
    """A number rounded to so many decimals, with the decimal sign of the page's language; a dash for none."""
    return "–" if value is None else number_format(Decimal(f"{value:.{places}f}"), places)


# --- QR codes --------------------------------------------------------------------------------------------------------
def qr_code(text: str) -> SafeString:
    """The text as an inline SVG of the class `qr`, with the quiet margin readers need."""
    code = segno.make(text, error="m", micro=False)
    return mark_safe(code.svg_inline(omitsize=True, border=4, dark="#000", light="#fff", svgclass="qr", lineclass=None))
