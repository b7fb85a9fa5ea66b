"""The proof of clubs on one scale as a command."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

HEADER = "date,white,black,result\n"
FEW = "".join(f"2024-05-{day:02d},A{day % 4},B{day % 3},1\n" for day in range(1, 25))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("white,black,result\nA,B,1\n", "^The games have no dates: "),
        (HEADER + "2024-05-01,A,B,+/-\n", "^There is no game, so there is no history.$"),
        (HEADER + FEW, "^Nobody is listed, so the list has no level.$"),
        (HEADER + "2024-05-01,A,A,1\n", "Bad rows: 1"),
    ],
)
def test_a_stream_that_cannot_be_split_is_refused_in_a_sentence(tmp_path: Path, text: str, reason: str) -> None:
    path, out = tmp_path / "games.csv", tmp_path / "out.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=reason) as refusal:
        call_command("split_stream", str(path), "--out", str(out), "--replications", "2")
    assert refusal.value.returncode == 2
    assert not out.exists()


@pytest.mark.parametrize("count", ["1", "0", "-2", "two", "2.5", "٣", "99999"])
def test_a_number_of_splits_out_of_bounds_is_refused(tmp_path: Path, count: str) -> None:
    path = tmp_path / "games.csv"
    path.write_text(HEADER + FEW, encoding="utf-8")
    with pytest.raises(CommandError, match=f"“{count}” is no whole number from 2 to "):
        call_command("split_stream", str(path), f"--replications={count}")
