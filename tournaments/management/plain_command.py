"""What all our commands share: refusals, files to be read, arguments. Nothing here needs Django's apps or a database.

Results go to stdout, messages to stderr. Exit 0: good; 1: checked and found different; 2: bad input, nothing changed.
"""

import argparse
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from clubrating.ground.numbers import whole_number

DIFFERENT, BAD_INPUT = 1, 2
MOST_LINES = 20


class PlainCommand(BaseCommand):
    """A command whose work stands in `run`. A refusal ends it with status 2 and a sentence, never a traceback. Django's
    system checks are left to `check`: they load every page."""

    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # Help texts come with their line breaks and examples. Where a command has a --version of its own, it takes the
        # place of Django's.
        how = {"formatter_class": argparse.RawDescriptionHelpFormatter, "conflict_handler": "resolve"}
        return super().create_parser(prog_name, subcommand, **how, **kwargs)

    def run(self, *args: Any, **options: Any) -> None:
        """The command's work."""
        raise NotImplementedError


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


def day(text: str) -> date:
    """An argument YYYY-MM-DD."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is no day: write YYYY-MM-DD") from None


def seed(text: str) -> int:
    """An argument for random numbers."""
    number = whole_number(text, digits=18)
    if number is None:
        raise argparse.ArgumentTypeError(f"“{text}” is no seed: write a whole number from 0, of 18 digits at most")
    return number
