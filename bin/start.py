"""Starts the club's site: what `bin/serve` does once it has found a Python. Standard library only.

    start.py --check    refuse what can be refused before anything slow: PORT, HOST, CLUB_DATA
    start.py [--empty]  the same, then migrate, fill, collect and serve until Ctrl-C (--minimal is for bin/serve alone)

A refusal is one line on stderr and status 2. Two processes are kept running: gunicorn, whose end is the end of
this script, and the background worker, which is started again when it dies. Once an hour a third one does what is to
be done daily (the backup first of all) if that is not done yet, and whatever becomes of it, the site goes on. All stop
when this script stops, however it ends (on Linux even after kill -9).
"""

import ctypes
import errno
import fcntl
import hashlib
import ipaddress
import os
import secrets
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
WILDCARDS = {"0.0.0.0", "::"}
SIGNALS = {signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM}
SECONDS_TO_STOP = 10
SECONDS_TO_FIRST_BACKUP, SECONDS_BETWEEN_LOOKS = 60, 3600


class StartError(Exception):
    """Why the site does not start, as one line that says what to do."""


def say(text: str) -> None:
    """A line for the person at the keyboard, at once even where stdout is a file."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


# --- what the environment says --------------------------------------------------------------------------------
def read_port(text: str) -> int:
    """The port to listen on; `text` is the variable PORT. Raises StartError."""
    if text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65535:
        return int(text)
    raise StartError(f"PORT={text} is no port: choose a number from 1 to 65535, for example PORT=8001 bin/serve.")


def listen(host: str, port: int) -> socket.socket:
    """Takes the port: early visitors queue until gunicorn inherits the socket. Raises StartError."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise StartError(f"HOST={host} is no address: use 127.0.0.1, or 0.0.0.0 for the whole network.") from error
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise StartError(_why_not(error, host, port)) from error
    return listener


def _why_not(error: OSError, host: str, port: int) -> str:
    other = port + 1 if 1024 < port < 65535 else 8001
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program: stop that one, or use PORT={other} bin/serve."
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for the system: use PORT={other} bin/serve."
    return f"HOST={host} is no address of this machine: use 127.0.0.1, or 0.0.0.0 for the whole network."


def make_folder(folder: Path) -> None:
    """The data folder, for nobody else's eyes, and proof that it can be written to. Raises StartError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = "a file is in its place" if isinstance(error, FileExistsError | NotADirectoryError) else error.strerror
        raise StartError(
            f"Cannot write to {folder} ({reason}): make it a writable folder, or name another with CLUB_DATA."
        ) from error


def make_secret(file: Path) -> None:
    """The site's secret, made once; written aside first, so that a half-written one never counts."""
    if file.exists():
        return
    aside = file.with_suffix(".new")
    aside.unlink(missing_ok=True)
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as stream:
        stream.write(secrets.token_urlsafe(64) + "\n")
    aside.replace(file)


# --- addresses: asks the kernel only, nothing is sent ---------------------------------------------------------
def own_addresses() -> list[str]:
    """This machine's IPv4 addresses other machines may reach, the one on the way out first."""
    found = dict.fromkeys([*_address_on_the_way_out(), *_interface_addresses()])
    return [text for text in found if not (ip := ipaddress.ip_address(text)).is_loopback and not ip.is_link_local]


def _address_on_the_way_out() -> Iterator[str]:
    # Connecting a datagram socket only picks the route; the address is one reserved for documentation.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        yield probe.getsockname()[0]


