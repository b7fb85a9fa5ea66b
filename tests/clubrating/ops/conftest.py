"""Every test here has a data folder of its own, with nothing in it."""

from pathlib import Path

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def data_dir(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def folder(data_dir: Path) -> Path:
    """Where backups are kept."""
    return data_dir / "backups"
