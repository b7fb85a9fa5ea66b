"""Plain or compiled: the same functions, run by Python or turned into machine code by Numba.

A function that rates the club is compiled together with the functions it calls; without fast-math the results are equal
to the last bit, and tests say so. Numba is an extra (requirements-lab.txt); where it is missing, the lab runs plainly
and says so. Only the lab's commands and the worker use this module, never a web request: compiling takes seconds.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy

F = TypeVar("F", bound=Callable[..., Any])


class NumbaMissingError(RuntimeError):
    """Numba is not installed (requirements-lab.txt)."""


@dataclass(frozen=True)
class Engine:
    """`jit` turns a function into a compiled one; None runs plainly. Each function is compiled once an engine."""

    name: str
    jit: Callable[[Any], Any] | None = None
    _compiled: dict[Callable[..., Any], Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_compiled(self) -> bool:
        return self.jit is not None

    def column(self, values: Iterable[float], kind: type) -> Any:
        """The values as a column of `kind` (int or float): a list in plain runs, a NumPy array in compiled ones."""
        return numpy.fromiter(values, kind) if self.is_compiled else [kind(value) for value in values]

    def compile(self, function: F) -> F:
        """The function itself, or its compiled twin with every plain function it calls by name compiled too."""
        if self.jit is None or not isinstance(function, FunctionType):
            return function
        if function not in self._compiled:
            self._compiled[function] = self.jit(self._with_compiled_callees(function))
        return cast(F, self._compiled[function])

    def _with_compiled_callees(self, function: FunctionType) -> FunctionType:
        known = function.__globals__
        called = [name for name in function.__code__.co_names if isinstance(known.get(name), FunctionType)]
        if not called:
            return function
        twin = FunctionType(
            function.__code__,
            known | {name: self.compile(known[name]) for name in called},
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        twin.__kwdefaults__ = function.__kwdefaults__
        twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
        return twin


PLAIN = Engine("plain")


def compiled_engine() -> Engine:
    """A new engine that compiles. Raises NumbaMissingError."""
    try:
        numba = import_module("numba")
    except ImportError:
        raise NumbaMissingError("Numba is not installed: pip install -r requirements-lab.txt.") from None
    return Engine("compiled", numba.njit)


@cache
def best_engine() -> Engine:
    """A compiling engine where Numba is installed, the plain one elsewhere. One a process: a worker that runs study
    after study compiles once."""
    return compiled_engine() if find_spec("numba") else PLAIN
