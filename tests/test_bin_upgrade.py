"""bin/upgrade and bin/manage from outside: in which order what is done, and what is told where it fails.

A few lines of shell play the Python and the service manager; the real ones are in `bin/rehearse`.
"""

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from tests.bin_cases import ROOT, Done, environment, refusal, run

SECRET = "CLUB_SECRET_KEY=" + "s" * 60
# Notes what it is asked to do; fails where it is told to.
PYTHON = """#!/bin/sh
echo "python ${*#*/bin/}" | sed "s,$PLAY_PROJECT/,," >>"$PLAY_NOTES"
case "$*" in
    *" upgrade --keep"*) if [ -n "${PLAY_KEPT:-}" ]; then
        mkdir -p "$CLUB_DATA/backups"
        true >"$CLUB_DATA/backups/$PLAY_KEPT"
        [ -e "$CLUB_DATA/upgrade-kept" ] || echo "$CLUB_DATA/backups/$PLAY_KEPT" >"$CLUB_DATA/upgrade-kept"
        echo "Before the upgrade everything was kept: $PLAY_KEPT"
    fi ;;
    *" inspectdb"*) [ -z "${PLAY_TABLES:-}" ] || echo "class Player(models.Model):" ;;
    *" shell"*) env | grep -E "^(CLUB|DATABASE)_" ;;
esac
case "$*" in *"${PLAY_FAILS:-nothing}"*) echo "no room" >&2; exit 2 ;; esac
"""
SYSTEMCTL = """#!/bin/sh
[ -n "${PLAY_UNITS:-}" ] || exit 1
case $1 in is-enabled) exit 0 ;; esac
echo "systemctl $*" >>"$PLAY_NOTES"
"""
# Root on a machine whose data belong to the user club.
ROOT_WITH_A_CLUB = {
    "id": "#!/bin/sh\necho 0\n",
    "stat": "#!/bin/sh\necho club\n",
    "runuser": '#!/bin/sh\necho "as $2" >>"$PLAY_NOTES"\nshift 3\nexec "$@"\n',
}
GIT = "#!/bin/sh\necho abc1234\n"


class Play:
    """A project in a folder with a blank in its name, its data, the file of its variables, and the players."""

    def __init__(self, folder: Path) -> None:
        self.project, self.data, self.notes = folder / "my club", folder / "data", folder / "notes.txt"
        self.file = folder / "club.env"
        shutil.copytree(ROOT / "bin", self.project / "bin")
        for name, text in {".venv/bin/python": PYTHON, "tools/systemctl": SYSTEMCTL, "tools/git": GIT}.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        self.data.mkdir()
        self.says(f"CLUB_DATA={self.data}", SECRET)

    def says(self, *lines: str) -> None:
        """What the file of variables says."""
        self.file.write_text("\n".join(lines) + "\n")

    def start(self, script: str, *arguments: object, **extra: object) -> Done:
        own = {"CLUB_VENV": None, "CLUB_ENV_FILE": self.file, "PLAY_NOTES": self.notes, "PLAY_PROJECT": self.project}
        path = f"{self.project / 'tools'}:{environment()['PATH']}"
        return run(self.project / "bin" / script, *arguments, PATH=path, **(own | extra))

    def done(self) -> list[str]:
        """What was asked of Python and of the service manager, shortened."""
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        return [re.sub(r"python (manage\.py )?", "", line) for line in lines if "compileall" not in line]

    def variables(self) -> dict[str, str]:
        """The site's variables as a command of manage.py sees them."""
        done = self.start("manage", "shell")
        assert done.returncode == 0, done.stderr
        return dict(line.split("=", 1) for line in done.stdout.splitlines())


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return Play(tmp_path)


# --- the order of an upgrade ----------------------------------------------------------------------------------
def test_the_site_stands_still_from_the_backup_to_the_last_static_file(play: Play) -> None:
    done = play.start("upgrade", PLAY_UNITS=1, PLAY_KEPT="kept.zip")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert [line for line in play.done() if "healthcheck" not in line] == [
        "check --fail-level ERROR",
        "systemctl stop club.target",
        "upgrade --keep",
        "messages compile",
        "collectstatic --noinput --verbosity=0",
        "requeue_jobs --no-worker-runs",
        "systemctl daemon-reload",
        "systemctl start club.target",
    ]
    assert "was kept: kept.zip" in done.stdout
    assert not (play.data / "upgrade-kept").exists(), "it has gone well"
    assert done.stdout.splitlines()[-1] == "The site is up to date."
    assert (play.data / "program").read_text() == "abc1234\n"
    assert (play.data / "program").stat().st_mode & 0o077 == 0, "what lies in the data is nobody else's"
    asked = [line for line in play.done() if "healthcheck" in line]
    assert [line.split()[2] for line in asked] == ["/healthz", "/readyz"], "whether it answers again"


