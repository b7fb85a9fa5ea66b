"""Speed of pairing and of standings, without a database: against a stretch of time, and against the libraries of the
field.

The events are simulated: everybody plays every round, results follow strengths. A library is asked for the same round;
what it needs to be told in its own words is got ready beforehand, and not counted.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings

from benchmarks.measure import Measured, Run, compare, missing, seconds
from tournaments.interchange.pairing_of_report import round_as_paired
from tournaments.interchange.standings_of_report import contest_of, report_of_simulation
from tournaments.interchange.trf import Report, write_report
from tournaments.interchange.trf.games import points_of, worths
from tournaments.interchange.trf.terms import points_text
from tournaments.pairing.base import Field, PairedRound
from tournaments.pairing.dutch.competitor import Competitor, competitors_of
from tournaments.pairing.dutch.system import Dutch
from tournaments.pairing.round_robin import berger_table
from tournaments.pairing.simulation import Habits, Plan, simulate
from tournaments.standings.rank import rank
from tournaments.standings.tiebreaks import tiebreaks_of

EVERYBODY_PLAYS = Habits(late=0, half_bye=0, zero_bye=0, leaves=0, forfeit=0, both_forfeit=0)
TEN_TIEBREAKS = "DE,BH/C1,BH,BH/M1,SB,WIN,PS,AOB,KS,TPR"
CLUB_PLAYERS = 60
TIMES = 3
_SEED = 1
START = 0.5  # seconds
BBP_PROGRAM = "CLUB_BBP_PAIRINGS"  # the variable that names the program's file
BBP_EVENTS = 3
BBP_GOAL = 3
_BBP = "bbpPairings, compiled"


def measure_rounds(players: int) -> Iterator[Measured]:
    """Everything; `players` of the large events (the goals are for 200)."""
    club, open_event = simulated(CLUB_PLAYERS, 7), simulated(players, 9)
    yield _within(f"next round of {CLUB_PLAYERS} players, the last of 7", _pairing(club, 7), 1.0)
    yield _within(f"next round of {players} players, the last of 9", _pairing(open_event, 9), 5.0)
    same = f"next round of {CLUB_PLAYERS} players, rules of 2026"
    yield _against("caissify-pairings", same, lambda: caissify_round(club))
    for size in (CLUB_PLAYERS, players, 2 * players):
        for number in (2, 9):
            older = f"round {number} of {size} players, rules of 2025"
            yield _against("py4swiss", older, partial(py4swiss_round, size, number))
            yield against_bbp(size, number)
    large = simulated(players, 11)
    yield _within(f"standings of {players} players after 11 rounds, ten tie-breaks", _standings(large), 0.2)
    yield _within("Berger table of 40", lambda: berger_table(40), 0.005)
    yield from _starts()


def simulated(players: int, rounds: int, edition: int = 2026, seed: int = _SEED) -> Report:
    """An event in which everybody plays every round."""
    settings = {"rounds": rounds, "first_colour": "white", "acceleration": "none"}
    plan = Plan(Dutch(), players, settings, edition=edition, habits=EVERYBODY_PLAYS)
    return report_of_simulation(simulate(plan, Random(seed)), f"{players} players")


def _within(what: str, run: Run, limit: float) -> Measured:
    """The best of a few runs against so many seconds."""
    best = min(seconds(run) for _time in range(TIMES))
    return Measured(what, f"{limit:g} s", best / limit, best, limit, goal=1)


def _starts() -> Iterator[Measured]:
    """Processor time of the commands that work on files alone, from their start to their end."""
    for name in ("pair", "standings", "rate"):
        best = min(_processor_seconds(name) for _time in range(TIMES))
        yield Measured(f"start of `{name}`, processor time", f"{START:g} s", best / START, best, START, goal=1)


def _processor_seconds(name: str) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "manage.py", name, "--help"], cwd=settings.BASE_DIR, capture_output=True, check=True
    )
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _pairing(report: Report, number: int) -> Run:
    return round_as_paired(report, number, 2026).pair


def _standings(report: Report) -> Run:
    rules, contest = tiebreaks_of(TEN_TIEBREAKS), contest_of(report, swiss=True)
    # A contest of its own each time: what follows from one is remembered.
    return lambda: rank(replace(contest), rules)


# --- libraries ------------------------------------------------------------------------------------------------
def _against(library: str, what: str, asked: Callable[[], tuple[Run, Run]]) -> Measured:
    """Our round against the library's; `asked` gives theirs and ours, and raises ModuleNotFoundError."""
    try:
        theirs, ours = asked()
    except ModuleNotFoundError:
        return missing(what, library, f"{library} is not installed", goal=1)
    return compare(what, ours, library, theirs, goal=1, rounds=TIMES)


