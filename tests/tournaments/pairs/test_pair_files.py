"""Pairs in files: both partners in one line, entered together or not at all; what is exported comes in again."""

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from players.models import Club, Player
from players.privacy.rules import NOBODY
from tests import factory
from tests.tournaments.admin_pages import fields_of, url
from tests.tournaments.entries.test_entry_lists import chosen
from tests.tournaments.pairs.pair_cases import make_event, make_lists
from tournaments.downloads.selectors import entries_sheet
from tournaments.entries.services.files import LEFT_OUT, EntryList, enter_list, preview_entries, read_list
from tournaments.events.selectors.events import event_data
from tournaments.interchange.entries_csv import EntryFile, EntryRow, read_entries
from tournaments.models import Entry, EntryMember, Tournament

pytestmark = pytest.mark.django_db


def read(text: str, together: int = 2) -> EntryFile:
    return read_entries(text.encode(), today=date(2026, 1, 5), titles=Player.Title.values, together=together)


# --- the file -----------------------------------------------------------------------------------------------------
def test_a_line_has_a_value_of_each_partner_in_each_column() -> None:
    found = read("name,birth_year,sex,seed\nAda Alvarez + Bo Brandt,1980+1992,,2\nCleo Costa+Dag Dahl,,f + m,1\n")
    assert found.rows == (
        EntryRow(2, "Ada Alvarez", birth_year=1980, seed=2),
        EntryRow(2, "Bo Brandt", birth_year=1992, seed=2, order=2),
        EntryRow(3, "Cleo Costa", sex="f", seed=1),
        EntryRow(3, "Dag Dahl", sex="m", seed=1, order=2),
    )
    assert [row.key for row in found.rows] == ["2", "2-2", "3", "3-2"]
    exported = "pairing_number,number,player,members\n1,1,Ada / Player 2,#1 #2\n"
    assert [(row.name, row.number) for row in read(exported).rows] == [("", 1), ("", 2)]


@pytest.mark.parametrize(
    ("together", "line", "reason"),
    [
        (2, "Ada,", "2 players enter together in this event, and 1 stand here"),
        (2, "Ada+Bo+Cleo,", "2 players enter together in this event, and 3 stand here"),
        (1, "Ada+Bo,", "everybody plays alone in this event"),
        (2, "Ada+Bo,1980", "birth_year has 1 values for 2 players"),
        (2, "Ada+Bo,1980+x", "birth_year “x” is not known"),
        (2, "Ada+ada,", "the same person stands in line 2 already"),
        (2, "Ada+,", "the player’s name is missing"),
    ],
)
def test_a_line_that_is_no_pair_is_told_with_the_remedy(together: int, line: str, reason: str) -> None:
    (bad,) = read(f"name,birth_year\n{line}\n", together).bad
    assert str(bad).startswith(f"line 2: {reason}")


# --- who is meant, and entered ------------------------------------------------------------------------------------
@pytest.fixture
def cup(club: Club) -> Tournament:
    make_lists()
    factory.make_players(4)
    return make_event([])


def preview(cup: Tournament, text: str, choices: dict[str, str] | None = None) -> EntryList:
    return preview_entries(cup, read_list(text.encode(), 2), choices or {})


def carry_out(cup: Tournament, text: str, *, in_order: bool = False) -> EntryList:
    rows = read_list(text.encode(), 2)
    return enter_list(cup, rows, {}, by=None, seal=preview_entries(cup, rows, {}).seal, in_order=in_order)


def pairs(cup: Tournament) -> list[tuple[int | None, list[str]]]:
    members = EntryMember.objects.filter(tournament=cup).select_related("player").order_by("order")
    names: dict[int, list[str]] = {}
    for row in members:
        names.setdefault(row.entry_id, []).append(row.player.name)
    return [(entry.number, names[entry.pk]) for entry in Entry.objects.filter(tournament=cup).order_by("number", "pk")]


def test_known_and_new_partners_enter_together_by_the_files_seeds(cup: Tournament) -> None:
    carry_out(cup, "name,number,seed\n + New Person,3+,2\nBo Brandt+Alvarez Ada,+,1\n", in_order=True)
    assert pairs(cup) == [(1, ["Bo Brandt", "Ada Alvarez"]), (2, ["Cleo Costa", "New Person"])]


def test_a_pair_enters_whole_or_not_at_all(cup: Tournament) -> None:
    plan = preview(cup, "name\nAda Alvarez+New Person\nCleo Costa+Dag Dahl\n", {"2": LEFT_OUT})
    assert [line.fate.value for line in plan.lines] == ["out", "alone", "known", "known"]
    assert plan.lines[1].choice == "new", "who comes back in is chosen already"
    carry_out(cup, "name\nAda Alvarez+Bo Brandt\n")
    again = preview(cup, "name\nBo Brandt+Cleo Costa\n")
    assert [line.fate.value for line in again.lines] == ["entered", "alone"]
    assert not again.is_ready


def test_what_was_exported_enters_the_same_pairs(cup: Tournament) -> None:
    carry_out(cup, "name\nBo Brandt+Alvarez Ada\nDag Dahl+Cleo Costa\n", in_order=True)
    sheet = entries_sheet(event_data(cup.stages.get(), NOBODY), NOBODY)
    lines = [sheet.columns, *sheet.rows]
    text = "\n".join(",".join("" if value is None else str(value) for value in line) for line in lines)
    other = make_event([])
    carry_out(other, text, in_order=True)
    assert pairs(other) == pairs(cup)


def test_the_page_takes_a_file_of_pairs(desk: Client, cup: Tournament) -> None:
    assert "with + between" in desk.get(url("entry_list", cup.pk)).text
    html = desk.post(url("entry_list", cup.pk), {"file": SimpleUploadedFile("p.csv", b"name\nAda Alvarez\n")}).text
    assert "line 2: 2 players enter together in this event" in html
    file = SimpleUploadedFile("p.csv", b"name\nAda Alvarez + New Person\n")
    html = desk.post(url("entry_list", cup.pk), {"file": file}).text
    answer = desk.post(url("entry_list", cup.pk), {**fields_of(html), **chosen(html), "do": "enter"}, follow=True)
    assert "1 entry is made." in answer.text
    assert pairs(cup) == [(None, ["Ada Alvarez", "New Person"])]
