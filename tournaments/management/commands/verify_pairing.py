"""`manage.py verify_pairing FILE.json`: does a certificate prove its Swiss round? No database, no engine."""

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from clubrating.ground.numbers import whole_number
from tournaments.management.file_command import FileCommand, Progress, bad_input, read_input
from tournaments.management.plain_command import DIFFERENT, seed
from tournaments.pairing.certificates.checker import LARGEST, Unusable, check_file
from tournaments.pairing.certificates.rules import MOST_PLAYERS, Refused
from tournaments.pairing.certificates.trial import MOST, Trial, try_out

_MOST_TRIED, _PART, _MOST_WORKERS = 1_000_000, 100, 64


class Command(FileCommand):
    help = """Check the certificate of a Swiss round, and say “proven” or why it is refused.

Where it is proven, each score group is told with the criteria that fail in it: no other pairing has fewer failures by
the first criterion in which they differ.

FILE.json is downloaded from the round's page (/tournaments/<event>/rounds/<n>/certificate.json). It has the results
before the round, by numbers, the boards, and a proof that no other pairing comes before them by the FIDE (Dutch)
System. Nothing else is needed: no database, no network, and not the program that paired the round.

With --trial N random rounds are made instead: each certificate must be accepted, and each of several alterations of it
refused. --out keeps what came of it as JSON.

Status 0: proven. 1: refused (or, of a trial, something came out wrong). 2: no usable file.

  manage.py verify_pairing certificate.json
  manage.py verify_pairing --trial 10000 --seed 1 --out trial.json"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", metavar="FILE.json", help="the certificate")
        parser.add_argument("--trial", type=_rounds, metavar="N", help="try so many random rounds instead")
        parser.add_argument("--seed", type=seed, default=1, metavar="S", help="of the random rounds (default: 1)")
        parser.add_argument("--players", type=_players, default=MOST, metavar="P", help=f"at most (default: {MOST})")
        parser.add_argument("--workers", type=_workers, default=1, metavar="W", help="processes (default: 1)")
        parser.add_argument("--out", type=Path, metavar="F.json", help="write what came of the trial to a file")

    def run(self, *, file: Path | None, trial: int | None, **options: Any) -> None:
        if (file is None) == (trial is None):
            raise bad_input("Name a certificate, or a number of rounds to be tried (--trial N).")
        if file is not None:
            self._check(file)
        elif trial is not None:
            self._try(trial, options["seed"], options["players"], options["workers"], options["out"])

    def _check(self, path: Path) -> None:
        try:
            found = check_file(read_input(path, LARGEST).data)
        except Refused as reason:
            raise CommandError(f"refused: {reason}", returncode=DIFFERENT) from None
        except Unusable as reason:
            raise bad_input(f"{path.name}: {reason}") from None
        self.stdout.writelines(f"{line}\n" for line in found.lines())

    def _try(self, rounds: int, seed: int, players: int, workers: int, out: Path | None) -> None:
        found, progress = Trial(), Progress(self.stderr, rounds, "rounds")
        sizes = [min(_PART, rounds - done) for done in range(0, rounds, _PART)]
        with ProcessPoolExecutor(workers) as pool:
            for part in pool.map(try_out, sizes, repeat(seed), repeat(players), range(len(sizes))):
                found.add(part)
                progress.tell(found.rounds)
        progress.end()
        if out is not None:
            told = {"seed": seed, "players": players, **found.told()}
            self.write_out(json.dumps(told, indent=1) + "\n", out)
        self.stdout.writelines(f"{line}\n" for line in _lines(found))
        if found.failed:
            raise CommandError(f"Wrong: {len(found.failed)}.", returncode=DIFFERENT)


def _lines(found: Trial) -> list[str]:
    told = found.told()
    lines = [f"{told['accepted']} of {told['rounds']} rounds accepted"]
    for kind, counts in told["altered"].items():
        words = ", ".join(f"{count} {word}" for word, count in counts.items())
        lines.append(f"{kind}: {words}")
    return [*lines, *found.failed]


def _rounds(text: str) -> int:
    return _whole(text, 1, _MOST_TRIED)


def _players(text: str) -> int:
    return _whole(text, 2, MOST_PLAYERS)


def _workers(text: str) -> int:
    return _whole(text, 1, _MOST_WORKERS)


def _whole(text: str, least: int, most: int) -> int:
    number = whole_number(text)
    if number is None or not least <= number <= most:
        raise argparse.ArgumentTypeError(f"“{text}” is no whole number from {least} to {most}")
    return number
