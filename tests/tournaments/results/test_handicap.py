"""Stones and komi of games of go: facts of the game, what lists make of them, corrections, files."""

import csv
from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent
from players.people.services import NewPlayer, create_player
from players.refusals import Refused
from ratings.lists.services import NewStart, create_list
from ratings.models import LedgerEntry, PlayerRating, RatingList
from ratings.systems.base import Handicap, Moment
from ratings.systems.egf import expected_black, handicap_shift, usual_handicap
from tests import factory
from tests.tournaments.corrections.correction_cases import correct, is_exact
from tournaments.corrections.admin.handicap import suggestion
from tournaments.corrections.services.changes import ColoursSwapped, Why, facts_digest
from tournaments.corrections.services.corrections import undo_of
from tournaments.corrections.services.fact_changes import HandicapChange
from tournaments.corrections.services.jobs import carry_out_beside, from_payload, to_payload
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import BoardGame, Game, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rating import tail_games
from tournaments.results.services.handicap import check_komi, handicap_of, set_handicap
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
DAY = date(2026, 1, 5)
STARTS = {0: 2100.0, 1: 1800.0, 2: 1500.0, 3: 1900.0}


@pytest.fixture(scope="module")
def evening(world: None) -> Tournament:
    """Four players of go in a round robin that nobody has begun, in an Elo list and one of go."""
    factory.make_club()
    factory.make_list()
    go = create_list(name="Go", slug="go", pool="standard", by=None, system="egf")
    players = factory.make_players(4)
    starts = [NewStart(players[place].pk, date(2025, 12, 1), rating, 0) for place, rating in STARTS.items()]
    bring_starting_ratings(go, starts, by=None)
    event = factory.make_round_robin(players)
    Tournament.objects.filter(pk=event.pk).update(game=BoardGame.GO, komi=6.5)
    return Tournament.objects.get(pk=event.pk)


@pytest.fixture
def game(evening: Tournament) -> Game:
    return games(evening)[0]


def games(event: Tournament) -> list[Game]:
    return list(Game.objects.filter(pairing__round=factory.round_of(event, 1)).order_by("pairing__board"))


def record(game: Game, result: Result = Result.BLACK_WINS) -> Game:
    return record_result(game=game.pk, result=result, played_on=DAY, by=None)


def ratings(slug: str) -> dict[int, float]:
    return dict(PlayerRating.objects.filter(rating_list__slug=slug).values_list("player__number", "rating"))


def expected(game: Game) -> float | None:
    """What the list of go expected of Black."""
    return LedgerEntry.objects.get(rating_list__slug="go", game=game).black_expected


def test_stones_count_in_a_list_of_go_and_in_no_other(game: Game) -> None:
    record(game)
    even, elo = expected(game), ratings("standard")
    correct(HandicapChange(game.pk, 3, None))
    black, white = (STARTS[player.number - 1] for player in (game.black, game.white))
    assert even == expected_black(black, white)
    assert expected(game) == expected_black(black, white, handicap_shift(3))
    assert ratings("standard") == elo
    assert is_exact()


def test_stones_said_before_the_result_are_no_correction(game: Game) -> None:
    set_handicap(game=game.pk, given=Handicap(4), by=None)
    game.refresh_from_db()
    row = record(game)
    assert (row.handicap, row.komi) == (4, None), "the event's komi is that of even games"
    assert [event.action for event in AuditEvent.objects.filter(subject_kind="game").order_by("pk")] == [
        "handicap.set",
        "result.recorded",
    ]
    for given, words in ((Handicap(5), "is a correction"), (Handicap(4), "Nothing was changed")):
        with pytest.raises(Refused, match=words):
            set_handicap(game=game.pk, given=given, by=None)
    assert AuditEvent.objects.filter(subject_kind="game").count() == 2


def test_the_grades_suggest_stones_other_colours_or_an_even_game(evening: Tournament) -> None:
    for game in Game.objects.filter(tournament=evening).select_related("white", "black"):
        white, black = (STARTS[player.number - 1] for player in (game.white, game.black))
        assert ("suggest" if white > black else "would exchange colours") in suggestion(game)
    twins = [create_player(NewPlayer(f"Twin {letter}"), by=None) for letter in "AB"]
    go = RatingList.objects.get(slug="go")
    bring_starting_ratings(go, [NewStart(twin.pk, date(2025, 12, 1), 1800, 0) for twin in twins], by=None)
    match = factory.make_round_robin(twins, name="Match")
    assert "even game" in suggestion(Game.objects.get(tournament=match))


