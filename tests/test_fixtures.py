"""What the fixtures of every test promise (`conftest.py`)."""

import pytest

from players.models import Club


@pytest.fixture(scope="module", autouse=True)
def _open(request: pytest.FixtureRequest) -> None:
    """Holds the database open for this file, as what another test of the file asks for would."""
    request.getfixturevalue("world")


def test_the_database_is_closed_to_a_test_that_does_not_ask_for_it() -> None:
    with pytest.raises(RuntimeError, match="Database access not allowed"):
        Club.objects.exists()


@pytest.mark.django_db
def test_it_is_open_to_one_that_asks() -> None:
    assert not Club.objects.exists()
