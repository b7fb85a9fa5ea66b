"""A name's reading in another script: stored as entered, found, and shown to whoever sees the name."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from players.models import AuditEvent, Club, Player
from players.people.markup import name_in_text, player_link
from players.people.services import NewPlayer, create_player, create_players, update_player
from players.privacy.rules import MEMBER, NOBODY, OFFICER, Viewer
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tournaments.reports.services.people import who_are_called

pytestmark = pytest.mark.django_db
NAME, READING = "佐藤はるか", "Satō Haruka"
DOT = '<span class="before-reading">\u00a0·</span>'  # stays on the name's line
WISHES = Viewer(wants_readings=True)


@pytest.fixture
def haruka(club: Club) -> Player:
    return create_player(NewPlayer(NAME, reading=f" {READING} "), by=None)


def test_a_reading_is_stored_as_entered_and_never_unasked(haruka: Player) -> None:
    assert haruka.reading == READING
    assert create_player(NewPlayer("Анна Соколова"), by=None).reading == ""
    assert create_player(NewPlayer("Ada", reading="Ada"), by=None).reading == "", "that says nothing"


def test_it_changes_like_a_name_and_the_trail_holds_neither(haruka: Player) -> None:
    _player, fields = update_player(haruka.pk, {"reading": "Sato Haruka"}, by=None)
    assert fields == {"reading"}
    trail = json.dumps([[event.before, event.after] for event in AuditEvent.objects.all()])
    assert "reading" in trail
    assert "Sato" not in trail
    for bad, said in (("--", "at least one letter"), ("a" * 101, "longer than 100")):
        with pytest.raises(Refused, match=said):
            update_player(haruka.pk, {"reading": bad}, by=None)
    both = {"name": "Haruka Sato", "reading": "Haruka Sato"}
    assert update_player(haruka.pk, both, by=None)[0].reading == "", "that says nothing"


def test_it_makes_the_address_and_the_place_in_the_alphabet(haruka: Player, client: Client) -> None:
    """Letter by letter the name would be read as Chinese."""
    assert (haruka.slug, haruka.sort_name) == (f"{haruka.number}-sato-haruka", "sato haruka")
    answer = client.get(f"/players/{haruka.number}-zuotengharuka/")
    assert answer.headers["Location"] == haruka.get_absolute_url(), "the address of before leads on"
    bo = create_player(NewPlayer("Bo Brandt", reading="Бо Брандт"), by=None)
    assert (bo.slug, bo.sort_name) == (f"{bo.number}-bo-brandt", "bo brandt")


@pytest.mark.parametrize(
    ("language", "viewer", "shown"),
    [
        ("en", NOBODY, f"<bdi>{NAME}</bdi>{DOT} <bdi class=\"reading\">{READING}</bdi>"),
        ("en", WISHES, f"<bdi>{READING}</bdi>"),
        ("zh-hans", WISHES, f"<bdi>{READING}</bdi>"),
    ],
)  # fmt: skip
def test_it_stands_beside_the_name_and_alone_for_whoever_wishes_so(
    haruka: Player, language: str, viewer: Viewer, shown: str
) -> None:
    with translation.override(language):
        assert f">{shown}</a>" in player_link(haruka, viewer)


def test_it_stands_in_tables_of_an_event_on_paper_and_on_the_hall_s_screen(
    standard: RatingList, client: Client
) -> None:
    people = create_players([NewPlayer(NAME, reading=READING), NewPlayer("Bo"), NewPlayer("Cleo")], by=None)
    factory.play_all(factory.make_round_robin(people))
    event = "/tournaments/winter-cup/"
    tables = [f"{event}{page}" for page in ("", "standings/", "crosstable/", "rounds/1/", "entries/")]
    pages = [*tables, "/ratings/standard/wall/", f"{event}tv/", f"{event}print/?round=1"]
    for page in pages:
        assert f'<bdi class="reading">{READING}</bdi>' in client.get(page).text, page
    wishing = Client()
    wishing.get("/names/", {"show": "readings"})
    for file in ("standings.csv", "report.trf", "games.pgn"):
        assert READING not in wishing.get(f"{event}{file}").text, file
    Player.objects.filter(name=NAME).update(visibility="initials")
    assert all(READING not in client.get(page).text for page in pages)


def test_whoever_reads_the_name_keeps_it(club: Club) -> None:
    anna = create_player(NewPlayer("Анна Соколова", reading="Anna Sokolova"), by=None)
    with translation.override("ru"):
        assert "><bdi>Анна Соколова</bdi></a>" in player_link(anna, WISHES)
    assert name_in_text(anna, WISHES) == "Anna Sokolova"
    assert name_in_text(anna, NOBODY) == "Анна Соколова"


@pytest.mark.parametrize(
    ("level", "seen"),
    [
        ("public", (True, True, True)),
        ("initials", (False, True, True)),
        ("members", (False, True, True)),
        ("hidden", (False, False, True)),
    ],
)
def test_it_is_seen_by_whoever_sees_the_name(haruka: Player, level: str, seen: tuple[bool, ...]) -> None:
    Player.objects.filter(pk=haruka.pk).update(visibility=level)
    haruka.refresh_from_db()
    for viewer, sees in zip((NOBODY, MEMBER, OFFICER), seen, strict=True):
        for wish in (False, True):
            html = player_link(haruka, Viewer(viewer.level, wish))
            assert (READING in html) == sees


def test_a_file_may_call_somebody_by_the_name_or_by_the_reading(haruka: Player) -> None:
    for called in (NAME, READING, "Haruka Sato", "SATO, Haruka"):
        assert who_are_called([called])[called] == (haruka,), called


def test_the_list_is_searched_by_every_spelling_and_has_ratings(standard: RatingList, client: Client) -> None:
    people = (NewPlayer(NAME, reading=READING), NewPlayer("ليلى منصور", reading="Layla Mansour"))
    for person in people:
        create_player(person, by=None)
    hidden = create_player(NewPlayer("ליאור ברקאי", reading="Lior Barkai", visibility="hidden"), by=None)
    for asked, name in (
        ("sato", NAME),
        ("SATŌ", NAME),
        ("佐藤", NAME),
        ("mansour", people[1].name),
        ("منصور", people[1].name),
    ):
        page = client.get("/players/", {"q": asked})
        assert (page.context["found"], name in page.text) == (1, True), asked
    for asked in ("barkai", "Lior"):
        assert client.get("/players/", {"q": asked}).context["found"] == 0, hidden


def test_a_choice_kept_on_the_device_shows_readings_alone_and_names_again(haruka: Player, client: Client) -> None:
    both = client.get("/players/")
    assert NAME in both.text
    chosen = client.get("/names/", {"show": "readings", "back": "/players/?q=sato"})
    assert chosen.headers["Location"] == "/players/?q=sato"
    page = client.get("/players/")
    assert NAME not in page.text
    assert READING in page.text
    kept = page.headers["ETag"]
    assert kept != both.headers["ETag"]
    assert client.get("/players/", headers={"If-None-Match": kept}).status_code == 304, "kept like everybody's"
    assert NAME in Client().get("/players/").text, "for nobody else"
    assert client.get(f"/api/v1/players/{haruka.number}/").json()["name"] == NAME, "programs read names"
    client.get("/names/", {"back": "/players/"})
    assert NAME in client.get("/players/").text


@pytest.mark.parametrize("back", ["https://example.org/", "//example.org/", "", "players/"])
def test_a_choice_leads_to_no_other_site(club: Club, client: Client, back: str) -> None:
    assert client.get("/names/", {"back": back}).headers["Location"] == "/players/"


@pytest.mark.extended
def test_the_page_of_players_has_ratings_and_costs_the_same_for_many(standard: RatingList, at_most: Any) -> None:
    factory.play_all(factory.make_round_robin(factory.make_players(8)))
    with at_most(6):
        page = Client().get("/players/").text
    assert page.count('<span class="probation">') == 8
    assert "–</td>" not in page
