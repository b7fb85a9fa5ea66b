"""docs/deploy.md says what can be followed, and the proxies' configurations beside it keep what it promises of them."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rehearsal import containers, machine
from tests.rehearsal.places import Tools, moved
from tests.rehearsal.plans import DEPLOY, GUIDE, ROOT, guide_blocks, read_compose, read_images

# Blocks no rehearsal can run, and what they would need.
NOT_REHEARSED = {("With nginx", 0): "a public name"}
# What the settings have the site say behind TLS (tests/clubrating/ops/test_headers.py).
TLS_HSTS = "max-age=31536000; includeSubDomains; preload"
COMPOSE_TEXT = (DEPLOY / "compose.yaml").read_text()
VARIABLES = {"CLUB_HOST": "club.example", "CLUB_SECRET_KEY": "s" * 60, "CLUB_DATABASE_PASSWORD": "word"}
PARTS = read_compose(COMPOSE_TEXT, VARIABLES)["services"]


# --- the guide ------------------------------------------------------------------------------------------------
def followed() -> Iterator[tuple[str, int]]:
    """Heading and number of every block a rehearsal runs."""
    blocks = guide_blocks(GUIDE.read_text())
    source = (Path(machine.__file__).read_text(), Path(containers.__file__).read_text())
    for heading, numbers in re.findall(r'follow\("([^"]+)"((?:, \d)*)', "".join(source)):
        chosen = [int(number) for number in re.findall(r"\d", numbers)]
        yield from ((heading, number) for number in chosen or range(len(blocks[heading])))


def test_every_block_of_the_guide_is_rehearsed() -> None:
    blocks = {
        (heading, number) for heading, found in guide_blocks(GUIDE.read_text()).items() for number in range(len(found))
    }
    assert blocks - set(followed()) - {("On a machine of your own", 0)} == set(NOT_REHEARSED)


def test_the_guide_names_every_file_beside_it() -> None:
    text = GUIDE.read_text()
    for path in DEPLOY.iterdir():
        assert f"deploy/{path.name}" in text or path.name in text + COMPOSE_TEXT, path.name
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert (GUIDE.parent / target).exists(), target


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile", "club.env"])
def test_a_file_that_is_installed_has_the_name_to_be_replaced(name: str) -> None:
    assert "club.example.org" in (DEPLOY / name).read_text()


@pytest.mark.extended
def test_the_secret_is_on_no_command_line(tmp_path: Path) -> None:
    """`sh -x` prints every command with its words, as anybody on the machine may read them."""
    program, tools = tmp_path / "srv/club", Tools(tmp_path)
    (program / "docs/deploy").mkdir(parents=True)
    (program / "docs/deploy/club.env").write_text((DEPLOY / "club.env").read_text())
    (program / "bin").mkdir()
    (program / "bin/upgrade").write_text("#!/bin/sh\n")
    (program / "bin/upgrade").chmod(0o755)
    (block,) = guide_blocks(moved(GUIDE.read_text(), tmp_path))["Its user, its folder, its variables"]
    environment = tools.environment(SITE="club.example")
    done = subprocess.run(["sh", "-euxc", block], env=environment, capture_output=True, text=True, check=True)
    (secret,) = re.findall(r"^CLUB_SECRET_KEY=(.*)$", (tmp_path / "etc/club.env").read_text(), re.MULTILINE)
    assert len(secret) >= 50
    assert "CLUB_ALLOWED_HOSTS=club.example\n" in (tmp_path / "etc/club.env").read_text()
    assert (tmp_path / "etc/club.env").stat().st_mode & 0o777 == 0o600
    assert secret not in done.stderr + done.stdout


def git(folder: Path, *words: str) -> str:
    own = ["-c", "user.name=club", "-c", "user.email=club@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", str(folder), *own, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_after_the_way_back_the_next_upgrade_is_fetched(tmp_path: Path) -> None:
    """With the guide's own two lines, on a real history."""
    origin, site = tmp_path / "origin", tmp_path / "srv" / "club"
    origin.mkdir()
    git(origin, "init", "--quiet", "--initial-branch=main")

    def publish(version: str) -> None:
        (origin / "program").write_text(version)
        git(origin, "add", ".")
        git(origin, "commit", "--quiet", "--message", version)

    def follow(number: int, **extra: str) -> None:
        line = guide_blocks(moved(GUIDE.read_text(), tmp_path))["Upgrade"][number].splitlines()[0]
        assert line.startswith("git ")
        subprocess.run(["sh", "-euc", line], env={**os.environ, **extra}, check=True, capture_output=True)

    publish("1")
    git(tmp_path, "clone", "--quiet", str(origin), str(site))
    before = git(site, "rev-parse", "HEAD")
    publish("2")
    follow(0)
    follow(1, BEFORE=before)
    assert (site / "program").read_text() == "1"
    publish("3")
    follow(0)
    assert (site / "program").read_text() == "3"


