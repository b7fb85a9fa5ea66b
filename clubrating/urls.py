"""Addresses. They are stable: people script against them."""

from django.conf import settings
from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.contrib.sitemaps.views import sitemap
from django.urls import include, path
from django.views.generic import RedirectView

from clubrating import views
from clubrating.accounts.sign_in import SignInView
from clubrating.feeds import ListsFeed, ResultsFeed
from clubrating.home import home
from clubrating.operations import probes
from clubrating.operations.metrics import metrics
from clubrating.sitemaps import SITEMAPS, robots
from clubrating.style import style
from players.views.doors import members
from players.views.privacy import privacy
from ratings.views.about import about
from tournaments.views.welcome import welcome

handler400 = "clubrating.operations.limits.bad_request"
handler500 = "clubrating.views.server_error"

# Every page in every language: `/ru/ratings/`. What is read by programs has one address.
urlpatterns = [
    path("api/", include("clubrating.urls_api")),
    path("sitemap.xml", sitemap, {"sitemaps": SITEMAPS}, name="sitemap"),
    path("robots.txt", robots),
    path("style/", style, name="style"),
    path("favicon.ico", RedirectView.as_view(url=f"/{settings.STATIC_URL.strip('/')}/img/icon.png")),
    path("healthz", probes.healthz),
    path("readyz", probes.readyz),
    path("healthz/", probes.healthz, name="healthz"),
    path("readyz/", probes.readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    *i18n_patterns(
        path("", home, name="home"),
        path("feeds/results.atom", ResultsFeed(), name="results-feed"),
        path("feeds/lists.atom", ListsFeed(), name="lists-feed"),
        path("welcome/", welcome, name="welcome"),
        path("members/", members, name="members"),
        path("about/ratings/", about, name="about-ratings"),
        path("about/glossary/", views.glossary, name="glossary"),
        path("about/privacy/", privacy, name="privacy"),
        path("players/", include("players.urls")),
        path("ratings/", include("ratings.urls")),
        path("tournaments/", include("tournaments.urls")),
        path("seasons/", include("tournaments.urls_seasons")),
        path("tools/", include("clubrating.urls_tools")),
        path("lab/", include("ratings.urls_lab")),
        path("account/", include("clubrating.accounts.urls")),
        # Our own doors in the place of three of the admin's.
        path("admin/login/", SignInView.as_view()),
        path("admin/password_change/", RedirectView.as_view(pattern_name="account-password")),
        path("admin/password_change/done/", RedirectView.as_view(pattern_name="account")),
        path("admin/backups/", include("clubrating.admin_backups")),
        path("admin/state/", include("clubrating.admin_state")),
        path("admin/", admin.site.urls),
        prefix_default_language=False,
    ),
]
