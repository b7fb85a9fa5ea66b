from django.urls import path, re_path

from tournaments.views import bracket, calendar, downloads, event, event_list

app_name = "tournaments"
urlpatterns = [
    path("", event_list.index, name="index"),
    path("calendar.ics", calendar.club_calendar, name="club-calendar"),
    path("<slug:slug>/", event.tournament, name="tournament"),
    path("<slug:slug>/standings/", event.standings, name="standings"),
    path("<slug:slug>/crosstable/", event.crosstable, name="crosstable"),
    path("<slug:slug>/bracket/", bracket.bracket, name="bracket"),
    path("<slug:slug>/rounds/<int:number>/", event.round_page, name="round"),
    path("<slug:slug>/entries/", event.entries, name="entries"),
    path("<slug:slug>/calendar/", calendar.page, name="calendar"),
    path("<slug:slug>/calendar.ics", calendar.event_calendar, name="event-calendar"),
    path("<slug:slug>/files/", downloads.files, name="files"),
    path("<slug:slug>/games.pgn", downloads.games, name="games"),
    re_path(
        r"^(?P<slug>[-a-zA-Z0-9_]+)/(?P<name>entries|pairings|standings)\.(?P<kind>csv|xlsx)$",
        downloads.table,
        name="file",
    ),
]
