"""The privacy page: what is stored, who sees what, and which cookies there are; all facts are read from the code."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from clubrating.web import readings
from clubrating.web.devices import COOKIE
from players.models import Player, Visibility
from players.privacy.rules import MEMBER, MINOR_UNTIL_AGE, NOBODY, OFFICER, sees_page, shown_name

VIEWERS = (NOBODY, MEMBER, OFFICER)
SESSION_LASTS = timedelta(seconds=settings.SESSION_COOKIE_AGE)


@dataclass(frozen=True, slots=True)
class LevelRow:
    """A level: what the public, members and officers see of a name, and who may open the person's page."""

    words: str
    seen: tuple[str, ...]
    pages: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class CookieRow:
    """A cookie: its name in the browser, what it is for, and how long it lasts."""

    name: str
    purpose: str
    lasts: str


def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept about people, in words and tables."""
    context = {
        "levels": levels(),
        "cookies": cookies(),
        "minor_until": MINOR_UNTIL_AGE,
        "has_notices": bool(settings.PUSH_KEY),
        "has_mail": bool(settings.MAIL),
    }
    return render(request, "players/privacy.html", context)


def levels() -> list[LevelRow]:
    """Every level as `players.privacy.rules` decides it, tried with a made-up name."""
    rows = []
    for level in Visibility:
        person = Player(number=17, name=_("Robin Example"), visibility=level.value)
        seen = tuple(shown_name(person, viewer) for viewer in VIEWERS)
        rows.append(LevelRow(str(level.label), seen, tuple(sees_page(person, viewer) for viewer in VIEWERS)))
    return rows


def cookies() -> list[CookieRow]:
    """Every cookie this site may set. Whoever only reads gets none."""
    days = _("%(days)s days") % {"days": SESSION_LASTS.days}
    return [
        CookieRow(
            settings.SESSION_COOKIE_NAME,
            _("After the pass-phrase or a sign-in: keeps you a member or an officer. It holds a random key, no name."),
            _("%(days)s, or until you leave; officers at most %(hours)s hours")
            % {"days": days, "hours": settings.OFFICER_SESSION_LASTS // timedelta(hours=1)},
        ),
        CookieRow(
            COOKIE,
            _("After the same: others’ wrong passwords do not count against this device. A random key, no name."),
            _("a year"),
        ),
        CookieRow(
            settings.CSRF_COOKIE_NAME,
            _("On pages with a form that changes something: proves that the form was ours."),
            _("a year"),
        ),
        CookieRow(
            readings.COOKIE,
            _("After “Names in letters I can read”: remembers that choice. One word, the same for everybody."),
            _("a year"),
        ),
        CookieRow("messages", _("Carries a confirmation to the next page, and is deleted there."), _("one page")),
    ]
