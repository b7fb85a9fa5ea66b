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
from players.people.services import NewPlayer, create_players, set_identities, update_player
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.tournaments.corrections.correction_cases import EVENT, stream
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages import page_cases
from tests.tournaments.teams.team_cases import make_team_event
from tournaments.entries.services.entries import enter_players
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.formats.services import Calendar, form_stages, make_rounds
from tournaments.interchange.games_csv import read_games
from tournaments.interchange.trf import read_report
from tournaments.loading.services.streams import load_games
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db

TABLES = ("entries.csv", "entries.xlsx", "pairings.csv", "pairings.xlsx", "standings.csv", "standings.xlsx")
FILES = (*TABLES, "games.pgn")
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


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


standard = club_and_list


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


def test_entries_hold_number_name_and_the_rating_at_entry(client: Client, standard: RatingList) -> None:
    ada, bo = factory.make_players(2)
    bring_starting_ratings(standard, [NewStart(ada.pk, date(2025, 1, 1), 1850.5, 12)], by=None)
    set_identities(ada, {"fide": "1234567", "national": "77"}, by=None)
    set_identities(bo, {"national": "78"}, by=None)
    Player.objects.filter(pk=ada.pk).update(title="WFM")
    cup = factory.make_round_robin([bo, ada])
    first, second = rows(client, cup, "entries.csv")
    assert ",".join(first) == "pairing_number,number,player,title,fide_id,rating,games,provisional,withdrawn"
    assert ",".join(first.values()) == "1,2,Bo Brandt,,,,,0,0"
    assert [second[key] for key in ("title", "fide_id", "rating", "provisional")] == ["WFM", "1234567", "1851", "1"]
    assert {"WFM", "1234567", "1851"} <= set(games(client, cup)[0].values())
    Entry.objects.filter(tournament=cup, player=ada).update(withdrawn=True)
    assert [row["withdrawn"] for row in rows(client, cup, "entries.csv")] == ["0", "1"]
    empty = create_tournament(NewTournament("Next Cup"), by=None)
    enter_players(empty, [ada, bo], by=None)
    assert [row["pairing_number"] for row in rows(client, empty, "entries.csv")] == ["", ""]
    assert [rows(client, empty, file) for file in ("pairings.csv", "standings.csv")] == [[], []]
    assert client.get(address(empty, "games.pgn")).content == b""
    page = client.get(address(empty, "files/")).text
    assert ("entries.csv" in page, "pairings.csv" in page) == (True, False), "only what there is is offered"


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
    page = client.get(address(cup, "files/")).text
    for file in (*(address(cup, file) for file in FILES), address(cup, "pairings.csv") + "?round=5"):
        assert f'href="{file}"' in page
    assert f'href="{address(cup, "calendar.ics")}"' in page
    assert f'href="{address(cup, "files/")}"' in client.get(cup.get_absolute_url()).text
    assert [row["round"] for row in rows(client, cup, "pairings.csv?round=2")] == ["2"] * 3
    for asked in ("0", "6", "x", "-1", "99999999", "9" * 5000, "²"):
        assert client.get(address(cup, "pairings.csv"), {"round": asked}).status_code == 404, asked


def test_scores_stand_last_where_the_event_keeps_them(client: Client, standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(4), name="Goals")
    assert "score" not in rows(client, cup, "pairings.csv")[0]
    Tournament.objects.filter(pk=cup.pk).update(scores="goals")
    game = Game.objects.filter(tournament=cup, pairing__round__number=1, pairing__board=2).get()
    record_result(game=game.pk, result=Result.BLACK_WINS, played_on=factory.MONDAY, by=None, score="2-5")
    assert [row["score"] for row in rows(client, cup, "pairings.csv")] == ["", "2-5", "", "", "", ""]
    told = client.get(f"/api/v1/tournaments/{cup.slug}/rounds/1/").json()["rows"]
    assert [row["score"] for row in told] == ["", "2-5"]
    sheets = client.get(address(cup, "print/?round=1&sheets=pairings&sheets=calendar")).content.decode()
    assert sheets.count("2-5") == 2


