from django.urls import path

from ratings.views import leaderboard

app_name = "ratings"
urlpatterns = [
    path("", leaderboard.index, name="index"),
    path("<slug:slug>/", leaderboard.rating_list, name="list"),
]
