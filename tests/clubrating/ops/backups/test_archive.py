"""The backup file: what is written is read, and nothing else is taken for a backup."""

import io
import json
import resource
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubrating.ops.backups.archive import FORMAT, MANIFEST, Damaged, Manifest, _seal, opened, verify, written
from players.refusals import Refused
from tests.choosing import examples

MADE_AT = datetime(2026, 11, 21, 20, 15, 30, 123456, tzinfo=UTC)
ROWS = [[1, "Ada Älvarez", None, True], [2, '薛 \u0000\n"quoted"', 0.1, False], [3, "", 1e300, True]]


def manifest(**changes: object) -> Manifest:
    facts = {"made_at": MADE_AT, "engine": "sqlite", "lineage": "then", "migrations": {"players": ("0001",)}}
    return Manifest(**{**facts, "tables": (), **changes})  # type: ignore[arg-type]


def make(path: Path, *, force: bool = False) -> Path:
    with written(path, force=force) as archive:
        archive.add("people", ("id", "name", "rating", "active"), ROWS)
        archive.add("empty", ("id",), [])
        archive.close(manifest(tables=tuple(archive.tables), erased=(4, 7)))
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return make(tmp_path_factory.mktemp("archive") / "whole.zip").read_bytes()


@contextmanager
def no_room() -> Iterator[None]:
    """Within, no file grows beyond 4 KB: what a full disk looks like to whoever writes. Not a moment longer, or the
    test run could not write down what it found."""
    was = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, was[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, was)


# --- what is written is read ----------------------------------------------------------------------------------
def test_rows_and_manifest_come_back_as_they_were(tmp_path: Path) -> None:
    file = make(tmp_path / "a.zip")
    with opened(file) as reader:
        people, empty = reader.manifest.tables
        assert list(reader.rows(people)) == ROWS
        assert list(reader.rows(empty)) == []
    found = verify(file)
    assert (found.made_at, found.engine, found.lineage, found.erased) == (MADE_AT, "sqlite", "then", (4, 7))
    assert found.migrations == {"players": ("0001",)}
    assert [(table.name, table.rows) for table in found.tables] == [("people", 3), ("empty", 0)]
    assert found.rows == 3


def test_days_and_moments_are_written_to_the_microsecond(tmp_path: Path) -> None:
    with written(tmp_path / "a.zip") as archive:
        archive.add("t", ("a", "b", "c"), [[date(2026, 1, 2), MADE_AT, time(19, 30)]])
        archive.close(manifest(tables=tuple(archive.tables)))
    with opened(tmp_path / "a.zip") as reader:
        assert list(reader.rows(reader.manifest.tables[0])) == [
            ["2026-01-02", "2026-11-21T20:15:30.123456+00:00", "19:30:00"]
        ]


def test_any_unzip_opens_it_and_only_the_owner_may(tmp_path: Path) -> None:
    file = make(tmp_path / "a.zip")
    with zipfile.ZipFile(file) as bundle:
        assert bundle.testzip() is None
        assert len(bundle.read("tables/people.jsonl").splitlines()) == 3
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


# --- what is not whole is refused -----------------------------------------------------------------------------
@examples(150)
@given(at=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255), more=st.binary(min_size=1, max_size=200))
def test_a_byte_changed_a_file_cut_short_more_around_it_and_anything_else_is_refused(
    tmp_path: Path, whole: bytes, at: float, flip: int, more: bytes
) -> None:
    place, changed = int(at * len(whole)), bytearray(whole)
    changed[place] ^= flip
    for damaged in (bytes(changed), whole[:place], more + whole, whole + more, more):
        (tmp_path / "d.zip").write_bytes(damaged)
        with pytest.raises(Damaged):
            verify(tmp_path / "d.zip")


def forged(path: Path, source: bytes, **members: bytes | None) -> Path:
    """The file with members put in place of others (or taken out), and a digest that fits."""
    with zipfile.ZipFile(io.BytesIO(source)) as old, path.open("w+b") as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as bundle:
            bundle.comment = b"0" * 64
            given = {MANIFEST: members.pop("manifest")} if "manifest" in members else {}
            given |= {f"tables/{name}.jsonl": content for name, content in members.items()}
            for name in {**dict.fromkeys(old.namelist()), **given}:
                content = given.get(name, old.read(name) if name in old.namelist() else None)
                if content is not None:
                    bundle.writestr(name, content)
        _seal(stream)
    return path


def test_a_forgery_with_nothing_changed_is_none(tmp_path: Path, whole: bytes) -> None:
    assert verify(forged(tmp_path / "f.zip", whole)).rows == 3


@pytest.mark.parametrize(
    "members",
    [
        {"people": None},
        {"people": b""},
        {"people": b'[1,"a",null,true]\n'},
        {"people": b'[1,"a"]\n[2,"b"]\n[3,"c"]\n'},
        {"people": b"{}\n{}\n{}\n"},
        {"people": b"not json\n"},
        {"people": b"\xff\xfe\n"},
        {"strange": b"[1]\n"},
        {"manifest": None},
        {"manifest": b"{}"},
        {"manifest": b"[]"},
        {"manifest": b"null"},
        {"manifest": b'{"format": "one"}'},
    ],
    ids=str,
)
def test_members_that_do_not_fit_the_manifest_are_refused(
    tmp_path: Path, whole: bytes, members: dict[str, bytes | None]
) -> None:
    with pytest.raises(Damaged):
        verify(forged(tmp_path / "f.zip", whole, **members))


def test_a_later_format_is_told_apart_from_damage(tmp_path: Path, whole: bytes) -> None:
    later = json.dumps({"format": FORMAT + 1}).encode()
    with pytest.raises(Refused, match="newer version") as refusal:
        verify(forged(tmp_path / "f.zip", whole, manifest=later))
    assert not isinstance(refusal.value, Damaged)


@pytest.mark.parametrize("name", ["nothing.zip", "folder"])
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(Refused, match=name):
        verify(tmp_path / name)


# --- writing leaves a whole file or none ------------------------------------------------------------------------
def test_what_is_there_is_not_overwritten_unless_forced(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    file.write_text("a diary")
    with pytest.raises(Refused, match="--force"):
        make(file)
    assert file.read_text() == "a diary"
    assert verify(make(file, force=True)).rows == 3


def test_a_folder_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.zip").mkdir()
    with pytest.raises(Refused):
        make(tmp_path / "a.zip", force=True)


@pytest.mark.parametrize("folder", ["nowhere", "a file"])
def test_a_folder_that_is_none_is_named(tmp_path: Path, folder: str) -> None:
    (tmp_path / "a file").write_text("")
    with pytest.raises(Refused, match=folder):
        make(tmp_path / folder / "a.zip")


@pytest.mark.parametrize("before", [b"", b"the file before"])
def test_no_room_leaves_no_half_file_and_the_one_before_as_it_was(tmp_path: Path, before: bytes) -> None:
    file, noise = tmp_path / "a.zip", ([key, hex(key**90)] for key in range(2000))
    if before:
        file.write_bytes(before)
    with pytest.raises(Refused, match="cannot be written"), no_room(), written(file, force=bool(before)) as archive:
        archive.add("t", ("id", "noise"), noise)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == ([before] if before else [])


def test_breaking_off_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), written(tmp_path / "a.zip"):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
