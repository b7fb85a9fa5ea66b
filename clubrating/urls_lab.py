"""The lab's pages: /lab/. Each shows a document of figures; none computes a study."""

from django.urls import path

from clubrating.site.research.views import backtest, proposal
from ratings.lab_pages.views import diary, findings, lab, pictures, runs, scenarios
from tournaments.forecasts.views import scores

app_name = "lab"
urlpatterns = [
    path("", lab.index, name="index"),
    path("index.svg", lab.index_file, {"kind": "svg"}, name="index-svg"),
    path("index.csv", lab.index_file, {"kind": "csv"}, name="index-csv"),
    path("system/", lab.system, name="system"),
    path("runs/", runs.runs, name="runs"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/cancel/", runs.cancel, name="cancel"),
    path("runs/<int:pk>/<str:name>", runs.file, name="file"),
    path("scenarios/", scenarios.scenarios, name="scenarios"),
    path("scenarios/<slug:key>/", scenarios.scenarios, name="scenario"),
    path("scenarios/<slug:key>/curve.svg", scenarios.curve_file, {"kind": "svg"}, name="scenario-svg"),
    path("scenarios/<slug:key>/curve.csv", scenarios.curve_file, {"kind": "csv"}, name="scenario-csv"),
    path("sweeps/", scenarios.sweeps, name="sweeps"),
    path("sweeps/k.svg", scenarios.sweep_file, {"kind": "svg"}, name="sweep-svg"),
    path("sweeps/k.csv", scenarios.sweep_file, {"kind": "csv"}, name="sweep-csv"),
    path("scenarios/<slug:key>/calibration.svg", scenarios.calibration_file, {"kind": "svg"}, name="calibration-svg"),
    path("scenarios/<slug:key>/calibration.csv", scenarios.calibration_file, {"kind": "csv"}, name="calibration-csv"),
    path("trials/newcomers.svg", scenarios.newcomers_file, {"kind": "svg"}, name="newcomers-svg"),
    path("trials/newcomers.csv", scenarios.newcomers_file, {"kind": "csv"}, name="newcomers-csv"),
    path("trials/", scenarios.trials, name="trials"),
    path("diary/", diary.diary, name="diary"),
    path("diary/<slug:chart>.svg", diary.diary_drawing, name="diary-svg"),
    path("diary/<slug:chart>.csv", diary.diary_figures, name="diary-csv"),
    path("findings/", findings.findings, name="findings"),
    path("forecasts/", scores.scores, name="forecasts"),
    path("forecasts/calibration.svg", scores.calibration_file, {"kind": "svg"}, name="forecasts-svg"),
    path("forecasts/calibration.csv", scores.calibration_file, {"kind": "csv"}, name="forecasts-csv"),
    path("backtest/", backtest.backtest, name="backtest"),
    path("backtest/systems.csv", backtest.backtest_file, {"what": "systems", "kind": "csv"}, name="backtest-csv"),
    path(
        "backtest/calibration.svg",
        backtest.backtest_file,
        {"what": "calibration", "kind": "svg"},
        name="backtest-calibration-svg",
    ),
    path(
        "backtest/calibration.csv",
        backtest.backtest_file,
        {"what": "calibration", "kind": "csv"},
        name="backtest-calibration-csv",
    ),
    path("proposal/", proposal.proposals, name="proposal"),
    path("proposal/<int:pk>/", proposal.proposal, name="proposed"),
    path("proposal/<int:pk>/drift.svg", proposal.drift_file, {"kind": "svg"}, name="drift-svg"),
    path("proposal/<int:pk>/drift.csv", proposal.drift_file, {"kind": "csv"}, name="drift-csv"),
    path("pictures/", pictures.pictures, name="pictures"),
]
