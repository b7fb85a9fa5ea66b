"""Puts the club's own admin site in the place of Django's. Its pages are loaded with the addresses, not with the apps:
they bring nearly the whole program with them, a second and a half that no command needs.
"""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.contrib.admin import autodiscover
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_admin_app, check_dependencies
from django.core import checks


class ClubAdminConfig(SimpleAdminConfig):
    default_site = "clubrating.site.dashboard.admin.ClubAdminSite"

    def ready(self) -> None:
        checks.register(check_dependencies, checks.Tags.admin)
        checks.register(check_pages, checks.Tags.admin)


def check_pages(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[checks.CheckMessage]:
    """Django's check of every page of the administration."""
    autodiscover()
    return list(check_admin_app(app_configs, **options))
