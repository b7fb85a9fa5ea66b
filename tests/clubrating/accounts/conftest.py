"""Nobody's tries are counted from one test to the next; an administrator at the browser."""

import pytest
from django.core.cache import cache

from ratings.models import RatingList
from tests import factory
from tests.clubrating.accounts.account_cases import signed_in
from tests.visitor import Visitor


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    cache.clear()


@pytest.fixture
def boss(standard: RatingList) -> Visitor:
    return signed_in(factory.make_administrator())
