"""The leak scanner: nobody finds a name that is not shown to them, on any page, in any address, by any search.

Two people with planted names are in everything the public can open; every page is crawled as nobody, as a member and as
an officer. It grows with the site: a page the crawler reaches is scanned without anybody adding it here.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http.response import ResponseHeaders
from django.test import Client, override_settings
from django.urls import resolve
from pytest_django import Settings

from clubrating.web.languages import path_in
from players.club.services import update_club
from players.club.views import WRONG_TRIES
from players.links.services.personal_links import make_personal_link
from players.models import Player
from players.people.selectors import SESSION_KEY
from players.people.services import NewPlayer, create_players, set_identities
from ratings.lists.services import NewStart, create_list
from ratings.models import RatingList
from tests import factory, leak_cases
from tests.browser.crawling import Found
from tests.choosing import everything
from tests.leak_cases import MINOR, NOTE, PUBLISHED_ON, SECRETS, SEEN, named_in, viewer
from tests.players.links.link_cases import switch_links_on
from tests.reachable import FEED, IN_ORDER, answers, links_of, text_of
from tournaments.entries.services.entries import enter_players, number_by_rating
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.merging.services import merge_players
from tournaments.models import Game, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
EMBED_HOSTS = ["www.example.org"]
planted = leak_cases.planted


@pytest.fixture(scope="module")
def crawled(planted: list[Player]) -> dict[str, dict[str, tuple[str, ResponseHeaders]]]:
    """What each viewer reaches: pages and files by address, with what the server says of each."""
    found = {}
    for kind in SEEN:
        with transaction.atomic(), override_settings(EMBED_HOSTS=EMBED_HOSTS):
            # The public may see least: of every event and person its crawl takes a page of each kind, the others' one
            # page of each kind. With --all everybody's takes every page.
            few = None if everything() or kind == "nobody" else 1
            each = answers(viewer(kind), few, always=ALWAYS)
            found[kind] = {address: (text_of(answer.content), answer.headers) for address, answer in each}
            transaction.set_rollback(True)
    return found


@pytest.fixture(scope="module")
def read(crawled: dict[str, dict[str, tuple[str, ResponseHeaders]]]) -> dict[str, dict[str, str]]:
    return {kind: {address: text for address, (text, _headers) in pages.items()} for kind, pages in crawled.items()}


FRAMES = ("standings", "pairings")
TEAMS = "/tournaments/team-league/"
TEAM_PAGES = (
    "matches/1/1/",
    "rounds/1/",
    "teams/",
    "teams/2/",
    "players/",
    "teams.csv",
    "pairings.csv",
    "results.atom",
)
TABLES = ("entries.csv", "entries.xlsx", "pairings.csv", "pairings.xlsx", "standings.csv", "standings.xlsx")
FILES = (*TABLES, "games.pgn", "report.trf")
CALENDARS = ("/tournaments/winter-cup/calendar.ics", "/tournaments/calendar.ics", f"{TEAMS}calendar.ics")
FULL = (
    *(f"/tournaments/winter-cup/{file}" for file in FILES),
    *("/tournaments/cup/bracket/", "/tournaments/cup/rounds/1/?order=name", "/tournaments/ladder/"),
)
CARDS = tuple(f"/tournaments/winter-cup/entries/{number}/" for number in (1, 2, 5))
STANDARD = "/ratings/standard/"
# What tests ask for by name, each viewer opens.
ALWAYS = (
    *(*IN_ORDER, *FULL, *CALENDARS, *CARDS),
    *(TEAMS + page for page in TEAM_PAGES),
    *("/ratings/corrections/", "/api/v1/players/1/"),
)


@pytest.mark.parametrize("kind", SEEN)
def test_every_page_and_file_names_whom_its_viewer_may_see_and_nobody_else(
    planted: list[Player], read: dict[str, dict[str, str]], kind: str
) -> None:
    """The public player stands in every file: one that is not read, or is empty, hides nobody."""
    pages, seen = read[kind], list(SEEN[kind])
    assert len(pages) > (200 if everything() else 100)
    for part in ("/why/", "/vs/", "/tv/", "/wall/", "/feeds/results.atom", "/api/v1/players/1/", "list.json", "hx-get"):
        assert any(part in address for address in pages) or any(part in text for text in pages.values()), part
    forbidden = set(SECRETS) - set(seen)
    assert not [
        (address, name) for address, text in pages.items() for name in named_in(address + text) if name in forbidden
    ]
    assert named_in(" ".join(pages.values())) == seen
    for address in FULL:
        assert "ada alvarez" in pages[address].lower(), address
        assert named_in(pages[address]) == [name for name in seen if name.isascii()], address
    for page in TEAM_PAGES:
        address = f"/tournaments/team-league/{page}"
        assert "ada alvarez" in pages[address].lower(), address
        assert set(named_in(pages[address])) <= set(seen), address
    for address in (*CALENDARS, "/sitemap.xml"):
        assert not [player.name for player in planted if player.name in pages[address]]
    client = viewer(kind)
    for other in in_another_language(pages):
        answer = client.get(other)
        text = text_of(answer.content) if answer.status_code == 200 else ""
        assert not set(named_in(text)) & forbidden, other


def in_another_language(pages: dict[str, str]) -> Iterator[str]:
    """The fullest page of each view in Russian; in short only of those that name anybody."""
    shortest_first = sorted(pages, key=lambda address: len(pages[address]))
    translated = [address for address in shortest_first if "?" not in address and path_in(address, "ru") != address]
    if not everything():
        translated = [address for address in translated if "alvarez" in pages[address].lower()]
    by_view = {resolve(address).view_name: address for address in translated}
    yield from (path_in(address, "ru") for address in by_view.values() if "/why/" not in address)


def test_every_kind_of_page_is_valid_and_asks_no_other_host(read: dict[str, dict[str, str]]) -> None:
    """The fullest page of each view. With --all the whole demo club is judged so, in every language."""
    pages = read["officer"]
    html = sorted((text, address) for address, text in pages.items() if text.lstrip().lower().startswith("<!doctype"))
    fullest = {
        resolve(urlsplit(address).path).view_name: (address, text)
        for text, address in sorted(html, key=lambda page: len(page[0]))
    }
    assert len(fullest) > 40
    host = "http://testserver"
    assert [fault for address, text in fullest.values() for fault in Found(host + address, text).faults(host)] == []


def test_a_list_that_is_not_public_stands_on_no_page_of_the_public(read: dict[str, dict[str, str]]) -> None:
    named = {
        kind: [address for address, text in pages.items() if "committeelist" in (address + text).lower()]
        for kind, pages in read.items()
    }
    assert not named["nobody"]
    assert not named["member"]
    assert named["officer"]


def test_the_crawler_reads_earlier_lists_their_differences_and_their_files(read: dict[str, dict[str, str]]) -> None:
    pages = read["nobody"]
    for query in (f"?on={PUBLISHED_ON}", f"?known={PUBLISHED_ON}"):
        assert "known otherwise now" in pages[STANDARD + query]
        assert "place,number,player" in pages[f"{STANDARD}list.csv{query}"]
    assert "2016" not in pages[f"{STANDARD}list.csv?on={PUBLISHED_ON}"], "no year of birth"


def test_the_crawler_reads_everybodys_card_and_the_progress(read: dict[str, dict[str, str]]) -> None:
    for part in ("entries/1/", "entries/2/", "entries/5/", "progress/", "crosstable/?order=number"):
        assert "ada alvarez" in read["nobody"][f"/tournaments/winter-cup/{part}"].lower()


def test_no_file_of_a_knockout_names_who_is_not_shown(planted: list[Player]) -> None:
    """The bracket and its matches are read by other ways than boards."""
    factory.make_knockout(planted)
    for file in (*FILES, "calendar/", "calendar.ics"):
        text = text_of(viewer("nobody").get(f"/tournaments/autumn-cup/{file}").content)
        assert ("ada alvarez" in text.lower()) == (file != "calendar.ics"), file
        assert not named_in(text), file


def test_files_tell_titles_and_federation_numbers_only_with_the_name(planted: list[Player]) -> None:
    Player.objects.filter(number__lte=3).update(title="CM")
    for player in planted[:3]:
        set_identities(player, {"fide": f"77700{player.number}"}, by=None)
    for file in FILES:
        text = text_of(viewer("nobody").get(f"/tournaments/winter-cup/{file}").content)
        assert "CM" not in text
        assert "77700" not in text
    found = text_of(viewer("member").get("/tournaments/winter-cup/games.pgn").content)
    assert '[WhiteFideId "777001"]' in found or '[BlackFideId "777001"]' in found
    assert "777002" not in found, "hidden from members too"


def test_the_order_of_a_pairing_list_gives_no_name_away(planted: list[Player]) -> None:
    """By name, whoever is not shown by name stands at the end, by number."""
    page = viewer("nobody").get("/tournaments/winter-cup/rounds/1/?order=name").context["round_parts"][0].table
    assert [row.record.entrant.player.number for row in page.rows] == [4, 5, 1, 2, 3]


def test_a_device_known_by_a_link_reads_no_name_more_and_the_secret_stands_nowhere(
    planted: list[Player], caplog: pytest.LogCaptureFixture
) -> None:
    switch_links_on()
    Tournament.objects.filter(slug="winter-cup").update(player_results="agreed")
    games = Game.objects.filter(tournament__slug="winter-cup", pairing__round__isnull=False)
    paths = ["/", "/mine/", "/mine/link/", "/tournaments/winter-cup/absent/", "/tournaments/winter-cup/rounds/1/"]
    paths += [f"/tournaments/winter-cup/games/{key}/" for key in games.values_list("pk", flat=True)]
    for player in planted[:3]:
        phone = Client()
        _link, secret = make_personal_link(player.pk, by=None)
        with caplog.at_level("DEBUG"):
            assert phone.post("/mine/link/", {"secret": secret}).status_code == 302
            read = {path: phone.get(path).text for path in paths}
            read["feed"] = phone.get(FEED).text + Client().get("/tournaments/winter-cup/results.atom").text
        assert not [(path, name) for path, text in read.items() for name in named_in(text)]
        key = phone.cookies["club-link"].value
        assert not [path for path, text in read.items() if secret in text or key in text]
        assert secret not in caplog.text


@pytest.mark.parametrize("kind", SEEN)
def test_who_corrected_and_the_note_are_for_officers(
    planted: list[Player], read: dict[str, dict[str, str]], kind: str
) -> None:
    """And what a correction moved is told of nobody whose name is not shown; the scan above reads the page too."""
    html = read[kind]["/ratings/corrections/"]
    assert "decision on an appeal" in html
    assert (NOTE in html) == (kind == "officer")
    changes = html.count("most ")
    assert kind == "nobody" or changes == {"member": 1, "officer": 2}[kind], "the private list moved too"
    for private in planted[:3]:
        if private.name.split()[1].lower() not in SEEN[kind]:
            assert private.name not in html


def test_a_search_confirms_no_guess(planted: list[Player]) -> None:
    for page in ("/players/", "/ratings/standard/"):
        for secret in SECRETS:
            assert Client().get(page, {"q": secret[:9]}).context["found"] == 0, (page, secret)
    for secret in SECRETS:
        for guess in (secret, f"{secret[:4]}x{secret[5:]}", f"{secret[:4]}{secret[5:]}"):
            for page in ("/search/", "/search/found/"):
                assert not Client().get(page, {"q": guess}).context["people"], guess


def test_the_order_of_a_list_or_of_entries_gives_no_name_away(planted: list[Player]) -> None:
    """Sorted by their true names the private people would stand between the others. Neither numbers by rating nor
    entries ticked at the desk follow the alphabet of names that are not shown."""
    rows = Client().get("/players/").context["table"].paginated_rows
    assert [row.record.number for row in rows] == [4, 5, 1, 2, 3]
    cup = create_tournament(NewTournament("Autumn Cup"), by=None)
    desk = viewer("officer")
    desk.post(f"/admin/tournaments/tournament/{cup.pk}/entries/", {"do": "enter", "player": [p.pk for p in planted]})
    assert [entry.player.number for entry in cup.entries.order_by("pk")] == [1, 2, 3, 4, 5]
    cup.entries.update(rating=None)
    number_by_rating(cup.stages.get(), by=None)
    assert [entry.player.number for entry in cup.entries.order_by("number")] == [4, 5, 1, 2, 3]


def test_what_would_tell_an_age_is_shown_where_the_name_is(planted: list[Player]) -> None:
    """K is 40 for juniors for longer than for others, so a child's change would tell that it is a child."""
    Player.objects.filter(number=1).update(title="CM", joined_on="2025-01-01")
    cup = Tournament.objects.get(slug="winter-cup")
    for number in (2, 3):
        factory.play_round(cup, number, [Result.WHITE_WINS, Result.DRAW])
    public, member = viewer("nobody"), viewer("member")
    assert "Rated games" in public.get("/players/1/").text
    for found in ("CM", "January 2025", "<polyline", "change num"):
        assert found not in public.get("/players/1/").text
        assert found in member.get("/players/1/").text
    (table,) = [section.table for row in public.get("/tournaments/winter-cup/").context["parts"] for section in row]
    changes = [row.record.change for row in table.rows]
    assert changes.count(None) >= 3
    assert "CM" not in public.get("/players/").text


