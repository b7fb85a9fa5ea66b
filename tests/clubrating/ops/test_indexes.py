"""An index made while the site runs: beside its writers where the database can do that, as ever where it cannot."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import NotSupportedError, connection, models, transaction
from django.db.migrations.state import ProjectState
from django.test.utils import CaptureQueriesContext

from clubrating.ops.indexes import AddIndexWhileRunning

NAME = "players_by_name_and_number"
STEP = AddIndexWhileRunning("player", models.Index(fields=["name", "number"], name=NAME))
CAN = connection.vendor == "postgresql"


@pytest.fixture
def states() -> tuple[ProjectState, ProjectState]:
    before = ProjectState.from_apps(apps)
    after = before.clone()
    STEP.state_forwards("players", after)
    return before, after


@pytest.fixture
def _cleared(transactional_db: None) -> Iterator[None]:
    """A table with other indexes than its own would follow into other tests."""
    yield
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX IF EXISTS {NAME}")


def indexes() -> set[str]:
    with connection.cursor() as cursor:
        return set(connection.introspection.get_constraints(cursor, "players_player"))


def told(asked: CaptureQueriesContext) -> list[str]:
    """The first words of what was said about an index."""
    return [each["sql"].partition(f'"{NAME}"')[0].strip() for each in asked if NAME in each["sql"]]


@pytest.mark.usefixtures("_cleared")
def test_there_and_back(states: tuple[ProjectState, ProjectState]) -> None:
    before, after = states
    with CaptureQueriesContext(connection) as asked, connection.schema_editor(atomic=STEP.atomic) as editor:
        STEP.database_forwards("players", editor, before, after)
    assert NAME in indexes()
    beside = ["DROP INDEX CONCURRENTLY IF EXISTS", "CREATE INDEX CONCURRENTLY"]
    assert told(asked) == (beside if CAN else ["CREATE INDEX"])
    with CaptureQueriesContext(connection) as asked, connection.schema_editor(atomic=STEP.atomic) as editor:
        STEP.database_backwards("players", editor, after, before)
    assert NAME not in indexes()
    assert [line.split()[0] for line in told(asked)] == ["DROP"]
    assert ("CONCURRENTLY" in told(asked)[0]) is CAN


@pytest.mark.usefixtures("_cleared")
@pytest.mark.skipif(not CAN, reason="only there can it be made beside its writers")
def test_inside_a_transaction_it_says_what_to_write(states: tuple[ProjectState, ProjectState]) -> None:
    with pytest.raises(NotSupportedError, match="atomic = False"), transaction.atomic():
        STEP.database_forwards("players", connection.schema_editor(), *states)


@pytest.mark.usefixtures("_cleared")
@pytest.mark.skipif(not CAN, reason="only there can a try break off")
def test_what_a_try_that_broke_off_left_behind_is_made_anew(states: tuple[ProjectState, ProjectState]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE INDEX {NAME} ON players_player (name)")
    with connection.schema_editor(atomic=STEP.atomic) as editor:
        STEP.database_forwards("players", editor, *states)
        found = connection.introspection.get_constraints(connection.cursor(), "players_player")
    assert found[NAME]["columns"] == ["name", "number"]


def test_it_tells_what_it_does() -> None:
    assert STEP.describe() == f"Create index {NAME} on field(s) name, number of model player, while the site runs"
