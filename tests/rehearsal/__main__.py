"""`bin/rehearse`: see `--help`."""

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.rehearsal.containers import in_containers
from tests.rehearsal.machine import on_a_machine
from tests.rehearsal.stand_in import RehearsalError

# Which proxy each of the two ways needs.
WAYS = {"machine": (on_a_machine, "nginx"), "containers": (in_containers, "caddy")}
FAILED = 1


def say(text: str) -> None:
    sys.stdout.write(f"   {text}\n")
    sys.stdout.flush()


def rehearse(name: str, *, strict: bool) -> bool:
    """One of the ways, in a folder of its own; whether all went well. What is left out counts where it is strict."""
    way, proxy = WAYS[name]
    if shutil.which(proxy) is None:
        print_line(f"== {name}: left out, {proxy} is not installed (Debian: apt install {proxy})")
        return not strict
    print_line(f"== {name}")
    began = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="club-"))
    try:
        way(folder, say)
    except RehearsalError as failure:
        sys.stderr.write(f"{name}: {failure}\nWhat was there is kept in {folder}.\n")
        return False
    shutil.rmtree(folder)
    say(f"all of it in {time.monotonic() - began:.0f} s")
    return True


def print_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    reader = argparse.ArgumentParser(
        prog="bin/rehearse",
        description="Puts the site up as docs/deploy.md says, in a temporary folder, and asks what it promises.",
        epilog="What is not installed is left out with a word; where CI is set in the environment, it is a failure.",
    )
    reader.add_argument("ways", nargs="*", metavar="WAY", help=f"{' or '.join(WAYS)} (default: both)")
    asked = reader.parse_args(arguments).ways or list(WAYS)
    if unknown := set(asked) - set(WAYS):
        reader.error(f"there is no way {', '.join(sorted(unknown))}: write {' or '.join(WAYS)}")
    well = [rehearse(name, strict=bool(os.environ.get("CI"))) for name in asked]
    print_line("bin/rehearse: all went well" if all(well) else "bin/rehearse: FAILED")
    return 0 if all(well) else FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
