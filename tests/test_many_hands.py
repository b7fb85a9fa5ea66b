"""Several arbiters at once on one SQLite file, while a list is rebuilt: nothing is lost, nobody is turned away."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HANDS, RESULTS_EACH = 4, 40
PREPARE = """
import django; django.setup()
from tests import factory
factory.make_club(); factory.make_list()
factory.make_round_robin(factory.make_players(8), cycles=2)
"""


def run(data: Path, *arguments: str) -> subprocess.Popen[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CLUB_", "DATABASE_"))}
    own |= {"CLUB_DATA": str(data), "DJANGO_SETTINGS_MODULE": "clubrating.settings"}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=own, stdout=pipe, stderr=pipe, text=True)


def told(*processes: subprocess.Popen[str]) -> list[tuple[int, str]]:
    """Status and last words of each, once all have ended."""
    ended = [(process, process.communicate(timeout=120)) for process in processes]
    return [(process.returncode, err[-500:] if process.returncode else "") for process, (_, err) in ended]


def test_four_arbiters_and_a_rebuild_leave_a_ledger_that_equals_its_replay(tmp_path: Path) -> None:
    assert told(run(tmp_path, "manage.py", "migrate", "-v0")) == [(0, "")]
    assert told(run(tmp_path, "-c", PREPARE)) == [(0, "")]
    hands = [run(tmp_path, "-m", "tests.many_hands", str(seed), str(RESULTS_EACH)) for seed in range(HANDS)]
    rebuild = run(tmp_path, "manage.py", "rebuild_ratings")
    assert told(*hands, rebuild) == [(0, "")] * (HANDS + 1)
    assert told(run(tmp_path, "manage.py", "rebuild_ratings", "--check")) == [(0, "")]
