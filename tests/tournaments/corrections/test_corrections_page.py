"""The public ledger of corrections: what everybody reads, what only officers read, and nothing of those not shown."""

from copy import copy
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.club.services import update_club
from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_player, create_players
from players.trail.services import write_audit
from ratings.lists.services import NewStart
from ratings.models import RatingList, StartingRating
from ratings.systems.base import Handicap
from tests import factory
from tests.tournaments.contests.contest_cases import make_tables, play
from tournaments.corrections.services.game_changes import ForgottenGame, insert_game, remove_game, swap_colours
from tournaments.corrections.services.list_changes import ListChange, change_rated_list
from tournaments.events.services.importance import change_importance
from tournaments.interchange.games_csv import read_games
from tournaments.loading.services.streams import load_games
from tournaments.merging.services import merge_players, undo_merge
from tournaments.models import Contest, Game, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings, drop_starting_rating
from tournaments.results.services.handicap import set_handicap
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
PAGE = "/ratings/corrections/"
LATER = date(2026, 6, 1)


@pytest.fixture(scope="module")
def cup(world: None) -> Tournament:
    """Three people, one of them seen by members only, all of whose games are drawn."""
    factory.make_club()
    factory.make_list()
    players = factory.make_players(2)
    players += create_players([NewPlayer("Mara Plantedmember", visibility="members")], by=None)
    cup = factory.make_round_robin(players)
    factory.play_all(cup)
    return cup


def game_of(cup: Tournament, *numbers: int) -> Game:
    return Game.objects.get(tournament=cup, white__number__in=numbers, black__number__in=numbers)


def words(client: Client, address: str = PAGE) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def member() -> Client:
    update_club({"pass_phrase": "open sesame"}, by=None)
    client = Client()
    client.post("/members/", {"pass_phrase": "open sesame"})
    return client


def officer() -> Client:
    client = Client()
    client.force_login(factory.make_arbiter("second"))
    return client


def test_a_correction_tells_when_by_which_role_what_why_and_what_it_moved(cup: Tournament) -> None:
    unplayed = factory.make_round_robin(factory.first_players(2), name="Unplayed")
    change_importance(unplayed.pk, 2.0, by=None)  # nothing hangs on it
    assert "Nothing was corrected yet." in words(Client())
    game = game_of(cup, 1, 2)
    correct_result(game=game.pk, result=Result.WHITE_WINS, by=factory.make_arbiter(), reason="appeal", note="n" * 9)
    html = words(Client())
    for said in ("arbiter", "½–½ → 1–0", "decision on an appeal", "Winter Cup", "round ", "Standard: 3 players"):
        assert said in html
    most = AuditEvent.objects.get(action="result.corrected").effect["standard"]["largest"][0][1]
    assert f"most +{abs(most):.1f}" in html.replace("−", "+")


def test_name_and_note_and_a_list_that_is_not_public_are_for_officers(cup: Tournament) -> None:
    arbiter = factory.make_arbiter("petra")
    correct_result(game=game_of(cup, 1, 2).pk, result=Result.OPEN, by=arbiter, note="sheets compared")
    for client in (Client(), member()):
        assert "petra" not in words(client)
        assert "sheets compared" not in words(client)
    watcher = officer()
    assert "petra: sheets compared" in words(watcher)
    RatingList.objects.update(name="Secret list", public=False)
    correct_result(game=game_of(cup, 1, 2).pk, result=Result.WHITE_WINS, by=None)
    assert "Secret list" not in words(Client())
    assert "Secret list" in words(watcher)


