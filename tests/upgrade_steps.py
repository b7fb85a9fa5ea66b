"""Takes a club's database back to an earlier state of its tables and up again, through every state between: a program
of its own, since it moves the tables under Django's feet. `python -m tests.upgrade_steps first|formats` prints two JSON
objects: what the lists say today, and what they say afterwards, with the states that were passed on the way up.

“first” goes back to where every app had its first tables; “formats” to the first state that knew every format of today:
a club that plays them all cannot be taken back further, since what it plays has no place there.
"""

import json
import os
import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import django
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

APPS = ("players", "ratings", "tournaments")
EVERY_FORMAT = ("tournaments", "0004_every_format")
Key = tuple[str, str]


def growth(executor: Any) -> list[Key]:
    """Every migration of our apps, as the apps grew: the lowest number first that builds on nothing later."""
    nodes = {key: node for key, node in executor.loader.graph.node_map.items() if key[0] in APPS}
    order: list[Key] = []
    while len(order) < len(nodes):
        ready = (
            key
            for key in nodes
            if key not in order and all(parent.key in order for parent in nodes[key].parents if parent.key in nodes)
        )
        order.append(min(ready, key=lambda key: (key[1], key[0])))
    return order


def go_back(left: list[Key]) -> None:
    """Take back whatever was applied after these."""
    last = {app: next(key for key in reversed(left) if key[0] == app) for app in APPS}
    MigrationExecutor(connection).migrate(list(last.values()))


def go_forward() -> list[str]:
    """Apply everything; what was applied, one after the other."""
    passed: list[str] = []

    def note(action: str, migration: Any = None, fake: bool = False) -> None:
        if action == "apply_success":
            passed.append(str(migration))

    executor = MigrationExecutor(connection, note)
    executor.migrate(executor.loader.graph.leaf_nodes())
    return passed


def digest() -> dict[str, str]:
    """What every list says: its ledger and ratings, bit for bit, and its page."""
    from players.models import Job  # noqa: PLC0415 (the settings come first)
    from ratings.ledger.services.rows import LEDGER_COLUMNS, RATING_COLUMNS  # noqa: PLC0415
    from ratings.models import LedgerEntry, PlayerRating, RatingList  # noqa: PLC0415
    from tournaments.rated_games.services.rebuilding import rebuild_list  # noqa: PLC0415

    # What a migration asked the worker for.
    for job in Job.objects.filter(kind="rebuild-list", state="waiting"):
        rebuild_list(RatingList.objects.get(pk=job.subject_key))
        job.delete()
    found = {}
    for row in RatingList.objects.order_by("slug"):
        live = {"rating_list": row, "generation": row.live_generation}
        ledger = list(LedgerEntry.objects.filter(**live).order_by("order").values_list(*LEDGER_COLUMNS))
        ratings = list(PlayerRating.objects.filter(**live).order_by("player").values_list(*RATING_COLUMNS))
        page = Client().get(f"/ratings/{row.slug}/") if row.public else None
        assert page is None or page.status_code == 200
        found[row.slug] = sha256(repr((ledger, ratings)).encode()).hexdigest()[:12] + f"/{len(ledger)}"
        found[f"{row.slug} page"] = sha256(page.content).hexdigest()[:12] if page else ""
    return found


def there_and_back(which: str) -> Iterator[dict[str, Any]]:
    order = growth(MigrationExecutor(connection))
    yield digest()
    go_back(order[: len(APPS) if which == "first" else order.index(EVERY_FORMAT) + 1])
    passed = go_forward()
    yield {**digest(), "passed": passed}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubrating.settings")
    django.setup()
    settings.ALLOWED_HOSTS = ["*"]
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.CACHES["pages"] = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    settings.DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF;"
    for each in there_and_back(sys.argv[1]):
        sys.stdout.write(json.dumps(each) + "\n")
