"""Any game, also of a club evening or a loaded stream: find it by a player's name, correct or clear its result.

Boards of a round are quicker on the round's own page (`tournaments.admin.results`); the services are the same.
Not done: adding single games, deleting them (a cleared game counts for nothing).
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from clubrating.admin_site import ServiceAdmin, ServiceForm, officer
from players.models import AuditEvent
from players.privacy import OFFICER, shown_name
from players.selectors import named, words_of
from tournaments.models import Game
from tournaments.services.results import correct_result, notation, record_result
from tournaments.standings.points import OUTCOMES, Result


def _results() -> list[tuple[str, str]]:
    """Every code an arbiter may choose, as it is written."""
    written = [(code.value, notation(code)) for code, outcome in OUTCOMES.items() if outcome.white and len(code) > 1]
    return [("", str(_("no result"))), *written]


class GameForm(ServiceForm):
    result = forms.ChoiceField(label=_("Result"), choices=_results, required=False)
    reason = forms.ChoiceField(
        label=_("Reason for a correction"),
        choices=[choice for choice in AuditEvent.Reason.choices if choice[0]],
        initial=AuditEvent.Reason.ENTRY_ERROR,
    )
    note = forms.CharField(
        label=_("Note"), required=False, max_length=500, help_text=_("For officers only: no names of players.")
    )

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
    list_display = ("white_name", "written", "black_name", "played_on", "tournament", "pool")
    list_display_links = ("white_name", "black_name")
    list_filter = ("pool", "tournament__open_ended")
    list_select_related = ("white", "black", "tournament")
    search_fields = ("white__search_name",)
    search_help_text = _("Names of one or both players, in any script.")
    ordering = ("-played_on", "-sequence")
    readonly_fields = ("tournament", "white_name", "black_name")

    @admin.display(description=_("White"))
    def white_name(self, game: Game) -> str:
        return shown_name(game.white, OFFICER)

    @admin.display(description=_("Black"))
    def black_name(self, game: Game) -> str:
        return shown_name(game.black, OFFICER)

    @admin.display(description=_("result"))
    def written(self, game: Game) -> str:
        return notation(Result(game.result)) if game.result else "–"

    def label(self, game: Game) -> str:
        return f"{self.white_name(game)} – {self.black_name(game)}"

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Game], search_term: str) -> tuple[Any, bool]:
        """Games in which every word is in the name of one side or the other."""
        for word in words_of(search_term):
            queryset = queryset.filter(named([word], "white__") | named([word], "black__"))
        return queryset, False

    def get_fieldsets(self, request: HttpRequest, obj: Game | None = None) -> Any:
        facts = ("tournament", "white_name", "black_name", "result", "played_on", "reason", "note", "revision")
        return [(None, {"fields": facts})]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Game | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Game, form: GameForm, change: bool) -> None:
        data = form.cleaned_data
        game: dict[str, Any] = {"game": obj.pk, "result": Result(data["result"]), "revision": data.get("revision")}
        stands = Game.objects.values_list("result", flat=True).get(pk=obj.pk)
        if stands:
            correct_result(
                **game, played_on=data["played_on"], reason=data["reason"], note=data["note"], by=officer(request)
            )
        elif data["result"]:
            record_result(**game, played_on=data["played_on"], by=officer(request))
        obj.refresh_from_db()
