"""The officers' page of reports of wrong words and figures: what is new, and what was done by whom and when."""

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clubrating.web.admin import admin_page, officer
from clubrating.web.requests import number_sent
from players.page_reports.selectors import MAY_SEE, done_page_reports, new_page_reports
from players.page_reports.services import settle_page_report
from players.refusals import Refused


@never_cache
def page_reports(request: HttpRequest) -> HttpResponse:
    """Those nobody has seen to and those done last; posted to, one is done. 409 where that is refused."""
    if not request.user.has_perm(MAY_SEE):
        raise PermissionDenied
    problem = ""
    if request.method == "POST":
        try:
            settle_page_report(number_sent(request, "done"), by=officer(request))
        except Refused as refusal:
            problem = str(refusal)
        else:
            messages.success(request, _("The report is done."))
            return redirect("page-reports")
    context = {"waiting": new_page_reports(), "done": done_page_reports(), "problem": problem}
    title = _("Mistakes on pages")
    return admin_page(request, "admin/players/page_reports.html", title, status=409 if problem else 200, **context)


urlpatterns: list[URLPattern] = [path("", admin.site.admin_view(page_reports), name="page-reports")]
