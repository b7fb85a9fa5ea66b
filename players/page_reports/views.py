"""`/wrong/?of=<path>`: anybody tells the officers of a wrong word or figure on a page. Nothing else changes by it."""

from http import HTTPStatus
from urllib.parse import urlencode

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from clubrating.web.forms import TRAP
from clubrating.web.own_pages import public_path
from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import ClubRequest
from players.page_reports.services import LONGEST, report_page
from players.privacy.rules import Level
from players.refusals import Refused

# A whole club may sit behind one address.
LIMIT = RateLimit("page-report", 20, 600)
VISITOR = "visitor"


class PageReportForm(forms.Form):
    """What is wrong; whose words they are is not asked."""

    words = forms.CharField(
        label=gettext_lazy("What is wrong, and what should it be?"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 5}),
    )


@never_cache
def wrong_page(request: ClubRequest) -> HttpResponse:
    """The form, and what was sent. 400 where nothing is said or too much, 409 where it is refused, 429 where too many
    came from one address lately."""
    asked = request.POST if request.method == "POST" else request.GET
    page = public_path(asked.get("of", ""))
    form, address = PageReportForm(request.POST or None), address_of(request)
    problem, status = "", 200
    if request.method == "POST" and LIMIT.is_exceeded_by(address):
        problem, status = _("Many reports came from here just now: try again in ten minutes."), 429
    elif request.method == "POST" and request.POST.get(TRAP):
        return _thanked(request, page)  # as if it was taken
    elif request.method == "POST" and not form.is_valid():
        status = HTTPStatus.BAD_REQUEST
    elif request.method == "POST":
        level = request.viewer.level
        try:
            report_page(page, form.cleaned_data["words"], role=VISITOR if level == Level.NOBODY else level.name.lower())
        except Refused as refusal:
            problem, status = str(refusal), 409
        else:
            LIMIT.count(address)
            return _thanked(request, page)
    context = {"form": form, "of": page, "trap": TRAP, "problem": problem, "is_sent": "sent" in request.GET}
    return render(request, "players/page_report.html", context, status=status)


def _thanked(request: ClubRequest, page: str) -> HttpResponse:
    return redirect(f"{request.path}?{urlencode({'sent': 1, 'of': page})}")
