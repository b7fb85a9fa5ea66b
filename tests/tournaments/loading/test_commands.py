"""The commands as they are typed: exit status, what goes to stdout and what to stderr, and never a traceback."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from clubrating.site.welcome.services import setup_key
from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_players
from ratings.models import LedgerEntry, PlayerRating, RatingList, StartingRating
from tests import factory
from tournaments.models import Game, Tournament

COMMANDS = ("load_games", "import_players", "rebuild_ratings", "seed_demo", "welcome_link")
GAMES = "date,white,black,result,event\n2024-05-01,Ada,Bo,1,League\n2024-05-02,Bo,Cleo,½-½,League\n"


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


def run(name: str, *arguments: object, **options: Any) -> Ran:
    """The command as the shell runs it; the last line of stderr is the error's sentence."""
    out, err = StringIO(), StringIO()
    try:
        call_command(name, *map(str, arguments), stdout=out, stderr=err, **options)
    except CommandError as error:
        return Ran(error.returncode, out.getvalue(), f"{err.getvalue()}{error}")
    return Ran(0, out.getvalue(), err.getvalue())


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str | bytes, name: str = "games.csv") -> Path:
        file = tmp_path / name
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    return write


Write = Callable[..., Path]


# --- load_games -----------------------------------------------------------------------------------------------
def test_load_games_reports_on_stdout_and_is_repeatable(standard: RatingList, write: Write) -> None:
    file = write(GAMES)
    assert run("load_games", file) == Ran(
        0, "Games loaded: 2 (rated: 2), there already: 0, new players: 3, events: 1.\n", ""
    )
    assert run("load_games", file).out.startswith("Games loaded: 0 (rated: 0), there already: 2")


def test_load_games_lists_every_bad_row_and_loads_nothing(standard: RatingList, write: Write) -> None:
    create_players([NewPlayer("Ada"), NewPlayer("Ada")], by=None)
    ran = run("load_games", write("white,black,result\nX,Y,1\nX,X,7\nAda,Y,1\n"))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines() == [
        "line 3: result “7” is not known: write 1, 0, 0.5, 1-0, 0-1, 1/2-1/2, +/-, -/+ or -/-",
        "line 4: several players are called “Ada”: write one of #1, #2 instead of the name",
        "Nothing was changed. Bad rows: 2, see above.",
    ]
    assert (Game.objects.count(), Player.objects.count()) == (0, 2)


def test_load_games_leaves_bad_rows_out_where_it_is_told_to(standard: RatingList, write: Write) -> None:
    file = write("white,black,result\nX,Y,1\nX,X,7\nY,X,0\nZ,Z,1\n")
    planned = run("load_games", file, "--skip-bad", "--dry-run")
    assert (planned.status, Game.objects.count()) == (1, 0)
    assert planned.out.startswith("Games that would be loaded: 2 (rated: 2)")
    ran = run("load_games", file, "--skip-bad")
    assert (ran.status, Game.objects.count(), Player.objects.count()) == (1, 2, 2)
    assert ran.out == "Games loaded: 2 (rated: 2), there already: 0, new players: 2, events: 1.\n"
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == ["line 3", "line 5", "Rows left out"]
    assert run("load_games", write("white,black,result\nX,Y,1\nY,X,0\n"), "--skip-bad").status == 0


@pytest.mark.extended
@pytest.mark.parametrize(("asked", "kept"), [((), "late-report"), (("--reason", "appeal", "--note", "why"), "appeal")])
def test_a_load_from_before_other_games_keeps_its_reason(
    standard: RatingList, write: Write, asked: tuple[str, ...], kept: str
) -> None:
    run("load_games", write(GAMES))
    early = write("date,white,black,result\n2024-04-01,Ada,Bo,0\n", "early.csv")
    assert run("load_games", early, *asked).status == 0
    event = AuditEvent.objects.filter(action="games.loaded").order_by("pk").last()
    assert event is not None
    assert (event.reason, event.note, event.effect["standard"]["games"]) == (kept, "why" if asked else "", 3)


