"""Addresses. They are stable: people script against them."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from clubrating import views
from clubrating.accounts.sign_in import SignInView
from clubrating.home import home
from players.views.doors import members
from ratings.views.about import about
from tournaments.views.welcome import welcome

urlpatterns = [
    path("", home, name="home"),
    path("welcome/", welcome, name="welcome"),
    path("members/", members, name="members"),
    path("about/ratings/", about, name="about-ratings"),
    path("players/", include("players.urls")),
    path("ratings/", include("ratings.urls")),
    path("tournaments/", include("tournaments.urls")),
    path("tools/", include("clubrating.urls_tools")),
    path("api/v1/ratings/", include("ratings.urls_api")),
    path("account/", include("clubrating.accounts.urls")),
    # Our own doors in the place of three of the admin's.
    path("admin/login/", SignInView.as_view()),
    path("admin/password_change/", RedirectView.as_view(pattern_name="account-password")),
    path("admin/password_change/done/", RedirectView.as_view(pattern_name="account")),
    path("admin/backups/", include("clubrating.admin_backups")),
    path("admin/", admin.site.urls),
    path("healthz", views.healthz),
    path("readyz", views.readyz),
    path("healthz/", views.healthz, name="healthz"),
    path("readyz/", views.readyz, name="readyz"),
]
