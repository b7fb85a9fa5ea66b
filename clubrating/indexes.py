"""An index made while the site runs, for migrations (docs/decisions/0022).

An ordinary `AddIndex` keeps every writer of the table waiting until the index is there: the longer the ledger, the
longer. PostgreSQL can build one beside its writers, outside a transaction. SQLite cannot: there it is made as ever.
"""

from typing import Any

from django.db import NotSupportedError
from django.db.migrations.operations import AddIndex
from django.db.migrations.operations.base import Operation


class AddIndexWhileRunning(AddIndex):
    """`AddIndex` that stops nobody. Its migration says `atomic = False`."""

    atomic = False

    def describe(self) -> str:
        return f"{super().describe()}, while the site runs"

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if not _builds_beside_writers(self, schema_editor):
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            # A try that broke off leaves a broken index of this name behind.
            schema_editor.remove_index(model, self.index, concurrently=True)
            schema_editor.add_index(model, self.index, concurrently=True)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if not _builds_beside_writers(self, schema_editor):
            super().database_backwards(app_label, schema_editor, from_state, to_state)
            return
        model = from_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            schema_editor.remove_index(model, self.index, concurrently=True)


def _builds_beside_writers(operation: Operation, schema_editor: Any) -> bool:
    """Whether the database can. Raises NotSupportedError where it could but for the transaction around it."""
    connection = schema_editor.connection
    if connection.vendor != "postgresql":
        return False
    if connection.in_atomic_block:
        raise NotSupportedError(f"{operation.describe()}: write “atomic = False” into the migration.")
    return True
