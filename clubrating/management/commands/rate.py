"""`manage.py rate GAMES.csv` or `CONTESTS.csv`: a file of games, or of contests with sides, through any rating system,
without the club's database.

The same loop as the site's lists (`ratings.systems.replay`), so the numbers are the same to the last bit.
"""

import argparse
import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from datetime import date
from math import isfinite
from operator import attrgetter
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from clubrating.ground.figures import round_half_away
from clubrating.ground.numbers import whole_number
from clubrating.management.contest_lines import CONTEST_COLUMNS, member_line, start_line
from clubrating.management.rating_rule import KNOWN, Rule, read_rule
from clubrating.management.rule_checks import bad_rows, check_form, margin_notes
from ratings.systems import SYSTEMS
from ratings.systems.base import Period, PlayerState, Start
from ratings.systems.egf import HIGHEST, LOWEST, Egf, handicap_shift
from ratings.systems.replay import DatedRule, DatedRules, RatedGame, Row, Step, replay
from ratings.systems.rules import SkillSystem
from ratings.systems.sides import GamesAndContests, RatedMember
from tournaments.interchange.contests_csv import (
    ContestsFile,
    ContestStream,
    is_contests_file,
    make_contest_stream,
    read_contests,
)
from tournaments.interchange.games_csv import GamesFile, read_games
from tournaments.interchange.players_csv import GRADE, RUN_COLUMNS, PlayersFile, read_players
from tournaments.interchange.stream import Stream, make_starts, make_stream
from tournaments.interchange.tables_csv import in_order
from tournaments.management.file_command import (
    FileCommand,
    OutFiles,
    bad_input,
    read_input,
    refuse_bad_rows,
    write_table,
)

AnyGames = Stream | ContestStream
DEFAULT_SYSTEM = "elo"
RATINGS = (-100_000.0, 100_000.0)  # what a players' file may bring …
RATINGS_OF = {"kd": (0.0, 100.0), "egf": (LOWEST, HIGHEST)}  # … and where a system's scale is narrower
DEVIATIONS = (1.0, 1000.0)
# … and where a newcomer's is not in the hundreds.
DEVIATIONS_OF = {system.key: (0.001, 100_000.0) for system in SYSTEMS if isinstance(system, SkillSystem)}
EXTRAS = ("deviation", "volatility", "coefficient")

_SIDE = ("before", "games", "expected", "k", "change", "after")
_side = attrgetter(*_SIDE)
LEDGER_COLUMNS = (
    *("kind", "line", "date", "event", "white", "black", "score"),
    *(f"{colour}_{name}" for colour in ("white", "black") for name in _SIDE),
    *("player", "before", "after", "factor"),
)


