"""Room for calls that go deep (pure).

Python keeps the frames of a thread's calls in pieces of 16 kB. A call that goes beyond the last one asks the system for
the next, and its return gives that back. A page is made a hundred calls deep, with a template within a template: it
passes such an end hundreds of times, which takes a twelfth of its time. Below a call that is said to need half a
megabyte there is one piece for all. (CPython 3.11 and later, `_PyThreadState_PushFrame`; elsewhere nothing changes.)
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_WORDS = 70_000  # of eight bytes: with them the piece is 1 MB, and nearly half of it is left for what is called


def with_room(function: Callable[P, T]) -> Callable[P, T]:
    """The same function; what it calls, however deep, asks the system for no frames."""

    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)

    called.__code__ = called.__code__.replace(co_stacksize=_WORDS)
    return called
