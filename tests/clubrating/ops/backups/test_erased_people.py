"""Erased people are taken out of every backup on the shelf, and nothing else is."""

import zipfile
from pathlib import Path

import pytest

from clubrating.ops.backups.archive import opened, verify, written
from clubrating.ops.backups.erased_people import erase_from_backups, erased_file, remembered
from clubrating.ops.backups.restoring import restore_backup
from clubrating.ops.backups.snapshot import lineage
from clubrating.ops.backups.store import backups
from players.models import AuditEvent, Club, Erasure, Guardian, Player, PlayerIdentity
from players.people.services import NewPlayer, create_players
from players.trail.services import write_audit
from tests import factory
from tests.clubrating.ops.backups.test_store import copies
from tests.tournaments.teams.team_cases import make_team_event, team
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Game, TeamMatch, Tournament
from tournaments.result_reports.services import report_result
from tournaments.results.services.footnotes import note_result
from tournaments.standings.points import Result
from tournaments.teams.services.teams import add_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(club: Club) -> Player:
    """Somebody about whom everything is known, and who is spoken of in a note."""
    ada, bo = factory.make_players(2, birth_year=1990)
    PlayerIdentity.objects.create(player=ada, scheme="fide", value="5001234")
    Guardian.objects.create(player=ada, name="Gertrud Guardian", contact="0171 555")
    Player.objects.filter(pk=ada.pk).update(reading="Ада Альварес")
    write_audit("player.changed", bo, by=None, note="Sat beside ALVAREZ, Ada all evening.")
    write_audit("player.changed", bo, by=None, note="And behind Ада Альварес.")
    write_audit("player.changed", bo, by=None, note="Gertrud Guardian fetched her.")
    return ada


def forget(player: Player) -> None:
    """What erasing makes of the row."""
    Player.objects.filter(pk=player.pk).update(name="", birth_year=None)


def text_of(path: Path) -> str:
    with zipfile.ZipFile(path) as bundle:
        return "".join(bundle.read(name).decode() for name in bundle.namelist())


SECRETS = ("Ada", "ALVAREZ", "alvarez", "Альварес", "5001234", "Gertrud", "0171 555")


def test_no_copy_keeps_the_name(ada: Player) -> None:
    files = copies(3)
    assert all(secret in text_of(path) for path in files for secret in SECRETS)
    forget(ada)
    assert erase_from_backups({ada.number}) == 3
    assert [secret for path in files for secret in SECRETS if secret in text_of(path)] == []
    assert remembered(lineage()) == {ada.number}
    assert not AuditEvent.objects.filter(effect__icontains="Alvarez").exists(), "the trail itself names nobody"


def test_rewritten_files_are_whole_and_everybody_else_is_in_them(ada: Player) -> None:
    (path,) = copies(1)
    made_at = verify(path).made_at
    forget(ada)
    erase_from_backups({ada.number})
    assert verify(path).erased == (ada.number,)
    assert verify(path).made_at == made_at
    assert [row.verified for row in backups()] == [True]
    assert "Bo Brandt" in text_of(path)
    assert "Sat beside #1 all evening." in text_of(path)
    with opened(path) as reader:
        (players,) = (table for table in reader.manifest.tables if table.name == "players_player")
        rows = [dict(zip(players.columns, row, strict=True)) for row in reader.rows(players)]
    assert [row["birth_year"] for row in rows] == [None, 1990], "it goes where the live row has none"
    assert rows[0]["visibility"] == "hidden"


@pytest.mark.extended
def test_a_rewritten_backup_can_be_restored(ada: Player) -> None:
    (path,) = copies(1)
    erase_from_backups({ada.number})
    restore_backup(path)
    restored = Player.objects.get(number=ada.number)
    assert (restored.name, restored.birth_year) == ("", 1990), "the year stays where the live row has one"
    assert Player.objects.get(number=2).name == "Bo Brandt"
    assert not Guardian.objects.exists()


def test_erasing_nobody_known_or_again_changes_nothing(ada: Player) -> None:
    (path,) = copies(1)
    for number, rewritten in ((999, 0), (ada.number, 1), (ada.number, 0)):
        before = path.read_bytes()
        assert erase_from_backups({number}) == rewritten
        assert (path.read_bytes() != before) == bool(rewritten)


def test_a_backup_tells_a_new_machine_everybody_whose_name_was_taken_out_of_it(ada: Player) -> None:
    (path,) = copies(1)
    for player in Player.objects.order_by("number"):
        forget(player)
        erase_from_backups({player.number})
    assert verify(path).erased == (1, 2)
    erased_file().unlink()
    restore_backup(path)
    assert set(Erasure.objects.values_list("number", flat=True)) == {1, 2}


