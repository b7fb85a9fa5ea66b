"""The administrators' page about backups: when the last was made and read back, which there are; make one now, download
one. Not done here: restoring one, which is a command (docs/backups.md), because it replaces the database that serves
the site.
"""

from django.contrib import admin, messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubrating.ops.backups import store
from clubrating.web.admin import admin_page, administrator, officer
from players.models import Club
from players.refusals import Refused
from players.trail.services import write_audit


@never_cache
def backups(request: HttpRequest) -> HttpResponse:
    """The backups there are; a POST makes one more."""
    administrator(request)
    if request.method == "POST":
        return _make(request)
    latest = store.latest()
    return admin_page(
        request,
        "admin/backups.html",
        _("Backups"),
        rows=store.backups(),
        latest=latest,
        is_old=latest is not None and latest.is_old(timezone.now()),
        folder=store.folder(),
    )


@never_cache
@require_POST
def download(request: HttpRequest) -> HttpResponse | FileResponse:
    """Download of the file, which holds every name: recorded in the audit trail, stored by no cache."""
    administrator(request)
    name = request.POST.get("name", "")
    row = next((row for row in store.backups() if row.path.name == name), None)
    try:
        stream = row.path.open("rb") if row else None
    except OSError:
        stream = None
    if row is None or stream is None:
        raise Http404(_("That backup is on the shelf no more."))
    _note(request, "backup.downloaded", row)
    return FileResponse(stream, as_attachment=True, filename=f"club-{row.path.name}")


def _make(request: HttpRequest) -> HttpResponse:
    try:
        made = store.make_now()
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        _note(request, "backup.made", made)
        messages.success(request, _("The backup is made, and was read back whole."))
    return redirect("backups")


def _note(request: HttpRequest, action: str, row: store.Kept) -> None:
    write_audit(action, Club.objects.get(), by=officer(request), effect={"file": row.path.name, "bytes": row.size})


urlpatterns: list[URLPattern] = [
    path("", admin.site.admin_view(backups), name="backups"),
    path("download/", admin.site.admin_view(download), name="backup-download"),
]
