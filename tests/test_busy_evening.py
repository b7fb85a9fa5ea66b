"""A busy evening over HTTP: eight arbiters enter their results at once while twenty members browse. Every other
arbiter presses the keys of the page (`board/`), the rest send the plain form. No result is lost, nobody sees an error
page, and the ledger equals its replay.

CLUB_TEST_POSTGRES names a PostgreSQL server on which databases may be made ("postgres://user@host:port/postgres").
"""

import http.client
import json
import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event

import pytest

from tests import factory
from tests.live import Browser, Site, wait_for
from tests.ports import free_port

ARBITERS, READERS, RESULTS = 8, 20, 56
PAGES = (
    *("/", "/ratings/standard/", "/players/", "/tournaments/", "/tournaments/winter-cup/", "/about/ratings/"),
    *("/tournaments/winter-cup/standings/", "/tournaments/winter-cup/crosstable/", "/tournaments/winter-cup/rounds/1/"),
)
# Which game is played on which board of which round, in a file beside the database.
PREPARE = """
import json
from pathlib import Path
from django.conf import settings
from tests import factory
from tournaments.models import Game
factory.make_club(); factory.make_list()
factory.make_round_robin(factory.make_players(30))
rows = Game.objects.order_by("pairing__round__number", "pairing__board")
boards = list(rows.values_list("pk", "pairing__board", "pairing__round"))
(Path(settings.DATA_DIR) / "boards.json").write_text(json.dumps(boards))
"""
# What stands, and how often the trail tells of what; and whether the ledger equals its replay.
STANDS = """
import django, json, sys; django.setup()
from collections import Counter
from django.core.management import call_command
from players.models import AuditEvent
from tournaments.models import Game
told = Counter(AuditEvent.objects.values_list("action", flat=True))
print(json.dumps([told, dict(Game.objects.exclude(result="").values_list("pk", "result"))]))
call_command("rebuild_ratings", check=True, stdout=sys.stderr)
"""


def serve(site: Site, port: int) -> subprocess.Popen[str]:
    """The site as `bin/serve` starts it: two processes of four threads."""
    server = site.start(
        *(
            "-m",
            "gunicorn",
            "clubrating.wsgi",
            "-k",
            "clubrating.ops.web_worker.WebWorker",
            "-w",
            "2",
            "--threads",
            "4",
            "--keep-alive",
            "75",
        ),
        *("--log-level", "error", "-b", f"127.0.0.1:{port}"),
        start_new_session=True,
    )
    wait_for(port)
    return server


def enter(browser: Browser, boards: list[list[int]], seed: int) -> dict[int, str]:
    """One arbiter's share, one board at a time, as plain forms; what was acknowledged."""
    rng, acknowledged = Random(seed), {}
    for game, board, row in boards:
        code = rng.choice(("1-0", "1/2", "0-1"))
        values = {f"board-{board}": code, f"was-{game}": "", f"revision-{game}": 0, "played_on": "2026-01-05"}
        answer = browser.post(f"/admin/tournaments/tournament/round/{row}/results/", values)
        assert answer.status == 302, f"board {board}: {answer.status} {answer.text[:300]}"
        assert "login" not in answer.location
        acknowledged[game] = code
    return acknowledged


def press(browser: Browser, boards: list[list[int]], seed: int) -> dict[int, str]:
    """One arbiter's share as the script of the page sends it, played today. Every fifth key is a slip, put right at
    once unless something rests on it by then. What was acknowledged last."""
    rng, acknowledged, today = Random(seed), {}, factory.today().isoformat()
    for place, (game, board, row) in enumerate(boards):
        path = f"/admin/tournaments/tournament/round/{row}/board/"
        for revision, code in enumerate(rng.sample(("1-0", "1/2", "0-1"), 1 if place % 5 else 2)):
            values = {"game": game, "result": code, "revision": revision, "played_on": today}
            answer = browser.send(path, values)
            assert answer.status == 200 or (answer.status, revision) == (409, 1), f"{answer.status} {answer.text[:300]}"
            acknowledged[game] = code if answer.status == 200 else acknowledged[game]
            assert f'data-result="{acknowledged[game]}"' in json.loads(answer.text)["boards"][str(board)]
        known = browser.get(path)
        assert known.status == 200
        assert json.loads(known.text)["states"][str(board)].startswith(f"{game}.")
    return acknowledged


def browse(browser: Browser, seed: int, over: Event) -> list[str]:
    """A member, page after page until the evening is over, two at least: which did not come."""
    rng, read, faults = Random(seed), 0, []
    while read < 2 or not over.is_set():
        path = rng.choice(PAGES)
        try:
            status = browser.get(path).status
        except (OSError, http.client.HTTPException) as error:
            browser.close()
            status = type(error).__name__  # type: ignore[assignment]
        read += 1
        over.wait(rng.uniform(0.5, 2))  # somebody reads it
        if status != 200:
            faults.append(f"{path}: {status}")
    return faults


def spend_an_evening(site: Site) -> None:
    sessions, port = site.prepare(PREPARE, ARBITERS), free_port()
    boards = json.loads((site.data / "boards.json").read_text())[:RESULTS]
    assert len(boards) == RESULTS
    server, over = serve(site, port), Event()
    try:
        with ThreadPoolExecutor(ARBITERS + READERS) as crowd:
            members = [crowd.submit(browse, Browser(port), seed, over) for seed in range(READERS)]
            # Dealt out like cards, so that all of them are in the same round at the same time.
            shares = [boards[hand::ARBITERS] for hand in range(ARBITERS)]
            ways = [enter, press]
            hands = [
                crowd.submit(ways[n % 2], Browser(port, cookie), shares[n], n) for n, cookie in enumerate(sessions)
            ]
            try:
                entered = [hand.result(timeout=900) for hand in hands]
            finally:
                over.set()
            seen = [member.result(timeout=600) for member in members]
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=120)
    assert not [fault for faults in seen for fault in faults][:5]
    acknowledged = {str(game): code for share in entered for game, code in share.items()}
    found, stands = json.loads(site.run("-c", STANDS))
    assert stands == acknowledged
    assert (found["result.recorded"], len(stands)) == (RESULTS, RESULTS)


@pytest.mark.slow
@pytest.mark.usefixtures("django_db_setup")
def test_a_busy_evening_on_sqlite(tmp_path: Path) -> None:
    spend_an_evening(Site(tmp_path))


@pytest.mark.slow
def test_a_busy_evening_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    spend_an_evening(Site(tmp_path, migrated_postgres))