def _interface_addresses() -> Iterator[str]:
    siocgifaddr = 0x8915  # Linux; elsewhere the call fails and the way out has to do
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                answer = fcntl.ioctl(probe, siocgifaddr, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(answer[20:24])


def is_local(host: str) -> bool:
    """Does only this machine reach the site at this HOST?"""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def allowed_hosts(host: str) -> list[str]:
    """The names under which phones and screens in the same network may ask for the site listening on `host`."""
    if is_local(host):
        return []
    name = socket.gethostname().lower()
    names = [name, f"{name.partition('.')[0]}.local", *own_addresses()]
    return names if host in WILDCARDS else [in_url(host), *names]


def announce(host: str, port: int, path: str) -> None:
    """Says where the site is."""
    here = "127.0.0.1" if host in WILDCARDS else in_url(host)
    say(f"Open http://{here}:{port}{path} (Ctrl-C stops the site)")
    if host in WILDCARDS:
        for address in own_addresses():
            say(f"On phones and screens in the same network: http://{address}:{port}/")


# --- Django's own commands ------------------------------------------------------------------------------------
def manage(*arguments: str) -> str:
    """Runs a command of manage.py; what it prints is returned. Raises StartError with its last word if it fails."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise StartError(f"{last} (manage.py {' '.join(arguments)} failed: run it by hand for the whole story.)")
    sys.stderr.write(done.stderr)
    return done.stdout.strip()


def collect_static(data: Path) -> None:
    """Static files with their hashed names, again only when a source of them changed."""
    stamp, checksum = data / "static.stamp", _checksum_of_static_sources()
    if stamp.exists() and stamp.read_text() == checksum and (data / "static" / "staticfiles.json").exists():
        return
    manage("collectstatic", "--noinput", "--clear", "--verbosity=0")
    stamp.write_text(checksum)


def _checksum_of_static_sources() -> str:
    # The packages bring static files too: they change with the lock file, or with the list of apps in the settings.
    files = [PROJECT / "requirements.txt", PROJECT / "clubrating" / "settings.py"]
    files += sorted(path for path in (PROJECT / "static").rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(PROJECT)}\0{file.stat().st_size}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def compile_words(data: Path) -> None:
    """The catalogues of the other languages, again only when one of them changed."""
    root = PROJECT / "clubrating" / "locale"
    for text in root.glob("*/LC_MESSAGES/django.po"):
        compiled = data / "locale" / text.relative_to(root).with_suffix(".mo")
        # A compiled file bears the time of its text.
        if not compiled.exists() or compiled.stat().st_mtime_ns != text.stat().st_mtime_ns:
            manage("messages", "compile")
            return


def prepare(data: Path, *, empty: bool) -> str:
    """Everything between an empty folder and a site; returns the path to open first."""
    say("Preparing the database, the static files and the languages …")
    if kept := manage("upgrade"):
        say(kept)
    collect_static(data)
    compile_words(data)
    if empty:
        return manage("welcome_link").rpartition("\n")[2] or "/"
    if found := manage("seed_demo", "--if-empty"):
        say(found)
    return "/"


# --- the two processes ----------------------------------------------------------------------------------------
def start(*arguments: str, fds: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
    """A process of ours, in a group of its own: Ctrl-C reaches this script only, which then stops both once."""
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    def in_child() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        if libc is not None:
            libc.prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG: stop when this script is gone

    return subprocess.Popen(
        [sys.executable, *arguments], cwd=PROJECT, pass_fds=fds, process_group=0, preexec_fn=in_child
    )


def start_web(listener: socket.socket) -> subprocess.Popen[bytes]:
    """Gunicorn on the socket we hold. Its control socket would lie in the home folder, and nobody needs it."""
    web = start(
        *(
            "-m",
            "gunicorn",
            "--bind",
            f"fd://{listener.fileno()}",
            "-k",
            "clubrating.ops.web_worker.WebWorker",
            "-w",
            "2",
            "--threads",
            "4",
        ),
        # Longer than a member reads a page: a line hung up just as the next click is sent looks like a broken site.
        *("--keep-alive", "75"),
        *("--no-control-socket", "--graceful-timeout", "5", "--log-level", "warning", "clubrating.wsgi"),
        fds=(listener.fileno(),),
    )
    listener.close()
    return web


def start_worker() -> subprocess.Popen[bytes]:
    """The background worker, the only one here: what one before it had begun it takes up at once. Without words: what a
    job did is in the database."""
    return start("manage.py", "db_worker", "--alone", "--no-startup-delay", "--no-reload", "--verbosity=0")


def start_backup() -> subprocess.Popen[bytes]:
    """The day's backup, if it is not there yet, and what else is due daily; only a refusal is said."""
    return start("manage.py", "daily", "--quiet")


def serve(listener: socket.socket) -> int:
    """Runs both processes until a signal comes or gunicorn ends; returns the exit status.

    The signals are blocked and waited for, so none arrives at a bad moment, and none while a process starts.
    """
    signal.signal(signal.SIGCHLD, lambda *_: None)  # an ignored signal is not kept on every system
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    signal.alarm(SECONDS_TO_FIRST_BACKUP)
    web, worker = start_web(listener), start_worker()
    backup: subprocess.Popen[bytes] | None = None
    try:
        while (came := signal.sigwait(SIGNALS)) in {signal.SIGCHLD, signal.SIGALRM}:
            if web.poll() is not None:
                say("The web server ended: its last words are above.")
                return web.returncode if web.returncode >= 0 else 128 - web.returncode
            if worker.poll() is not None:
                say(f"The background worker ended (status {worker.returncode}): starting it again.")
                time.sleep(1)
                worker = start_worker()
            ended = backup is None or backup.poll() is not None
            if came == signal.SIGALRM:
                signal.alarm(SECONDS_BETWEEN_LOOKS)
                backup = start_backup() if ended else backup
        say("Stopping …")
        return 0
    finally:
        stop(*filter(None, (web, worker, backup)))


def stop(*processes: subprocess.Popen[bytes]) -> None:
    """Ends the processes and what they left behind: politely, and after ten seconds by force."""
    for process in processes:
        _send(process, signal.SIGTERM)
    deadline = time.monotonic() + SECONDS_TO_STOP
    for process in processes:
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            _send(process, signal.SIGKILL)
            process.wait()


def _send(process: subprocess.Popen[bytes], what: signal.Signals) -> None:
    # To the whole group: a gunicorn that was killed leaves its own workers behind.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, what)


def main(arguments: list[str]) -> int:
    for asked_to_stop in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(asked_to_stop, signal.default_int_handler)  # like Ctrl-C: no command runs on without us
    host = os.environ.get("HOST") or "127.0.0.1"
    port = read_port(os.environ.get("PORT") or "8000")
    data = Path(os.environ.get("CLUB_DATA") or PROJECT / "var").expanduser().resolve()
    make_folder(data)
    listener = listen(host, port)
    if "--check" in arguments:
        return 0
    os.environ["CLUB_DATA"] = str(data)
    os.environ["CLUB_ALLOWED_HOSTS"] = ",".join(
        dict.fromkeys(filter(None, [os.environ.get("CLUB_ALLOWED_HOSTS"), *allowed_hosts(host)]))
    )
    if not os.environ.get("CLUB_SECRET_KEY"):
        make_secret(data / "secret")
    path = prepare(data, empty="--empty" in arguments)
    announce(host, port, path)
    return serve(listener)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except StartError as refusal:
        sys.stderr.write(f"{refusal}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