def test_a_neighbours_fault_is_no_reason_to_go_back(play: Play) -> None:
    assert play.start("upgrade", PLAY_UNITS=1, PLAY_FAILS="/readyz").returncode == 0


def test_in_a_container_nobody_is_asked_to_stop_or_start(play: Play) -> None:
    assert play.start("upgrade").returncode == 0
    assert not [line for line in play.done() if "systemctl" in line or "requeue" in line or "healthcheck" in line]


# --- what talks to a Redis server ------------------------------------------------------------------------------
@pytest.fixture
def installed(play: Play) -> Play:
    """Everything is installed but what a Redis server takes."""
    locks = ("requirements.txt", "requirements-lab.txt")
    for name in (*locks, "requirements-redis.txt"):
        (play.project / name).write_text("a==1\n")
    script = 'PROJECT=$1; . "$1/bin/env"; for name in $2; do lock_line "$name"; done'
    noted = run("sh", "-euc", script, "sh", play.project, " ".join(locks)).stdout
    (play.project / ".venv/locked").write_text(noted)
    return play


def pip_asked_for(play: Play, **extra: object) -> list[str]:
    """The lock files an upgrade installs."""
    play.notes.unlink(missing_ok=True)
    play.start("upgrade", CLUB_ENV_READY=None, **extra)
    return re.findall(r"pip install .*-r (\S+)", "\n".join(play.done()))


@pytest.mark.extended
@pytest.mark.parametrize("address", ["redis://cache.example.org:6379/0", "rediss://user:word@cache.example.org"])
def test_what_talks_to_a_redis_server_is_installed_where_one_is_named(installed: Play, address: str) -> None:
    installed.says(f"CLUB_DATA={installed.data}", SECRET, f"CLUB_CACHE_URL={address}")
    assert pip_asked_for(installed) == ["requirements-redis.txt"]
    assert pip_asked_for(installed) == [], "once"


@pytest.mark.extended
@pytest.mark.parametrize("line", ["CLUB_CACHE_URL=db://", "#CLUB_CACHE_URL=redis://cache.example.org", ""])
def test_where_none_is_named_nothing_is_installed_for_it(installed: Play, line: str) -> None:
    installed.says(f"CLUB_DATA={installed.data}", SECRET, line)
    assert pip_asked_for(installed) == []


def test_without_it_such_a_site_is_not_stopped(installed: Play) -> None:
    installed.says(f"CLUB_DATA={installed.data}", SECRET, "CLUB_CACHE_URL=redis://cache.example.org")
    lines = told(installed.start("upgrade", CLUB_ENV_READY=None, PLAY_UNITS=1, PLAY_FAILS="requirements-redis"))
    assert "pip could not install requirements-redis.txt" in lines[1]
    assert "the step “requirements”" in lines[3]
    assert "pip install" in installed.done()[-1], "nothing was started after it"
    (again,) = pip_asked_for(installed)
    assert again == "requirements-redis.txt", "the next start tries again"


# --- the way back ---------------------------------------------------------------------------------------------
def told(done: Done) -> list[str]:
    assert done.returncode == 2, done
    return done.stderr.strip().splitlines()


def test_a_failure_before_the_stop_changes_nothing(play: Play) -> None:
    lines = told(play.start("upgrade", PLAY_UNITS=1, PLAY_FAILS="check "))
    assert lines[0] == "no room"
    assert "the step “settings”" in lines[2]
    assert lines[3] == "The site and its data are as they were; do not restart it before this is done."
    assert play.done() == ["check --fail-level ERROR"]


@pytest.mark.extended
@pytest.mark.parametrize("step", ["upgrade --keep", "messages", "collectstatic", "/healthz"])
def test_a_failure_after_the_backup_tells_the_way_back_to_it(play: Play, step: str) -> None:
    (play.data / "program").write_text("0ld0ld0\n")
    lines = told(play.start("upgrade", PLAY_UNITS=1, PLAY_FAILS=step, PLAY_KEPT="kept.zip"))
    assert "The site stands still until this is done." in lines
    assert lines[-2:] == [
        f"    git -C {play.project} reset --keep 0ld0ld0",
        f"    {play.project}/bin/upgrade --back {play.data}/backups/kept.zip",
    ]
    assert (play.data / "program").read_text() == "0ld0ld0\n", "the way back stays the same"
    if step != "/healthz":
        assert "systemctl start club.target" not in play.done()


