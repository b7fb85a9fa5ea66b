"""What is answered where a form came too late or something broke.

Pages that stand alone: an error, a refusal, a closed site. They ask neither the database nor the session nor the
list of static files for anything, for any of these may be what is missing.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from clubrating.ops.logs.records import request_id


def lone_page(template: str, status: int, **context: Any) -> HttpResponse:
    """The page with that status; it may tell the request's name, by which its lines are found in the log."""
    everything = {
        "stylesheet": f"/{settings.STATIC_URL.strip('/')}/css/club.css",
        "request_id": request_id.get(),
        **context,
    }
    return HttpResponse(render_to_string(template, everything), status=status)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came too late or from elsewhere: say what to do, change nothing."""
    return render(request, "403_csrf.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Something broke: the page says by which word the administrator finds it in the log."""
    return lone_page("500.html", 500)
