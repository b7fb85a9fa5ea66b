"""The page of a board: what it tells the devices of its players, another's, and one that nobody is known on."""

import re

import pytest
from django.test import Client

from players.models import Player
from tests import factory
from tests.players.links.link_cases import phone_of, switch_links_on
from tests.tournaments.event_pages import page_cases
from tournaments.events.services.events import update_tournament
from tournaments.free_boards.services.boards import set_board
from tournaments.models import Game, Tournament
from tournaments.player_results.services import report_own_result
from tournaments.results.services.footnotes import note_result
from tournaments.results.services.results import record_result
from tournaments.rounds.services.clock import set_clock
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]
WIN, LOSS = Result.WHITE_WINS, Result.BLACK_WINS
NOBODYS, ANOTHERS, WRONG = "Its players say here what happened", "This is not your board.", "Is it wrong?"


@pytest.fixture(scope="module")
def cup(world: None) -> Tournament:
    factory.make_club()
    factory.make_list()
    switch_links_on()
    cup = factory.make_round_robin(factory.make_players(4), first_day=factory.today())
    return update_tournament(cup.pk, {"player_results": "ticked"}, by=None)


@pytest.fixture
def game(cup: Tournament) -> Game:
    rows = Game.objects.filter(tournament=cup, pairing__round__number=1).select_related("white", "black", "pairing")
    return rows.get(pairing__board=1)


def page(client: Client, game: Game) -> str:
    text = client.get(f"/tournaments/{game.tournament.slug}/games/{game.pk}/").text
    return " ".join(text.split())


def says(game: Game, player: Player, result: Result) -> None:
    report_own_result(game.pk, player.pk, result, revision=game.revision)


def test_a_device_is_told_whose_word_is_asked_while_the_board_is_open(cup: Tournament, game: Game) -> None:
    other = Player.objects.exclude(pk__in=(game.white_id, game.black_id)).order_by("pk")[0]
    devices = {"nobody": Client(), "another": phone_of(other), "own": phone_of(game.white)}

    def told() -> dict[str, list[bool]]:
        pages = {kind: page(client, game) for kind, client in devices.items()}
        return {kind: [words in text for words in (NOBODYS, ANOTHERS, WRONG)] for kind, text in pages.items()}

    assert told() == {"nobody": [True, False, False], "another": [False, True, False], "own": [False, False, False]}
    update_tournament(cup.pk, {"player_results": ""}, by=None)
    assert told() == {kind: [False] * 3 for kind in devices}, "the arbiters enter it"
    update_tournament(cup.pk, {"player_results": "ticked"}, by=None)
    record_result(game=game.pk, result=WIN, played_on=factory.today(), by=None)
    assert told() == {kind: [False, False, True] for kind in devices}


def test_it_has_the_round_the_clock_while_it_runs_the_result_and_the_note(game: Game) -> None:
    assert game.pairing.round is not None
    set_clock(game.pairing.round.pk, minutes=90, by=None)
    before = page(Client(), game)
    record_result(game=game.pk, result=WIN, played_on=factory.today(), by=None)
    after = page(Client(), game)
    note_result(game=game.pk, text="Resigned after the game", seen="", by=None, reason="appeal")
    for text in (before, after):
        assert "<title>Board 1, Winter Cup" in text
        assert "Winter Cup, Round 1</a>" in text
        assert ">Board 1</h1>" in text
        assert "Note on the result" not in text
        assert 'role="alert"' not in text
    assert '<b class="figure nowrap">' not in before
    result = '<b class="figure nowrap">1–0</b>'
    assert [result in text for text in (before, after)] == [False, True]
    assert ['class="clock"' in text for text in (before, after)] == [True, False]
    assert "Note on the result: Resigned after the game" in page(Client(), game)


def test_a_board_without_a_round_is_named_by_its_event(cup: Tournament, game: Game) -> None:
    evenings = page_cases.make_event([], "free", name="Evenings")
    board = set_board(evenings, game.white_id, game.black_id, by=None)
    text = page(Client(), board)
    assert "<title>Board, Evenings" in text
    assert ">Board</h1>" in text
    assert 'href="/tournaments/evenings/">Evenings</a></p>' in text
    assert "Round" not in text.split("<h1")[0].split("kicker")[1]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (WIN, "Both sides say 1–0. An arbiter enters it."),
        (LOSS, "You say 1–0, your opponent says 0–1. The arbiter decides."),
    ],
)
def test_both_words_are_told_to_who_said_one(game: Game, other: Result, told: str) -> None:
    phone = phone_of(game.white)
    says(game, game.white, WIN)
    assert "You said 1–0 at " in page(phone, game)
    assert "had said" not in page(phone, game)
    says(game, game.black, other)
    assert told in page(phone, game)
    assert "You said 1–0 at " not in page(phone, game)
    assert 'name="claimed"' not in page(phone, game)


def test_a_side_is_named_where_a_device_speaks_for_both_and_the_board_where_several_may_stand(game: Game) -> None:
    side = '<section class="message gap-below" aria-label="Your board">'
    phone = phone_of(game.white)
    (own,) = page(phone, game).split(side)[1:]
    assert game.white.name not in own.split("</section>")[0]
    listed = " ".join(phone.get("/mine/").text.split()).split(side)[1].split("</section>")[0]
    assert "Winter Cup, Round 1, Board 1</a>" in listed
    phone_of(game.black, client=phone)
    names = [part.split("</section>")[0] for part in page(phone, game).split(side)[1:]]
    assert [game.white.name in names[0], game.black.name in names[1]] == [True, True]
    says(game, game.white, WIN)
    buttons = [
        words for part in page(phone, game).split(side)[1:] for words in re.findall(r'claimed"[^>]*>([^<]*)', part)
    ]
    assert sum(words.startswith("That is right:") for words in buttons) == 1
    assert len(buttons) > 2
