"""Members from a file, on the page of players: seen first, with the day; carried out as it was seen."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubrating.site.people.admin import members
from players.models import AuditEvent, Player
from players.officers.roles import RATING_OFFICER, group_of
from ratings.models import PlayerRating, RatingList, StartingRating
from ratings.systems.base import Moment
from tests import factory
from tests.factory import MONDAY
from tournaments.rated_games.selectors.games import first_rated_moments
from tournaments.rated_games.services.people import Touched, reach_of
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
PAGE = "/admin/players/player/members/"


@pytest.fixture
def desk(client: Client, standard: RatingList) -> Client:
    client.force_login(make_bringer())
    return client


def make_bringer() -> User:
    """An arbiter who is rating officer too."""
    user = factory.make_arbiter()
    user.groups.add(group_of(RATING_OFFICER))
    return user


def send(desk: Client, text: str, on: str = "") -> HttpResponse:
    """The file as it is uploaded."""
    file = SimpleUploadedFile("members.csv", text.encode())
    return desk.post(PAGE, {"file": file, "rating_list": RatingList.objects.get(slug="standard").pk, "on": on})


def go_on(desk: Client, shown: HttpResponse, do: str, on: str | None = None, **more: str) -> HttpResponse:
    """The form of the preview, sent back."""
    data = {name: shown.context.get(name) or "" for name in ("kept", "seal")}
    day = shown.context["terms"].initial["on"].isoformat() if on is None else on
    return desk.post(
        PAGE,
        {**data, "rating_list": RatingList.objects.get(slug="standard").pk, "on": day, "do": do, **more},
        follow=True,
    )


def test_a_new_clubs_list_is_shown_and_brought_in(desk: Client) -> None:
    assert PAGE in desk.get(reverse("admin:players_player_changelist")).text
    shown = send(
        desk,
        "ФИО;Рейтинг;Дата рождения;Клуб\nАнна Соколова;1800;04.05.1990;Юность\nBo;;;\nhttps://chess\n",
        "2026-01-05",
    )
    assert "line 4: “https://chess” is no player’s row and is left out" in shown.text
    assert "A column of the file is not used: клуб." in shown.text
    assert "Анна Соколова" in shown.text
    assert not Player.objects.exists()
    text = go_on(desk, shown, "bring").text
    assert "2 people are new, 0 changed, 0 were here already." in text
    anna = Player.objects.get(number=1)
    assert (anna.name, anna.birth_year) == ("Анна Соколова", 1990)
    assert StartingRating.objects.values_list("on", "rating").get() == (MONDAY, 1800)
    again = send(desk, "name,elo\nАнна Соколова,1800\n", "2026-01-05")
    assert "Everything in the file is here already." in again.text


def test_where_games_stand_before_the_day_is_asked_and_what_moves_is_shown(desk: Client, standard: RatingList) -> None:
    factory.play_all(factory.make_round_robin(factory.make_players(2)), Result.WHITE_WINS)
    asked = send(desk, "name,elo,games,born\nAda Alvarez,1992,50,1990\n")
    assert asked.status_code == 400
    assert "the first on 5 Jan 2026, of: Ada Alvarez" in asked.text
    shown = go_on(desk, asked, "look")
    moved = go_on(desk, shown, "bring")
    assert {line.player.number for line in moved.context["preview"].lists[0].moves} == {1, 2}
    assert "is needed from" not in moved.text, "it holds from the first game on"
    assert not StartingRating.objects.exists()
    seen = {"seen": str(moved.context["preview"].seen), "note": ""}
    assert "This field is required" in go_on(desk, shown, "commit", **seen).text
    done = go_on(desk, shown, "commit", **seen, reason="late-report")
    assert "0 people are new, 1 changed, 0 were here already." in done.text
    assert StartingRating.objects.get().on == MONDAY
    assert PlayerRating.objects.get(player__number=1).games == 51
    assert check_list(standard) == []
    event = AuditEvent.objects.get(action="starting-rating.entered")
    assert (event.reason, event.effect["standard"]["games"]) == ("late-report", 1)
    born = AuditEvent.objects.get(action="player.changed")
    assert (born.reason, born.effect["standard"]["games"]) == ("late-report", 1)


def test_without_the_right_to_enter_ratings_the_people_come_without(client: Client, standard: RatingList) -> None:
    client.force_login(factory.make_arbiter("plain"))
    text = "name,elo,games,born\nAda,1800,40,1990\nBo,,,1991\n"
    shown = send(client, text, "2026-01-05")
    assert "you may not enter starting ratings" in shown.text
    assert "1800" not in shown.text
    assert "2 people are new" in go_on(client, shown, "bring").text
    assert list(Player.objects.order_by("number").values_list("name", "birth_year")) == [("Ada", 1990), ("Bo", 1991)]
    assert not StartingRating.objects.exists()
    client.force_login(make_bringer())
    both = send(client, text, "2026-01-05")
    assert "you may not" not in both.text
    assert go_on(client, shown, "bring").status_code == 400, "what one officer saw another does not carry out"
    go_on(client, both, "bring")
    assert StartingRating.objects.get().rating == 1800


def test_a_day_after_the_games_says_who_is_rated_without_it(desk: Client) -> None:
    factory.play_all(factory.make_round_robin(factory.make_players(2)))
    ada, bo = Player.objects.order_by("number")
    before = {
        "on": date(2020, 1, 1),
        "rating": 1600,
        "games": 5,
        "player": ada,
        "rating_list": RatingList.objects.get(),
    }
    rapid, later = factory.make_list("rapid", pool="rapid", primary=False), factory.today() + timedelta(days=1)
    for more, said in (({"player": bo}, True), ({"rating_list": rapid}, True), ({"on": later}, True), ({}, False)):
        StartingRating.objects.create(**{**before, **more})
        shown = send(desk, "name,elo\nAda Alvarez,1992\n", factory.today().isoformat())
        assert ("is needed from 5 Jan 2026" in go_on(desk, shown, "bring").text) is said, "his own earlier one holds"


def test_what_was_not_shown_is_not_carried_out(desk: Client) -> None:
    shown = send(desk, "name,elo\nAda,1800\n", "2026-01-05")
    for day in ("2026-01-06", (factory.today() + timedelta(days=1)).isoformat()):
        assert go_on(desk, shown, "bring", on=day).status_code == 400
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("who,elo\nAda,1800\n", "The header lacks “player”"),
        ("name,elo\nAda,strong\n", "line 2: rating “strong” is not known"),
        ("name\n", "The file names nobody"),
        ("name,elo,rtg\nAda,1,2\n", "say the same"),
    ],
)
def test_a_file_of_no_use_is_refused_with_the_place(desk: Client, text: str, sentence: str) -> None:
    answer = send(desk, text)
    assert (answer.status_code, sentence in answer.text) == (400, True)


def test_too_much_is_refused_and_before_there_is_a_list_it_is_said(
    desk: Client, standard: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "MOST_LINES", 1)
    assert "more than 1 people: load it with “manage.py import_players”" in send(desk, "name\nAda\nBo\n").text
    for largest, sentence in ((8, "larger than 5 MB"), (9, "Ada")):
        monkeypatch.setattr(members, "LARGEST", largest)
        assert sentence in send(desk, "name\nAda\n").text
    standard.delete()
    assert "There is no rating list yet" in desk.get(PAGE).text
    assert not Player.objects.exists()


@pytest.mark.extended
def test_the_preview_and_its_reach_ask_as_much_for_many_as_for_few(desk: Client) -> None:
    factory.make_players(8)
    people = factory.first_players(8)
    factory.play_all(factory.make_round_robin(people))
    counts = []
    for some in (people[:2], people):
        with CaptureQueriesContext(connection) as asked:
            text = "".join(f"{player.name},1800,1990\n" for player in some)
            assert send(desk, f"name,elo,born\n{text}", "2026-01-05").status_code == 200
            begin, firsts = reach_of([Touched(player, True, True) for player in some], "standard", MONDAY)
        counts.append(len(asked))
        assert firsts == {player.pk: first_rated_moments(player) for player in some}
        assert begin == {"standard": Moment(MONDAY)}
    assert counts[0] == counts[1]
