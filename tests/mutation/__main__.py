"""What is each test worth? Plants faults in copies of the project and counts those that no test finds.

    bin/mutate WORK                200 faults in this project, found by its tests; goes on where it stopped
    bin/mutate WORK --tree DIR     in another checkout of it
    bin/mutate WORK --after OTHER  the faults of an earlier run, each asked first of the test that found it there
    bin/mutate WORK --short        by what bin/test runs: no slow test is recorded, and none is asked
    bin/mutate WORK --table        what has been found so far

WORK gets faults.json (what is planted), first.json (which test is asked first), tests.jsonl and reached.tsv (which test
takes how long and reaches what) and verdicts.jsonl (what became of each). Recording takes as long as the tests; a fault
that is found takes a second or two, one that is not found half a minute or more. Nothing in the checkout changes.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue

from tests.mutation.faults import SHARES, Fault, draw, find_faults
from tests.mutation.reach import plant_recorder, read_reach, read_tests
from tests.mutation.trial import READERS, Loaded, Verdict, copy_of, in_order, nearness, run_all, try_fault, within

ROOMS = ("clubrating", "players", "ratings", "tournaments")
NOT_PLANTED = ("/migrations/", "/demo/")  # what is not the running club


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bin/mutate", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("work", type=Path)
    parser.add_argument("--tree", type=Path, default=Path.cwd())
    parser.add_argument("--after", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    patience = "seconds of tests tried for a fault, as they were recorded (0: all of them); record with nothing beside"
    parser.add_argument("--patience", type=float, default=0, help=patience)
    parser.add_argument("--short", action="store_true", help="record what bin/test runs; slow tests are not asked")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    work = options.work.absolute()
    work.mkdir(parents=True, exist_ok=True)
    if not options.table:
        faults = faults_of(work, options.tree.absolute(), options.after, options.count, options.seed)
        record(work, options.tree.absolute(), faults, options.short)
        try_all(work, options.tree.absolute(), faults, options.processes, options.patience)
    return table(work)


def faults_of(work: Path, tree: Path, other: Path | None, count: int, seed: int) -> list[Fault]:
    """The faults of this run: kept in WORK, taken over from another run's folder, or drawn."""
    kept = work / "faults.json"
    if not kept.exists():
        found_by: dict[str, str] = {}
        if other:
            found_by = {verdict.fault: verdict.found_by for verdict in verdicts_of(other)}
            pairs = [(fault, moved(fault, tree)) for fault in read_faults(other / "faults.json")]
            faults = [now for _then, now in pairs if now]
            found_by = {str(now): found_by.get(str(then), "") for then, now in pairs if now}
        else:
            files = subprocess.check_output(["git", "ls-files", *ROOMS], cwd=tree, text=True).splitlines()
            own = [file for file in files if file.endswith(".py") and not any(part in file for part in NOT_PLANTED)]
            faults = draw({file: (tree / file).read_bytes() for file in own}, count, seed)
        (work / "first.json").write_text(json.dumps(found_by, indent=1))
        kept.write_text(json.dumps([asdict(fault) for fault in faults], indent=1))
    return read_faults(kept)


def read_faults(file: Path) -> list[Fault]:
    return [Fault(**fault) for fault in json.loads(file.read_text())]


def verdicts_of(work: Path) -> list[Verdict]:
    kept = work / "verdicts.jsonl"
    return [Verdict(**json.loads(line)) for line in kept.read_text().splitlines()] if kept.exists() else []


def moved(fault: Fault, tree: Path) -> Fault | None:
    """The same change of the same function as it stands now, the nearest to its line; one that is gone is named."""
    file = tree / fault.path
    there = find_faults(fault.path, file.read_bytes()) if file.exists() else []
    same = [each for each in there if each.change == fault.change]
    if not same:
        sys.stdout.write(f"no longer there: {fault}\n")
        return None
    return min(same, key=lambda each: abs(each.line - fault.line))


