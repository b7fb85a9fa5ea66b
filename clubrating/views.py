"""Pages no single app owns: errors, the glossary."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from clubrating.glossary import chapters
from clubrating.operations.pages import lone_page


def glossary(request: HttpRequest) -> HttpResponse:
    """The field's words in the page's language, beside them the English ones."""
    context = {"chapters": list(chapters()), "shows_english": get_language() != settings.LANGUAGE_CODE}
    return render(request, "glossary.html", context)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came too late or from elsewhere: say what to do, change nothing."""
    return render(request, "403_csrf.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Something broke: the page says by which word the administrator finds it in the log."""
    return lone_page("500.html", 500)
