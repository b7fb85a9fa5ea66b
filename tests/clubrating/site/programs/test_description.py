"""The description of the API is the API: every address stands in it, and every answer is as it says."""

import json
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from clubrating.site.programs import deeds
from clubrating.site.programs.description.base import ERROR
from clubrating.site.programs.openapi import ENDPOINTS, addresses, routes, with_reference
from clubrating.site.programs.requests import Deed
from clubrating.site.programs.shapes import Shape, day, problem_in, record, rows, schema_of, text, whole
from tests import ROOT, desk_scene

DOCS = ROOT / "docs" / "api.md"


def test_every_address_is_described_and_no_other() -> None:
    """Whoever adds one to clubrating/urls_api.py describes it."""
    assert {each.name for each in ENDPOINTS} == set(routes())
    assert len({(each.name, each.method) for each in ENDPOINTS}) == len(ENDPOINTS)
    written = {each.name: each.scope for each in vars(deeds).values() if isinstance(each, Deed)}
    assert written == {each.name: each.scope for each in ENDPOINTS if each.method == "POST"}


def test_the_page_is_as_the_command_writes_it() -> None:
    found = DOCS.read_text(encoding="utf-8")
    assert with_reference(found) == found, "run manage.py api_docs"
    call_command("api_docs", "--check", stdout=StringIO())
    with pytest.raises(ValueError, match="marks"):
        with_reference("nothing")


# --- real answers ---------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def scene(world: None) -> None:
    desk_scene.build()


def asked() -> Iterator[tuple[str, str, Shape]]:
    """Every address that reads, for every event and list of the scene."""
    slugs = {"ratings": ["standard"]}
    events = ["winter-cup", "open", "autumn-cup", "season", "evenings", "team-cup", "none"]
    for endpoint, route in addresses():
        if endpoint.method == "GET" and endpoint.name != "token":
            for slug in slugs.get(route.split("/")[3], events) if "<slug" in route else [""]:
                path = re.sub(r"<int:\w+>", "2" if endpoint.name in ("player", "rank") else "1", route)
                yield endpoint.name, path.replace("<slug:slug>", slug), endpoint.answer


@pytest.mark.django_db
def test_every_answer_has_the_shape_described(scene: None) -> None:
    found: dict[str, int] = {}
    for name, path, shape in asked():
        answer = Client().get(path)
        taken = answer.status_code == 200
        assert taken or answer.status_code == 404, path
        assert problem_in(answer.json(), shape if taken else ERROR) is None, path
        found[name] = found.get(name, 0) + taken
    assert found.keys() == {each.name for each in ENDPOINTS if each.method == "GET"} - {"token"}
    assert all(found.values()), found


@pytest.mark.django_db
def test_the_document_for_programs_is_whole(scene: None) -> None:
    found = Client().get("/api/v1/openapi.json").json()
    operations = [(path, one) for path, methods in found["paths"].items() for one in methods.values()]
    assert len(operations) == len(ENDPOINTS) == len({one["operationId"] for _path, one in operations})
    for path, one in operations:
        blanks = {each["name"] for each in one["parameters"] if each["in"] == "path"}
        assert blanks == set(re.findall(r"{(\w+)}", path))
        assert ("security" in one) == ("401" in one["responses"])
    assert set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(found))) == set(found["components"]["schemas"])


# --- shapes ---------------------------------------------------------------------------------------------------------
PERSON = record(**{"name": text(most=5), "born?": whole(least=1900).or_null(), "on": day(), "of": rows(text("", "a"))})
FITS = {"name": "Ada", "born": None, "on": "2026-01-05", "of": ["a"]}


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"name": "Aurora"}, "name"),
        ({"name": None}, "name"),
        ({"born": True}, "born"),
        ({"born": 1899}, "born"),
        ({"on": "20260105"}, "on"),
        ({"of": ["a", "b"]}, "of[1]"),
        ({"age": 7}, "age"),
    ],
)
def test_what_does_not_fit_is_named(changed: dict[str, Any], place: str) -> None:
    assert problem_in(FITS, PERSON) is None
    found = problem_in({**FITS, **changed}, PERSON)
    assert found is not None
    assert found[0] == place
    assert found[1].endswith(".")


def test_a_shape_is_json_schema() -> None:
    assert schema_of(PERSON) == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 5},
            "born": {"type": ["integer", "null"], "minimum": 1900, "maximum": 2**31 - 1},
            "on": {"type": "string", "format": "date"},
            "of": {"type": "array", "items": {"type": "string", "enum": ["a"]}},
        },
        "required": ["name", "on", "of"],
    }
