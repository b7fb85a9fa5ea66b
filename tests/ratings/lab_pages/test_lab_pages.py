"""The lab's pages: what they show is what the documents say, and every chart has its table and its files."""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from ratings.lab.contenders import CONTENDERS, STUDY
from ratings.lab.engine import PLAIN
from ratings.lab.experiment import run_scenarios
from ratings.lab.scenario_games import SCENARIOS, scenario
from ratings.lab.study import Accumulated, Study, with_thin_curves
from ratings.lab.sweeps import k_sweep, probation_sweep
from ratings.lab_pages import charts
from ratings.lab_pages.words import CURVES, DOORS, MEASURES, NEWCOMER, SCENARIO_WORDS
from ratings.lists.services import create_list
from ratings.models import RatingList

pytestmark = pytest.mark.django_db
KINDS = ("imitator", "newcomers")


def study_document(kind: str) -> dict[str, Any]:
    whole, found = Study(kind, 2000, 1, STUDY), Accumulated()
    for number in range(2):
        found.add(whole.replication(number, PLAIN))
    return with_thin_curves(whole.report(found)) | {"made_by": f"manage.py run_study {kind}"}


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of small studies, made by the lab itself."""
    folder = tmp_path_factory.mktemp("results")
    scenarios = run_scenarios(
        CONTENDERS, games=2500, seed=1, replications=2, engine=PLAIN, tell=lambda done: None,
        scenarios=[scenario("constant"), scenario("shock")],
    )  # fmt: skip
    small = {"games": 1000, "seed": 1, "replications": 2, "engine": PLAIN, "tell": lambda done: None}
    sweeps = {
        **{name: small[name] for name in ("games", "seed", "replications")},
        "k": [k_sweep(scenario("constant"), values=(10, 40), **small)],
        "probation": probation_sweep(scenario("turnover"), lengths=(0, 30), **small),
    }
    found = {kind: study_document(kind) for kind in KINDS} | {"scenarios": scenarios, "sweeps": sweeps}
    for name, document in found.items():
        (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def _shown(documents: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(charts, "RESULTS", documents)
    charts.result_document.cache_clear()
    yield
    charts.result_document.cache_clear()


def test_the_front_page_has_three_doors_and_each_page_behind_one_leads_to_the_others(
    client: Client, standard: RatingList
) -> None:
    front = client.get("/lab/").text
    for door in DOORS:
        page = client.get(reverse(door.first)).text
        assert f'aria-current="true">{door.title}</a>' in page
        assert f'href="{reverse(door.first)}" aria-current="page">' in page
        for route, words in door.pages.items():
            assert f'href="{reverse(route)}">{words}</a>' in front
            assert f'href="{reverse(route)}"' in page
        assert all(f'href="{reverse(other.first)}"' in page for other in DOORS)


def test_the_study_s_old_address_leads_to_it(client: Client, standard: RatingList) -> None:
    answer = client.get("/lab/?study=newcomers&range=1")
    assert (answer.status_code, answer["Location"]) == (301, "/lab/study/?study=newcomers&range=1")


def test_the_study_is_shown_best_system_first(client: Client, standard: RatingList) -> None:
    page = client.get("/lab/study/")
    lines = list(page.context["systems"].rows.data)
    means = [line.first.mean for line in lines]
    assert means == sorted(means)
    assert {line.key for line in lines} == {each.key for each in STUDY}
    assert "manage.py run_study imitator" in page.text


def test_the_study_marks_the_systems_of_public_lists_as_used_here(client: Client, standard: RatingList) -> None:
    trial = create_list(name="Trial", slug="trial", pool="standard", by=None, system="glicko")
    for public, used in ((True, {"elo", "glicko"}), (False, {"elo"})):
        RatingList.objects.filter(pk=trial.pk).update(public=public)
        page = client.get("/lab/study/")
        assert {line.key for line in page.context["systems"].rows.data if line.adopted} == used
        assert page.text.count("used here") == len(used)


def test_every_curve_has_a_band_and_a_table(client: Client, standard: RatingList) -> None:
    for tail in ("", "?study=newcomers", "?study=newcomers&range=1"):
        drawing = client.get(f"/lab/study/{tail}").context["drawing"]
        assert [curve.name for curve in drawing.curves] == [each.name for each in STUDY]
        assert all(curve.band for curve in drawing.wide.curves)
        assert len(drawing.table.rows) == 2


def test_queries_do_not_grow_with_the_lists(
    client: Client, standard: RatingList, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for address in ("/lab/", "/lab/study/", "/lab/scenarios/", "/lab/sweeps/", "/lab/system/"):
        client.get(address)
        with django_assert_max_num_queries(4):
            client.get(address)


def test_what_there_is_not_is_not_found_and_without_documents_there_is_no_page(
    client: Client, standard: RatingList, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for tail in ("study/?study=nothing", "scenarios/nothing/", "scenarios/?curve=lag", "scenarios/?system=x"):
        assert client.get(f"/lab/{tail}").status_code == 404, tail
    monkeypatch.setattr(charts, "RESULTS", tmp_path)
    charts.result_document.cache_clear()
    assert client.get("/lab/study/").status_code == 404


def test_the_files_hold_the_chart_s_figures(client: Client, standard: RatingList) -> None:
    rows = list(csv.reader(StringIO(client.get("/lab/index.csv").text)))
    assert rows[0][:3] == ["games", "League mean", "League sd"]
    document = charts.result_document("imitator")
    curve = document["systems"]["league"]["curve"]
    assert [[float(cell) for cell in row[:3]] for row in rows[1:]] == [
        [1000 * (at + 1), mean, sd] for at, (mean, sd) in enumerate(zip(curve["mean"], curve["sd"], strict=True))
    ]
    drawing = ElementTree.fromstring(client.get("/lab/index.svg").content.strip())
    assert len(drawing.findall(".//{*}polyline")) == len(STUDY)


def test_a_scenario_shows_every_contender_and_measure_and_travels_as_files(
    client: Client, standard: RatingList
) -> None:
    page = client.get("/lab/scenarios/shock/?curve=lag&system=glicko2")
    for name in ("order", "prediction", "movers", "differences"):
        assert len(page.context[name].rows) >= len(CONTENDERS) - 1
    assert page.context["newcomers"] is not None
    assert "Glicko-2" in page.text
    assert client.get("/lab/scenarios/constant/curve.svg?curve=tau").headers["Content-Type"] == "image/svg+xml"
    assert client.get("/lab/scenarios/constant/curve.csv?curve=tau").text.startswith("games,League mean")
    assert client.get("/lab/scenarios/constant/curve.csv?curve=lag").status_code == 404


def test_calibration_shows_what_was_predicted_and_what_came_and_travels_as_files(
    client: Client, standard: RatingList
) -> None:
    kept = charts.result_document("scenarios")["scenarios"][0]["calibration"]
    plot = client.get("/lab/scenarios/?system=kd").context["calibration"]
    assert [point.games for point in plot.points] == [each["games"] for each in kept["kd"] if each["games"]]
    for point in plot.points:
        assert point.high_y <= point.y <= point.low_y
    address = "/lab/scenarios/constant/calibration"
    rows = list(csv.reader(StringIO(client.get(f"{address}.csv?system=glicko").text)))
    assert [int(row[2]) for row in rows[1:]] == [each["games"] for each in kept["glicko"] if each["games"]]
    drawing = ElementTree.fromstring(client.get(f"{address}.svg").content.strip())
    assert len(drawing.findall(".//{*}circle")) == sum(bool(each["games"]) for each in kept["glicko"])
    assert client.get(f"{address}.csv?system=nobody").status_code == 404


def test_everything_the_lab_counts_has_words() -> None:
    assert {each.key for each in SCENARIOS} == set(SCENARIO_WORDS)
    for document in charts.result_document("scenarios")["scenarios"]:
        for figures in document["systems"].values():
            assert all(name in MEASURES or name.startswith(NEWCOMER) for name in figures)
        for curves in document["curves"]["systems"].values():
            assert set(curves) <= set(CURVES)


def test_the_system_page_shows_the_file_the_docs_show(client: Client, standard: RatingList) -> None:
    page = client.get("/lab/system/")
    assert "class " in page.context["example"]
    assert all(each.key in page.text for each in CONTENDERS)


def test_sweeps_show_each_k_and_each_length(client: Client, standard: RatingList) -> None:
    document = charts.result_document("sweeps")
    page = client.get("/lab/sweeps/?measure=tau")
    assert "sort=" not in page.text, "no head sorts"
    assert [curve.name for curve in page.context["drawing"].curves] == ["Constant strengths"]
    assert list(page.context["drawing"].curves[0].xs) == [10.0, 40.0]
    assert page.context["drawing"].table.columns["games"].header == "K"
    assert len(page.context["probation"].rows) == len(document["probation"]["lengths"])
    assert client.get("/lab/sweeps/k.csv").text.startswith("K,Constant strengths mean")
    assert client.get("/lab/sweeps/?measure=drift").status_code == 404
