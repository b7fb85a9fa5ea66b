"""`benchmark crowd`: a site is started and asked; the wait itself is asserted nowhere."""

import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from benchmarks import crowd
from tests.live import Site


@pytest.mark.slow
def test_a_visitor_is_answered_beside_every_crowd(
    demo_club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the demo club that is there already, beside as many readers as the site has threads."""
    shutil.copytree(demo_club, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(crowd, "TemporaryDirectory", lambda: nullcontext(tmp_path))
    monkeypatch.setattr(crowd, "READERS", 8)
    monkeypatch.setattr(crowd, "TIMES", 2)
    found = list(crowd.measure_crowd())
    assert [row.against for row in found] == [crowd.ALONE] * 3
    assert all(row.ratio and (row.seconds or 0) < crowd.LONGEST for row in found)


SMALL = """
import django; django.setup()
from benchmarks import phones
phones.PHONES, phones.MINUTES, phones.MINUTE = 12, 1, 2.0
print([row.ratio > 0 if row.seconds else row.met for row in phones.measure_phones()])
"""


@pytest.mark.slow
def test_an_arbiter_is_measured_beside_phones_that_report(tmp_path: Path) -> None:
    assert Site(tmp_path).run("-c", SMALL) == "[True, True, True]\n"
