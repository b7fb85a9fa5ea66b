"""`benchmark crowd`: a site is started and asked; the wait itself is asserted nowhere."""

import pytest

from benchmarks import crowd


@pytest.mark.slow
def test_a_visitor_is_answered_beside_every_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "TIMES", 2)
    found = list(crowd.measure_crowd())
    assert [row.against for row in found] == [crowd.ALONE] * 3
    assert all(row.ratio and (row.seconds or 0) < crowd.LONGEST for row in found)
