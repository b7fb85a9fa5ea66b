"""Any game, also of a club evening or a loaded stream: found by a player's name, and corrected.

A first result is recorded at once; everything else leads to its preview (`tournaments.corrections.admin.corrections`).
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from clubrating.web.admin import ServiceAdmin, ServiceForm, officer
from players.people.selectors import named, words_of
from players.privacy.rules import OFFICER, shown_name
from ratings.lists.admin import PoolFilter, pool_column
from tournaments.corrections.admin.boards import elsewhere, seats
from tournaments.corrections.admin.corrections import correct, correct_address, last_undo, remove, swap, undo
from tournaments.corrections.admin.footnote import footnote
from tournaments.corrections.admin.games_brought import insert, load
from tournaments.corrections.admin.handicap import handicap
from tournaments.corrections.services.changes import ResultChange
from tournaments.events.selectors.officers import may_correct
from tournaments.models import Game
from tournaments.result_reports.admin import reports
from tournaments.results.services.results import notation, record_result
from tournaments.standings.points import OUTCOMES, Result

# Corrections: name → address and page.
PAGES: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
    "correct": ("correct/", correct),
    "insert": ("insert/", insert),
    "load": ("load/", load),
    "reports": ("reports/", reports),
    "undo": ("undo/<int:key>/", undo),
    "seats": ("<int:key>/seats/", seats),
    "elsewhere": ("<int:key>/elsewhere/", elsewhere),
    "swap": ("<int:key>/swap/", swap),
    "remove": ("<int:key>/remove/", remove),
    "handicap": ("<int:key>/handicap/", handicap),
    "footnote": ("<int:key>/note/", footnote),
}


def _results() -> list[tuple[str, str]]:
    written = [(code.value, notation(code)) for code, outcome in OUTCOMES.items() if outcome.white and len(code) > 1]
    return [("", str(_("no result"))), *written]


class GameForm(ServiceForm):
    result = forms.ChoiceField(label=_("Result"), choices=_results, required=False)

    class Meta:
        model = Game
        fields = ("result", "played_on")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("result") and not cleaned.get("played_on"):
            self.add_error("played_on", _("A result needs the day it was played on."))
        return cleaned


class GameAdmin(ServiceAdmin):
    form = GameForm
    list_display = ("white_name", "written", "black_name", "played_on", "tournament")
    list_display_links = ("white_name", "black_name")
    list_filter = (("pool", PoolFilter), "tournament__open_ended")
    list_select_related = ("white", "black", "tournament")
    search_fields = ("white__search_name",)
    search_help_text = _("Names of one or both players, in any script.")
    ordering = ("-played_on", "-sequence")
    readonly_fields = ("tournament", "white_name", "black_name")

    def get_list_display(self, request: HttpRequest) -> tuple[Any, ...]:
        return (*super().get_list_display(request), pool_column())

    @admin.display(description=_("White"))
    def white_name(self, game: Game) -> str:
        return shown_name(game.white, OFFICER)

    @admin.display(description=_("Black"))
    def black_name(self, game: Game) -> str:
        return shown_name(game.black, OFFICER)

    @admin.display(description=_("result"))
    def written(self, game: Game) -> str:
        return notation(game.result, "–")

    def label(self, game: Game) -> str:
        return f"{self.white_name(game)} – {self.black_name(game)}"

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Game], search_term: str) -> tuple[Any, bool]:
        """Games in which every word is in the name of one side or the other."""
        for word in words_of(search_term):
            queryset = queryset.filter(named([word], "white__") | named([word], "black__"))
        return queryset, False

    def get_fieldsets(self, request: HttpRequest, obj: Game | None = None) -> Any:
        return [(None, {"fields": (*self.readonly_fields, "result", "played_on", "revision")})]

    def has_change_permission(self, request: HttpRequest, obj: Game | None = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or may_correct(request.user, obj.tournament))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Game | None = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        pages = [path(address, view(page), name=f"tournaments_game_{name}") for name, (address, page) in PAGES.items()]
        return pages + super().get_urls()

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        game = context.get("original")
        if game and self.has_change_permission(request, game):
            context |= {"recorded": bool(game.result), "undo": last_undo("game", game.pk)}
            context["show_save_and_continue"] = False
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Game, form: GameForm, change: bool) -> None:
        """A first result is written; for another one `response_change` leads to its preview."""
        data = form.cleaned_data
        stands = Game.objects.values_list("result", flat=True).get(pk=obj.pk)
        if not stands and data["result"]:
            record_result(
                game=obj.pk,
                result=Result(data["result"]),
                played_on=data["played_on"],
                revision=data.get("revision"),
                by=officer(request),
            )
            obj.refresh_from_db()

    def response_change(self, request: HttpRequest, obj: Game) -> HttpResponse:
        stands = Game.objects.get(pk=obj.pk)
        asked = (request.POST.get("result", ""), request.POST.get("played_on", ""))
        if not stands.result or asked == (stands.result, stands.played_on and stands.played_on.isoformat()):
            return super().response_change(request, obj)
        revision = int(request.POST.get("revision") or -1)
        change = ResultChange(obj.pk, Result(obj.result), obj.played_on, revision)
        return redirect(correct_address([change], request.path))
