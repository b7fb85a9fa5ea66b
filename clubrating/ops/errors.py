"""What is answered where a form came too late or something broke."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubrating.ops.errors_pages import lone_page


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came too late or from elsewhere: say what to do, change nothing."""
    return render(request, "403_csrf.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Something broke: the page says by which word the administrator finds it in the log."""
    return lone_page("500.html", 500)