def test_an_even_game_takes_the_events_komi_with_its_result(game: Game, evening: Tournament) -> None:
    Tournament.objects.filter(pk=evening.pk).update(komi=7.5)
    assert record(game).komi == 7.5
    black, white = (STARTS[player.number - 1] for player in (game.black, game.white))
    assert expected(game) == expected_black(black, white, handicap_shift(0, 7.5))


@pytest.mark.parametrize("given", [Handicap(1), Handicap(10), Handicap(0, 6.3), Handicap(2, 1000.0)])
def test_what_is_no_handicap_is_refused(game: Game, given: Handicap) -> None:
    with pytest.raises(Refused):
        set_handicap(game=game.pk, given=given, by=None)


def test_a_correction_is_undone_and_the_ledger_is_as_before(game: Game, evening: Tournament) -> None:
    set_handicap(game=game.pk, given=Handicap(3), by=None)
    record(game)
    record(games(evening)[1], Result.WHITE_WINS)
    before = ratings("go")
    correct(HandicapChange(game.pk, 2, 0.5))
    assert ratings("go") != before
    line = AuditEvent.objects.get(action="handicap.corrected")
    assert line.effect["go"]["games"] == 2, "this one and the one behind it"
    undo = undo_of(line)
    assert undo is not None
    correct(undo)
    assert ratings("go") == before
    assert is_exact()


def test_exchanged_colours_let_the_stones_help_the_other(game: Game) -> None:
    set_handicap(game=game.pk, given=Handicap(5), by=None)
    record(game)
    correct(ColoursSwapped(game.pk, mirror=True))
    swapped = Game.objects.get(pk=game.pk)
    black, white = (STARTS[player.number - 1] for player in (swapped.black, swapped.white))
    assert (swapped.black_id, swapped.handicap) == (game.white_id, 5)
    assert expected(game) == expected_black(black, white, handicap_shift(5))


def test_a_long_tail_is_rated_beside_the_list_with_the_stones(game: Game) -> None:
    record(game)
    change = from_payload(to_payload(HandicapChange(game.pk, 6, None)))
    carry_out_beside(change, facts_digest(change), Why(None, "appeal"))
    black, white = (STARTS[player.number - 1] for player in (game.black, game.white))
    assert expected(game) == expected_black(black, white, handicap_shift(6))
    assert is_exact()


def test_a_list_of_go_equals_the_command_on_its_exported_games(evening: Tournament, tmp_path: Path) -> None:
    for game, given in zip(games(evening), (Handicap(3), Handicap(0, 0.0)), strict=True):
        set_handicap(game=game.pk, given=given, by=None)
        record(game)
    call_command("export_games", "--list", "go", "--out", str(tmp_path / "games.csv"), stderr=StringIO())
    people = "".join(f"#{place + 1},{rating}\n" for place, rating in STARTS.items())
    (tmp_path / "players.csv").write_text(f"player,rating\n{people}")
    out, ledger = tmp_path / "ratings.csv", StringIO()
    arguments = ("--system", "egf", "--players", str(tmp_path / "players.csv"), "--ratings", str(out))
    call_command("rate", str(tmp_path / "games.csv"), *arguments, stdout=ledger, stderr=StringIO())
    rows = csv.DictReader(out.open(encoding="utf-8"))
    assert {int(row["player"][1:]): float(row["rating"]) for row in rows} == ratings("go")


def test_a_file_of_games_brings_stones_and_komi(evening: Tournament, tmp_path: Path) -> None:
    path = tmp_path / "evening.csv"
    path.write_text(
        "date,white,black,result,handicap,komi\n2026-02-01,#1,#2,0-1,3,\n2026-02-01,#1,#3,1-0,1,\n"
        "2026-02-01,#1,#4,1-0,,5.5\n"
    )
    call_command("load_games", str(path), stdout=StringIO(), stderr=StringIO())
    found = Game.objects.filter(tournament__open_ended=True).order_by("sequence").values_list("handicap", "komi")
    assert list(found) == [(3, None), (0, 0.0), (0, 5.5)], "one stone is Black without komi"


@pytest.mark.parametrize(("slug", "asked"), [("standard", 0), ("go", 1)])
def test_only_a_list_of_go_asks_for_stones(game: Game, slug: str, asked: int) -> None:
    record(game)
    rating_list = RatingList.objects.get(slug=slug)
    with CaptureQueriesContext(connection) as queries:
        tail_games(rating_list, Moment(DAY), {})
    assert sum("komi" in query["sql"] for query in queries) == asked


