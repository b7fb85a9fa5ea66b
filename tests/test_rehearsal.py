"""What `bin/rehearse` reads it reads rightly, and what is not as it should be it does not let pass."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.rehearsal.places import Tools, moved
from tests.rehearsal.plans import guide_blocks, read_compose, read_images, read_unit
from tests.rehearsal.proxies import exchanged, nobody_is_in_the_logs
from tests.rehearsal.stand_in import RehearsalError, StandIn, end, wait_until
from tests.rehearsal.visiting import Answer, Visitor, site_answers, word_while_closed

UNIT = """[Unit]
PartOf=all.target
[Service]
Type={kind}
WorkingDirectory=/
UMask=0077
EnvironmentFile={folder}/variables
ExecStart={python} -c "{code}"
TimeoutStopSec={patience}
"""


# --- reading --------------------------------------------------------------------------------------------------
def test_blocks_stand_under_their_headings() -> None:
    text = "# Page\n```sh\na\n```\n## One\n    not this\n```\nnor this\n```\n```sh\n# b\nc\n```\nword\n```sh\nd\n```\n"
    assert guide_blocks(text) == {"Page": ["a\n"], "One": ["# b\nc\n", "d\n"]}


def test_a_unit_keeps_every_value_and_the_last_one_counts(tmp_path: Path) -> None:
    (tmp_path / "w@.service").write_text("# x\n[Unit]\nDescription=W %i\n[Service]\nA=1\nA=2\nT=1min 30s\n")
    unit = read_unit(tmp_path, "w@7.service")
    assert unit.value("Unit", "Description") == "W 7"
    assert (unit.values("Service", "A"), unit.value("Service", "A")) == (["1", "2"], "2")
    assert unit.seconds("T", 5) == 90
    assert unit.seconds("U", 5) == 5


def test_an_image_is_read_stage_by_stage() -> None:
    images = read_images(
        'FROM a:1 AS one\nRUN x \\\n    && y\nFROM b:2 AS two\n# word\nENV A=1 \\\n    B=2\nCMD ["c", "d"]\n'
    )
    assert images["one"].all("RUN") == ["x && y"]
    assert (images["two"].base, images["two"].environment) == ("b:2", {"A": "1", "B": "2"})
    assert images["two"].command == ["c", "d"]


def test_variables_are_put_into_the_compose_file() -> None:
    text = 'a: ${A:?word}\nb: ["x-${B:-other}-${C}"]\n'
    assert read_compose(text, {"A": "1", "C": "3"}) == {"a": "1", "b": ["x-other-3"]}
    with pytest.raises(KeyError):
        read_compose(text, {})


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("/srv/club/bin", "/t/srv/club/bin"),
        ("unix//run/club/web.sock", "unix//t/run/club/web.sock"),
        ("a=/etc/club.env", "a=/t/etc/club.env"),
        ("/usr/srv/x and /var/www", "/usr/srv/x and /var/www"),
    ],
)
def test_places_are_moved_and_nothing_else(text: str, there: str) -> None:
    assert moved(text, Path("/t")) == there


def test_a_configuration_without_the_line_is_not_taken() -> None:
    assert exchanged("listen 80;", {"80": "8080"}) == "listen 8080;"
    with pytest.raises(RehearsalError, match="no line “443”"):
        exchanged("listen 80;", {"443": "8443"})


def test_files_get_their_modes_and_not_their_owners(tmp_path: Path) -> None:
    tools = Tools(tmp_path)
    command = f"install -d -m 700 -o nobody -g nobody {tmp_path}/data; useradd --system club"
    subprocess.run(["sh", "-euc", command], env=tools.environment(), check=True)
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "data").stat().st_uid == os.getuid()
    assert tools.notes.read_text() == "useradd --system club\n"


# --- the stand-in of the service manager ----------------------------------------------------------------------
@pytest.fixture
def manager(tmp_path: Path) -> StandIn:
    (tmp_path / "variables").write_text('# word\nPLAIN=a b\nQUOTED="c d"\n')
    return StandIn(tmp_path, tmp_path, dict(os.environ))


def unit(manager: StandIn, code: str, kind: str = "exec", patience: str = "5s") -> str:
    text = UNIT.format(kind=kind, folder=manager.folder, python=sys.executable, code=code, patience=patience)
    (manager.units / "club-x.service").write_text(text)
    return "club-x.service"


def test_a_service_has_the_variables_of_its_file(manager: StandIn, tmp_path: Path) -> None:
    code = f"import os; open('{tmp_path}/said', 'w').write(os.environ['PLAIN'] + os.environ['QUOTED'])"
    manager.start(unit(manager, code, kind="oneshot"))
    assert (tmp_path / "said").read_text() == "a bc d"
    assert (tmp_path / "said").stat().st_mode & 0o777 == 0o600, "by the unit's umask"


def test_a_service_that_fails_is_told(manager: StandIn) -> None:
    name = unit(manager, "raise SystemExit(3)", kind="oneshot")
    with pytest.raises(RehearsalError, match="ended with status 3"):
        manager.start(name)


def test_what_is_part_of_a_target_stops_with_it(manager: StandIn) -> None:
    manager.start(unit(manager, "import time; time.sleep(60)"))
    (process,) = manager.running.values()
    manager.stop("all.target")
    assert manager.running == {}
    assert manager.ends == [("club-x.service", -signal.SIGTERM)]
    assert process.poll() is not None


@pytest.mark.extended
def test_a_process_that_does_not_mind_sigterm_is_a_failure() -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    deaf = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    assert deaf.stdout
    deaf.stdout.readline()
    with deaf, pytest.raises(RehearsalError, match=r"did not end within 0\.3 s"):
        end(deaf, 0.3)
    assert deaf.returncode == -signal.SIGKILL


def test_what_does_not_come_about_is_told() -> None:
    with pytest.raises(RehearsalError, match="not within 0 s: rain"):
        wait_until(lambda: False, "rain", seconds=0)


# --- the visitor's judgement ----------------------------------------------------------------------------------
PAGE = "/about/glossary/"
HSTS = "max-age=31536000; includeSubDomains; preload"
HEADERS = {"strict-transport-security": HSTS, "content-security-policy": "default-src 'none'"}
GOOD = {
    "/healthz": Answer(200, {"x-request-id": "its own"}, (), "ok"),
    "/readyz": Answer(200, {}, (), "ok"),
    PAGE: Answer(200, HEADERS, (), "page"),
    "http": Answer(301, {"location": "https://club.example/ratings/"}, (), ""),
}


@dataclass
class Scripted(Visitor):
    """A visitor who is answered as the test says."""

    answers: Mapping[str, Answer] | None = None

    def ask(self, path: str, values: Mapping[str, str] | None = None, **headers: str) -> Answer:
        return (self.answers or {})[path]

    def ask_plainly(self, path: str) -> Answer:
        return (self.answers or {})["http"]


def told(other: Mapping[str, Answer]) -> Scripted:
    return Scripted("club.example", 80, 443, Path("none"), answers={**GOOD, **other})


def test_a_good_site_passes() -> None:
    site_answers(told({}))


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"/healthz": Answer(502, {}, (), "")}, "/healthz: 502"),
        ({"/readyz": Answer(503, {}, (), "no database")}, "/readyz: 503 no database"),
        ({"/healthz": Answer(200, {"x-request-id": "a-visitors-own"}, (), "ok")}, "may write into the log"),
        ({"http": Answer(200, {}, (), "")}, "not led to https: 200"),
        ({"http": replace(GOOD["http"], headers={"location": "https://other/"})}, "leads to https://other/"),
        ({PAGE: replace(GOOD[PAGE], headers=HEADERS | {"strict-transport-security": ""})}, "HSTS"),
        ({PAGE: replace(GOOD[PAGE], headers=HEADERS | {"content-security-policy": ""})}, "its CSP"),
    ],
)
def test_a_bad_one_does_not(other: dict[str, Answer], what: str) -> None:
    with pytest.raises(RehearsalError, match=what):
        site_answers(told(other))


def test_silence_while_closed_is_not_enough() -> None:
    good = Answer(503, {"retry-after": "60", "strict-transport-security": HSTS}, (), "back in a minute, Сайт")
    site = Scripted("club.example", 80, 443, Path("none"), answers={"/": good})
    word_while_closed(site)
    site.answers = {"/": replace(good, status=502)}
    with pytest.raises(RehearsalError, match="502"):
        word_while_closed(site)
    site.answers = {"/": replace(good, headers={"retry-after": "60"})}
    with pytest.raises(RehearsalError, match="the proxy's own page goes out without HSTS"):
        word_while_closed(site)


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("access.log", '127.0.0.1 - - [01/Mar/2026:19:02:11 +0000] "GET /ratings/ HTTP/2.0" 200 1'),
        ("nginx.log", '[error] 1#1: *1 connect() failed, client: 10.0.0.7, server: club, request: "GET / HTTP/1.1"'),
        ("caddy.out", '{"logger":"http.log.error","msg":"dial","request":{"remote_ip":"10.0.0.7","uri":"/"}}'),
    ],
)
def test_somebody_in_a_log_is_found(tmp_path: Path, file: str, line: str) -> None:
    (tmp_path / file).write_text("[notice] started\n")
    (tmp_path / "caddy.out").open("a").write('{"logger":"admin.api","remote_ip":"127.0.0.1"}\n')
    nobody_is_in_the_logs(tmp_path)
    (tmp_path / file).open("a").write(f"{line}\n")
    with pytest.raises(RehearsalError, match=f"{file} knows who asked for what"):
        nobody_is_in_the_logs(tmp_path)
