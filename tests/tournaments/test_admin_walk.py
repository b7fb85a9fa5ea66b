"""The arbiter's evening in the admin, from the first player to a corrected result, through the real forms; and what
happens to forms that are stale, wrong or not ours."""

import re
from datetime import date

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import AuditEvent, Player
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import factory
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.services.entries import remove_entry
from tournaments.services.rating import check_list
from tournaments.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
ANSWERED = {200, 302}


@pytest.fixture
def arbiter(standard: RatingList) -> User:
    return factory.make_arbiter()


@pytest.fixture
def desk(client: Client, arbiter: User) -> Client:
    client.force_login(arbiter)
    return client


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    """Five players, so one has a bye in every round."""
    return factory.make_round_robin(factory.make_players(5))


def url(name: str, key: int) -> str:
    return reverse(f"admin:tournaments_tournament_{name}", args=[key])


def fields_of(html: str) -> dict[str, str]:
    """The values a browser would post of a page's forms: hidden inputs and chosen radios."""
    found = {}
    for tag in re.findall(r"<input[^>]*>", html):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        chosen = " checked" in tag or attributes.get("type") not in ("radio", "checkbox")
        if chosen and "name" in attributes:
            found[attributes["name"]] = attributes.get("value", "")
    return found


def shown_form(desk: Client, row: Round) -> dict[str, str]:
    return fields_of(desk.get(url("results", row.pk)).content.decode())


def games_of(row: Round) -> list[Game]:
    return list(Game.objects.filter(pairing__round=row).order_by("pairing__board"))


# --- the walk -------------------------------------------------------------------------------------------------
def test_the_whole_walk(desk: Client, standard: RatingList) -> None:
    for name in ("Ada Alvarez", "Bo Brandt", "Cleo Costa", "Анна Соколова"):
        page = desk.get(reverse("admin:players_player_add")).content.decode()
        person = fields_of(page) | {"name": name, "birth_year": "1980", "active": "on"}
        assert desk.post(reverse("admin:players_player_add"), person).status_code == 302, name

    page = desk.get(reverse("admin:tournaments_tournament_add")).content.decode()
    event = fields_of(page) | {"name": "Winter Cup", "play": "once", "rated": "on", "pool": "standard"}
    answer = desk.post(reverse("admin:tournaments_tournament_add"), event | {"starts_on": "2026-01-05"}, follow=True)
    cup = Tournament.objects.get()
    assert answer.redirect_chain[-1][0] == url("change", cup.pk)
    assert "nobody yet" in answer.content.decode()

    ticked = Player.objects.filter(name__in=["Ada Alvarez", "Bo Brandt"]).values_list("pk", flat=True)
    names = "Cleo Costa\n\nАнна Соколова\n"
    desk.post(url("entries", cup.pk), {"do": "enter", "player": list(ticked), "names": names})
    assert cup.entries.count() == 4
    desk.post(url("entries", cup.pk), {"do": "lots", "seed": "4711"})
    assert "drawn by lot with seed 4711" in desk.get(url("change", cup.pk)).content.decode()

    desk.post(url("rounds", cup.pk), {"first_day": "2026-01-05", "days_between": "7"})
    first, second, _ = Round.objects.order_by("number")
    assert second.planned_on == date(2026, 1, 12)
    assert "Winter Cup, round 1" in desk.get(reverse("admin:index")).content.decode()

    form = shown_form(desk, first)
    answer = desk.post(url("results", first.pk), form | {"board-1": "1-0", "board-2": "1/2"}, follow=True)
    assert "2 boards are saved" in answer.content.decode()
    assert "2/2" in answer.content.decode()
    assert LedgerEntry.objects.count() == 2
    assert {game.played_on for game in games_of(first)} == {first.planned_on}

    form = shown_form(desk, first)
    desk.post(url("results", first.pk), form | {"board-1": "0-1", "reason": "wrong-colours"})
    event = AuditEvent.objects.get(action="result.corrected")
    assert (event.reason, event.role, event.before["result"]) == ("wrong-colours", "arbiter", "1-0")
    assert check_list(standard) == []
    assert PlayerRating.objects.count() == 4
    assert not LogEntry.objects.exists(), "Django's log would be a second trail, and it copies names"


