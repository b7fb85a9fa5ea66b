"""The end of a round over HTTP: two hundred players report at once, each phone sends its tap twice, in any order, an
arbiter enters results meanwhile, and in the middle the server is killed; whoever had no answer sends again. No report
is lost, nothing is noted or entered twice, what an arbiter wrote stands, and the ledger equals its replay."""

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.live import Browser, Site
from tests.ports import free_port
from tests.test_busy_evening import STANDS, serve
from tests.test_power_cut import GONE

PLAYERS, TAPS, DISPUTED, OF_THE_ARBITER, AT_ONCE = 200, 2, 3, 2, 50
# Everybody's cookie with the own board, in a file beside the database.
PREPARE = f"""
import json
from pathlib import Path
from django.conf import settings
from django.http import HttpResponse
from clubrating.web.links import COOKIE, remember_link
from players.links.services.personal_links import make_personal_link, open_personal_link
from tests import factory
from tests.players.links.link_cases import switch_links_on
from tests.tournaments.event_pages import page_cases
from tournaments.models import Game, Tournament
from tournaments.rounds.services.next_round import pair_next_round
factory.make_club(); factory.make_list(); switch_links_on()
event = page_cases.make_event(factory.make_players({PLAYERS}), "dutch", name="Open", rounds=3)
Tournament.objects.update(player_results="agreed")
pair_next_round(page_cases.first_stage(event), by=None, day=factory.today(), publish=True)
phones = []
for game in Game.objects.select_related("white", "black", "pairing").order_by("pairing__board"):
    for side in (game.white, game.black):
        response = HttpResponse()
        remember_link(response, open_personal_link(make_personal_link(side.pk, by=None)[1])[1])
        cookie = f"{{COOKIE}}={{response.cookies[COOKIE].value}}"
        board = [game.pk, game.pairing.board, game.pairing.round_id, game.revision]
        phones.append([cookie, side.number, side == game.white, *board])
(Path(settings.DATA_DIR) / "phones.json").write_text(json.dumps(phones))
"""


def report(port: int, phone: list, code: str) -> int:  # type: ignore[type-arg]
    """A tap, sent until it is answered: with what."""
    cookie, number, _is_white, game, _board, _round, revision = phone
    values = {"player": number, "revision": revision, "claimed": code}
    while True:
        with suppress(*GONE):
            return Browser(port, also=cookie).post(f"/tournaments/open/games/{game}/", values).status
        time.sleep(0.2)


def end_a_round(site: Site) -> None:
    (session,), port = site.prepare(PREPARE, 1), free_port()
    phones = json.loads((site.data / "phones.json").read_text())
    boards = {phone[4]: phone for phone in phones}
    arbiters = {boards[board][3] for board in sorted(boards)[-OF_THE_ARBITER:]}
    disputed = {boards[board][3] for board in sorted(boards)[:DISPUTED]}
    reporting = [phone for phone in phones if phone[3] not in arbiters]
    server = serve(site, port)
    try:
        with ThreadPoolExecutor(AT_ONCE) as hall:
            shuffled = Random(200).sample(reporting * TAPS, len(reporting) * TAPS)
            codes = ["0-1" if phone[3] in disputed and not phone[2] else "1-0" for phone in shuffled]
            taps = [hall.submit(report, port, phone, code) for phone, code in zip(shuffled, codes, strict=True)]
            desk = Browser(port, session)
            for game in arbiters:
                row = next(phone for phone in phones if phone[3] == game)
                values = {f"board-{row[4]}": "1/2", f"was-{game}": "", f"revision-{game}": row[6]}
                assert desk.post(f"/admin/tournaments/tournament/round/{row[5]}/results/", values).status == 302
            list(islice(as_completed(taps), len(taps) // TAPS))
            os.killpg(server.pid, signal.SIGKILL)
            server.wait(timeout=120)
            server = serve(site, port)
            answers = {tap.result(timeout=300) for tap in taps}
            late = {report(port, phone, "1-0") for phone in phones if phone[3] in arbiters}
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=120)
    assert (answers, late) == ({302}, {409})
    told, stands = json.loads(site.run("-c", STANDS))
    games = {phone[3] for phone in phones}
    expected = {str(game): "1/2" if game in arbiters else "1-0" for game in games - disputed}
    assert stands == expected
    said = (told["result.recorded"], told["result.claimed"])
    assert said == (len(expected), len(reporting)), "nothing is entered or noted twice"


@pytest.mark.slow
@pytest.mark.usefixtures("django_db_setup")
def test_two_hundred_phones_on_sqlite(tmp_path: Path) -> None:
    end_a_round(Site(tmp_path))


@pytest.mark.slow
def test_two_hundred_phones_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    end_a_round(Site(tmp_path, migrated_postgres))
