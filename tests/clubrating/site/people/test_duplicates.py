"""Who may be in the list twice: found without comparing everybody with everybody, shown with a way to the merge."""

import random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from players.people.services import NewPlayer, create_players, set_identities
from ratings.models import RatingList
from tests import factory
from tests.tournaments.event_pages.page_cases import text_of
from tests.visitor import Visitor
from tournaments.entries.selectors import Twins, one_letter_apart, possible_duplicates
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


def people(*names: str, **data: Any) -> list[Player]:
    return create_players([NewPlayer(name, **data) for name in names], by=None)


def pairs() -> list[Twins]:
    found, more = possible_duplicates()
    assert more == 0
    return found


@pytest.mark.parametrize(
    ("one", "other", "exact"),
    [
        ("Ada Alvarez", "Alvarez, Ada", True), ("José Núñez", "Jose Nunez", True),
        ("Анна Соколова", "Anna Sokolova", True), ("ada alvarez", "Ada  Alvarez", True),
        *[("Ada Alvarez", f"Ada {name}", False) for name in ("Alvares", "Alvrez", "Avlarez", "Blvarez")],
        ("Ada Alvarez", "Alvarrez, Ada", False),
    ],
)  # fmt: skip
def test_the_same_words_or_one_letter_off_is_a_pair(standard: RatingList, one: str, other: str, exact: bool) -> None:
    people(one, other, "Somebody Else")
    (pair,) = pairs()
    assert (pair.first.name, pair.second.name, pair.is_exact) == (one.strip(), " ".join(other.split()), exact)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada Alvarez", "Ada Alvaro"), ("Ada Alvarez", "Adam Alvarez Costa"), ("Ann Li", "Ann Lu"),
        ("Ada Alvarez", "Ida Alvares"), ("Anders Berg", "Nders Bergo"),
    ],
)  # fmt: skip
def test_two_letters_and_short_words_are_no_pair(standard: RatingList, one: str, other: str) -> None:
    people(one, other)
    assert not pairs()


def test_a_name_everybody_has_and_people_inactive_merged_or_erased_are_no_pairs(standard: RatingList) -> None:
    people(*["Li Wei"] * 21)
    players = people("Ada Alvarez", "Alvarez, Ada", "Ada Álvarez", "Ada Alvares", "Alvares, Ada")
    Player.objects.filter(pk=players[1].pk).update(active=False)
    Player.objects.filter(pk=players[2].pk).update(merged_into=players[0])
    Player.objects.filter(pk__in=[player.pk for player in players[3:]]).update(name="", sort_name="")
    assert not pairs()


def test_years_of_birth_tell_near_names_apart_but_not_the_same_name(standard: RatingList) -> None:
    people("Ada Alvarez", birth_year=1970)
    people("Ada Alvares", birth_year=1990)
    assert not pairs()
    people("Alvares, Ada", birth_year=1950)
    assert [(pair.first.birth_year, pair.second.birth_year) for pair in pairs()] == [(1990, 1950)]


def test_two_fide_numbers_are_two_people_and_so_are_two_who_met(standard: RatingList) -> None:
    ada, again = people("Ada Alvarez", "Alvarez, Ada")
    bo, twin = people("Bo Brandt", "Brandt, Bo")
    set_identities(ada, {"fide": "100001"}, by=None)
    factory.play_all(factory.make_round_robin([ada, bo], cycles=2), Result.DRAW)
    assert [(pair.first_games, pair.second_games) for pair in pairs()] == [(2, 0)] * 2
    set_identities(again, {"fide": "100002"}, by=None)
    for player in (bo, twin):
        set_identities(player, {"national": f"N-{player.number}"}, by=None)
    assert len(pairs()) == 1, "numbers of other lists tell nobody apart"
    factory.play_all(factory.make_round_robin([bo, twin]), Result.DRAW)
    assert not pairs()


def test_one_letter_apart_is_what_editing_one_letter_gives() -> None:
    rng = random.Random(5)
    for _ in range(500):
        word = "".join(rng.choices("abc", k=rng.randint(1, 6)))
        at = rng.randrange(len(word))
        letter = rng.choice("abc")
        for other in (word[:at] + letter + word[at + 1 :], word[:at] + word[at + 1 :], word[:at] + letter + word[at:]):
            assert one_letter_apart(word, other) is (word != other)
            assert one_letter_apart(other, word) is (word != other)
    assert not one_letter_apart("abc", "cba")
    assert not one_letter_apart("ab", "abcd")
    assert not one_letter_apart("abc", "xbcd")
    assert not one_letter_apart("abxy", "bayx")
    assert one_letter_apart("abcd", "acbd")


def test_as_many_queries_for_many_as_for_few(standard: RatingList, at_most: Any) -> None:
    first_names = ("Ada", "Adda", "Anna", "Annna")
    people(*[f"{first} {last}" for last in ("Alvarez", "Brandt", "Costa") for first in first_names])
    with at_most(5):
        assert pairs()


def test_from_the_list_to_the_preview_of_a_merge_and_nobody_twice_is_told(standard: RatingList) -> None:
    visitor = Visitor()
    visitor.client.force_login(factory.make_arbiter())
    visitor.open(reverse("admin:players_player_duplicates"))
    visitor.sees("Nobody seems to be in the list twice")
    ada, _twin, bo = people("Ada Alvarez", "Alvarez, Ada", "Bo Brandt")
    factory.play_all(factory.make_round_robin([ada, bo]), Result.DRAW)
    visitor.open(reverse("admin:players_player_changelist"))
    visitor.click("Possible duplicates")
    visitor.sees("Ada Alvarez (#1)", "Alvarez, Ada (#2)", "same words", "1 game")
    assert visitor.page.words.index("#2 → #1") < visitor.page.words.index("#1 → #2"), "it moves fewer games"
    visitor.click("#2 → #1")
    visitor.send("Show what it moves")
    visitor.sees("Alvarez, Ada (#2) is the same person as Ada Alvarez (#1)")


def test_the_page_says_of_each_pair_how_alike_the_names_are_and_when_who_was_born(
    desk: Client, standard: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    people("Bo Brandt", "Bo Brant", "Zola, Ada")
    people("Ada Zola", birth_year=1990)
    rows = text_of(desk, reverse("admin:players_player_duplicates")).partition("<tbody>")[2].split("</tr>")[:-1]
    assert [("Ada" in row, "same words" in row, "one letter off" in row, "1990 ·" in row) for row in rows] == [
        (True, True, False, True),
        (False, False, True, False),
    ]
    assert sum(row.count(" · 0 games") for row in rows) == 1
    monkeypatch.setattr("tournaments.entries.selectors.MOST_PAIRS", 1)
    found, more = possible_duplicates()
    assert ([pair.is_exact for pair in found], more) == ([True], 1)
