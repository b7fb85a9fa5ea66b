"""Seasons in the admin, for those who change tournaments."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from clubrating.web.admin import ServiceAdmin, ServiceForm, officer
from clubrating.web.forms import RowsField
from tournaments.models import Season, Tournament
from tournaments.seasons.services import FIELDS, delete_season, save_season


class SeasonForm(ServiceForm):
    slug = forms.SlugField(label=_("Address"), required=False, max_length=80, help_text=_("Empty: made of the name."))
    events = RowsField(
        label=_("Events"),
        queryset=Tournament.objects.filter(open_ended=False),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("An event counts from its first result on."),
    )

    class Meta:
        model = Season
        fields = (*FIELDS, "events")
        help_texts = {
            "place_points": _("Where places score: with commas, the first place first."),
            "best": _("Empty: all results count."),
        }


class SeasonAdmin(ServiceAdmin):
    form = SeasonForm
    list_display = ("name", "first_day", "last_day", "how_many")
    search_fields = ("name",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Season]:
        return super().get_queryset(request).annotate(event_count=Count("events"))

    @admin.display(description=_("events"))
    def how_many(self, season: Season) -> int:
        return season.event_count  # type: ignore[attr-defined]

    def get_fieldsets(self, request: HttpRequest, obj: Season | None = None) -> Any:
        return [(None, {"fields": (*FIELDS, "events", "revision")})]

    def view_on_site(self, season: Season) -> str:
        return season.get_absolute_url()

    # A season is over events: whoever changes those changes it.
    def has_view_permission(self, request: HttpRequest, obj: Season | None = None) -> bool:
        return bool(request.user.has_perm("tournaments.change_tournament"))

    has_add_permission = has_change_permission = has_delete_permission = has_view_permission

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Season:
        """Nothing is written here, nor by `save_m2m`: the service does."""
        form.save_m2m = lambda: None
        return form.instance

    def save_model(self, request: HttpRequest, obj: Season, form: SeasonForm, change: bool) -> None:
        data = form.cleaned_data
        facts = {name: data[name] for name in FIELDS}
        events = [event.pk for event in data["events"]]
        revision = data.get("revision") if change else None
        row = save_season(obj.pk if change else None, facts, events, by=officer(request), revision=revision)
        obj.pk, obj.slug = row.pk, row.slug

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Nothing: there are no rows beside it."""

    def delete_model(self, request: HttpRequest, obj: Season) -> None:
        delete_season(obj.pk, by=officer(request))
