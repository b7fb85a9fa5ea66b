"""The page on newcomers: its sentences are chosen by the figures, and stand there in every language."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from ratings.lab_pages.charts import result_document
from ratings.lab_pages.views.probation import k_helps, leaves_sooner, waiting_helps
from ratings.models import RatingList

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return result_document("probation")


def test_the_sentences_follow_the_figures(document: dict[str, Any]) -> None:
    worse = copy.deepcopy(document)
    for row in worse["rows"]:
        if row["list"] == "fide-evidence":
            row["less"][0] = [-1.0, -3.0, 1.0]
            row["off"] = [{**off, "games": 21.0, "size": 500.0} for off in row["off"]]
        row["same_error"] = [12.4, 58.0]
    assert "helps in 9 worlds of 9" in k_helps(document)
    assert "clearly nearer in 0 worlds of 9" in k_helps(worse)
    assert "takes 58 to 58." in waiting_helps(worse)
    assert "lasts 21 to 21 games. In 0 worlds of 9" in leaves_sooner(worse)


@pytest.mark.extended
@pytest.mark.parametrize("language", ["", "/ru", "/zh-hans", "/zh-hant"])
def test_the_page_says_it_in_every_language_and_asks_the_database_nothing(
    opened: Callable[[str], Any], document: dict[str, Any], language: str
) -> None:
    page = opened(f"{language}/lab/probation/?world=tiers")
    assert document["made_by"] in page.text
    assert page.text.count("<table") == 4
    if not language:
        assert all(each(document) in page.text for each in (k_helps, waiting_helps, leaves_sooner))


def test_the_course_can_be_taken_along_and_a_world_that_is_none_is_not_found(
    client: Client, standard: RatingList
) -> None:
    lines = client.get("/lab/probation/course.csv?world=draws").text.splitlines()
    assert lines[0].startswith("own games,")
    assert lines[-1].startswith("100,")
    assert "<svg" in client.get("/lab/probation/course.svg").text
    assert client.get("/lab/probation/?world=moon").status_code == 404
