"""The Elo calculator: the source's example, bad input, no database."""

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import DjangoAssertNumQueries


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


@pytest.mark.parametrize("tool", ["elo", "schedule"])
def test_the_tools_work_without_a_database(client: Client, monkeypatch: pytest.MonkeyPatch, tool: str) -> None:
    def no_database() -> None:
        raise OperationalError("unable to open database file")

    monkeypatch.setattr("clubrating.middleware.current_club", no_database)
    page = client.get(f"/tools/{tool}/")
    assert page.status_code == 200
    assert "Club Rating" in page.text
