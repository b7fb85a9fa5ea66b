"""One machine: docs/deploy.md from its first block to the last."""

import json
import re
import shutil
import subprocess
import threading
from pathlib import Path

from tests.rehearsal.places import COMMIT, PASSWORD, SITE, Say, Tools, copy_program, moved, plain_environment
from tests.rehearsal.plans import GUIDE, guide_blocks
from tests.rehearsal.proxies import nginx, nobody_is_in_the_logs
from tests.rehearsal.server import Server, postgres
from tests.rehearsal.slow import nobody_waits_for_slow_clients
from tests.rehearsal.stand_in import RehearsalError, StandIn
from tests.rehearsal.visiting import (
    Visitor,
    club_is_set_up,
    counters_lie_on_memory,
    demand,
    front_page_is_whole,
    is_too_large,
    never_refused,
    site_answers,
    word_while_closed,
)


class Machine:
    """An empty machine below a folder, and the guide for it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.tools = Tools(root)
        self.variables: dict[str, str] = {}
        self.blocks = guide_blocks(moved(GUIDE.read_text(encoding="utf-8"), root))
        self.manager = StandIn(root / "srv/club/docs/deploy/systemd", root, plain_environment())
        copy_program(root / "fetched", root)
        for folder in ("etc/nginx/sites-available", "etc/nginx/sites-enabled", "etc/caddy", "run"):
            (root / folder).mkdir(parents=True)
        self.manager.open_door(self.tools.folder / "systemctl")

    @property
    def data(self) -> Path:
        return self.root / "srv" / "club-data"

    def follow(self, heading: str, *numbers: int, **variables: str) -> str:
        """Run the blocks under that heading, all or those of these numbers; what they print. Raises RehearsalError."""
        blocks = self.blocks[heading]
        text = "".join(blocks[number] for number in numbers or range(len(blocks)))
        environment = self.tools.environment(
            SITE=SITE, SOURCE=str(self.root / "fetched"), **self.variables, **variables
        )
        done = subprocess.run(
            ["sh", "-euc", text], env=environment, capture_output=True, text=True, check=False, cwd="/"
        )
        if done.returncode:
            raise RehearsalError(f"“{heading}” ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def find(self, server: Server) -> None:
        """Everybody on this machine finds that server without being told of it."""
        self.variables |= server.variables
        self.manager.environment |= server.variables

    def backup(self) -> str:
        """The newest backup made before an upgrade."""
        return str(max((self.data / "backups").glob("before-upgrade-*.zip")))


def on_a_machine(root: Path, say: Say) -> None:
    """The guide, block by block, and what it promises. Raises RehearsalError."""
    machine = Machine(root)
    try:
        _install(machine, say)
        sites = root / "etc/nginx/sites-enabled"
        with nginx(root, sites, root / "etc/club-tls/fullchain.pem", SITE) as visitor:
            _use(machine, visitor, say)
            _carry_away(machine, visitor, say)
            _upgrade(machine, visitor, say)
            with postgres(machine.tools, say) as server:
                if server is not None:
                    _move(machine, server, visitor, say)
                _leave(machine, visitor, say)
            nobody_is_in_the_logs(root)
    finally:
        machine.manager.stop_all()


def _install(machine: Machine, say: Say) -> None:
    say("program, user, folder, variables, bin/upgrade")
    machine.follow("The program")
    machine.follow("Its user, its folder, its variables")
    secret = machine.root / "etc/club.env"
    demand(secret.stat().st_mode & 0o777 == 0o600, "others can read the secret")
    demand(re.search(r"^CLUB_SECRET_KEY=\S{50,}$", secret.read_text(), re.MULTILINE), "no secret was made")
    demand(machine.data.stat().st_mode & 0o777 == 0o700, "others can read the data")
    say("units: sockets, web, two workers, the day's backup")
    machine.follow("Supervised")
    demand(len(machine.manager.running) == 4, f"not everything runs: {sorted(machine.manager.running)}")
    demand(list((machine.data / "backups").glob("daily-*.zip")), "no backup was made")
    say("nginx, with a certificate of its own")
    machine.follow("With nginx", 1, 2)
    machine.follow("With Caddy")
    for path in ("etc/nginx/sites-available/club", "etc/caddy/Caddyfile"):
        text = (machine.root / path).read_text(encoding="utf-8")
        demand(SITE in text and "club.example.org" not in text, f"{path} is not for this site")


def _use(machine: Machine, visitor: Visitor, say: Say) -> None:
    say("healthy, ready, http led to https, HSTS, CSP")
    site_answers(visitor)
    is_too_large(visitor)
    demand("club-web.service: process" in machine.follow("Is it up?"), "the units are not shown")
    counters_lie_on_memory(machine.root)
    say("the first officer's account, cookies only encrypted, static files kept")
    club_is_set_up(visitor, machine.follow("The first officer").strip(), PASSWORD)
    front_page_is_whole(visitor)
    nobody_waits_for_slow_clients(visitor, say)
    say("a web server that starts again turns nobody away")
    machine.manager.stop("club-web.service")
    asking = threading.Thread(target=machine.manager.do, args=(["start", "club-web.service"],))
    asking.start()
    never_refused(visitor, 1)
    asking.join()


def _carry_away(machine: Machine, visitor: Visitor, say: Say) -> None:
    if shutil.which("restic") is None:
        say("left out: a copy off site (restic is not installed; Debian: apt install restic)")
        return
    say("a copy off site by restic, fetched from there and restored")
    elsewhere = machine.root / "elsewhere"
    for early in (machine.data / "backups").glob("daily-*.zip"):
        early.unlink()  # of before there was a club
    machine.follow("Off-site copies", 0, OFFSITE=str(elsewhere))
    demand(list(elsewhere.glob("snapshots/*")), "nothing was carried away")
    key = machine.root / "etc/club-offsite.key"
    demand(key.stat().st_mode & 0o777 == 0o600, "others can read the key of the copies")
    fetched = machine.follow("Off-site copies", 1).strip()
    demand(fetched.startswith(str(machine.data / "fetched")), f"not fetched: {fetched}")
    machine.follow("Restore", BACKUP=fetched)
    front_page_is_whole(visitor)
    copy = json.loads(visitor.ask("/readyz").text)["parts"]["offsite"]
    demand(copy["status"] == "ok" and copy["age_seconds"] < 3600, f"the copy is not told of: {copy}")


def _upgrade(machine: Machine, visitor: Visitor, say: Say) -> None:
    say("an upgrade: backup, database, languages, static files, start")
    del machine.manager.asked[:]
    machine.follow("Upgrade", 0)
    asked = machine.manager.asked
    demand(asked.index("stop club.target") < asked.index("start club.target"), f"out of order: {asked}")
    demand((machine.data / "program").read_text().strip() == COMMIT, "the way back is not noted")
    front_page_is_whole(visitor)
    say("while it stands still, visitors are told")
    machine.manager.stop("club.target")
    word_while_closed(visitor)
    say("a restore, every rating compared with a fresh replay")
    machine.follow("Restore", BACKUP=machine.backup())
    front_page_is_whole(visitor)
    say("the way back, on an empty database")
    kept = machine.backup()
    said = machine.follow("Upgrade", 1, BEFORE=COMMIT, BACKUP=kept)
    (aside,) = machine.data.glob("put-aside-*")
    demand(f"lies in {aside}" in said and (aside / "club.sqlite3").exists(), "the newer database is not put aside")
    demand(not (machine.data / "upgrade-kept").exists(), "an upgrade that went well is still under way")
    front_page_is_whole(visitor)


def _move(machine: Machine, server: Server, visitor: Visitor, say: Say) -> None:
    say("PostgreSQL on the system: a user and a database, an upgrade onto it, the backup of SQLite restored there")
    machine.find(server)
    kept = machine.backup()
    machine.follow("PostgreSQL", 0)
    machine.follow("Restore", BACKUP=kept)
    demand(list(machine.data.glob("club.sqlite3*")), "the file moved from is not where the guide looks for it")
    machine.follow("PostgreSQL", 1)
    demand(not list(machine.data.glob("club.sqlite3*")), "the file moved from still knows everybody")
    site_answers(visitor)
    front_page_is_whole(visitor)
    lines = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'club' AND usename = 'club'"
    demand(server.ask(lines) != [(0,)], "the site asks another database")


def _leave(machine: Machine, visitor: Visitor, say: Say) -> None:
    say("everything exported, everything ended by SIGTERM")
    machine.follow("Leaving", 0)
    for name in ("players.csv", "games.csv", "club.zip", "ratings"):
        demand((machine.data / "leaving" / name).exists(), f"the export has no {name}")
    machine.follow("Leaving", 1)
    demand(not (machine.data / "leaving").exists(), "the export still knows everybody")
    running = dict(machine.manager.running)
    machine.follow("Leaving", 2)
    demand(not machine.manager.running, f"still running: {sorted(machine.manager.running)}")
    demand(all(process.poll() is not None for process in running.values()), "a process stayed")
    bad = {name: status for name, status in machine.manager.ends if status != 0}
    demand(not bad, f"ended badly: {bad}")
    word_while_closed(visitor)
