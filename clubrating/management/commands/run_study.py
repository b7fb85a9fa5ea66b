"""`manage.py run_study …`: the rating lab from the command line, without the club's database."""

import argparse
from collections.abc import Iterator, Mapping
from contextlib import closing, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from clubrating.ground.numbers import whole_number
from clubrating.site.studies.documents import (
    DOCUMENTS,
    INTERRUPTED,
    StoppedError,
    compile_for,
    engine_for,
    make_document,
    merge_into,
    open_journal,
    replicate,
)
from clubrating.site.studies.files import (
    REPORT,
    as_json,
    diary_lines,
    draw,
    findings_lines,
    read_stream,
    remove_old,
    small,
    stream_lines,
    study_lines,
    write_report,
)
from ratings.lab.contenders import CONTENDERS, STUDY, Contender, contenders
from ratings.lab.diary import LAST
from ratings.lab.diary_study import GAMES as DIARY_GAMES
from ratings.lab.diary_study import MINUS_ONE, DiaryStudy
from ratings.lab.game_log import stream_report
from ratings.lab.journal import NAME, AnyStudy, Gathered, JournalError, Order, whole_order
from ratings.lab.scenario_games import SCENARIOS
from ratings.lab.study import GAMES, STUDIES, Study, WorkerStoppedError, can_fork, without_curves
from tournaments.management.file_command import FileCommand, Progress, bad_input
from tournaments.management.plain_command import seed

REPLICATED = (*STUDIES, "diary")
MOST = 10_000_000
MOST_WORKERS = 256
NO_NUMBA = "Numba is not installed (requirements-lab.txt): running plainly. The figures are the same, it takes longer."