@pytest.mark.parametrize(
    ("white", "black", "given"),
    [(2100, 2060, None), (2100, 2000, Handicap(0, 0.0)), (2100, 1800, Handicap(3)), (2700, 100, Handicap(9))],
)
def test_the_grades_suggest_stones(white: float, black: float, given: Handicap | None) -> None:
    assert usual_handicap(white, black) == given


def test_komi_is_whole_or_half_and_a_hundred_at_most() -> None:
    for komi in (-100.0, 0.0, 6.5, 100.0, None):
        check_komi(komi)
    for komi in (-100.5, 6.3, 100.5):
        with pytest.raises(Refused, match="up to 100"):
            check_komi(komi)


# --- pages -----------------------------------------------------------------------------------------------------------
def test_stones_are_entered_on_their_page_and_corrected_with_a_preview(game: Game, client: Client) -> None:
    client.force_login(factory.make_arbiter())
    address = f"/admin/tournaments/game/{game.pk}/handicap/"
    form = client.get(address).content.decode()
    assert "the grades suggest" in form or "exchange colours" in form
    assert not Game.objects.filter(handicap__gt=0).exists(), "a suggestion is not stored unasked"
    assert "it is saved at once" in form
    assert client.post(address, {"stones": "3", "komi": ""}).status_code == 302
    record(Game.objects.get(pk=game.pk))
    answer = client.post(address, {"stones": "4", "komi": "6.3"})
    assert "6.5" in answer.content.decode()
    preview = client.post(address, {"stones": "4", "komi": "0.5"}, follow=True).content.decode()
    assert "3 stones → 4 stones, komi 0.5" in preview
    assert Game.objects.get(pk=game.pk).handicap == 3
    board = client.get(f"/admin/tournaments/tournament/round/{game.pairing.round_id}/results/").content.decode()
    assert "3 stones" in board


def test_stones_are_chosen_beside_a_board_with_and_without_script(
    game: Game, evening: Tournament, client: Client
) -> None:
    other = games(evening)[1]
    client.force_login(factory.make_arbiter())
    round_page = f"/admin/tournaments/tournament/round/{game.pairing.round_id}/"
    assert f'name="stones-{game.pk}"' in client.get(f"{round_page}results/").content.decode()
    form = {f"revision-{game.pk}": "0", f"was-{game.pk}": "", "board-1": "0-1", f"stones-{game.pk}": "3"}
    assert client.post(f"{round_page}results/", form).status_code == 302
    posted = {"game": other.pk, "revision": 0, "result": "1-0", "stones": "2"}
    for stones, status in (("1", 400), ("2", 200)):
        answer = client.post(f"{round_page}board/", {**posted, "stones": stones}, content_type="application/json")
        assert answer.status_code == status
    found = Game.objects.filter(pk__in=(game.pk, other.pk)).order_by("pairing__board")
    assert list(found.values_list("handicap", "result")) == [(3, "0-1"), (2, "1-0")]
    shown = client.get(f"{round_page}results/").content.decode()
    assert "data-stones" not in shown, "once there is a result another handicap is a correction"


def test_stones_without_a_result_are_saved_and_the_events_komi_is_not_a_games_own(
    game: Game, evening: Tournament, client: Client
) -> None:
    client.force_login(factory.make_arbiter())
    address = f"/admin/tournaments/tournament/round/{game.pairing.round_id}/results/"
    record(game)
    assert handicap_of(Game.objects.get(pk=game.pk)) == Handicap(0, 6.5)
    cleared = correct_result(game=game.pk, result=Result.OPEN, by=None)
    form = {f"revision-{game.pk}": str(cleared.revision), f"was-{game.pk}": "", f"stones-{game.pk}": "3"}
    assert client.post(address, {**form, "board-1": ""}).status_code == 302
    found = Game.objects.get(pk=game.pk)
    assert (handicap_of(found), found.result) == (Handicap(3), "")
    assert handicap_of(record(found)) == Handicap(3)


def test_a_game_corrected_to_even_has_the_events_komi(game: Game, client: Client) -> None:
    set_handicap(game=game.pk, given=Handicap(3), by=None)
    record(game)
    client.force_login(factory.make_arbiter())
    page = f"/admin/tournaments/game/{game.pk}/handicap/"
    preview = client.post(page, {"stones": "0", "komi": ""}, follow=True).content.decode()
    assert "3 stones → komi 6.5" in preview


