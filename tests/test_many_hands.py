"""Several arbiters at once on one SQLite file, and on PostgreSQL, while a list is rebuilt: nothing is lost, nobody is
turned away, and nobody waits for another crosswise. A match of several games and a pool without a list are among it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HANDS, RESULTS_EACH = 4, 40
PREPARE = """
import django; django.setup()
from tests import factory
from tournaments.models import Game, Tournament
factory.make_club(); factory.make_list()
players = factory.make_players(8)
factory.make_round_robin(players, cycles=2)
factory.make_round_robin(players, name="No list")
Tournament.objects.filter(name="No list").update(pool="rapid")
Game.objects.filter(tournament__name="No list").update(pool="rapid")
factory.make_knockout(players, games=2)
"""


def run(data: Path, *arguments: str, database: str = "") -> subprocess.Popen[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CLUB_", "DATABASE_"))}
    own |= {"CLUB_DATA": str(data), "DJANGO_SETTINGS_MODULE": "clubrating.settings"}
    own |= {"DATABASE_URL": database} if database else {}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=own, stdout=pipe, stderr=pipe, text=True)


def told(*processes: subprocess.Popen[str]) -> list[tuple[int, str]]:
    """Status and last words of each, once all have ended."""
    ended = [(process, process.communicate(timeout=120)) for process in processes]
    return [(process.returncode, err[-500:] if process.returncode else "") for process, (_, err) in ended]


def spend_a_while(data: Path, database: str = "") -> None:
    def start(*arguments: str) -> subprocess.Popen[str]:
        return run(data, *arguments, database=database)

    assert told(start("manage.py", "migrate", "-v0")) == [(0, "")]
    assert told(start("-c", PREPARE)) == [(0, "")]
    hands = [start("-m", "tests.many_hands", str(seed), str(RESULTS_EACH)) for seed in range(HANDS)]
    rebuild = start("manage.py", "rebuild_ratings")
    assert told(*hands, rebuild) == [(0, "")] * (HANDS + 1)
    assert told(start("manage.py", "rebuild_ratings", "--check")) == [(0, "")]


def test_four_arbiters_and_a_rebuild_leave_a_ledger_that_equals_its_replay(tmp_path: Path) -> None:
    spend_a_while(tmp_path)


def test_four_arbiters_and_a_rebuild_on_postgresql(tmp_path: Path, postgres: str) -> None:
    spend_a_while(tmp_path, postgres)