def test_games_are_named_by_round_and_board_and_the_file_of_pairings_is_a_file_of_games(
    client: Client, cup: Tournament
) -> None:
    """GAMES.csv takes what is played out of it, results and all."""
    factory.play_round(cup, 1, [Result.DRAW, Result.WHITE_FORFEITS])
    factory.play_round(cup, 2, [Result.BOTH_FORFEIT, Result.DRAW])
    Tournament.objects.filter(pk=cup.pk).update(place="Lindenhof")
    found = games(client, cup)
    assert found[0]["Site"] == "Lindenhof"
    assert len(found) == 9, "a bye is no game, nor is what both forfeited"
    assert [game["Round"] for game in found][:4] == ["1.1", "1.2", "2.2", "3.1"]
    first, second, *_rest, last = found
    assert (first["Event"], first["Round"], first["Date"]) == ("Winter Cup", "1.1", "2026.01.05")
    assert (first["White"], first["Black"], first["Result"]) == ("Bo Brandt", "Eva Engel", "1/2-1/2")
    assert "Termination" not in first
    assert (second["Result"], second["Termination"]) == ("0-1", "rules infraction")
    assert (last["Result"], last["Termination"], last["Round"]) == ("*", "unterminated", "5.2")
    for number in (3, 4, 5):
        factory.play_round(cup, number, [Result.DRAW] * 2)
    lines = client.get(address(cup, "pairings.csv")).content.decode().splitlines()
    read = read_games("\n".join(line for line in lines if not line.endswith("pab,")).encode(), today=date(2026, 12, 31))
    assert (read.bad, len(read.rows)) == ((), 10)


def test_a_draft_is_in_no_file_but_an_officers(client: Client, cup: Tournament) -> None:
    Round.objects.filter(stage__tournament=cup, number__gt=1).update(state=Round.State.DRAFT)
    assert len(rows(client, cup, "pairings.csv")) == 3
    assert len(games(client, cup)) == 2
    assert client.get(address(cup, "pairings.csv?round=2")).status_code == 404
    teams = make_team_event()
    Round.objects.filter(stage__tournament=teams, number=3).update(state=Round.State.DRAFT)
    assert {row["round"] for row in rows(client, teams, "matches.csv")} == {"1", "2"}
    client.force_login(factory.make_arbiter())
    assert len(rows(client, cup, "pairings.csv")) == 15
    assert {row["round"] for row in rows(client, teams, "matches.csv")} == {"1", "2", "3"}


# --- standings ----------------------------------------------------------------------------------------------------
def test_standings_hold_places_points_and_every_tie_break_as_numbers(client: Client, season: Tournament) -> None:
    found = rows(client, season, "standings.csv")
    page = client.get(address(season, "standings/")).content.decode()
    assert [row["player"] for row in found] == sorted((row["player"] for row in found), key=page.index)
    assert list(found[0])[-4:] == ["games", "SB", "WIN", "DE"]
    assert sum(float(row["points"]) for row in found) == 15
    assert found[0]["place"] == "1"
    data = client.get(address(season, "standings.xlsx")).content
    header, *lines = load_workbook(io.BytesIO(data)).worksheets[0].iter_rows(values_only=True)
    assert list(header) == list(found[0])
    for line, row in zip(lines, found, strict=True):
        assert {type(line[header.index(name)]) for name in ("points", "SB", "rating")} <= {int, float, type(None)}
        assert float(str(line[header.index("points")])) == float(row["points"])


def test_a_knockout_has_places_no_points_byes_and_matches_that_wait(client: Client, standard: RatingList) -> None:
    cup = factory.make_knockout(factory.make_players(4))
    for board in (1, 2):
        factory.play_match(factory.match_of(cup, 1, board), Result.WHITE_WINS)
    found = rows(client, cup, "standings.csv")
    assert sorted(row["place"] + row["last_place"] for row in found) == ["12", "12", "34", "34"]
    assert {row["points"] for row in found} == {""}
    pairings = rows(client, cup, "pairings.csv")
    assert [row["round"] for row in pairings] == ["1", "1", "2"]
    assert pairings[0]["result"] == "1-0"
    cup = factory.make_knockout(factory.make_players(3))
    found = rows(client, cup, "pairings.csv")
    assert [(row["white"], row["black"], row["bye"]) for row in found] == [
        ("Ada Alvarez", "", "bye"),
        ("Bo Brandt", "Cleo Costa", ""),
        ("Ada Alvarez", "", ""),
    ]


def test_groups_tell_their_stage_in_every_row_and_cost_no_more(
    client: Client, groups: Tournament, at_most: Callable[..., Any]
) -> None:
    assert {row["stage"] for row in rows(client, groups, "standings.csv")} == {"Group A", "Group B"}
    pairings = rows(client, groups, "pairings.csv")
    assert len([row for row in pairings if row["round"] == "1"]) == 4
    assert len(rows(client, groups, "entries.csv")) == 8
    assert len(games(client, groups)) == 12
    for file in FILES:
        with at_most(8):
            client.get(address(groups, file))


# --- games --------------------------------------------------------------------------------------------------------


def test_the_games_of_a_match_are_told_apart(client: Client, standard: RatingList) -> None:
    cup = factory.make_knockout(factory.make_players(2), games=2)
    for _game in range(2):
        factory.play_match(factory.match_of(cup, 1, 1), Result.DRAW)
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
        [
            NewPlayer("Ada Alvarez", visibility="hidden", title="IM"),
            NewPlayer("Bo Brandt", visibility="initials"),
            NewPlayer("Cleo Costa", title="WFM"),
        ],
        by=None,
    )
    for line in ("2026-01-05,Ada Alvarez,Bo Brandt,1", "2026-01-04,Cleo Costa,Ada Alvarez,1"):
        load_games(stream(line), by=None, event_name=EVENT, today=factory.MONDAY)
    first, second = games(client, Tournament.objects.get())
    assert (first["Date"], first["White"], first["WhiteTitle"]) == ("2026.01.04", "Cleo Costa", "WFM"), "by days"
    assert (second["White"], second["Black"]) == ("Player 1", "B. B.")
    assert "WhiteTitle" not in second