def test_a_rating_from_a_list_that_is_not_public_is_for_officers(planted: list[Player]) -> None:
    private = create_list(name="Secret", slug="secret", pool="secret", by=None)
    bring_starting_ratings(private, [NewStart(planted[3].pk, factory.MONDAY, 1777, 50)], by=None)
    RatingList.objects.filter(pk=private.pk).update(public=False)
    cup = create_tournament(NewTournament("Closed Cup", pool="secret"), by=None)
    enter_players(cup, planted[3:], by=None)
    assert "1777" not in viewer("nobody").get("/tournaments/closed-cup/entries/").text
    assert "1777" in viewer("officer").get("/tournaments/closed-cup/entries/").text


def test_a_hidden_person_has_no_page_and_nothing_tells_whether_one_exists(planted: list[Player]) -> None:
    client = Client()
    for slug in ("2", "2-hilde-plantedhidden", "3", "999"):
        assert client.get(f"/players/{slug}/").status_code == 404
    (twin,) = create_players([NewPlayer("Hilde Plantedtwin", visibility="hidden")], by=None)
    merge_players(keep=planted[3].pk, gone=twin.pk, by=None, reason="duplicate")
    old = f"/players/{twin.number}/"
    assert client.get(old).status_code == 404, "nor whose record became part of whose"
    assert viewer("officer").get(old).headers["Location"] == f"/players/{planted[3].slug}/"


