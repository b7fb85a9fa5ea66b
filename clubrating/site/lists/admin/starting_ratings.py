"""Starting ratings in the admin. One of somebody who has games shows first what it moves, and asks for a reason:
entered, changed or taken back. List, player and day name the fact: another day is another fact.
"""

from functools import partial, reduce
from operator import or_
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubrating.web.admin import ServiceForm, officer
from clubrating.web.formatting import day_text, written
from players.models import Player
from players.people.selectors import named, words_of
from players.privacy.rules import OFFICER, shown_name
from players.refusals import sign
from ratings.lists.selectors.grades import has_grades
from ratings.lists.services import NewStart, rules_of
from ratings.models import StartingRating
from ratings.systems.base import Moment
from ratings.systems.egf import grade_rating
from tournaments.corrections.admin.preview import CorrectionPage, correction
from tournaments.corrections.admin.saving import FormSaved, Moving, PreviewedAdmin
from tournaments.corrections.services.changes import Why
from tournaments.entries.services.entries import match_names
from tournaments.rated_games.selectors.games import first_rated_moments
from tournaments.rated_games.selectors.late_starts import LateStart
from tournaments.rated_games.services.people import bring_starting_ratings, drop_starting_rating


class RowsOfPlayers(admin.ModelAdmin):
    """Rows about people, whom `paths` lead to: somebody is found who has every word of the search in the name."""

    paths: ClassVar[tuple[str, ...]] = ("player",)
    list_select_related: ClassVar[tuple[str, ...]] = ("player", "rating_list")
    search_fields: ClassVar[tuple[str, ...]] = ("player__search_name",)

    @admin.display(description=_("player"), ordering="player__sort_name")
    def shown(self, row: Any) -> str:
        return shown_name(row.player, OFFICER)

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        for word in words_of(search_term):
            queryset = queryset.filter(reduce(or_, (named([word], f"{path}__") for path in self.paths)))
        return queryset, False


class RatingOrGrade(forms.FloatField):
    """A number, or a grade of go such as 3k, which is kept as its rating."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> Any:
        try:
            return grade_rating(str(value))
        except ValueError:
            return super().to_python(value)


class StartingRatingForm(ServiceForm):
    rating = RatingOrGrade(label=_("rating"), help_text=_("In a list of go a grade may be written: 1k is 2000."))
    who = forms.CharField(
        label=_("Player"), max_length=110, help_text=_("The name as it stands in the list, or #number.")
    )

    class Meta:
        model = StartingRating
        fields = ("rating_list", "on", "rating", "games", "peak", "deviation", "source")

    def clean_rating(self) -> float:
        rating: float = self.cleaned_data["rating"]
        rating_list = self.cleaned_data.get("rating_list") or getattr(self.instance, "rating_list", None)
        low = rules_of(rating_list).on(timezone.localdate()).system.lowest_start if rating_list else 0
        if not low <= rating <= 4000:
            raise forms.ValidationError(_("A rating lies between %(low)s and 4000.") % {"low": f"{low:g}"})
        is_grade = not self.data.get(self.add_prefix("rating"), "").strip()[-1:].isdigit()
        if is_grade and rating_list is not None and not has_grades(rating_list):
            raise forms.ValidationError(_("Grades of go mean nothing in this list: write the rating."))
        return rating

    def clean_who(self) -> Player:
        found = match_names([self.cleaned_data["who"]])
        if found.problems or not found.players:
            raise forms.ValidationError(list(found.problems) or _("Name a player."))
        return found.players[0]


@admin.register(StartingRating)
class StartingRatingAdmin(RowsOfPlayers, PreviewedAdmin):
    form = StartingRatingForm
    list_display = ("shown", "rating_list", "on", "rating", "games", "source")
    list_filter = ("rating_list", "source")

    def label(self, start: StartingRating) -> str:
        return f"{self.shown(start)}{sign(': ')}{written(f'{start.rating:g}')}"

    def get_fieldsets(self, request: HttpRequest, obj: StartingRating | None = None) -> Any:
        facts = ("rating", "games", "peak", "deviation", "source")
        return [(None, {"fields": ("rating_list", "shown" if obj else "who", "on", *facts, "revision")})]

    def get_readonly_fields(self, request: HttpRequest, obj: StartingRating | None = None) -> tuple[str, ...]:
        """List, player and day name the fact: another day is another fact."""
        return ("rating_list", "shown", "on") if obj else ()

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type:
        form = super().get_form(request, obj, change, **kwargs)
        if obj:
            form.base_fields.pop("who", None)
        return form

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Of somebody who has rated games in the pool it shows what that moves, and asks for a reason."""
        start = self.get_object(request, object_id)
        if start is None or not self.has_delete_permission(request, start):
            return super().delete_view(request, object_id, extra_context)
        pool = start.rating_list.pool
        if pool not in first_rated_moments(start.player):
            return super().delete_view(request, object_id, extra_context)
        facts = [("player", start.player_id, 0), ("start", start.pk, start.revision)]
        moving = Moving({pool: Moment(start.on)}, [start.player_id], facts, self._says(start))
        back = reverse("admin:ratings_startingrating_change", args=[start.pk])
        texts = CorrectionPage(
            title=str(_("Take the starting rating back")),
            says=moving.says,
            hidden=[],
            back=back,
            done=reverse("admin:ratings_startingrating_changelist"),
            reason=self.preview_reason,
            button=str(_("Take it back")),
            success=str(_("Saved, and every rating behind it is counted anew.")),
        )
        return correction(request, FormSaved(moving, partial(self._drop, start.pk)), texts)

    def _drop(self, start: int, why: Why) -> None:
        drop_starting_rating(start, by=why.by, reason=why.reason, note=why.note)

    def _says(self, start: StartingRating) -> list[str]:
        return [
            f"{self.label(start)}{sign(' (')}{start.rating_list.shown_name}{sign(', ')}{day_text(start.on)}{sign(')')}"
        ]

    def delete_model(self, request: HttpRequest, obj: StartingRating) -> None:
        """Nobody's rated games are moved: `delete_view`."""
        drop_starting_rating(obj.pk, by=officer(request))

    def moving(self, obj: StartingRating, form: Any, formsets: Any, change: bool) -> Moving | None:
        """Of somebody who has rated games in the pool; those from before its day stay rated without it."""
        obj.player = obj.player if change else form.cleaned_data["who"]
        pool = obj.rating_list.pool
        first = first_rated_moments(obj.player).get(pool)
        if first is None:
            return None
        earlier = StartingRating.objects.filter(rating_list=obj.rating_list, player=obj.player, on__lt=obj.on)
        late = [str(LateStart(obj, first.on))] if first.on < obj.on and not earlier.exists() else []
        facts = [("player", obj.player_id, 0), ("start", obj.pk or 0, form.cleaned_data.get("revision") or 0)]
        return Moving({pool: Moment(obj.on)}, [obj.player_id], facts, self._says(obj), late)

    def write(self, request: HttpRequest, form: Any, formsets: Any, change: bool, why: Why) -> None:
        obj = form.instance
        player = obj.player_id if change else form.cleaned_data["who"].pk
        seen = form.cleaned_data.get("revision") if change else None
        start = NewStart(player, obj.on, obj.rating, obj.games, obj.peak, obj.deviation, obj.source, seen)
        bring_starting_ratings(obj.rating_list, [start], by=why.by, reason=why.reason, note=why.note)
        written = StartingRating.objects.get(rating_list=obj.rating_list, player=player, on=obj.on)
        obj.pk, obj.player_id = written.pk, player
