from django.urls import path

from players.views import index
from ratings.views import player

app_name = "players"
urlpatterns = [
    path("", index.index, name="index"),
    path("<str:slug>/", player.player, name="player"),
]
