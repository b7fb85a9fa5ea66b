"""Addresses. They are stable: people script against them."""

from django.conf import settings
from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.contrib.sitemaps.views import sitemap
from django.urls import include, path
from django.views.generic import RedirectView

from clubrating.accounts.views.sign_in import SignInView
from clubrating.ops.health import views as health
from clubrating.ops.health.metrics import metrics
from clubrating.site.feeds.views import SITEMAPS, ListsFeed, robots
from clubrating.site.frames import views as frames
from clubrating.site.glossary.views import glossary
from clubrating.site.home.views import home
from clubrating.site.lists.views import api, leaderboard
from clubrating.site.lists.views import forecast as list_forecasts
from clubrating.site.luck.views import luck
from clubrating.site.mine.link_views import forget, open_link
from clubrating.site.mine.passkey_views import add as add_passkey
from clubrating.site.mine.passkey_views import open_by_passkey, passkeys
from clubrating.site.mine.views import mine
from clubrating.site.notices.views import mail, mail_kind_link, mail_link, notices
from clubrating.site.offline.views import manifest, offline, service_worker
from clubrating.site.people import views as people
from clubrating.site.pictures import views as pictures
from clubrating.site.player_pages.views import compare, head_to_head, player
from clubrating.site.search import views as search
from clubrating.site.style.views import style
from clubrating.site.welcome.views import welcome
from clubrating.web.readings import choose_names
from players.club.views import members
from players.page_reports.views import wrong_page
from players.privacy.views import privacy
from ratings.about.views import about
from ratings.explain import views as explain
from tournaments.captains import advice as captains_advice
from tournaments.captains import list_views as captain_lists
from tournaments.captains import views as captains
from tournaments.corrections import views as corrections
from tournaments.event_pages.views.feeds import ResultsFeed
from tournaments.seasons import views as seasons
from tournaments.teams.views import leagues

handler400 = "clubrating.ops.limits.bad_request"
handler500 = "clubrating.ops.errors.server_error"

admin.autodiscover()

PLAYERS = [
    path("", people.index, name="index"),
    path("compare/", compare.compare, name="compare"),
    path("<str:slug>/", player.player, name="player"),
    path("<str:slug>/picture.png", pictures.player_picture, name="picture"),
    path("<str:slug>/games/", player.games, name="games"),
    path("<str:slug>/luck/", luck, name="luck"),
    path("<str:slug>/vs/", head_to_head.choose, name="choose-opponent"),
    path("<str:slug>/vs/<str:other>/", head_to_head.head_to_head, name="vs"),
]
RATINGS = [
    path("", leaderboard.index, name="index"),
    path("corrections/", corrections.ledger, name="corrections"),
    path("<slug:slug>/", leaderboard.rating_list, name="list"),
    path("<slug:slug>/list.csv", api.list_file, {"kind": "csv"}, name="file"),
    path("<slug:slug>/list.json", api.list_file, {"kind": "json"}, name="json"),
    path("<slug:slug>/picture.png", pictures.list_picture, name="picture"),
    path("<slug:slug>/wall/", leaderboard.wall, name="wall"),
    path("<slug:slug>/forecast/", list_forecasts.list_forecast, name="forecast"),
    path("<slug:slug>/why/<int:game>/<int:player>/", explain.why, name="why"),
    path("<slug:slug>/contests/<int:contest>/why/", explain.why_contest, name="why-contest"),
]
CAPTAINS = [
    path("", captains.home, name="home"),
    path("leave/", captains.leave, name="leave"),
    path("link/<str:secret>/", captains.enter, name="enter"),
    path("matches/<int:key>/<int:team>/", captains.match, name="match"),
    path("matches/<int:key>/<int:team>/advice/", captains_advice.advice, name="advice"),
    path("teams/<int:key>/", captain_lists.team_list, name="team"),
]
SEASONS = [
    path("", seasons.index, name="index"),
    path("<slug:slug>/", seasons.season, name="season"),
    path("<slug:slug>/table.csv", seasons.table_file, name="file"),
]
EMBED = [
    path("events/<slug:slug>/standings/", frames.standings, name="standings"),
    path("events/<slug:slug>/pairings/", frames.pairings, name="pairings"),
    path("ratings/<slug:slug>/", frames.rating_list, name="list"),
]
LEAGUES = [path("<slug:slug>/", leagues.league, name="league")]

# Every page in every language: `/ru/ratings/`. What is read by programs has one address.
urlpatterns = [
    path("api/", include("clubrating.urls_api")),
    path("sitemap.xml", sitemap, {"sitemaps": SITEMAPS}, name="sitemap"),
    path("robots.txt", robots),
    path("style/", style, name="style"),
    path("favicon.ico", RedirectView.as_view(url=f"/{settings.STATIC_URL.strip('/')}/img/icon.png")),
    path("service-worker.js", service_worker, name="service-worker"),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("healthz/", health.healthz, name="healthz"),
    path("readyz/", health.readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    *i18n_patterns(
        path("", home, name="home"),
        path("mine/", mine, name="mine"),
        path("mine/link/", open_link, name="open-link"),
        path("mine/passkey/", open_by_passkey, name="open-by-passkey"),
        path("mine/passkeys/", passkeys, name="my-passkeys"),
        path("mine/passkeys/<int:key>/", add_passkey, name="add-my-passkey"),
        path("mine/forget/", forget, name="forget-link"),
        path("mine/notices/", notices, name="notices"),
        path("mine/mail/", mail, name="mail"),
        path("mine/mail/<slug:key>/", mail_link, name="mail-link"),
        path("mine/mail/off/<slug:link>/", mail_kind_link, name="mail-kind"),
        path("manifest.webmanifest", manifest, name="manifest"),
        path("offline/", offline, name="offline"),
        path("feeds/results.atom", ResultsFeed(), name="results-feed"),
        path("feeds/lists.atom", ListsFeed(), name="lists-feed"),
        path("welcome/", welcome, name="welcome"),
        path("members/", members, name="members"),
        path("about/ratings/", about, name="about-ratings"),
        path("about/glossary/", glossary, name="glossary"),
        path("about/privacy/", privacy, name="privacy"),
        path("names/", choose_names, name="names"),
        path("wrong/", wrong_page, name="wrong-page"),
        path("players/", include((PLAYERS, "players"))),
        path("ratings/", include((RATINGS, "ratings"))),
        path("tournaments/<slug:slug>/picture.png", pictures.event_picture, name="event-picture"),
        path("tournaments/", include("tournaments.urls")),
        path("search/", search.search, name="search"),
        path("search/found/", search.found, name="search-found"),
        path("captain/", include((CAPTAINS, "captains"))),
        path("seasons/", include((SEASONS, "seasons"))),
        path("leagues/", include((LEAGUES, "leagues"))),
        path("embed/", include((EMBED, "embed"))),
        path("tools/", include("clubrating.urls_tools")),
        path("lab/", include("clubrating.urls_lab")),
        path("account/", include("clubrating.accounts.urls")),
        # Our own pages in the place of three of the admin’s.
        path("admin/login/", SignInView.as_view()),
        path("admin/password_change/", RedirectView.as_view(pattern_name="account-password")),
        path("admin/password_change/done/", RedirectView.as_view(pattern_name="account")),
        path("admin/backups/", include("clubrating.ops.backups.admin")),
        path("admin/mistakes/", include("players.page_reports.admin")),
        path("admin/state/", include("clubrating.ops.health.admin")),
        path("admin/", admin.site.urls),
        prefix_default_language=False,
    ),
]
