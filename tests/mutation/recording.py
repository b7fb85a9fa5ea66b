"""A pytest plugin, `-p tests.mutation.recording`: seconds of each phase of a test, as JSON lines in FAULT_TESTS."""

import json
import os
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.choosing import is_long


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    asked = getattr(item, "fixturenames", ())
    values = {
        "test": item.nodeid,
        "phase": call.when,
        "seconds": round(call.duration, 3),
        "demo": "demo" in asked,
        "slow": is_long(item),
        "outcome": report.outcome,
    }
    with Path(os.environ["FAULT_TESTS"]).open("a") as file:
        file.write(json.dumps(values) + "\n")
    return report
