"""Several want the last place at the same moment: one has it, the others stand on the waiting list, each with a turn of
his own; and when that one leaves while others come, nobody is passed over."""

import json
from pathlib import Path

import pytest

from tests.live import Site

PREPARE = """
from tests import factory
from tests.tournaments.event_pages import page_cases
from tournaments.registrations.services.rules import NewRules, set_entry_rules
factory.make_club(); factory.make_list(); factory.make_players(8)
set_entry_rules(page_cases.make_event([], "dutch", rounds=3), NewRules(places=1, approval=False), by=None)
"""
# Four at once; then the one who is in leaves while four more come.
CROWD = """
import django, json; django.setup()
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from django.conf import settings
from django.db import connection
from django.utils import timezone
from players.models import Player
from tournaments.models import Entry, EntryRequest, Tournament
from tournaments.registrations.services.requests import confirm_entry, withdraw_request
cup = Tournament.objects.get()
settings.MAIL = "mail.test"  # where nobody left an address
def at_once(barrier, do, *args):
    barrier.wait()
    try:
        return do(*args)
    finally:
        connection.close()
def asks(number):
    row = EntryRequest.objects.create(tournament=cup, player=Player.objects.get(number=number), asked_at=timezone.now())
    confirm_entry(row.pk, role="visitor")
def leaves(key):
    withdraw_request(key, role="visitor")
def crowd(*works):
    barrier = Barrier(len(works))
    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(at_once, barrier, *work) for work in works]:
            done.result()
def stands():
    rows = EntryRequest.objects.order_by("turn").values_list("turn", "state")
    return [list(rows), Entry.objects.count()]
crowd(*((asks, number) for number in (1, 2, 3, 4)))
found = [stands()]
crowd((leaves, EntryRequest.objects.get(turn=1).pk), *((asks, number) for number in (5, 6, 7, 8)))
print(json.dumps([*found, stands()]))
"""


def rush(site: Site) -> None:
    site.prepare(PREPARE, arbiters=0)
    before, after = json.loads(site.run("-c", CROWD))
    assert before == [[[1, "entered"], [2, "listed"], [3, "listed"], [4, "listed"]], 1]
    states = [state for _turn, state in after[0]]
    assert [turn for turn, _state in after[0]] == list(range(1, 9))
    assert states == ["withdrawn", "entered", *["listed"] * 6]
    assert after[1] == 1


@pytest.mark.slow
@pytest.mark.usefixtures("django_db_setup")
def test_one_has_the_last_place_and_the_list_keeps_its_order(tmp_path: Path) -> None:
    rush(Site(tmp_path))


@pytest.mark.slow
def test_one_has_the_last_place_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    rush(Site(tmp_path, migrated_postgres))