def caissify_round(report: Report) -> tuple[Run, Run]:
    """The last round by caissify-pairings, and by us. Raises ModuleNotFoundError."""
    engine = import_module("caissify_pairings.engines.dutch").DutchEngine
    asked = round_as_paired(report, report.played_rounds, 2026)
    field = asked.field
    found = _for_caissify(field, asked.settings)

    def theirs() -> Any:
        return engine(
            players=found,
            previous_pairings={(min(one.white, one.black), max(one.white, one.black)) for one in field.meetings},
            round_number=field.round,
            total_rounds=asked.settings["rounds"],
            initial_color="white",
        ).generate_pairings()

    return theirs, asked.pair


def _for_caissify(field: Field, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [_told(player, field) for player in competitors_of(field, settings["rounds"], {})]


def _told(player: Competitor, field: Field) -> dict[str, Any]:
    floats = [float_.value or "none" for float_ in reversed(player.floats)]
    return {
        "id": player.number,
        "score": player.points / field.points.win,
        "rating": 0,
        "starting_number": player.number,
        "pairing_number": player.number,
        "color_hist": ["white" if white else "black" for white in player.colours],
        "float_history": ["none"] * (field.round - 1 - len(floats)) + floats,
        "bye_count": 0,
        "forfeit_win_count": 0,
    }


def py4swiss_round(players: int, number: int) -> tuple[Run, Run]:
    """A round of an event of 9 by py4swiss, and by us. Raises ModuleNotFoundError."""
    engine = import_module("py4swiss.engines").DutchEngine
    parser = import_module("py4swiss.trf").TrfParser
    report = simulated(players, 9, 2025)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "event.trf"
        file.write_bytes(write_report(_before(report, number), 16))
        found = parser.parse(file)
    return lambda: engine.generate_pairings(found), round_as_paired(report, number, 2025).pair


# --- bbpPairings ----------------------------------------------------------------------------------------------
def against_bbp(players: int, number: int) -> Measured:
    """A round of some events of 9 rounds, each in turns by the program that `CLUB_BBP_PAIRINGS` names and by us, by the
    rules of 2026, the only ones it knows. Ours is what the engine takes in this process, the file being read already;
    theirs is a whole run with the file less a run that is asked nothing. Where the pairs differ nothing is measured."""
    what = f"round {number} of {players} players, rules of 2026, {BBP_EVENTS} events"
    program = os.environ.get(BBP_PROGRAM, "")
    if not program:
        return missing(what, _BBP, f"{BBP_PROGRAM} does not name the program", goal=BBP_GOAL)
    start = min(seconds(lambda: _run([program])) for _time in range(2 * TIMES))
    own = their = 0.0
    for seed in range(_SEED, _SEED + BBP_EVENTS):
        report = simulated(players, 9, seed=seed)
        asked = round_as_paired(report, number, 2026)
        with TemporaryDirectory() as folder:
            file = Path(folder) / "event.trf"
            file.write_bytes(write_report(_before(report, number), 16))
            command = [program, "--dutch", str(file), "-p"]
            if _run(command).split()[1:] != _as_bbp_writes(asked.pair()):
                return missing(what, _BBP, f"it pairs event {seed} otherwise", goal=BBP_GOAL)
            measured = compare(what, asked.pair, _BBP, partial(_run, command), rounds=TIMES)
        own, their = own + (measured.seconds or 0), their + (measured.baseline_seconds or 0) - start
    return Measured(what, _BBP, own / their, own, their, BBP_GOAL)


def _run(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _as_bbp_writes(boards: PairedRound) -> list[str]:
    return [f"{number or 0}" for board in boards for number in (board.white, board.black)]


def _before(report: Report, number: int) -> Report:
    """The report as it stood before that round."""
    worth = worths(report)
    cut = (replace(player, cells=player.cells[: number - 1]) for player in report.players)
    players = tuple(replace(player, points=points_text(points_of(player, worth))) for player in cut)
    return replace(report, players=players)
