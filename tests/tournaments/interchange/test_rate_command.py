"""`manage.py rate`: any file through any system, the numbers of the site, and no database anywhere near."""

import csv
import json
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ratings.lists.services import create_list
from ratings.models import LedgerEntry, PlayerRating
from ratings.systems import SYSTEMS, rating_system
from ratings.systems.elo import PRESETS
from tests import ROOT, factory
from tests.ratings.systems.test_performance import rows_of
from tournaments.interchange.games_csv import read_games
from tournaments.loading.services.streams import load_games

DATA = ROOT / "tests" / "data"
CLUB_GAMES = DATA / "club_games_2024_head.csv"
CANDIDATES = DATA / "candidates2024.games.csv"


class Files:
    """A folder with small files, and the command run on them."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def games(self, rows: str, header: str = "white,black,result", name: str = "games.csv") -> Path:
        path = self.folder / name
        path.write_text(f"{header}\n{rows}", encoding="utf-8")
        return path

    def players(self, rows: str, header: str = "player,rating,games") -> Path:
        return self.games(rows, header, "players.csv")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def rate(*arguments: object) -> tuple[str, str]:
    """What the command says on stdout and stderr."""
    out, err = StringIO(), StringIO()
    call_command("rate", *map(str, arguments), stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def report(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(rate(*arguments, "--json")[0])
    return found


def ratings(*arguments: object) -> dict[str, float]:
    return {row["player"]: row["rating"] for row in report(*arguments)["ratings"]}


def refused(*arguments: object) -> tuple[str, list[str]]:
    """The sentence, and the lines before it."""
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("rate", *map(str, arguments), stdout=out, stderr=err)
    assert caught.value.returncode == 2
    assert out.getvalue() == ""
    return str(caught.value), err.getvalue().splitlines()


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


# --- printed examples ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("result", "own", "other"), [("1", 18, -9), ("½-½", 8, -4), ("0-1", -2, 1)])
def test_2344_against_2777_as_the_first_source_prints_it(files: Files, result: str, own: int, other: int) -> None:
    after = ratings(files.games(f"A,B,{result}\n"), "--players", files.players("A,2344,100\nB,2777,100\n"))
    assert (round(after["A"] - 2344), round(after["B"] - 2777)) == (own, other)


def test_the_candidates_as_fide_published_them(files: Files) -> None:
    """All fourteen games of each as one event; people are known by their ratings."""
    games, elo = [], {}
    for row in table(CANDIDATES):
        games.append(f'{row["date"]},"{row["white"]}","{row["black"]}",{row["result"]},Candidates')
        elo[row["white"]] = row["white_elo"]
    brought = files.players("".join(f'"{name}",{rating},500\n' for name, rating in elo.items()))
    found = ratings(
        *(files.games("\n".join(games), "date,white,black,result,event"), "--preset", "fide", "--players", brought)
    )
    changes = {int(elo[name]): rating - int(elo[name]) for name, rating in found.items()}
    published = rows_of(DATA / "fide_published_changes_candidates2024.csv")
    assert changes == {int(row["rating_at_start"]): float(row["published_change"]) for row in published}


def test_a_fixed_k_overrules_the_rule_and_a_year_of_birth_decides_k(files: Files) -> None:
    brought = files.players("A,1500,4\nB,,24\n", "player,rating,k_factor")
    assert ratings(files.games("A,B,1\n"), "--players", brought) == {"A": 1502.0, "B": 1488.0}
    brought = files.players("A,1500,50,2012\nB,1500,50,\n", "player,rating,games,birth_year")
    found = ratings(files.games("2026-01-05,A,B,1\n", "date,white,black,result"), "--players", brought)
    assert found == {"A": 1520.0, "B": 1490.0}


def test_importance_margin_and_period_count_where_the_settings_say_so(files: Files) -> None:
    games = files.games("A,B,1,3,0,1.5\n", "white,black,result,white_points,black_points,importance")
    assert ratings(games, "--set", "margin=on")["A"] == 1560.0
    assert ratings(games, "--set", "importance=off")["A"] == 1520.0
    games = files.games("A,B,1,Cup\nA,C,1,Cup\n", "white,black,result,event")
    assert ratings(games, "--set", "period=event")["A"] == 1540.0, "from the ratings at its start"
    assert ratings(games)["A"] < 1540.0


# --- the numbers of the site ----------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_numbers_and_ledger_are_those_of_the_site_bit_for_bit(files: Files) -> None:
    factory.make_club()
    made = create_list(name="S", slug="s", pool="standard", by=None, settings={"preset": "fide-simple"}, primary=True)
    today = date(2026, 1, 31)
    load_games(read_games(CLUB_GAMES.read_bytes(), today=today).rows, by=None, event_name="Evenings", today=today)
    names = ("rating", "games", "wins", "draws", "losses", "peak")
    found = {row["player"]: tuple(row[name] for name in names) for row in report(CLUB_GAMES)["ratings"]}
    stored = PlayerRating.objects.filter(rating_list=made).values_list("player__name", *names)
    assert {name: tuple(values) for name, *values in stored} == found
    rate(CLUB_GAMES, "--ledger", files.folder / "ledger.csv")
    kept = ("white_before", "white_expected", "white_k", "white_after", "black_before", "black_k", "black_after")
    rows = LedgerEntry.objects.order_by("order").values_list(*kept)
    assert [tuple(float(row[name]) for name in kept) for row in table(files.folder / "ledger.csv")] == list(rows)


# --- every system ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("system", [system.key for system in SYSTEMS])
def test_every_system_rates_the_small_files(system: str) -> None:
    for path in (CLUB_GAMES, CANDIDATES):
        check_report(report(path, "--system", system), system)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_preset_rates_the_small_file(preset: str) -> None:
    found = report(CLUB_GAMES, "--preset", preset)
    assert found["preset"] == preset
    assert found["games"] == 60
    assert bool(found["ratings"]) == (preset != "fide"), "FIDE’s method rates nobody where nobody is rated"


@pytest.mark.extended
@pytest.mark.real_data
@pytest.mark.parametrize("system", [system.key for system in SYSTEMS])
@pytest.mark.parametrize(
    "name",
    [
        "club_games_2024",
        pytest.param("football_internationals_2000_2013", marks=pytest.mark.slow),
        pytest.param("lichess_sample_5000", marks=pytest.mark.slow),
    ],
)
def test_every_system_rates_the_real_streams(real_data: Path, system: str, name: str) -> None:
    check_report(report(real_data / "streams" / f"{name}.csv", "--system", system), system)


def check_report(found: dict[str, Any], system: str) -> None:
    assert list(found) == ["system", "preset", "settings", "games", "rated", "ratings"]
    assert (found["system"], found["preset"]) == (system, "fide-simple" if system == "elo" else None)
    assert 0 < found["rated"] <= found["games"]
    rows = found["ratings"]
    listed = [row.get("listed", row["rating"]) for row in rows]
    assert listed == sorted(listed, reverse=True)
    assert all(row["wins"] + row["draws"] + row["losses"] == row["games"] for row in rows)
    assert all(row["peak"] >= row["rating"] for row in rows)
    assert all(row["provisional"] == (row["games"] < 30) for row in rows)
    assert sum(row["wins"] for row in rows) == sum(row["losses"] for row in rows)


# --- JSON -----------------------------------------------------------------------------------------------------------
def test_json_is_one_object_with_every_setting_in_force(files: Files) -> None:
    out, err = rate(files.games("A,B,1\n"), "--set", "k_rule=constant", "k=10", "--set", "start=1000", "--json")
    found = json.loads(out)
    assert err == ""
    assert found == {
        "system": "elo",
        "preset": "fide-simple",
        "settings": found["settings"],
        "games": 1,
        "rated": 1,
        "ratings": [
            {"player": "A", "rating": 1005.0, "games": 1, "provisional": True}
            | {"peak": 1005.0, "wins": 1, "draws": 0, "losses": 0},
            {"player": "B", "rating": 995.0, "games": 1, "provisional": True}
            | {"peak": 1000.0, "wins": 0, "draws": 0, "losses": 1},
        ],
    }
    assert found["settings"].items() >= {"k_rule": "constant", "k": 10.0, "start": 1000.0, "period": "game"}.items()
    assert set(found["settings"]) == set(rating_system("elo").read_settings({}).__slots__) - {"preset"}


def test_a_systems_own_figures_are_told(files: Files) -> None:
    extras = {"elo": set(), "glicko": {"deviation"}, "glicko2": {"deviation", "volatility"}, "r2": {"coefficient"},
              "bradley-terry": set()}  # fmt: skip
    brought = files.players("A,1500,80,0.05\n", "player,rating,deviation,volatility")
    for system, found in extras.items():
        row = report(files.games("A,B,1\n"), "--system", system, "--players", brought)["ratings"][0]
        assert set(row) & {"deviation", "volatility", "coefficient"} == found, system


def test_who_stands_in_the_list_and_in_which_order(files: Files) -> None:
    found = report(files.games("C,D,1\nA,B,1\n"))["ratings"]
    assert [row["player"] for row in found] == ["C", "A", "D", "B"], "of equals whoever was there first"
    found = report(files.games("A,B,1\nA,C,1\n"), "--provisional", 2)["ratings"]
    assert {row["player"]: row["provisional"] for row in found} == {"A": False, "B": True, "C": True}
    found = ratings(files.games("A,B,1\n"), "--players", files.players("Z,1700,90\nY,,\n"))
    assert found == {"Z": 1700.0, "A": 1520.0, "B": 1480.0}, "also who only brings a rating"


def test_games_by_winner_and_loser_forfeits_and_pools(files: Files) -> None:
    assert ratings(files.games("B,A\n", "winner,loser")) == {"B": 1520.0, "A": 1480.0}
    found = report(files.games("A,B,+/-\nA,C,½-½\nA,D,-/-\n"))
    assert (found["games"], found["rated"], len(found["ratings"])) == (3, 1, 2), "forfeits are not rated"
    games = files.games("A,B,1,rapid\nC,D,1,\n", "white,black,result,pool")
    assert list(ratings(games, "--pool", "rapid")) == ["A", "B"]
    assert list(ratings(games)) == ["A", "C", "B", "D"]


# --- the file -------------------------------------------------------------------------------------------------------
def test_games_are_rated_by_date_and_within_a_day_by_row(files: Files) -> None:
    header = "date,white,black,result"
    sorted_file = ratings(files.games("2026-01-05,A,B,1\n2026-01-06,B,C,1\n2026-01-06,C,A,1\n", header))
    assert ratings(files.games("2026-01-06,B,C,1\n2026-01-06,C,A,1\n2026-01-05,A,B,1\n", header)) == sorted_file
    assert ratings(files.games("2026-01-06,C,A,1\n2026-01-06,B,C,1\n2026-01-05,A,B,1\n", header)) != sorted_file


def test_a_scale_that_goes_below_zero_may_be_brought(files: Files) -> None:
    brought = files.players("A,-50,\n")
    assert ratings(files.games("B,A,1\n"), "--system", "league", "--players", brought)["A"] == -60.0
    found = refused(files.games("B,A,1\n"), "--system", "kd", "--players", brought)[1]
    assert "write a number from 0 to 100" in found[0]


def test_periods_need_dates(files: Files) -> None:
    undated = files.games("A,B,1\nB,A,1\n")
    for period in ("day", "month"):
        sentence, _ = refused(undated, "--system", "glicko", "--set", f"period={period}")
        assert sentence.startswith(f"period {period} needs dates: give the file a column date")
    assert "rated as one event" in rate(undated, "--system", "glicko", "--set", "period=event")[1]


def test_where_nobody_is_rated_fides_method_rates_nobody_and_says_so(files: Files) -> None:
    out, err = rate(files.games("A,B,1\n"), "--preset", "fide", "--json")
    assert json.loads(out)["ratings"] == []
    assert "Nobody is rated: Elo, preset fide rates newcomers by games against rated players" in err


# --- what is printed and written --------------------------------------------------------------------------------
def test_the_list_for_people(files: Files) -> None:
    brought = files.players("王小明,1612.5,40\nAda,1500,3\n")
    out, err = rate(files.games("Ada,王小明,1/2-1/2\n"), "--players", brought, "--set", "k_rule=constant", "k=1")
    assert err == ""
    assert out.splitlines() == [
        "Elo, preset fide-simple (k_rule constant, k 1.0)",
        "Games: 1, rated: 1. Players: 2, provisional (?): 1.",
        "",
        "1  王小明    1612       41  0–1–0",
        "2  Ada       1500?       4  0–1–0",
    ]


def test_the_ledger_adds_up(files: Files) -> None:
    rate(CLUB_GAMES, "--ledger", files.folder / "ledger.csv", "--ratings", files.folder / "list.csv")
    rows = table(files.folder / "ledger.csv")
    assert len(rows) == 60
    sums: dict[str, float] = {}
    for row in rows:
        for colour in ("white", "black"):
            assert float(row[f"{colour}_before"]) + float(row[f"{colour}_change"]) == pytest.approx(
                float(row[f"{colour}_after"]), abs=1e-9
            )
            score = float(row["score"]) if colour == "white" else 1 - float(row["score"])
            surplus = score - float(row[f"{colour}_expected"])
            assert float(row[f"{colour}_change"]) == pytest.approx(float(row[f"{colour}_k"]) * surplus, abs=1e-9)
            sums[row[colour]] = sums.get(row[colour], 1500.0) + float(row[f"{colour}_change"])
    assert sums == pytest.approx({row["player"]: float(row["rating"]) for row in table(files.folder / "list.csv")})


def test_whatever_is_no_game_stands_in_the_ledger_as_a_step(files: Files) -> None:
    ledger = files.folder / "ledger.csv"
    brought = files.players("A,2990,50\n")
    rate(files.games("A,B,1\n"), "--players", brought, "--system", "solo-zerg", "--ledger", ledger)
    rows = table(ledger)
    steps = [(row["kind"], row["player"], row["after"], row["factor"]) for row in rows]
    assert steps == [("start", "A", "2990.0", ""), ("game", "", "", "")]
    rate(files.games("A,B,1\nB,A,1\nB,A,1\n"), "--system", "bradley-terry", "--ledger", ledger)
    assert [row["kind"] for row in table(ledger)] == ["game"] * 3 + ["fit"] * 2


def test_the_list_can_be_brought_to_the_next_run(files: Files) -> None:
    written = files.folder / "list.csv"
    rate(CLUB_GAMES, "--ratings", written)
    assert ratings(files.games(""), "--players", written) == ratings(CLUB_GAMES)
