from django.urls import path

from tournaments.views import event, event_list

app_name = "tournaments"
urlpatterns = [
    path("", event_list.index, name="index"),
    path("<slug:slug>/", event.tournament, name="tournament"),
    path("<slug:slug>/standings/", event.standings, name="standings"),
    path("<slug:slug>/crosstable/", event.crosstable, name="crosstable"),
    path("<slug:slug>/rounds/<int:number>/", event.round_page, name="round"),
    path("<slug:slug>/entries/", event.entries, name="entries"),
]
