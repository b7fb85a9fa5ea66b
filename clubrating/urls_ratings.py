from django.urls import path

from clubrating.site.lists.views import leaderboard, list_file, wall
from ratings.explain import views as explain
from tournaments.corrections import views as corrections

app_name = "ratings"
urlpatterns = [
    path("", leaderboard.index, name="index"),
    path("corrections/", corrections.ledger, name="corrections"),
    path("<slug:slug>/", leaderboard.rating_list, name="list"),
    path("<slug:slug>/list.csv", list_file.list_file, {"kind": "csv"}, name="file"),
    path("<slug:slug>/list.json", list_file.list_file, {"kind": "json"}, name="json"),
    path("<slug:slug>/wall/", wall.wall, name="wall"),
    path("<slug:slug>/why/<int:game>/<int:player>/", explain.why, name="why"),
]
