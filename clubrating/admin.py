"""The admin's pages, as the rooms bring them: each module registers its own."""

from clubrating.accounts import admin as accounts  # noqa: F401
from clubrating.site.jobs import admin as jobs  # noqa: F401
from clubrating.site.lists.admin import lists  # noqa: F401
from clubrating.site.people.admin import players  # noqa: F401
