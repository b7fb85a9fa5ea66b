from django.urls import path, re_path

from tournaments.challenges import views as challenges
from tournaments.downloads import views as downloads
from tournaments.evenings import views as evenings
from tournaments.event_list import views as event_list
from tournaments.event_pages.views import calendar, card, event, progress
from tournaments.event_pages.views.feeds import EventFeed
from tournaments.forecasts.views import forecast
from tournaments.knockouts import views as knockouts
from tournaments.player_results import views as player_results
from tournaments.presence import views as presence
from tournaments.printing.views import printing
from tournaments.prizes import views as prizes
from tournaments.registrations import views as registrations
from tournaments.result_reports import views as result_reports
from tournaments.rounds import views as rounds
from tournaments.score_sheets import views as score_sheets
from tournaments.screens import views as screens
from tournaments.teams.views import event as team_event
from tournaments.teams.views import matches as team_matches
from tournaments.teams.views import teams

app_name = "tournaments"
urlpatterns = [
    path("", event_list.index, name="index"),
    path("calendar.ics", calendar.club_calendar, name="club-calendar"),
    path("<slug:slug>/", event.tournament, name="tournament"),
    path("<slug:slug>/standings/", event.standings, name="standings"),
    path("<slug:slug>/crosstable/", event.crosstable, name="crosstable"),
    path("<slug:slug>/progress/", progress.progress, name="progress"),
    path("<slug:slug>/bracket/", knockouts.bracket, name="bracket"),
    path("<slug:slug>/forecast/", forecast.forecast, name="forecast"),
    path("<slug:slug>/forecast/needs/", forecast.ask_needs, name="ask-needs"),
    path("<slug:slug>/rounds/<int:number>/", event.round_page, name="round"),
    path("<slug:slug>/rounds/<int:number>/certificate/", rounds.certificate_page, name="certificate"),
    path("<slug:slug>/rounds/<int:number>/certificate/ask/", rounds.ask_certificate, name="ask-certificate"),
    path("<slug:slug>/rounds/<int:number>/certificate.json", rounds.certificate_file, name="certificate-file"),
    path("<slug:slug>/rounds/<int:number>/why/<int:player>/", rounds.why_page, name="why"),
    path("<slug:slug>/games/<int:key>/", player_results.board, name="board"),
    path("<slug:slug>/games/<int:key>/wrong/", result_reports.report_page, name="report"),
    path("<slug:slug>/games/<int:key>/sheets/", score_sheets.sheets, name="sheets"),
    path("<slug:slug>/games/<int:key>/sheets/<int:number>.jpg", score_sheets.sheet, name="sheet"),
    path("<slug:slug>/prizes/", prizes.prizes, name="prizes"),
    path("<slug:slug>/absent/", presence.absence, name="absent"),
    path("<slug:slug>/challenges/", challenges.challenges, name="challenges"),
    path("<slug:slug>/here/<str:code>/", evenings.here, name="here"),
    path("<slug:slug>/enter/", registrations.enter, name="enter"),
    path("<slug:slug>/enter/<str:secret>/", registrations.own_entry, name="own-entry"),
    path("<slug:slug>/entries/", event.entries, name="entries"),
    path("<slug:slug>/entries/<int:number>/", card.card, name="card"),
    path("<slug:slug>/results.atom", EventFeed(), name="feed"),
    path("<slug:slug>/matches/", team_matches.matches, name="matches"),
    path("<slug:slug>/matches/<int:number>/<int:match>/", team_matches.match_page, name="match"),
    path("<slug:slug>/teams/", teams.teams, name="teams"),
    path("<slug:slug>/teams/<int:number>/", teams.team, name="team"),
    path("<slug:slug>/teams/<int:number>/calendar.ics", teams.team_calendar, name="team-calendar"),
    path("<slug:slug>/players/", team_event.best, name="best"),
    path("<slug:slug>/calendar/", calendar.page, name="calendar"),
    path("<slug:slug>/calendar.ics", calendar.event_calendar, name="event-calendar"),
    path("<slug:slug>/files/", downloads.files, name="files"),
    path("<slug:slug>/statistics/", progress.statistics, name="statistics"),
    path("<slug:slug>/tv/", screens.tv, name="tv"),
    path("<slug:slug>/print/", printing.printing, name="print"),
    path("<slug:slug>/games.pgn", downloads.games, name="games"),
    path("<slug:slug>/report.trf", downloads.report, name="report"),
    re_path(
        r"^(?P<slug>[-a-zA-Z0-9_]+)/(?P<name>entries|pairings|standings|matches|teams)\.(?P<kind>csv|xlsx)$",
        downloads.table,
        name="file",
    ),
]
