"""The same nouns as the pages, as JSON: docs/api.md."""

from django.urls import path, re_path

from clubrating.site.lists.views import api as ratings
from clubrating.site.people import api as players
from clubrating.web import api
from tournaments.downloads import api as tournaments
from tournaments.forecasts.views import api as api_forecast

app_name = "api"
urlpatterns = [
    path("v1/", api.index, name="index"),
    path("v1/ratings/", ratings.lists, name="ratings"),
    path("v1/ratings/<slug:slug>/", ratings.ranks, name="ranks"),
    path("v1/ratings/<slug:slug>/rank/<int:number>/", ratings.rank, name="rank"),
    path("v1/players/", players.index, name="players"),
    path("v1/players/<int:number>/", players.player, name="player"),
    path("v1/tournaments/", tournaments.index, name="tournaments"),
    path("v1/tournaments/<slug:slug>/", tournaments.tournament, name="tournament"),
    path("v1/tournaments/<slug:slug>/entries/", tournaments.table, {"name": "entries"}, name="entries"),
    path("v1/tournaments/<slug:slug>/standings/", tournaments.table, {"name": "standings"}, name="standings"),
    path("v1/tournaments/<slug:slug>/forecast/", api_forecast.forecast, name="forecast"),
    path("v1/tournaments/<slug:slug>/tables/", tournaments.contests, name="tables"),
    path("v1/tournaments/<slug:slug>/matches/", tournaments.table, {"name": "matches"}, name="matches"),
    path("v1/tournaments/<slug:slug>/teams/", tournaments.table, {"name": "teams"}, name="teams"),
    path("v1/tournaments/<slug:slug>/rounds/", tournaments.table, {"name": "pairings"}, name="rounds"),
    path("v1/tournaments/<slug:slug>/rounds/<int:number>/", tournaments.table, {"name": "pairings"}, name="round"),
    re_path(r"^(?P<path>.*)$", api.nothing),
]
