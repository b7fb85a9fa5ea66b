"""An administrator at the browser."""

import pytest

from ratings.models import RatingList
from tests import factory
from tests.clubrating.accounts.account_cases import signed_in
from tests.visitor import Visitor


@pytest.fixture
def boss(standard: RatingList) -> Visitor:
    return signed_in(factory.make_administrator())
