"""The event's own pages in the admin: list, form with the steps on top, deletion; and the addresses of the rest."""

from collections.abc import Callable
from functools import partial, wraps
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
from tournaments.admin import (
    closing,
    entries,
    entry_life,
    entry_lists,
    formats,
    free_play,
    hall_numbers,
    match,
    next_round,
    prohibited,
    redraw,
    reports,
    results,
    round_draft,
    rounds,
)
from tournaments.admin.steps import steps_of
from tournaments.admin.tournament_form import TournamentForm
from tournaments.models import Tournament
from tournaments.services.closing import close_event, reopen_event
from tournaments.services.events import RULES, NewTournament, create_tournament, delete_tournament, update_tournament

# Pages of one tournament: name → address and view.
PAGES: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
    "entries": ("<int:key>/entries/", entries.entries),
    "entry_list": ("<int:key>/entries/file/", entry_lists.entry_list),
    "numbers": ("<int:key>/entries/numbers/", hall_numbers.numbers),
    "prohibited": ("<int:key>/entries/apart/", prohibited.prohibited),
    "entry": ("entry/<int:key>/", entry_life.entry),
    "withdraw": ("entry/<int:key>/withdraw/", entry_life.withdraw),
    "return": ("entry/<int:key>/return/", entry_life.give_back),
    "format": ("<int:key>/format/", formats.event_format),
    "match": ("match/<int:key>/", match.match),
    "close": ("<int:key>/close/", closing.close),
    "rounds": ("<int:key>/rounds/", rounds.rounds),
    "delete_rounds": ("<int:key>/rounds/delete/", rounds.delete_all),
    "next_round": ("stage/<int:key>/next/", next_round.next_round),
    "by_hand": ("stage/<int:key>/by-hand/", round_draft.by_hand),
    "boards": ("round/<int:key>/boards/", round_draft.boards),
    "unpublish": ("round/<int:key>/unpublish/", rounds.unpublish),
    "delete_round": ("round/<int:key>/delete/", rounds.delete_one),
    "redraw": ("stage/<int:key>/redraw/", redraw.redraw),
    "evening": ("<int:key>/evening/", free_play.evening),
    "evening_late": ("<int:key>/evening/late/", free_play.evening_late),
    "results": ("round/<int:key>/results/", results.results),
    "report": ("<int:key>/report/", reports.take_out),
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
        limits = () if obj and obj.open_ended else ("tier_from", "tier_below")
        played = ("re_rate",) if obj and obj.games.exclude(result="").exists() else ()
        facts = (
            "name",
            *_play_fields(obj),
            "place",
            "starts_on",
            "ends_on",
            "rated",
            "pool",
            *limits,
            *played,
            "revision",
        )
        if obj is None or obj.open_ended:
            return [(None, {"fields": facts})]
        return [(None, {"fields": facts}), (_("Rules"), {"fields": RULES, "classes": ["collapse"]})]

    def has_delete_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Whoever may change an event may delete it while nothing was played: the service refuses the rest."""
        return self.has_change_permission(request, obj)

    def get_urls(self) -> list[URLPattern]:
        own = [
            path(address, self.admin_site.admin_view(self._with_self(view)), name=f"tournaments_tournament_{name}")
            for name, (address, view) in PAGES.items()
        ]
        bring = self.admin_site.admin_view(partial(reports.bring, self))
        return [*own, path("report/", bring, name="tournaments_tournament_report_in"), *super().get_urls()]

    def _with_self(self, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def bound(request: HttpRequest, key: int) -> HttpResponse:
            return view(self, request, key)

        return bound

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        tournament = context.get("original")
        if tournament and self.has_change_permission(request, tournament):
            context["steps"] = steps_of(tournament)
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Tournament, form: TournamentForm, change: bool) -> None:
        if change:
            update_tournament(obj.pk, form.changes(), by=officer(request), revision=form.cleaned_data.get("revision"))
        else:
            obj.pk = create_tournament(NewTournament(**form.facts(), **form.format()), by=officer(request)).pk
        obj.refresh_from_db()

    def delete_model(self, request: HttpRequest, obj: Tournament) -> None:
        delete_tournament(obj.pk, by=officer(request))

    def response_add(self, request: HttpRequest, obj: Tournament, post_url_continue: str | None = None) -> HttpResponse:
        """A new event leads straight to its steps."""
        if "_addanother" in request.POST:
            return super().response_add(request, obj, post_url_continue)
        self.message_user(request, _("“%(name)s” is made: now enter the players.") % {"name": obj.name})
        return redirect(reverse("admin:tournaments_tournament_change", args=[obj.pk]))


def _play_fields(event: Tournament | None) -> tuple[str, ...]:
    """How it is played: not asked of a loaded stream; only a round robin has last two rounds to be swapped."""
    if event is None:
        return ("play", "swap_last_two", "rounds", "tiebreaks")
    if not event.open_ended:
        robin = event.stages.filter(order=1, pairing_system="round-robin").exists()
        return ("play", "swap_last_two") if robin else ("play",)
    return ("play",) if event.stages.exclude(pairing_system="").exists() else ()
