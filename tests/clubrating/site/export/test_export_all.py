"""`manage.py export_all`: what a club takes along can be read again, by this program and by others."""

import csv
import io
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from clubrating.ops.backups.archive import verify
from clubrating.site.export.services import club_files
from players.models import Player, PlayerIdentity, Visibility
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.erasure.services.erasure import anonymise_player
from tournaments.interchange.entries_csv import read_entries
from tournaments.interchange.games_csv import read_games
from tournaments.interchange.list_csv import read_list
from tournaments.interchange.players_csv import read_players
from tournaments.interchange.trf import read_report
from tournaments.merging.services import merge_players
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]


def files() -> dict[str, str]:
    return dict(club_files(factory.today()))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


standard = club_and_list


@pytest.fixture(scope="module", autouse=True)
def played(standard: RatingList) -> RatingList:
    """A round robin of four, played, and a knockout of four, not begun."""
    players = factory.make_players(4, birth_year=1990)
    factory.play_all(factory.make_round_robin(players), Result.WHITE_WINS)
    factory.make_knockout(players)
    return standard


def test_everything_is_there_with_the_games_of_export_games(played: RatingList, tmp_path: Path) -> None:
    lines = ("entries.csv", "games.pgn", "pairings.csv", "report.trf", "standings.csv")
    events = [f"tournaments/{cup}/{name}" for cup in ("autumn-cup", "winter-cup") for name in lines]
    known = f"ratings/standard-known-{factory.today()}.csv"
    assert sorted(files()) == ["games.csv", "players.csv", known, *events]
    call_command("export_games", "--out", str(tmp_path / "games.csv"))
    assert files()["games.csv"] == (tmp_path / "games.csv").read_text()
    assert len(read_games(files()["games.csv"].encode(), today=factory.today()).rows) == 6


def test_members_are_read_by_both_our_importers(played: RatingList) -> None:
    ada = Player.objects.get(name="Ada Alvarez")
    Player.objects.filter(pk=ada.pk).update(title="WFM", sex="f", visibility=Visibility.HIDDEN, reading="Ада")
    PlayerIdentity.objects.create(player=ada, scheme="fide", value="1234567")
    data = files()["players.csv"].encode()
    people = read_players(data, today=factory.today())
    assert people.bad == ()
    first_row = people.rows[0]
    assert (first_row.name, first_row.birth_year, first_row.reading) == ("Ada Alvarez", 1990, "Ада")
    entries = read_entries(data, today=factory.today(), titles=Player.Title.values)
    assert entries.bad == ()
    first = entries.rows[0]
    assert (first.number, first.name) == (ada.number, "Ada Alvarez")
    assert (first.title, first.sex, first.fide_id) == ("WFM", "f", "1234567")


def test_a_record_that_was_merged_is_no_member_of_its_own(played: RatingList) -> None:
    before = rows(files()["players.csv"])
    (twin,) = factory.make_players(1)
    merge_players(keep=factory.first_players(1)[0].pk, gone=twin.pk, by=None, reason="wrong-player")
    assert rows(files()["players.csv"]) == before


def test_lists_are_read_again_as_known_and_as_published(played: RatingList) -> None:
    yesterday = factory.today() - timedelta(days=1)
    factory.make_list("rapid", pool="rapid", primary=False)
    publish_list(played, yesterday, by=None)
    known = files()
    assert f"ratings/rapid-{yesterday}.csv" not in known, "only the other list was published"
    for name in (f"ratings/standard-known-{factory.today()}.csv", f"ratings/standard-{yesterday}.csv"):
        found = read_list(known[name].encode())
        assert found.bad == ()
        assert len(found.rows) == 4


def test_an_event_is_told_with_full_names_but_for_who_was_erased(played: RatingList) -> None:
    Player.objects.update(visibility=Visibility.HIDDEN)
    found = files()
    for name in ("entries.csv", "standings.csv", "pairings.csv", "games.pgn"):
        assert "Ada Alvarez" in found[f"tournaments/winter-cup/{name}"]
    assert len(read_report(found["tournaments/winter-cup/report.trf"].encode()).players) == 4
    bo = Player.objects.get(name="Bo Brandt")
    anonymise_player(bo.pk, by=None)
    found = files()
    assert str(bo.number) not in {row["number"] for row in rows(found["players.csv"])}
    assert not [name for name, text in found.items() if "Brandt" in text]


def test_an_open_event_has_its_games_and_no_tables(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("date,white,black,result\n2026-01-05,Guest One,Guest Two,1-0\n")
    call_command("load_games", str(tmp_path / "games.csv"), "--event", "Evenings")
    values = {name: text for name, text in files().items() if name.startswith("tournaments/evenings")}
    assert list(values) == ["tournaments/evenings/games.pgn"]
    assert '[White "Guest One"]' in values["tournaments/evenings/games.pgn"]


def test_a_ladder_has_its_places(played: RatingList) -> None:
    factory.make_ladder(factory.first_players(3)[::-1])
    places = files()["tournaments/ladder/standings.csv"]
    assert [row["player"] for row in rows(places)] == ["Cleo Costa", "Bo Brandt", "Ada Alvarez"]


# --- the command ----------------------------------------------------------------------------------------------
def test_only_its_owner_reads_the_folder(
    played: RatingList, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "leaving"
    call_command("export_all", str(folder))
    assert capsys.readouterr().out == f"{folder}: 13 files and the backup club.zip\n"
    for path in (folder, *folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert verify(folder / "club.zip").rows > 0


def test_nothing_is_overwritten(played: RatingList, tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("1. e4")
    for folder in (tmp_path, tmp_path / "no" / "such"):
        with pytest.raises(CommandError) as refused:
            call_command("export_all", str(folder))
        assert refused.value.returncode == 2
        assert str(folder) in str(refused.value)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]
