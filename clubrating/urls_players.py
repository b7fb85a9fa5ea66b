from django.urls import path

from clubrating.site.player_pages.views import head_to_head, player
from players.people import views as people

app_name = "players"
urlpatterns = [
    path("", people.index, name="index"),
    path("<str:slug>/", player.player, name="player"),
    path("<str:slug>/vs/", head_to_head.choose, name="choose-opponent"),
    path("<str:slug>/vs/<str:other>/", head_to_head.head_to_head, name="vs"),
]