@pytest.mark.extended
def test_tried_again_and_failed_again_the_way_back_stays_the_first(play: Play) -> None:
    """The later backups hold what only the new program can read (tests/clubrating/ops/backups/test_way_back.py)."""
    for number, step in enumerate(["collectstatic", "messages", "check ", "/healthz"]):
        lines = told(play.start("upgrade", PLAY_UNITS=1, PLAY_FAILS=step, PLAY_KEPT=f"kept-{number}.zip"))
        assert lines[-1] == f"    {play.project}/bin/upgrade --back {play.data}/backups/kept-0.zip"
    assert play.start("upgrade", PLAY_UNITS=1, PLAY_KEPT="kept-4.zip").returncode == 0
    lines = told(play.start("upgrade", PLAY_UNITS=1, PLAY_FAILS="messages", PLAY_KEPT="kept-5.zip"))
    assert lines[-1].endswith("/backups/kept-5.zip"), "what went well is not gone back behind"


def test_a_try_that_changes_nothing_does_not_say_that_the_one_before_did_not(play: Play) -> None:
    told(play.start("upgrade", PLAY_UNITS=1, PLAY_FAILS="messages", PLAY_KEPT="kept.zip"))
    lines = told(play.start("upgrade", PLAY_UNITS=1, PLAY_FAILS="check "))
    assert "This try has changed nothing; how the one before it left the site, so it is." in lines


def test_a_backup_that_is_gone_is_no_way_back(play: Play) -> None:
    (play.data / "upgrade-kept").write_text(f"{play.data}/backups/gone.zip\n")
    lines = told(play.start("upgrade", PLAY_UNITS=1, PLAY_FAILS="check "))
    assert lines[-1] == f"    {play.project}/bin/upgrade"


def test_in_a_container_the_way_back_is_the_guides(play: Play) -> None:
    lines = told(play.start("upgrade", PLAY_FAILS="messages", PLAY_KEPT="kept.zip", CLUB_CONTAINER=1))
    assert lines[-4:] == [
        "The database may be of the new program already; do not start the old one on it.",
        "Put that right and start the same again, or go back to the program you had, as “In containers” in",
        "docs/deploy.md tells, with",
        f"    BACKUP={play.data}/backups/kept.zip",
    ]
    assert not [line for line in lines if "git" in line or "club.env" in line], "neither is there"


def test_without_a_backup_there_is_no_database_to_bring_back(play: Play) -> None:
    lines = told(play.start("upgrade", PLAY_UNITS=1, PLAY_FAILS="upgrade --keep"))
    assert lines[-2:] == [f"    put its folder back at {play.project}", f"    {play.project}/bin/upgrade"]


def test_on_postgresql_the_way_back_needs_an_empty_database(play: Play) -> None:
    play.says(f"CLUB_DATA={play.data}", SECRET, "DATABASE_URL=postgres:///club")
    lines = told(play.start("upgrade", PLAY_FAILS="messages", PLAY_KEPT="kept.zip"))
    assert f"    name a new, empty database as DATABASE_URL in {play.file}" in lines


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    file = tmp_path / "kept.zip"
    file.touch()
    return file


