"""The same site in containers' clothes: the commands, variables and patience of the Dockerfile and compose.yaml,
without Docker. Not shown here are the walls between containers; which are asked for is looked at in the tests."""

import os
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from tests.ports import free_port
from tests.rehearsal.places import PASSWORD, SITE, Say, Tools, copy_program, moved, plain_environment
from tests.rehearsal.plans import DEPLOY, read_compose, read_images
from tests.rehearsal.proxies import caddy, exchanged, nobody_is_in_the_logs
from tests.rehearsal.slow import nobody_waits_for_slow_clients
from tests.rehearsal.stand_in import end, wait_until
from tests.rehearsal.visiting import (
    Visitor,
    club_is_set_up,
    counters_lie_on_memory,
    demand,
    front_page_is_whole,
    never_refused,
    site_answers,
    tells_its_own_figures,
    word_while_closed,
)

WORD = "the word of whoever watches"
ASIDE = "_put_aside"
CADDYS_DOOR = 2019  # where it listens for its administrator, unless it is told otherwise


@contextmanager
def database(say: Say) -> Iterator[str]:
    """A database of its own on the server CLUB_TEST_POSTGRES names, else none and a word."""
    server = os.environ.get("CLUB_TEST_POSTGRES")
    if not server:
        say("left out: PostgreSQL (CLUB_TEST_POSTGRES names no server); SQLite takes its place")
        yield ""
        return
    name = f"rehearsal_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as line:
        line.execute(f"CREATE DATABASE {name}")
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(server, autocommit=True) as line:
            for each in (name, f"{name}{ASIDE}"):
                line.execute(f"DROP DATABASE IF EXISTS {each} WITH (FORCE)")


def put_aside(address: str) -> None:
    """What the guide does with the service's database: another name for it, and a new, empty one in its place. SQLite's
    file `bin/upgrade` puts aside by itself."""
    server, name = os.environ.get("CLUB_TEST_POSTGRES"), urlsplit(address).path.strip("/")
    if server and name:
        with psycopg.connect(server, autocommit=True) as line:
            line.execute(f"ALTER DATABASE {name} RENAME TO {name}{ASIDE}")
            line.execute(f"CREATE DATABASE {name}")


class Containers:
    """The services of compose.yaml as processes: their commands, their variables, their patience."""

    def __init__(self, root: Path, address: str) -> None:
        self.root, self.program = root, root / "srv" / "club"
        variables = {"CLUB_HOST": SITE, "CLUB_SECRET_KEY": secrets.token_urlsafe(64), "CLUB_DATABASE_PASSWORD": "x"}
        variables["CLUB_METRICS_TOKEN"] = WORD
        self.images = read_images(moved((DEPLOY / "Dockerfile").read_text(encoding="utf-8"), root))
        self.image = self.images["site"]
        self.services = read_compose(moved((DEPLOY / "compose.yaml").read_text(encoding="utf-8"), root), variables)[
            "services"
        ]
        self.address = address
        self.ports = {name: free_port() for name in self.services if name.startswith("web")}
        self.running: list[tuple[str, subprocess.Popen[bytes]]] = []
        copy_program(self.program, root)
        self._build(Tools(root))

    def _build(self, tools: Tools) -> None:
        """The steps of the Dockerfile, but for the installation itself; afterwards the program is what it is."""
        for name in ("program", "site"):
            for step in self.images[name].all("RUN"):
                done = subprocess.run(
                    ["sh", "-euc", step], cwd=self.program, env=tools.environment(), capture_output=True, text=True
                )
                demand(done.returncode == 0, f"RUN {step}: {done.stdout}{done.stderr}")
        self.as_built = self.files()

    def files(self) -> set[str]:
        return {str(path.relative_to(self.program)) for path in self.program.rglob("*") if path.is_file()}

    def environment(self, name: str) -> dict[str, str]:
        own = self.image.environment | self.services[name]["environment"]
        if self.address:
            own["DATABASE_URL"] = self.address
        else:
            del own["DATABASE_URL"]
        bind = exchanged(own["GUNICORN_CMD_ARGS"], {"0.0.0.0:8000": f"127.0.0.1:{self.ports.get(name, 0)}"})
        return plain_environment(**own) | {"GUNICORN_CMD_ARGS": bind}

    def command(self, name: str) -> list[str]:
        return list(self.services[name].get("command") or self.image.command)

    def run(self, command: list[str], environment: dict[str, str]) -> str:
        done = subprocess.run(command, cwd=self.program, env=environment, capture_output=True, text=True, check=False)
        demand(done.returncode == 0, f"{command}: {done.stdout[-500:]} {done.stderr[-1000:]}")
        return done.stdout

    def start(self, name: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self.command(name), cwd=self.program, env=self.environment(name), start_new_session=True
        )
        self.running.append((name, process))
        return process

    def is_healthy(self, name: str, test: list[str]) -> bool:
        words = [word.replace(":8000/", f":{self.ports.get(name, 0)}/") for word in test]
        done = subprocess.run(words, cwd=self.program, env=self.environment(name), capture_output=True, check=False)
        return done.returncode == 0

    def for_the_proxy(self) -> dict[str, str]:
        """Its variables; the web servers it asks are those compose names, no more and no fewer."""
        own = dict(self.services["proxy"]["environment"])
        places = {f"{name}:8000": f"127.0.0.1:{port}" for name, port in self.ports.items()}
        return own | {"CLUB_UPSTREAM": exchanged(own["CLUB_UPSTREAM"], places)}

    def start_web(self) -> list[subprocess.Popen[bytes]]:
        """Every web server, healthy as the image asks and ready as compose asks."""
        webs = [self.start(name) for name in self.ports]
        for name in self.ports:
            ready = self.services[name]["healthcheck"]["test"][1:]
            wait_until(partial(self.is_healthy, name, self.image.health), "/healthz in the image", 60)
            wait_until(partial(self.is_healthy, name, ready), "/readyz in compose", 60)
        return webs

    def stop_all(self) -> None:
        """Each within its service's patience; the last of them first."""
        while self.running:
            name, process = self.running.pop()
            end(process, float(self.services[name].get("stop_grace_period", "10s").rstrip("s")))


