"""The files of an event: what stands in them, for whom, and at what cost."""

import csv
import io
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from players.models import Player, Visibility
from players.services.people import NewPlayer, create_players, set_identities, update_player
from ratings.models import RatingList
from ratings.services.lists import NewStart
from tests import factory
from tests.tournaments import page_cases
from tests.tournaments.correction_cases import EVENT, stream
from tournaments.interchange.games_csv import read_games
from tournaments.interchange.trf import read_report
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.services.entries import enter_players
from tournaments.services.events import NewTournament, create_tournament
from tournaments.services.rating import bring_starting_ratings
from tournaments.services.stages import Calendar, form_stages, make_rounds
from tournaments.services.streams import load_games
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db

TABLES = ("entries.csv", "entries.xlsx", "pairings.csv", "pairings.xlsx", "standings.csv", "standings.xlsx")
FILES = (*TABLES, "games.pgn")


def address(cup: Tournament, file: str) -> str:
    return f"/tournaments/{cup.slug}/{file}"


def rows(client: Client, cup: Tournament, file: str) -> list[dict[str, str]]:
    response = client.get(address(cup, file))
    assert response.status_code == 200
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def games(client: Client, cup: Tournament) -> list[dict[str, str]]:
    """The games' tags."""
    text = client.get(address(cup, "games.pgn")).content.decode()
    blocks = [block for block in text.split("\n\n") if block.startswith("[Event")]
    return [dict(line[1:-2].split(' "', 1) for line in block.splitlines()) for block in blocks]


@pytest.fixture(scope="module")
def standard(world: None) -> RatingList:
    factory.make_club()
    return factory.make_list()


@pytest.fixture
def groups(standard: RatingList) -> Tournament:
    """Two groups of four, then a knockout that is still to be drawn."""
    cup = create_tournament(NewTournament("Groups", pairing_system="groups", starts_on=factory.MONDAY), by=None)
    enter_players(cup, factory.make_players(8), by=None)
    for number, entry in enumerate(cup.entries.order_by("pk"), start=1):
        Entry.objects.filter(pk=entry.pk).update(number=number)
    for stage in form_stages(cup.stages.get(), by=None):
        if stage.part == 1:
            make_rounds(stage, by=None, calendar=Calendar(factory.MONDAY))
    return cup


# --- entries ------------------------------------------------------------------------------------------------------
def test_entries_hold_number_name_and_the_rating_at_entry(client: Client, standard: RatingList) -> None:
    ada, bo = factory.make_players(2)
    bring_starting_ratings(standard, [NewStart(ada.pk, date(2025, 1, 1), 1850.5, 12)], by=None)
    set_identities(ada, {"fide": "1234567"}, by=None)
    Player.objects.filter(pk=ada.pk).update(title="WFM")
    cup = factory.make_round_robin([bo, ada])
    first, second = rows(client, cup, "entries.csv")
    assert first == {
        "pairing_number": "1",
        "number": "2",
        "player": "Bo Brandt",
        "title": "",
        "fide_id": "",
        "rating": "",
        "games": "",
        "provisional": "0",
        "withdrawn": "0",
    }
    assert (second["title"], second["fide_id"], second["rating"], second["provisional"]) == (
        "WFM",
        "1234567",
        "1851",
        "1",
    )


def test_an_event_without_rounds_has_a_file_of_entries(client: Client, standard: RatingList) -> None:
    cup = create_tournament(NewTournament("Next Cup"), by=None)
    enter_players(cup, factory.make_players(2), by=None)
    assert [row["pairing_number"] for row in rows(client, cup, "entries.csv")] == ["", ""]
    assert rows(client, cup, "pairings.csv") == []
    assert rows(client, cup, "standings.csv") == []
    assert client.get(address(cup, "games.pgn")).content == b""


# --- pairings -----------------------------------------------------------------------------------------------------
def test_pairings_hold_every_board_and_every_bye(client: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.BLACK_FORFEITS])
    found = rows(client, cup, "pairings.csv")
    assert len(found) == 15
    first, second, bye = found[:3]
    assert (first["round"], first["board"], first["white"], first["black"]) == ("1", "1", "Bo Brandt", "Eva Engel")
    assert (first["date"], first["result"], second["result"]) == ("2026-01-05", "1-0", "+/-")
    assert (bye["white"], bye["black"], bye["bye"]) == ("Ada Alvarez", "", "pab")
    assert found[3]["result"] == ""