def test_load_games_names_the_event_after_the_file_or_as_told(standard: RatingList, write: Write) -> None:
    file = write("white,black,result\nX,Y,1\n", "Spring Open.csv")
    run("load_games", file)
    run("load_games", file, "--event", "Summer")
    assert set(Tournament.objects.values_list("name", flat=True)) == {"Spring Open", "Summer"}


def test_load_games_dry_run_says_what_it_would_move(standard: RatingList, write: Write) -> None:
    run("load_games", write("date,white,black,result\n2026-02-02,Ada,Bo,1\n"))
    late = write("date,white,black,result\n2026-01-02,Bo,Cleo,1\n")
    ran = run("load_games", late, "--dry-run", "--event", "Late")
    assert ran.out.splitlines()[1] == (
        "standard: games rated anew: 2, players moved: 3, probation ended: 0, begun again: 0"
    )
    assert ran.out.splitlines()[2].startswith("  largest: #3 new, #2 ")
    assert Game.objects.count() == 1


def test_load_games_dry_run_known_players_only_and_a_pool_no_list_rates(standard: RatingList, write: Write) -> None:
    assert run("load_games", write(GAMES), "--dry-run").out.startswith("Games that would be loaded: 2")
    assert Game.objects.count() == 0
    assert "nobody is called “Ada”" in run("load_games", write(GAMES), "--known-players-only").err
    ran = run("load_games", write(GAMES), "--pool", "blitz")
    assert (ran.status, ran.err) == (2, "No rating list rates the pool “blitz”: choose one of standard.")


def test_load_games_into_a_database_without_any_list_makes_the_first_one(db: None, write: Write) -> None:
    ran = run("load_games", write(GAMES), "--dry-run")
    assert (ran.status, RatingList.objects.count()) == (0, 0)
    ran = run("load_games", write(GAMES))
    assert ran.status == 0
    assert "“Standard” is made for the pool standard; 2 games rated" in ran.err
    assert LedgerEntry.objects.count() == Game.objects.count() == 2
    assert run("rebuild_ratings", "--check").status == 0


def test_a_file_that_is_none_gets_one_sentence(standard: RatingList, tmp_path: Path) -> None:
    contents = {
        "empty": (b"", "The file is empty"),
        "binary": (bytes(range(256)), "The file is not UTF-8 text"),
        "control": (b"\0\1\2", "The file is no text"),
        "other": (b"some,other,columns\n1,2,3\n", "The header lacks"),
    }
    for name, (content, _sentence) in contents.items():
        (tmp_path / name).write_bytes(content)
    for command in ("load_games", "import_players"):
        for name, (_content, sentence) in contents.items():
            ran = run(command, tmp_path / name)
            assert (ran.status, ran.out) == (2, ""), (command, name)
            assert sentence in ran.err, (command, name)
        missing = run(command, tmp_path / "none.csv")
        assert (missing.status, missing.out) == (2, "")
        assert "cannot be read (no such file or directory)" in missing.err
        assert run(command, tmp_path).err.endswith("cannot be read (is a directory).")


def test_a_database_that_is_not_ready_gets_one_sentence(db: None, write: Write) -> None:
    broken = OperationalError("no such table: players_club")
    for command in COMMANDS:
        arguments = [write(GAMES)] if command in {"load_games", "import_players"} else []
        with mock.patch("tournaments.management.club_command.current_club", side_effect=broken):
            ran = run(command, *arguments)
        assert (ran.status, ran.err) == (
            2,
            "The database cannot be used (no such table: players_club). If it is new, run “manage.py migrate” first.",
        ), command


