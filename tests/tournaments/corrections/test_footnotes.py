"""A note on a played result: read wherever the result stands, listed among the corrections, and moving nothing."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent, Player
from players.refusals import Refused, Stale
from tests import factory
from tests.tournaments.corrections.correction_cases import dump
from tests.visitor import Page
from tournaments.corrections.services.corrections import Seen, commit, preview, undo_of
from tournaments.corrections.services.game_changes import remove_game
from tournaments.erasure.services.erasure import anonymise_player
from tournaments.events.services.events import open_event
from tournaments.free_play.services import record_free_game
from tournaments.models import Footnote, Game, Tournament
from tournaments.results.services.footnotes import note_result
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
SAID = "Result was 1–0 over the board, recorded as agreed by the appeal committee"


@pytest.fixture(scope="module")
def cup(world: None) -> Tournament:
    factory.make_club()
    factory.make_list()
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_round(cup, 1, [Result.DRAW, Result.WHITE_WINS])
    return cup


@pytest.fixture
def game(cup: Tournament) -> Game:
    return Game.objects.filter(tournament=cup, pairing__round__number=1).order_by("pairing__board")[0]


def noted(game: Game, text: str = SAID, seen: str = "") -> Game:
    return note_result(game=game.pk, text=text, seen=seen, by=None, reason="appeal")


def places_of(game: Game) -> list[str]:
    """Where the result stands, and so the note."""
    event = "/tournaments/winter-cup/"
    pages = [f"{event}rounds/1/", f"{event}games/{game.pk}/", f"{event}print/?round=1&sheets=pairings"]
    why = f"/ratings/standard/why/{game.pk}/{game.white.number}/"
    files = [f"{event}pairings.csv", "/api/v1/tournaments/winter-cup/rounds/1/"]
    return [*pages, why, "/ratings/corrections/", *files]


def test_a_note_changes_a_row_and_a_line_of_the_trail_and_not_a_byte_elsewhere(game: Game) -> None:
    before = dump()
    noted(game)
    after = dump()
    moved = {name for name in before if before[name] != after[name]}
    assert moved - {"sqlite_sequence"} == {"tournaments_footnote", "players_auditevent"}
    assert before["ratings_ledgerentry"], "which there are"


def test_it_stands_wherever_the_result_does(game: Game) -> None:
    noted(game)
    for path in places_of(game):
        answer = Client().get(path)
        assert SAID in (str(answer.json()) if "/api/" in path else answer.text), path
    page = Client().get("/tournaments/winter-cup/rounds/1/").text
    assert page.count('href="#note-1"') == page.count('id="note-1"') == 1
    listed = " ".join(Client().get("/ratings/corrections/").text.split())
    assert listed.index("note on the result: Result was") < listed.index("No rating moved.")


def test_notes_cost_no_query(cup: Tournament) -> None:
    counts = []
    for games in ([], Game.objects.filter(tournament=cup).exclude(result="")):
        for each in games:
            noted(each)
        with CaptureQueriesContext(connection) as asked:
            Client().get("/tournaments/winter-cup/rounds/1/")
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_a_name_that_is_hidden_is_hidden_in_a_note_too(game: Game) -> None:
    Player.objects.filter(pk=game.white_id).update(visibility="hidden")
    noted(game, f"{game.white.name} forgot the clock, and {game.white.name.split()[0]} agreed")
    for path in places_of(game):
        if "/why/" not in path:
            text = Client().get(path).text
            assert "forgot the clock" in text
            assert not {word for word in game.white.name.split() if word in text}, path


def test_one_note_holds_and_can_be_taken_back(cup: Tournament, game: Game) -> None:
    another = "Another one".ljust(300, "!")
    [beside] = Game.objects.filter(tournament=cup, pairing__round__number=1).exclude(pk=game.pk)
    noted(game, "of the other board")
    game, beside = beside, game
    noted(game)
    with pytest.raises(Stale):
        noted(game, another, seen="")
    first = AuditEvent.objects.filter(subject_key=game.pk).latest("pk")
    assert undo_of(first) is not None
    noted(game, another, seen=SAID)
    assert undo_of(first) is None, "another was written since"
    for expected in (SAID, another):
        change = undo_of(AuditEvent.objects.filter(subject_kind="game").latest("pk"))
        assert change is not None
        shown = preview(change, by=None)
        assert not shown.lists
        commit(change, Seen.read(str(shown.seen)), reason="other", by=None)
        assert Footnote.objects.get(game=game).text == expected
    noted(game, "", seen=another)
    assert Footnote.objects.get().game == beside
    assert AuditEvent.objects.filter(action="result.noted", subject_key=game.pk).count() == 5


def test_a_note_does_not_come_back_to_a_game_that_is_gone(cup: Tournament) -> None:
    evenings = open_event("Thursdays", pool="standard", by=None).tournament
    game = record_free_game(evenings, *factory.first_players(2), Result.DRAW, factory.MONDAY, by=None)
    noted(game)
    noted(game, "", seen=SAID)
    emptied = AuditEvent.objects.filter(action="result.noted").latest("pk")
    assert undo_of(emptied) is not None
    remove_game(game=game.pk, by=None, reason="duplicate")
    assert undo_of(emptied) is None


@pytest.mark.parametrize("text", ["", "x" * 301])
def test_what_is_no_note_is_refused(game: Game, text: str) -> None:
    with pytest.raises(Refused):
        noted(game, text)


def test_it_needs_a_result_and_is_not_shown_without_one(cup: Tournament, game: Game) -> None:
    with pytest.raises(Refused, match="no result yet"):
        noted(Game.objects.filter(tournament=cup, result="")[0])
    noted(game)
    correct_result(game=game.pk, result=Result.OPEN, by=None)
    assert SAID not in Client().get("/tournaments/winter-cup/rounds/1/").text


def test_who_corrects_games_writes_notes_and_nobody_else(cup: Tournament, game: Game, client: Client) -> None:
    path = f"/admin/tournaments/game/{game.pk}/note/"
    client.force_login(factory.make_assistant())
    assert client.get(path).status_code == 403
    client.force_login(factory.make_arbiter())
    assert path in client.get(f"/admin/tournaments/game/{game.pk}/change/").text
    (form,) = [form for form in Page(client.get(path).text).forms if "footnote" in form.names]
    assert client.post(path, {**form.values, "footnote": SAID}).status_code == 400, "without a reason"
    answer = client.post(path, {**form.values, "footnote": f" {SAID}\n", "reason": "appeal"}, follow=True)
    assert "/undo/" in answer.text
    assert Footnote.objects.get(game=game).text == SAID
    assert client.post(path, {**form.values, "footnote": "Stale", "reason": "appeal"}).status_code == 400
    cup.officers.add(factory.make_arbiter("another"))
    assert client.get(path).status_code == 403
    readable = client.get(f"/admin/tournaments/game/{game.pk}/change/")
    assert (readable.status_code, path in readable.text) == (200, False), "no link to a page he may not open"


def test_an_erased_name_is_gone_from_notes_and_from_their_trail(cup: Tournament, game: Game) -> None:
    first, family = game.white.name.split()
    noted(game, f"{first} resigned, says {game.white.name}")
    other = Game.objects.filter(tournament=cup, pairing__round__number=1).exclude(pk=game.pk).get()
    noted(other, f"{first} of Oz watched")
    anonymise_player(game.white_id, by=None)
    kept = repr([dump()[name] for name in ("tournaments_footnote", "players_auditevent")])
    assert "resigned" in kept
    assert kept.count(f"{first} of Oz watched") == 2, "in a game of others a first name is another's"
    kept = kept.replace(f"{first} of Oz", "")
    assert not {word for word in (first, family) if word in kept}