def test_what_a_killed_process_left_half_written_goes_too(ada: Player, folder: Path) -> None:
    (path,) = copies(1)
    left = folder / f".{path.name}.abcd.part"
    left.write_bytes(path.read_bytes())
    erase_from_backups({ada.number})
    assert not left.exists()


def test_another_clubs_backup_is_left_alone(ada: Player) -> None:
    (path,) = copies(1)
    foreign = path.with_name("by-hand-2020-01-01.zip")
    with opened(path) as reader, written(foreign) as archive:
        for table in reader.manifest.tables:
            archive.add(table.name, table.columns, reader.rows(table))
        found = reader.manifest
        archive.close(type(found)(found.made_at, found.engine, "another day", found.migrations, tuple(archive.tables)))
    assert erase_from_backups({ada.number}) == 1
    assert "Ada" in text_of(foreign)


def test_a_damaged_copy_is_thrown_away(ada: Player) -> None:
    bad, good = copies(2)
    bad.write_bytes(bad.read_bytes()[:-10])
    assert erase_from_backups({ada.number}) == 1
    assert good.exists()
    assert not bad.exists()


def test_a_part_of_the_name_goes_from_notes_about_the_persons_own_games(ada: Player) -> None:
    """As from the live trail: in a note about her own game, “Alvarez” is Ada; elsewhere it may be anybody."""
    factory.make_round_robin(list(Player.objects.order_by("number")))
    write_audit("result.corrected", Game.objects.get(), by=None, note="Alvarez was right")
    write_audit("player.changed", ada, by=None, note="Ada is left-handed")
    write_audit("club.changed", Club.objects.get(), by=None, note="Alvarez Street")
    cup = Tournament.objects.get()
    factory.play_all(cup)
    note_result(game=Game.objects.get().pk, text="Agreed by Alvarez", seen="", by=None, reason="appeal")
    (path,) = copies(1)
    forget(ada)
    erase_from_backups({ada.number})
    text = text_of(path)
    assert text.count("Agreed by #1") == 2, "beside the result and in the trail"
    assert "Agreed by Alvarez" not in text
    assert "#1 was right" in text
    assert "#1 is left-handed" in text
    assert "Alvarez Street" in text


def test_a_part_of_the_name_goes_from_what_is_written_about_the_own_team(ada: Player) -> None:
    """Of two of a team, at home and away; a place that is called so stays."""
    factory.make_list()
    people = create_players([NewPlayer("Zoe Zander"), NewPlayer("Yan Yates")], by=None)
    anchor = team(make_team_event(), "Anchor")
    add_players(anchor.pk, people, by=None)
    for side in ("home", "away"):
        match = TeamMatch.objects.filter(**{side: anchor})[0]
        TeamMatch.objects.filter(pk=match.pk).update(ruling="Zander and Yates were late", venue="Zander Street")
        write_audit("match.ruled", match, by=None, note="Yates told Zander")
    (path,) = copies(1)
    erase_from_backups({player.number for player in people})
    text = text_of(path)
    assert "Yates" not in text
    assert text.count("Zander") == text.count("Zander Street") == 2


def test_a_report_of_others_and_a_word_that_is_somebodys_whole_name_stay(ada: Player) -> None:
    factory.make_list()
    winter, *others = create_players([NewPlayer(name) for name in ("Winter", "Cleo Costa", "Dag Dahl")], by=None)
    factory.play_all(factory.make_round_robin(others), Result.WHITE_WINS)
    report_result(Game.objects.get().pk, Result.DRAW, role="visitor", words="It was a draw")
    (path,) = copies(1)
    erase_from_backups({winter.number})
    assert "Winter Cup" in text_of(path)
    assert "It was a draw" in text_of(path)


def test_events_called_after_the_person_keep_addresses_of_their_own(ada: Player) -> None:
    """Else the backup could never be restored: an address stands for one event."""
    for name in ("Ada Alvarez Cup", "Alvarez Ada Cup"):
        create_tournament(NewTournament(name), by=None)
    (path,) = copies(1)
    forget(ada)
    erase_from_backups({ada.number})
    restore_backup(path)
    assert list(Tournament.objects.order_by("pk").values_list("name", flat=True)) == ["#1 Cup"] * 2
    assert not Tournament.objects.filter(slug__contains="alvarez").exists()


def test_a_backup_made_after_the_erasure_is_not_written_anew(ada: Player) -> None:
    forget(ada)
    Erasure.objects.create(number=ada.number)
    (path,) = copies(1)
    before = path.read_bytes()
    assert erase_from_backups({ada.number}) == 0
    assert path.read_bytes() == before
