"""The lab's pages: /lab/. Each shows a document of figures; none computes a study."""

from django.urls import path

from clubrating.site.research.views import backtest
from ratings.lab_pages.views import diary
from ratings.lab_pages.views import findings
from ratings.lab_pages.views import lab
from ratings.lab_pages.views import pictures as lab_pictures
from ratings.lab_pages.views import runs as lab_runs
from ratings.lab_pages.views import scenarios as lab_scenarios
from ratings.lab_pages.views import scenarios_lab_sweeps as lab_sweeps
from ratings.lab_pages.views import scenarios_lab_trials as lab_trials
from clubrating.site.research.views import proposal
from tournaments.forecasts.views import scores as forecast_scores

app_name = "lab"
urlpatterns = [
    path("", lab.index, name="index"),
    path("index.svg", lab.index_file, {"kind": "svg"}, name="index-svg"),
    path("index.csv", lab.index_file, {"kind": "csv"}, name="index-csv"),
    path("system/", lab.system, name="system"),
    path("runs/", lab_runs.runs, name="runs"),
    path("runs/<int:pk>/", lab_runs.run, name="run"),
    path("runs/<int:pk>/cancel/", lab_runs.cancel, name="cancel"),
    path("runs/<int:pk>/<str:name>", lab_runs.file, name="file"),
    path("scenarios/", lab_scenarios.scenarios, name="scenarios"),
    path("scenarios/<slug:key>/", lab_scenarios.scenarios, name="scenario"),
    path("scenarios/<slug:key>/curve.svg", lab_scenarios.curve_file, {"kind": "svg"}, name="scenario-svg"),
    path("scenarios/<slug:key>/curve.csv", lab_scenarios.curve_file, {"kind": "csv"}, name="scenario-csv"),
    path("sweeps/", lab_sweeps.sweeps, name="sweeps"),
    path("sweeps/k.svg", lab_sweeps.sweep_file, {"kind": "svg"}, name="sweep-svg"),
    path("sweeps/k.csv", lab_sweeps.sweep_file, {"kind": "csv"}, name="sweep-csv"),
    path(
        "scenarios/<slug:key>/calibration.svg", lab_scenarios.calibration_file, {"kind": "svg"}, name="calibration-svg"
    ),
    path(
        "scenarios/<slug:key>/calibration.csv", lab_scenarios.calibration_file, {"kind": "csv"}, name="calibration-csv"
    ),
    path("trials/newcomers.svg", lab_trials.newcomers_file, {"kind": "svg"}, name="newcomers-svg"),
    path("trials/newcomers.csv", lab_trials.newcomers_file, {"kind": "csv"}, name="newcomers-csv"),
    path("trials/", lab_trials.trials, name="trials"),
    path("diary/", diary.diary, name="diary"),
    path("diary/<slug:chart>.svg", diary.diary_drawing, name="diary-svg"),
    path("diary/<slug:chart>.csv", diary.diary_figures, name="diary-csv"),
    path("findings/", findings.findings, name="findings"),
    path("forecasts/", forecast_scores.scores, name="forecasts"),
    path("forecasts/calibration.svg", forecast_scores.calibration_file, {"kind": "svg"}, name="forecasts-svg"),
    path("forecasts/calibration.csv", forecast_scores.calibration_file, {"kind": "csv"}, name="forecasts-csv"),
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
    path("pictures/", lab_pictures.pictures, name="pictures"),
]
