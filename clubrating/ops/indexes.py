"""An index made while the site runs, for migrations (docs/decisions/0022).

An ordinary `AddIndex` keeps every writer of the table waiting until the index is there. PostgreSQL can build one
concurrently, outside a transaction; SQLite cannot.
"""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.migrations.operations import AddIndex


class AddIndexWhileRunning(AddIndexConcurrently):
    """`AddIndex` that blocks nobody. Its migration says `atomic = False`."""

    def describe(self) -> str:
        return f"{AddIndex.describe(self)}, while the site runs"

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            AddIndex.database_forwards(self, app_label, schema_editor, from_state, to_state)
            return
        # A failed try leaves an invalid index of this name behind.
        super().database_backwards(app_label, schema_editor, to_state, from_state)
        super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            AddIndex.database_backwards(self, app_label, schema_editor, from_state, to_state)
            return
        super().database_backwards(app_label, schema_editor, from_state, to_state)
