"""An exception without its message, which may name somebody, as a database's often does (“Key (name)=(…) already
exists”): its type and traceback only.

`manage.py` uses it before there are settings: nothing here asks for one while it is loaded.
"""

import sys
import traceback
from collections.abc import Iterator
from types import TracebackType

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError

# Their words tell of settings and of what is installed only, and how to put it right.
_OF_THE_INSTALLATION = (ImproperlyConfigured, ImportError)
WHERE_TO_READ = "Its words are left out here, for they may name somebody: the same command at a terminal shows them."

# SQLite's words where the file or its folder is not there, or not this user's.
_NOT_OPENED = "unable to open database file"


def report_command_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What a command that broke leaves behind (`sys.excepthook`): at a terminal everything; in a journal, a file or a
    mail nothing of what it says."""
    if isinstance(error, OperationalError) and str(error) == _NOT_OPENED:
        sys.stderr.write(
            f"The database {settings.DATABASES['default']['NAME']} cannot be opened. Make its folder, writable for "
            "this user (docs/deploy.md), or name another folder with CLUB_DATA, another database with DATABASE_URL.\n"
        )
    elif sys.stderr.isatty():
        sys.__excepthook__(kind, error, trace)
    elif isinstance(error, _OF_THE_INSTALLATION):
        sys.stderr.write(f"{without_words(error)}: {error}\n")
    else:
        sys.stderr.write(f"{without_words(error)}\n{WHERE_TO_READ}\n")


def without_words(error: BaseException) -> str:
    """Where an exception came through, and its kind; what led to it first."""
    return "\n".join(
        f"{''.join(traceback.format_tb(each.__traceback__))}{type(each).__module__}.{type(each).__qualname__}"
        for each in reversed(list(_with_causes(error)))
    )


def _with_causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
