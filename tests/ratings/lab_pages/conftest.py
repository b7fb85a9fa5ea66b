"""Fixtures of the lab's pages that show a committed document."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from ratings.models import RatingList


@pytest.fixture
def opened(
    client: Client, standard: RatingList, django_assert_max_num_queries: DjangoAssertNumQueries
) -> Callable[[str], Any]:
    """A page of the lab, which asks the database for the club's own record alone, as every page does."""

    def opened(address: str) -> Any:
        client.get(address.partition("?")[0])
        with django_assert_max_num_queries(6):
            page = client.get(address)
        assert page.status_code == 200
        return page

    return opened