def test_the_way_back_in_containers_names_parts_there_are() -> None:
    section = GUIDE.read_text().partition("## In containers")[2].partition("\n## ")[0]
    lines = re.findall(r"^    docker compose -f docs/deploy/compose\.yaml (.*)$", section, re.MULTILINE)
    verbs = {"exec", "run --rm", "up --detach --wait", "cp", "logs"}
    named = [re.match(rf"(?:{'|'.join(verbs)}) (\w[\w-]*)", line) for line in lines]
    parts = {match[1] for match in named if match}
    assert parts == {"upgrade", "database", "daily"}
    assert parts <= set(PARTS)
    back = section.partition("on the way back")[2]
    order = [
        "stop",
        "git reset",
        " build",
        "RENAME TO put_aside",
        "createdb",
        "--back",
        "up --detach --wait\n",
        "dropdb",
    ]
    assert [back.index(word) for word in order] == sorted(back.index(word) for word in order)
    database = PARTS["database"]["environment"]
    assert "ALTER DATABASE club RENAME" in back
    assert (database["POSTGRES_USER"], database["POSTGRES_DB"]) == ("club", "club")
    image = read_images((DEPLOY / "Dockerfile").read_text())["site"]
    assert image.environment["CLUB_CONTAINER"] == "1", "bin/upgrade sends its reader here"


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("deploy.md", ["put-aside-…", "after two weeks", "club.sqlite3*", "/srv/club-data/leaving"]),
        ("databases.md", ["Delete what you moved from", "club.sqlite3", "club.zip"]),
        ("backups.md", ["Out of reach", "put aside"]),
    ],
)
def test_copies_erasing_does_not_reach_are_named(page: str, words: list[str]) -> None:
    text = (ROOT / "docs" / page).read_text()
    assert [word for word in words if word not in text] == []


# --- what a proxy says and writes down by itself ------------------------------------------------------------------
def servers() -> list[str]:
    """The servers of nginx's configuration, comments left out."""
    text = re.sub(r"^\s*#.*\n", "", (DEPLOY / "nginx.conf").read_text(), flags=re.MULTILINE)
    return re.split(r"^server \{$", text, flags=re.MULTILINE)[1:]


def test_no_server_of_nginx_writes_down_who_asked_for_what() -> None:
    assert len(servers()) == 2
    for server in servers():
        assert "    access_log off;" in server
        # A socket that is missing is "crit", with the visitor's address in the line.
        assert re.findall(r"error_log \S+ (\w+);", server) == ["emerg"]


def test_caddy_writes_down_nobody_either() -> None:
    text = (DEPLOY / "Caddyfile").read_text()
    assert "exclude http.log.error http.handlers.reverse_proxy" in text
    assert not re.search(r"^\tlog\b(?! default)", text, re.MULTILINE), "no log of requests"


def test_what_a_proxy_answers_by_itself_is_asked_encrypted_only_too() -> None:
    """The same words as the site's, once: nginx adds them where the site has said nothing."""
    own = f'"{TLS_HSTS}"'
    nginx = servers()[1]
    assert f'"" {own};' in (DEPLOY / "nginx.conf").read_text()
    assert nginx.count("add_header Strict-Transport-Security $club_hsts always;") == 2, "one for all, one for the pause"
    pause = nginx.partition("location @pause")[2]
    assert "Strict-Transport-Security" in pause, "headers of the server's do not reach a place with some of its own"
    assert "Strict-Transport-Security" not in servers()[0]
    errors = (DEPLOY / "Caddyfile").read_text().partition("handle_errors")[2]
    assert f"header Strict-Transport-Security {own}" in errors


def test_a_proxy_lets_the_largest_upload_through() -> None:
    largest = 5 * 1024 * 1024
    (nginx,) = re.findall(r"client_max_body_size (\d+)m;", (DEPLOY / "nginx.conf").read_text())
    (caddy,) = re.findall(r"max_size (\d+)MB", (DEPLOY / "Caddyfile").read_text())
    assert int(nginx) * 1024 * 1024 > largest
    assert int(caddy) * 1000 * 1000 > largest
