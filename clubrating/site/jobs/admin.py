"""The audit trail and the background jobs in the admin: to be read, never written.

The trail's page is `tournaments.trail.admin`, because what an entry is about is known in that app.
"""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet, Value
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.site.jobs.words import kind_in_words
from clubrating.web.admin import ReadOnlyAdmin
from players.models import AuditEvent, Job
from ratings.lists.words import ROLES
from tournaments.trail.admin import whole_trail
from tournaments.trail.selectors import places_of
from tournaments.trail.words import about_in_words, action_in_words, address_of, change_in_words, origin_in_words


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin):
    list_select_related = ("actor",)
    fields = ("at", "actor", "in_role", "came_from", "what", "about", "change", "reason", "note")

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEvent]:
        """With whether the reader may open what a line is about."""
        runs_events = Value(request.user.has_perm("tournaments.change_tournament"))
        return super().get_queryset(request).annotate(runs_events=runs_events)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The entries with their filters; also as files. Read only: 403 for a POST."""
        if not self.has_view_permission(request) or request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        return whole_trail(request)

    @admin.display(description=_("role"))
    def in_role(self, event: AuditEvent) -> str:
        return str(ROLES.get(event.role, event.role))

    @admin.display(description=_("from"))
    def came_from(self, event: AuditEvent) -> str:
        return origin_in_words(event.origin, places_of([event]).tokens)

    @admin.display(description=_("what"))
    def what(self, event: AuditEvent) -> str:
        return action_in_words(event.action)

    @admin.display(description=_("about"))
    def about(self, event: AuditEvent) -> str | SafeString:
        place = places_of([event]).at(event)
        runs_events: bool = event.runs_events  # type: ignore[attr-defined]
        words, address = about_in_words(event, place), address_of(event, place, runs_events=runs_events)
        return format_html('<a href="{}">{}</a>', address, words) if address else words

    @admin.display(description=_("before → after"))
    def change(self, event: AuditEvent) -> str:
        return change_in_words(event, places_of([event]).people)


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ("requested_at", "work", "state", "done_so_far", "requested_by", "finished_at", "message")
    list_filter = ("state",)
    list_select_related = ("requested_by",)
    fields = list_display

    @admin.display(description=_("kind"), ordering="kind")
    def work(self, job: Job) -> str:
        return kind_in_words(job)

    @admin.display(description=_("done"))
    def done_so_far(self, job: Job) -> SafeString:
        return format_html('<progress max="100" value="{0}">{0} %</progress> {0} %', job.progress)
