"""`/about/glossary/`: the field's words and the site's own."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from clubrating.site.glossary.words import chapters


def glossary(request: HttpRequest) -> HttpResponse:
    """The field's words in the page's language, beside them the English ones."""
    context = {"chapters": list(chapters()), "shows_english": get_language() != settings.LANGUAGE_CODE}
    return render(request, "glossary.html", context)
