"""A place below a folder for everything the guide puts in `/srv`, `/etc` and `/run`: the program as it would be
fetched, the texts that name those places, and the programs that would change the machine and are only noted."""

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from tests.rehearsal.plans import ROOT

SITE = "club.rehearsal.example"
COMMIT = "1" * 40
PASSWORD = "a board in the corner"
# What an image or a checkout holds, and nothing besides.
PROGRAM = ("bin", "clubrating", "players", "ratings", "tournaments", "static", "templates", "docs/deploy")
FILES = ("manage.py", "pyproject.toml", "docs/lab.md", "requirements.txt", "requirements-lab.txt")
# Of other roots only these are written to; the rest of what the guide names is the system's.
_PLACES = re.compile(r"(?<!\w)/(srv|etc|run)/")
NOTED = ("apt-get", "certbot", "curl", "groupadd", "nginx", "useradd", "usermod")
NOTE = '#!/bin/sh\necho "${0##*/} $*" >>"$REHEARSAL_NOTES"\n'
# As whoever rehearses: files get their modes, not their owners.
INSTALL = """#!/bin/sh
set -eu
for word; do
    shift
    case $word in -o | -g) drop=1 ;; *) if [ -n "${drop:-}" ]; then drop=''; else set -- "$@" "$word"; fi ;; esac
done
mkdir -p "$REHEARSAL_ROOT/etc"
exec /usr/bin/install "$@"
"""
# As whoever rehearses: a server believes the name.
RUNUSER = """#!/bin/sh
echo "runuser $*" >>"$REHEARSAL_NOTES"
PGUSER=$2
export PGUSER
shift 3
exec "$@"
"""
GIT = f"""#!/bin/sh
echo "git $*" >>"$REHEARSAL_NOTES"
case "$1 $*" in
    clone*) mkdir -p "${{3%/*}}" && cp -R "$2" "$3" ;;
    *rev-parse*) echo {COMMIT} ;;
esac
"""
_TEXTS = {**dict.fromkeys(NOTED, NOTE), "install": INSTALL, "git": GIT, "runuser": RUNUSER}
Say = Callable[[str], None]


def moved(text: str, root: Path) -> str:
    """The text with the places it names moved below `root`."""
    return _PLACES.sub(lambda match: f"{root}/{match[1]}/", text)


def copy_program(tree: Path, root: Path) -> None:
    """The program as it would be fetched, with its places below `root`; its environment is the one we run in."""
    for name in PROGRAM:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", ".env"))
    for name in FILES:
        shutil.copy(ROOT / name, tree / name)
    for path in [tree / "bin" / "site", *filter(Path.is_file, (tree / "docs" / "deploy").rglob("*"))]:
        path.write_text(moved(path.read_text(encoding="utf-8"), root), encoding="utf-8")
    (tree / ".venv").symlink_to(sys.prefix)


def plain_environment(**extra: str) -> dict[str, str]:
    """What a service manager or a container hands on: nothing of whoever started the rehearsal."""
    path = os.environ.get("PATH", "/usr/bin:/bin")
    return {"PATH": path, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", **extra}


class Tools:
    """The programs that take others' places, in a folder of their own; `notes` is where they write what was asked."""

    def __init__(self, root: Path) -> None:
        self.root, self.folder, self.notes = root, root / "tools", root / "notes.txt"
        self.folder.mkdir()
        for name, text in _TEXTS.items():
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def environment(self, **extra: str) -> dict[str, str]:
        """What a person's shell has in it, these programs first; nothing is installed."""
        own = {"CLUB_ENV_READY": "1", "REHEARSAL_NOTES": str(self.notes), "REHEARSAL_ROOT": str(self.root), **extra}
        return plain_environment(**own) | {"PATH": f"{self.folder}:{os.environ['PATH']}"}
