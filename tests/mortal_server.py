"""A server that can be killed as often as one likes, for `test_power_cut`: the program is loaded once and forks.

python -m tests.mortal_server PORT      reads a line, answers with a line
    serve    serve from now on; answers the process to be killed
    check    look at the database, and rate everything again; answers "ok" or what is wrong
"""

import ctypes
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from django.contrib.auth import get_user_model
from django.db import connection, connections
from django.test import Client

from clubrating.wsgi import application
from ratings.models import RatingList
from tournaments.models import Round, Stage
from tournaments.rated_games.services.rebuilding import check_list


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *args: object) -> None:
        """Nothing: the test reads our lines."""


def serve(line: socket.socket) -> None:
    server = Server(("127.0.0.1", 0), Quiet, bind_and_activate=False)
    server.socket.close()
    server.socket = line
    server.server_name, server.server_port = "localhost", line.getsockname()[1]
    server.setup_environ()
    server.set_app(application)
    server.serve_forever(poll_interval=0.01)


def check() -> str:
    with connection.cursor() as cursor:
        faults = [str(row) for row in cursor.execute("PRAGMA integrity_check").fetchall() if row != ("ok",)]
        faults += [str(row) for row in cursor.execute("PRAGMA foreign_key_check").fetchall()]
    for rating_list in RatingList.objects.all():
        faults += check_list(rating_list)
    return "; ".join(faults[:3]) or "ok"


def fork(work: Callable[[], None]) -> int:
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: nobody is left behind
        work()
        os._exit(0)
    return pid


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def hang_up(line: socket.socket) -> None:
    """Whoever called while no server was there, and hung up since, is not answered by the next one.

    A form sent into the gap would otherwise be acted on after the test has looked at what stands.
    """
    line.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            line.accept()[0].close()
    line.setblocking(True)


def warm_up() -> None:
    """What is loaded for the first page of a kind need not be loaded again after every death."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(get_user_model().objects.get(username="arbiter-0"))
    row = Round.objects.select_related("stage").filter(stage__pairing_system="round-robin").latest("number")
    season = Stage.objects.get(pairing_system="keizer")
    event = f"/admin/tournaments/tournament/{row.stage.tournament_id}"
    desk = "/admin/tournaments/tournament"
    for path in (f"{event}/rounds/", f"{desk}/round/{row.pk}/results/", f"{desk}/stage/{season.pk}/next/"):
        assert client.get(path).status_code == 200, path


def main(port: int) -> None:
    # The listening socket outlives every server: who calls while none is there waits in the queue until the next.
    line = socket.create_server(("127.0.0.1", port), backlog=64)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    warm_up()
    connections.close_all()
    for command in sys.stdin:
        if command.strip() == "serve":
            hang_up(line)
            say(str(fork(lambda: serve(line))))
        elif command.strip() == "check":
            fork(lambda: say(check()))


if __name__ == "__main__":
    main(int(sys.argv[1]))