def test_facts_of_a_list_that_is_not_public_are_for_officers(cup: Tournament) -> None:
    other = factory.make_list("trial", primary=False)
    start = NewStart(Player.objects.get(number=1).pk, factory.MONDAY, 1800, 40)
    bring_starting_ratings(other, [start], by=None, reason="late-report")
    change_rated_list(ListChange(other.pk, {"provisional_games": 5}), by=None, reason="other")
    wrong = [NewStart(Player.objects.get(number=2).pk, factory.MONDAY, 1900, 40)]
    bring_starting_ratings(other, wrong, by=None, reason="late-report")
    wrong_row = StartingRating.objects.get(rating_list=other, rating=1900)
    drop_starting_rating(wrong_row.pk, by=None, reason="other")
    main = RatingList.objects.get(primary=True)
    bring_starting_ratings(main, wrong, by=None, reason="late-report")
    drop_starting_rating(StartingRating.objects.get(rating_list=main).pk, by=None, reason="other")
    change_rated_list(ListChange(main.pk, {"provisional_games": 7}), by=None)  # without a reason it is no correction
    effects = AuditEvent.objects.exclude(effect={}).values_list("effect", flat=True)
    assert [list(effect) for effect in effects] == [["standard"]] * 3 + [["trial"]] * 4, "the other one is not rated"
    same_key = Game(pk=StartingRating.objects.get(rating_list=other).pk)
    was, now = {"result": "1/2"}, {"result": "1-0"}
    write_audit("result.corrected", same_key, by=None, reason="appeal", before=was, after=now)
    said = ("a starting rating was entered", "a starting rating was taken back", "the list’s probation was changed")
    public = words(Client())
    assert [each for each in said if each not in public] == []
    RatingList.objects.filter(pk=other.pk).update(public=False)
    public, all_of_it = words(Client()), words(officer())
    assert [public.count(each) for each in said] == [1, 1, 0], "those of the public list"
    assert [all_of_it.count(each) for each in said] == [3, 2, 1]
    assert "½–½ → 1–0" in public, "a game with the key of a starting rating is another thing"


def test_no_change_of_somebody_whose_name_is_not_shown(cup: Tournament) -> None:
    """The largest difference is hers: the public reads another's, or none."""
    correct_result(game=game_of(cup, 1, 3).pk, result=Result.WHITE_WINS, by=None)
    event = AuditEvent.objects.get(action="result.corrected")
    Player.objects.exclude(number=3).update(visibility="hidden")
    assert "plantedmember" not in words(Client()).lower()
    assert "most" not in words(Client())
    assert "Standard: " in words(Client()), "how many moved is no secret"
    assert f"{dict(event.effect['standard']['largest'])[3]:+.1f}".lstrip("+-") in words(member())
    assert "Mara Plantedmember" in words(member())


def test_every_kind_of_correction_stands_there(cup: Tournament) -> None:
    swap_colours(game=game_of(cup, 1, 2).pk, mirror=True, by=None, reason="wrong-colours")
    rows = b"date,white,black,result\n2026-02-01,Ada Alvarez,Bo Brandt,1\n"
    load_games(read_games(rows, today=LATER).rows, by=None, event_name="Mondays", today=LATER)
    evenings = Tournament.objects.get(open_ended=True)
    ada, bo = Player.objects.order_by("number")[:2]
    new = ForgottenGame(evenings.pk, ada.pk, bo.pk, Result.DRAW, date(2026, 1, 20))
    game = insert_game(new, by=None, reason="late-report")
    remove_game(game=game.pk, by=None, reason="duplicate")
    twin = create_player(NewPlayer("Ada Twin"), by=None)
    merge_players(keep=ada.pk, gone=twin.pk, by=None, reason="duplicate")
    undo_merge(AuditEvent.objects.get(action="players.merged"), by=None, reason="wrong-player")
    late = read_games(rows.replace(b"02-01", b"01-02"), today=LATER).rows
    load_games(late, by=None, event_name="Mondays", today=LATER)
    other = game_of(cup, 1, 3).pk
    correct_result(game=other, result=Result.WHITE_WINS, played_on=LATER, by=None)
    Tournament.objects.filter(pk=cup.pk).update(game="go")
    set_handicap(game=other, given=Handicap(3, 0.5), by=None, reason="other")
    html = words(Client())
    assert "→ 1 Jun 2026" in html
    assert "→ 3 stones, komi 0.5" in html
    said = ("colours exchanged", "a forgotten game", "removed", "games loaded late", "now one", "two persons again")
    assert [word for word in said if word not in html] == []
    assert html.count("games loaded late") == 1, "an ordinary load is no correction"
    assert '– → ½–½</span> <span class="nowrap">20 Jan 2026' in html
    assert '½–½ → –</span> <span class="nowrap">20 Jan 2026' in html


def lines_of(*numbers: int) -> list[int]:
    """How many corrections stand there for each of those players."""
    return [Client().get(PAGE, {"player": number}).text.count("<tr") - 1 for number in numbers]


