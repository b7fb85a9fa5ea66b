"""Erasing at the desk: administrators only, with a preview, and the number typed."""

import pytest
from django.test import Client
from django.urls import reverse

from clubrating.site.people.admin import privacy
from players.models import Erasure, Player
from players.people.services import NewPlayer, create_player
from tests import factory
from tests.tournaments.event_pages.page_cases import text_of
from tournaments.erasure.services.erasure import WhatGoes
from tournaments.standings.points import Result

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


@pytest.fixture(scope="module", autouse=True)
def zoe(world: None) -> Player:
    factory.make_club()
    factory.make_list()
    player = create_player(NewPlayer("Zoë Plantedname", birth_year=1970), by=None)
    factory.play_all(factory.make_round_robin([player, *factory.make_players(1)]), Result.DRAW)
    return player


@pytest.fixture
def office(client: Client) -> Client:
    client.force_login(factory.make_administrator())
    return client


def page(player: Player) -> str:
    return reverse("admin:players_player_erase", args=[player.pk])


def test_the_page_says_what_goes_and_what_stays(office: Client, zoe: Player) -> None:
    assert page(zoe) in office.get(reverse("admin:players_player_change", args=[zoe.pk])).text
    assert office.get(reverse("admin:players_player_erase", args=[999])).status_code == 404
    text = text_of(office, page(zoe))
    assert "This is final" in text
    assert "As “Player 1”: entries (1), games (1)" in text
    assert Player.objects.filter(name=zoe.name).exists()
    Player.objects.filter(pk=zoe.pk).update(merged_into=Player.objects.get(number=2))
    assert page(zoe) not in office.get(reverse("admin:players_player_change", args=[zoe.pk])).text


@pytest.mark.parametrize("goes", [NOTHING, ALL])
def test_it_says_of_everything_there_is_whether_it_goes_or_stays(
    monkeypatch: pytest.MonkeyPatch, office: Client, zoe: Player, goes: WhatGoes
) -> None:
    monkeypatch.setattr(privacy, "what_goes", lambda _player: goes)
    text = text_of(office, page(zoe))
    assert [words for words in SAID if words in text] == (list(SAID) if goes is ALL else [])
    for words in ("outside number", "guardian", "merged into this", "Accounts that", "beside the number only"):
        assert (words in text) == (goes is ALL), words
    assert ("page. The year of birth." in text) == (goes is NOTHING)
    assert f"entries ({goes.entries}), games ({goes.games}), rows of published lists ({goes.published})" in text


def test_without_the_right_number_nothing_happens(office: Client, zoe: Player) -> None:
    for typed in ("", "2", "x", "Zoë Plantedname", "11"):
        assert office.post(page(zoe), {"number": typed}).status_code == 400, typed
        assert Player.objects.filter(name=zoe.name).exists(), typed
    assert not Erasure.objects.exists()


@pytest.mark.parametrize("typed", ["1", "#1", " 1 "])
def test_with_the_number_the_person_is_gone(office: Client, zoe: Player, typed: str) -> None:
    answer = office.post(page(zoe), {"number": typed, "note": "her wish"}, follow=True)
    assert "Player 1 is erased." in answer.text
    assert "Plantedname" not in answer.text
    assert Erasure.objects.get().number == 1
    if typed == "1":
        listed = office.get(reverse("admin:players_player_changelist")).text
        assert listed.index("Ada Alvarez") < listed.index("Player 1")
        assert "is erased already" in office.get(page(zoe), follow=True).text


def test_where_backups_cannot_be_rewritten_the_page_says_so(
    office: Client, zoe: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_numbers: set[int]) -> int:
        raise OSError("disk full")

    monkeypatch.setattr(privacy, "erase_from_backups", full)
    answer = office.post(page(zoe), {"number": "1"}, follow=True)
    assert "Backups still know the name: disk full" in answer.text
    assert not Player.objects.get(pk=zoe.pk).name


def test_an_erased_record_is_read_only_and_found_by_number(office: Client, zoe: Player) -> None:
    office.post(page(zoe), {"number": "1"})
    address = reverse("admin:players_player_change", args=[zoe.pk])
    assert "Player 1" in office.get(address).text
    assert office.post(address, {"name": "Back", "revision": "1"}).status_code == 403
    assert "Player 1" in office.get(reverse("admin:players_player_changelist"), {"q": "1"}).text
    merge = office.post(reverse("admin:players_player_merge", args=[Player.objects.get(number=2).pk]), {"into": "#1"})
    assert "was erased" in merge.text


def test_nobody_else_erases(client: Client, zoe: Player) -> None:
    assert client.get(page(zoe)).status_code == 302
    for who in (factory.make_arbiter(), factory.make_rating_officer(), factory.make_assistant()):
        client.force_login(who)
        assert client.get(page(zoe)).status_code == 403
        assert client.post(page(zoe), {"number": "1"}).status_code == 403
    client.force_login(factory.make_arbiter("second"))
    assert "Erase…" not in client.get(reverse("admin:players_player_change", args=[zoe.pk])).text
    assert Player.objects.filter(name=zoe.name).exists()
