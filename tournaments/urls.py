from django.urls import path, re_path

from tournaments.views import bracket, calendar, cards, downloads, event, event_list, printing, progress, why

app_name = "tournaments"
urlpatterns = [
    path("", event_list.index, name="index"),
    path("calendar.ics", calendar.club_calendar, name="club-calendar"),
    path("<slug:slug>/", event.tournament, name="tournament"),
    path("<slug:slug>/standings/", event.standings, name="standings"),
    path("<slug:slug>/crosstable/", event.crosstable, name="crosstable"),
    path("<slug:slug>/progress/", progress.progress, name="progress"),
    path("<slug:slug>/bracket/", bracket.bracket, name="bracket"),
    path("<slug:slug>/rounds/<int:number>/", event.round_page, name="round"),
    path("<slug:slug>/rounds/<int:number>/why/<int:player>/", why.why_page, name="why"),
    path("<slug:slug>/entries/", event.entries, name="entries"),
    path("<slug:slug>/entries/<int:number>/", cards.card, name="card"),
    path("<slug:slug>/calendar/", calendar.page, name="calendar"),
    path("<slug:slug>/calendar.ics", calendar.event_calendar, name="event-calendar"),
    path("<slug:slug>/files/", downloads.files, name="files"),
    path("<slug:slug>/print/", printing.printing, name="print"),
    path("<slug:slug>/games.pgn", downloads.games, name="games"),
    re_path(
        r"^(?P<slug>[-a-zA-Z0-9_]+)/(?P<name>entries|pairings|standings)\.(?P<kind>csv|xlsx)$",
        downloads.table,
        name="file",
    ),
]
