"""About the ratings: every system in words, rules by date, tiers and the return after an absence."""

from datetime import date

import pytest
from django.test import Client

from players.models import Club
from ratings.about.compared import WORDS, compared
from ratings.lists.services import NewRule, NewStart, set_rules
from ratings.models import RatingList
from ratings.systems import SYSTEMS, RatingSystem
from ratings.systems.base import Period
from tests import factory
from tests.test_registries import each_way
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import bring_starting_ratings

pytestmark = pytest.mark.django_db


@pytest.mark.extended
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
    rates_sides = system.contest_rater(system.read_settings(raw)) is not None
    assert ("contests with sides too" in page.text) == rates_sides
    assert ("games of two only: contests" in page.text) != rates_sides


def test_federations_do_not_promise_a_start_and_the_return_after_an_absence_is_said(
    client: Client, standard: RatingList
) -> None:
    assert "on probation again" not in client.get("/about/ratings/").text
    RatingList.objects.update(reentry_years=3, reentry_games=12)
    assert "more than 3 years is on probation again for 12 games" in client.get("/about/ratings/").text
    set_rules(standard, [NewRule(date(1900, 1, 1), "elo", {"preset": "fide"})], by=None)
    text = client.get("/about/ratings/").text
    assert "Newcomers start at" not in text
    assert "first rating needs five games" in text


def test_every_system_of_the_registry_is_compared_and_those_in_use_are_marked(
    client: Client, standard: RatingList
) -> None:
    rows = {row.key: row for row in compared({"elo"}, date(2026, 1, 5))}
    assert list(rows) == [system.key for system in SYSTEMS]
    assert set(WORDS) == set(rows)
    assert [row.key for row in rows.values() if row.used] == ["elo"]
    assert [row.key for row in rows.values() if not row.draws] == ["league", "solo-zerg", "r2", "kd"]
    assert [row.key for row in rows.values() if row.expects] == [
        "elo", "glicko", "glicko2", "bradley-terry", "trueskill", "weng-lin", "egf",
    ]  # fmt: skip
    assert [row.key for row in rows.values() if row.open_period] == ["elo", "glicko", "glicko2"]
    assert rows["bradley-terry"].period == Period.ALL
    assert [row.key for row in rows.values() if row.sides] == ["elo", "trueskill", "weng-lin"]
    page = client.get("/about/ratings/")
    assert page.text.count("in use here") == 1
    assert len(page.context["systems"].rows) == len(SYSTEMS)


def test_rules_of_other_times_stand_in_a_table_and_since_when_one_holds_is_said(
    client: Client, standard: RatingList
) -> None:
    assert "So rated since" not in client.get("/about/ratings/").text
    set_rules(standard, [NewRule(date(1900, 1, 1), "league", {}), NewRule(date(2026, 2, 1), "elo", {})], by=None)
    assert "So rated since 1 February 2026." in client.get("/about/ratings/").text
    rules = [NewRule(date(1900, 1, 1), "league", {}), NewRule(date(2026, 2, 1), "glicko", {"c": 30})]
    set_rules(standard, rules, by=None)
    page = client.get("/about/ratings/")
    table = page.context["sections"][0]["rules"]
    assert [row.get_cell("since") for row in table.rows] == ["the beginning", "1 Feb 2026"]
    assert "c = 30" in page.text
    assert "Rules by date" in page.text


def test_a_list_that_is_not_public_is_not_told_of(client: Client, standard: RatingList) -> None:
    set_rules(factory.make_list("trial", primary=False), [NewRule(date(1900, 1, 1), "egf", {})], by=None)
    text = client.get("/about/ratings/").text
    assert ("Trial" in text, "Counts the stones and komi of games of go." in text) == (True, True)
    RatingList.objects.filter(slug="trial").update(public=False)
    page = client.get("/about/ratings/")
    assert [section["list"] for section in page.context["sections"]] == [standard]
    assert "Trial" not in page.text


def test_published_lists_are_there_with_the_way_to_check_them(client: Client, standard: RatingList) -> None:
    assert "None is published yet." in client.get("/about/ratings/").text
    starts = [NewStart(player.pk, factory.MONDAY, 1500) for player in factory.make_players(2)]
    bring_starting_ratings(standard, starts, by=None)
    publish_list(standard, factory.MONDAY, by=None)
    text = client.get("/about/ratings/").text
    assert "/ratings/standard/?on=2026-01-05" in text
    assert "manage.py verify_list" in text


def test_without_a_list_the_page_still_compares_the_systems(client: Client, club: Club) -> None:
    page = client.get("/about/ratings/")
    assert "No rating list yet." in page.text
    assert "in use here" not in page.text
