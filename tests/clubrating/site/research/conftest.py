import pytest

from clubrating.site.research import selectors, services, views
from tests.clubrating.site.research.backtest_cases import FEW


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four games are enough to judge by."""
    for module in (selectors, services, views):
        monkeypatch.setattr(module, "FEWEST_GAMES", FEW)
