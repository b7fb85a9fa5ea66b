"""The backup file: a zip anybody can open, with `manifest.json`, one file of rows per table (a JSON array a line), and
as the zip's comment the SHA-256 of every byte before it. A file of which any byte differs is refused.

Rows are written and read as they come: memory does not grow with their number. Not done here: encryption, and proof of
who made the file; whoever can write to it can also renew its digest.
"""

import hashlib
import json
import os
import secrets
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, BinaryIO

from django.utils.translation import gettext as _

from players.refusals import Refused

FORMAT = 1
MANIFEST = "manifest.json"
ASIDE = ".part"
_DIGEST = 64  # hexadecimal digits of a SHA-256
_BLOCK = 1 << 20
_LARGEST_MANIFEST = 4 << 20
# What a file that somebody else sealed may raise.
_NOT_OURS = (
    *(zipfile.BadZipFile, zlib.error, EOFError),
    *(KeyError, TypeError, AttributeError, RuntimeError, ValueError, OverflowError),
)

Row = list[Any]
Progress = Callable[[str, int], None]  # name of the table, rows written or read so far


class Damaged(Refused):
    """The file is not, or no longer, a whole backup."""


@dataclass(frozen=True, slots=True)
class Table:
    """What the manifest says about one table; `sha256` is over its rows as written."""

    name: str
    columns: tuple[str, ...]
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """`lineage` tells one club's database from another's; `erased` are numbers whose names are in the file
    no more, taken out of the database before or of the file afterwards."""

    made_at: datetime
    engine: str
    lineage: str
    migrations: Mapping[str, tuple[str, ...]]
    tables: tuple[Table, ...]
    erased: tuple[int, ...] = ()
    format: int = FORMAT

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)


@dataclass(slots=True)
class Writer:
    """An archive in the making; `add` writes one table after another."""

    bundle: zipfile.ZipFile
    tables: list[Table] = field(default_factory=list)

    def add(self, name: str, columns: tuple[str, ...], rows: Iterable[Row], progress: Progress | None = None) -> None:
        digest, count = hashlib.sha256(), 0
        with self.bundle.open(_member(name), "w", force_zip64=True) as stream:
            for count, row in enumerate(rows, 1):
                line = _line(row)
                digest.update(line)
                stream.write(line)
                if progress and not count % 10_000:
                    progress(name, count)
        self.tables.append(Table(name, columns, count, digest.hexdigest()))
        if progress:
            progress(name, count)

    def close(self, manifest: Manifest) -> None:
        values = {"format": manifest.format, **asdict(manifest)}
        self.bundle.writestr(MANIFEST, json.dumps(values, indent=1, default=_as_text))


def _member(table: str) -> str:
    return f"tables/{table}.jsonl"


def _line(row: Row) -> bytes:
    # A JSON column comes with its keys in an order of the engine's own: sorted, the same rows have the same digest.
    line = json.dumps(row, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=_as_text)
    return line.encode() + b"\n"


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, date | time) else str(value)


# --- writing ------------------------------------------------------------------------------------------------
@contextmanager
def written(path: Path, *, force: bool = False) -> Iterator[Writer]:
    """Write an archive aside and, once it is whole, sealed and on the disk, move it to `path`. Raises Refused where
    something stands there already (unless `force`) or cannot be written; then nothing is left behind."""
    if path.is_dir() or (path.exists() and not force):
        raise Refused(_("“%(path)s” is there already: name another file, or use --force.") % {"path": path})
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}{ASIDE}")
    try:
        with os.fdopen(os.open(aside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as bundle:
                bundle.comment = b"0" * _DIGEST
                yield Writer(bundle)
            _seal(stream)
        aside.replace(path)
        _to_disk(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        with suppress(OSError):
            aside.unlink()


def cannot_write(path: Path, error: OSError) -> Refused:
    """The refusal with the system's own reason."""
    reason = (error.strerror or str(error)).lower()
    return Refused(_("“%(path)s” cannot be written (%(why)s).") % {"path": path, "why": reason})


def _seal(stream: BinaryIO) -> None:
    """Put the digest of all that stands before it at the end."""
    size = stream.seek(0, os.SEEK_END) - _DIGEST
    digest = _digest_of(stream, size)
    stream.seek(size)
    stream.write(digest.encode())
    stream.flush()
    os.fsync(stream.fileno())


def _to_disk(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _digest_of(stream: BinaryIO, size: int) -> str:
    stream.seek(0)
    digest = hashlib.sha256()
    while size > 0 and (block := stream.read(min(_BLOCK, size))):
        digest.update(block)
        size -= len(block)
    return digest.hexdigest()


# --- reading ------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Reader:
    """An archive whose bytes are proved to be those that were written."""

    bundle: zipfile.ZipFile
    manifest: Manifest

    def rows(self, table: Table) -> Iterator[Row]:
        """The table's rows. Raises Damaged after the last where they are not those of the manifest."""
        digest, count = hashlib.sha256(), 0
        with self.bundle.open(_member(table.name)) as stream:
            for line in stream:
                count += 1
                digest.update(line)
                row = json.loads(line)
                if not isinstance(row, list) or len(row) != len(table.columns):
                    raise _damaged()
                yield row
        if (count, digest.hexdigest()) != (table.rows, table.sha256):
            raise _damaged()


@contextmanager
def opened(path: Path) -> Iterator[Reader]:
    """An archive to read. Raises Damaged where anything about the file is not as it was written, and Refused where it
    cannot be read or is of a later format."""
    try:
        with path.open("rb") as stream:
            _check_seal(stream)
            with zipfile.ZipFile(stream) as bundle:
                manifest = _manifest_of(bundle)
                members = [MANIFEST, *(_member(table.name) for table in manifest.tables)]
                if sorted(bundle.namelist()) != sorted(members):
                    raise _damaged()
                yield Reader(bundle, manifest)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refused(_("“%(path)s” cannot be read (%(why)s).") % {"path": path, "why": reason}) from error
    except _NOT_OURS as error:
        if isinstance(error, Refused):
            raise
        raise _damaged() from error


def verify(path: Path) -> Manifest:
    """Read the whole file back. Raises Damaged where anything is missing, too much or changed."""
    with opened(path) as reader:
        for table in reader.manifest.tables:
            for _row in reader.rows(table):
                pass
        return reader.manifest


def _damaged() -> Damaged:
    return Damaged(_("The file is damaged or no backup of ours: take another one. Nothing was changed."))


def _check_seal(stream: BinaryIO) -> None:
    size = stream.seek(0, os.SEEK_END) - _DIGEST
    if size <= 0:
        raise _damaged()
    digest = _digest_of(stream, size)
    stream.seek(size)
    if stream.read() != digest.encode():
        raise _damaged()
    stream.seek(0)


def _manifest_of(bundle: zipfile.ZipFile) -> Manifest:
    with bundle.open(MANIFEST) as member:
        values = json.loads(member.read(_LARGEST_MANIFEST))
    if values["format"] > FORMAT:
        raise Refused(_("The backup was made by a newer version of this program: bring this one up to date first."))
    return Manifest(
        made_at=datetime.fromisoformat(values["made_at"]),
        engine=str(values["engine"]),
        lineage=str(values["lineage"]),
        migrations={app: tuple(names) for app, names in values["migrations"].items()},
        tables=tuple(
            Table(str(row["name"]), tuple(row["columns"]), int(row["rows"]), str(row["sha256"]))
            for row in values["tables"]
        ),
        erased=tuple(int(number) for number in values["erased"]),
    )
