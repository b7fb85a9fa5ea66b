"""Files of contests into the club and out of it, and rated without it."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from ratings.lists.services import create_list
from ratings.models import ContestEntry, PlayerRating, RatingList
from tests import factory
from tests.tournaments.contests.contest_cases import day, make_evening, play, sides
from tests.tournaments.corrections.correction_cases import dump, is_exact
from tournaments.contests.services import correct_contest
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.free_play.services import record_free_game
from tournaments.models import Contest, Tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
HEAD = "contest,date,event,side,place,player,score,weight,importance\n"
EVENING = HEAD + (
    "t1,2026-01-05,Card evening,1,1,Ada Alvarez,400,,\n"
    "t1,2026-01-05,Card evening,1,1,Bo Brandt,400,0.5,\n"
    "t1,2026-01-05,Card evening,2,2,Cleo Costa,100,,\n"
    "t1,2026-01-05,Card evening,2,2,New Comer,100,,\n"
    "t2,2026-01-06,Card evening,1,2,Ada Alvarez,10,,2\n"
    "t2,2026-01-06,Card evening,2,1,Cleo Costa,30,,2\n"
    "t2,2026-01-06,Card evening,3,2,Bo Brandt,10,,2\n"
)


def load(tmp_path: Path, text: str, *options: str) -> str:
    path, out = tmp_path / "contests.csv", StringIO()
    path.write_text(text)
    try:
        call_command("load_games", path, "--pool", "tables", *options, stdout=out, stderr=out)
    except CommandError as refused:
        raise CommandError(f"{out.getvalue()}{refused}") from None
    return out.getvalue()


def export(*options: str) -> str:
    out = StringIO()
    call_command("export_games", "--contests", *options, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_a_file_is_loaded_rated_and_loaded_again_brings_nothing(tables: Tournament, tmp_path: Path) -> None:
    assert "Contests loaded: 2 (rated: 2), there already: 0, new players: 1" in load(tmp_path, EVENING)
    evening = Tournament.objects.get(name="Card evening")
    assert (evening.scores, evening.low_score_wins, evening.game_count) == ("points", False, 2)
    assert PlayerRating.objects.filter(rating_list__slug="tables").count() == 4
    assert is_exact()
    days = ["2026-01-05", "2026-01-06"]
    assert factory.told("games.loaded", evening).after == {"contests": 2, "games": 2, "days": days}
    before = dump()["tournaments_contest"]
    assert "Contests loaded: 0 (rated: 0), there already: 2" in load(tmp_path, EVENING)
    assert dump()["tournaments_contest"] == before


def test_a_contest_that_is_here_otherwise_is_refused_a_corrected_one_is_known(
    tables: Tournament, tmp_path: Path
) -> None:
    load(tmp_path, EVENING)
    other = EVENING.replace("1,1,Ada", "1,2,Ada").replace("1,1,Bo", "1,2,Bo").replace("2,2,Cleo", "2,1,Cleo")
    other = other.replace("2,2,New", "2,1,New").replace(",400,", ",50,")
    with pytest.raises(CommandError, match="is here with other sides"):
        load(tmp_path, other)
    with pytest.raises(CommandError, match="is here with other sides, places or day"):
        load(tmp_path, EVENING.replace("2026-01-06", "2026-01-07"))
    assert "there already: 2" in load(tmp_path, EVENING)
    assert "Contests loaded: 2" in load(tmp_path, EVENING.replace("Card evening", "Other evening")), "keys of an event"
    first = Contest.objects.get(label="t1", tournament__name="Card evening")
    correct_contest(first.pk, sides=sides("2=400: 1 2*0.5; 1=500: 3 9"), by=None, reason="appeal")
    assert "there already: 2" in load(tmp_path, EVENING)


@pytest.mark.parametrize(
    ("was", "now", "reason"),
    [
        ("t2,2026-01-06,Card evening,3,2,Bo Brandt,10,,2\n", "", "6: two players alone play a game"),
        (",400,0.5", ",400,1.5", "3: weight"),
        ("1,1,Bo Brandt", "1,2,Bo Brandt", "3: place is another than in line 2"),
        ("2,2,New Comer", "2,2,#99", "2: there is no player #99"),
        ("2,2,New Comer", "2,2,#3", "one person"),
        (",10,,2\n", ",40,,2\n", "6: The places contradict the scores"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_loaded(
    tables: Tournament, tmp_path: Path, was: str, now: str, reason: str
) -> None:
    before = dump()
    with pytest.raises(CommandError, match=reason):
        load(tmp_path, EVENING.replace(was, now))
    assert dump() == before


def test_bad_contests_are_left_out_where_that_is_asked(tables: Tournament, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="there is no player #99"):
        load(tmp_path, EVENING.replace("2,2,New Comer", "2,2,#99"), "--skip-bad")
    assert list(Contest.objects.values_list("label", "importance", "own_importance")) == [("t2", 2.0, True)]


def test_the_lower_score_wins_in_a_new_event_where_the_places_say_so(tables: Tournament, tmp_path: Path) -> None:
    text = EVENING.replace(",400,", ",50,").replace(",10,,2", ",70,,2")
    create_tournament(NewTournament("Card evening", scores="points"), by=None)  # with rounds: another one
    load(tmp_path, text)
    evening = Tournament.objects.get(name="Card evening", open_ended=True)
    assert (evening.scores, evening.low_score_wins) == ("points", True)


def test_what_a_file_does_not_say_is_today_and_of_the_event_and_pool_named(tables: Tournament, tmp_path: Path) -> None:
    text = "contest,side,place,player\nt1,1,1,Ada Alvarez\nt1,2,2,Bo Brandt\nt1,3,3,Cleo Costa\n"
    load(tmp_path, text, "--event", "Cards")
    (row,) = Contest.objects.select_related("tournament")
    assert (row.tournament.name, row.played_on, row.pool) == ("Cards", factory.today(), "tables")


def test_strangers_are_refused_where_only_the_club_may_play_and_so_is_a_pool_nobody_rates(
    tables: Tournament, tmp_path: Path
) -> None:
    before = dump()
    for options, reason in ((["--known-players-only"], "nobody is called “New Comer”"), (["--pool", "go"], "“go”")):
        with pytest.raises(CommandError, match=reason):
            load(tmp_path, EVENING, *options)
    assert dump() == before


def test_a_dry_run_says_what_would_move_and_writes_nothing(tables: Tournament, tmp_path: Path) -> None:
    play(tables, "1: 1; 2: 2; 3: 3", day=30)
    before = dump()
    said = load(tmp_path, EVENING, "--dry-run")
    assert "Contests that would be loaded: 2" in said
    assert "tables: games rated anew: 3, players moved: 4" in said
    assert dump() == before


def test_what_is_exported_is_loaded_again_with_the_same_facts(tables: Tournament, tmp_path: Path) -> None:
    load(tmp_path, EVENING)
    play(tables, "1: 4 5*0.25; 1: 6 7; 3: 8", day=2)
    first, ratings = export(), rated_on_site()
    ContestEntry.objects.all().delete()
    Contest.objects.all().delete()
    PlayerRating.objects.all().delete()
    Tournament.objects.update(game_count=0)
    load(tmp_path, first)
    assert without_sequence(export()) == without_sequence(first)
    assert rated_on_site() == ratings
    assert is_exact()


def without_sequence(text: str) -> list[str]:
    return [line.rpartition(",")[0] for line in text.splitlines()]


def rated_on_site(slug: str = "tables") -> dict[str, float]:
    rows = PlayerRating.objects.filter(rating_list__slug=slug).select_related("player")
    live = RatingList.objects.get(slug=slug).live_generation
    return {f"#{row.player.number}": row.rating for row in rows.filter(generation=live)}


@pytest.mark.parametrize(
    ("system", "settings"),
    [("trueskill", {}), ("weng-lin", {"model": "pl"}), ("elo", {"preset": "fide-simple"})],
)
def test_the_command_rates_a_file_as_the_site_does_to_the_last_bit(
    tables: Tournament, tmp_path: Path, system: str, settings: dict[str, str]
) -> None:
    create_list(name="Other", slug="other", pool="tables", by=None, system=system, settings=settings)
    file = EVENING if system == "trueskill" else EVENING.replace("0.5", "")
    load(tmp_path, file if system == "elo" else file.replace(",2\n", ",\n"))
    play(tables, "1: 4 5; 1: 6 7; 3: 8", day=2)
    play(tables, "1: 1; 2: 2; 2: 3; 4: 4; 5: 5", day=3)
    withdrawn = play(tables, "1: 8; 2: 4; 3: 1", day=4)
    correct_contest(withdrawn.pk, withdrawn=True, by=None, reason="duplicate")
    play(make_evening("Friendly", rated=False), "1: 8; 2: 4; 3: 1", day=5)
    path, out = tmp_path / "out.csv", StringIO()
    path.write_text(export("--list", "other"))
    options = [f"{name}={value}" for name, value in settings.items() if name != "preset"]
    call_command("rate", path, "--system", system, *(["--set", *options] if options else []), "--json", stdout=out)
    assert {row["player"]: row["rating"] for row in json.loads(out.getvalue())["ratings"]} == rated_on_site("other")


def test_everything_the_club_has_includes_its_contests(tables: Tournament, tmp_path: Path) -> None:
    play(tables, "1: 1; 2: 2; 3: 3")
    call_command("export_all", tmp_path / "all", stdout=StringIO(), stderr=StringIO())
    written = [path.read_text() for path in tmp_path.rglob("contests.csv")]
    assert written == [export()]


def test_a_published_list_is_verified_from_games_and_contests(
    tables: Tournament, tmp_path: Path, client: Client
) -> None:
    """A game between two contests of one day: only the order of the club gives its figures."""
    ada, bo = factory.first_players(2)
    play(tables, "1: 1; 2: 2; 3: 3")
    record_free_game(tables, ada, bo, Result.BLACK_WINS, day(0), by=None)
    play(tables, "1: 3 1; 2: 2 4")
    play(tables, "1: 5; 2: 1; 3: 3", day=40)
    publish_list(RatingList.objects.get(slug="tables"), day(0), by=None)
    page = f"/ratings/tables/list.csv?on={day(0)}"
    (tmp_path / "list.csv").write_text(client.get(page).content.decode())
    (tmp_path / "games.csv").write_text(games_exported())
    (tmp_path / "contests.csv").write_text(export())
    out = StringIO()
    files = [tmp_path / "list.csv", "--games", tmp_path / "games.csv"]
    call_command("verify_list", *files, "--contests", tmp_path / "contests.csv", stdout=out)
    assert "equal: tables as of 2026-01-05, 4 players from 3 games" in out.getvalue()
    with pytest.raises(CommandError, match="Different"):
        call_command("verify_list", *files, stdout=StringIO())


def games_exported() -> str:
    out = StringIO()
    call_command("export_games", stdout=out, stderr=StringIO())
    return out.getvalue()
