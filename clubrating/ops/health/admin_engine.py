"""The database's engine, as it tells of itself."""

from django.db import connection


def engine_version() -> str:
    """Its version, as 3.40.1."""
    return ".".join(map(str, connection.get_database_version()))
