"""The leaderboard says how its list counts games."""

import pytest
from django.test import Client

from ratings.lists.services import create_list
from tests import factory
from tests.tournaments.event_pages.page_cases import text_of

pytestmark = pytest.mark.django_db
SAID = {
    "game": "Every game counts as soon as its result is in.",
    "event": "A tournament counts as a whole, once it is over.",
    "month": "The games of a day or a month count together.",
    "all": "All games there are count together, the oldest as much as the latest.",
}


@pytest.mark.parametrize(
    ("system", "settings", "period"),
    [
        ("elo", {"preset": "uscf"}, "game"),
        ("elo", {"preset": "fide"}, "event"),
        ("glicko2", {"period": "month"}, "month"),
        ("bradley-terry", {}, "all"),
    ],
)
def test_the_leaderboard_says_when_a_game_counts(
    client: Client, system: str, settings: dict[str, object], period: str
) -> None:
    factory.make_club()
    made = create_list(name="Counted", slug="counted", pool="standard", by=None, system=system, settings=settings)
    page = text_of(client, made.get_absolute_url())
    assert [key for key, words in SAID.items() if words in page] == [period]
