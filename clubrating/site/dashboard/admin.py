"""The arbiters' side of the site: Django's admin under the club's name, with the dashboard as its first page."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from clubrating.site.dashboard.selectors import dashboard_of

# In the order in which arbiters use them; other apps follow.
APPS_IN_ORDER = ("tournaments", "players", "ratings", "auth")


class ClubAdminSite(admin.AdminSite):
    site_header = _("Club administration")
    site_title = _("Club administration")
    index_title = _("Desk")
    index_template = "admin/dashboard.html"
    enable_nav_sidebar = False

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        # Django's action deletes rows without the services and their audit trail.
        self.disable_action("delete_selected")

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        context = super().each_context(request)
        club = getattr(request, "club", None)
        if club:
            title = _("%(club)s: administration") % {"club": club.name}
            context |= {"site_header": title, "site_title": title}
        return context

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        dashboard = dashboard_of(request.user, timezone.localdate())
        return super().index(request, {"dashboard": dashboard, **(extra_context or {})})

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> Any:
        """Made where it is shown: Django asks for it on every page, for a sidebar that the desk does not have."""
        return SimpleLazyObject(lambda: self._tables(request, app_label))

    def _tables(self, request: HttpRequest, app_label: str | None) -> list[Any]:
        apps = super().get_app_list(request, app_label)
        for app in apps:
            if app["app_label"] == "auth":
                app["name"] = _("Who may sign in")
            for model in app["models"]:
                if model["object_name"] == "User":
                    model["name"] = _("accounts")
                if model["object_name"] == "Tournament" and model["add_url"]:
                    model["add_url"] = reverse("admin:tournaments_tournament_new", current_app=self.name)
        order = {label: place for place, label in enumerate(APPS_IN_ORDER)}
        return sorted(apps, key=lambda app: order.get(app["app_label"], len(order)))