def test_a_players_own_corrections(cup: Tournament) -> None:
    correct_result(game=game_of(cup, 1, 2).pk, result=Result.WHITE_WINS, by=None)
    correct_result(game=game_of(cup, 2, 3).pk, result=Result.BLACK_WINS, by=None)
    ada = Player.objects.get(number=1).pk
    wrong = [NewStart(ada, factory.MONDAY, 1900, 40)]
    bring_starting_ratings(RatingList.objects.get(), wrong, by=None, reason="late-report")
    drop_starting_rating(StartingRating.objects.get().pk, by=None, reason="other")
    twin = create_player(NewPlayer("Ada Twin"), by=None)
    merge_players(keep=ada, gone=twin.pk, by=None, reason="duplicate")
    for key in (ada, game_of(cup, 1, 2).pk):  # a table with the key of something else
        write_audit("contest.corrected", Contest(pk=key), by=None, reason="appeal", before={}, after={})
    assert f"{PAGE}?player=1" in words(Client(), "/players/1-ada-alvarez/")
    assert lines_of(1, 2, 3) == [4, 2, 1]
    assert "Corrections: Player 3" in words(Client(), f"{PAGE}?player=3")
    assert Client().get(PAGE, {"player": "999"}).status_code == 404
    assert Client().get(PAGE, {"player": "x"}).status_code == 404


def test_corrections_of_a_table_are_those_of_whoever_sat_there(cup: Tournament) -> None:
    tables, other = make_tables()[1], create_player(NewPlayer("Cleo Costa"), by=None)
    for text in ("1: 1; 2: 2; 3: 3", f"1: 2; 2: 3; 3: {other.number}"):
        row = play(tables, text)
        write_audit("contest.corrected", row, by=None, reason="appeal", before={}, after={})
        was, now, effect = (
            {"importance": 1.0},
            {"importance": 2.0},
            {"tables": {"games": 1, "players": 0, "largest": []}},
        )
        same_key = Tournament(pk=row.pk)
        write_audit("event.importance", same_key, by=None, reason="other", before=was, after=now, effect=effect)
    assert lines_of(1, 2, other.number) == [1, 2, 1]


def test_a_deleted_game_still_stands_there_for_its_players(cup: Tournament) -> None:
    rows = b"date,white,black,result\n2026-02-01,Ada Alvarez,Bo Brandt,1\n"
    load_games(read_games(rows, today=LATER).rows, by=None, event_name="Mondays", today=LATER)
    ada, bo = Player.objects.order_by("number")[:2]
    event = Tournament.objects.get(open_ended=True)
    game = insert_game(
        ForgottenGame(event.pk, ada.pk, bo.pk, Result.DRAW, date(2026, 1, 20)), by=None, reason="late-report"
    )
    remove_game(game=game.pk, by=None, reason="duplicate")
    html = words(Client(), f"{PAGE}?player=2")
    assert html.count("Mondays") == 2
    assert html.count("Ada Alvarez") >= 2


@pytest.mark.extended
def test_the_page_asks_as_much_for_twelve_corrections_as_for_three(cup: Tournament) -> None:
    counts = []
    for times in (3, 9):
        for number in range(times):
            game = game_of(cup, *((1, 2), (2, 3), (1, 3))[number % 3])
            wanted = next(code for code in (Result.DRAW, Result.WHITE_WINS) if code != game.result)
            correct_result(game=game.pk, result=wanted, by=None)
        with CaptureQueriesContext(connection) as queries:
            words(Client())
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 10


def test_pages_follow_after_fifty(cup: Tournament) -> None:
    game = game_of(cup, 1, 2)
    correct_result(game=game.pk, result=Result.WHITE_WINS, by=None)
    event = AuditEvent.objects.get(action="result.corrected")
    event.pk = None
    AuditEvent.objects.bulk_create([copy(event) for _ in range(50)])
    assert "1 of 2" in words(Client())
    assert words(Client(), f"{PAGE}?page=2").count("<tr") == 2
    assert "?player=1&amp;page=2" in words(Client(), f"{PAGE}?player=1").replace(
        "page=2&amp;player=1", "player=1&amp;page=2"
    )
