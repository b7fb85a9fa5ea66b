"""Puts the club's own admin site in the place of Django's."""

from django.contrib.admin.apps import AdminConfig


class ClubAdminConfig(AdminConfig):
    default_site = "clubrating.site.dashboard.admin.ClubAdminSite"
