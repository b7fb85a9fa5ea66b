"""What our commands that work on the club's database share: the club's day, files, and how they say no.

Results go to stdout, messages to stderr. Exit 0: good; 1: checked and found different; 2: bad input, nothing changed.
"""

import argparse
import zoneinfo
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, ProgrammingError
from django.utils import timezone

from players.people.selectors import current_club
from players.refusals import Refused
from players.trail.services import acting_from
from ratings.lists.services import ensure_main_list
from ratings.models import RatingList
from tournaments.entries.services.names import BadRows
from tournaments.interchange.tables_csv import UnreadableFileError
from tournaments.rated_games.services.rebuilding import rebuild_list

DIFFERENT, BAD_INPUT = 1, 2
MOST_LINES = 20


class PlainCommand(BaseCommand):
    """A command whose work stands in `run`. A refusal ends it with status 2 and a sentence, never a traceback."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # Help texts come with their line breaks and examples. Where a command has a --version of its own, it takes the
        # place of Django's.
        how = {"formatter_class": argparse.RawDescriptionHelpFormatter, "conflict_handler": "resolve"}
        return super().create_parser(prog_name, subcommand, **how, **kwargs)

    def run(self, *args: Any, **options: Any) -> None:
        """The command's work."""
        raise NotImplementedError


class ClubCommand(PlainCommand):
    """A command that works on the club's database, on the club's day."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            club = current_club()
            here = acting_from(f"command {type(self).__module__.rpartition('.')[2]}")
            with timezone.override(zoneinfo.ZoneInfo(club.time_zone) if club else None), here:
                self.run(**options)
        except BadRows as refusal:
            for row in refusal.rows:
                self.stderr.write(str(row))
            raise bad_input(f"Nothing was changed. Bad rows: {len(refusal.rows)}, see above.") from None
        except (Refused, UnreadableFileError, ImproperlyConfigured) as refusal:
            raise bad_input(str(refusal)) from None
        except (OperationalError, ProgrammingError) as error:
            reason = str(error).partition("\n")[0]
            raise bad_input(
                f"The database cannot be used ({reason}). If it is new, run “manage.py migrate” first."
            ) from None

    def make_first_list(self, pool: str) -> int:
        """A database without any list gets its first one, so that what is brought in is rated; how many games were."""
        made = ensure_main_list(pool=pool, by=None)
        rated = rebuild_list(made)
        self.stderr.write(f"There was no rating list: “{made.name}” is made for the pool {pool}; {rated} games rated.")
        return rated


def bad_input(sentence: str) -> CommandError:
    """The error that ends a command with status 2."""
    return CommandError(sentence, returncode=BAD_INPUT)


def read_file(path: Path, largest: int | None = None) -> bytes:
    """A file's bytes; of one larger than `largest` one byte more, which its reader refuses. Raises CommandError naming
    what is wrong with the path."""
    try:
        with path.open("rb") as file:
            return file.read() if largest is None else file.read(largest + 1)
    except OSError as error:
        raise bad_input(f"“{path}” cannot be read ({(error.strerror or str(error)).lower()}).") from None
    except ValueError:
        raise bad_input("This is no path of a file.") from None


def first(lines: Sequence[object]) -> Iterator[str]:
    """The first twenty, and how many more there are."""
    yield from map(str, lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield f"and {len(lines) - MOST_LINES} more"


def list_called(slug: str) -> RatingList:
    """The rating list of that address. Raises CommandError naming those there are."""
    found = RatingList.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(RatingList.objects.values_list("slug", flat=True)) or "none yet"
        raise bad_input(f"There is no rating list “{slug}”; there are: {known}.")
    return found


def day(text: str) -> date:
    """An argument YYYY-MM-DD."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is no day: write YYYY-MM-DD") from None


def seed(text: str) -> int:
    """An argument for random numbers."""
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"“{text}” is no seed: write a whole number from 0, of 18 digits at most")
    return int(text)