def test_many_games_of_club_evenings_ask_as_much_as_few(
    client: Client, standard: RatingList, at_most: Callable[..., Any]
) -> None:
    lines = [f"2026-01-05,{white},{black},1" for white in factory.CAST for black in factory.CAST if white != black]
    load_games(stream(*lines), by=None, event_name=EVENT, today=factory.MONDAY)
    evenings = Tournament.objects.get()
    with at_most(3):
        assert len(games(client, evenings)) == 56


# --- privacy and safety -------------------------------------------------------------------------------------------
def words(file: str, data: bytes) -> str:
    if not file.endswith("xlsx"):
        return data.decode()
    return str(list(load_workbook(io.BytesIO(data)).worksheets[0].iter_rows(values_only=True)))


def test_no_file_names_who_is_not_public(client: Client, standard: RatingList) -> None:
    (hidden,) = create_players([NewPlayer("Zacharias Quillfeather", title="IM")], by=None)
    set_identities(hidden, {"fide": "7654321"}, by=None)
    cup = factory.make_round_robin([hidden, *factory.make_players(2)])
    ladder = page_cases.make_event([hidden], "ladder", name="Ladder")
    number = f"Player {hidden.number}"
    shown = {Visibility.INITIALS: "Z. Q.", Visibility.MEMBERS: number, Visibility.HIDDEN: number}
    for visibility, name in shown.items():
        update_player(hidden.pk, {"visibility": visibility}, by=None)
        for file in FILES:
            text = words(file, client.get(address(cup, file)).content)
            lines = [secret for secret in ("Quillfeather", "IM", "7654321") if secret in text]
            assert (lines, name in text) == ([], True), (visibility, file)
        places = client.get(address(ladder, "standings.csv")).content.decode()
        assert ("Quillfeather" in places, name in places) == (False, True), visibility


def test_no_name_is_a_formula_in_any_file(client: Client, standard: RatingList) -> None:
    name = '=HYPERLINK("http://example.org")'
    cup = factory.make_round_robin([*create_players([NewPlayer(name)], by=None), *factory.make_players(1)])
    for file in ("entries", "pairings", "standings"):
        assert "'=HYPERLINK" in client.get(address(cup, f"{file}.csv")).content.decode()
        page = load_workbook(io.BytesIO(client.get(address(cup, f"{file}.xlsx")).content)).worksheets[0]
        assert {cell.data_type for line in page.iter_rows() for cell in line} <= {"s", "n", "d"}


def test_a_file_is_kept_under_the_events_name_and_not_in_shared_caches(desk: Client, cup: Tournament) -> None:
    for file, name, kind in (
        ("entries.csv", "winter-cup-entries.csv", "text/csv; charset=utf-8"),
        ("entries.xlsx", "winter-cup-entries.xlsx", EXCEL),
        ("games.pgn", "winter-cup.pgn", "application/x-chess-pgn; charset=utf-8"),
    ):
        response = desk.get(address(cup, file))
        assert "private" in response.headers["Cache-Control"], "it depends on the viewer"
        assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
        assert response.headers["Content-Type"] == kind


def test_what_does_not_exist_is_not_found_and_no_report_says_why(client: Client, standard: RatingList) -> None:
    for file in [*FILES, "files/"]:
        for name in (file, file.replace("csv", "ods").replace("xlsx", "xls")):
            assert client.get(f"/tournaments/nowhere/{name}").status_code == 404, name
    answer = Client().get(f"/tournaments/{page_cases.make_event([], 'round-robin').slug}/report.trf")
    assert answer.status_code == 404
    assert "pairing numbers" in answer.text or "rounds" in answer.text


@pytest.mark.extended
def test_a_file_asks_as_much_for_a_large_event_as_for_a_small_one(
    client: Client, standard: RatingList, at_most: Callable[..., Any]
) -> None:
    for count in (3, 12):
        cup = factory.make_round_robin(factory.make_players(count), name=f"Cup of {count}")
        for file in FILES:
            # The club, the stages, and the facts of them; the FIDE numbers.
            with at_most(7):
                client.get(address(cup, file))


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
    one, other = ([row.cells for row in read_report(text.encode()).players] for text in (public, full))
    assert one == other
    older = Client().get(f"/tournaments/{cup.slug}/report.trf?version=16")
    assert older.status_code == 200
    assert older.text != public
