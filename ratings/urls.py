from django.urls import path

from ratings.views import corrections, leaderboard, list_file, wall, why

app_name = "ratings"
urlpatterns = [
    path("", leaderboard.index, name="index"),
    path("corrections/", corrections.ledger, name="corrections"),
    path("<slug:slug>/", leaderboard.rating_list, name="list"),
    path("<slug:slug>/list.csv", list_file.list_file, {"kind": "csv"}, name="file"),
    path("<slug:slug>/list.json", list_file.list_file, {"kind": "json"}, name="json"),
    path("<slug:slug>/wall/", wall.wall, name="wall"),
    path("<slug:slug>/why/<int:game>/<int:player>/", why.why, name="why"),
]
