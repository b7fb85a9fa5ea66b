"""`manage.py join_lists --club LIST.csv GAMES.csv …`: several clubs' lists on one scale, by key. No database."""

from itertools import takewhile, zip_longest
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from clubrating.site.one_scale.combined import Combined, as_csv, as_json, combine, digest_of
from clubrating.site.one_scale.inputs import (
    BRIDGES,
    KEYS,
    LETTERS,
    Most,
    UnusableInputError,
    games_file_of,
    list_of,
    read_inputs,
)
from tournaments.management.file_command import FileCommand, OutFiles, bad_input, read_input
from tournaments.management.plain_command import DIFFERENT, first

LARGEST = 100_000_000  # bytes of a file


class Command(FileCommand):
    help = """Put several clubs' rating lists on one scale by the few games between the clubs, keys in place of names.

--club names a club's list as downloaded (list.csv?on=YYYY-MM-DD) and the games it follows from ("manage.py
export_games --list …", best with --public); the first is club A, the next B. Each list is checked as "manage.py
verify_list" does. KEYS.csv has club, number, key: who of a list is which of the keys agreed. BRIDGES.csv has date,
white, black, result, by key. Printed are the shift of each list, with its deviation and 95 % interval, a
warning where these are not to be trusted yet, and the next bridge games that would tell most. --out and --json have
these and the combined list.

Status 0: done, or with --verify: the combined file follows from these files. 1: it does not. 2: a file cannot be used.

  manage.py join_lists --club a.csv a-games.csv --club b.csv b-games.csv --keys keys.csv --bridges bridges.csv
      --out combined.csv --json combined.json
  manage.py join_lists … --verify combined.csv"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--club",
            type=Path,
            nargs=2,
            action="append",
            required=True,
            metavar=("LIST.csv", "GAMES.csv"),
            help="a club's list and its games; two to eight times",
        )
        parser.add_argument("--keys", type=Path, required=True, metavar="KEYS.csv", help="club, number, key")
        parser.add_argument("--bridges", type=Path, required=True, metavar="BRIDGES.csv", help="games between clubs")
        parser.add_argument("--out", type=Path, metavar="COMBINED.csv", help="write the combined list")
        parser.add_argument("--json", type=Path, metavar="COMBINED.json", help="write the same as JSON")
        parser.add_argument("--verify", type=Path, metavar="COMBINED.csv", help="compare with a combined list")

    def run(self, *, club: list[list[Path]], keys: Path, bridges: Path, **options: Any) -> None:
        if not 2 <= len(club) <= len(LETTERS):
            raise bad_input(f"Clubs are joined, two to {len(LETTERS)} of them: give --club that many times.")
        if options["verify"] is not None and (options["out"] or options["json"]):
            raise bad_input("--verify writes nothing: leave --out and --json out.")
        paths = {KEYS: keys, BRIDGES: bridges}
        for letter, (list_path, games) in zip(LETTERS, club, strict=False):
            paths |= {list_of(letter): list_path, games_file_of(letter): games}
        combined = self._combined(paths)
        if options["verify"] is not None:
            self._verify(as_csv(combined), options["verify"])
            return
        with OutFiles(paths.values()) as files:
            for path, write in ((options["out"], as_csv), (options["json"], as_json)):
                if path is not None:
                    files.open(path).write(write(combined))
        self.stdout.write(_as_text(combined))

    def _combined(self, paths: dict[str, Path]) -> Combined:
        data = {name: read_input(path, LARGEST).data for name, path in paths.items()}
        for name, read in data.items():
            if len(read) > LARGEST:
                raise bad_input(f"{paths[name].name} is larger than {LARGEST:,} bytes: leave out what is not needed.")
        try:
            return combine(read_inputs(data, today=self.today, most=Most()))
        except UnusableInputError as refusal:
            for line in first([f"{paths[problem.file].name}: {problem.text}" for problem in refusal.problems]):
                self.stderr.write(line)
            raise bad_input(f"Nothing was written. Mistakes: {len(refusal.problems)}, see above.") from None

    def _verify(self, text: str, path: Path) -> None:
        stands = read_input(path, LARGEST).data.decode(errors="replace").splitlines()
        pairs = enumerate(zip_longest(stands, text.splitlines()), start=1)
        different = [f"line {number}: {_apart(it, is_to)}" for number, (it, is_to) in pairs if it != is_to]
        for line in first(different):
            self.stdout.write(line)
        if different:
            raise CommandError(f"Different: {len(different)} lines.", returncode=DIFFERENT)
        self.stdout.write(f"equal: {path.name} follows from these files, digest {digest_of(text)}")


def _apart(it: str | None, is_to: str | None) -> str:
    """Where two lines of a file part; None is a line behind its end."""
    alike = takewhile(lambda signs: signs[0] == signs[1], zip(it or "", is_to or "", strict=False))
    begin = max(sum(1 for _signs in alike) - 40, 0)
    parts = ("nothing" if line is None else f"“{line[begin : begin + 80]}”" for line in (it, is_to))
    return "is {}, computed {}".format(*parts)


def _as_text(combined: Combined) -> str:
    lines = [
        f"the list of club {club} was not checked: its rules look at years of birth, and its games do not tell them"
        for club in combined.made_from["not_checked"]
    ]
    if unused := combined.made_from["shared_without_place"]:
        lines.append(f"keys of two clubs that join nothing, for want of a place in one of the lists: {unused}")
    for row in combined.shifts[1:]:
        lines.append(
            f"club {row.club}: {row.shift:+.1f}, deviation {row.deviation:.1f}, 95 % from {row.low:+.1f} to "
            f"{row.high:+.1f}; still assumed {row.assumed:.0%}; {row.placed} with a place, {row.keys} of them "
            "with a key"
        )
        lines += [f"  {row.warning}"] if row.warning else []
    lines += [
        f"next between {row.club} and {row.other}, board {row.board}: {row.key} – {row.other_key}; the deviation of "
        f"the difference falls from {row.now:.1f} to {row.after:.1f}"
        for row in combined.next_games
    ]
    return "\n".join([*lines, f"combined list: {len(combined.rows)} keys, digest {digest_of(as_csv(combined))}"])
