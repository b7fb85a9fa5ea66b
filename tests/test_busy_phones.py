"""The end of a round over HTTP: forty players report at once, each phone sends its tap twice, and an arbiter enters
results meanwhile. No report is lost, no result is entered twice, what an arbiter wrote stands, and the ledger equals
its replay."""

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.live import Browser, Site
from tests.ports import free_port
from tests.test_busy_evening import STANDS, serve

PLAYERS, DISPUTED, OF_THE_ARBITER = 40, 3, 2
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


def report(browser: Browser, phone: list, code: str) -> list[int]:  # type: ignore[type-arg]
    """A tap that is sent twice: what was answered."""
    _cookie, number, _is_white, game, _board, _round, revision = phone
    values = {"player": number, "revision": revision, "claimed": code}
    return [browser.post(f"/tournaments/open/games/{game}/", values).status for _tap in range(2)]


def end_a_round(site: Site) -> None:
    (session,), port = site.prepare(PREPARE, 1), free_port()
    phones = json.loads((site.data / "phones.json").read_text())
    boards = {phone[4]: phone for phone in phones}
    arbiters = {boards[board][3] for board in sorted(boards)[-OF_THE_ARBITER:]}
    disputed = {boards[board][3] for board in sorted(boards)[:DISPUTED]}
    server = serve(site, port)
    try:
        with ThreadPoolExecutor(PLAYERS + 1) as hall:
            codes = ["0-1" if phone[3] in disputed and not phone[2] else "1-0" for phone in phones]
            taps = [
                hall.submit(report, Browser(port, also=phone[0]), phone, code)
                for phone, code in zip(phones, codes, strict=True)
                if phone[3] not in arbiters
            ]
            desk = Browser(port, session)
            for game in arbiters:
                row = next(phone for phone in phones if phone[3] == game)
                values = {f"board-{row[4]}": "1/2", f"was-{game}": "", f"revision-{game}": row[6]}
                assert desk.post(f"/admin/tournaments/tournament/round/{row[5]}/results/", values).status == 302
            answers = [tap.result(timeout=300) for tap in taps]
            late = [report(Browser(port, also=phone[0]), phone, "1-0") for phone in phones if phone[3] in arbiters]
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=120)
    assert {status for each in answers for status in each} == {302}
    assert {status for each in late for status in each} == {409}
    found, stands = json.loads(site.run("-c", STANDS))
    games = {phone[3] for phone in phones}
    expected = {str(game): "1/2" if game in arbiters else "1-0" for game in games - disputed}
    assert stands == expected
    assert found == len(expected), "nothing is entered twice"


@pytest.mark.slow
@pytest.mark.usefixtures("django_db_setup")
def test_forty_phones_on_sqlite(tmp_path: Path) -> None:
    end_a_round(Site(tmp_path))


@pytest.mark.slow
def test_forty_phones_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    end_a_round(Site(tmp_path, migrated_postgres))
