"""The lab's pages: /lab/. Each shows a document of figures; none computes a study."""

from typing import Any

from django.urls import URLPattern, path

from clubrating.site.research import views as research
from ratings.lab_pages.views import diary, findings, lab, pairings, pictures, probation, runs, scenarios, sides, typed
from tournaments.forecasts.views import masters, scores


def files(address: str, view: Any, name: str, **more: str) -> list[URLPattern]:
    """What a page draws, to take away: as a picture (svg) and as figures (csv)."""
    return [path(f"{address}.{kind}", view, {"kind": kind, **more}, name=f"{name}-{kind}") for kind in ("svg", "csv")]


app_name = "lab"
urlpatterns = [
    path("", lab.index, name="index"),
    path("study/", lab.study, name="study"),
    *files("index", lab.index_file, "index"),
    path("system/", lab.system, name="system"),
    path("typed/", typed.typed, name="typed"),
    path("typed.json", typed.typed_json, name="typed-json"),
    *files("typed/index", typed.typed_file, "typed-index", what="drawing"),
    *files("typed/calibration", typed.typed_file, "typed-calibration", what="calibration"),
    *files("typed/course", typed.typed_file, "typed-course", what="course"),
    path("typed/dots/<slug:chart>.png", typed.typed_dots, name="typed-dots"),
    path("runs/", runs.runs, name="runs"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/cancel/", runs.cancel, name="cancel"),
    path("runs/<int:pk>/<str:name>", runs.file, name="file"),
    path("scenarios/", scenarios.scenarios, name="scenarios"),
    path("scenarios/<slug:key>/", scenarios.scenarios, name="scenario"),
    *files("scenarios/<slug:key>/curve", scenarios.curve_file, "scenario"),
    path("sweeps/", scenarios.sweeps, name="sweeps"),
    *files("sweeps/k", scenarios.sweep_file, "sweep"),
    *files("scenarios/<slug:key>/calibration", scenarios.calibration_file, "calibration"),
    *files("trials/newcomers", scenarios.newcomers_file, "newcomers"),
    path("trials/", scenarios.trials, name="trials"),
    path("sides/", sides.sides, name="sides"),
    path("pairings/", pairings.pairings, name="pairings"),
    *files("pairings/course", pairings.course_file, "pairings"),
    path("probation/", probation.probation, name="probation"),
    *files("probation/course", probation.course_file, "probation"),
    path("diary/", diary.diary, name="diary"),
    path("diary/<slug:chart>.svg", diary.diary_drawing, name="diary-svg"),
    path("diary/<slug:chart>.csv", diary.diary_figures, name="diary-csv"),
    path("findings/", findings.findings, name="findings"),
    path("forecasts/", scores.scores, name="forecasts"),
    path("masters/", masters.masters, name="masters"),
    path("masters/own/", masters.own, name="masters-own"),
    *files("forecasts/calibration", scores.calibration_file, "forecasts"),
    path("backtest/", research.backtest, name="backtest"),
    path("backtest/systems.csv", research.backtest_file, {"what": "systems", "kind": "csv"}, name="backtest-csv"),
    *files("backtest/calibration", research.backtest_file, "backtest-calibration", what="calibration"),
    path("proposal/", research.proposals, name="proposal"),
    path("proposal/<int:pk>/", research.proposal, name="proposed"),
    *files("proposal/<int:pk>/drift", research.drift_file, "drift"),
    path("pictures/", pictures.pictures, name="pictures"),
]
