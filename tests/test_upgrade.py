"""Every earlier state of the tables leads to today's with the club whole: its ratings bit for bit, and the pages of its
lists letter for letter. And new migrations keep the rules under which a site need not be stopped for them
(docs/decisions/0022).

A small club is taken back to the first tables, with what there was then (round robins and Elo), and comes up through
every state; the demo club, which plays every format, goes back to the first state that knew them all.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from clubrating.ops.indexes import AddIndexWhileRunning
from players.models import Job
from ratings.models import RatingListRule
from tests import factory
from tests.databases import copy_template
from tests.demo_site import Demo
from tests.live import Site
from tests.upgrade_rules import MARKS, OBEYED, UNUSED, faults, is_wider
from tests.upgrade_steps import APPS, EVERY_FORMAT, growth

SMALL = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from ratings.lists.services import NewStart
from tests import factory
from tournaments.rated_games.services.people import bring_starting_ratings
factory.make_club(); row = factory.make_list(); people = factory.make_players(7)
bring_starting_ratings(row, [NewStart(people[1].pk, factory.MONDAY, 1800, 40)], by=None)
factory.play_all(factory.make_round_robin(people, cycles=2))
"""


class Growth:
    loader = MigrationLoader(None)


ORDER = growth(Growth)


def digest(club: Path) -> dict[str, str]:
    return dict(json.loads(Site(club).run("-m", "tests.upgrade_steps", "digest")))


def names(keys: list[tuple[str, str]]) -> list[str]:
    return sorted(".".join(key) for key in keys)


_NEW = "WHERE pool IN ('tables', 'go')"
_OF_LIST = f"WHERE rating_list_id IN (SELECT id FROM ratings_ratinglist {_NEW})"
WITHOUT_A_PLACE = {
    "ratings_contestentry": "",
    "ratings_ledgerentry": _OF_LIST,
    "ratings_playerrating": _OF_LIST,
    "ratings_ratinglistrule": _OF_LIST,
    "ratings_ratingstep": _OF_LIST,
    "ratings_startingrating": _OF_LIST,
    "ratings_ratinglist": _NEW,
    "tournaments_contestmember": "",
    "tournaments_contestside": "",
    "tournaments_contest": "",
    "tournaments_game": _NEW,
    "tournaments_tournament": _NEW,
}
# Of teams their games stay, as those of an event without teams; what points at a row goes before it.
OF_TEAMS = (
    *("lineupplace", "lineup", "teampenalty", "captainlink", "teammatch", "teamplayer", "team", "teamrules"),
    *("league", "leagueclub_officers", "leagueclub"),
)


def make_small(folder: Path) -> None:
    copy_template(folder)
    Site(folder).run("-c", SMALL)


def make_old(folder: Path, demo: Demo) -> None:
    """The demo club, without what its pages show and that state had no place for: readings of names, teams, tables and
    games of go with their lists."""
    with closing(sqlite3.connect(demo.site.data / "club.sqlite3")) as line:
        line.execute("VACUUM INTO ?", [str(folder / "club.sqlite3")])
    with closing(sqlite3.connect(folder / "club.sqlite3")) as line, line:
        line.execute("UPDATE players_player SET reading = ''")
        line.execute("UPDATE tournaments_pairing SET match_id = NULL, match_board = NULL")
        line.execute("UPDATE tournaments_resultreport SET by_team_id = NULL")
        for table in OF_TEAMS:
            line.execute(f"DELETE FROM tournaments_{table}")
        for table, where in WITHOUT_A_PLACE.items():
            line.execute(f"DELETE FROM {table} {where}")
        while rows := line.execute("PRAGMA foreign_key_check").fetchall():  # what pointed at them: entries, a season
            for table, row, *_parent in rows:
                line.execute(f"DELETE FROM {table} WHERE rowid = ?", [row])


@dataclass(frozen=True)
class Journey:
    today: dict[str, str]
    passed: list[str]
    afterwards: dict[str, str]


