from django.urls import path

from tournaments.corrections import views as corrections
from clubrating.site.lists.views import leaderboard
from clubrating.site.lists.views import list_file
from clubrating.site.lists.views import wall
from ratings.explain import views as why

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
