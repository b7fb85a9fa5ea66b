"""Crosstables loaded by command: the second time nothing of it, and nothing of one that contradicts itself."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ratings.models import RatingList
from tests import ROOT
from tests.factory import today
from tournaments.models import Game

DATA = ROOT / "tests" / "data"


def load(*arguments: str) -> str:
    """`manage.py load_games` of the Sinquefield Cup, what it says on stdout."""
    out, file = StringIO(), str(DATA / "chess_results_sinquefield_2014.csv")
    call_command("load_games", file, "--event", "Sinquefield Cup", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.mark.django_db
def test_load_games_takes_a_crosstable_with_its_day_and_the_second_time_nothing_of_it(standard: RatingList) -> None:
    for arguments, words in (((), "knows no days"), (("--on", "2999-01-01"), "lies in the future")):
        with pytest.raises(CommandError, match=words):
            load(*arguments)
    assert not Game.objects.exists()
    assert "Games loaded: 30 (rated: 30), there already: 0, new players: 6" in load("--on", f"{today()}")
    assert "Games loaded: 0 (rated: 0), there already: 30" in load("--on", f"{today()}")
    assert set(Game.objects.values_list("played_on", flat=True)) == {today()}


@pytest.mark.django_db
def test_a_crosstable_that_contradicts_itself_loads_nothing(standard: RatingList, tmp_path: Path) -> None:
    file = tmp_path / "cup.csv"
    for rows, words in {
        "Pos;Name;1\n1;Ada;2w1\n2;Bo;1b1\n": "line 2: round 1: “1b1” in line of player 2 does not fit “2w1”",
        "Pos;Name;Pts;1\n1;Ada;1;2w0\n2;Bo;0;1b0\n": "the rounds add up to 0, the table says 1",
    }.items():
        file.write_text(rows, encoding="utf-8")
        errors = StringIO()
        with pytest.raises(CommandError, match="Nothing was changed"):
            call_command("load_games", str(file), "--on", "2020-01-01", stderr=errors)
        assert words in errors.getvalue()
    assert not Game.objects.exists()