def test_a_page_that_depends_on_the_viewer_is_not_stored_by_shared_caches(planted: list[Player]) -> None:
    response = viewer("member").get("/ratings/standard/")
    assert "private" in response.headers["Cache-Control"]
    assert "no-store" in response.headers["Cache-Control"], "Back on a shared machine shows nothing"
    assert "Cookie" in response.headers["Vary"]


def test_the_pass_phrase_opens_leaving_and_a_new_one_close(planted: list[Player]) -> None:
    client = Client()
    assert "That is not the pass-phrase" in client.post("/members/", {"pass_phrase": "wrong"}).text
    client.post("/members/", {"pass_phrase": "open sesame"})
    assert MINOR in client.get("/players/").text
    client.post("/members/", {"leave": "1"})
    assert MINOR not in client.get("/players/").text
    client.post("/members/", {"pass_phrase": "open sesame"})
    update_club({"pass_phrase": "another"}, by=None)
    assert MINOR not in client.get("/players/").text
    assert SESSION_KEY in client.session


def test_the_door_is_patient_but_not_a_guessers_toy(planted: list[Player]) -> None:
    cache.clear()
    client = Client()
    answers = [client.post("/members/", {"pass_phrase": f"guess {number}"}) for number in range(WRONG_TRIES + 1)]
    assert {answer.status_code for answer in answers[:-1]} == {200}
    assert answers[-1].status_code == 429
    assert "in ten minutes" in client.post("/members/", {"pass_phrase": "open sesame"}).text
    cache.clear()


