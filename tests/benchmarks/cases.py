"""What the tests of the benchmarks share."""

from types import SimpleNamespace

import pytest

from benchmarks import measure


def without_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """A measurement clears the memory before each run and takes in again what was kept out of the collector's sight:
    with thousands of tests loaded the one takes seconds, and the other slows all tests that follow."""

    def nothing() -> None:
        pass

    monkeypatch.setattr(measure, "gc", SimpleNamespace(collect=nothing, freeze=nothing, unfreeze=nothing))