# --- import_players -------------------------------------------------------------------------------------------
def test_import_players_says_what_became_of_each_row(standard: RatingList, write: Write) -> None:
    ran = run("import_players", write("player\nAda\n"), "--dry-run")
    assert (ran.out, ran.err) == ("new     Ada\n", "Standard: 1 new, 0 changed, 0 known (nothing was written).\n")
    assert not Player.objects.exists()
    file = write("player,rating,games\nAda,1800,120\nBo,,\n")
    ran = run("import_players", file, "--on", "2024-01-01")
    assert ran.out == "new     Ada, 1800 after 120 games\nnew     Bo\n"
    assert ran.err == "Standard: 2 new, 0 changed, 0 known.\n"
    assert run("import_players", file).out == "known   Ada, 1800 after 120 games\nknown   Bo\n"


def test_import_players_refuses_unknown_lists_and_days_to_come(standard: RatingList, write: Write) -> None:
    file = write("player\nAda\n")
    assert run("import_players", file, "--list", "blitz") == Ran(
        2, "", "There is no rating list “blitz”; there are: standard."
    )
    assert "lies in the future" in run("import_players", file, "--on", "2199-01-01").err
    assert "“soon” is no day" in run("import_players", file, "--on", "soon").err


def test_import_players_asks_for_the_day_where_games_stand_before_it(standard: RatingList, write: Write) -> None:
    factory.make_list("aside", primary=False)
    run("load_games", write(GAMES))
    file = write("player,rating,games\nAda,1992,50\nCleo,,\nNew,1700,40\n", "players.csv")
    for more in ((), ("--dry-run",)):
        ran = run("import_players", file, *more)
        assert (ran.status, ran.out) == (2, ""), more
        assert ran.err.startswith("Rated games stand before today (the first on 2024-05-01), of: Ada. Nothing was")
        assert "--on 2024-05-01 counts those games from these ratings" in ran.err
    assert not Player.objects.filter(name="New").exists()
    ran = run("import_players", file, "--on", "2024-05-01", "--dry-run")
    assert "Standard: 2 games would be rated anew, 3 ratings would move:\n  Ada (#1) 1520.0 → " in ran.err
    assert ran.err.count("would be rated anew") == 1, "the other list of the pool is not"
    assert not Player.objects.filter(name="New").exists()
    assert run("import_players", file, "--on", "2024-05-01").status == 0
    assert run("import_players", file).out.startswith("known   Ada"), "imported again nothing is asked"
    newer = write("player,rating\nAda,2050\n", "newer.csv")
    assert run("import_players", newer).status == 2, "today's rating would set everything back"
    assert run("import_players", newer, "--on", f"{factory.today()}", "--reason", "appeal", "--note", "n").status == 0
    entered = AuditEvent.objects.filter(action="starting-rating.entered").order_by("pk")
    reasons = [(event.reason, event.note, event.effect.get("standard", {}).get("games")) for event in entered]
    assert reasons == [("other", "", 2), ("other", "", None), ("appeal", "n", 0)]


def test_load_games_names_whose_rating_holds_only_later(standard: RatingList, write: Write) -> None:
    players = write("player,rating,games\nAda,1992,50\nBo,1800,50\n", "players.csv")
    run("import_players", players)
    games = write("date,white,black,result\n2026-04-02,Ada,Cleo,1\n2026-04-09,Bo,Cleo,+/-\n")
    for more in (("--dry-run",), ()):
        ran = run("load_games", games, *more)
        assert ran.status == 0
        assert "Ada (#1): the starting rating 1992 in Standard holds only from" in ran.err
        assert "is needed from 2 Apr 2026" in ran.err
        assert "manage.py import_players FILE --on DAY" in ran.err
        assert "Bo" not in ran.err, "a forfeit is not rated"
    assert run("load_games", games).err == "", "nothing new is loaded"
    ran = run("import_players", players, "--on", "2026-04-02")
    assert ran.out.startswith("changed Ada, 1992 after 50 games")
    assert run("rebuild_ratings", "--check").status == 0
    assert sorted(StartingRating.objects.values_list("player__name", "on")) == [
        ("Ada", date(2026, 4, 2)), ("Bo", date(2026, 4, 2))
    ], "the same rating moves to the earlier day"  # fmt: skip
    assert PlayerRating.objects.get(player__name="Ada").games == 51


