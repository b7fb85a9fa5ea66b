"""`/lab/diary/`: what the committed document says, drawn, in tables, as files; the database is asked nothing for it."""

import csv
from io import StringIO
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client, RequestFactory
from django.utils.translation import override
from pytest_django.fixtures import DjangoAssertNumQueries

from players.models import Club
from ratings.lab_pages.charts import result_document
from ratings.lab_pages.diary import CLOUDS, COURSES, WORLDS, WorldsTable, cloud_of, leaders, leaders_table, world_lines
from ratings.lab_pages.views.diary import FIGURES, diary
from tests import factory

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The committed document."""
    return result_document("diary")


@pytest.fixture(scope="module")
def the_club(world: None) -> Club:
    return factory.make_club()


@pytest.fixture(scope="module")
def text(the_club: Club) -> str:
    """The page, spaces made one."""
    with override("en"):
        return " ".join(diary(RequestFactory().get("/lab/diary/")).content.decode().split())


def rows_of(client: Client, chart: str) -> list[list[str]]:
    response = client.get(f"/lab/diary/{chart}.csv")
    assert response.headers["Content-Disposition"] == f'attachment; filename="diary-{chart}.csv"'
    return list(csv.reader(StringIO(response.text)))


def test_the_page_says_the_documents_figures_and_why_the_leader_rests(text: str, document: dict[str, Any]) -> None:
    figures = document["worlds"]["last"]["figures"]
    assert f"{figures['spearman']['mean']:.3f}" in text
    assert f"the first stands at {figures['top_rating']['mean']:.0f}" in text
    deficit = f"{document['worlds']['bug']['figures']['deficit']['mean']:,.0f}".replace("-", "−")
    assert f"<dd>{deficit}</dd>" in text
    assert document["made_by"] in text
    assert "1360 beaten, 1321 lost to and 1350 drawn make 1343.67" in text
    assert "97.5 % are expected: 636 points above the opponents. At three draws in ten it is 301 points" in text


def test_every_cloud_has_its_dots_and_the_worlds_stand_side_by_side_with_true_minus_signs(
    text: str, document: dict[str, Any]
) -> None:
    """Two drawings each, wide and narrow, and the table below."""
    assert text.count('class="dot"') == len(CLOUDS) * 2 * 64
    for chart in CLOUDS:
        assert len(cloud_of(chart, result_document("diary")["worlds"]).table.rows) == 64
    lines = world_lines(document["worlds"])
    assert [line.key for line in lines] == list(WORLDS)
    table = WorldsTable(lines)
    fault = next(row for row in table.rows if row.record.key == "bug")
    assert str(fault.get_cell("lowest")).startswith("<b>−2")
    assert not any(">-" in str(cell) for row in table.rows for cell in row)


def test_the_leaders_courses_with_their_bands(text: str, document: dict[str, Any]) -> None:
    drawing = leaders(document["worlds"])
    assert len(drawing.wide.curves) == len(COURSES)
    assert all(curve.band for curve in drawing.wide.curves)
    assert len({curve.look for curve in drawing.curves}) == len(COURSES)
    table = leaders_table(drawing)
    assert [row.record.games for row in table.rows] == list(range(100, 1001, 100))
    for (key, column, _name, _look), curve in zip(COURSES, drawing.curves, strict=True):
        assert curve.means[-1] == document["worlds"][key]["course"][column][-1]


def test_a_drawing_travels_as_a_file_of_its_own_the_same_in_a_language_with_decimal_commas(
    client: Client, db: None, the_club: Club
) -> None:
    for chart in (*CLOUDS, "leaders"):
        response = client.get(f"/lab/diary/{chart}.svg")
        assert response.headers["Content-Type"] == "image/svg+xml"
        root = ElementTree.fromstring(response.text)
        assert root.tag == f"{SVG}svg"
        shapes = f".//{SVG}polygon" if chart == "leaders" else f".//{SVG}circle"
        assert len(root.findall(shapes)) == (len(COURSES) if chart == "leaders" else 64)
    circles = [
        [circle.attrib for circle in ElementTree.fromstring(client.get(path).text).findall(f".//{SVG}circle")]
        for path in ("/lab/diary/last.svg", "/ru/lab/diary/last.svg")
    ]
    assert circles[0] == circles[1]


def test_the_figures_as_csv(client: Client, db: None, the_club: Club, document: dict[str, Any]) -> None:
    people = rows_of(client, "bug")
    assert people[0] == ["strength", "rating", "games", "wins", "draws", "losses", "peak"]
    assert [int(value) for value in people[1]] == document["worlds"]["bug"]["table"][0]
    assert len(people) == 65
    courses = rows_of(client, "leaders")
    assert len(courses) == 51
    assert courses[0][:3] == ["tournaments", "no-draws top mean", "no-draws top sd"]
    assert courses[-1][0] == "1000"
    worlds = rows_of(client, "worlds")
    assert [row[0] for row in worlds[1:]] == list(document["worlds"])
    event = rows_of(client, "event")
    assert len(event) == 33
    assert "opponents" in event[0]


def test_there_is_a_file_for_every_link_on_the_page_and_no_other(
    text: str, client: Client, db: None, the_club: Club
) -> None:
    for name in FIGURES:
        assert f"/lab/diary/{name}.csv" in text
        assert client.get(f"/lab/diary/{name}.csv").status_code == 200
    for path in ("nothing.svg", "nothing.csv", "worlds.svg"):
        assert client.get(f"/lab/diary/{path}").status_code == 404, path


@pytest.mark.extended
def test_the_page_in_every_language(rf: RequestFactory, db: None, the_club: Club) -> None:
    for code in ("ru", "zh-hans", "zh-hant"):
        with override(code):
            page = diary(rf.get(f"/{code}/lab/diary/")).content.decode()
        for english in ("Rating against strength", "The leader who runs away", "The versions before it", "Two leagues"):
            assert english not in page


@pytest.mark.extended
def test_the_page_asks_the_database_for_nothing_of_its_own(
    client: Client, db: None, the_club: Club, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    """What every page asks, the club and its lists; the document is a file."""
    client.get("/lab/diary/")
    with django_assert_max_num_queries(4):
        assert client.get("/lab/diary/").status_code == 200
