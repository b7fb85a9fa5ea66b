"""Clubs that play in leagues, with their officers, and the leagues: for those who may make events."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from clubrating.web.admin import ServiceAdmin, ServiceForm, officer
from clubrating.web.forms import RowsField
from players.officers.roles import CLUB_OFFICER
from tournaments.models import League, LeagueClub
from tournaments.teams.admin.next_season import next_season
from tournaments.teams.services.clubs import FIELDS, change_club, rename_league
from tournaments.teams.services.events import create_club, create_league


class _Kept(ServiceAdmin):
    """Made and changed by services, and never deleted: events of seasons gone by name them."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("tournaments.add_tournament"))

    has_add_permission = has_change_permission = has_view_permission

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Nothing is written here, nor by `save_m2m`: the service does."""
        form.save_m2m = lambda: None
        return form.instance

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Nothing: there are no rows beside it."""


class ClubForm(ServiceForm):
    officers = RowsField(
        label=_("Officers"),
        queryset=User.objects.filter(is_active=True).order_by("username"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("They act for the club’s teams under “For captains”, and need no other rights."),
    )

    class Meta:
        model = LeagueClub
        fields = (*FIELDS, "officers")


class LeagueClubAdmin(_Kept):
    form = ClubForm
    list_display = ("name", "short_name", "venue")
    search_fields = ("name",)

    def get_fieldsets(self, request: HttpRequest, obj: LeagueClub | None = None) -> Any:
        return [(None, {"fields": (*FIELDS, "officers")})]

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """With the club’s officers, whose accounts administrators keep."""
        if club := context.get("original"):
            context |= {"officers": club.officers.order_by("username"), "role": CLUB_OFFICER}
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: LeagueClub, form: ClubForm, change: bool) -> None:
        data, by = form.cleaned_data, officer(request)
        key = obj.pk if change else create_club(data["name"], by=by).pk
        officers = [user.pk for user in data["officers"]]
        obj.pk = change_club(key, {name: data[name] for name in FIELDS}, officers, by=by).pk


class LeagueAdmin(_Kept):
    form = ServiceForm
    list_display = ("name",)
    search_fields = ("name",)

    def get_urls(self) -> list[URLPattern]:
        page = admin.site.admin_view(next_season)
        return [path("<int:key>/next-season/", page, name="tournaments_league_next_season"), *super().get_urls()]

    def get_fieldsets(self, request: HttpRequest, obj: League | None = None) -> Any:
        return [(None, {"fields": ("name", "revision")})]

    def save_model(self, request: HttpRequest, obj: League, form: ServiceForm, change: bool) -> None:
        name, by = form.cleaned_data["name"], officer(request)
        if change:
            rename_league(obj.pk, name, by=by, revision=form.cleaned_data.get("revision"))
        else:
            row = create_league(name, by=by)
            obj.pk, obj.slug = row.pk, row.slug
