"""Pages for errors and refusals: a failed CSRF check, a server error, and the standalone page that they and others use.

A standalone page (an error, a refusal, a closed site) uses neither the database nor the session nor the list of static
files, because any of these may be what is missing.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from clubrating.ops.logs.records import request_id


def standalone_page(status: int, title: str, said: str, **context: Any) -> HttpResponse:
    """The page with that status: what happened, and what to do now."""
    stylesheet = f"/{settings.STATIC_URL.strip('/')}/css/club.css"
    everything = {"stylesheet": stylesheet, "title": title, "said": said, **context}
    return HttpResponse(render_to_string("alone.html", everything), status=status)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that is too old or comes from another site: 403 with what to do; nothing is changed."""
    said = _("Nothing was changed. Go back, load the page again, and send it once more; cookies must be allowed.")
    return render(request, "refused.html", {"title": _("The form was too old"), "said": said}, status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """500, with the request's id by which the administrator finds the error in the log."""
    said = _(
        "Nothing you entered earlier is lost. Go back and try once more; if it happens again, tell the club’s"
        " administrator what you did and when."
    )
    return standalone_page(500, _("Something went wrong"), said, request_id=request_id.get())
