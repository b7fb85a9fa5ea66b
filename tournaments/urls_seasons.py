"""The tables of seasons, over several events."""

from django.urls import path

from tournaments.seasons import views as seasons

app_name = "seasons"
urlpatterns = [
    path("", seasons.index, name="index"),
    path("<slug:slug>/", seasons.season, name="season"),
    path("<slug:slug>/table.csv", seasons.table_file, name="file"),
]
