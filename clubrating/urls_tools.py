"""The tools: no login, no database."""

from django.urls import path

from ratings.views.elo import elo
from ratings.views.performance import performance
from tournaments.views.bracket_tool import bracket_tool
from tournaments.views.schedule import schedule

app_name = "tools"
urlpatterns = [
    path("elo/", elo, name="elo"),
    path("performance/", performance, name="performance"),
    path("schedule/", schedule, name="schedule"),
    path("bracket/", bracket_tool, name="bracket"),
]
