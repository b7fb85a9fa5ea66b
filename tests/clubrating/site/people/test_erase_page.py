"""The page before a person is erased: everything that goes and that stays, and nothing that is not there."""

import pytest
from django.test import Client
from django.urls import reverse

from clubrating.site.people.admin import privacy
from tests import factory
from tests.tournaments.event_pages.page_cases import text_of
from tournaments.erasure.services.erasure import WhatGoes

pytestmark = pytest.mark.django_db
NOTHING = WhatGoes((), 0, 0, 0, (), keeps_year=False, entries=0, games=0, published=0)
ALL = WhatGoes((7, 9), 2, 1, 3, ("ada", "ada2"), keeps_year=True, entries=4, games=5, published=6)
# What is said only where there is such a thing.
SAID = (
    "2 outside numbers.",
    "1 guardian.",
    "The records merged into this one: #7, #9.",
    "The name in 3 texts",
    "The year of birth, beside the number only",
    "Accounts that bear the name; end them yourself: ada, ada2",
)


@pytest.mark.parametrize("goes", [NOTHING, ALL])
def test_it_says_what_goes_and_what_stays(monkeypatch: pytest.MonkeyPatch, client: Client, goes: WhatGoes) -> None:
    factory.make_club()
    player = factory.make_players(1)[0]
    client.force_login(factory.make_administrator())
    monkeypatch.setattr(privacy, "what_goes", lambda _player: goes)
    page = text_of(client, reverse("admin:players_player_erase", args=[player.pk]))
    assert [words for words in SAID if words in page] == (list(SAID) if goes is ALL else [])
    for words in ("outside number", "guardian", "merged into this", "Accounts that", "beside the number only"):
        assert (words in page) == (goes is ALL), words
    assert ("page. The year of birth." in page) == (goes is NOTHING)
    assert f"entries ({goes.entries}), games ({goes.games}), rows of published lists ({goes.published})" in page
