"""A form sent just after the session ended is kept until the same officer signs in again, who may then send it.

It is kept in the new session, on the server, for an hour at most; never with passwords, pass-phrases or files. It
carries the revisions it was filled in from, so that sending it later overwrites nothing.
"""

from time import time
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from clubrating.web.admin import admin_page, officer

KEPT = "kept_form"
KEPT_FOR = 3600  # seconds
MOST = 200_000  # characters


def keep_form(request: HttpRequest, user_key: int) -> None:
    """Note what that officer had filled in, where it is something to be kept."""
    given = {name: values for name, values in request.POST.lists() if name != "csrfmiddlewaretoken"}
    secret = any("password" in name or "phrase" in name or name == "code" for name in given)
    size = sum(len(name) + len(value) for name, values in given.items() for value in values)
    by_script = request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate"
    if not given or secret or by_script or request.FILES or size > MOST:
        return
    path = request.get_full_path()
    request.session[KEPT] = {"key": user_key, "at": int(time()), "path": path, "given": given}


def kept_form(request: HttpRequest, user: User) -> dict[str, Any] | None:
    """What is kept for that officer; somebody else's is forgotten."""
    kept: dict[str, Any] | None = request.session.get(KEPT)
    if kept and (kept["key"] != user.pk or int(time()) - kept["at"] > KEPT_FOR):
        del request.session[KEPT]
        return None
    return kept


def resume(request: HttpRequest) -> HttpResponse:
    """Send what was kept, or leave it."""
    user = officer(request)
    home = "admin:index" if user.is_staff else "captains:home"
    kept = kept_form(request, user)
    if kept is None:
        return redirect(home)
    if request.method == "POST":
        del request.session[KEPT]
        return redirect(home)
    given = [(name, value) for name, values in kept["given"].items() for value in values]
    title = _("What you had entered")
    return admin_page(request, "admin/account/kept.html", title, path=kept["path"], given=given)
