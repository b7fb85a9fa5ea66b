"""The leak scanner: nobody finds a name that is not shown to them, on any page, in any address, by any search.

Two people with planted names are in everything the public can open; every page is crawled as nobody, as a member and as
an officer. It grows with the site: a page the crawler reaches is scanned without anybody adding it here.
"""

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client

from players.models import Club, Player
from players.selectors import SESSION_KEY
from players.services.club import update_club
from players.services.people import NewPlayer, create_players
from ratings.models import RatingList
from tests import factory
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db

MINOR, HIDDEN, MEMBERS = "Kerem Plantedminor", "Hilde Plantedhidden", "Mara Plantedmember"
SECRETS = ("plantedminor", "plantedhidden", "plantedmember")
SEEN = {"nobody": (), "member": ("plantedminor", "plantedmember"), "officer": SECRETS}


@pytest.fixture
def planted(standard: RatingList) -> list[Player]:
    """Three private people in an event with everybody else."""
    private = create_players(
        [
            NewPlayer(MINOR, birth_year=2016),
            NewPlayer(HIDDEN, visibility="hidden"),
            NewPlayer(MEMBERS, visibility="members"),
        ],
        by=None,
    )
    players = [*private, *factory.make_players(2)]
    cup = factory.make_round_robin(players)
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    update_club({"pass_phrase": "open sesame"}, by=None)
    return players


class Links(HTMLParser):
    def __init__(self, base: str) -> None:
        super().__init__()
        self.base, self.found = base, set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href")
        if tag == "a" and href and not href.startswith("#"):
            self.found.add(urljoin(self.base, href))


def crawl(client: Client) -> Iterator[tuple[str, str]]:
    """Every page reachable from the front page, the admin left out, with its address."""
    waiting, seen = ["/"], set[str]()
    while waiting:
        address = waiting.pop()
        parts = urlsplit(address)
        if address in seen or parts.netloc or parts.path.startswith("/admin/"):
            continue
        seen.add(address)
        response = client.get(address, follow=True)
        assert response.status_code == 200, address
        text = response.content.decode()
        yield address, text
        links = Links(parts.path)
        links.feed(text)
        waiting += [link.split("#")[0] for link in links.found if link.startswith(("/", "?"))]


def viewer(kind: str) -> Client:
    client = Client()
    if kind == "officer":
        client.force_login(factory.make_arbiter())
    if kind == "member":
        client.post("/members/", {"pass_phrase": "open sesame"})
    return client


@pytest.mark.parametrize("kind", SEEN)
def test_no_page_shows_a_name_its_viewer_may_not_see(planted: list[Player], kind: str) -> None:
    pages = dict(crawl(viewer(kind)))
    assert len(pages) > 20
    forbidden = [secret for secret in SECRETS if secret not in SEEN[kind]]
    leaks = [(address, secret) for address, text in pages.items() for secret in forbidden if secret in text.lower()]
    leaks += [(address, secret) for address in pages for secret in forbidden if secret in address.lower()]
    assert not leaks


@pytest.mark.parametrize("kind", SEEN)
def test_whoever_may_see_a_name_does(planted: list[Player], kind: str) -> None:
    everything = " ".join(text.lower() for _, text in crawl(viewer(kind)))
    assert [secret for secret in SECRETS if secret in everything] == [s for s in SECRETS if s in SEEN[kind]]


@pytest.mark.parametrize("page", ["/players/", "/ratings/standard/"])
@pytest.mark.parametrize("secret", SECRETS)
def test_a_search_confirms_no_guess(planted: list[Player], page: str, secret: str) -> None:
    assert Client().get(page, {"q": secret[:9]}).context["found"] == 0


def test_the_order_of_a_list_gives_no_name_away(planted: list[Player]) -> None:
    """Sorted by their true names the private people would stand between the others."""
    rows = Client().get("/players/").context["table"].paginated_rows
    assert [row.record.number for row in rows] == [4, 5, 1, 2, 3]


def test_a_hidden_person_has_no_page_and_nothing_tells_whether_one_exists(planted: list[Player]) -> None:
    client = Client()
    for slug in ("2", "2-hilde-plantedhidden", "3", "999"):
        assert client.get(f"/players/{slug}/").status_code == 404


def test_a_page_that_depends_on_the_viewer_is_not_stored_by_shared_caches(planted: list[Player]) -> None:
    response = viewer("member").get("/ratings/standard/")
    assert "private" in response.headers["Cache-Control"]
    assert "Cookie" in response.headers["Vary"]


def test_the_pass_phrase_opens_and_a_new_one_closes(planted: list[Player], club: Club) -> None:
    client = Client()
    assert "That is not the pass-phrase" in client.post("/members/", {"pass_phrase": "wrong"}).text
    client.post("/members/", {"pass_phrase": "open sesame"})
    assert MINOR in client.get("/players/").text
    update_club({"pass_phrase": "another"}, by=None)
    assert MINOR not in client.get("/players/").text
    assert SESSION_KEY in client.session


def test_leaving_closes_the_members_door(planted: list[Player]) -> None:
    client = viewer("member")
    client.post("/members/", {"leave": "1"})
    assert MINOR not in client.get("/players/").text
