"""A club moves from SQLite to PostgreSQL and back by the commands of docs/databases.md, without a difference: in the
digests of every table, of every list's ledger and ratings, of every published list. Keys given on the way are free."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.databases import copy_template
from tests.live import Site

DJANGO = "import django; django.setup()\n"
PREPARE = """
from datetime import timedelta
from django.core.management import call_command
from tests import factory
from tournaments.models import Game
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result
call_command("migrate", verbosity=0)
factory.make_club()
lists = [factory.make_list(), factory.make_list("rapid", pool="rapid", primary=False)]
people = factory.make_players(6)
factory.play_all(factory.make_round_robin(people, cycles=2), Result.WHITE_WINS)
correct_result(game=Game.objects.order_by("sequence")[3].pk, result=Result.DRAW, by=None)
publish_list(lists[0], factory.today() - timedelta(days=1), by=None)
"""
# Lists as they stand, and what seals those that were published.
DIGESTS = """
import hashlib, json
from ratings.models import LedgerEntry, PlayerRating, PublishedList, RatingList
from ratings.ledger.services.rows import LEDGER_COLUMNS, RATING_COLUMNS
def digest(rows): return hashlib.sha256(repr(list(rows)).encode()).hexdigest()
told = {}
for each in RatingList.objects.order_by("pk"):
    live = {"rating_list": each, "generation": each.live_generation}
    ledger = LedgerEntry.objects.filter(**live).order_by("order", "pk").values_list(*LEDGER_COLUMNS)
    ratings = PlayerRating.objects.filter(**live).order_by("player").values_list(*RATING_COLUMNS)
    told[each.slug] = [len(ledger), digest(ledger), digest(ratings)]
told["published"] = list(PublishedList.objects.order_by("pk").values_list("digest", flat=True))
print(json.dumps(told))
"""
MORE = """
from tests import factory
factory.play_all(factory.make_round_robin(factory.make_players(4), name="On the way"))
"""


def digests(site: Site, code: str = "") -> dict[str, Any]:
    """What the lists say after that code."""
    found: dict[str, Any] = json.loads(site.run("-c", DJANGO + code + DIGESTS))
    return found


# A restore leaves its line in the trail, and ends background work that was under way.
TOUCHED = {"players_auditevent", "players_job", "players_jobchunk"}


def tables(file: Path) -> dict[str, tuple[int, str]]:
    """Rows and digest of every table of a backup but those."""
    with zipfile.ZipFile(file) as bundle:
        found = json.loads(bundle.read("manifest.json"))["tables"]
    return {row["name"]: (row["rows"], row["sha256"]) for row in found if row["name"] not in TOUCHED}


def move(source: Site, target: Site) -> dict[str, Any]:
    """By the commands of the page; afterwards every table is compared. What the lists say there."""
    file, copy = source.data / "club.zip", target.data / "copy.zip"
    source.run("manage.py", "backup", str(file), "--force", "-v0")
    target.run("manage.py", "upgrade")
    target.run("manage.py", "restore", str(file), "--yes", "--check", "-v0")
    target.run("manage.py", "backup", str(copy), "--force", "-v0")
    assert tables(copy) == tables(file)
    return digests(target)


@pytest.mark.usefixtures("django_db_setup")
def test_a_club_moves_to_postgresql_and_back_without_a_difference(tmp_path: Path, migrated_postgres: str) -> None:
    """The databases are migrated beforehand: an upgrade from nothing is tried elsewhere."""
    for name in ("here", "there", "back"):
        (tmp_path / name).mkdir()
        copy_template(tmp_path / name)
    here, there, back = Site(tmp_path / "here"), Site(tmp_path / "there", migrated_postgres), Site(tmp_path / "back")
    found = digests(here, PREPARE)
    assert move(here, there) == found
    assert found["standard"][0] == 30
    assert found["rapid"][0] == 0
    assert len(found["published"]) == 1

    later = digests(there, MORE)
    assert move(there, back) == later
    assert later["standard"][0] == 36
    back.run("-c", DJANGO + MORE.replace("On the way", "At home"))
    back.run("manage.py", "rebuild_ratings", "--check")
