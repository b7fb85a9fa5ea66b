"""About the ratings: every system in words, rules by date, tiers and the return after an absence."""

from datetime import date

import pytest
from django.test import Client

from ratings.models import RatingList
from ratings.services.lists import NewRule, set_rules
from ratings.systems import RatingSystem
from tests.test_registries import each_way

pytestmark = pytest.mark.django_db


@each_way
def test_every_system_and_preset_has_a_section(
    client: Client, standard: RatingList, system: RatingSystem, raw: dict[str, str]
) -> None:
    set_rules(standard, [NewRule(date(1900, 1, 1), system.key, raw)], by=None)
    page = client.get("/about/ratings/")
    (section,) = page.context["sections"]
    assert system.name in page.text
    assert section["words"]
    has_k_table = system.key == "elo" and raw.get("preset") != "us-chess"
    assert ("K is the first of these that fits" in page.text) == has_k_table
    assert "{" not in "".join(section["words"])


def test_federations_do_not_promise_a_start(client: Client, standard: RatingList) -> None:
    set_rules(standard, [NewRule(date(1900, 1, 1), "elo", {"preset": "fide"})], by=None)
    text = client.get("/about/ratings/").text
    assert "Newcomers start at" not in text
    assert "first rating needs five games" in text


def test_rules_of_other_times_stand_in_a_table(client: Client, standard: RatingList) -> None:
    rules = [NewRule(date(1900, 1, 1), "league", {}), NewRule(date(2026, 2, 1), "glicko", {"c": 30})]
    set_rules(standard, rules, by=None)
    page = client.get("/about/ratings/")
    table = page.context["sections"][0]["rules"]
    assert [row.get_cell("since") for row in table.rows] == ["the beginning", "1 Feb 2026"]
    assert "c = 30" in page.text
    assert "Rules by date" in page.text


def test_the_return_after_an_absence_is_said(client: Client, standard: RatingList) -> None:
    assert "on probation again" not in client.get("/about/ratings/").text
    RatingList.objects.update(reentry_years=3, reentry_games=12)
    assert "more than 3 years is on probation again for 12 games" in client.get("/about/ratings/").text
