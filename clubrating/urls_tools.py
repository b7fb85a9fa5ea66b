"""The tools: no login; all but the format adviser and the eras do without a database too."""

from django.urls import path
from django.views.generic import TemplateView

from clubrating.site.eras.views import eras
from clubrating.site.one_scale.views import one_scale
from ratings.calculators.views.elo import elo
from ratings.calculators.views.event import elo_event
from ratings.calculators.views.expected import expected
from ratings.calculators.views.performance import performance
from tournaments.builders.views.bracket import bracket_csv, bracket_tool
from tournaments.builders.views.formats import format_csv, format_tool
from tournaments.builders.views.schedule import schedule, schedule_csv, schedule_ics

app_name = "tools"
urlpatterns = [
    path("", TemplateView.as_view(template_name="tools/index.html"), name="index"),
    path("elo/", elo, name="elo"),
    path("event/", elo_event, name="event"),
    path("performance/", performance, name="performance"),
    path("expected/", expected, name="expected"),
    path("eras/", eras, name="eras"),
    path("one-scale/", one_scale, name="one-scale"),
    path("schedule/", schedule, name="schedule"),
    path("schedule/rounds.csv", schedule_csv, name="schedule-csv"),
    path("schedule/rounds.ics", schedule_ics, name="schedule-ics"),
    path("bracket/", bracket_tool, name="bracket"),
    path("bracket/matches.csv", bracket_csv, name="bracket-csv"),
    path("format/", format_tool, name="format"),
    path("format/formats.csv", format_csv, name="format-csv"),
]
