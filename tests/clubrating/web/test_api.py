"""The club's data for programs: every address answers, tells what the page tells, changes nothing."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Player, Visibility
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages import page_cases
from tournaments.models import Game, Round, Tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
CUP = "/api/v1/tournaments/winter-cup/"


standard = club_and_list


@pytest.fixture(scope="module")
def cup(standard: RatingList) -> Tournament:
    cup = factory.make_round_robin(factory.make_players(5))
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    return cup


def data(address: str, client: Client | None = None, status: int = 200) -> dict[str, Any]:
    response = (client or Client()).get(address)
    assert response.status_code == status, response.text
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    found: dict[str, Any] = response.json()
    return found


def test_it_begins_with_the_addresses_of_all_there_is(cup: Tournament) -> None:
    found = data("/api/v1/")
    assert (found["version"], found["club"]) == (1, "Test Club")
    for noun in ("ratings", "tournaments", "players"):
        assert data(found[noun].removeprefix("http://testserver"))[noun]


def test_the_lists_with_the_days_they_were_published_for(cup: Tournament, standard: RatingList) -> None:
    publish_list(standard, factory.MONDAY, by=None)
    (found,) = data("/api/v1/ratings/")["ratings"]
    assert (found["slug"], found["provisional_games"], found["published"]) == ("standard", 30, ["2026-01-05"])


def test_a_list_that_is_not_public_is_for_officers(cup: Tournament, standard: RatingList) -> None:
    RatingList.objects.update(public=False)
    officer = Client()
    officer.force_login(factory.make_arbiter())
    assert data("/api/v1/ratings/")["ratings"] == []
    assert data("/api/v1/ratings/standard/", status=404) == {"error": "There is no such list."}
    assert len(data("/api/v1/ratings/", officer)["ratings"]) == 1


def test_events_and_their_rules(cup: Tournament) -> None:
    (line,) = data("/api/v1/tournaments/")["tournaments"]
    one = data(CUP)
    assert line.items() <= one.items()
    assert (one["state"], one["format"], one["players"], one["rounds"], one["games"]) == (
        *("running", ["round-robin"]),
        *(5, 5, 2),
    )
    assert (one["game"], one["points"], one["tiebreaks"]) == ("chess", "classic", ["SB", "WIN", "DE"])


def test_standings_are_those_of_the_page(cup: Tournament) -> None:
    rows = data(f"{CUP}standings/")["rows"]
    page = Client().get("/tournaments/winter-cup/standings/").context["parts"][0][0]
    assert [(row["place"], row["pairing_number"]) for row in rows] == [
        (row.place, row.player) for row in page.ranked.rows
    ]
    assert sorted(row["points"] for row in rows if row["games"]) == [0, 0.5, 0.5, 1]
    assert {"SB", "WIN", "DE", "rating", "player", "number", "last_place"} < set(rows[0])


def test_rounds_all_or_one(cup: Tournament) -> None:
    everything, second = data(f"{CUP}rounds/")["rows"], data(f"{CUP}rounds/2/")
    assert {row["round"] for row in everything} == {1, 2, 3, 4, 5}
    assert second["rows"] == [row for row in everything if row["round"] == 2]
    played = [row["result"] for row in data(f"{CUP}rounds/1/")["rows"] if row["board"]]
    assert played == ["1-0", "1/2-1/2"]
    assert data(f"{CUP}rounds/9/", status=404) == {"error": "There is no such round."}


def test_a_draft_is_there_for_officers_only(cup: Tournament) -> None:
    Round.objects.filter(number=5).update(state=Round.State.DRAFT)
    officer = Client()
    officer.force_login(factory.make_arbiter())
    assert data(f"{CUP}rounds/5/", status=404)
    assert data(f"{CUP}rounds/5/", officer)["rows"]


def test_people_by_name_with_their_ratings(cup: Tournament) -> None:
    names = [row["name"] for row in data("/api/v1/players/")["players"]]
    assert names == sorted(names)
    assert data("/api/v1/players/?q=alvarez")["players"] == data("/api/v1/players/?q=ALVAREZ")["players"]
    one = data(f"/api/v1/players/{Game.objects.exclude(result='')[0].white.number}/")
    (rating,) = one["ratings"]
    assert (rating["list"], rating["provisional"], one["active"]) == ("standard", True, True)
    Player.objects.filter(number=one["number"]).update(active=False)
    assert not data(f"/api/v1/players/{one['number']}/")["active"]


def test_a_person_is_told_of_as_the_viewer_may_see_him(cup: Tournament) -> None:
    hidden, initials = Player.objects.order_by("number")[:2]
    Player.objects.filter(pk=hidden.pk).update(visibility=Visibility.HIDDEN, title="CM")
    Player.objects.filter(pk=initials.pk).update(visibility=Visibility.INITIALS, title="CM")
    assert data(f"/api/v1/players/{hidden.number}/", status=404)
    shown = data(f"/api/v1/players/{initials.number}/")
    assert set(shown) == {"number", "name", "ratings"}
    everything = "".join(
        Client().get(address).text for address in ("/api/v1/players/", f"{CUP}entries/", f"{CUP}rounds/")
    )
    assert hidden.name not in everything
    assert initials.name not in everything
    assert "CM" not in everything


def test_a_record_merged_twice_leads_to_the_one_that_is_left(cup: Tournament) -> None:
    one, two, three = Player.objects.order_by("number")[:3]
    Player.objects.filter(pk=one.pk).update(merged_into=two)
    Player.objects.filter(pk=two.pk).update(merged_into=three)
    assert data(f"/api/v1/players/{one.number}/")["number"] == three.number
    for hidden in (three, one):
        Player.objects.update(visibility=Visibility.PUBLIC)
        Player.objects.filter(pk=hidden.pk).update(visibility=Visibility.HIDDEN)
        assert data(f"/api/v1/players/{one.number}/", status=404), "nor whose a hidden record became"


def test_a_ladder_and_club_evenings(cup: Tournament) -> None:
    ladder = page_cases.make_event(factory.make_players(3), "ladder", name="Ladder")
    page_cases.make_event([], "free", name="Evenings")
    assert [row["place"] for row in data(f"/api/v1/tournaments/{ladder.slug}/standings/")["rows"]] == [1, 2, 3]
    assert "games.pgn" in data("/api/v1/tournaments/evenings/rounds/", status=404)["error"]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/", 404),
        ("/api/v2/ratings/", 404),
        ("/api/v1/nothing/", 404),
        ("/api/v1/tournaments/none/", 404),
        ("/api/v1/tournaments/none/entries/", 404),
        ("/api/v1/players/99999999999999999999/", 404),
        ("/api/v1/players/?page=0", 400),
        ("/api/v1/tournaments/?page=-1", 400),
        ("/api/v1/ratings/standard/?from=x", 400),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(cup: Tournament, address: str, status: int) -> None:
    assert data(address, status=status)["error"].endswith((".", "there is."))


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_can_be_changed(cup: Tournament, method: str) -> None:
    for address in ("/api/v1/players/", CUP, "/api/v1/ratings/standard/"):
        assert getattr(Client(enforce_csrf_checks=True), method)(address).status_code in (403, 405)


def test_a_hundred_rows_are_a_page_and_the_rest_is_on_the_next(cup: Tournament) -> None:
    factory.make_players(96)
    first, second = (data(f"/api/v1/players/?page={number}") for number in (1, 2))
    assert [(len(page["players"]), page["next"]) for page in (first, second)] == [(100, 2), (1, None)]
    assert len({row["number"] for page in (first, second) for row in page["players"]}) == 101
    Player.objects.latest("number").delete()
    assert data("/api/v1/players/")["next"] is None


def test_a_page_behind_the_last_one_is_empty(cup: Tournament) -> None:
    assert data("/api/v1/players/?page=999999999") == {"page": 999999999, "next": None, "players": []}


@pytest.mark.extended
@pytest.mark.parametrize("address", ["/api/v1/players/", "/api/v1/tournaments/", f"{CUP}standings/", f"{CUP}rounds/"])
def test_the_number_of_queries_does_not_grow(cup: Tournament, address: str) -> None:
    with CaptureQueriesContext(connection) as few:
        data(address)
    factory.make_round_robin(factory.make_players(20), name="Greater cup")
    with CaptureQueriesContext(connection) as many:
        data(address.replace("winter-cup", "greater-cup"))
    assert len(many) == len(few) < 14
