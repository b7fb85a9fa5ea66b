"""Publish, download, export, verify: whoever has the two files computes the list again, without our database."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connections, transaction
from django.test import Client

from players.models import Player
from ratings.lists.services import BEGINNING, NewRule, NewStart, change_list, set_rules
from ratings.models import PublishedList, RatingList
from tests import ROOT, factory
from tournaments.events.services.events import update_tournament
from tournaments.interchange.games_csv import read_exported_games
from tournaments.interchange.list_csv import read_list
from tournaments.interchange.tables_csv import UnreadableFileError
from tournaments.models import Game, Tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
Captured = pytest.CaptureFixture[str]

DAY = factory.MONDAY
ON = DAY + timedelta(days=16)
RULES: dict[str, list[NewRule]] = {
    "club elo, with juniors": [NewRule(BEGINNING, "elo", {})],
    "glicko by month": [NewRule(BEGINNING, "glicko", {"period": "month"})],
    "fide by event": [NewRule(BEGINNING, "elo", {"preset": "fide"})],
    "elo by event": [NewRule(BEGINNING, "elo", {"period": "event"})],
    "us chess": [NewRule(BEGINNING, "elo", {"preset": "us-chess"})],
    "newcomers by evidence, from a day on": [
        NewRule(BEGINNING, "elo", {}),
        NewRule(DAY + timedelta(days=8), "elo", {"newcomer_k": "evidence"}),
    ],
    "solo-zerg": [NewRule(BEGINNING, "solo-zerg", {"normalise_above": 1100})],
    "kd": [NewRule(BEGINNING, "kd", {})],
    "egf": [NewRule(BEGINNING, "egf", {})],
    "bradley-terry": [NewRule(BEGINNING, "bradley-terry", {})],
    "glicko2, two systems": [
        NewRule(BEGINNING, "elo", {"preset": "uscf"}),
        NewRule(DAY + timedelta(days=8), "glicko2", {"period": "event"}),
    ],
}


@pytest.fixture(scope="module")
def standard(world: None) -> RatingList:
    """Three events (one over only later), forfeits, margins, stones, starting ratings, a junior, another pool."""
    factory.make_club()
    standard = factory.make_list()
    rng = Random(6)
    players = [*factory.make_players(6), *factory.make_players(2, birth_year=2011)]
    starts = [
        NewStart(players[0].pk, DAY, 2290, 50, deviation=60.0),
        NewStart(players[1].pk, DAY + timedelta(days=3), 1800.25, peak=1950),
        NewStart(players[2].pk, ON, 1700),
    ]
    bring_starting_ratings(standard, starts, by=None)
    for index, name in enumerate(("=One", "Two, and a half", "Three")):
        cup = factory.make_round_robin(players[index:], name=name, first_day=DAY + timedelta(days=4 * index))
        for game in Game.objects.filter(tournament=cup):
            if rng.random() < 0.8:
                day = DAY + timedelta(days=4 * index + rng.randint(0, 12))
                record_result(game=game.pk, result=rng.choice(list(Result)[1:6]), played_on=day, by=None)
    Game.objects.filter(tournament__name="Three").update(handicap=4)
    Tournament.objects.exclude(name="Three").update(closed=True)
    Game.objects.filter(tournament__name="Three").update(importance=1.5, white_points=3, black_points=1)
    rapid = factory.make_round_robin(players, name="Rapid")
    update_tournament(rapid.pk, {"pool": "rapid"}, by=None)
    factory.play_all(rapid)
    change_list(standard, {"provisional_games": 6}, by=None)
    rebuild_list(standard)
    return standard


class Files:
    """The two files as they leave the site."""

    def __init__(self, folder: Path) -> None:
        self.list, self.games = folder / "list.csv", folder / "games.csv"

    def download(self, query: str = f"on={ON}") -> None:
        response = Client().get(f"/ratings/standard/list.csv?{query}")
        assert response.status_code == 200
        self.list.write_bytes(response.content)

    def export(self, *arguments: str) -> None:
        call_command("export_games", "--out", str(self.games), *arguments)

    def verify(self, *arguments: str) -> None:
        with no_database():
            call_command("verify_list", str(self.list), "--games", str(self.games), *arguments)


@contextmanager
def no_database() -> Iterator[None]:
    def refuse(*_: object) -> None:
        raise AssertionError("the database was asked")

    with connections["default"].execute_wrapper(refuse):
        yield


@pytest.fixture
def files(standard: RatingList, tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.fixture(scope="module")
def as_published(standard: RatingList, tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The two files of a published list."""
    files = Files(tmp_path_factory.mktemp("published"))
    with transaction.atomic():
        publish_list(standard, ON, by=None)
        files.download()
        files.export()
        transaction.set_rollback(True)
    return files


@pytest.fixture
def published(as_published: Files, files: Files) -> Files:
    """A copy of them, to be tampered with."""
    files.list.write_bytes(as_published.list.read_bytes())
    files.games.write_bytes(as_published.games.read_bytes())
    return files


