"""What goes wrong in a club evening, each mended from the page of a round in four clicks at most (docs/arbiter.md).

A walk follows links and forms as they come; no address is typed. A link, a button, a key of a board, a tick and a menu
that is opened are a click each; other fields are filled in.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from players.officers.roles import ASSISTANT
from players.people.services import NewPlayer, create_player
from ratings.models import RatingList
from tests import ROOT, factory
from tests.tournaments.admin_pages import games_of, url
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tests.visitor import Visitor
from tournaments.corrections.services.board_changes import pair_of
from tournaments.events.services.closing import close_event
from tournaments.interchange.games_csv import read_games
from tournaments.loading.services.streams import load_games
from tournaments.models import Entry, Game, Round, Stage, Tournament
from tournaments.results.services.results import record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import delete_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
W, D, B = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
FILE = b"date,white,black,result\n2026-01-05,Ada Alvarez,Bo Brandt,1\n"


@pytest.fixture(scope="module", autouse=True)
def swiss(standard: RatingList) -> Stage:
    """Eight players; round 1 is played, round 2 published."""
    factory.make_administrator("founder")
    stage = make_swiss(factory.make_players(8), rounds=4)
    play_rounds(stage, 1, W)
    pair_next_round(stage, by=None, publish=True, day=factory.MONDAY)
    return stage


def round_of(number: int) -> Round:
    return Round.objects.get(stage__tournament__name="Open", number=number)


def board(number: int, place: int = 1) -> Game:
    return games_of(round_of(number))[place - 1]


class Arbiter(Visitor):
    """Before the page of a round, counting clicks."""

    def __init__(self, number: int = 2, username: str = "founder") -> None:
        super().__init__()
        self.client.force_login(User.objects.get(username=username))
        self.open(url("results", round_of(number).pk))
        self.clicks = 0

    def menu(self, words: str) -> None:
        self.sees(words)
        self.clicks += 1

    def click(self, words: str) -> None:
        super().click(words)
        self.clicks += 1

    def send(self, button: str, **values: object) -> None:
        keys = sum(name.startswith(("board-", "player")) for name in values)
        super().send(button, **values)
        self.clicks += 1 + keys

    def from_menu(self, words: str) -> "Arbiter":
        """One of the accidents of the first board."""
        self.menu("Something went wrong on board 1")
        self.click(words)
        return self

    def from_round(self, words: str) -> "Arbiter":
        self.sees("Something else went wrong?")
        self.click(words)
        return self


# --- on a board -----------------------------------------------------------------------------------------------------
def wrong_result() -> Arbiter:
    arbiter = Arbiter(1)
    arbiter.send("Save results", **{"board-1": "0-1"})
    arbiter.sees("Round 2 is published and stays as it is paired.")
    arbiter.send("Correct", reason="entry-error")
    assert board(1).result == B
    return arbiter


def colours() -> Arbiter:
    was = board(1)
    arbiter = Arbiter(1).from_menu("Colours were the other way round")
    arbiter.send("Correct", reason="wrong-colours")
    assert (board(1).white_id, board(1).result) == (was.black_id, B)
    assert arbiter.sees("Enter results, round 1"), "back at the round"
    return arbiter


def wrong_opponents(words: str = "They played other opponents") -> Arbiter:
    (a, _b), (_c, d) = pair_of(board(2)), pair_of(board(2, 2))
    arbiter = Arbiter().from_menu(words)
    arbiter.send("Show what it moves", black=d)
    arbiter.send("They sat like this", reason="wrong-player")
    assert pair_of(board(2)) == (a, d)
    return arbiter


def wrong_player() -> Arbiter:
    return wrong_opponents("A wrong player sat down")


def other_board() -> Arbiter:
    arbiter = Arbiter(1).from_menu("It is the result of another board")
    arbiter.send("Show what it moves", other=board(1, 2).pk)
    arbiter.send("Exchange the results", reason="entry-error")
    assert [game.result for game in games_of(round_of(1))][:2] == [D, W]
    return arbiter


def played_tomorrow() -> Arbiter:
    arbiter = Arbiter()
    arbiter.menu("Something went wrong on board 1")
    arbiter.send("It is played tomorrow or later")
    assert board(2).result == Result.ADJOURNED
    return arbiter


def played_another_day() -> Arbiter:
    arbiter = Arbiter(1).from_menu("It was played on another day")
    arbiter.send("Show what it moves", played_on="2026-01-07")
    arbiter.send("Correct", reason="entry-error")
    assert f"{board(1).played_on}" == "2026-01-07"
    return arbiter


def late_arrival() -> Arbiter:
    arbiter = Arbiter()
    arbiter.menu("Something went wrong on board 1")
    arbiter.send("Black came too late")
    assert board(2).result == Result.BLACK_FORFEITS
    arbiter = Arbiter().from_menu("Came late, and the game is played")
    arbiter.send("Correct", reason="late-report")
    assert board(2).result == Result.OPEN
    late = create_player(NewPlayer("Zoe Late"), by=None)
    arbiter = Arbiter().from_round("Somebody came late and is on no board")
    arbiter.send("Enter late", player=late.pk)
    assert Entry.objects.get(player=late).first_round == 3
    return arbiter


def early_departure() -> Arbiter:
    gone = Entry.objects.get(pk=pair_of(board(2)).white)
    arbiter = Arbiter().from_menu("went home")
    arbiter.send("Yes, withdraw")
    assert Entry.objects.get(pk=gone.pk).withdrawn
    return arbiter


def two_arbiters() -> Arbiter:
    arbiter = Arbiter()
    record_result(game=board(2).pk, result=W, played_on=factory.MONDAY, by=User.objects.get(username="arbiter"))
    arbiter.send("Save results", **{"board-1": "0-1"})
    assert arbiter.status == 409
    assert arbiter.sees("entered 1–0", "You had chosen 0–1")
    assert board(2).result == W, "what was entered first stands"
    arbiter.send("Enter 0–1 instead")
    arbiter.send("Correct", reason="entry-error")
    assert board(2).result == B
    return arbiter


# --- around a round -------------------------------------------------------------------------------------------------
def twice_in_the_base() -> Arbiter:
    twin = create_player(NewPlayer("Alvarez, Ada"), by=None)
    arbiter = Arbiter(username="arbiter").from_round("A player is in the base twice")
    arbiter.click(f"#{twin.number} → #1")
    arbiter.send("Show what it moves")
    arbiter.send("Merge", reason="duplicate")
    assert Player.objects.get(pk=twin.pk).merged_into == Player.objects.get(number=1)
    return arbiter


def file_twice() -> Arbiter:
    today = timezone.localdate()
    load_games(read_games(FILE, today=today).rows, by=None, event_name="Evenings", today=today)
    was = Game.objects.count()
    arbiter = Arbiter(username="arbiter").from_round("A file of games was loaded twice")
    arbiter.send("Show what it moves", file=SimpleUploadedFile("games.csv", FILE), event="Evenings")
    assert arbiter.sees("Everything in the file is here already")
    assert Game.objects.count() == was
    return arbiter


def publishing_forgotten() -> Arbiter:
    Round.objects.filter(pk=round_of(2).pk).update(state=Round.State.DRAFT)
    arbiter = Arbiter(username="arbiter")
    arbiter.sees("only officers see it")
    arbiter.send("Publish round 2")
    assert round_of(2).state == Round.State.PUBLISHED
    return arbiter


def round_deleted() -> Arbiter:
    Round.objects.filter(pk=round_of(2).pk).update(state=Round.State.DRAFT)
    delete_round(round_of(2).pk, by=User.objects.get(username="arbiter"))
    arbiter = Arbiter(1, username="arbiter").from_round("A round was deleted, or something else done by mistake")
    arbiter.click("Undo")
    arbiter.send("Undo")
    assert games_of(round_of(2))
    return arbiter


def probation_changed() -> Arbiter:
    RatingList.objects.update(provisional_games=1)
    arbiter = Arbiter().from_round("K or probation were changed")
    arbiter.send("Save", provisional_games=9)
    arbiter.sees("Nothing is changed yet")
    arbiter.send("Save", reason="other")
    assert RatingList.objects.get().provisional_games == 9
    return arbiter


def closed_too_early() -> Arbiter:
    Round.objects.filter(pk=round_of(2).pk).delete()
    close_event(Tournament.objects.get(name="Open"), by=None)
    arbiter = Arbiter(1, username="arbiter").from_round("The event was closed too early")
    arbiter.send("Open")
    assert not Tournament.objects.get(name="Open").closed
    return arbiter


def wrong_role() -> Arbiter:
    somebody = factory.make_arbiter("somebody")
    arbiter = Arbiter().from_round("Somebody has the wrong role")
    arbiter.click("somebody")
    arbiter.send("Save", role=ASSISTANT)
    assert list(somebody.groups.values_list("name", flat=True)) == [ASSISTANT]
    return arbiter


# The rows of the tables in docs/arbiter.md, in their order.
WALKS: dict[str, Callable[[], Arbiter]] = {
    "Colours were the other way round": colours,
    "They played other opponents": wrong_opponents,
    "A wrong player sat down": wrong_player,
    "The result of another board was entered": other_board,
    "The game is played tomorrow": played_tomorrow,
    "The game was played on another day": played_another_day,
    "Somebody arrived late": late_arrival,
    "Somebody went home": early_departure,
    "A wrong result is found after the next round is paired": wrong_result,
    "Two arbiters entered the same board": two_arbiters,
    "A player is in the base twice": twice_in_the_base,
    "A file was loaded twice": file_twice,
    "Publishing was forgotten": publishing_forgotten,
    "A round was deleted": round_deleted,
    "K or probation was changed in mid-season": probation_changed,
    "The event was closed too early": closed_too_early,
    "Somebody has the wrong role": wrong_role,
}


@pytest.mark.parametrize("accident", WALKS)
def test_an_accident_is_mended_in_four_clicks(accident: str, swiss: Stage) -> None:
    arbiter: Any = WALKS[accident]()
    assert arbiter.status == 200
    assert 1 <= arbiter.clicks <= 4, arbiter.clicks


def test_the_page_for_arbiters_has_a_row_for_each_walk() -> None:
    rows = [line.split("|")[1].strip() for line in (ROOT / "docs/arbiter.md").read_text().splitlines() if "|" in line]
    assert [row for row in rows if row in WALKS] == list(WALKS)


# --- other formats, other people ------------------------------------------------------------------------------------
def test_where_everybody_meets_everybody_the_result_goes_to_the_board_of_those_two(swiss: Stage) -> None:
    cup = factory.make_round_robin(factory.first_players(4))
    row = factory.round_of(cup, 1)
    one = games_of(row)[0]
    third = Entry.objects.get(tournament=cup, player=games_of(row)[1].black_id)
    arbiter = Visitor()
    arbiter.client.force_login(User.objects.get(username="arbiter"))
    arbiter.open(url("results", row.pk))
    arbiter.click("They played other opponents")
    arbiter.send("Show what it moves", black=third.pk)
    both = (one.white_id, third.player_id)
    there = Game.objects.get(tournament=cup, white__in=both, black__in=both)
    arbiter.sees(f"These two meet in round {there.pairing.round.number}")
    assert arbiter.address == f"{url('results', there.pairing.round_id)}#board-{there.pairing.board}"
    factory.play_round(cup, 1, [W, W])
    arbiter.open(url("results", row.pk))
    arbiter.click("A wrong player sat down")
    arbiter.send("Show what it moves", black=third.pk)
    arbiter.sees("1–0 → no result")
    arbiter.send("Exchange the results", reason="wrong-player")
    there.refresh_from_db()
    assert there.result == (W if there.white_id == one.white_id else B), "whoever won has won"
    assert Game.objects.get(pk=one.pk).result == Result.OPEN


def test_in_a_knockout_the_menu_leads_to_the_match(swiss: Stage) -> None:
    cup = factory.make_knockout(factory.first_players(4))
    match = factory.match_of(cup, 1, 1)
    arbiter = Visitor()
    arbiter.client.force_login(User.objects.get(username="arbiter"))
    arbiter.open(url("results", match.round_id))
    arbiter.click("They played other opponents")
    assert arbiter.address == url("match", match.pk)
    arbiter.open(reverse("admin:tournaments_game_seats", args=[match.games.all()[0].pk]))
    arbiter.sees("decide the match instead")


def test_the_menu_is_for_those_who_may_mend_and_costs_no_queries_a_board(swiss: Stage) -> None:
    factory.make_assistant()
    helper = Visitor()
    helper.client.force_login(User.objects.get(username="assistant"))
    helper.open(url("results", round_of(2).pk))
    assert "went wrong" not in helper.page.words
    for name in ("seats", "elsewhere"):
        assert helper.client.get(reverse(f"admin:tournaments_game_{name}", args=[board(2).pk])).status_code == 403
        assert helper.client.get(reverse(f"admin:tournaments_game_{name}", args=[987654])).status_code == 404
    helper.client.force_login(factory.make_rating_officer())
    helper.open(reverse("admin:tournaments_game_seats", args=[board(2).pk]))
    helper.click("Board")
    assert helper.address == reverse("admin:tournaments_game_change", args=[board(2).pk]), "he enters no results"
    words = Arbiter(username="arbiter").page.words
    assert "Somebody came late and is on no board" in words
    assert not [more for more in ("K or probation were changed", "Somebody has the wrong role") if more in words]
    costs = []
    for count in (4, 8):
        cup = factory.make_round_robin(factory.first_players(count), name=f"Cup {count}")
        arbiter = Arbiter()
        with CaptureQueriesContext(connection) as seen:
            arbiter.open(url("results", factory.round_of(cup, 1).pk))
        costs.append(len(seen))
    assert costs[0] == costs[1], costs


def test_what_no_form_offers_is_refused(swiss: Stage) -> None:
    client, seats = Arbiter().client, reverse("admin:tournaments_game_seats", args=[board(2).pk])
    elsewhere = reverse("admin:tournaments_game_elsewhere", args=[board(2).pk])
    for address, values in (
        (seats, {"white": "x", "black": "1"}),
        (seats, {"white": "987654", "black": "987654"}),
        (elsewhere, {"other": "x"}),
        (elsewhere, {"other": str(board(2).pk)}),
        (elsewhere, {"other": "9" * 40}),
    ):
        assert client.post(address, values).status_code == 400, values
        assert client.get(address, values).status_code == 400, values
    cup = factory.make_round_robin(factory.first_players(4), name="Cup")
    own = games_of(factory.round_of(cup, 1))[0]
    same = client.post(reverse("admin:tournaments_game_seats", args=[own.pk]), pair_of(own)._asdict(), follow=True)
    assert "These two have no other board in this stage" in same.text
    swap = reverse("admin:tournaments_game_swap", args=[board(2).pk])
    assert "evil.example" not in client.get(swap, {"back": "//evil.example/"}).content.decode()
