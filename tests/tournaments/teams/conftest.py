"""A club with its main list, made once for each file of this folder."""

import pytest

from ratings.models import RatingList
from tests import factory


@pytest.fixture(scope="module")
def standard(world: None) -> RatingList:
    factory.make_club()
    return factory.make_list()
