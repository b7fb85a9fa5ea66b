"""The leaderboard says how its list counts games, and to whom age groups are not shown."""

import pytest
from django.test import Client

from players.club.services import update_club
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


def test_who_may_not_see_ages_is_told_so_and_who_may_that_not_everybody_is_there(client: Client) -> None:
    factory.make_club()
    address = f"{factory.make_list().get_absolute_url()}?age=u18"
    withheld, seen = "Age groups tell ages, so they are for members:", "Only those whose names you see"
    page = text_of(client, address)
    assert (withheld in page, seen in page) == (True, False)
    assert withheld not in text_of(client, address.partition("?")[0])
    update_club({"pass_phrase": "open sesame"}, by=None)
    client.post("/members/", {"pass_phrase": "open sesame"})
    page = text_of(client, address)
    assert (withheld in page, seen in page) == (False, True)
    assert seen not in text_of(client, address.partition("?")[0])
