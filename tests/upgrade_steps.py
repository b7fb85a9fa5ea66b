"""Takes clubs' databases back to an earlier state of their tables and up again, through every state between: a program
of its own, since it moves the tables under Django's feet.

python -m tests.upgrade_steps digest                 prints as JSON what the lists of the club of CLUB_DATA say
python -m tests.upgrade_steps travel FIRST FORMATS   moves two databases; prints what each has passed on its way up

“first” goes back to where every app had its first tables; “formats” to the first state that knew every format of today:
a club that plays them all cannot be taken back further, since what it plays has no place there. They go in step:
Django takes longer to work out a state of the tables than to bring a small database there.
"""

import gc
import json
import os
import sys
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import django
from django.conf import settings
from django.db import connection, connections
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState
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


# An operation of a migration, with the state before it and the one after it.
Steps = list[tuple[Operation, ProjectState, ProjectState]]


def steps_of(migration: Migration, state: ProjectState) -> Steps:
    found: Steps = []
    for operation in migration.operations:
        before, state = state, state.clone()
        operation.state_forwards(migration.app_label, state)
        found.append((operation, before, state))
    return found


@dataclass(frozen=True)
class Club:
    """A database, and the migrations that it keeps all the way."""

    file: str
    left: frozenset[Key]

    def open(self) -> None:
        """It is the database of the site from here on."""
        from django.contrib.contenttypes.models import ContentType  # noqa: PLC0415 (the settings come first)

        connections["default"].close()
        connections["default"] = connections["default"].copy()
        connection.settings_dict["NAME"] = self.file
        ContentType.objects.clear_cache()

    def applied(self) -> set[Key]:
        self.open()
        return set(MigrationRecorder(connection).applied_migrations())

    def move(self, migration: Migration, steps: Steps, *, back: bool) -> None:
        key = (migration.app_label, migration.name)
        if key in self.left:
            return
        self.open()
        recorder = MigrationRecorder(connection)
        with connection.schema_editor(atomic=migration.atomic) as editor:
            for operation, before, after in reversed(steps) if back else steps:
                if back:
                    assert operation.reversible, f"{key}: {operation.describe()}"
                    operation.database_backwards(key[0], editor, after, before)
                else:
                    operation.database_forwards(key[0], editor, before, after)
        (recorder.record_unapplied if back else recorder.record_applied)(*key)


def travel(*files: str) -> list[list[str]]:
    """What each has passed on its way up, by what it has noted itself."""
    executor = MigrationExecutor(connection)
    loader, order = executor.loader, growth(executor)
    others = [key for key in loader.graph.leaf_nodes() if key[0] not in APPS]
    ends = (len(APPS), order.index(EVERY_FORMAT) + 1)
    clubs = [Club(file, frozenset(order[:end])) for file, end in zip(files, ends, strict=True)]
    for number in reversed(range(len(APPS), len(order))):
        migration = loader.graph.nodes[order[number]]
        steps = steps_of(migration, loader.project_state([*others, *order[:number]]))
        for club in clubs:
            club.move(migration, steps, back=True)
    bottoms = [club.applied() for club in clubs]
    state = loader.project_state([*others, *order[: len(APPS)]])
    for migration in (loader.graph.nodes[key] for key in order[len(APPS) :]):
        steps = steps_of(migration, state)
        for club in clubs:
            club.move(migration, steps, back=False)
        *_earlier, (_last, _before, state) = steps
    return [
        sorted(".".join(key) for key in club.applied() - bottom) for club, bottom in zip(clubs, bottoms, strict=True)
    ]


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


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubrating.settings")
    django.setup()
    settings.ALLOWED_HOSTS = ["*"]
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.CACHES["pages"] = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    settings.DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF;"
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # states of the tables are many objects, and refer to each other in circles
    sys.stdout.write(json.dumps(digest() if sys.argv[1] == "digest" else travel(*sys.argv[2:])))