def test_on_the_way_back_the_newer_database_is_put_aside(play: Play, backup: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        (play.data / f"club.sqlite3{suffix}").write_text(f"newer{suffix}")
    (play.data / "upgrade-kept").write_text(f"{backup}\n")
    done = play.start("upgrade", "--back", backup, PLAY_UNITS=1)
    assert done.returncode == 0, done.stderr
    steps = [line for line in play.done() if "healthcheck" not in line]
    assert steps[:5] == [
        "check --fail-level ERROR",
        f"backup --verify {backup}",
        "systemctl stop club.target",
        "upgrade",
        f"restore --yes --verbosity=0 {backup}",
    ]
    (aside,) = play.data.glob("put-aside-*")
    assert sorted(path.name for path in aside.iterdir()) == ["club.sqlite3", "club.sqlite3-shm", "club.sqlite3-wal"]
    assert (aside / "club.sqlite3").read_text() == "newer"
    assert f"lies in {aside}. It is deleted after two weeks." in done.stdout
    assert not (play.data / "upgrade-kept").exists(), "nobody is on the way any more"


def test_a_damaged_backup_is_found_before_anything_stops(play: Play, backup: Path) -> None:
    (play.data / "club.sqlite3").touch()
    told(play.start("upgrade", "--back", backup, PLAY_UNITS=1, PLAY_FAILS="--verify"))
    assert not [line for line in play.done() if "systemctl" in line]
    assert (play.data / "club.sqlite3").exists()


def test_a_database_of_a_server_is_never_put_aside(play: Play, backup: Path) -> None:
    play.says(f"CLUB_DATA={play.data}", SECRET, "DATABASE_URL=postgres:///club")
    lines = told(play.start("upgrade", "--back", backup, PLAY_TABLES=1, PLAY_UNITS=1))
    assert "is not empty: name a new, empty one" in lines[0]
    assert not [line for line in play.done() if "restore" in line or "systemctl" in line]
    assert play.start("upgrade", "--back", backup).returncode == 0


# --- refusals -------------------------------------------------------------------------------------------------
def test_one_upgrade_at_a_time(play: Play) -> None:
    command = ["flock", str(play.project / "bin/upgrade"), "sh", "-c", "echo held; read line"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout
        assert other.stdout.readline() == "held\n"
        assert refusal(play.start("upgrade")) == "bin/upgrade is running already."
        other.communicate("\n")


def test_what_is_missing_is_named_with_the_remedy(play: Play, tmp_path: Path) -> None:
    assert "does not know --fast" in refusal(play.start("upgrade", "--fast"))
    assert "there is none called /no/file" in refusal(play.start("upgrade", "--back", "/no/file"))
    assert f"Cannot read {tmp_path}/no.env" in refusal(play.start("upgrade", CLUB_ENV_FILE=tmp_path / "no.env"))
    play.says(f"CLUB_DATA={play.data}")
    assert "The site has no secret: set CLUB_SECRET_KEY" in refusal(play.start("upgrade"))
    play.says(f"CLUB_DATA={tmp_path}/nowhere", SECRET)
    for script in ("upgrade", "manage"):
        assert f"There is no folder {tmp_path}/nowhere" in refusal(play.start(script))
    assert play.done() == []


def test_manage_says_where_nothing_is_installed_yet(play: Play) -> None:
    (play.project / ".venv/bin/python").unlink()
    assert "start bin/upgrade first" in refusal(play.start("manage", "check"))


def test_help_names_every_option(play: Play) -> None:
    done = play.start("upgrade", "--help")
    assert done.returncode == 0
    for word in ("--back", "--minimal", "CLUB_ENV_FILE"):
        assert word in done.stdout


def test_root_writes_no_file_of_the_sites(play: Play) -> None:
    """What touches the data is run by whoever owns them; the program and its environment stay root's."""
    for name, text in ROOT_WITH_A_CLUB.items():
        (play.project / "tools" / name).write_text(text)
        (play.project / "tools" / name).chmod(0o755)
    assert play.start("upgrade", PLAY_UNITS=1).returncode == 0
    lines = play.notes.read_text().splitlines()
    ran = [later for line, later in pairwise(lines) if line == "as club"]
    assert [line.split()[2] for line in ran if "manage.py" in line] == [
        *("check", "upgrade", "messages", "collectstatic", "requeue_jobs")
    ]
    assert len([line for line in lines if "manage.py" in line]) == 5, "none of them is root's"
    assert (play.data / "program").exists()
    assert not [line for line in ran if "healthcheck" in line or "compileall" in line]


# --- the file of variables ------------------------------------------------------------------------------------
def test_values_are_read_as_they_stand(play: Play) -> None:
    play.says(
        f"CLUB_DATA={play.data}",
        "# CLUB_HTTPS=0",
        "",
        "CLUB_HTTPS=1",
        'CLUB_MAIL_FROM="Chess Club <club@example.org>"',
        "CLUB_SECRET_KEY='$HOME `id` $(id) = #'",
        "CLUB_PROXIES=0",
        "CLUB_PROXIES=1",
    )
    read = play.variables()
    assert read["CLUB_HTTPS"] == "1"
    assert read["CLUB_MAIL_FROM"] == "Chess Club <club@example.org>"
    assert read["CLUB_SECRET_KEY"] == "$HOME `id` $(id) = #"
    assert read["CLUB_PROXIES"] == "1", "the last one counts"
    assert read["CLUB_DATA"] == str(play.data)


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("CLUB_HTTPS", "write NAME=value"),
        ("export CLUB_HTTPS=1", "write NAME=value"),
        ("1CLUB=1", "write NAME=value"),
        ("=1", "write NAME=value"),
        (r"CLUB_MAIL_URL=smtp://a:b\c@host", "has a backslash"),
        ('CLUB_MAIL_FROM=Chess "Club"', "quotes around the whole"),
        ('CLUB_MAIL_FROM="Chess "the" Club"', "a quote inside"),
        ("CLUB_MAIL_FROM= club@example.org", "quotes around the whole"),
    ],
)
def test_what_two_readers_could_read_differently_is_refused(play: Play, line: str, remedy: str) -> None:
    play.says(f"CLUB_DATA={play.data}", line)
    said = refusal(play.start("manage", "check"))
    assert said.startswith(f"{play.file}, line 2: ")
    assert remedy in said
    assert play.done() == []


def test_without_a_file_the_environment_counts(play: Play) -> None:
    if Path("/etc/club.env").exists():
        pytest.skip("a site is installed on this machine")
    done = play.start("manage", "shell", CLUB_ENV_FILE=None, CLUB_DATA=play.data, CLUB_HTTPS=1)
    assert "CLUB_HTTPS=1" in done.stdout.splitlines()
