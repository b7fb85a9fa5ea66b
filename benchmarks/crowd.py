"""How long a visitor waits for a cheap page while others keep the site busy or hold it up: as `bin/serve` runs it, on a
demo club in a temporary folder.

The baseline is the same visitor with nobody else there, in the same run.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from secrets import token_urlsafe
from statistics import median
from tempfile import TemporaryDirectory

from django.conf import settings

from benchmarks.measure import Measured

CHEAP, EXPENSIVE = "/about/ratings/", "/lab/diary/?x={number}"
SLOW_CLIENTS, READERS, TIMES = 200, 20, 30
LONGEST = 60.0  # seconds; a visitor who is not answered waits so long
ALONE = "the same with nobody else"
GOAL_SLOW, GOAL_EXPENSIVE = 3, 50
HALF = {
    "half a head": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half",
    "half a body": b"POST /account/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\nname=",
}
WEB = ("-k", "clubrating.ops.web_worker.WebWorker", "-w", "2", "--threads", "4", "--keep-alive", "75")


def measure_crowd() -> Iterator[Measured]:
    """A cheap page with two hundred slow clients, then with twenty readers of the most expensive page."""
    with TemporaryDirectory() as folder, served(Path(folder), ("upgrade",), ("seed_demo", "--if-empty")) as port:
        crowds: dict[str, Callable[[], AbstractContextManager[None]]] = {
            f"{SLOW_CLIENTS} clients who have sent {what}": partial(_slow_clients, port, sent)
            for what, sent in HALF.items()
        }
        goals = dict.fromkeys(crowds, GOAL_SLOW)
        busy = f"{READERS} readers of the lab's diary, each time made anew"
        crowds[busy], goals[busy] = partial(_readers, port), GOAL_EXPENSIVE
        _wait(port, nullcontext)
        for what, crowd in crowds.items():
            alone, own = _wait(port, nullcontext), _wait(port, crowd)
            yield Measured(f"the wait for a cheap page beside {what}", ALONE, own / alone, own, alone, goals[what])


def _wait(port: int, crowd: Callable[[], AbstractContextManager[None]]) -> float:
    """The median wait of a visitor who comes anew each time."""
    with crowd():
        time.sleep(0.5)
        return median(_ask(port, CHEAP) for _ in range(TIMES))


def _ask(port: int, path: str) -> float:
    line, began = HTTPConnection("127.0.0.1", port, timeout=LONGEST), time.perf_counter()
    try:
        line.request("GET", path)
        answer = line.getresponse()
        answer.read()
    except (OSError, HTTPException):
        return LONGEST
    finally:
        line.close()
    if answer.status != 200:
        raise AssertionError(f"{path} answered {answer.status}")
    return time.perf_counter() - began


@contextmanager
def _slow_clients(port: int, sent: bytes) -> Iterator[None]:
    with ExitStack() as stack:
        for _ in range(SLOW_CLIENTS):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=LONGEST)).sendall(sent)
        yield


@contextmanager
def _readers(port: int) -> Iterator[None]:
    numbers, over = count(time.time_ns()), threading.Event()

    def read() -> None:
        while not over.is_set():
            _ask(port, EXPENSIVE.format(number=next(numbers)))

    readers = [threading.Thread(target=read) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    try:
        yield
    finally:
        over.set()
        for reader in readers:
            reader.join()


@contextmanager
def served(folder: Path, *commands: tuple[str, ...], **more: str) -> Iterator[int]:
    """A site with that folder and environment, made by these commands, on a port of its own until the block is left."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"CLUB_DATA": str(folder), "CLUB_RATE_LIMITS": "0", "CLUB_SECRET_KEY": token_urlsafe(64), **more}
    for command in (*commands, ("collectstatic", "--noinput", "--verbosity=0")):
        subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=settings.BASE_DIR,
            env=environment,
            check=True,
            capture_output=True,
        )
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(2048)
        port = int(listener.getsockname()[1])
        bind = ("--bind", f"fd://{listener.fileno()}", "--no-control-socket", "--log-level", "error")
        web = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *WEB, *bind, "clubrating.wsgi"],
            cwd=settings.BASE_DIR,
            env=environment,
            pass_fds=(listener.fileno(),),
            process_group=0,
        )
    try:
        yield port
    finally:
        os.killpg(web.pid, signal.SIGTERM)
        web.wait()