def test_the_pairings_of_one_round(client: Client, cup: Tournament) -> None:
    found = rows(client, cup, "pairings.csv?round=2")
    assert {row["round"] for row in found} == {"2"}
    assert len(found) == 3
    for asked in ("0", "6", "x", "-1", "99999999", "²"):
        assert client.get(address(cup, "pairings.csv"), {"round": asked}).status_code == 404, asked


def test_the_file_of_pairings_is_a_file_of_games(client: Client, cup: Tournament) -> None:
    """GAMES.csv takes what is played out of it, results and all."""
    factory.play_all(cup)
    lines = client.get(address(cup, "pairings.csv")).content.decode().splitlines()
    played = [line for line in lines if not line.endswith("pab")]
    read = read_games("\n".join(played).encode(), today=date(2026, 12, 31))
    assert read.bad == ()
    assert len(read.rows) == 10


def test_a_draft_is_in_no_file_but_an_officers(client: Client, cup: Tournament) -> None:
    Round.objects.filter(stage__tournament=cup, number__gt=1).update(state=Round.State.DRAFT)
    assert len(rows(client, cup, "pairings.csv")) == 3
    assert len(games(client, cup)) == 2
    assert client.get(address(cup, "pairings.csv?round=2")).status_code == 404
    client.force_login(factory.make_arbiter())
    assert len(rows(client, cup, "pairings.csv")) == 15


# --- standings ----------------------------------------------------------------------------------------------------
def test_standings_hold_places_points_and_every_tie_break(client: Client, season: Tournament) -> None:
    found = rows(client, season, "standings.csv")
    page = client.get(address(season, "standings/")).content.decode()
    assert [row["player"] for row in found] == sorted((row["player"] for row in found), key=page.index)
    assert list(found[0])[-4:] == ["games", "SB", "WIN", "DE"]
    assert sum(float(row["points"]) for row in found) == 15
    assert found[0]["place"] == "1"


def test_figures_are_numbers_in_excel_too(client: Client, season: Tournament) -> None:
    data = client.get(address(season, "standings.xlsx")).content
    header, *lines = load_workbook(io.BytesIO(data)).worksheets[0].iter_rows(values_only=True)
    plain = rows(client, season, "standings.csv")
    assert list(header) == list(plain[0])
    for line, row in zip(lines, plain, strict=True):
        assert {type(line[header.index(name)]) for name in ("points", "SB", "rating")} <= {int, float, type(None)}
        assert float(str(line[header.index("points")])) == float(row["points"])


def test_a_knockout_has_places_and_no_points(client: Client, standard: RatingList) -> None:
    cup = factory.make_knockout(factory.make_players(4))
    for board in (1, 2):
        factory.play_match(factory.match_of(cup, 1, board), Result.WHITE_WINS)
    found = rows(client, cup, "standings.csv")
    assert sorted((row["place"], row["last_place"]) for row in found) == [
        ("1", "2"),
        ("1", "2"),
        ("3", "4"),
        ("3", "4"),
    ]
    assert {row["points"] for row in found} == {""}
    pairings = rows(client, cup, "pairings.csv")
    assert [row["round"] for row in pairings] == ["1", "1", "2"]
    assert pairings[0]["result"] == "1-0"


def test_a_bye_in_a_knockout_and_a_match_that_waits(client: Client, standard: RatingList) -> None:
    cup = factory.make_knockout(factory.make_players(3))
    found = rows(client, cup, "pairings.csv")
    assert [(row["white"], row["black"], row["bye"]) for row in found] == [
        ("Ada Alvarez", "", "bye"),
        ("Bo Brandt", "Cleo Costa", ""),
        ("Ada Alvarez", "", ""),
    ]


def test_groups_tell_their_stage_in_every_row(client: Client, groups: Tournament) -> None:
    assert {row["stage"] for row in rows(client, groups, "standings.csv")} == {"Group A", "Group B"}
    pairings = rows(client, groups, "pairings.csv")
    assert len([row for row in pairings if row["round"] == "1"]) == 4
    assert len(rows(client, groups, "entries.csv")) == 8
    assert len(games(client, groups)) == 12


