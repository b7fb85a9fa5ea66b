"""`manage.py backtest GAMES.csv|--club`: how well each rating system would have told games before they were played.

A file needs no database; `--club` reads the club's own.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from clubrating.ground.marks import marked
from clubrating.ground.numbers import whole_number
from clubrating.site.research.selectors import CLUB, club_history, main_list
from ratings.lab.backtest import (
    COIN,
    CONTENDERS,
    GIVEN,
    SIDES_CONTENDERS,
    BackTest,
    Verdict,
    backtest,
    report,
    with_first_move,
)
from ratings.lab.measures import Entrant, History, entrant, given
from ratings.lab.sides_measures import ContestHistory, sides_entrant
from ratings.lab.summary import BLOCK, RESAMPLES
from tournaments.interchange.contests_csv import is_contests_file, make_contest_stream, read_contests
from tournaments.interchange.games_csv import read_games
from tournaments.interchange.players_csv import read_given_ratings
from tournaments.interchange.stream import make_stream
from tournaments.management.club_command import ClubCommand
from tournaments.management.file_command import FileCommand, bad_input, read_input, refuse_bad_rows
from tournaments.management.plain_command import seed

DEFAULT_BASELINE = "elo"
MOST_RESAMPLES = 100_000
FEW_GROUPS = 20  # fewer days or blocks than this, and the interval is drawn from too little


@dataclass(frozen=True, slots=True)
class Material:
    """What is put to the test: the games, how many rows they were read from, who may take part, and the baseline
    where none is named."""

    history: History | ContestHistory
    rows: int
    entrants: tuple[Entrant, ...]
    baseline: str


class Command(FileCommand, ClubCommand):
    help = f"""Back-test rating systems on real games: tell each game before it is rated, and score what was told.

The first half of the games (to the end of its last day) settles the ratings; only the second half is scored. Log-loss
is in nats (ln 2 = 0.693: a coin), a draw counts as half a win and half a loss; Brier is the mean squared error. The
difference is each system's log-loss minus the baseline's, below 0 is better, with a 95 % bootstrap interval drawn by
the day, or by blocks of {BLOCK} games in a file without dates. Systems without an expected score get a logistic of the
rating gap, fitted on the first half. With --first-move each system takes part a second time, with so many points added
for White, or the home side, as the first half says.

GAMES.csv is as for “manage.py rate”; forfeits are left out. With the columns white_rating and black_rating the ratings
given there take part as “{GIVEN}”. With --club the games are those of the club's main list, and “{CLUB}” are the
list's own rules; a file needs no database.

With --newcomers 60 only games are scored in which somebody had played fewer than 60: they show what rules for newcomers
are worth.

