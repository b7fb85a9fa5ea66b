"""Room for the frames of a whole test: a pytest plugin.

Python keeps frames in pieces of memory of 16 kB. A call at the edge of one maps a piece and gives it back on return:
below pytest and Django that is hundreds of times a page, an eighth of the whole time. A frame that asks for more gets a
larger piece, and what it does not use is there for the calls below it.
"""

from collections.abc import Callable
from typing import Any

import pytest
from _pytest import runner

# Words: a piece of 512 kB (`push_chunk` in CPython's pystate.c), of which half is left for the calls below.
ASKED = 32_000


def with_room(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


with_room.__code__ = with_room.__code__.replace(co_stacksize=ASKED)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """As pytest's own, which is not asked after this one."""
    return with_room(runner.pytest_runtest_protocol, item, nextitem)  # type: ignore[no-any-return]
