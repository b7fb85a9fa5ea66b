"""What commands that work on files alone share: refusals with status 2, files written whole, progress on stderr.

No database: these commands run without any environment. Results go to stdout, messages to stderr. Exit 0: good; 1:
checked and found different; 2: bad input, nothing written.
"""

import csv
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from django.utils import timezone

from tournaments.interchange.tables_csv import BadRow, UnreadableFileError
from tournaments.interchange.trf import Report, read_report, unused_teams
from tournaments.management.plain_command import PlainCommand, bad_input, first, read_file

__all__ = ["FileCommand", "InputFile", "OutFiles", "bad_input", "read_input", "refuse_bad_rows", "write_table"]

PIPE_CLOSED = 141  # the status a shell reports for SIGPIPE


class FileRowsError(Exception):
    """Rows of the input that cannot be used, one line each."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


class FileCommand(PlainCommand):
    """A command that works on files alone."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.run(**options)
            self.stdout.flush()
        except FileRowsError as refusal:
            for line in refusal.lines:
                self.stderr.write(line)
            raise bad_input(f"Nothing was written. Bad rows: {len(refusal.lines)}, see above.") from None
        except UnreadableFileError as refusal:
            raise bad_input(str(refusal)) from None
        except BrokenPipeError:
            _leave_quietly()

    def read_report(self, source: "InputFile", *, of_teams: bool = False) -> Report:
        """The tournament report in a file; what only looks odd in it is said on stderr. `of_teams`: a report of teams
        is used as one. Raises UnreadableFileError."""
        with source.naming() as data:
            report = read_report(data)
        unused = set(unused_teams(report)) if of_teams else set()
        for note in first([note for note in report.notes if note not in unused]):
            self.stderr.write(note)
        return report

    def write_out(self, text: str, path: Path | None, inputs: Iterable[Path] = ()) -> None:
        """Write the text to the file of that path, else to stdout. Raises CommandError where it cannot be written."""
        if path is None:
            self.stdout.write(text, ending="")
        else:
            with OutFiles(inputs) as files:
                files.open(path).write(text)

    @property
    def today(self) -> date:
        """The latest day it is anywhere on Earth: without the database the club's time zone is not known."""
        return (timezone.now() + timedelta(hours=14)).date()


def _leave_quietly() -> None:
    """End without a message: the reader of our output (`head`, for example) has closed it."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(PIPE_CLOSED)


# --- files in -----------------------------------------------------------------------------------------------------
class InputFile:
    """A file's bytes, and its name for messages."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self.data = path, data

    @contextmanager
    def naming(self) -> Iterator[bytes]:
        """The bytes; what a reader refuses of them is reported with the file's name."""
        try:
            yield self.data
        except UnreadableFileError as refusal:
            raise UnreadableFileError(f"{self.path.name}: {refusal}") from None


def read_input(path: Path, largest: int | None = None) -> InputFile:
    """A file to be read; see `read_file`. Raises CommandError naming what is wrong with the path."""
    return InputFile(path, read_file(path, largest))


def refuse_bad_rows(found: Mapping[Path, Iterable[BadRow]]) -> None:
    """Raises FileRowsError with every bad row of every file; of several files each line begins with the file's name."""
    named = len(found) > 1
    lines = [f"{path.name}, {row}" if named else str(row) for path, rows in found.items() for row in rows]
    if lines:
        raise FileRowsError(lines)


# --- files out ----------------------------------------------------------------------------------------------------
class OutFiles:
    """Files that appear whole and all together when the block ends well; otherwise none of them does, and what stood
    there before stays. `inputs` are never overwritten."""

    def __init__(self, inputs: Iterable[Path | None] = ()) -> None:
        self._taken = {_real(path): "is read by this command" for path in inputs if path is not None}
        self._open: list[tuple[TextIO, Path, Path]] = []

    def open(self, path: Path) -> TextIO:
        """A text file to write to. Raises CommandError where it could not be written."""
        target = _real(path)
        if target in self._taken:
            raise bad_input(f"“{path}” {self._taken[target]}: name another file to write to.")
        if target.exists() and not target.is_file():
            raise bad_input(f"“{path}” cannot be written (it is no file).")
        self._taken[target] = "is written already"
        draft = target.with_name(f".{target.name[:80]}.{os.getpid()}.part")
        with _writing(path):
            file = draft.open("x", encoding="utf-8", newline="")
        self._open.append((file, draft, target))
        return file

    def __enter__(self) -> "OutFiles":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for file, _, target in self._open:
                with _writing(target):
                    file.close()
            if kind is None:
                for _, draft, target in self._open:
                    with _writing(target):
                        if target.exists():
                            draft.chmod(target.stat().st_mode)
                        draft.replace(target)
        finally:
            for file, draft, _ in self._open:
                with suppress(OSError):
                    file.close()
                draft.unlink(missing_ok=True)


def write_table(file: TextIO, header: Sequence[str], rows: Iterable[Sequence[object]], path: Path) -> None:
    """CSV with a header: numbers unrounded, None as nothing. Raises CommandError where the disk refuses."""
    writer = csv.writer(file, lineterminator="\n")
    with _writing(path):
        writer.writerow(header)
        writer.writerows(rows)


def _real(path: Path) -> Path:
    """The file a path leads to, through links. Raises CommandError for a path that is none."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        raise bad_input("This is no path of a file.") from None


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """What the system refuses about an output file as a sentence."""
    try:
        yield
    except OSError as error:
        raise bad_input(f"“{path}” cannot be written ({(error.strerror or str(error)).lower()}).") from None


# --- progress -----------------------------------------------------------------------------------------------------
WIDTH = 40
STEP = 10  # percent from one line to the next where there is no bar


class Progress:
    """`stream`: a command's own stderr. `total` units, `what` they are ("replications")."""

    def __init__(self, stream: Any, total: int, what: str) -> None:
        self.stream, self.total, self.what = stream, max(1, total), what
        self.is_bar = bool(stream.isatty())
        self.shown = 0

    def tell(self, done: int) -> None:
        """So many units are done."""
        percent = 100 * done // self.total
        if self.is_bar:
            self._bar(percent, done)
        elif percent // STEP > self.shown // STEP:
            self._write(f"{percent:3d} %  {done} of {self.total} {self.what}\n")
        self.shown = max(self.shown, percent)

    def end(self) -> None:
        """Leave the bar's line."""
        if self.is_bar and self.shown:
            self._write("\n")

    def _bar(self, percent: int, done: int) -> None:
        full = WIDTH * percent // 100
        self._write(f"\r[{'#' * full}{'.' * (WIDTH - full)}] {percent:3d} %  {done} of {self.total} {self.what}")

    def _write(self, text: str) -> None:
        self.stream.write(text, style_func=str, ending="")
        self.stream.flush()