# --- games --------------------------------------------------------------------------------------------------------
def test_games_are_named_by_round_and_board(client: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.DRAW, Result.WHITE_FORFEITS])
    found = games(client, cup)
    assert len(found) == 10, "a bye is no game"
    first, second, *_rest, last = found
    assert (first["Event"], first["Round"], first["Date"]) == ("Winter Cup", "1.1", "2026.01.05")
    assert (first["White"], first["Black"], first["Result"]) == ("Bo Brandt", "Eva Engel", "1/2-1/2")
    assert "Termination" not in first
    assert (second["Result"], second["Termination"]) == ("0-1", "rules infraction")
    assert (last["Result"], last["Termination"], last["Round"]) == ("*", "unterminated", "5.2")


def test_what_both_forfeited_is_no_game(client: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.DRAW, Result.BOTH_FORFEIT])
    assert [game["Round"] for game in games(client, cup)][:2] == ["1.1", "2.1"]


def test_the_games_of_a_match_are_told_apart(client: Client, standard: RatingList) -> None:
    cup = factory.make_knockout(factory.make_players(2), games=2)
    match = factory.match_of(cup, 1, 1)
    factory.play_match(match, Result.DRAW)
    if Game.objects.filter(pairing=match, result="").exists():
        factory.play_match(match, Result.DRAW)
    found = games(client, cup)
    assert [game["Round"] for game in found][:2] == ["1.1.1", "1.1.2"]
    assert found[0]["White"] == found[1]["Black"]


def test_club_evenings_have_their_games_as_pgn_and_nothing_else(client: Client, standard: RatingList) -> None:
    line = "2026-01-05,Ada Alvarez,Bo Brandt,1"
    load_games(stream(line), by=None, event_name=EVENT, today=factory.MONDAY)
    evenings = Tournament.objects.get()
    (game,) = games(client, evenings)
    assert (game["Round"], game["Date"], game["White"], game["Result"]) == ("-", "2026.01.05", "Ada Alvarez", "1-0")
    for file in TABLES:
        assert client.get(address(evenings, file)).status_code == 404


def test_the_games_of_club_evenings_name_nobody_who_is_not_public(client: Client, standard: RatingList) -> None:
    create_players(
        [NewPlayer("Ada Alvarez", visibility="hidden"), NewPlayer("Bo Brandt", visibility="initials")], by=None
    )
    load_games(stream("2026-01-05,Ada Alvarez,Bo Brandt,1"), by=None, event_name=EVENT, today=factory.MONDAY)
    (game,) = games(client, Tournament.objects.get())
    assert (game["White"], game["Black"]) == ("Player 1", "B. B.")