def test_an_old_page_overwrites_no_stones_and_a_game_of_chess_has_none(game: Game, client: Client) -> None:
    client.force_login(factory.make_arbiter())
    page = f"/admin/tournaments/game/{game.pk}/handicap/"
    assert 'name="revision" value="0"' in client.get(page).content.decode()
    set_handicap(game=game.pk, given=Handicap(3), by=None)
    client.post(page, {"stones": "0", "komi": "7.5", "revision": "0"})
    assert handicap_of(Game.objects.get(pk=game.pk)) == Handicap(3)
    Tournament.objects.filter(pk=game.tournament_id).update(game=BoardGame.CHESS)
    with pytest.raises(Refused, match="belong to go"):
        set_handicap(game=game.pk, given=Handicap(4), by=None)
    set_handicap(game=game.pk, given=Handicap(), by=None)
    assert handicap_of(record(game)) == Handicap(), "the event's komi is for go"


def test_the_why_page_shows_the_arithmetic_of_the_stones(game: Game, client: Client) -> None:
    set_handicap(game=game.pk, given=Handicap(3), by=None)
    record(game)
    client.force_login(factory.make_arbiter())
    number = game.black.number
    page = client.get(f"/ratings/go/why/{game.pk}/{number}/").content.decode()
    assert "100 × (3 − ½) = 250" in page
    other = client.get(f"/ratings/standard/why/{game.pk}/{number}/").content.decode()
    assert "rates it as an even one" in other


def test_the_events_page_shows_stones_and_which_list_rates_them_as_none(
    game: Game, evening: Tournament, client: Client
) -> None:
    private = create_list(name="Of the committee", slug="committee", pool="standard", by=None)
    RatingList.objects.filter(pk=private.pk).update(public=False)
    set_handicap(game=game.pk, given=Handicap(3), by=None)
    record(game)
    page = client.get(f"/tournaments/{evening.slug}/rounds/1/").content.decode()
    assert "3 stones" in page
    assert "rated as even ones in: Standard." in page
    correct(HandicapChange(game.pk, 0, None))
    assert "as even ones" not in client.get(f"/tournaments/{evening.slug}/rounds/1/").content.decode()


def test_a_sheet_of_free_games_takes_stones(evening: Tournament, client: Client) -> None:
    new = NewTournament("Go on Sundays", pairing_system="free", game=BoardGame.GO)
    event = create_tournament(new, by=None)
    client.force_login(factory.make_arbiter())
    line = {"white-1": "#1", "black-1": "#2", "result-1": "0-1", "stones-1": "4", "played_on": "2026-02-01"}
    address = f"/admin/tournaments/tournament/{event.pk}/evening/"
    assert "Stones for Black in line 1" in client.get(address).content.decode()
    assert client.post(address, {**line, "stones-1": "11"}).status_code == 409
    assert client.post(address, line).status_code == 302
    assert Game.objects.get(tournament=event).handicap == 4
    answer = client.post(address, {**line, "played_on": "2026-01-25", "stones-1": "2"}, follow=True)
    assert ", 2 stones" in answer.content.decode(), "a game of an earlier day is previewed with its stones"


def test_a_list_of_go_shows_grades(game: Game, client: Client) -> None:
    record(game)
    RatingList.objects.filter(slug="go").update(public=True)
    page = client.get("/ratings/go/").content.decode()
    assert " dan</span>" in page
    assert " kyu</span>" in page


def test_a_grade_is_a_starting_rating_in_a_list_of_go_only(evening: Tournament, client: Client) -> None:
    client.force_login(factory.make_administrator())
    go, elo = (RatingList.objects.get(slug=slug) for slug in ("go", "standard"))
    ready = {"on": "2025-12-02", "rating": "1k", "who": "#1", "source": "club", "revision": "0"}
    page = client.post("/admin/ratings/startingrating/add/", {**ready, "rating_list": elo.pk})
    assert "Grades of go mean nothing" in page.content.decode()
    below = {**ready, "rating": "-1"}
    page = client.post("/admin/ratings/startingrating/add/", {**below, "rating_list": elo.pk})
    assert "A rating lies between 0 and 4000." in page.content.decode()
    assert client.post("/admin/ratings/startingrating/add/", {**ready, "rating_list": go.pk}).status_code == 302
    assert go.starting_ratings.get(on=date(2025, 12, 2)).rating == 2000.0


def test_a_file_of_players_brings_grades_to_a_list_of_go(evening: Tournament, tmp_path: Path) -> None:
    path = tmp_path / "players.csv"
    path.write_text("player,grade\nGo Seigen,9p\nNew Comer,25k\n")
    call_command("import_players", str(path), "--list", "go", stdout=StringIO(), stderr=StringIO())
    assert RatingList.objects.get(slug="go").starting_ratings.get(player__name="Go Seigen").rating == 2940.0
    assert RatingList.objects.get(slug="go").starting_ratings.get(player__name="New Comer").rating == -400.0
