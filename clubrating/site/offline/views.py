"""The site as an app of the telephone: its manifest, its service worker, and the page that stands in without a line.

The worker (`static/js/service-worker.js`) is only asked for by devices that know their reader (`static/js/me.js`). It
keeps public pages, as many and as long as it says; whatever is marked no-store, so every page of a session, is not.
"""

import json
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubrating.web.languages import path_in
from clubrating.web.requests import ClubRequest

_SHELL = ("css/club.css", "js/me.js", "js/offline.js", "img/icon.svg")
_PAPER, _BLUE = "#fbfaf6", "#17568f"  # of static/css/club.css and of the icon


def manifest(request: ClubRequest) -> JsonResponse:
    """What a telephone asks before it puts the site among its apps, in the page's language."""
    name, start = request.club.name, reverse("home")
    parts = (
        (_("Tonight"), start),
        (_("Ratings"), reverse("ratings:index")),
        (_("Events"), reverse("tournaments:index")),
    )
    content = {
        "id": start,
        "name": name,
        "short_name": name if len(name) <= 12 else _("Club"),
        "description": _("Ratings, pairings and results."),
        "lang": get_language(),
        "start_url": start,
        "scope": "/",
        "display": "minimal-ui",
        "background_color": _PAPER,
        "theme_color": _BLUE,
        "icons": [
            {"src": static("img/icon-192.png"), "sizes": "192x192", "type": "image/png"},
            {"src": static("img/icon-512.png"), "sizes": "512x512", "type": "image/png"},
            {"src": static("img/icon-maskable.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
            {"src": static("img/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        ],
        "shortcuts": [{"name": words, "url": address} for words, address in parts],
    }
    return JsonResponse(
        content, content_type="application/manifest+json", json_dumps_params={"ensure_ascii": False, "indent": 1}
    )


def offline(request: ClubRequest) -> HttpResponse:
    """The pages the device has; `static/js/offline.js` lists them."""
    return render(request, "offline/offline.html")


def service_worker(request: HttpRequest) -> HttpResponse:
    """The script, from the root: a worker has a say only below the address it comes from. It begins with what it is to
    fetch beforehand, so a new version of a file makes a new worker."""
    offline_pages = {code: path_in("/offline/", code) for code, _name in settings.LANGUAGES}
    known = {"offline": offline_pages, "files": [static(name) for name in _SHELL], "icon": static("img/icon-192.png")}
    response = HttpResponse(f"const KNOWN = {json.dumps(known)};\n{_script()}", content_type="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


@cache
def _script() -> str:
    return (settings.BASE_DIR / "static" / "js" / "service-worker.js").read_text(encoding="utf-8")
