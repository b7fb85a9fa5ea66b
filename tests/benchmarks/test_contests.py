"""The measurement of contests: each system of a library is met by ours, on the same contests."""

from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks import contests
from benchmarks.contests import SHAPES, make_contests, measure_contests
from ratings.systems.weng_lin import Model
from tests.benchmarks.cases import without_collector

ROWS = len(SHAPES) * (1 + len(Model))


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    without_collector(monkeypatch)
    monkeypatch.setattr(contests, "CONTESTS", 5)


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(contests, "import_module", absent)
    notes = [measured.note for measured in measure_contests()]
    assert len(notes) == ROWS
    assert set(notes) == {"trueskill is not installed", "openskill.models is not installed"}


def test_every_system_is_measured_on_the_same_contests(monkeypatch: pytest.MonkeyPatch) -> None:
    rated = []

    class Library:
        def rating(self, mu: float, sigma: float) -> tuple[float, float]:
            return mu, sigma

        def rate(self, sides: Any, ranks: list[int]) -> None:
            rated.append((sides, ranks))

    names = ("TrueSkill", *contests.LIBRARY_MODELS.values())
    library = SimpleNamespace(Rating=lambda mu, sigma: (mu, sigma), **dict.fromkeys(names, Library))
    monkeypatch.setattr(contests, "import_module", lambda _name: library)
    assert all(measured.ratio for measured in measure_contests())
    for sizes in SHAPES.values():
        played = (make_contests(5, sizes)[0], list(range(1, len(sizes) + 1)))
        assert rated.count(played) == 3 * (1 + len(Model))
