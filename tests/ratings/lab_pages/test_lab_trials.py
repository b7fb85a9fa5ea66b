"""The page of trials: what it shows is what the committed document says, and nothing it cannot know."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from ratings.lab_pages import charts
from ratings.lab_pages.tables.lab import farming_table, gains_table, jump_table, places_table, points_table
from ratings.models import RatingList

pytestmark = pytest.mark.django_db


def figures(mean: float, sd: float = 1.0) -> dict[str, float]:
    return {"mean": mean, "sd": sd, "se": sd / 4}


def row(own: int, points: float | None, gain: float | None = None) -> dict[str, Any]:
    found = {"own_games": own, "newcomers": 21, "places": figures(points / 1000 if points else 0.123)}
    found["established_places"] = figures(0.02)
    if points is not None:
        found |= {"points": figures(points), "established_points": figures(40.0)}
    return found | ({} if gain is None else {"points_gain": figures(gain)})


def trial(rows: list[dict[str, Any]], enough: int | None, half: int | None, mean: list[float], swapped: float) -> dict:
    farming = {"farmed": figures(30.4), "farmed_spreads": figures(0.141), "pumped": figures(216.2),
               "pumped_spreads": figures(0.96), "swapped": figures(swapped)}  # fmt: skip
    jump = {"half": half, "ninety": None, "every": 10, "mean": mean}
    return {"probation": rows, "enough": enough, "jump": jump, "farming": farming}


SYSTEMS = {
    "league": trial([row(1, None), row(30, None)], 30, 43, [0.5, 1.53], 1000.0),
    "elo": trial([row(1, 207.6), row(30, 125.4, -28.3)], None, 33, [0.21, 0.994], -1e-13),
}
POINT = {"games": 8800, "index": figures(37.0), "tau": figures(0.8951), "ordered": figures(0.9817)}
DOCUMENT = {
    "study": "trials", "games": 44_000, "replications": 20, "seed": 1, "systems": SYSTEMS, "ceiling": [POINT],
    "made_by": "manage.py run_study trials --seed 1",
}  # fmt: skip


@pytest.fixture
def _shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "trials.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    yield from swapped_in(tmp_path, monkeypatch)


def swapped_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(charts, "RESULTS", folder)
    charts.result_document.cache_clear()
    yield
    charts.result_document.cache_clear()


def cells(table: Any) -> list[list[str]]:
    return [[str(cell) for cell in line][1:] for line in table.as_values()]


def test_points_are_for_systems_on_elo_s_scale_and_places_for_all() -> None:
    heads, *lines = cells(points_table(SYSTEMS))
    assert heads == ["1", "30", "the established", "enough"]
    assert lines == [["208", "125", "40", "not reached"]]
    _heads, league, elo = cells(places_table(SYSTEMS))
    assert league == ["12.3", "12.3", "2.0"]
    assert elo == ["20.8", "12.5", "2.0"]
    assert cells(gains_table(SYSTEMS)) == [["30"], ["−28"]]


def test_what_is_not_reached_is_said_and_what_is_not_known_is_a_dash() -> None:
    assert cells(jump_table(SYSTEMS))[1:] == [["43", "not reached", "153"], ["33", "not reached", "99"]]
    nobody = trial([], None, None, [], 0.0)
    assert cells(jump_table({"kd": nobody}))[1] == ["not reached", "not reached", "–"]
    assert cells(points_table({"kd": nobody})) == [["the established", "enough"]]
    _heads, _league, elo = cells(farming_table(SYSTEMS))
    assert "−" not in elo[4]
    assert "-" not in elo[4]
    assert (elo[1:4:2], elo[5]) == (["0.14", "0.96"], "–")


@pytest.mark.usefixtures("_shown", "standard")
def test_the_page_shows_the_document_and_asks_for_nothing_else(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
):
    client.get("/lab/trials/")
    with django_assert_max_num_queries(6):
        page = client.get("/lab/trials/")
    text = page.content.decode()
    assert page.status_code == 200
    for found in ("not reached", "8,800", "0.895", "manage.py run_study trials --seed 1", "20 replications", "153"):
        assert found in text
    assert 'href="/lab/trials/" aria-current="page"' in text


@pytest.mark.usefixtures("standard")
def test_without_the_document_there_is_no_page(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for _ in swapped_in(tmp_path, monkeypatch):
        assert client.get("/lab/trials/").status_code == 404


@pytest.mark.usefixtures("standard")
@pytest.mark.parametrize("language", ["", "/ru", "/zh-hans", "/zh-hant"])
def test_the_committed_document_has_its_page_in_every_language(client: Client, language: str):
    page = client.get(f"{language}/lab/trials/")
    assert page.status_code == 200
    assert page.content.decode().count("<table") == 7  # six of trials, one behind the chart


def test_the_newcomers_chart_is_the_table_of_places_and_goes_as_a_file(client: Client, standard: RatingList) -> None:
    document = charts.result_document("trials")
    drawing = client.get("/lab/trials/").context["drawing"]
    elo = next(curve for curve in drawing.curves if curve.name == "Elo")
    rows = document["systems"]["elo"]["probation"]
    assert list(elo.xs) == [row["own_games"] for row in rows]
    assert list(elo.means) == [100 * row["places"]["mean"] for row in rows]
    assert client.get("/lab/trials/newcomers.csv").text.startswith("own games,League mean,League sd,")
    assert client.get("/lab/trials/newcomers.svg").headers["Content-Type"] == "image/svg+xml"