class Command(FileCommand):
    help = """Run a study of the rating lab. No database is touched, and the same seed gives the same figures, whatever
the number of workers or shards.

  imitator      six systems side by side on games of known strengths: how disordered is each one's table?
  newcomers     the same, 35 newcomers joining after every 22,000 games
  diary         a thousand knockouts in which strength decides, 31 games each; --bug minus-one: with the fault
  stream        the same measures on games you have: --games GAMES.csv --players PLAYERS.csv; no random numbers
  scenario KEY  the measures beyond the index, in a scenario such as shock
  findings      the author's findings put to the test
  trials        newcomers, a jump of strength, farming, and the ceiling of them all
  sides         contests with more than two: teams, tables, partners; --games are contests of one's own
  typed         the study's rules typed as formulas beside the shipped ones, and what typed systems stand beside
  masters       the masters' forecast: --games are events of the plain method, --replications chains of a tenth of them
  eras          comparisons across eras: do the intervals hold on invented careers? --games are evenings
  luck          what a season's change of rating is made of: do the intervals hold the truth?
  probation     newcomers whose K follows the number of games, or evidence: who is found sooner, in which world?
  pairings      evenings of a club, paired in five ways: how soon is its list right? --games are evenings
  scenarios, sweeps, diary-worlds
                the documents behind the lab's pages

Index 1 is the mean disorder after games 100, 200 … 10,000, index 2 after games 10,100 … 100,000; less is better.
With --out the directory gets replications.jsonl (a line as each replication is done), study.json (the report with its
curves), and the charts, tables and indices of the first replication. Interrupted, a run keeps what it has; --resume
goes on. Shards of one study, run anywhere, are put together with --merge.

GAMES.csv: winner, loser, or white, black, result; PLAYERS.csv: id (or player), strength, frequency. A drawn game
leaves League, Solo-Zerg, R2 and KD as they are, and counts as a game.

  manage.py run_study imitator --replications 100 --workers 2 --out study
  manage.py run_study imitator --replications 100 --out study --resume
  manage.py run_study newcomers --replications 1000 --shard 1/2 --out one
  manage.py run_study newcomers --merge one two --json
  manage.py run_study stream --games games.csv --players players.csv --json"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", choices=(*REPLICATED, "stream", *DOCUMENTS), help="what to run")
        parser.add_argument("key", nargs="?", metavar="KEY", help="which scenario")
        parser.add_argument("--games", metavar="N", help="games a replication (default: 100000, diary 31000)")
        parser.add_argument("--players", type=Path, metavar="PLAYERS.csv", help="who plays in a given stream")
        parser.add_argument("--replications", type=_count, metavar="R", help="how many (default: 10)")
        parser.add_argument("--seed", type=seed, metavar="S", help="of the random numbers (default: 1)")
        parser.add_argument("--systems", metavar="A,B", help="; ".join(f"{each.key}" for each in CONTENDERS))
        parser.add_argument("--bug", choices=(MINUS_ONE,), help="the diary with its fault")
        parser.add_argument("--workers", type=_workers, default=1, metavar="W", help="side by side (default: 1)")
        parser.add_argument("--shard", type=_shard, metavar="I/N", help="only this share of the replications")
        parser.add_argument("--out", type=Path, metavar="DIR", help="keep everything in a directory")
        parser.add_argument("--log", action="store_true", help="also write how every game was computed (with --out)")
        parser.add_argument("--resume", action="store_true", help="go on with what is in the directory (with --out)")
        parser.add_argument("--merge", nargs="+", type=Path, metavar="DIR", help="put shards together, run nothing")
        parser.add_argument("--document", type=Path, metavar="FILE", help="also write a small report for keeping")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run(self, *, study: str, **options: Any) -> None:
        _refuse_contradictions(study, options)
        if not find_spec("numba"):
            self.stderr.write(NO_NUMBA, style_func=str)
        try:
            if study == "stream":
                self._stream(options)
            elif study in DOCUMENTS:
                self._document(study, options)
            else:
                self._study(study, options)
        except JournalError as refusal:
            raise bad_input(str(refusal)) from None
        except WorkerStoppedError as refusal:
            raise CommandError(str(refusal)) from None
        except KeyboardInterrupt:
            raise CommandError("Interrupted.", returncode=INTERRUPTED) from None
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            raise bad_input(f"“{error.filename}” cannot be used ({(error.strerror or str(error)).lower()}).") from None

    # --- studies of many replications -------------------------------------------------------------------------
    def _study(self, kind: str, options: dict[str, Any]) -> None:
        order = _merge_order(kind, options) if options["merge"] else _order(kind, options)
        folder: Path | None = options["out"]
        if options["merge"]:
            results = self._merged(order, options["merge"], folder)
        else:
            results = self._replicated(order, folder, options)
        report = order.study.report(results)  # type: ignore[arg-type]
        kept = report | {"made_by": _made_by(order)}
        if folder is not None and order.shards == 1:
            write_report(folder / REPORT, kept)
        if options["document"] is not None:
            write_report(options["document"], small(kept, order, results))
        self._print(without_curves(report) if isinstance(order.study, Study) else report, options)

    def _replicated(self, order: Order, folder: Path | None, options: dict[str, Any]) -> Gathered:
        results: Gathered = order.study.begin()
        journal = None
        if folder is not None:
            # A journal of other parameters is refused before anything is removed.
            journal, results = open_journal(folder, order, resume=options["resume"])
            remove_old(folder, order)
        self._tell_of_workers(options)
        engine = engine_for(len(order.numbers) * order.study.games)
        progress = Progress(self.stderr, len(order.numbers), "replications")
        with nullcontext() if journal is None else closing(journal):
            try:
                compile_for(order.study, engine)
                replicate(order, engine, options["workers"], results, journal, progress.tell)
            except StoppedError as stopped:
                progress.end()
                raise _interrupted(stopped.done, order, folder) from None
        progress.end()
        if folder is not None:
            draw(folder, order, engine, self.stderr, log=options["log"])
        return results

    def _merged(self, order: Order, folders: list[Path], folder: Path | None) -> Gathered:
        if folder is not None and any(folder.resolve() == each.resolve() for each in folders):
            raise bad_input(f"“{folder}” is one of the shards: name another directory to write to.")
        journal = None if folder is None else open_journal(folder, order, resume=False)[0]
        progress = Progress(self.stderr, order.replications, "replications")
        with nullcontext() if journal is None else closing(journal):
            results = merge_into(folders, order, journal, progress.tell)
        progress.end()
        return results

    # --- a given stream, documents ----------------------------------------------------------------------------
    def _stream(self, options: dict[str, Any]) -> None:
        given = read_stream(Path(options["games"]), options["players"], self.today)
        if given.left_out:
            self.stderr.write(f"Games nobody played are left out: {given.left_out}.", style_func=str)
        names, strengths = zip(*((each.name, each.strength) for each in given.people), strict=True)
        self._print(stream_report(names, strengths, given.games, _systems(options["systems"], STUDY)), options)

    def _document(self, kind: str, options: dict[str, Any]) -> None:
        wanted, key = DOCUMENTS[kind], options["key"] or ""
        games, replications = _size(options, wanted.games, wanted.replications)
        seed, chosen = _given(options["seed"], 1), _systems(options["systems"], wanted.contenders)
        if wanted.is_shared:
            self._tell_of_workers(options)
        elif options["workers"] > 1:
            self.stderr.write(f"{kind} runs in one process: --workers is not used.", style_func=str)
        try:
            report = make_document(kind, key, games, replications, seed, chosen, self.stderr, options["workers"])
        except ValueError as refusal:
            raise bad_input(str(refusal)) from None
        made_by = f"manage.py run_study {f'{kind} {key}'.strip()} --games {games} --replications {replications}"
        made_by += f" --seed {seed}" + (f" --systems {options['systems']}" if options["systems"] else "")
        for path in (options["document"], options["out"] and options["out"] / REPORT):
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_report(path, report | {"made_by": made_by})
        self._print(report, options)

    def _tell_of_workers(self, options: Mapping[str, Any]) -> None:
        if options["workers"] > 1 and not can_fork():
            self.stderr.write("Workers cannot run side by side on this system: running one after another.")

    def _print(self, report: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(as_json(report))
        else:
            self.stdout.writelines(f"{line}\n" for line in _lines(report))


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    writers = {**dict.fromkeys(STUDIES, study_lines), "diary": diary_lines, "findings": findings_lines}
    if report.get("study") in writers:
        return writers[report["study"]](report)
    if not report.keys() & {"study", "scenario", "scenarios"}:
        return stream_lines(report)
    return iter([as_json(report)])


# --- arguments ------------------------------------------------------------------------------------------------
def _count(text: str) -> int:
    """An argument that counts something, from 1."""
    count = whole_number(text)
    if count is None or not 1 <= count <= MOST:
        raise argparse.ArgumentTypeError(f"“{text}” is no whole number from 1 to {MOST}")
    return count


def _workers(text: str) -> int:
    count = _count(text)
    if count > MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"{count} workers are too many: write at most {MOST_WORKERS}")
    return count


def _shard(text: str) -> tuple[int, int]:
    """ "2/5" as (2, 5)."""
    own, all_of_them = (whole_number(part) for part in text.partition("/")[::2])
    if own is None or all_of_them is None or not 1 <= own <= all_of_them <= MOST:
        raise argparse.ArgumentTypeError(f"“{text}” is no shard: write 1/3, 2/3 and 3/3 for three of them")
    return own, all_of_them


def _given(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


def _systems(text: str | None, otherwise: tuple[Contender, ...] | Any) -> tuple[Contender, ...]:
    """The systems named, or those the study has. Raises CommandError naming what there is."""
    if text is None:
        return tuple(otherwise)
    keys = [key.strip() for key in text.split(",") if key.strip()]
    known = [each.key for each in CONTENDERS]
    wrong = [key for key in keys if key not in known]
    if wrong or not keys:
        named = f"There is no system “{wrong[0]}”" if wrong else "--systems names none"
        raise bad_input(f"{named}; there are: {', '.join(known)}.")
    if len(set(keys)) < len(keys):
        raise bad_input("--systems names one twice: name each once.")
    return contenders(keys)


def _size(options: Mapping[str, Any], games: int, replications: int) -> tuple[int, int]:
    """Games of a replication, replications. Raises CommandError."""
    try:
        asked = games if options["games"] is None else _count(options["games"])
    except argparse.ArgumentTypeError as refusal:
        raise bad_input(f"--games {refusal}.") from None
    return asked, _given(options["replications"], replications)


def _order(kind: str, options: Mapping[str, Any]) -> Order:
    games, replications = _size(options, DIARY_GAMES if kind == "diary" else GAMES, 10)
    shard, shards = options["shard"] or (1, 1)
    if shard > replications:
        raise bad_input(f"--shard {shard}/{shards} has nothing to do: there are {replications} replications.")
    seed = _given(options["seed"], 1)
    if kind != "diary":
        study: AnyStudy = Study(kind, games, seed, _systems(options["systems"], STUDY))
    elif games < LAST.games:
        raise bad_input(f"--games {games} is less than a tournament: they have {LAST.games} games each.")
    else:
        study = DiaryStudy(games - games % LAST.games, seed, options["bug"] == MINUS_ONE)
    return Order(study, replications, shard, shards)


def _merge_order(kind: str, options: Mapping[str, Any]) -> Order:
    """The order the shards were made by. Raises CommandError where it is not the one asked for, JournalError."""
    order = whole_order([folder / NAME for folder in options["merge"]])
    asked = {
        "study": kind,
        "games": options["games"] and _size(options, 0, 0)[0],
        "replications": options["replications"],
        "seed": options["seed"],
        "systems": options["systems"] and [each.key for each in _systems(options["systems"], ())],
        "bug": options["bug"],
    }
    values = order.document()
    for name, value in asked.items():
        if value is not None and values.get(name) != value:
            raise bad_input(f"The shards have {name} {values.get(name)}, not {value}: ask for what they are of.")
    return order


def _made_by(order: Order) -> str:
    """The command line that makes the report again."""
    study = order.study
    line = f"manage.py run_study {study.kind} --games {study.games} --replications {order.replications}"
    line += f" --seed {study.seed}"
    if isinstance(study, DiaryStudy):
        return line + (f" --bug {MINUS_ONE}" if study.bug else "")
    return line if study.contenders == STUDY else f"{line} --systems {','.join(study.keys)}"


def _interrupted(done: int, order: Order, folder: Path | None) -> CommandError:
    text = f"Interrupted: {done} of {len(order.numbers)} replications are done"
    text += ", and lost without --out." if folder is None else f" and kept in {folder}; --resume goes on."
    return CommandError(text, returncode=INTERRUPTED)


def _refuse_contradictions(study: str, options: Mapping[str, Any]) -> None:
    """Options that do not go together. Raises CommandError with the remedy."""
    is_replicated = study in REPLICATED
    has_own_systems = study == "diary" or (study in DOCUMENTS and not DOCUMENTS[study].contenders)
    needless = study == "stream" and (options["out"] or options["document"] or options["workers"] > 1)
    complaints = {
        "--resume and --log need --out DIR.": (options["resume"] or options["log"]) and options["out"] is None,
        "stream needs --games GAMES.csv and --players PLAYERS.csv.": study == "stream"
        and (options["games"] is None or options["players"] is None),
        "--players belongs to stream.": study != "stream" and options["players"] is not None,
        "stream writes no files and needs one worker: leave --out, --document and --workers out.": needless,
        "--bug belongs to diary.": study != "diary" and options["bug"] is not None,
        f"{study} has its own systems: leave --systems out.": has_own_systems and options["systems"] is not None,
        f"Scenarios are: {', '.join(each.key for each in SCENARIOS)}.": study == "scenario"
        and options["key"] not in {each.key for each in SCENARIOS},
        "KEY belongs to scenario.": study != "scenario" and options["key"] is not None,
        f"--shard, --merge, --resume and --log belong to {', '.join(REPLICATED)}.": not is_replicated
        and any(options[name] for name in ("shard", "merge", "resume", "log")),
        "--merge runs nothing: leave --shard, --resume and --log out.": options["merge"]
        and any(options[name] for name in ("shard", "resume", "log")),
    }
    for sentence, is_wrong in complaints.items():
        if is_wrong:
            raise bad_input(sentence)