# --- results ----------------------------------------------------------------------------------------------------
def test_boards_left_alone_stay_as_they_are(desk: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    desk.post(url("results", row.pk), shown_form(desk, row) | {"board-2": "0-1"})
    assert [game.result for game in games_of(row)] == ["", "0-1"]
    answer = desk.post(url("results", row.pk), shown_form(desk, row), follow=True)
    assert "Nothing was changed" in answer.content.decode()
    assert AuditEvent.objects.filter(action__startswith="result.").count() == 1


@pytest.mark.parametrize("code", [code.value for code in Result if code and code not in ("W", "D", "L", "adj")])
def test_every_key_can_be_chosen(desk: Client, cup: Tournament, code: str) -> None:
    row = factory.round_of(cup, 1)
    form = shown_form(desk, row)
    assert f'value="{code}"' in desk.get(url("results", row.pk)).content.decode()
    assert desk.post(url("results", row.pk), form | {"board-1": code}).status_code == 302
    assert games_of(row)[0].result == code


def test_a_result_can_be_cleared(desk: Client, cup: Tournament, standard: RatingList) -> None:
    factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    row = factory.round_of(cup, 1)
    assert desk.post(url("results", row.pk), shown_form(desk, row) | {"board-1": ""}).status_code == 302
    assert [game.result for game in games_of(row)] == ["", "1/2"]
    assert check_list(standard) == []


def test_a_wrong_day_can_be_put_right_for_the_whole_round(desk: Client, cup: Tournament, standard: RatingList) -> None:
    factory.play_round(cup, 1, [Result.DRAW, Result.WHITE_WINS])
    row = factory.round_of(cup, 1)
    form = shown_form(desk, row) | {"played_on": "2026-01-06", "move_day": "on"}
    assert desk.post(url("results", row.pk), form).status_code == 302
    assert {game.played_on for game in games_of(row)} == {date(2026, 1, 6)}
    assert check_list(standard) == []


def test_a_round_planned_for_later_is_entered_for_today(desk: Client, standard: RatingList) -> None:
    far = factory.make_round_robin(factory.make_players(4), first_day=date(2190, 1, 1))
    row = factory.round_of(far, 1)
    desk.post(url("results", row.pk), shown_form(desk, row) | {"board-1": "1-0"})
    played_on = games_of(row)[0].played_on
    assert played_on is not None
    assert played_on < date(2190, 1, 1)


def test_a_stale_board_keeps_the_other_arbiters_result_and_the_rest_is_saved(desk: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    form = shown_form(desk, row)
    other = User.objects.create_user("petra", first_name="Petra", last_name="Arb", is_staff=True)
    first, _ = games_of(row)
    record_result(game=first.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=other)

    answer = desk.post(url("results", row.pk), form | {"board-1": "1/2", "board-2": "0-1"})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Petra Arb entered 1–0" in html
    assert "You had chosen ½–½" in html
    assert "1 board is saved" in html
    assert [game.result for game in games_of(row)] == ["1-0", "0-1"]

    # The page that came back knows the new state: choosing again is a correction.
    assert desk.post(url("results", row.pk), fields_of(html) | {"board-1": "1/2"}).status_code == 302
    assert games_of(row)[0].result == "1/2"


def test_a_stale_correction_is_not_saved(desk: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    row = factory.round_of(cup, 1)
    form = shown_form(desk, row)
    correct_result(game=games_of(row)[0].pk, result=Result.WHITE_WINS, by=None)
    assert desk.post(url("results", row.pk), form | {"board-1": "0-1"}).status_code == 409
    assert games_of(row)[0].result == "1-0"


def test_what_somebody_else_entered_does_not_trouble_who_left_that_board_alone(desk: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    form = shown_form(desk, row)
    record_result(game=games_of(row)[0].pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    assert desk.post(url("results", row.pk), form | {"board-2": "1-0"}).status_code == 302
    assert [game.result for game in games_of(row)] == ["1/2", "1-0"]


def test_two_arbiters_who_agree_are_not_told_off(desk: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    form = shown_form(desk, row)
    record_result(game=games_of(row)[0].pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    assert desk.post(url("results", row.pk), form | {"board-1": "1/2"}).status_code == 302


def test_a_form_without_revision_never_overwrites(desk: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    assert desk.post(url("results", row.pk), {"board-1": "1-0", "played_on": "2026-01-05"}).status_code == 409
    assert games_of(row)[0].result == ""


def test_a_result_for_a_bye_is_refused(desk: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    bye = factory.bye_of(row)
    answer = desk.post(url("results", row.pk), shown_form(desk, row) | {"board-1": "1-0", f"board-{bye.board}": "1-0"})
    assert answer.status_code == 400
    assert f"Board {bye.board} is a bye" in answer.content.decode()
    assert [game.result for game in games_of(row)] == ["", ""]


@pytest.mark.parametrize(
    "extra",
    [
        {"board-99": "1-0"},
        {"board-x": "1-0"},
        {"board-": ""},
        {"board-1": "2-0"},
        {"board-1": "1-0", "revision-999999": "0"},
        {"was-٣": "1-0"},
        {"board-99999999999999999999": "1-0"},
    ],
)
def test_a_form_that_is_not_ours_changes_nothing(desk: Client, cup: Tournament, extra: dict[str, str]) -> None:
    row = factory.round_of(cup, 1)
    answer = desk.post(url("results", row.pk), shown_form(desk, row) | {"board-2": "1-0"} | extra)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert [game.result for game in games_of(row)] == ["", ""]


def test_a_game_of_another_round_is_refused(desk: Client, cup: Tournament) -> None:
    row, foreign = factory.round_of(cup, 1), games_of(factory.round_of(cup, 2))[0]
    answer = desk.post(url("results", row.pk), shown_form(desk, row) | {f"revision-{foreign.pk}": "0"})
    assert answer.status_code == 400


@pytest.mark.parametrize("day", ["", "soon", "2190-01-01", "1700-01-01"])
def test_a_wrong_day_saves_nothing_and_says_so(desk: Client, cup: Tournament, day: str) -> None:
    row = factory.round_of(cup, 1)
    answer = desk.post(url("results", row.pk), shown_form(desk, row) | {"board-1": "1-0", "played_on": day})
    assert answer.status_code in (200, 409)
    assert 'role="alert"' in answer.content.decode()
    assert [game.result for game in games_of(row)] == ["", ""]


def test_the_bye_is_told_in_words(desk: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    html = desk.get(url("results", row.pk)).content.decode()
    assert f'id="board-{factory.bye_of(row).board}"' in html
    assert "bye" in html


def test_the_results_page_asks_as_much_for_twenty_boards_as_for_four(desk: Client, standard: RatingList) -> None:
    small = factory.make_round_robin(factory.make_players(8), name="Small")
    large = factory.make_round_robin(factory.make_players(40), name="Large")
    counts = []
    for tournament in (small, large):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            desk.get(url("results", factory.round_of(tournament, 1).pk))
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 16


# --- entries ------------------------------------------------------------------------------------------------------
@pytest.fixture
def empty_cup(standard: RatingList, desk: Client) -> Tournament:
    page = fields_of(desk.get(reverse("admin:tournaments_tournament_add")).content.decode())
    desk.post(
        reverse("admin:tournaments_tournament_add"), page | {"name": "Empty Cup", "play": "once", "pool": "standard"}
    )
    return Tournament.objects.get(name="Empty Cup")


def test_all_unknown_names_are_told_and_what_was_typed_stays(desk: Client, empty_cup: Tournament) -> None:
    ada, *_ = factory.make_players(2)
    typed = "Nobody Known\nBo Brandt\nAlso Unknown"
    answer = desk.post(url("entries", empty_cup.pk), {"do": "enter", "names": typed, "player": [ada.pk]})
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "Line 1: nobody is called “Nobody Known”" in html
    assert "Line 3: nobody is called “Also Unknown”" in html
    assert typed.replace("\n", "\n") in html.replace("\r", "")
    assert f'value="{ada.pk}" checked' in html
    assert not Entry.objects.exists()


def test_nobody_is_entered_twice(desk: Client, empty_cup: Tournament) -> None:
    ada, _bo = factory.make_players(2)
    desk.post(url("entries", empty_cup.pk), {"do": "enter", "player": [ada.pk]})
    for form in ({"player": [ada.pk]}, {"names": "Ada Alvarez"}, {"names": "Bo Brandt\nBo Brandt"}):
        answer = desk.post(url("entries", empty_cup.pk), {"do": "enter", **form})
        assert answer.status_code == 200
        assert 'role="alert"' in answer.content.decode()
    assert empty_cup.entries.count() == 1


def test_ticked_and_pasted_is_entered_once(desk: Client, empty_cup: Tournament) -> None:
    ada, _bo = factory.make_players(2)
    form = {"do": "enter", "player": [ada.pk], "names": "Ada Alvarez\n#2"}
    assert desk.post(url("entries", empty_cup.pk), form).status_code == 302
    assert empty_cup.entries.count() == 2


def test_the_filter_keeps_ticks_and_typed_names(desk: Client, empty_cup: Tournament) -> None:
    ada, *_ = factory.make_players(8)
    form = {"do": "filter", "q": "brandt", "player": [ada.pk], "names": "Cleo"}
    html = desk.post(url("entries", empty_cup.pk), form).content.decode()
    assert "Ada Alvarez" in html
    assert "Bo Brandt" in html
    assert "Eva Engel" not in html
    assert ">\nCleo" in html.replace("\r", "")
    assert "Eva Engel" not in desk.get(url("entries", empty_cup.pk), {"q": "BRANDT"}).content.decode()


def test_odd_searches_find_nobody(desk: Client, empty_cup: Tournament) -> None:
    factory.make_players(2)
    for search in ("\x00", "%", "_", "x" * 5000):
        assert desk.get(url("entries", empty_cup.pk), {"q": search}).status_code == 200


def test_the_entries_page_asks_as_much_for_many_as_for_few(desk: Client, empty_cup: Tournament) -> None:
    counts = []
    for more in (3, 60):
        factory.make_players(more)
        with CaptureQueriesContext(connection) as queries:
            desk.get(url("entries", empty_cup.pk))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_desk_asks_as_much_for_many_rounds_as_for_few(desk: Client, standard: RatingList) -> None:
    counts = []
    for name in ("First", "Second", "Third"):
        players = factory.make_players(4) if not counts else list(Player.objects.all())
        factory.make_round_robin(players, name=name)
        with CaptureQueriesContext(connection) as queries:
            html = desk.get(reverse("admin:index")).content.decode()
        counts.append(len(queries))
        assert f"{name}, round 1" in html
    assert len(set(counts)) == 1


def test_an_entry_can_be_taken_back_until_rounds_are_made(desk: Client, cup: Tournament) -> None:
    entry = cup.entries.first()
    assert entry is not None
    answer = desk.post(url("entries", cup.pk), {"remove": entry.pk})
    assert "delete them before you change entries" in answer.content.decode()
    desk.post(url("delete_rounds", cup.pk))
    assert not Round.objects.exists()
    desk.post(url("entries", cup.pk), {"remove": entry.pk})
    assert cup.entries.count() == 4
    answer = desk.post(url("entries", cup.pk), {"remove": entry.pk})
    assert "not in the tournament any more" in answer.content.decode()


def test_a_gap_in_the_numbers_is_told_not_crashed_on(desk: Client, cup: Tournament) -> None:
    desk.post(url("delete_rounds", cup.pk))
    second = cup.entries.get(number=2)
    remove_entry(second.pk, by=None)
    answer = desk.post(url("rounds", cup.pk), {"days_between": "7"})
    assert "draw lots or sort by rating first" in answer.content.decode()
    desk.post(url("entries", cup.pk), {"do": "rating"})
    assert desk.post(url("rounds", cup.pk), {"days_between": "7"}).status_code == 302


@pytest.mark.parametrize("seed", ["x", "-1", "99999999999999999999"])
def test_a_wrong_seed_is_told(desk: Client, cup: Tournament, seed: str) -> None:
    answer = desk.post(url("entries", cup.pk), {"do": "lots", "seed": seed})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "form", [{}, {"do": "lots"}, {"do": "rating"}, {"do": "enter", "player": ["x", "0", "9" * 30]}]
)
def test_the_buttons_of_an_empty_tournament_explain_themselves(
    desk: Client, empty_cup: Tournament, form: dict[str, str]
) -> None:
    answer = desk.post(url("entries", empty_cup.pk), form)
    assert answer.status_code == 200
    assert 'role="alert"' in answer.content.decode()


# --- rounds and the event itself ------------------------------------------------------------------------------------
def test_one_player_cannot_be_paired(desk: Client, empty_cup: Tournament) -> None:
    [ada] = factory.make_players(1)
    desk.post(url("entries", empty_cup.pk), {"do": "enter", "player": [ada.pk]})
    desk.post(url("entries", empty_cup.pk), {"do": "lots"})
    answer = desk.post(url("rounds", empty_cup.pk), {"days_between": "7"})
    assert "at least two players" in answer.content.decode()
    assert not Round.objects.exists()


@pytest.mark.parametrize("form", [{"days_between": ""}, {"days_between": "x"}, {"first_day": "9999-12-31"}])
def test_wrong_days_make_no_rounds(desk: Client, cup: Tournament, form: dict[str, str]) -> None:
    desk.post(url("delete_rounds", cup.pk))
    assert desk.post(url("rounds", cup.pk), {"days_between": "7", **form}).status_code == 200
    assert not Round.objects.exists()


def test_rounds_with_results_stay(desk: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    assert "Yes, delete the rounds" in desk.get(url("delete_rounds", cup.pk)).content.decode()
    answer = desk.post(url("delete_rounds", cup.pk), follow=True)
    assert "results are recorded" in answer.content.decode()
    assert Round.objects.count() == 5
    answer = desk.post(url("delete", cup.pk), {"post": "yes"}, follow=True)
    assert "has results and cannot be deleted" in answer.content.decode()
    assert Tournament.objects.exists()


def test_a_tournament_without_results_can_be_deleted(desk: Client, cup: Tournament) -> None:
    assert desk.post(url("delete", cup.pk), {"post": "yes"}).status_code == 302
    assert not Tournament.objects.exists()
    assert Player.objects.count() == 5


def change_form(desk: Client, tournament: Tournament) -> dict[str, str]:
    page = fields_of(desk.get(url("change", tournament.pk)).content.decode())
    return page | {"pool": "standard", "play": "once"}


def test_a_stale_tournament_form_shows_what_stands_and_may_be_saved_again(desk: Client, cup: Tournament) -> None:
    form = change_form(desk, cup)
    desk.post(url("change", cup.pk), form | {"place": "Town hall"})
    answer = desk.post(url("change", cup.pk), form | {"place": "School"})
    html = answer.content.decode()
    assert "Somebody else changed this tournament" in html
    assert "“Town hall” stands now" in html
    assert Tournament.objects.get().place == "Town hall"
    form = fields_of(html) | {"pool": "standard", "place": "School"}
    assert desk.post(url("change", cup.pk), form).status_code == 302
    assert Tournament.objects.get().place == "School"


def test_dates_in_the_wrong_order_are_told_on_the_form(desk: Client, cup: Tournament) -> None:
    form = change_form(desk, cup) | {"starts_on": "2026-02-02", "ends_on": "2026-01-01", "place": "Typed"}
    html = desk.post(url("change", cup.pk), form).content.decode()
    assert "The last day lies before the first." in html
    assert "Typed" in html


def test_the_format_is_fixed_while_there_are_rounds(desk: Client, cup: Tournament) -> None:
    desk.post(url("change", cup.pk), change_form(desk, cup) | {"play": "twice", "swap_last_two": "on"})
    assert factory.stage_of(cup).settings.get("cycles") != 2
    desk.post(url("delete_rounds", cup.pk))
    desk.post(url("change", cup.pk), change_form(desk, cup) | {"play": "twice", "swap_last_two": "on"})
    assert factory.stage_of(cup).settings == {"cycles": 2, "swap_last_two": True}
    answer = desk.post(url("change", cup.pk), change_form(desk, cup) | {"play": "once", "swap_last_two": "on"})
    assert "There is only one cycle" in answer.content.decode()


# --- who may ----------------------------------------------------------------------------------------------------------
def test_nobody_else_gets_in(client: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    pages = [url(name, cup.pk) for name in ("change", "entries", "rounds", "delete_rounds")] + [url("results", row.pk)]
    for page in pages:
        assert client.get(page)["Location"].startswith(reverse("admin:login")), page
    client.force_login(User.objects.create_user("looker", is_staff=True))
    for page in pages:
        assert client.post(page, {"board-1": "1-0"}).status_code == 403, page
    assert "Enter results" not in client.get(reverse("admin:index")).content.decode()


def test_unknown_pages_are_404(desk: Client, cup: Tournament) -> None:
    for name in ("entries", "rounds", "delete_rounds", "results"):
        assert desk.get(url(name, 999_999)).status_code == 404
        assert desk.get(url(name, 10**30)).status_code == 404


def test_every_page_of_a_tournament_opens(desk: Client, cup: Tournament) -> None:
    for name in ("change", "entries", "rounds", "delete_rounds", "delete", "history"):
        assert desk.get(url(name, cup.pk)).status_code in ANSWERED, name
    assert desk.get(reverse("admin:tournaments_tournament_changelist"), {"q": "winter"}).status_code == 200