def test_import_players_into_a_database_without_any_list_makes_the_first_one(db: None, write: Write) -> None:
    assert run("import_players", write("player,rating\nBo,high\n")).status == 2
    file = write("player,rating,games\nAda,1700,40\n")
    assert run("import_players", file, "--dry-run").status == 0
    assert not RatingList.objects.exists(), "neither a dry run nor a refused file makes one"
    assert run("import_players", file).status == 0
    assert RatingList.objects.get().primary


# --- rebuild_ratings --------------------------------------------------------------------------------------------
def test_rebuild_ratings_check_says_what_differs_and_exits_1(standard: RatingList, write: Write) -> None:
    run("load_games", write(GAMES))
    assert run("rebuild_ratings", "--check") == Ran(0, "standard: equal to a fresh replay\n", "")
    LedgerEntry.objects.filter(game__white__name="Ada").update(white_after=1999.0)
    ran = run("rebuild_ratings", "--check")
    game = Game.objects.get(white__name="Ada")
    assert ran.status == 1
    assert ran.out == f"standard: game {game.pk}: white_after is 1999.0, a replay gives 1520.0\n"
    assert "1 of 1 lists differ from a fresh replay" in ran.err
    assert LedgerEntry.objects.filter(white_after=1999.0).exists()  # a check repairs nothing
    LedgerEntry.objects.all().delete()
    assert run("rebuild_ratings", "--check").status == 1
    assert run("rebuild_ratings", "--list", "standard").out == "standard: 2 games rated\n"
    assert run("rebuild_ratings", "--check").status == 0


def test_rebuild_ratings_check_looks_at_the_current_ratings_too(standard: RatingList, write: Write) -> None:
    run("load_games", write(GAMES))
    ada = PlayerRating.objects.filter(player__name="Ada")
    right = ada.values().get()
    for column, value in (
        ("rating", 1), ("games", 2), ("peak", 1), ("wins", 2), ("reached_order", 1), ("ranked", True),
    ):  # fmt: skip
        ada.update(**{column: value})
        ran = run("rebuild_ratings", "--check")
        assert ran.status == 1, column
        assert f"{column} is " in ran.out
        ada.update(**{column: right[column]})
    assert run("rebuild_ratings", "--check").status == 0


def test_rebuild_ratings_looks_at_every_list_and_refuses_an_unknown_one(standard: RatingList) -> None:
    assert run("rebuild_ratings", "--list", "nope", "--check") == Ran(
        2, "", "There is no rating list “nope”; there are: standard."
    )
    factory.make_list("rapid", pool="rapid", primary=False)
    assert run("rebuild_ratings", "--check").out.count("equal to a fresh replay") == 2


# --- welcome_link -------------------------------------------------------------------------------------------------
def test_welcome_link_prints_the_path_until_the_club_is_set_up(db: None) -> None:
    assert run("welcome_link").out == f"/welcome/?key={setup_key()}\n"
    factory.make_club()
    assert run("welcome_link") == Ran(0, "", "")


def test_every_command_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            call_command(command, "--help")
        assert len(capsys.readouterr().out.splitlines()) > 5, command


@pytest.mark.extended
@pytest.mark.real_data
def test_a_year_of_real_games_loads_once_and_checks(standard: RatingList, real_data: Path) -> None:
    file = real_data / "streams" / "club_games_2024.csv"
    assert run("load_games", file).out == (
        "Games loaded: 2144 (rated: 2144), there already: 0, new players: 228, events: 28.\n"
    )
    assert (LedgerEntry.objects.count(), PlayerRating.objects.count()) == (2144, 228)
    assert run("load_games", file).out.startswith("Games loaded: 0 (rated: 0), there already: 2144")
    assert run("load_games", real_data / "rr" / "candidates2024.games.csv").out.startswith("Games loaded: 56")
    assert run("rebuild_ratings", "--check").status == 0
