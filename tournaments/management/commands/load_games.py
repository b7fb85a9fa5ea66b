"""`manage.py load_games FILE`: a stream of real games into the club's rating lists."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from players.models import AuditEvent
from players.people.names import MAX_NAME, clean_name
from ratings.models import RatingList
from tournaments.corrections.services.changes import StreamLoaded
from tournaments.corrections.services.contest_changes import ContestsLoaded
from tournaments.corrections.services.corrections import PlayerMove, Preview, preview
from tournaments.interchange.contests_csv import ContestsFile, is_contests_file, read_contests
from tournaments.interchange.crosstable_csv import as_game_rows, is_crosstable, read_crosstable
from tournaments.interchange.games_csv import GamesFile, read_games
from tournaments.interchange.tables_csv import Rows
from tournaments.loading.services.contests import load_contests
from tournaments.loading.services.streams import LoadReport, load_games
from tournaments.management.club_command import ClubCommand, add_reason
from tournaments.management.plain_command import DIFFERENT, MOST_LINES, bad_input, day, read_file

LARGEST = 5
LATE_STARTS = (
    "Starting ratings that hold only after these games: {count}. Let them hold earlier, on the page of the event or by "
    "“manage.py import_players FILE --on DAY”: until then these games count as a newcomer’s."
)


class Command(ClubCommand):
    help = """Load games from a CSV file and rate them.

The first line names the columns: white, black, result (1, 0, 0.5, 1-0, 0-1, 1/2-1/2, +/-, -/+, -/-), or winner and
loser instead; also date (YYYY-MM-DD), event, round, board, white_points, black_points, importance, pool.
Without a date column the games count as played today, or on the day given with --on.

A file of contests with sides is taken too: contest (a key), side, place, player; also date, event, score, weight,
importance, pool; one line a member.

A crosstable as other programs print it is taken too: a row a player, a column a round, cells like 12w1, 3z½, 5b+.
Both sides of every game must agree. It knows no days, so --on says when it was played.

People nobody knows are added; two people of one name are told apart by their numbers, written like #17.
Loading a file again loads only what is not there yet. With a bad row nothing is loaded, and all of them are listed;
--skip-bad loads the others, lists those left out, and ends with status 1. Games from before others move ratings that
stand: --dry-run says which.
A database without any rating list gets its first one.

  manage.py load_games games.csv
  manage.py load_games evenings.csv --event "Thursday evenings" --pool rapid --dry-run
  manage.py load_games crosstable.csv --event "Sinquefield Cup" --on 2014-09-06"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="the CSV file")
        parser.add_argument(
            "--event", metavar="NAME", help="event of the rows that name none (default: the file's name)"
        )
        parser.add_argument("--pool", metavar="SLUG", default="standard", help="pool of the rows that name none")
        parser.add_argument(
            "--on", type=day, metavar="YYYY-MM-DD", help="the day of games without a date (default: today)"
        )
        parser.add_argument("--known-players-only", action="store_true", help="a name nobody has is a bad row")
        parser.add_argument("--skip-bad", action="store_true", help="leave bad rows out and load the others")
        add_reason(parser, AuditEvent.Reason.LATE_REPORT)
        parser.add_argument(
            "--dry-run", action="store_true", help="check everything, say what it would move, and load nothing"
        )

    def run(self, *, file: Path, event: str | None, pool: str, **options: Any) -> None:
        today = timezone.localdate()
        had_list = RatingList.objects.exists()
        data = read_file(file)
        has_sides = is_contests_file(data)
        games: Any = (self._read_contests if has_sides else self._read)(data, today, options["on"])
        name = clean_name(file.stem)[:MAX_NAME] if event is None else clean_name(event)
        known_only, dry_run = options["known_players_only"], options["dry_run"]
        how = {"event_name": name, "today": today, "pool": pool, "known_players_only": known_only, "bad": games.bad}
        how["skip_bad"] = options["skip_bad"]
        why = {"by": None, "reason": options["reason"] or "", "note": options["note"]}
        load: Any = load_contests if has_sides else load_games
        report = load(games.rows, dry_run=dry_run, **why, **how)
        change: Any = ContestsLoaded if has_sides else StreamLoaded
        shown = preview(change(games.rows, **how), by=None) if dry_run else None
        if not had_list and not dry_run:
            rated = self.make_first_list(pool)
            report = replace(report, rated=rated, unlisted=tuple(name for name in report.unlisted if name != pool))
        for unlisted in report.unlisted:
            self.stderr.write(f"No rating list rates the pool “{unlisted}”: the games are kept and not rated yet.")
        for sentence in report.alike:
            self.stderr.write(sentence)
        for sentence in report.late_starts[:MOST_LINES]:
            self.stderr.write(sentence)
        if report.late_starts:
            self.stderr.write(LATE_STARTS.format(count=len(report.late_starts)))
        self.stdout.write(_line(report, dry_run=dry_run, what="Contests" if has_sides else "Games"))
        for line in _moved(shown) if shown else ():
            self.stdout.write(line)
        if report.left_out:
            for row in report.left_out:
                self.stderr.write(str(row))
            raise CommandError(f"Rows left out: {len(report.left_out)}, see above.", returncode=DIFFERENT)

    def _read_contests(self, data: bytes, today: date, on: date | None) -> ContestsFile:
        """Contests with sides; those without a day count as played on `on`. Raises UnreadableFileError."""
        _check_not_to_come(on, today)
        found = read_contests(data, today=today)
        rows = tuple(tuple(replace(row, played_on=row.played_on or on) for row in each) for each in found.rows)
        return Rows(rows, found.bad)

    def _read(self, data: bytes, today: date, on: date | None) -> GamesFile:
        """The games of a stream or a crosstable; what only looks odd is told. Raises UnreadableFileError."""
        _check_not_to_come(on, today)
        if not is_crosstable(data):
            games = read_games(data, today=today)
            rows, bad = games.rows, games.bad
        elif on is None:
            raise bad_input("A crosstable knows no days: say when it was played, with --on YYYY-MM-DD.")
        else:
            table = read_crosstable(data)
            rows, bad = as_game_rows(table), table.bad
            for sentence in table.notes:
                self.stderr.write(sentence)
        return GamesFile(tuple(replace(row, played_on=row.played_on or on) for row in rows), bad)


def _line(report: LoadReport, *, dry_run: bool, what: str) -> str:
    verb = f"{what} that would be loaded" if dry_run else f"{what} loaded"
    return (
        f"{verb}: {report.loaded} (rated: {report.rated}), there already: {report.known}, "
        f"new players: {report.new_players}, events: {len(report.events)}."
    )


def _check_not_to_come(on: date | None, today: date) -> None:
    if on is not None and on > today:
        raise bad_input(f"--on {on} lies in the future (today is {today}).")


def _moved(shown: Preview) -> Iterator[str]:
    for row in shown.lists:
        exits = f"probation ended: {len(row.exits_gained)}, begun again: {len(row.exits_lost)}"
        yield f"{row.rating_list.slug}: games rated anew: {row.games}, players moved: {len(row.moves)}, {exits}"
        if largest := ", ".join(_move(line) for line in row.moves[:LARGEST]):
            yield f"  largest: {largest}"
        if row.published:
            yield f"  published lists that stay as they are: {', '.join(one.on.isoformat() for one in row.published)}"


def _move(line: PlayerMove) -> str:
    """ "#17 +12.3"; numbers, because output may end up in a log."""
    difference = line.move.difference
    word = "leaves" if line.move.after is None else "new"
    return f"#{line.player.number} {word if difference is None else f'{difference:+.1f}'}"