def test_a_frame_shows_what_the_public_sees_whoever_looks(planted: list[Player], settings: Settings) -> None:
    settings.EMBED_HOSTS = EMBED_HOSTS
    events = [f"/embed/events/{event.slug}/{part}/" for event in Tournament.objects.all() for part in FRAMES]
    pages = {address: Client().get(address) for address in [*events, "/embed/ratings/standard/"]}
    shown = {address: page.text for address, page in pages.items() if page.status_code == 200}
    assert len(shown) >= 8
    desk = viewer("officer")
    for address, text in shown.items():
        page = desk.get(address)
        assert (page.text, not page.cookies, named_in(text)) == (text, True, []), address
        assert all(link.startswith(("/", "http://testserver/")) for link in links_of(address, text)), address
    assert desk.get("/embed/ratings/committeelist/").status_code == 404


def test_nothing_stands_in_a_frame_but_what_is_made_for_one(
    crawled: dict[str, dict[str, tuple[str, ResponseHeaders]]], settings: Settings
) -> None:
    settings.EMBED_HOSTS = EMBED_HOSTS
    framed = {True: "frame-ancestors www.example.org", False: "frame-ancestors 'none'"}
    desk = viewer("officer")
    headers = {address: said for address, (_text, said) in crawled["officer"].items()}
    for address in ("/admin/", "/admin/tournaments/tournament/", "/account/"):
        headers[address] = desk.get(address).headers
    for address in ("/embed/ratings/standard/", "/ru/embed/ratings/standard/"):
        headers[address] = Client().get(address).headers
    for address, said in headers.items():
        is_made = "/embed/" in address
        policy = said["Content-Security-Policy"].split("; ")
        assert (framed[is_made] in policy, "X-Frame-Options" in said) == (True, not is_made), address
    assert "X-Frame-Options" in Client().get("/embed/ratings/nothing/").headers
