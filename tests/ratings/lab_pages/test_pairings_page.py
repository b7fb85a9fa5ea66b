"""The page on pairings: its sentences are chosen by the figures, and stand there in every language."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from ratings.lab_pages.charts import result_document
from ratings.lab_pages.views.pairings import counted, price, verdict
from ratings.lab_pages.words import PAIRING_WAYS
from ratings.models import RatingList

pytestmark = pytest.mark.django_db
BELOW, ABOVE, OPEN = ({"mean": mean, "low": mean - 1.0, "high": mean + 1.0} for mean in (-2.0, 2.0, 0.5))


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return result_document("pairings")


@pytest.mark.parametrize(
    ("lot", "near", "said"),
    [
        (OPEN, BELOW, "It does not help"),
        (BELOW, BELOW, "and sooner than where neighbours"),
        (BELOW, ABOVE, "sooner still where neighbours"),
        (BELOW, OPEN, "not clearly against the simple rule"),
    ],
)
def test_the_verdict_follows_both_comparisons(
    document: dict[str, Any], lot: dict[str, float], near: dict[str, float], said: str
) -> None:
    worlds = {"constant": copy.deepcopy(document["worlds"]["constant"])}
    differences = worlds["constant"]["differences"]
    differences["random"]["list"], differences["near"]["list"] = lot, near
    assert said in verdict(worlds)
    worlds["constant"]["ways"]["learn"]["repeats"]["mean"] = 0.42
    assert "Of its boards 42 %" in price(worlds)
    assert counted(worlds, "random", "list") == (int(lot is BELOW), 0)


@pytest.mark.extended
@pytest.mark.parametrize("language", ["", "/ru", "/zh-hans", "/zh-hant"])
def test_the_page_says_it_in_every_language_and_asks_the_database_nothing(
    opened: Callable[[str], Any], document: dict[str, Any], language: str
) -> None:
    page = opened(f"{language}/lab/pairings/?world=club-life")
    assert document["made_by"] in page.text
    assert page.text.count("<table") == 6
    if not language:
        assert verdict(document["worlds"]) in page.text


def test_the_course_can_be_taken_along_and_a_world_that_is_none_is_not_found(
    client: Client, standard: RatingList
) -> None:
    first = client.get("/lab/pairings/course.csv?world=draws").text.splitlines()[0]
    assert first.startswith("evenings,")
    assert all(str(words) in first for words in PAIRING_WAYS.values())
    assert "<svg" in client.get("/lab/pairings/course.svg").text
    for address in ("/lab/pairings/?world=moon", "/lab/pairings/course.csv?world="):
        assert client.get(address).status_code == 404