def test_many_games_of_club_evenings_ask_as_much_as_few(
    client: Client, standard: RatingList, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    lines = [f"2026-01-05,{white},{black},1" for white in factory.CAST for black in factory.CAST if white != black]
    load_games(stream(*lines), by=None, event_name=EVENT, today=factory.MONDAY)
    evenings = Tournament.objects.get()
    with django_assert_max_num_queries(3):
        assert len(games(client, evenings)) == 56


# --- privacy and safety -------------------------------------------------------------------------------------------
def words(file: str, data: bytes) -> str:
    if not file.endswith("xlsx"):
        return data.decode()
    cells = load_workbook(io.BytesIO(data)).worksheets[0].iter_rows(values_only=True)
    return "\n".join(str(value) for line in cells for value in line)


def test_no_file_names_who_is_not_public(client: Client, standard: RatingList) -> None:
    (hidden,) = create_players([NewPlayer("Zacharias Quillfeather", title="IM")], by=None)
    set_identities(hidden, {"fide": "7654321"}, by=None)
    cup = factory.make_round_robin([hidden, *factory.make_players(2)])
    wrong = []
    for visibility in (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN):
        update_player(hidden.pk, {"visibility": visibility}, by=None)
        shown = "Z. Q." if visibility == Visibility.INITIALS else f"Player {hidden.number}"
        for file in FILES:
            text = words(file, client.get(address(cup, file)).content)
            told = [secret for secret in ("Quillfeather", "IM", "7654321") if secret in text]
            if told or shown not in text:
                wrong.append((visibility, file, told))
    assert wrong == []


def test_no_name_is_a_formula_in_any_file(client: Client, standard: RatingList) -> None:
    name = '=HYPERLINK("http://example.org")'
    cup = factory.make_round_robin([*create_players([NewPlayer(name)], by=None), *factory.make_players(1)])
    for file in ("entries", "pairings", "standings"):
        assert "'=HYPERLINK" in client.get(address(cup, f"{file}.csv")).content.decode()
        page = load_workbook(io.BytesIO(client.get(address(cup, f"{file}.xlsx")).content)).worksheets[0]
        assert {cell.data_type for line in page.iter_rows() for cell in line} <= {"s", "n", "d"}


def test_a_file_is_kept_under_the_events_name(client: Client, cup: Tournament) -> None:
    for file, name, kind in (
        ("entries.csv", "winter-cup-entries.csv", "text/csv; charset=utf-8"),
        (
            "entries.xlsx",
            "winter-cup-entries.xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ),
        ("games.pgn", "winter-cup.pgn", "application/x-chess-pgn; charset=utf-8"),
    ):
        response = client.get(address(cup, file))
        assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
        assert response.headers["Content-Type"] == kind


def test_what_depends_on_the_viewer_is_not_stored_by_shared_caches(desk: Client, cup: Tournament) -> None:
    assert "private" in desk.get(address(cup, "entries.csv")).headers["Cache-Control"]


def test_what_does_not_exist_is_not_found(client: Client, standard: RatingList) -> None:
    for file in [*FILES, "files/"]:
        for name in (file, file.replace("csv", "ods").replace("xlsx", "xls")):
            assert client.get(f"/tournaments/nowhere/{name}").status_code == 404, name


# --- cost ---------------------------------------------------------------------------------------------------------
def test_a_file_asks_as_much_for_a_large_event_as_for_a_small_one(
    client: Client, standard: RatingList, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for count in (3, 12):
        cup = factory.make_round_robin(factory.make_players(count), name=f"Cup of {count}")
        for file in FILES:
            # The club, the stages, and the facts of them; the FIDE numbers.
            with django_assert_max_num_queries(7):
                client.get(address(cup, file))


def test_groups_ask_no_more_than_that_either(
    client: Client, groups: Tournament, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for file in FILES:
        with django_assert_max_num_queries(8):
            client.get(address(groups, file))


# --- the page -----------------------------------------------------------------------------------------------------
def test_every_file_is_linked_from_the_page(client: Client, cup: Tournament) -> None:
    page = client.get(address(cup, "files/")).text
    for file in FILES:
        assert f'href="{address(cup, file)}"' in page
    assert f'href="{address(cup, "pairings.csv")}?round=5"' in page
    assert f'href="{address(cup, "calendar.ics")}"' in page
    assert f'href="{address(cup, "files/")}"' in client.get(cup.get_absolute_url()).text


def test_an_event_without_rounds_offers_only_its_entries(client: Client, standard: RatingList) -> None:
    cup = create_tournament(NewTournament("Next Cup"), by=None)
    page = client.get(address(cup, "files/")).text
    assert "entries.csv" in page
    assert "pairings.csv" not in page


def test_a_report_tells_what_its_viewer_may_see(standard: RatingList) -> None:
    """The public: names as shown, no sex, no year of birth, nobody's wishes. An officer: everything."""
    players = factory.make_players(4)
    Player.objects.filter(pk=players[0].pk).update(sex="f", birth_year=1980, title="WFM", visibility="initials")
    Player.objects.filter(pk=players[1].pk).update(sex="m", birth_year=1970, title="FM")
    cup = factory.make_round_robin(players)
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    public = Client().get(f"/tournaments/{cup.slug}/report.trf").text
    officer = Client()
    officer.force_login(factory.make_arbiter())
    full = officer.get(f"/tournaments/{cup.slug}/report.trf").text
    assert players[0].name not in public
    assert players[1].name in public
    for private in ("1980", "1970", "wFM", "WFM"):
        assert private not in public
    assert "1980/00/00" in full
    assert players[0].name in full
    one, other = (read_report(text.encode()) for text in (public, full))
    assert [row.cells for row in one.players] == [row.cells for row in other.players]
    older = Client().get(f"/tournaments/{cup.slug}/report.trf?version=16")
    assert older.status_code == 200
    assert older.text != public


def test_an_event_that_cannot_be_told_in_a_report_says_why(standard: RatingList) -> None:
    answer = Client().get(f"/tournaments/{page_cases.make_event([], 'round-robin').slug}/report.trf")
    assert answer.status_code == 404
    assert "pairing numbers" in answer.text or "rounds" in answer.text
