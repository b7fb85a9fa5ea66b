"""The files of docs/deploy keep the promises docs/deploy.md makes: linters, units, image, compose file. Guide and
proxies: `test_deploy_guide`.

That the site runs by them is shown by `bin/rehearse`.
"""

import re
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import clubrating.settings
from clubrating.ops.health.counters import LEAST_ROOM
from tests.rehearsal.places import moved
from tests.rehearsal.plans import DEPLOY, ROOT, UNITS, read_compose, read_images, read_unit

SERVICES = ("club-web.service", "club-worker@1.service", "club-daily.service")
VARIABLES = {"CLUB_HOST": "club.example", "CLUB_SECRET_KEY": "s" * 60, "CLUB_DATABASE_PASSWORD": "word"}
IMAGES = read_images((DEPLOY / "Dockerfile").read_text())
COMPOSE_TEXT = (DEPLOY / "compose.yaml").read_text()
COMPOSE = read_compose(COMPOSE_TEXT, VARIABLES)
PARTS: dict[str, dict[str, Any]] = COMPOSE["services"]
WEBS = ("web-1", "web-2")
OF_THE_SITE = ("upgrade", *WEBS, "worker", "daily")
LARGEST_EXPOSURE = 20  # tenths; 100 is a unit that may do everything

each_part = pytest.mark.parametrize("name", PARTS)
each_service = pytest.mark.parametrize("name", SERVICES)


