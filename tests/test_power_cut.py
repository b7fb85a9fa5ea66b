"""The server is killed at random moments of entering, correcting, pairing and publishing, fifty times: what was
acknowledged is there, what was under way is there as a whole or not at all, and the ledger equals its replay.

SIGKILL leaves a program no moment to tidy up. What a real power cut may take besides, writes that the system still held
back, SQLite is told not to leave there (docs/decisions).
"""

import http.client
import os
import signal
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from threading import Timer
from time import monotonic

import pytest

from tests.live import Browser, Site, wait_for
from tests.ports import free_port

KILLS = 50
ACTIONS = (0, 5)  # so many are finished before the cut comes into the next
KINDS = {"entered", "corrected", "paired", "hidden or shown"}
PREPARE = """
from tests import factory
from tests.tournaments.event_pages import page_cases
from tournaments.rounds.services.next_round import pair_next_round
factory.make_club(); factory.make_list()
players = factory.make_players(12)
factory.make_round_robin(players, cycles=2)
season = page_cases.make_event(players, "keizer", name="Season")
"""
HIDDEN = 22  # the round that goes out of sight and comes back; nobody enters anything there
CODES = ("1-0", "1/2", "0-1")
GONE = (OSError, http.client.HTTPException)


class Evening:
    """An arbiter's evening against the database the server writes, and what was acknowledged so far."""

    def __init__(self, site: Site, port: int, session: str) -> None:
        self.file = site.data / "club.sqlite3"
        self.browser = Browser(port, session)
        self.rng = Random(20261121)
        self.acknowledged: dict[int, str] = {}  # game → result
        self.rounds: set[int] = set()
        self.done: Counter[str] = Counter()
        self.under_way: tuple[int, str] | None = None
        self.last_took = 0.1  # seconds of the last action

    def ask(self, sql: str, *values: object) -> list[tuple[int | str, ...]]:
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True, timeout=600)) as line:
            return line.execute(sql, values).fetchall()

    def work(self, server: int) -> None:
        """One thing after another; somewhere in the middle of one the server goes away."""
        for _ in range(self.rng.randint(*ACTIONS)):
            self.act()
        end = Timer(self.rng.uniform(0, 1.2 * self.last_took), self.cut_off, (server,))
        end.start()
        with suppress(*GONE):
            while True:
                self.act()
        end.join()

    def act(self) -> None:
        begun = monotonic()
        self.rng.choice((self.enter, self.enter, self.enter, self.correct, self.pair, self.hide_and_show))()
        self.last_took = monotonic() - begun

    def cut_off(self, server: int) -> None:
        self.browser.gone = True  # before: no half of an answer is taken for one
        os.kill(server, signal.SIGKILL)
        self.browser.cut()

    def enter(self) -> None:
        """One board, the last open round first, so that the season goes on."""
        rows = self.ask(
            "SELECT g.id, g.revision, p.board, r.id FROM tournaments_game g JOIN tournaments_pairing p"
            " ON p.id = g.pairing_id JOIN tournaments_round r ON r.id = p.round_id"
            " WHERE g.result = '' AND r.state = 'published' AND r.number != ? ORDER BY r.id DESC, p.board LIMIT 8",
            HIDDEN,
        )
        if rows:
            game, revision, board, row = self.rng.choice(rows)
            code = self.rng.choice(CODES)
            values = {
                f"board-{board}": code,
                f"was-{game}": "",
                f"revision-{game}": revision,
                "played_on": "2026-01-05",
            }
            self.send_result(int(game), code, f"/admin/tournaments/tournament/round/{row}/results/", values, "entered")

    def correct(self) -> None:
        rows = self.ask(
            "SELECT id, revision, result FROM tournaments_game WHERE result != '' ORDER BY id DESC LIMIT 40"
        )
        if rows:
            game, revision, was = self.rng.choice(rows)
            code = self.rng.choice([code for code in CODES if code != was])
            path = f"/admin/tournaments/game/correct/?c={game},{revision},{code},"
            form = next(form for form in self.browser.page(path).forms if "reason" in form.names)
            values = {**form.values, "reason": "entry-error", "do": "commit"}
            self.send_result(int(game), code, "/admin/tournaments/game/correct/", values, "corrected")

    def send_result(self, game: int, code: str, path: str, values: dict[str, object], what: str) -> None:
        self.under_way = (game, code)
        if self.browser.post(path, values).status == 302:
            self.acknowledged[game] = code
            self.done[what] += 1
        self.under_way = None

    def pair(self) -> None:
        """The season's next round, paired and published in one."""
        ((stage,),) = self.ask("SELECT id FROM tournaments_stage WHERE pairing_system = 'keizer'")
        path = f"/admin/tournaments/tournament/stage/{stage}/next/"
        form = next((form for form in self.browser.page(path).forms if "seen" in form.names), None)
        if form is not None and form.values["seen"] != [""]:
            values = {**form.values, "do": "publish"}
            if self.browser.post(path, values).status == 302:
                ((last,),) = self.ask("SELECT max(id) FROM tournaments_round")
                self.rounds.add(int(last))
                self.done["paired"] += 1

    def hide_and_show(self) -> None:
        """A round without results: out of sight, and back."""
        rows = self.ask(
            "SELECT r.id, r.state, r.revision FROM tournaments_round r JOIN tournaments_stage s ON s.id = r.stage_id"
            " WHERE s.pairing_system = 'round-robin' AND r.number = ?",
            HIDDEN,
        )
        for row, state, revision in rows:
            if state == "published":
                path = f"/admin/tournaments/tournament/round/{row}/unpublish/"
                form = next(form for form in self.browser.page(path).forms if "reason" in form.names)
                answer = self.browser.post(path, {**form.values, "reason": "other"})
            else:
                path = self.publishing_page()
                answer = self.browser.post(path, {"do": "publish", "round": row, f"revision-{row}": revision})
            self.done["hidden or shown"] += answer.status == 302

    def publishing_page(self) -> str:
        ((event,),) = self.ask("SELECT tournament_id FROM tournaments_stage WHERE pairing_system = 'round-robin'")
        return f"/admin/tournaments/tournament/{event}/rounds/"

    def settle(self) -> None:
        """After the end of a server: everything acknowledged stands; what was under way has happened or not."""
        stands = {int(key): str(result) for key, result in self.ask("SELECT id, result FROM tournaments_game")}
        if self.under_way is not None:
            game, code = self.under_way
            if stands[game] == code:
                self.acknowledged[game] = code
            self.under_way = None
        lost = {game: code for game, code in self.acknowledged.items() if stands[game] != code}
        assert not lost, f"acknowledged and not there: {lost}"
        assert self.rounds <= {int(key) for (key,) in self.ask("SELECT id FROM tournaments_round")}
        halves = self.ask(
            "SELECT r.id FROM tournaments_round r WHERE NOT EXISTS"
            " (SELECT 1 FROM tournaments_pairing p WHERE p.round_id = r.id)"
        )
        assert not halves, "a round without boards"
        self.browser.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], Evening]]:
    site, port = Site(tmp_path), free_port()
    (session,) = site.prepare(PREPARE, arbiters=1)
    process = site.start("-m", "tests.mortal_server", str(port), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    wait_for(port)
    yield process, Evening(site, port, session)
    process.kill()
    process.wait()


def told(process: subprocess.Popen[str], command: str) -> str:
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{command}\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


@pytest.mark.slow
def test_a_server_killed_fifty_times_loses_nothing_it_acknowledged(
    server: tuple[subprocess.Popen[str], Evening],
) -> None:
    process, evening = server
    for cut in range(KILLS):
        evening.work(int(told(process, "serve")))
        evening.settle()
        assert told(process, "check") == "ok", f"after {cut + 1} cuts: {evening.done}"
    assert len(evening.acknowledged) > KILLS, evening.done
    assert set(evening.done) == KINDS, evening.done
