"""The Elo calculator: the source's example, bad input, no database."""

import pytest
from django.db import OperationalError
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from ratings.forms import ways
from ratings.systems import SYSTEMS
from ratings.systems.k_factors import K_RULES
from ratings.words import PRESETS


def cells(text: str) -> list[str]:
    return [part.split("<")[0] for part in text.split('class="num change">')[1:]]


@pytest.mark.django_db
def test_the_first_sources_example_stands_there_ready(client: Client) -> None:
    assert cells(client.get("/tools/elo/").text) == ["+18", "−9", "+8", "−4", "−2", "+1"]


@pytest.mark.django_db
def test_newcomers_are_rated_with_k_40(client: Client) -> None:
    assert cells(client.get("/tools/elo/?a=1500&ga=3&b=1500&gb=50").text) == ["+20", "−10", "0", "0", "−20", "+10"]


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["?a=", "?a=x", "?a=99999", "?a=-1", "?ga=1.5", "?system=none", "?a=nan", "?a=inf"])
def test_bad_input_is_answered_at_the_field(client: Client, query: str) -> None:
    page = client.get("/tools/elo/" + query)
    assert page.status_code == 200
    assert 'class="error"' in page.text
    assert "Fill in both ratings" in page.text


@pytest.mark.django_db
def test_the_calculator_asks_the_database_for_the_clubs_name_at_most(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(1):
        client.get("/tools/elo/")


@pytest.mark.parametrize("tool", ["elo", "performance", "schedule"])
def test_the_tools_work_without_a_database(client: Client, monkeypatch: pytest.MonkeyPatch, tool: str) -> None:
    def no_database() -> None:
        raise OperationalError("unable to open database file")

    monkeypatch.setattr("clubrating.middleware.current_club", no_database)
    page = client.get(f"/tools/{tool}/")
    assert page.status_code == 200
    assert "Club Rating" in page.text


def test_the_menu_has_every_system_and_every_preset_in_words() -> None:
    wanted = [(system.key, preset) for system in SYSTEMS for preset in system.presets or ("",)]
    assert len(ways()) == len(wanted)
    assert {system.key for _words, system, _raw in ways().values()} == {system.key for system in SYSTEMS}
    assert [way for way in wanted if way[1] and way not in PRESETS] == []


@pytest.mark.django_db
@pytest.mark.parametrize("way", list(ways()))
def test_every_way_answers_with_what_it_knows(client: Client, way: str) -> None:
    rating = "60" if way == "kd" else "1700"
    text = client.get(f"/tools/elo/?a={rating}&ga=40&b=50&gb=40&system={way}").text
    assert 'class="error"' not in text
    changes = cells(text)
    assert len(changes) == 6
    assert "None" not in text
    if way in ("league", "solo-zerg", "r2", "kd"):
        assert changes[2:4] == ["–", "–"]
        assert "It knows no draws either" in text
        assert "This system knows no expected score." in text
    elif way == "bradley-terry":
        assert changes == ["–"] * 6
        assert "It fits all games of a list at once" in text
    else:
        assert "–" not in changes
        assert "It knows no draws" not in text


@pytest.mark.django_db
def test_a_percentage_has_a_highest_value(client: Client) -> None:
    assert "In this system nobody stands above 100." in client.get("/tools/elo/?a=2344&b=20&system=kd").text


def test_every_k_reason_has_words() -> None:
    codes = {step.reason for rule in K_RULES.values() for step in rule.steps} | {"everybody", "fixed"}
    worded = {code: render_to_string("ratings/_k_reason.html", {"value": code}).strip() for code in codes}
    assert [code for code, words in worded.items() if words == code and code != "everybody"] == []
    assert len(set(worded.values())) == len(codes)
