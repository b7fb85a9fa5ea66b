"""A club evening at the desk: a sheet of ten lines, of which the good ones are saved and the others stay typed."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_players
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tests.tournaments.admin_pages import carried_out, fields_of, hidden_of, url
from tournaments.events.services.events import open_event
from tournaments.free_play.services import record_free_game
from tournaments.models import Entry, Game, Stage, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
MONDAY, TUESDAY = factory.MONDAY, factory.MONDAY + timedelta(days=1)


@pytest.fixture(scope="module")
def people(standard: RatingList) -> list[Player]:
    return factory.make_players(5)


@pytest.fixture(scope="module", autouse=True)
def thursdays(people: list[Player]) -> Tournament:
    return open_event("Thursdays", pool="standard", by=None).tournament


def sheet(*lines: str, day: str = "2026-01-05") -> dict[str, str]:
    """A posted sheet; a line reads "Ada Alvarez 1-0 Bo Brandt" with two blanks between its parts."""
    form = {"played_on": day}
    for number, line in enumerate(lines, start=1):
        white, result, black = line.split("  ")
        form |= {f"white-{number}": white, f"result-{number}": result, f"black-{number}": black}
    return form


def typed(html: str) -> list[tuple[str, str]]:
    """The names still on the sheet."""
    form = fields_of(html)
    pairs = [(form[f"white-{number}"], form[f"black-{number}"]) for number in range(1, 11)]
    return [pair for pair in pairs if any(pair)]


def test_the_sheet_is_of_today_and_suggests_who_plays(desk: Client, thursdays: Tournament) -> None:
    Player.objects.filter(number=2).update(active=False)
    html = desk.get(url("evening", thursdays.pk)).content.decode()
    assert "Bo Brandt" not in html, "whoever does not play any more is not suggested"
    assert fields_of(html)["played_on"] == factory.today().isoformat()
    assert html.count('list="people"') == 20
    assert '<option value="Ada Alvarez"></option>' in html
    assert "No game is entered yet" in html
    html = desk.get(url("evening", thursdays.pk), {"day": "x"}).content.decode()
    assert fields_of(html)["played_on"] == factory.today().isoformat(), "a day that is none is today"
    answer = desk.post(url("evening", thursdays.pk), {"played_on": "2026-01-05"}, follow=True)
    assert "The sheet was empty" in answer.content.decode()


def test_an_evening_is_saved_and_rated(desk: Client, thursdays: Tournament, standard: RatingList) -> None:
    form = sheet("Ada Alvarez  1-0  Bo Brandt", "#3  1/2  #4", "?  0-1  #1") | {"white-3": "  Cleo   Costa "}
    answer = desk.post(url("evening", thursdays.pk), form)
    assert answer["Location"] == f"{url('evening', thursdays.pk)}?day=2026-01-05"
    html = desk.get(answer["Location"]).content.decode()
    assert "3 games are saved and rated" in html
    assert fields_of(html)["played_on"] == "2026-01-05", "the next sheet is of the same evening"
    assert typed(html) == []
    played = Game.objects.order_by("sequence").values_list("white__number", "black__number", "result")
    assert list(played) == [(1, 2, "1-0"), (3, 4, "1/2"), (3, 1, "0-1")]
    assert LedgerEntry.objects.count() == 3
    assert check_list(standard) == []
    for game in Game.objects.all():
        assert reverse("admin:tournaments_game_change", args=[game.pk]) in html


def test_good_lines_are_saved_and_bad_ones_stay_typed(desk: Client, thursdays: Tournament) -> None:
    form = sheet(
        "Ada Alvarez  1-0  Bo Brandt",
        "Nobody Known  1-0  Bo Brandt",
        "Cleo Costa    Dag Dahl",
        "Eva Engel  1/2  ?",
        "Eva Engel  1/2  Eva Engel",
        "#99  0-1  Bo Brandt",
        "Cleo Costa  2-0  Dag Dahl",
    )
    form |= {"black-4": ""}
    answer = desk.post(url("evening", thursdays.pk), form)
    assert answer.status_code == 409
    html = answer.content.decode()
    for words in (
        "nobody is called “Nobody Known”", "Choose a result", "Both players are needed", "two different players",
        "there is no player #99", "1 game is saved and rated", "6 lines are not saved",
    ):  # fmt: skip
        assert words in html, words
    assert typed(html) == [
        ("Nobody Known", "Bo Brandt"), ("Cleo Costa", "Dag Dahl"), ("Eva Engel", ""), ("Eva Engel", "Eva Engel"),
        ("#99", "Bo Brandt"), ("Cleo Costa", "Dag Dahl"),
    ]  # fmt: skip
    assert Game.objects.count() == 1
    again = {name: value for name, value in fields_of(html).items() if not name.startswith("again")}
    answer = desk.post(url("evening", thursdays.pk), again | {"white-1": "Eva Engel", "result-1": "0-1"})
    assert Game.objects.count() == 2, "what was saved left the sheet, so it is not entered twice"


def test_namesakes_are_told_apart_by_number(desk: Client, thursdays: Tournament) -> None:
    create_players([NewPlayer("Ada Alvarez")], by=None)
    html = desk.get(url("evening", thursdays.pk)).content.decode()
    assert '<option value="#1">Ada Alvarez</option>' in html
    assert '<option value="#6">Ada Alvarez</option>' in html
    html = desk.post(url("evening", thursdays.pk), sheet("Ada Alvarez  1-0  Bo Brandt")).content.decode()
    assert "write one of #1, #6 instead of the name" in html


def test_the_same_game_is_asked_about_before_it_is_entered_again(desk: Client, thursdays: Tournament) -> None:
    desk.post(url("evening", thursdays.pk), sheet("Ada Alvarez  1-0  Bo Brandt"))
    form = sheet("Ada Alvarez  1-0  Bo Brandt", "Bo Brandt  1-0  Ada Alvarez")
    answer = desk.post(url("evening", thursdays.pk), form)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "entered already: tick to enter it again" in html
    assert 'name="again-1"' in html
    assert typed(html) == [("Ada Alvarez", "Bo Brandt")]
    assert Game.objects.count() == 2, "the other colours are another game"
    form = sheet("Ada Alvarez  1-0  Bo Brandt") | {"again-1": "on"}
    assert desk.post(url("evening", thursdays.pk), form).status_code == 302
    assert Game.objects.count() == 3


def test_a_wrong_day_or_odd_names_save_nothing_and_the_sheet_is_kept(desk: Client, thursdays: Tournament) -> None:
    for day in ("", "soon", "2190-01-01", "0206-01-05"):
        answer = desk.post(url("evening", thursdays.pk), sheet("Ada Alvarez  1-0  Bo Brandt", day=day))
        html = answer.content.decode()
        assert answer.status_code == 409, day
        assert "Nothing is saved yet" in html, day
        assert typed(html) == [("Ada Alvarez", "Bo Brandt")], day
        assert '<option value="1-0" selected>' in html, day
    for name in ("x" * 5000, "\x00", "#" + "9" * 400, "<b>Ada</b>", "٣"):
        answer = desk.post(url("evening", thursdays.pk), {"played_on": "2026-01-05", "white-1": name, "black-1": "#1"})
        assert answer.status_code == 409, name
        assert "<b>Ada</b>" not in answer.content.decode(), name
    assert not Game.objects.exists()


# --- late -----------------------------------------------------------------------------------------------------
def test_a_late_evening_is_shown_first(
    desk: Client, thursdays: Tournament, people: list[Player], standard: RatingList
) -> None:
    record_free_game(thursdays, people[0], people[1], Result.WHITE_WINS, TUESDAY, by=None)
    form = sheet("Ada Alvarez  1-0  Bo Brandt", "Cleo Costa  1/2  Dag Dahl")
    answer = desk.post(url("evening", thursdays.pk), form)
    assert answer["Location"].startswith(url("evening_late", thursdays.pk))
    assert Game.objects.count() == 1, "nothing is written before it was looked at"
    html = desk.get(answer["Location"]).content.decode()
    assert "Ada Alvarez – Bo Brandt: 1–0, 5 Jan 2026" in html
    assert len(hidden_of(html)["g"]) == 2
    done = carried_out(desk, answer, reason="late-report")
    assert done["Location"] == url("evening", thursdays.pk)
    said = desk.get(done["Location"]).content.decode()
    assert "The games are entered, and every rating behind them" in said
    assert "Corrected" not in said
    assert Game.objects.filter(played_on=MONDAY).count() == 2
    assert check_list(standard) == []
    assert AuditEvent.objects.filter(action="game.inserted", reason="late-report").count() == 2


def test_late_lines_wait_until_the_others_are_right(desk: Client, thursdays: Tournament, people: list[Player]) -> None:
    record_free_game(thursdays, people[0], people[1], Result.WHITE_WINS, TUESDAY, by=None)
    form = sheet("Ada Alvarez  1-0  Bo Brandt", "Nobody Known  1/2  Dag Dahl")
    html = desk.post(url("evening", thursdays.pk), form).content.decode()
    assert typed(html) == [("Nobody Known", "Dag Dahl"), ("Ada Alvarez", "Bo Brandt")]
    assert "you see what this moves" in html
    assert Game.objects.count() == 1
    form = sheet("#1  1-0  #2", "#1  1-0  #2", "Nobody Known  1-0  #2") | {"again-2": "on"}
    assert 'name="again-3" checked' in desk.post(url("evening", thursdays.pk), form).content.decode()


def test_a_late_game_twice_on_the_sheet_is_asked_about(
    desk: Client, thursdays: Tournament, people: list[Player], standard: RatingList
) -> None:
    record_free_game(thursdays, people[0], people[1], Result.WHITE_WINS, TUESDAY, by=None)
    twice = sheet("Ada Alvarez  1-0  Bo Brandt", "#1  1-0  #2", "Bo Brandt  1-0  Ada Alvarez")
    answer = desk.post(url("evening", thursdays.pk), twice)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "This game stands on the sheet already: tick to enter it again" in html
    assert html.count("on the sheet already") == 1, "the other colours are another game"
    assert html.count('name="again-') == 1
    answer = desk.post(url("evening", thursdays.pk), twice | {"again-2": "on"})
    assert len(hidden_of(desk.get(answer["Location"]).content.decode())["g"]) == 3
    carried_out(desk, answer, reason="late-report")
    assert Game.objects.filter(played_on=MONDAY).count() == 3
    assert check_list(standard) == []


# --- names nobody has exactly -----------------------------------------------------------------------------------
def test_a_name_like_one_players_only_is_taken_less_or_like_two_is_not(desk: Client, thursdays: Tournament) -> None:
    for number, name in enumerate(("ada alvarez", "Alvarez, Ada", "ALVAREZ ADA", "Ada Álvarez"), start=5):
        form = sheet(f"{name}  1-0  Bo Brandt", f"{name.lower()}  0-1  Cleo Costa", day=f"2026-01-0{number}")
        html = desk.post(url("evening", thursdays.pk), form, follow=True).content.decode()
        assert "2 games are saved and rated" in html, name
        assert f"“{name}” is taken as Ada Alvarez (#1)." in html
        assert "“Bo Brandt” is taken" not in html
    assert set(Game.objects.values_list("white__number", flat=True)) == {1}
    for name in ("Ada", "Alvarez", "Ada Alvare", "Ada Alvarez Alvarez"):
        html = desk.post(url("evening", thursdays.pk), sheet(f"{name}  1-0  Bo Brandt")).content.decode()
        assert "nobody is called" in html, name
        assert "is taken as" not in html, name
    create_players([NewPlayer("Alvarez Ada")], by=None)
    html = desk.post(url("evening", thursdays.pk), sheet("ada alvarez  1-0  Bo Brandt")).content.decode()
    assert "did you mean Ada Alvarez (#1), Alvarez Ada (#6)?" in html
    assert Game.objects.count() == 8


def test_a_late_address_that_is_not_ours_is_nowhere(desk: Client, thursdays: Tournament, people: list[Player]) -> None:
    malformed = [[], ["1,2"], ["1,2,1-0,soon"], ["1,2,+-,2026-01-05"], ["x,2,1-0,2026-01-05"]]
    for games in (*malformed, ["1,2,1-0,2026-01-05,99"], ["1,999999,1-0,2026-01-05"]):
        assert desk.get(url("evening_late", thursdays.pk), {"g": games}).status_code == 404, games
    against_himself = f"{people[0].pk},{people[0].pk},1-0,2026-01-05"
    answer = desk.get(url("evening_late", thursdays.pk), {"g": against_himself}, follow=True)
    assert "two different players" in answer.content.decode()


# --- ladder -----------------------------------------------------------------------------------------------------
@pytest.fixture
def ladder(people: list[Player]) -> Stage:
    return factory.make_ladder(people)


def test_a_ladder_says_which_places_moved(desk: Client, ladder: Stage) -> None:
    key = ladder.tournament_id
    form = sheet("Bo Brandt  1-0  Ada Alvarez", "Eva Engel  1-0  Bo Brandt", "Cleo Costa  1/2  Dag Dahl")
    html = desk.post(url("evening", key), form, follow=True).content.decode()
    assert "Bo Brandt climbs from 2 to 1" in html
    assert "beyond reach: places stay, rated all the same" in html
    assert '<td class="second">places stay</td>' in html
    assert LedgerEntry.objects.count() == 3


def test_a_ladder_suggests_and_takes_only_who_is_on_it(desk: Client, ladder: Stage, people: list[Player]) -> None:
    create_players([NewPlayer("Zoe Zander")], by=None)
    Entry.objects.filter(player__number=5).update(withdrawn=True)
    html = desk.get(url("evening", ladder.tournament_id)).content.decode()
    assert "Ada Alvarez" in html
    assert "Zoe Zander" not in html
    assert "Eva Engel" not in html
    html = desk.post(url("evening", ladder.tournament_id), sheet("Zoe Zander  1-0  Bo Brandt")).content.decode()
    assert "Player #6 is not on the ladder" in html
    late = f"{people[4].pk},{people[0].pk},1-0,2026-01-05"
    answer = desk.get(url("evening_late", ladder.tournament_id), {"g": late}, follow=True)
    assert "Player #5 is not on the ladder" in answer.content.decode()
    assert not Game.objects.exists()


# --- what is odd --------------------------------------------------------------------------------------------------
def test_a_game_entered_twice_is_marked_beside_both(desk: Client, thursdays: Tournament, people: list[Player]) -> None:
    for again in (False, True):
        record_free_game(thursdays, people[0], people[1], Result.WHITE_WINS, MONDAY, by=None, again=again)
    record_free_game(thursdays, people[2], people[3], Result.WHITE_WINS, MONDAY, by=None)
    html = desk.get(url("evening", thursdays.pk)).content.decode()
    assert html.count('data-mark="duplicate"') == 2
    assert "stands here twice on this day: Thursdays" in html


# --- who may, where, and how much is asked ------------------------------------------------------------------------
def test_only_arbiters_come_here_and_only_open_events_have_evenings(
    client: Client, desk: Client, thursdays: Tournament, people: list[Player]
) -> None:
    cup = factory.make_round_robin(people)
    assert desk.get(url("evening", cup.pk)).status_code == 404
    assert desk.get(url("evening_late", cup.pk)).status_code == 404
    assert desk.get(url("rounds", thursdays.pk))["Location"] == url("evening", thursdays.pk)
    client.force_login(User.objects.create_user("staff", is_staff=True))
    for name in ("evening", "evening_late"):
        assert client.get(url(name, thursdays.pk)).status_code == 403
        assert client.post(url(name, thursdays.pk), sheet("#1  1-0  #2")).status_code == 403
    assert not Game.objects.filter(tournament=thursdays).exists()


@pytest.mark.extended
def test_the_sheet_asks_as_much_after_many_games_as_after_few(
    desk: Client, thursdays: Tournament, people: list[Player]
) -> None:
    counts = []
    for more in (1, 9):
        for number in range(more):
            day = MONDAY + timedelta(days=number + more)
            record_free_game(thursdays, people[0], people[1], Result.DRAW, day, by=None)
        factory.make_players(more)
        with CaptureQueriesContext(connection) as queries:
            desk.get(url("evening", thursdays.pk))
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 22
