"""How lists of rows in the administration name a pool: as its rating lists are named in the page's language."""

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from ratings.lists.selectors.lists import pool_names


def pool_column() -> Callable[[Any], str]:
    """The column of the pool, for `get_list_display`: one query a page."""
    names = pool_names()

    @admin.display(description=_("pool"), ordering="pool")
    def pool(row: Any) -> str:
        return names.get(row.pool, row.pool)

    return pool


class PoolFilter(admin.AllValuesFieldListFilter):
    """The pools that rows are of, by name."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        names: dict[str, Any] = {**pool_names()}
        for choice in super().choices(changelist):
            yield {**choice, "display": names.get(str(choice["display"]), choice["display"])}
