"""Several arbiters at once on one SQLite file, and on PostgreSQL, while a list is rebuilt: nothing is lost, nobody is
turned away, and nobody waits for another crosswise. A match of several games and a pool without a list are among it."""

from pathlib import Path

import pytest

from tests.live import Site

HANDS, RESULTS_EACH = 4, 40
PREPARE = """
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


def spend_a_while(site: Site) -> None:
    site.prepare(PREPARE, arbiters=0)
    site.run("-m", "tests.many_hands", str(HANDS), str(RESULTS_EACH))


@pytest.mark.slow
@pytest.mark.usefixtures("django_db_setup")
def test_four_arbiters_and_a_rebuild_leave_a_ledger_that_equals_its_replay(tmp_path: Path) -> None:
    spend_a_while(Site(tmp_path))


@pytest.mark.slow
def test_four_arbiters_and_a_rebuild_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    spend_a_while(Site(tmp_path, migrated_postgres))
