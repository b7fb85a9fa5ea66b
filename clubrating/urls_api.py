"""The same nouns as the pages, as JSON: docs/api.md."""

from functools import partial

from django.urls import path, re_path

from clubrating.site.lists.views import api as ratings
from clubrating.site.people import api as players
from clubrating.site.programs import deeds, openapi
from clubrating.site.programs.requests import by_method, show_token, writing
from clubrating.web import api
from tournaments.downloads import api as tournaments
from tournaments.forecasts.views import api as api_forecast

app_name = "api"
EVENT = "v1/tournaments/<slug:slug>/"
ROUND = f"{EVENT}rounds/<int:number>/"
ENTRIES = by_method(partial(tournaments.table, name="entries"), writing(deeds.ENTER))
urlpatterns = [
    path("v1/", api.index, name="index"),
    path("v1/ratings/", ratings.lists, name="ratings"),
    path("v1/ratings/<slug:slug>/", ratings.ranks, name="ranks"),
    path("v1/ratings/<slug:slug>/rank/<int:number>/", ratings.rank, name="rank"),
    path("v1/players/", players.index, name="players"),
    path("v1/players/<int:number>/", players.player, name="player"),
    path("v1/tournaments/", tournaments.index, name="tournaments"),
    path(EVENT, tournaments.tournament, name="tournament"),
    path(f"{EVENT}entries/", ENTRIES, name="entries"),
    path(f"{EVENT}entries/<int:player>/withdrawal/", writing(deeds.WITHDRAW), name="withdrawal"),
    path(f"{EVENT}check-in/", writing(deeds.CHECK), name="check-in"),
    path(f"{EVENT}standings/", tournaments.table, {"name": "standings"}, name="standings"),
    path(f"{EVENT}forecast/", api_forecast.forecast, name="forecast"),
    path(f"{EVENT}tables/", tournaments.contests, name="tables"),
    path(f"{EVENT}matches/", tournaments.table, {"name": "matches"}, name="matches"),
    path(f"{EVENT}teams/", tournaments.table, {"name": "teams"}, name="teams"),
    path(f"{EVENT}rounds/", tournaments.table, {"name": "pairings"}, name="rounds"),
    path(ROUND, tournaments.table, {"name": "pairings"}, name="round"),
    path(f"{ROUND}absence/", writing(deeds.MISS), name="absence"),
    path(f"{ROUND}boards/<int:board>/", deeds.board, name="board"),
    path(f"{ROUND}boards/<int:board>/result/", writing(deeds.RECORD), name="result"),
    path(f"{ROUND}boards/<int:board>/correction/", writing(deeds.CORRECT), name="correction"),
    path("v1/openapi.json", openapi.openapi, name="openapi"),
    path("v1/token/", show_token, name="token"),
    re_path(r"^(?P<path>.*)$", api.nothing),
]