@pytest.mark.extended
@pytest.mark.parametrize("rules", RULES)
def test_the_chain_from_publication_to_verification(
    standard: RatingList, files: Files, rules: str, capsys: Captured
) -> None:
    set_rules(standard, RULES[rules], by=None)
    rebuild_list(standard)
    publish_list(standard, ON, by=None)
    Tournament.objects.update(closed=True)  # what is over later was running that day
    rebuild_list(standard)
    files.download()
    files.export("--list", "standard")
    files.verify()
    assert capsys.readouterr().out.startswith(f"equal: standard as of {ON}, ")


@pytest.mark.parametrize("rules", ["club elo, with juniors", "elo by event", "solo-zerg"])
def test_what_is_known_now_is_verified_too(standard: RatingList, files: Files, rules: str) -> None:
    set_rules(standard, RULES[rules], by=None)
    change_list(standard, {"reentry_years": 1, "reentry_games": 3}, by=None)
    rebuild_list(standard)
    files.export()
    for query in ("", f"known={ON}", f"known={DAY}"):
        files.download(query)
        files.verify()


def test_json_tells_the_same_and_the_digest_of_the_list(
    standard: RatingList, published: Files, capsys: Captured
) -> None:
    published.verify("--json")
    values = json.loads(capsys.readouterr().out)
    assert (values["equal"], values["differences"]) == (True, [])
    assert values["digest"]["list"] == values["digest"]["computed"] == publish_list(standard, ON, by=None).digest
    assert f"# digest: {values['digest']['list']}" in published.list.read_text()


def test_a_tampered_game_is_found_with_whom_it_moves(published: Files, capsys: Captured) -> None:
    lines = published.games.read_text().splitlines()
    index = next(i for i, line in enumerate(lines) if ",1-0," in line and ",standard," in line)
    lines[index] = lines[index].replace(",1-0,", ",0-1,")
    published.games.write_text("\n".join(lines))
    white, black = lines[index].split(",")[1:3]
    with pytest.raises(CommandError, match="Different") as found:
        published.verify()
    assert found.value.returncode == 1
    out = capsys.readouterr().out
    assert f"{white}: rating is" in out
    assert f"{black}: rating is" in out
    assert "digest: the list says" in out


def test_a_tampered_list_is_found(published: Files, capsys: Captured) -> None:
    lines = published.list.read_text().splitlines(keepends=True)
    facts = "".join(line for line in lines if line.startswith("#"))
    first, *others = csv.DictReader(line for line in lines if not line.startswith("#"))
    assert first["number"] == "1"
    tampered: tuple[tuple[dict[str, str] | None, str], ...] = (
        ({"rating": "2999.0000"}, "#1: rating is 2999.0000, computed"),
        ({"games": "7000"}, "#1: games is 7000, computed"),
        ({"provisional": "1"}, "#1: provisional is 1, computed 0"),
        ({"place": "9"}, "place 1 is missing"),
        ({"number": "77"}, "#77: in the list, and has neither"),
        (None, "#1: not in the list; computed: rating"),
    )
    for change, sentence in tampered:
        text = io.StringIO()
        writer = csv.DictWriter(text, list(first))
        writer.writeheader()
        writer.writerows(others if change is None else [first | change, *others])
        published.list.write_text(facts + text.getvalue())
        with pytest.raises(CommandError, match="Different"):
            published.verify()
        assert sentence in capsys.readouterr().out, change


def test_a_correction_shows_as_a_difference_from_the_list_as_published(standard: RatingList, files: Files) -> None:
    publish_list(standard, ON, by=None)
    files.download()
    before = files.list.read_bytes()
    game = Game.objects.filter(pool="standard", result=Result.WHITE_WINS, played_on__lte=ON)[0]
    correct_result(game=game.pk, result=Result.BLACK_WINS, by=None)
    files.download()
    assert files.list.read_bytes() == before, "byte for byte"
    files.export()
    with pytest.raises(CommandError, match="Different"):
        files.verify()
    files.download(f"known={ON}")
    files.verify()


def test_without_years_of_birth_a_list_with_juniors_cannot_be_verified(standard: RatingList, published: Files) -> None:
    published.export("--public")
    assert "born" not in published.games.read_text()
    with pytest.raises(CommandError, match="white_born and black_born: export them without --public") as found:
        published.verify()
    assert found.value.returncode == 2
    set_rules(standard, RULES["solo-zerg"], by=None)
    rebuild_list(standard)
    published.download(f"known={ON}")
    published.verify()  # a system without ages needs none


def test_the_list_carries_no_year_of_birth_and_no_formula(standard: RatingList, files: Files) -> None:
    Player.objects.filter(number=1).update(name="=HYPERLINK(1)")
    Player.objects.filter(number=2).update(name="@cmd", visibility="initials")
    publish_list(standard, ON, by=None)
    files.download()
    text = files.list.read_text()
    assert "2011" not in text
    assert ",1,'=HYPERLINK(1)," in text
    assert "@cmd" not in text
    files.export()
    assert ",'=One," in files.games.read_text()


