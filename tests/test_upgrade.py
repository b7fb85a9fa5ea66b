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
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

from tests.demo_site import Demo
from tests.live import Site
from tests.upgrade_steps import APPS, EVERY_FORMAT, growth

SMALL = """
import django; django.setup()
from ratings.services.lists import NewStart
from tests import factory
from tournaments.services.rating import bring_starting_ratings
factory.make_club(); row = factory.make_list(); people = factory.make_players(7)
bring_starting_ratings(row, [NewStart(people[1].pk, factory.MONDAY, 1800, 40)], by=None)
factory.play_all(factory.make_round_robin(people, cycles=2))
"""


class Growth:
    loader = MigrationLoader(None)


ORDER = growth(Growth)


def there_and_back(site: Site, which: str) -> tuple[dict[str, Any], dict[str, Any]]:
    today, afterwards = site.run("-m", "tests.upgrade_steps", which).splitlines()
    return json.loads(today), json.loads(afterwards)


def names(keys: list[tuple[str, str]]) -> list[str]:
    return sorted(".".join(key) for key in keys)


def test_a_small_club_comes_up_through_every_state(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.run("manage.py", "migrate", "-v0")
    site.run("-c", SMALL)
    today, afterwards = there_and_back(site, "first")
    assert sorted(afterwards.pop("passed")) == names(ORDER[len(APPS) :])
    assert today["standard"].endswith("/42")  # games of seven players who meet twice
    assert afterwards == today


def test_the_demo_club_comes_up_from_the_first_state_that_knew_its_formats(demo: Demo, tmp_path: Path) -> None:
    with closing(sqlite3.connect(demo.site.data / "club.sqlite3")) as line:
        line.execute("VACUUM INTO ?", [str(tmp_path / "club.sqlite3")])
    today, afterwards = there_and_back(Site(tmp_path), "formats")
    assert sorted(afterwards.pop("passed")) == names(ORDER[ORDER.index(EVERY_FORMAT) + 1 :])
    assert {name for name in today if not name.endswith(" page")} >= {"standard", "rapid"}
    assert afterwards == today


def test_every_migration_is_among_the_states() -> None:
    assert [name[:4] for _app, name in ORDER[: len(APPS)]] == ["0001"] * len(APPS)
    assert len(ORDER) == len(set(ORDER)) == sum(1 for app, _name in Growth.loader.disk_migrations if app in APPS)


# --- rules for new migrations ------------------------------------------------------------------------------------
# Made before there was a rule; whoever has them has stopped for them.
BEFORE_THE_RULES = {"players": "0005", "ratings": "0006", "tournaments": "0009"}
# The old program reads or writes what these take away.
TAKING_AWAY = (migrations.RemoveField, migrations.RenameField, migrations.DeleteModel, migrations.RenameModel)
MARK = "UNUSED_SINCE"  # in the migration's file: the version from which on no program reads it any more


def new_migrations() -> Iterator[migrations.Migration]:
    for (app, name), migration in Growth.loader.disk_migrations.items():
        if app in APPS and name[:4] > BEFORE_THE_RULES[app]:
            yield migration


def faults(migration: migrations.Migration, marked: bool) -> Iterator[str]:
    """What would break the program of the version before while it still runs."""
    made = {each.name_lower for each in migration.operations if isinstance(each, migrations.CreateModel)}
    for each in migration.operations:
        told = f"{migration}: {each.describe()}"
        if isinstance(each, TAKING_AWAY) and not marked:
            yield f"{told}: takes away what the version before uses; say in {MARK} since when nothing does"
        if (
            isinstance(each, migrations.AddField)
            and each.model_name_lower not in made
            and not _fills_itself(each.field)
        ):
            yield f"{told}: the version before writes rows without it; give it null=True or a db_default"
        if isinstance(each, migrations.RunPython | migrations.RunSQL) and not each.reversible:
            yield f"{told}: cannot be taken back"


def _fills_itself(field: Any) -> bool:
    return field.null or field.has_db_default() or isinstance(field, models.ManyToManyField)


def test_no_new_migration_stops_the_version_before() -> None:
    told = []
    for migration in new_migrations():
        folder = Path(apps.get_app_config(migration.app_label).path) / "migrations"
        marked = f"{MARK} = " in (folder / f"{migration.name}.py").read_text(encoding="utf-8")
        told += faults(migration, marked)
    assert not told, "\n".join(told)


class Strange(migrations.Migration):
    operations = [
        migrations.CreateModel("Cup", [("id", models.BigAutoField(primary_key=True))]),
        migrations.AddField("cup", "name", models.TextField()),
        migrations.AddField("player", "nick", models.TextField(default="")),
        migrations.AddField("player", "club", models.TextField(null=True)),
        migrations.AddField("player", "level", models.IntegerField(db_default=0)),
        migrations.RemoveField("player", "title"),
        migrations.RenameField("player", "name", "full_name"),
        migrations.RunPython(lambda *_: None),
    ]


@pytest.mark.parametrize(("marked", "count"), [(False, 4), (True, 2)])
def test_the_rules_find_what_breaks_them(marked: bool, count: int) -> None:
    found = list(faults(Strange("0099_strange", "players"), marked))
    assert len(found) == count, found
    assert any("nick" in line for line in found)
    assert any("taken back" in line for line in found)
