"""The evening's place: the site with its processes, its people, and what the program wrote down about them."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.cluster import OnPostgres
from tests.live import ROOT, Site
from tests.ports import free_port
from tests.stress.crowd import Arbiter, Officer, Seat, Stand, reload
from tests.stress.figures import Sample, Window
from tests.stress.guest import Guest
from tests.stress.journal import Journal
from tests.stress.servers import Database, OnSqlite
from tests.stress.services import WORKER, Service, keep_up, shifted, web_command

PREPARE = """
from tests import factory
factory.make_club(); factory.make_list()
players = factory.make_players({players})
factory.make_round_robin(players, cycles=2)
factory.make_round_robin(players[:6], name="Small Cup")
"""
# Signed in beforehand, and again where the clock was moved: a session does not outlive half a day.
SIGN_IN = """
import json, sys
import django; django.setup()
from django.contrib.auth.models import User
from tests import factory
from tests.live import cookie_of
def known(name, make):
    return cookie_of(User.objects.filter(username=name).first() or make(name))
keys = [known(f"arbiter-{number}", factory.make_arbiter) for number in range(int(sys.argv[1]))]
print(json.dumps([*keys, known("rating-officer", factory.make_rating_officer)]))
"""
SEATS = (
    "SELECT g.id, p.board, r.id FROM tournaments_game g JOIN tournaments_pairing p ON p.id = g.pairing_id"
    " JOIN tournaments_round r ON r.id = p.round_id JOIN tournaments_tournament t ON t.id = g.tournament_id"
    " WHERE t.slug = 'winter-cup' ORDER BY r.id DESC, p.board DESC"
)


@dataclass(frozen=True)
class Size:
    """How many people, how long each thinks between two requests, and how long it is calm between a fault put right
    and the next one (seconds)."""

    players: int = 40
    arbiters: int = 6
    members: int = 12
    arbiter_thinks: tuple[float, float] = (0.3, 1.2)
    member_thinks: tuple[float, float] = (0.5, 2.0)
    calm: tuple[float, float] = (2.0, 6.0)


@dataclass
class Evening:
    """`windows`: while something was broken; `waits`: how long work in the background took to come back, which no
    visitor waits for; `shifts`: seconds by which a moved clock missed; `faults`: what should not have happened."""

    folder: Path
    site: Site
    database: Database
    seed: int
    size: Size
    samples: list[Sample] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)
    waits: list[Window] = field(default_factory=list)
    shifts: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    checks: int = 0
    full_disk_backup: str = ""
    small_disk: Path | None = None

    def __post_init__(self) -> None:
        self.rng, self.port, self.over = Random(self.seed), free_port(), threading.Event()
        self.journal = Journal(self.folder / "journal")
        counters = {"CLUB_COUNTERS": str(self.folder / "counters")}  # as the unit: not on the disk of the data
        self.web = Service("web", self.site, web_command(self.port), self.folder / "web.log", counters)
        self.worker = Service("worker", self.site, WORKER, self.folder / "worker.log")
        self.sessions: list[str] = []
        self.guests: list[Guest] = []

    # --- the site ---------------------------------------------------------------------------------------------
    def prepare(self) -> None:
        self.site.prepare(PREPARE.format(players=self.size.players), arbiters=0)
        self.sign_in(days=0)
        self.officer, self.second_officer = (
            Officer(self._guest(self.size.arbiters), self._guest(), self._list_key()) for _person in range(2)
        )

    def sign_in(self, *, days: int) -> None:
        """New sessions for every officer, as of that clock."""
        environment = self.site.environment() | shifted(days)
        command = [sys.executable, "-c", SIGN_IN, str(self.size.arbiters)]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        self.sessions = json.loads(done.stdout)

    def move_to(self, folder: Path) -> None:
        """The site's data lie there from now on."""
        site = Site(folder, self.site.database)
        self.site = self.web.site = self.worker.site = site
        if isinstance(self.database, OnSqlite):
            self.database.site = site

    def manage(self, *words: str) -> str:
        """A command of the site's; its complaint, or nothing where all went well."""
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(
            command, cwd=ROOT, env=self.site.environment(), capture_output=True, text=True, timeout=300
        )
        return "" if done.returncode == 0 else (done.stdout + done.stderr)[-2000:] or f"status {done.returncode}"

    def check(self, after: str) -> None:
        """Does the ledger equal a fresh replay?"""
        self.checks += 1
        if said := self.manage("rebuild_ratings", "--check"):
            self.faults.append(f"ledger after “{after}”: {said}")

    # --- its people -------------------------------------------------------------------------------------------
    def _guest(self, number: int | None = None) -> Guest:
        session = str if number is None else lambda: self.sessions[number]
        guest = Guest(self.port, self.samples.append, session)
        self.guests.append(guest)
        return guest

    def _list_key(self) -> int:
        return int(self.database.ask("SELECT id FROM ratings_ratinglist")[0][0])

    def look(self, game: int) -> Stand | None:
        try:
            ((revision, result),) = self.database.ask(
                f"SELECT revision, result FROM tournaments_game WHERE id = {game:d}"
            )
        except OSError:
            return None
        return Stand(revision, result)

    def seats(self) -> list[Seat]:
        return [Seat(*row) for row in self.database.ask(SEATS)]

    @contextmanager
    def crowd(self) -> Iterator[None]:
        """Everybody at work, until the block ends; raises what one of the program's own people stumbled over."""
        seats, size = self.seats(), self.size
        with ThreadPoolExecutor(size.arbiters + size.members + 2) as pool:
            work: list[Future[None]] = [pool.submit(keep_up, [self.web, self.worker], self.over)]
            try:
                for number in range(size.arbiters):
                    own = seats[number :: size.arbiters]
                    arbiter = Arbiter(number, self._guest(number), own, self.journal, self.look)
                    rng = Random(f"{self.seed} arbiter {number}")
                    work.append(pool.submit(arbiter.work, rng, self.over, size.arbiter_thinks))
                for number in range(size.members):
                    rng = Random(f"{self.seed} member {number}")
                    work.append(pool.submit(reload, self._guest(), rng, self.over, size.member_thinks))
                work.append(pool.submit(self.officer.work, self.over))
                yield
            finally:
                self.over.set()
            for each in work:
                each.result(timeout=120)

    def close(self) -> None:
        for service in (self.web, self.worker):
            service.stop()
        self.database.remove()
        self.journal.close()
        if self.small_disk is not None:
            subprocess.run(["umount", "-l", str(self.small_disk)], check=False)


def open_evening(folder: Path, database: str, seed: int, size: Size) -> Evening:
    """A club with everything entered that is entered before an evening, and nobody there yet."""
    data = folder / "data"
    data.mkdir()
    if database == "postgres":
        folder.chmod(0o755)  # the server's user has to get through
        server = OnPostgres(folder / "server")
        evening = Evening(folder, Site(data, server.address), server, seed, size)
    else:
        site = Site(data)
        evening = Evening(folder, site, OnSqlite(site), seed, size)
    try:
        evening.prepare()
    except BaseException:
        evening.close()
        raise
    return evening