def record(work: Path, tree: Path, faults: list[Fault], short: bool) -> None:
    """Run everything, or the `short` suite, once in a copy that records which test passes which place."""
    if (work / "reached").exists():
        return
    copy = copy_of(tree, work / "recording")
    tests, reached = work / "tests.jsonl", work / "reached.tsv"
    tests.unlink(missing_ok=True)
    reached.unlink(missing_ok=True)
    plant_recorder(faults, copy, reached)
    arguments = ["-p", "tests.mutation.recording", "-n", "auto", "--dist", "loadfile"]
    command = [sys.executable, "-m", "pytest", *arguments, *run_all(copy, short)]
    subprocess.run(command, cwd=copy, env=os.environ | {"FAULT_TESTS": str(tests)}, check=False)
    (work / "reached").touch()


def try_all(work: Path, tree: Path, faults: list[Fault], processes: int, patience: float) -> None:
    """Every fault that has no verdict yet, several at a time, each in a copy of its own."""
    recorded = read_tests(work / "tests.jsonl")
    seconds, slow = recorded.alone, recorded.slow
    reach = read_reach(work / "reached.tsv", seconds, recorded.demo)
    kept = work / "verdicts.jsonl"
    done = {verdict.fault for verdict in verdicts_of(work)}
    first = json.loads((work / "first.json").read_text())
    idle: SimpleQueue[Loaded] = SimpleQueue()
    all_loaded = [Loaded(copy_of(tree, work / f"copy-{number}")) for number in range(processes)]
    for loaded in all_loaded:
        loaded.wait()
        idle.put(loaded)

    def ordered(tests: set[str], fault: Fault) -> list[str]:
        # A missing lock or decorator is mostly found by the tests that read the source; for other faults they are slow.
        read = fault.kind == "lock" or fault.before.startswith("@")
        readers = sorted(test for test in tests if read and test.startswith(READERS))
        rest = within(patience, in_order(tests - set(readers), recorded, fault.path), recorded)
        return sorted([*readers, *rest], key=lambda test: test != first.get(str(fault)))

    def one(number: int, fault: Fault) -> Verdict:
        loaded = idle.get()
        try:
            # What is passed only while its module is loaded is reached by no test: those of its room are asked.
            reached = reach.get(number) or {test for test in seconds if nearness(test, fault.path) < 2}
            reached |= {test for test in seconds if test.startswith(READERS)}
            found, took = try_fault(loaded, number, fault, ordered(reached - slow, fault), seconds)
            later = ""
            if not found:
                later, more = try_fault(loaded, number, fault, ordered(reached & slow, fault), seconds)
                took += more
            return Verdict(str(fault), fault.kind, len(reached), found or later, bool(later), round(took, 1))
        finally:
            idle.put(loaded)

    with ThreadPoolExecutor(processes) as pool:
        waiting = [pool.submit(one, number, fault) for number, fault in enumerate(faults) if str(fault) not in done]
        for each in as_completed(waiting):
            verdict = each.result()
            with kept.open("a") as file:
                file.write(json.dumps(asdict(verdict), ensure_ascii=False) + "\n")
            sys.stdout.write(f"{verdict.found_by or 'NOT FOUND'} ({verdict.seconds:.0f} s) {verdict.fault}\n")
            sys.stdout.flush()
    for loaded in all_loaded:
        loaded.close()


def table(work: Path) -> int:
    """Found and missed by kind, then what was missed."""
    verdicts = verdicts_of(work)
    planted = Counter(verdict.kind for verdict in verdicts)
    found = Counter(verdict.kind for verdict in verdicts if verdict.found_by)
    short = Counter(verdict.kind for verdict in verdicts if verdict.found_by and not verdict.slow)
    sys.stdout.write("| kind | planted | found by bin/test | found by bin/test --all |\n|---|---|---|---|\n")
    for kind in SHARES:
        sys.stdout.write(f"| {kind} | {planted[kind]} | {short[kind]} | {found[kind]} |\n")
    sys.stdout.write(f"| all | {planted.total()} | {short.total()} | {found.total()} |\n")
    for verdict in verdicts:
        if not verdict.found_by:
            sys.stdout.write(f"missed, reached by {verdict.reached} tests: {verdict.fault}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
