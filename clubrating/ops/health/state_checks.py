"""When each rating list was last compared with a fresh replay on this machine, and whether it was equal: what
`manage.py rebuild_ratings --check` found, in the small file CLUB_DATA/checks.json. No name is in it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Check:
    """A list compared with a fresh replay: when, and how many differences there were."""

    at: datetime
    differences: int


def note_checks(found: Mapping[str, Check]) -> None:
    """Write down what was found, by the list's slug; what is known of other lists stays. A disk that refuses is no
    reason for the check to fail: it says what it found all the same."""
    told = {
        slug: {"at": row.at.isoformat(), "differences": row.differences} for slug, row in {**checks(), **found}.items()
    }
    aside = _file().with_suffix(".new")
    try:
        aside.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        aside.replace(_file())
    except OSError:
        return


def checks() -> dict[str, Check]:
    """The last check of every list that had one, by its slug."""
    try:
        told = json.loads(_file().read_text(encoding="utf-8"))
        return {slug: Check(datetime.fromisoformat(row["at"]), int(row["differences"])) for slug, row in told.items()}
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        return {}


def _file() -> Path:
    return Path(settings.DATA_DIR) / "checks.json"