def linted(*command: object) -> str:
    """What a linter says; nothing is all right."""
    program = Path(sys.prefix) / "bin" / str(command[0])
    done = subprocess.run([str(program), *map(str, command[1:])], cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def names_in(file: str) -> list[str]:
    """The variables a file of them sets, commented out or not."""
    return re.findall(r"^#?([A-Z_]+)=", (DEPLOY / file).read_text(), re.MULTILINE)


# --- one command line everywhere ------------------------------------------------------------------------------
def test_units_and_containers_run_the_same_command_lines() -> None:
    web, worker, daily = (read_unit(UNITS, name).command for name in SERVICES)
    assert web == IMAGES["site"].command
    assert not [name for name in WEBS if "command" in PARTS[name]]
    assert worker == PARTS["worker"]["command"]
    assert " ".join(daily) in PARTS["daily"]["command"][-1]
    assert PARTS["upgrade"]["command"] == ["bin/upgrade"]


def test_the_image_says_where_to_listen_by_a_variable_and_the_unit_by_its_socket() -> None:
    assert IMAGES["site"].environment["GUNICORN_CMD_ARGS"] == "--bind=0.0.0.0:8000"
    assert IMAGES["site"].all("EXPOSE") == ["8000"]
    path = read_unit(UNITS, "club-web.socket").value("Socket", "ListenStream")
    assert f"unix:{path}" in (DEPLOY / "nginx.conf").read_text()
    assert f"unix/{path}" in (DEPLOY / "Caddyfile").read_text()
    assert f"SITE_SOCKET={path}" in (ROOT / "bin/site").read_text()


# --- units ----------------------------------------------------------------------------------------------------
@each_service
def test_a_service_is_nobody_in_particular_and_writes_only_data(name: str) -> None:
    unit = read_unit(UNITS, name)
    kept = {key: unit.value("Service", key) for key in ("User", "ProtectSystem", "ReadWritePaths", "NoNewPrivileges")}
    assert kept == {
        "User": "club",
        "ProtectSystem": "strict",
        "ReadWritePaths": "/srv/club-data",
        "NoNewPrivileges": "yes",
    }
    assert unit.value("Service", "EnvironmentFile") == "/etc/club.env"
    own = ["CLUB_COUNTERS=/run/club-web"] if name == "club-web.service" else []
    assert unit.values("Service", "Environment") == own, "everything else comes from the file"
    assert unit.value("Service", "CapabilityBoundingSet", "all") == ""


def test_the_target_is_the_whole_site() -> None:
    wanted = read_unit(UNITS, "club.target").value("Unit", "Wants").split()
    assert {re.sub(r"@\d", "@", name) for name in wanted} == {
        path.name for path in UNITS.iterdir() if path.name not in ("club.target", "club-daily.service")
    }
    assert [name for name in wanted if name.startswith("club-worker@")] == [
        "club-worker@1.service",
        "club-worker@2.service",
    ]
    for name in (*wanted, "club-daily.service"):
        assert read_unit(UNITS, name).value("Unit", "PartOf") == "club.target", name


def test_what_ends_is_started_again_without_end() -> None:
    for name in SERVICES[:2]:
        unit = read_unit(UNITS, name)
        assert unit.value("Service", "Restart") == "always"
        assert unit.value("Unit", "StartLimitIntervalSec") == "0"


def test_the_web_server_has_time_to_end_its_answers() -> None:
    unit = read_unit(UNITS, "club-web.service")
    answers = float(unit.command[unit.command.index("--graceful-timeout") + 1])
    assert answers < unit.seconds("TimeoutStopSec", 90)
    for name in WEBS:
        assert answers < float(PARTS[name]["stop_grace_period"].rstrip("s"))


def test_the_counters_lie_on_memory_where_no_full_disk_reaches_them() -> None:
    """And not beside the socket, which stays while the web server starts again and is the proxy's to enter."""
    unit = read_unit(UNITS, "club-web.service")
    folder = f"/run/{unit.value('Service', 'RuntimeDirectory')}"
    assert unit.value("Service", "Environment") == f"CLUB_COUNTERS={folder}"
    assert unit.value("Service", "RuntimeDirectoryMode") == "0700"
    socket = Path(read_unit(UNITS, "club-web.socket").value("Socket", "ListenStream"))
    assert not socket.is_relative_to(folder)
    keys = [key for key in unit.sections["Service"] if key.startswith("Environment")]
    assert keys == ["Environment", "EnvironmentFile"], "whoever names another folder in the file has it"
    for part in (PARTS[name] for name in WEBS):
        mounts = dict(each.split(":") for each in part["tmpfs"])
        assert "/tmp" in mounts
        options = dict(option.split("=") for option in mounts[part["environment"]["CLUB_COUNTERS"]].split(","))
        assert f"{options['uid']}:{options['gid']}" == part["user"]
        assert int(options["size"].rstrip("m")) * 2**20 >= 2 * LEAST_ROOM
        assert options["mode"] == "0700"


@pytest.fixture
def analyze() -> str:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed: nobody reads the units as their manager does")
    return program


@pytest.fixture
def placed(tmp_path: Path) -> Path:
    """The units as they would lie, with the program where they look for it."""
    program = tmp_path / "srv" / "club"
    program.mkdir(parents=True)
    (program / ".venv").symlink_to(sys.prefix)
    folder = tmp_path / "units"
    folder.mkdir()
    for path in UNITS.iterdir():
        (folder / path.name).write_text(moved(path.read_text(), tmp_path))
    return folder


def test_their_manager_understands_every_line(analyze: str, placed: Path) -> None:
    names = ["club.target", "club-web.socket", "club-daily.timer", *SERVICES]
    for name in (name for name in names if "@1" in name):
        (placed / name).symlink_to(placed / name.replace("@1", "@"))
    done = subprocess.run(
        [analyze, "verify", "--man=no", "--recursive-errors=one", *(str(placed / name) for name in names)],
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if "club" in line]
    assert (said, done.returncode) == ([], 0)


@pytest.mark.parametrize("name", ["club-web.service", "club-worker@.service", "club-daily.service"])
def test_a_service_is_shut_in(analyze: str, name: str) -> None:
    limit = f"--threshold={LARGEST_EXPOSURE}"
    command = [analyze, "security", "--offline=true", "--no-pager", limit, str(UNITS / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr


# --- variables ------------------------------------------------------------------------------------------------
def test_every_variable_is_one_the_settings_know() -> None:
    known = set(re.findall(r"^([A-Z_]{5,}) ", clubrating.settings.__doc__ or "", re.MULTILINE))
    assert {"CLUB_DATA", "CLUB_SECRET_KEY", "DATABASE_URL"} <= known
    of_parts = set(chain.from_iterable(PARTS[name]["environment"] for name in OF_THE_SITE))
    assert set(names_in("club.env")) | of_parts <= known


def test_what_a_person_fills_in_is_what_the_compose_file_asks_for() -> None:
    asked = set(re.findall(r"\$\{(\w+)", COMPOSE_TEXT))
    assert set(names_in("compose.env")) == asked


@pytest.mark.parametrize("name", VARIABLES)
def test_containers_do_not_start_without_name_secret_and_password(name: str) -> None:
    with pytest.raises(KeyError, match=name):
        read_compose(COMPOSE_TEXT, VARIABLES | {name: ""})


def test_no_secret_stands_in_any_file() -> None:
    assert re.search(r"^CLUB_SECRET_KEY=$", (DEPLOY / "club.env").read_text(), re.MULTILINE)
    for name in ("CLUB_SECRET_KEY", "CLUB_DATABASE_PASSWORD"):
        assert re.search(rf"^{name}=$", (DEPLOY / "compose.env").read_text(), re.MULTILINE)
    set_in_images = chain.from_iterable(image.environment for image in IMAGES.values())
    assert not [name for name in set_in_images if re.search("SECRET|PASSWORD|URL|TOKEN", name)]
    assert not [image.name for image in IMAGES.values() if image.all("ARG")]


# --- image ----------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_linter_finds_nothing_in_the_image() -> None:
    assert linted("hadolint", "--no-color", DEPLOY / "Dockerfile") == ""


def test_images_are_built_on_named_versions() -> None:
    bases = [image.base for image in IMAGES.values()]
    assert bases
    for name in (*bases, *(part["image"] for part in PARTS.values() if "build" not in part)):
        assert re.fullmatch(r"[a-z]+:\d+[\w.-]*", name), name


@pytest.mark.parametrize("name", ["site", "proxy"])
def test_nobody_in_an_image_is_root(name: str) -> None:
    user = IMAGES[name].all("USER")[-1]
    assert re.fullmatch(r"\d{5}:\d{5}", user)
    words = [word for word, _rest in IMAGES[name].instructions]
    assert "RUN" not in words[words.index("USER") :]
    for part in WEBS if name == "site" else [name]:
        assert PARTS[part]["user"] == user


def test_only_what_the_site_runs_with_goes_into_the_image() -> None:
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*", "first nothing, then what is named"
    let_in = {rule.removeprefix("!") for rule in rules if rule.startswith("!")}
    assert all((ROOT / path).exists() for path in let_in)
    files = {"docs/deploy/Caddyfile", "docs/api.md", "docs/lab.md", "manage.py", "pyproject.toml", "requirements.txt"}
    assert let_in == files | {"bin", "static", "templates"} | {
        path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name not in ("tests", "benchmarks")
    }


def test_files_the_program_reads_beside_itself_are_in_the_image() -> None:
    """Its version stands in pyproject.toml, and a page of the lab shows an example out of the docs."""
    rules = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    apps = [path.parent for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests"]
    sources = "".join(path.read_text() for app in apps for path in app.rglob("*.py"))
    parts = re.findall(r'BASE_DIR((?: / "[\w.]+")+)', sources)
    read = {"/".join(re.findall(r'"(.+?)"', each)) for each in parts}
    wanted = {name for name in read if (ROOT / name).is_file()}
    assert {"pyproject.toml", "docs/lab.md"} <= wanted
    assert not [name for name in wanted if not {f"!{name}", f"!{name.partition('/')[0]}"} & set(rules)]


# --- containers -----------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_linter_finds_nothing_grave_in_the_compose_file() -> None:
    assert linted("compose-lint", DEPLOY / "compose.yaml") == ""


def test_there_are_two_of_each() -> None:
    assert PARTS["worker"]["deploy"]["replicas"] == 2
    assert set(PARTS) == {*OF_THE_SITE, "database", "proxy"}
    assert PARTS["web-1"] == PARTS["web-2"]


def test_the_proxy_knows_each_web_server_by_name() -> None:
    """With one name for both, one that is killed takes the other with it for five seconds."""
    assert PARTS["proxy"]["environment"]["CLUB_UPSTREAM"].split() == [f"{name}:8000" for name in WEBS]
    assert set(WEBS) <= set(PARTS["proxy"]["depends_on"])
    assert not [name for name in WEBS if "replicas" in PARTS[name].get("deploy", {})]


def test_whoever_watches_the_web_servers_asks_each_by_its_name() -> None:
    for name in WEBS:
        hosts = PARTS[name]["environment"]["CLUB_ALLOWED_HOSTS"].split(",")
        assert hosts == [VARIABLES["CLUB_HOST"], *WEBS]
    page = (ROOT / "docs/operations.md").read_text()
    assert "targets: [" + ", ".join(f'"{name}:8000"' for name in WEBS) + "]" in page
    shared = COMPOSE["x-site"]["environment"]
    assert {**PARTS["web-1"]["environment"], "CLUB_ALLOWED_HOSTS": VARIABLES["CLUB_HOST"]} == shared


def test_the_database_of_the_set_up_is_not_taken_for_the_one_that_stays() -> None:
    """The image's first server, which is stopped again, listens on its socket only."""
    assert "--host=127.0.0.1" in PARTS["database"]["healthcheck"]["test"]


@each_part
def test_a_container_writes_nowhere_and_may_nothing(name: str) -> None:
    part = PARTS[name]
    assert part["read_only"] is True
    assert part["cap_drop"] == ["ALL"]
    assert part["security_opt"] == ["no-new-privileges:true"]
    assert part["user"].split(":")[0] not in ("", "0", "root")
    assert part.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert "mem_limit" in part
    assert not part.get("privileged")
    assert not [volume for volume in part.get("volumes", []) if volume.startswith(("/", "."))]


@each_part
def test_a_container_that_stays_is_looked_after(name: str) -> None:
    part = PARTS[name]
    if name == "upgrade":
        assert part["restart"] == "no"
    else:
        assert part["restart"] == "unless-stopped"
    assert part["healthcheck"].get("disable") or part["healthcheck"]["test"][0] == "CMD"
    assert part["healthcheck"].get("disable", False) == (name in ("upgrade", "daily"))


def test_alive_is_asked_of_the_image_and_ready_of_the_web_servers() -> None:
    assert IMAGES["site"].health[-1].endswith("/healthz")
    for name in WEBS:
        assert PARTS[name]["healthcheck"]["test"][-1].endswith("/readyz")


def test_nothing_starts_before_the_upgrade_is_done() -> None:
    for name in (*WEBS, "worker", "daily"):
        assert PARTS[name]["depends_on"]["upgrade"] == {"condition": "service_completed_successfully"}
    assert PARTS["upgrade"]["depends_on"] == {"database": {"condition": "service_healthy"}}


def test_only_the_proxy_is_reached_from_outside_and_the_database_by_the_site_alone() -> None:
    assert [name for name, part in PARTS.items() if "ports" in part] == ["proxy"]
    assert PARTS["database"]["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert "inside" not in PARTS["proxy"]["networks"]
