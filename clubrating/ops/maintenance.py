"""The site closed for a while: a file in CLUB_DATA, which `manage.py maintenance on` writes and `off` removes.

While it is there every page is answered 503 with when to come back, and the database is not asked for anything, so that
it may be moved or restored. Open stay the probes, the metrics and static files. Officers wait like everybody: to know
one the database would have to be asked, and what he entered meanwhile might be lost.

The file is this machine's: where several serve the site, each is closed (docs/operations.md).
"""

import json
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language_from_request, ngettext, override
from django.utils.translation import gettext as _

from clubrating.ops.errors import standalone_page
from clubrating.web.api import refuse
from clubrating.web.languages import plain_path

OPEN = {"/healthz", "/healthz/", "/readyz", "/readyz/", "/metrics", "/favicon.ico"}
FILES = f"/{settings.STATIC_URL.strip('/')}/"
MINUTES = 5
LONGEST_MESSAGE = 500  # characters


@dataclass(frozen=True, slots=True)
class Notice:
    """Why the site is closed, in the administrator's own words or none; since when; and after how many minutes to ask
    again."""

    message: str
    since: datetime | None
    minutes: int


def close(message: str, minutes: int, now: datetime) -> None:
    """Close the site, or change what it says. Raises OSError where the file cannot be written."""
    values = {"message": message, "since": now.isoformat(), "minutes": minutes}
    aside = _file().with_suffix(".new")
    aside.write_text(json.dumps(values, ensure_ascii=False) + "\n", encoding="utf-8")
    aside.replace(_file())


def reopen() -> bool:
    """Open the site again; whether it was closed. Raises OSError where the file cannot be removed."""
    was_closed = _file().exists()
    _file().unlink(missing_ok=True)
    return was_closed


def notice() -> Notice | None:
    """What is said while the site is closed; None while it is open. An open site pays one look for a file, the cheapest
    there is: every request looks."""
    if not os.path.exists(_file()):
        return None
    try:
        values = json.loads(_file().read_text(encoding="utf-8"))
        since, minutes = datetime.fromisoformat(values["since"]), int(values["minutes"])
        return Notice(str(values["message"])[:LONGEST_MESSAGE], since, max(1, minutes))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        return Notice("", None, MINUTES)  # a file made by hand closes the site too


def _file() -> Path:
    return Path(settings.DATA_DIR) / "maintenance.json"


def closed(request: HttpRequest) -> HttpResponse | None:
    """What is answered while the site is closed; None while it is open, and for what stays open."""
    found = notice()
    if found is None or request.path in OPEN or request.path.startswith(FILES):
        return None
    response = _page(request, found)
    response.headers["Retry-After"] = str(found.minutes * 60)
    response.headers["Cache-Control"] = "no-store"
    return response


def _page(request: HttpRequest, found: Notice) -> HttpResponse:
    if plain_path(request.path).startswith("/api/"):
        return refuse(f"The site is closed for maintenance: ask again in {found.minutes} minutes.", 503)
    with override(get_language_from_request(request, check_path=True)):
        said = ngettext(
            "The site is being looked after. Try again in about %(minutes)s minute; nothing that was entered is lost.",
            "The site is being looked after. Try again in about %(minutes)s minutes; nothing that was entered is lost.",
            found.minutes,
        )
        said %= {"minutes": found.minutes}
        return standalone_page(503, _("Closed for a moment"), said, notice=found, is_sent=request.method == "POST")
