"""One search on every page: people by every spelling, events, pages; and nobody who is not shown."""

import random
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubrating.site.search import views
from clubrating.site.search.pages import PAGES
from players.models import Player
from players.people.names import halves_of, misspelt_pattern
from players.people.selectors import find_people
from players.people.services import NewPlayer, create_players
from players.privacy.rules import MEMBER, NOBODY, OFFICER
from tests import factory
from tests.choosing import everything
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

PEOPLE = (
    NewPlayer("佐藤はるか", reading="Satō Haruka"),
    NewPlayer("ليلى منصور", reading="Layla Mansour"),
    NewPlayer("გიორგი კალანდაძე", reading="Giorgi Kalandadze"),
    NewPlayer("Соколова, Анна", reading="Anna Sokolova"),
    NewPlayer("José Núñez"),
    NewPlayer("陈思远", reading="Chen Siyuan"),
    NewPlayer("Михаил Левченко", reading="Mikhail Levchenko"),
    NewPlayer("ליאור ברקאי", reading="Lior Barkai", visibility="hidden"),
    NewPlayer("Mara Plantedmember", reading="Мара", visibility="members"),
)


@pytest.fixture(scope="module", autouse=True)
def club_of_many(world: None) -> list[Player]:
    factory.make_club()
    factory.make_list()
    for name in ("Spring Cup", "Кубок города", "春季公开赛"):
        create_tournament(NewTournament(name), by=None)
    return create_players(PEOPLE, by=None)


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ("sato", [1]), ("SATŌ", [1]), ("佐藤", [1]), ("haruka sato", [1]), ("mansour", [2]), ("منصور", [2]),
        ("kalandadze", [3]), ("კალანდაძე", [3]), ("sokol", [4]), ("Соколова", [4]), ("соколова, анна", [4]),
        ("nunez", [5]), ("Núñez", [5]), ("陈", [6]), ("chen", [6, 7]), ("#3", [3]),
        # One letter wrong, missing, too many, or two exchanged.
        ("kalandatze", [3]), ("kalandaze", [3]), ("kalandadzze", [3]), ("kalandazde", [3]), ("Соколва", [4]),
        ("satp", [1]), ("sato horuka", [1]), ("kalandutze", []), ("sta", []), ("barkai", []), ("barkay", []),
        ("planted", []), ("  ", []),
    ],
)  # fmt: skip
def test_people_are_found_by_every_spelling(asked: str, numbers: list[int]) -> None:
    assert [player.number for player in find_people(NOBODY, asked, 5)] == numbers


def test_names_are_found_by_whoever_may_see_them() -> None:
    for asked in ("plantedmember", "plantedmembre"):
        assert [len(find_people(viewer, asked, 5)) for viewer in (NOBODY, MEMBER, OFFICER)] == [0, 1, 1]
        assert [len(find_people(viewer, "barkai", 5)) for viewer in (NOBODY, MEMBER, OFFICER)] == [0, 0, 1]


@pytest.mark.extended
def test_a_word_one_letter_off_is_found_wherever_the_letter_is() -> None:
    """And a part of it is left unharmed, by which the database looks first."""
    rng = random.Random(3)
    for _ in range(200 if everything() else 40):
        word = "".join(rng.choices("abcd", k=rng.randint(4, 9)))
        at, letter = rng.randrange(len(word) - 1), rng.choice("xy")
        for typed in (
            word[:at] + letter + word[at + 1 :],
            word[:at] + letter + word[at:],
            word[:at] + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        ):
            if len(typed) < 4 or typed == word:
                continue
            Player.objects.filter(number=5).update(search_name=f"jose {word}")
            assert [player.number for player in find_people(NOBODY, typed, 5)] == [5], (typed, word)
            assert any(part in word for part in halves_of(typed))
    assert "sato" not in misspelt_pattern("sato").split("|")


@pytest.mark.parametrize(
    ("asked", "language", "title", "address"),
    [
        ("cup", "", "Spring Cup", "/tournaments/spring-cup/"),
        ("кубок", "", "Кубок города", None),
        ("公开", "", "春季公开赛", None),
        ("elo calc", "", "Elo calculator", "/tools/elo/"),
        ("buchholz", "", "Buchholz", "/about/glossary/#term-BH"),
        ("глоссарий", "/ru", "", "/ru/about/glossary/"),
        ("等级分", "/zh-hans", "", "/zh-hans/ratings/"),
    ],
)
def test_events_and_pages_are_found(client: Client, asked: str, language: str, title: str, address: str | None) -> None:
    page = client.get(f"{language}/search/", {"q": asked}).text
    assert title in page
    assert address is None or f'href="{address}"' in page


def test_every_page_that_is_listed_is_there(client: Client) -> None:
    for route, title, _more in PAGES:
        answer = client.get(reverse(route), follow=True)
        assert answer.status_code == 200, route
        assert title


def test_it_costs_few_queries_and_its_answers_are_not_kept(client: Client, at_most: Any) -> None:
    client.get("/search/")
    for asked, most in (("sato", 5), ("kalandatze", 6), ("x", 2)):
        with at_most(most):
            answer = client.get("/search/found/", {"q": asked})
        assert "ETag" not in answer.headers
    assert answer.headers["X-Robots-Tag"] == "noindex"


def test_the_box_is_on_every_page_and_works_without_a_script(client: Client) -> None:
    for language in ("", "/ru"):
        for page in ("/", "/players/", "/tools/elo/"):
            assert f'action="{language}/search/"' in client.get(f"{language}{page}").text
    page = client.get("/search/", {"q": "<b>nobody"}).text
    assert "Nothing found for “&lt;b&gt;nobody”" in page
    for asked, is_too_short in (("a", True), ("7", False), ("陈", False), ("ab", False), ("", False)):
        assert ("Write two letters" in client.get("/search/", {"q": asked}).text) is is_too_short, asked


def test_the_list_of_players_offers_who_is_called_nearly_so(client: Client) -> None:
    page = client.get("/players/", {"q": "kalandatze"})
    assert "Nobody is called “kalandatze”. Spelt nearly so:" in page.text
    assert page.context["found"] == 1


def test_many_are_led_to_the_whole_list(client: Client) -> None:
    for people, is_led in ((5, False), (1, True)):
        create_players([NewPlayer(f"Ada Extra{number}") for number in range(people)], by=None)
        page = client.get("/search/found/", {"q": "extra"}).text
        assert page.count('class="name"') == 5
        assert ('href="/players/?q=extra"' in page) is is_led


def test_only_the_latest_events_are_looked_through_and_the_latest_stand_first(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, day in (("Old Cup", 1), ("Late Cup", 3), ("Late Cup II", 3), ("Open", 2)):
        create_tournament(NewTournament(name, starts_on=date(2026, 1, day)), by=None)
    Tournament.objects.filter(starts_on=None).delete()
    for looked_at, names in ((4, ["Late Cup II", "Late Cup", "Old Cup"]), (3, ["Late Cup II", "Late Cup"])):
        monkeypatch.setattr(views, "LATEST_EVENTS", looked_at)
        found = client.get("/search/", {"q": "cup"}).context["events"]
        assert [event.name for event in found] == names
