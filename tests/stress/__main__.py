"""`bin/stress`: see `--help`."""

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from tests.cluster import TOOLS
from tests.stress.evening import Size
from tests.stress.faults import FAULTS
from tests.stress.report import as_text
from tests.stress.running import run

MOST_MINUTES = 120


def say(text: str) -> None:
    sys.stderr.write(f"   {text}\n")
    sys.stderr.flush()


def reader() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(
        prog="bin/stress",
        description="Hours of club evenings in minutes, on a club of its own and on this machine alone: arbiters"
        " enter and correct, members reload, the worker works, while processes are killed, the disk is filled and"
        " clocks jump.",
        epilog="Status 0: nothing acknowledged was lost, the ledger equalled its replay after every fault, and nobody"
        " saw an error but while something was broken.",
    )
    found.add_argument("--minutes", type=float, default=5, metavar="N", help="(default: 5)")
    found.add_argument("--seed", type=int, default=1, metavar="S", help="of the people and the faults (default: 1)")
    found.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite", help="(default: sqlite)")
    found.add_argument("--faults", default=",".join(FAULTS), metavar="KINDS", help="(default: %(default)s)")
    found.add_argument("--json", action="store_true", help="the figures for a program")
    return found


def main(arguments: list[str]) -> int:
    parser = reader()
    asked = parser.parse_args(arguments)
    kinds = tuple(filter(None, asked.faults.split(",")))
    if unknown := set(kinds) - set(FAULTS):
        parser.error(f"there is no fault {', '.join(sorted(unknown))}: write {', '.join(FAULTS)}")
    if not 0 < asked.minutes <= MOST_MINUTES:
        parser.error(f"--minutes is more than 0 and at most {MOST_MINUTES}")
    if asked.database == "postgres" and not TOOLS:
        parser.error("no PostgreSQL is installed here (Debian: apt install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="club-"))
    found = run(
        folder,
        minutes=asked.minutes,
        seed=asked.seed,
        database=asked.database,
        kinds=kinds,
        size=Size(),
        say=say,
    )
    sys.stdout.write(json.dumps({**asdict(found), "good": found.is_good}, indent=2) if asked.json else as_text(found))
    if found.is_good:
        shutil.rmtree(folder)
        return 0
    say(f"What was there is kept in {folder}.")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
