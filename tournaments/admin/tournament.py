"""The event's own pages in the admin: list, form with the steps on top, deletion; and the addresses of the rest."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.admin_site import ServiceAdmin, officer
from players.services.refusals import Refused
from tournaments.admin import entries, results, rounds
from tournaments.admin.forms import TournamentForm
from tournaments.admin.steps import steps_of
from tournaments.models import Tournament
from tournaments.services.closing import close_event, reopen_event
from tournaments.services.events import NewTournament, create_tournament, delete_tournament, update_tournament

# Pages of one tournament: name → address and view.
PAGES: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
    "entries": ("<int:key>/entries/", entries.entries),
    "rounds": ("<int:key>/rounds/", rounds.rounds),
    "delete_rounds": ("<int:key>/rounds/delete/", rounds.delete_all),
    "results": ("round/<int:key>/results/", results.results),
}


class TournamentAdmin(ServiceAdmin):
    form = TournamentForm
    list_display = ("name", "place", "starts_on", "ends_on", "rated", "closed", "pool", "players")
    list_filter = ("rated", "closed", "pool")
    actions = ("close", "reopen")
    search_fields = ("name", "place")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        return super().get_queryset(request).annotate(entered=Count("entries"))

    @admin.action(description=gettext_lazy("Close: lists that rate by the event take it in"), permissions=["change"])
    def close(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        self._each(request, queryset, close_event, _("“%(name)s” is closed."))

    @admin.action(description=gettext_lazy("Open again: more games are to come"), permissions=["change"])
    def reopen(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        self._each(request, queryset, reopen_event, _("“%(name)s” is open again."))

    def _each(
        self, request: HttpRequest, queryset: QuerySet[Tournament], service: Callable[..., None], done: str
    ) -> None:
        for tournament in queryset:
            try:
                service(tournament, by=officer(request))
            except Refused as refusal:
                self.message_user(request, str(refusal), messages.ERROR)
            else:
                self.message_user(request, done % {"name": tournament.name}, messages.SUCCESS)

    @admin.display(description=gettext_lazy("entries"), ordering="entered")
    def players(self, tournament: Tournament) -> int:
        return tournament.entered  # type: ignore[attr-defined]

    def view_on_site(self, tournament: Tournament) -> str:
        return tournament.get_absolute_url()

    def get_fieldsets(self, request: HttpRequest, obj: Tournament | None = None) -> Any:
        play = () if obj and obj.open_ended else ("play", "swap_last_two")
        limits = () if obj and obj.open_ended else ("tier_from", "tier_below")
        played = ("re_rate",) if obj and obj.games.exclude(result="").exists() else ()
        facts = ("name", *play, "place", "starts_on", "ends_on", "rated", "pool", *limits, *played, "revision")
        return [(None, {"fields": facts})]

    def has_delete_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Whoever may change an event may delete it while nothing was played: the service refuses the rest."""
        return self.has_change_permission(request, obj)

    def get_urls(self) -> list[URLPattern]:
        own = [
            path(address, self.admin_site.admin_view(self._with_self(view)), name=f"tournaments_tournament_{name}")
            for name, (address, view) in PAGES.items()
        ]
        return own + super().get_urls()

    def _with_self(self, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def bound(request: HttpRequest, key: int) -> HttpResponse:
            return view(self, request, key)

        return bound

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        tournament = context.get("original")
        if tournament and not tournament.open_ended and self.has_change_permission(request, tournament):
            context["steps"] = steps_of(tournament)
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Tournament, form: TournamentForm, change: bool) -> None:
        if change:
            update_tournament(obj.pk, form.changes(), by=officer(request), revision=form.cleaned_data.get("revision"))
        else:
            data = {name: form.cleaned_data[name] for name in TournamentForm.Meta.fields}
            obj.pk = create_tournament(NewTournament(**data, **form.format()), by=officer(request)).pk
        obj.refresh_from_db()

    def delete_model(self, request: HttpRequest, obj: Tournament) -> None:
        delete_tournament(obj.pk, by=officer(request))

    def response_add(self, request: HttpRequest, obj: Tournament, post_url_continue: str | None = None) -> HttpResponse:
        """A new event leads straight to its steps."""
        if "_addanother" in request.POST:
            return super().response_add(request, obj, post_url_continue)
        self.message_user(request, _("“%(name)s” is made: now enter the players.") % {"name": obj.name})
        return redirect(reverse("admin:tournaments_tournament_change", args=[obj.pk]))