CONTESTS.csv, with the columns contest, side, place, player as for “manage.py rate”, is tested by its pairs of sides:
log-loss and Brier of “this side above that one”, and the ranked probability score of the places (less is better). Only
systems that rate such contests take part.

  manage.py backtest games.csv
  manage.py backtest games.csv --systems elo,glicko2 --baseline fide --json
  manage.py backtest games.csv --systems elo --first-move
  manage.py backtest contests.csv --systems elo,elo-sum,trueskill
  manage.py backtest --club"""

    def add_arguments(self, parser: CommandParser) -> None:
        known = ", ".join((*(each.key for each in CONTENDERS), GIVEN, CLUB))
        of_sides = ", ".join(each.key for each in SIDES_CONTENDERS)
        parser.add_argument("file", nargs="?", type=Path, metavar="GAMES.csv", help="the games, or contests")
        parser.add_argument("--club", action="store_true", help="the club's own games, of its main list")
        parser.add_argument(
            "--systems", metavar="A,B", help=f"{known} (default: all there are); of contests {of_sides}"
        )
        parser.add_argument("--baseline", metavar="KEY", help=f"compare with it (default: elo, {CLUB} with --club)")
        parser.add_argument("--pool", metavar="NAME", default="", help="only games of this pool of the file")
        parser.add_argument("--seed", type=seed, default=1, metavar="S", help="of the random numbers (default: 1)")
        parser.add_argument(
            "--resamples", type=_resamples, default=RESAMPLES, metavar="N", help=f"draws (default: {RESAMPLES})"
        )
        parser.add_argument("--first-move", action="store_true", help="also each system with White's advantage added")
        parser.add_argument("--newcomers", type=_newcomers, metavar="N", help="score only games of those with fewer")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["club"] == (options["file"] is not None):
            raise bad_input("Name a file of games, or --club for the club's own: one of the two.")
        if options["club"] and options["pool"]:
            raise bad_input("--pool belongs to a file: --club takes the games of the main list's pool.")
        room = ClubCommand if options["club"] else FileCommand
        room.handle(self, *args, **options)

    def run(self, *, file: Path | None, **options: Any) -> None:
        material = _club_material() if file is None else self._file_material(file, options["pool"].casefold())
        baseline = options["baseline"] or material.baseline
        if options["newcomers"] and isinstance(material.history, ContestHistory):
            raise bad_input("--newcomers belongs to games of two. Leave it out.")
        if options["first_move"] and isinstance(material.history, ContestHistory):
            raise bad_input("--first-move belongs to games: nobody has White in a contest. Leave it out.")
        chosen = _chosen(material, options["systems"], baseline)
        if options["first_move"]:
            chosen = (*chosen, *(with_first_move(each) for each in chosen))
        try:
            result = backtest(
                material.history,
                chosen,
                baseline,
                seed=options["seed"],
                resamples=options["resamples"],
                newcomers=options["newcomers"],
            )
        except ValueError as reason:
            raise bad_input(str(reason)) from None
        except ArithmeticError:
            raise bad_input("These games cannot be rated: a rating or an importance is out of proportion.") from None
        self._note(result)
        if options["json"]:
            values = {"games": material.rows, **report(result)}
            self.stdout.write(json.dumps(values, ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.writelines(f"{line}\n" for line in _lines(material, result))

    def _note(self, result: BackTest) -> None:
        """What the figures themselves do not say."""
        noun = _noun(result)
        if result.groups < 2:
            kind = "day" if result.by_day else f"block of {noun}"
            self.stderr.write(f"All scored {noun} are of one {kind}, so there is no interval.")
        elif result.groups < FEW_GROUPS:
            kind = "days" if result.by_day else "blocks"
            self.stderr.write(
                f"The interval is drawn from {result.groups} {kind} only and is too narrow to be trusted."
            )

    def _file_material(self, file: Path, pool: str) -> Material:
        source = read_input(file)
        with source.naming() as data:
            if is_contests_file(data):
                return self._contests(file, data, pool)
            games = read_games(data, today=self.today)
            ratings = read_given_ratings(data)
        refuse_bad_rows({file: sorted({*games.bad, *ratings.bad}, key=lambda row: row.line)})
        stream = make_stream(games.rows, today=self.today, pool=pool)
        history = History(stream.games, stream.birth_years, stream.dated, ratings.pairs)
        entrants = tuple(entrant(each) for each in CONTENDERS)
        beside = (given(GIVEN, marked("Ratings given in the file")),) if ratings.is_given else ()
        return Material(history, stream.rows, (*entrants, *beside), DEFAULT_BASELINE)

    def _contests(self, file: Path, data: bytes, pool: str) -> Material:
        """Raises UnreadableFileError."""
        contests = read_contests(data, today=self.today)
        refuse_bad_rows({file: contests.bad})
        stream = make_contest_stream(contests.rows, today=self.today, pool=pool)
        history = ContestHistory(stream.games, stream.birth_years, stream.dated)
        return Material(history, stream.rows, tuple(map(sides_entrant, SIDES_CONTENDERS)), DEFAULT_BASELINE)


def _club_material() -> Material:
    rating_list = main_list()
    if rating_list is None:
        raise bad_input("There is no rating list yet: make one in the administration, then its games are rated.")
    found = club_history(rating_list)
    return Material(found.history, len(found.history.games), found.entrants, CLUB)


def _chosen(material: Material, text: str | None, baseline: str) -> tuple[Entrant, ...]:
    """The systems named, the baseline before them if it is not among them. Raises CommandError."""
    there = {each.key: each for each in material.entrants}
    keys = list(there) if text is None else [key.strip() for key in text.split(",") if key.strip()]
    if not keys:
        raise bad_input(f"--systems names none; there are: {', '.join(there)}.")
    for key in (*keys, baseline):
        if key not in there:
            raise bad_input(_unknown(key, there))
    if len(set(keys)) < len(keys):
        raise bad_input("--systems names one twice: name each once.")
    return tuple(there[key] for key in ([] if baseline in keys else [baseline]) + keys)


def _unknown(key: str, there: dict[str, Entrant]) -> str:
    if key == GIVEN:
        return f"“{GIVEN}” needs a file with the columns white_rating and black_rating."
    if key == CLUB:
        return f"“{CLUB}” are the rules of the club's own list: it takes part with --club only."
    return f"There is no system “{key}”; there are: {', '.join(there)}."


# --- arguments ------------------------------------------------------------------------------------------------------
def _newcomers(text: str) -> int:
    games = whole_number(text, digits=5)
    if not games:
        raise argparse.ArgumentTypeError(f"“{text}” is no number of games: write 1 to 99999")
    return games


def _resamples(text: str) -> int:
    draws = whole_number(text)
    if draws is None or not 100 <= draws <= MOST_RESAMPLES:
        raise argparse.ArgumentTypeError(f"“{text}” is no number of draws: write 100 to {MOST_RESAMPLES}")
    return draws


# --- lines ----------------------------------------------------------------------------------------------------------
def _noun(result: BackTest) -> str:
    return "games" if result.pairs is None else "contests"


def _lines(material: Material, result: BackTest) -> Iterator[str]:
    """The back-test for people, best first."""
    noun = _noun(result)
    kind = "days" if result.by_day else f"blocks of {BLOCK} {noun}"
    pairs = "" if result.pairs is None else f", with {result.pairs} pairs of sides"
    played = len(material.history.games)
    which = "the last" if result.newcomers is None else f"of those with fewer than {result.newcomers} games,"
    yield f"{noun.capitalize()}: {material.rows}, played: {played}. Scored: {which} {result.scored}{pairs}."
    yield f"Baseline: {result.baseline}. A coin: {COIN:.4f}."
    yield f"Interval: 95 %, {result.resamples} draws of {kind}, of which there are {result.groups}."
    yield ""
    width = max(len(each.entrant.key) for each in result.verdicts)
    ranked = "" if result.pairs is None else "  ranked"
    yield f"{'':{width}}  log-loss   Brier{ranked}  difference  from … to"
    for each in sorted(result.verdicts, key=lambda verdict: verdict.log_loss):
        scores = f"{each.log_loss:8.4f}  {each.brier:6.4f}" + ("" if each.ranked is None else f"  {each.ranked:6.4f}")
        yield f"{each.entrant.key:{width}}  {scores}  {_difference(each)}{_notes(each)}"
    yield ""
    yield from _calibration_lines(noun, next(each for each in result.verdicts if each.entrant.key == result.baseline))


def _difference(verdict: Verdict) -> str:
    mean, low, high = verdict.difference
    interval = "no interval" if low is None or high is None else f"{low:+.4f} … {high:+.4f}"
    return f"{mean:+10.4f}  {interval}"


def _notes(verdict: Verdict) -> str:
    slope = "" if verdict.slope is None else f"  logistic of the gap, slope {verdict.slope:.3g}"
    white = "" if verdict.first_move is None else f"  {verdict.first_move:+.0f} points for White"
    return slope + white + (f"  told as ½ for want of a rating: {verdict.untold}" if verdict.untold else "")


def _calibration_lines(noun: str, verdict: Verdict) -> Iterator[str]:
    """Expected and real score of White, or of the first side of each pair, bin by bin; the baseline's only."""
    who, what = ("White", "games") if noun == "games" else ("the first side", "pairs")
    yield f"{verdict.entrant.key}: {what} told so, and how {who} scored (95 %)"
    bins: Sequence[Any] = [each for each in verdict.calibration if each.games]
    for each in bins:
        low, high = each.interval
        mark = "" if each.holds else "  off"
        yield f"  {each.expected:.3f}  {each.score:.3f}  ({low:.3f} … {high:.3f})  {what} {each.games}{mark}"
