"""A cache that several web processes share, in the club's own database: no further service is needed.

Django's database cache, with two changes. `incr` is atomic and keeps the value's time to live, as in memory and in
Redis: else two processes would count one try between them, and a limit of an hour would be lifted after five minutes.
And reading never writes: Django deletes expired rows on the way, for which a reader would wait for the writers.
"""

import base64
import pickle
from collections.abc import Iterable
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import connections, router, transaction
from django.utils import timezone


class SharedCache(DatabaseCache):
    """A table of the club's database; `manage.py upgrade` makes it."""

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        """What is there of these. What has run out goes with the next value of that key, or when the table is full."""
        names = {self.make_and_validate_key(key, version=version): key for key in keys}
        if not names:
            return {}
        connection = connections[router.db_for_read(self.cache_model_class)]
        table = connection.ops.quote_name(self.cache_model_class._meta.db_table)
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        places = ", ".join(["%s"] * len(names))
        question = f"SELECT cache_key, value FROM {table} WHERE expires > %s AND cache_key IN ({places})"
        with connection.cursor() as cursor:
            cursor.execute(question, [now, *names])
            return {names[name]: pickle.loads(base64.b64decode(packed)) for name, packed in cursor.fetchall()}

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add to a number and return the sum; how long it is kept stays. Raises ValueError where there is none."""
        name = self.make_and_validate_key(key, version=version)
        alias = router.db_for_write(self.cache_model_class)
        connection = connections[alias]
        table = connection.ops.quote_name(self.cache_model_class._meta.db_table)
        # SQLite's transactions begin with the writers' lock.
        locked = connection.ops.for_update_sql() if connection.features.has_select_for_update else ""
        with transaction.atomic(using=alias), connection.cursor() as cursor:
            now = connection.ops.adapt_datetimefield_value(timezone.now())
            question = f"SELECT value FROM {table} WHERE cache_key = %s AND expires > %s {locked}"
            cursor.execute(question, [name, now])
            row = cursor.fetchone()
            if row is None:
                raise ValueError(f"Key {key!r} is not there.")
            number = int(pickle.loads(base64.b64decode(row[0]))) + delta
            packed = base64.b64encode(pickle.dumps(number, self.pickle_protocol)).decode("ascii")
            cursor.execute(f"UPDATE {table} SET value = %s WHERE cache_key = %s", [packed, name])
        return number