def test_the_export_in_order_of_replay_says_what_it_leaves_out(
    standard: RatingList, files: Files, capsys: Captured
) -> None:
    Game.objects.filter(pk=Game.objects.filter(result=Result.DRAW).first().pk).update(result=Result.DRAW_UNRATED)  # type: ignore[union-attr]
    files.export()
    rows = list(csv.DictReader(files.games.read_text().splitlines()))
    assert [row["date"] for row in rows] == sorted(row["date"] for row in rows)
    assert {row["pool"] for row in rows} == {"standard", "rapid"}
    assert {"+/-", "-/+", "1-0", "1/2-1/2"} <= {row["result"] for row in rows}
    assert "Left out: 1 games" in capsys.readouterr().err
    files.export("--list", "standard")
    rows = list(csv.DictReader(files.games.read_text().splitlines()))
    assert {row["result"] for row in rows} == {"1-0", "0-1", "1/2-1/2"}
    games = read_exported_games(files.games.read_bytes(), today=date(2099, 1, 1), default_pool="standard")
    stored = Game.objects.filter(pool="standard", result__in=[Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW])
    numbers = [(game.white, game.black) for _, game in games.rows]
    assert numbers == list(stored.order_by("played_on", "sequence").values_list("white__number", "black__number"))


def test_an_export_loads_again_where_the_players_are(standard: RatingList, files: Files) -> None:
    factory.make_list("rapid", pool="rapid", primary=False)
    files.export()
    count = Game.objects.filter(tournament__rated=True).exclude(result="").count()
    PublishedList.objects.all().delete()
    rebuilt = standard.ratings.count()
    from_file = files.games.read_text()
    call_command("load_games", str(files.games))
    assert Game.objects.exclude(result="").count() == 2 * count, "into another club: here they are there already"
    assert standard.ratings.count() == rebuilt
    assert from_file.count("\n") == count + 1


def test_a_file_that_is_no_list_gets_one_sentence(published: Files) -> None:
    wrong = {
        b"": "no list downloaded from this site",
        b"\xff\xfe": "not UTF-8",
        b"place,number\n1,2\n": "# settings",
        b"# settings: {}\n": "the settings lack",
        b"# settings: [\n": "cannot be used",
        b"# settings: " + b"[" * 100_000 + b"\n": "nested",
    }
    for content, sentence in wrong.items():
        published.list.write_bytes(content)
        with pytest.raises(CommandError, match=sentence) as found:
            published.verify()
        assert found.value.returncode == 2, sentence


def test_a_list_whose_settings_nobody_can_compute_with_gets_one_too(published: Files) -> None:
    told = published.list.read_text().replace('"rating":1800.25', '"rating":1e300')
    told = re.sub(r'"settings":{[^}]*},"system":"elo"', '"settings":{},"system":"glicko"', told)
    published.list.write_text(told)
    with pytest.raises(CommandError, match="numbers nobody can compute with") as found:
        published.verify()
    assert found.value.returncode == 2


def test_bad_rows_are_named_with_file_and_line(published: Files, capsys: Captured) -> None:
    data = published.list.read_bytes()
    found = read_list(data + data.splitlines(keepends=True)[-1])
    twice = f"number {found.rows[-1].sealed.number} stands in the list twice: leave one out"
    assert [row.reason for row in found.bad] == [twice]
    with pytest.raises(UnreadableFileError, match="“# digest: …” is missing"):
        read_list(b"".join(line for line in data.splitlines(True) if not line.startswith(b"# digest")))
    with pytest.raises(UnreadableFileError, match="lacks “rating”"):
        read_list(b"".join(line for line in data.splitlines(True) if line.startswith(b"#")) + b"place,number\n")
    published.games.write_text(
        "date,white,black,result,white_born,black_born\n2026-01-05,Ada,#2,1-0,,\n"
        "2026-01-06,#1,#2,1-0,2000,\n2026-01-07,#1,#2,0-1,2001,\n,#1,#2,1-0,,\n"
    )
    with published.list.open("a") as lines:
        lines.write("1,x,Ada,1500,3,2\n1,1,Ada,100000.5,3,0\n")
    with pytest.raises(CommandError, match="Bad rows: 6"):
        published.verify()
    err = capsys.readouterr().err
    assert "games.csv, line 2: player “Ada” is no number: write #17" in err
    assert "games.csv, line 4: #1 has another year of birth than further up" in err
    last = len(published.list.read_text().splitlines())
    assert f"list.csv, line {last - 1}: number “x” is not known" in err
    assert f"list.csv, line {last}: rating “100000.5” is not known: write a number from -100000 to 100000" in err


@pytest.mark.slow
def test_the_command_runs_without_any_environment(published: Files) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_list", str(published.list), "--games", str(published.games)],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout[:6]) == (0, "equal:"), done.stderr
