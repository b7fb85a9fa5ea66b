"""Where in the app a change comes from: the name of a page, a command, a background job. The audit trail keeps it.

Whoever carries out something on somebody's behalf says so around it (`acting_from`); the trail asks `origin`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LONGEST = 80
_origin: ContextVar[str] = ContextVar("origin", default="")


def origin() -> str:
    """Where the present change comes from; empty where nobody said."""
    return _origin.get()


@contextmanager
def acting_from(place: str) -> Iterator[None]:
    """Within, changes come from that place."""
    token = _origin.set(place[:LONGEST])
    try:
        yield
    finally:
        _origin.reset(token)
