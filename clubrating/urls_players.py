from django.urls import path

from players.people import views as index
from clubrating.site.player_pages.views import head_to_head
from clubrating.site.player_pages.views import player

app_name = "players"
urlpatterns = [
    path("", index.index, name="index"),
    path("<str:slug>/", player.player, name="player"),
    path("<str:slug>/vs/", head_to_head.choose, name="choose-opponent"),
    path("<str:slug>/vs/<str:other>/", head_to_head.head_to_head, name="vs"),
]