class Command(FileCommand):
    help = """Rate a file of games with any rating system and print the list. No database is touched.

The first line of GAMES.csv names the columns: white, black, result (1, 0, 0.5, 1-0, 0-1, 1/2-1/2, +/-, -/+, -/-), or
winner and loser instead; also date (YYYY-MM-DD), event, white_points, black_points, importance, pool. Games are rated
by date and, within a day, in the order of the rows; without a date column in the order of the rows. Forfeits are not
rated. PLAYERS.csv: player (or id), and any of rating, games, peak, deviation, volatility, birth_year, k_factor (a K
fixed for this run); what it brings holds before the first game.

CONTESTS.csv, for two teams or more than two at a table, has one line a member: contest (a key), side (a number), place
(1 is first, equal places are a tie), player; also date, event, score (more is better), weight (share of the contest,
at least 0.001, at most 1), importance, pool. The rows of a contest stand together. Elo: --set sides=mean or sum,
normaliser=n-1, none or half.

What Elo takes of points and scores: --set margin=none, log, nfl, share or capped, margin_unit, margin_cap.

Go (--system egf): GAMES.csv may have handicap (stones Black is given, 0 to 9) and komi; PLAYERS.csv a grade (3k, 1d,
2p) for whom it has no rating.

With a bad row nothing is written, and all of them are listed.

  manage.py rate games.csv
  manage.py rate games.csv --preset fide --players players.csv --ledger ledger.csv
  manage.py rate games.csv --system glicko --set period=month c=30 --json
  manage.py rate games.csv --set margin=log margin_unit=100 margin_cap=3
  manage.py rate contests.csv --system trueskill --set sigma=25/3 draw_probability=0.02"""

    def add_arguments(self, parser: CommandParser) -> None:
        known = ", ".join(KNOWN)
        parser.add_argument("file", type=Path, metavar="GAMES.csv", help="the games, or contests")
        parser.add_argument("--system", default=DEFAULT_SYSTEM, metavar="KEY", help=f"{known} (default: elo)")
        parser.add_argument("--preset", metavar="NAME", help="settings by name (elo; default: fide-simple)")
        parser.add_argument(
            "--set", nargs="+", action="extend", default=[], metavar="NAME=VALUE", help="single settings of the system"
        )
        parser.add_argument("--players", type=Path, metavar="PLAYERS.csv", help="the ratings players bring")
        parser.add_argument("--pool", metavar="NAME", default="", help="only games of this pool (default: all games)")
        parser.add_argument(
            "--provisional", type=_count, default=30, metavar="N", help="games to an established rating (default: 30)"
        )
        parser.add_argument("--ratings", type=Path, metavar="OUT.csv", help="write the list to a file")
        parser.add_argument("--ledger", type=Path, metavar="OUT.csv", help="write every game and what it changed")
        parser.add_argument("--json", action="store_true", help="print one JSON object, ratings unrounded")

    def run(self, *, file: Path, players: Path | None, **options: Any) -> None:
        rule = read_rule(options["system"], options["preset"], options["set"])
        stream, people = self._read(file, players, rule, options["pool"].casefold())
        self._note_handicaps(rule, stream)
        self._check_periods(rule, stream)
        run = _Run(rule, stream, people, players, options["provisional"])
        with OutFiles((file, players)) as out:
            ledger, ratings = options["ledger"], options["ratings"]
            if ledger is not None:
                write_table(out.open(ledger), run.ledger_columns, run.ledger(), ledger)
            run.finish()
            if ratings is not None:
                header, lines = run.table()
                write_table(out.open(ratings), header, lines, ratings)
        self._note(run)
        if options["json"]:
            self.stdout.write(json.dumps(run.report(), ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.writelines(f"{line}\n" for line in run.text())

    def _read(self, file: Path, players: Path | None, rule: Rule, pool: str) -> tuple[AnyGames, PlayersFile]:
        """Both files; a bad row anywhere refuses both."""
        is_go = isinstance(rule.system, Egf)
        with read_input(file).naming() as data:
            has_sides = is_contests_file(data)
            check_form(rule, "contests" if has_sides else "games")
            games: GamesFile | ContestsFile = (read_contests if has_sides else read_games)(data, today=self.today)
        people, found = PlayersFile((), ()), {file: in_order([*games.bad, *bad_rows(games, rule)])}
        if players is not None:
            with read_input(players).naming() as data:
                key = rule.system.key
                also = (*RUN_COLUMNS, GRADE) if is_go else RUN_COLUMNS
                spans = {"ratings": RATINGS_OF.get(key, RATINGS), "deviations": DEVIATIONS_OF.get(key, DEVIATIONS)}
                people = read_players(data, today=self.today, also=also, **spans)
            found[players] = people.bad
        refuse_bad_rows(found)
        for note in margin_notes(games, rule):
            self.stderr.write(note)
        make: Any = make_contest_stream if has_sides else make_stream
        return make(games.rows, people.rows, today=self.today, pool=pool), people

    def _note_handicaps(self, rule: Rule, stream: AnyGames) -> None:
        """A system that has no place for stones and komi says so."""
        if rule.system.reads_handicap or isinstance(stream, ContestStream):
            return
        if found := sum(bool(game.handicap and handicap_shift(*game.handicap)) for game in stream.games):
            self.stderr.write(
                f"Games with handicap or unusual komi: {found}. {rule.system.name} rates them as even games; "
                "--system egf counts the stones."
            )

    def _check_periods(self, rule: Rule, stream: AnyGames) -> None:
        """A file without dates has no days and no months; its games without an event are one event."""
        period = rule.system.period(rule.settings)
        if stream.dated or not stream.games:
            return
        if period in (Period.DAY, Period.MONTH):
            raise bad_input(
                f"period {period.value} needs dates: give the file a column date, or choose --set period=game."
            )
        if period == Period.EVENT and any(game.event is None for game in stream.games):
            self.stderr.write("The file has no dates: all games that name no event are rated as one event.")

    def _note(self, run: "_Run") -> None:
        """What the list itself does not say."""
        if run.stream.games and not run.states:
            self.stderr.write(
                f"Nobody is rated: {run.rule.description} rates newcomers by games against rated players, "
                "and there is none; bring ratings with --players."
            )
        elif run.stream.rows and not run.rated:
            self.stderr.write("No game of the file is rated.")


class _Run:
    """One replay and what it leaves: the states by player, and how many games were rated."""

    def __init__(
        self, rule: Rule, stream: AnyGames, people: PlayersFile, players: Path | None, provisional: int
    ) -> None:
        self.rule, self.stream = rule, stream
        self.probation = rule.system.probation(rule.settings, provisional)
        self.states: dict[int, PlayerState] = {}
        self.rated = 0
        starts, bad = make_starts(stream, people.rows, newcomer=self._newcomer)
        if players is not None:
            refuse_bad_rows({players: bad})
        known = {field.name for field in fields(rule.settings)}
        self.ledger_columns = CONTEST_COLUMNS if isinstance(stream, ContestStream) else LEDGER_COLUMNS
        self._rows = self._replay(starts)
        self._extras = [name for name in EXTRAS if name in known]
        if isinstance(rule.system, SkillSystem):
            self._extras = ["deviation", "listed"]

    def _replay(self, starts: Iterable[Start]) -> Iterator[Row]:
        rule, stream, birth_years = self.rule, self.stream, self.stream.birth_years
        games = GamesAndContests((), stream.games) if isinstance(stream, ContestStream) else stream.games
        rules = DatedRules([DatedRule(date.min, rule.system, rule.settings)])
        return replay(games, starts, states=self.states, birth_years=birth_years, rules=rules)

    def _newcomer(self, birth_year: int | None) -> float | None:
        state = self.rule.system.newcomer(self.rule.settings, birth_year, self.stream.begins.toordinal())
        return None if state is None else state.rating

    def _drawn(self) -> Iterator[Row]:
        """The rows of the replay, the rated games among them counted. Raises CommandError where the numbers fail."""
        try:
            for row in self._rows:
                self.rated += isinstance(row, RatedGame | RatedMember) and row.is_rated
                yield row
        except ArithmeticError:
            raise bad_input(
                f"{self.rule.description} cannot rate these games: "
                "a starting rating or a setting is out of all proportion."
            ) from None

    def ledger(self) -> Iterator[Sequence[object]]:
        """One line a row of the replay, drawn as it is rated."""
        for row in self._drawn():
            yield _line(row, self.stream)

    def finish(self) -> None:
        """Rate what is not rated yet. Raises CommandError where a rating is no number."""
        for _ in self._drawn():
            pass
        for player, state in self.states.items():
            if not isfinite(state.rating):
                raise bad_input(f"The rating of “{self.stream.names[player]}” grew beyond all numbers.")
        if any(state.coefficient is not None for state in self.states.values()):
            self._extras.append("coefficient")

    def ranked(self) -> list[tuple[int, PlayerState]]:
        """Highest first; of equals who reached the rating first."""
        return sorted(self.states.items(), key=lambda each: (-self._listed(each[1]), each[1].reached, each[0]))

    def _listed(self, state: PlayerState) -> float:
        return self.rule.system.listed(self.rule.settings, state)

    def entries(self) -> Iterator[dict[str, Any]]:
        """A player's line as plain values, ratings unrounded."""
        for player, state in self.ranked():
            yield {
                "player": self.stream.names[player],
                "rating": state.rating,
                "games": state.games,
                "provisional": self.probation.holds(state),
                **{name: self._listed(state) if name == "listed" else getattr(state, name) for name in self._extras},
                "peak": state.peak,
                "wins": state.wins,
                "draws": state.draws,
                "losses": state.losses,
            }

    def report(self) -> dict[str, Any]:
        """The JSON object of interface `rate`."""
        return {
            "system": self.rule.system.key,
            "preset": self.rule.preset,
            "settings": self.rule.values,
            "games": self.stream.rows,
            "rated": self.rated,
            "ratings": list(self.entries()),
        }

    def table(self) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
        """The list as CSV: a file that can be brought again as PLAYERS.csv."""
        header = ("player", "rating", "games", "provisional", *self._extras, "peak", "wins", "draws", "losses")
        lines = ({**entry, "provisional": "yes" if entry["provisional"] else "no"} for entry in self.entries())
        return header, ([line[name] for name in header] for line in lines)

    def text(self) -> Iterator[str]:
        """The list for people: place, name, rating (`?`: provisional), games, wins–draws–losses."""
        entries = list(self.entries())
        unsure = sum(entry["provisional"] for entry in entries)
        yield self.rule.description
        yield f"Games: {self.stream.rows}, rated: {self.rated}. Players: {len(entries)}, provisional (?): {unsure}."
        if not entries:
            return
        names = max(_width(entry["player"]) for entry in entries)
        places = len(str(len(entries)))
        shown = "listed" if "listed" in self._extras else "rating"
        is_fine = entries[0][shown] < 100  # a scale of percents, or of skill
        yield ""
        for place, entry in enumerate(entries, start=1):
            name = entry["player"] + " " * (names - _width(entry["player"]))
            rating = f"{entry[shown]:.2f}" if is_fine else str(round_half_away(entry[shown]))
            mark = "?" if entry["provisional"] else " "
            record = f"{entry['wins']}–{entry['draws']}–{entry['losses']}"
            yield f"{place:>{places}}  {name}  {rating:>6}{mark}  {entry['games']:>6}  {record}"


# --- arguments ----------------------------------------------------------------------------------------------------
def _count(text: str) -> int:
    """An argument that counts something."""
    count = whole_number(text)
    if count is None:
        raise argparse.ArgumentTypeError(f"“{text}” is no whole number")
    return count


# --- lines --------------------------------------------------------------------------------------------------------
def _line(row: Row, stream: AnyGames) -> Sequence[object]:
    if isinstance(stream, ContestStream):
        return member_line(row, stream) if isinstance(row, RatedMember) else start_line(row, stream)
    return _game_line(row, stream) if isinstance(row, RatedGame) else _step_line(row, stream)


def _game_line(row: RatedGame, stream: Stream) -> Sequence[object]:
    game, names = row.played, stream.names
    on = game.played_on.isoformat() if stream.dated else ""
    return (
        *("game", game.game, on, game.event, names[game.white], names[game.black], game.score),
        *_side(row.white),
        *_side(row.black),
        *("", "", "", ""),
    )


def _step_line(step: Row, stream: Stream) -> Sequence[object]:
    """Whatever moved a rating and is no game: a start, a period that is over, the whole field brought down."""
    assert isinstance(step, Step)
    on = date.fromordinal(step.order >> 40).isoformat() if stream.dated else ""
    player = "" if step.player is None else stream.names[step.player]
    blank = [""] * (len(LEDGER_COLUMNS) - 7)
    return step.kind, "", on, *blank, player, step.before, step.after, step.factor


def _width(text: str) -> int:
    """Columns a name takes on a screen: letters of East Asia take two, marks above a letter none."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else not unicodedata.combining(sign) for sign in text)