def in_containers(root: Path, say: Say) -> None:
    """The commands and variables of the Dockerfile and compose.yaml. Raises RehearsalError."""
    with ExitStack() as stack:
        address = stack.enter_context(database(say))
        containers = Containers(root, address)
        stack.callback(containers.stop_all)
        say("the service upgrade, then two web servers, worker ×2, daily")
        containers.run(containers.command("upgrade"), containers.environment("upgrade"))
        webs = containers.start_web()
        for _ in range(containers.services["worker"]["deploy"]["replicas"]):
            containers.start("worker")
        containers.start("daily")
        worker = containers.services["worker"]["healthcheck"]["test"][1:]
        demand(containers.is_healthy("worker", worker), "the worker's own check fails")
        for name, port in containers.ports.items():
            tells_its_own_figures(port, f"{name}:8000", WORD)
        say("Caddy, with a certificate it signs itself")
        counters_lie_on_memory(root)
        # On a disk that cannot be written to.
        stray = containers.files() - containers.as_built
        demand(not stray, f"written beside the data: {sorted(stray)}")
        with caddy(root, containers.program / "docs/deploy/Caddyfile", containers.for_the_proxy(), SITE) as visitor:
            _visit(containers, webs, visitor, say)
            _go_back(containers, visitor, say)
            nobody_is_in_the_logs(root)


def _visit(containers: Containers, webs: list[subprocess.Popen[bytes]], visitor: Visitor, say: Say) -> None:
    say("healthy, ready, http led to https, HSTS, CSP, the first officer, static files")
    site_answers(visitor)
    door = urlsplit(containers.services["proxy"]["healthcheck"]["test"][-1])
    demand(door.port == CADDYS_DOOR and visitor.ask_the_proxy(door.path) == 200, "the proxy's own check fails")
    path = containers.run(["bin/manage", "welcome_link"], containers.environment("upgrade")).strip()
    club_is_set_up(visitor, path, PASSWORD)
    front_page_is_whole(visitor)
    nobody_waits_for_slow_clients(visitor, say)
    say("one of two web servers is killed: nobody is refused")
    os.killpg(webs[0].pid, 9)
    never_refused(visitor, 10)
    say("everything ends by SIGTERM; visitors are told")
    containers.stop_all()
    word_while_closed(visitor)


def _go_back(containers: Containers, visitor: Visitor, say: Say) -> None:
    say("the upgrade again, and the way back from it")
    upgrade, environment = containers.command("upgrade"), containers.environment("upgrade")
    containers.run(upgrade, environment)
    kept = max((Path(environment["CLUB_DATA"]) / "backups").glob("before-upgrade-*.zip"))
    put_aside(containers.address)
    containers.run([*upgrade, "--back", str(kept)], environment)
    containers.start_web()
    front_page_is_whole(visitor)
    containers.stop_all()
