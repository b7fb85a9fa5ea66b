"""The figures the lab's pages show: documents made by the lab's commands, kept beside its code.

Each says with which command line it was made, so anybody can make it again; tests make a first part again.
"""

import json
from functools import cache
from typing import Any

from django.conf import settings

RESULTS = settings.BASE_DIR / "ratings" / "lab" / "results"


@cache
def result_document(name: str) -> dict[str, Any]:
    """The document of that name ("imitator", "scenarios" …). Raises FileNotFoundError where there is none."""
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def has_document(name: str) -> bool:
    """Whether there is such a document."""
    return (RESULTS / f"{name}.json").is_file()