@pytest.fixture(scope="module")
def journeys(demo: Demo, tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> list[Journey]:
    """The small club's, and the demo club's."""
    small, old = clubs = [tmp_path_factory.mktemp("small"), tmp_path_factory.mktemp("old")]
    make_small(small)
    make_old(old, demo)
    before = [digest(club) for club in clubs]
    files = [str(club / "club.sqlite3") for club in clubs]
    passed = json.loads(Site(small).run("-m", "tests.upgrade_steps", "travel", *files))
    return [Journey(*each) for each in zip(before, passed, map(digest, clubs), strict=True)]


@pytest.mark.slow
def test_a_small_club_comes_up_through_every_state(journeys: list[Journey]) -> None:
    small, _old = journeys
    assert small.passed == names(ORDER[len(APPS) :])
    assert small.today["standard"].endswith("/42")  # games of seven players who meet twice
    assert small.afterwards == small.today


@pytest.mark.slow
def test_the_demo_club_comes_up_from_the_first_state_that_knew_its_formats(journeys: list[Journey]) -> None:
    _small, old = journeys
    assert old.passed == names(ORDER[ORDER.index(EVERY_FORMAT) + 1 :])
    assert {name for name in old.today if not name.endswith(" page")} >= {"standard", "rapid"}
    assert old.afterwards == old.today


@pytest.mark.django_db
def test_lists_by_trueskill_are_rated_again() -> None:
    factory.make_club()
    _elo, ours = factory.make_list(), factory.make_list("tables", pool="tables", primary=False)
    RatingListRule.objects.filter(rating_list=ours).update(system="trueskill")
    import_module("ratings.migrations.0011_trueskill_again").rebuild_trueskill(apps, None)
    assert list(Job.objects.values_list("kind", "subject_key", "chunks__number")) == [("rebuild-list", ours.pk, 1)]


def test_every_migration_is_among_the_states() -> None:
    assert [name[:4] for _app, name in ORDER[: len(APPS)]] == ["0001"] * len(APPS)
    assert len(ORDER) == len(set(ORDER)) == sum(1 for app, _name in Growth.loader.disk_migrations if app in APPS)


# --- rules for new migrations ------------------------------------------------------------------------------------
# Made before there was a rule, or the rule was read off this far; whoever has them has stopped for them.
BEFORE_THE_RULES = {"players": "0005", "ratings": "0006", "tournaments": "0011"}


def new_migrations() -> Iterator[migrations.Migration]:
    for (app, name), migration in Growth.loader.disk_migrations.items():
        if app in APPS and name[:4] > BEFORE_THE_RULES[app]:
            yield migration


def marks_of(migration: migrations.Migration) -> frozenset[str]:
    folder = Path(apps.get_app_config(migration.app_label).path) / "migrations"
    text = (folder / f"{migration.name}.py").read_text(encoding="utf-8")
    return frozenset(mark for mark in MARKS if f"{mark} = " in text)


def state_before(app: str, name: str) -> ProjectState:
    return Growth.loader.project_state((app, name), at_end=False)


def test_no_new_migration_stops_the_version_before() -> None:
    lines = []
    for migration in new_migrations():
        lines += faults(migration, marks_of(migration), state_before(migration.app_label, migration.name))
    assert not lines, "\n".join(lines)


def found_in(step: Operation, *marks: str, atomic: bool = True) -> list[str]:
    """What the rules say of a migration of today's players with that step alone."""
    migration = migrations.Migration("0099_strange", "players")
    migration.operations, migration.atomic = [step], atomic
    return list(faults(migration, frozenset(marks), Growth.loader.project_state()))


def in_the_database(step: Operation) -> Operation:
    return migrations.SeparateDatabaseAndState(database_operations=[step])


INDEX = models.Index(fields=["name", "number"], name="strange")
ONCE = models.UniqueConstraint(fields=["name"], name="strange_once")
POSITIVE = models.CheckConstraint(condition=models.Q(number__gte=1), name="strange_number")
TAKEN_AWAY: dict[str, Operation] = {
    "a field": migrations.RemoveField("player", "title"),
    "a field's name": migrations.RenameField("player", "name", "full_name"),
    "a table": migrations.DeleteModel("PlayerIdentity"),
    "a table's name": migrations.RenameModel("PlayerIdentity", "Number"),
    "a table's name in the database": migrations.AlterModelTable("player", "people"),
    "a field, hidden": in_the_database(migrations.RemoveField("player", "title")),
    "a column": migrations.RunSQL("ALTER TABLE players_player DROP COLUMN title", migrations.RunSQL.noop),
    "a column, in a list": migrations.RunSQL([("alter table players_player rename title to t", None)], ""),
    "an order": migrations.AlterOrderWithRespectTo("playeridentity", "player"),
}


@pytest.mark.extended
@pytest.mark.parametrize("step", TAKEN_AWAY.values(), ids=TAKEN_AWAY)
def test_what_takes_away_says_since_when_nothing_uses_it(step: Operation) -> None:
    (found,) = found_in(step)
    assert UNUSED in found
    assert found_in(step, UNUSED) == []
    assert len(found_in(step, OBEYED)) == 1


WITH_A_RULE = {"unique": ONCE, "check": POSITIVE}


@pytest.mark.parametrize("rule", WITH_A_RULE.values(), ids=WITH_A_RULE)
def test_a_rule_says_since_when_it_is_kept(rule: models.BaseConstraint) -> None:
    step = migrations.AddConstraint("player", rule)
    for each in (step, in_the_database(step)):
        (found,) = found_in(each)
        assert OBEYED in found
        assert found_in(each, OBEYED) == []
    assert len(found_in(migrations.AlterUniqueTogether("player", {("name", "number")}))) == 1


def test_an_index_is_made_while_the_site_runs() -> None:
    for step in (migrations.AddIndex("player", INDEX), in_the_database(migrations.AddIndex("player", INDEX))):
        assert "AddIndexWhileRunning" in found_in(step)[0]
    assert "atomic = False" in found_in(AddIndexWhileRunning("player", INDEX))[0]
    assert found_in(AddIndexWhileRunning("player", INDEX), atomic=False) == []


def test_the_migration_the_rules_once_missed_is_found() -> None:
    key = ("tournaments", "0011_games_of_an_event")
    (found,) = faults(Growth.loader.disk_migrations[key], frozenset(), state_before(*key))
    assert "game_of_event" in found
    assert "keeps writers waiting" in found


@pytest.mark.parametrize(
    ("made", "is_whole"),
    [
        (models.TextField(default=""), False),
        (models.TextField(null=True), True),
        (models.IntegerField(db_default=0), True),
        (models.IntegerField(db_default=0, unique=True), False),
        (models.ManyToManyField("players.club"), True),
    ],
)
def test_a_new_field_is_filled_in_by_the_database(made: Any, is_whole: bool) -> None:
    assert (found_in(migrations.AddField("player", "strange", made)) == []) is is_whole


@pytest.mark.parametrize(
    ("old", "new", "wider"),
    [
        (models.CharField(max_length=20), models.CharField(max_length=30), True),
        (models.CharField(max_length=30), models.CharField(max_length=20), False),
        (models.CharField(max_length=30), models.TextField(), True),
        (models.TextField(), models.CharField(max_length=30), False),
        (models.CharField(max_length=9), models.CharField(max_length=9, choices=[("a", "A")], help_text="x"), True),
        (models.CharField(max_length=9), models.CharField(max_length=9, db_column="other"), False),
        (models.IntegerField(), models.IntegerField(null=True), True),
        (models.IntegerField(null=True), models.IntegerField(), False),
        (models.IntegerField(), models.IntegerField(db_default=1), True),
        (models.IntegerField(), models.IntegerField(unique=True), False),
        (models.IntegerField(), models.IntegerField(db_index=True), False),
        (models.IntegerField(db_index=True), models.IntegerField(), True),
        (models.IntegerField(), models.FloatField(), False),
    ],
)
def test_a_field_grows_and_never_shrinks(old: models.Field[Any, Any], new: models.Field[Any, Any], wider: bool) -> None:
    assert is_wider(old, new) is wider


def test_an_altered_field_is_compared_with_what_it_was() -> None:
    assert found_in(migrations.AlterField("player", "name", models.TextField())) == []
    (found,) = found_in(migrations.AlterField("player", "name", models.CharField(max_length=3)))
    assert "add a new one beside it" in found


class Strange(migrations.Migration):
    """What a migration makes itself it may do anything with; and a rule for rows that fill in the new column."""

    operations = [
        migrations.CreateModel("Cup", [("id", models.BigAutoField(primary_key=True))]),
        migrations.AddField("cup", "name", models.TextField()),
        migrations.AddIndex("cup", models.Index(fields=["name"], name="cup_name")),
        migrations.AddConstraint("cup", models.UniqueConstraint(fields=["name"], name="cup_once")),
        migrations.RemoveField("cup", "name"),
        migrations.AddField("player", "nick", models.TextField(null=True)),
        migrations.AddConstraint("player", models.UniqueConstraint(fields=["nick"], name="nick_once")),
        migrations.AlterModelOptions("player", {"ordering": ["name"]}),
        migrations.RemoveConstraint("player", "nick_once"),
        migrations.RunPython(lambda *_: None, migrations.RunPython.noop),
        migrations.RunPython(lambda *_: None),
        migrations.RunSQL("DROP INDEX strange"),
    ]


def test_what_cannot_be_taken_back_is_told_and_nothing_else() -> None:
    found = list(faults(Strange("0099_strange", "players"), frozenset(), Growth.loader.project_state()))
    assert [known.rpartition(": ")[2] for known in found] == ["cannot be taken back"] * 2, found
