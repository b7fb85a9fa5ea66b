"""Entries from a file: read purely, previewed line by line, carried out as seen."""

import io
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_players, set_identities
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, url
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.entries.services.entries import enter_players
from tournaments.entries.services.files import AS_NEW, LEFT_OUT, EntryList, Fate, enter_list, preview_entries, read_list
from tournaments.entries.services.names import BadRows
from tournaments.events.services.events import NewTournament, create_tournament, update_tournament
from tournaments.interchange.entries_csv import EntryFile, EntryRow, read_entries
from tournaments.interchange.tables_csv import UnreadableFileError
from tournaments.models import Tournament

TODAY = date(2026, 1, 5)


standard = club_and_list


def read(text: str) -> EntryFile:
    return read_entries(text.encode(), today=TODAY, titles=Player.Title.values)


def reasons(text: str) -> list[str]:
    return [str(row) for row in read(text).bad]


# --- the file -----------------------------------------------------------------------------------------------------
def test_every_column_is_read_and_a_name_or_a_number_is_enough() -> None:
    found = read("name,fide_id,number,birth_year,sex,title,rating\nCosta Cleo,01234567,#17,1990,w,wfm,2000\n")
    assert found == EntryFile((EntryRow(2, "Costa Cleo", 17, "1234567", 1990, "f", "WFM"),), (), ("rating",))
    assert [row.name for row in read("Name\nAda\n\nBo\n").rows] == ["Ada", "Bo"]
    assert read("number\n17\n").rows == (EntryRow(2, "", 17),)
    assert read("name,fide_id\nAda,0\n").rows[0].fide_id == ""
    given_by_an_event = "pairing_number,number,player,title,fide_id,rating,games,provisional,withdrawn\r\n"
    assert read(f"{given_by_an_event}1,17,Ada,,,1500,3,1,0\r\n").rows == (EntryRow(2, "Ada", 17),)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (",,,,,", "the player’s name is missing"),
        ("Ada,x,,,,", "fide_id “x” is no FIDE number"),
        ("Ada,,one,,,", "number “one” is not known"),
        ("Ada,,,1790,,", "birth_year “1790” is not known"),
        ("Ada,,,2027,,", "birth_year “2027” is not known"),
        ("Ada,,,,x,", "sex “x” is not known"),
        ("Ada,,,,,King", "title “King” is not known: write one of GM, IM"),
    ],
)
def test_a_bad_value_is_told_with_its_line(line: str, reason: str) -> None:
    filled = line if line.strip(",") else ",,,1990,,"
    (found,) = reasons(f"name,fide_id,number,birth_year,sex,title\n{filled}\n")
    assert found.startswith(f"line 2: {reason}")


def test_seeds_stand_on_every_line_once_or_on_none() -> None:
    assert [row.seed for row in read("Seed,name\n2,Ada\n1,Bo\n").rows] == [2, 1]
    assert [row.seed for row in read("name,starting number\nAda,7\n").rows] == [7]
    assert read("name,seed\nAda,\n") == EntryFile((EntryRow(2, "Ada"),), ())
    assert reasons("name,seed\nAda,1\nBo,1\nCleo,\nDag,0\nEva,x\n") == [
        "line 3: the seed 1 stands in line 2 already: each is one player’s",
        "line 4: the seed is missing: give every line one, or none",
        "line 5: seed “0” is not known: write a whole number from 1 to 9999",
        "line 6: seed “x” is not known: write a whole number from 1 to 9999",
    ]


def test_the_same_person_twice_and_a_lacking_column_of_names_are_told_and_namesakes_are_not() -> None:
    twice = "line 4: the same person stands in line 2 already: remove one of the two"
    assert reasons("name\nAda\nBo\nada\n") == [twice]
    assert not reasons("name,birth_year\nAda,1990\nAda,1970\n")
    with pytest.raises(UnreadableFileError, match="lacks “name”"):
        read("who\nAda\n")


@given(st.binary(max_size=200))
def test_whatever_is_uploaded_is_read_or_refused_in_words(data: bytes) -> None:
    rows: tuple[EntryRow, ...] = ()
    with suppress(UnreadableFileError):
        rows = read_entries(data, today=TODAY, titles=Player.Title.values).rows
    assert all(row.name or row.number for row in rows)


# --- who is meant -------------------------------------------------------------------------------------------------
@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    """An event nobody is entered in yet; overrides the one with rounds."""
    return create_tournament(NewTournament("Spring Cup"), by=None)


def preview(cup: Tournament, text: str, choices: dict[str, str] | None = None) -> EntryList:
    return preview_entries(cup, read_list(text.encode()), choices or {})


def fates(plan: EntryList) -> list[tuple[str, int | None]]:
    return [(line.fate.value, line.player.number if line.player else None) for line in plan.lines]


pytestmark = pytest.mark.django_db


def test_a_name_in_any_spelling_a_number_and_a_fide_number_say_who_it_is(cup: Tournament) -> None:
    zsofia, amsinck = create_players([NewPlayer("Zsófia Kertész"), NewPlayer("Amsinck, Friedrich")], by=None)
    plan = preview(cup, "name\nKERTESZ Zsofia\nFriedrich Amsinck\nNew Person\n")
    assert fates(plan) == [("known", 1), ("known", 2), ("new", None)]
    assert plan.is_ready
    set_identities(amsinck, {"fide": "1234567"}, by=None)
    plan = preview(cup, f"name;number;fide_id\n;{zsofia.number};\nCosta Klio;;1234567\n")
    assert fates(plan) == [("known", 1), ("known", 2)]
    with pytest.raises(BadRows, match="line 2: there is no player #17"):
        preview(cup, "number\n17\n")


def test_namesakes_are_left_for_the_arbiter_to_choose(cup: Tournament) -> None:
    create_players([NewPlayer("Ada Alvarez"), NewPlayer("Ada Alvarez")], by=None)
    plan = preview(cup, "name\nAda Alvarez\n")
    assert fates(plan) == [("open", None)]
    assert "Ada Alvarez (#1), Ada Alvarez (#2)" in plan.lines[0].doubt
    assert not plan.is_ready
    second = str(Player.objects.get(number=2).pk)
    assert fates(preview(cup, "name\nAda Alvarez\n", {"2": second})) == [("known", 2)]
    assert fates(preview(cup, "name\nAda Alvarez\n", {"2": AS_NEW})) == [("new", None)]
    assert fates(preview(cup, "name\nAda Alvarez\n", {"2": LEFT_OUT})) == [("out", None)]
    both = preview(cup, "name,birth_year\nAda Alvarez,1990\nAda Alvarez,1970\n", {"2": second, "3": second})
    assert (fates(both), both.is_ready) == ([("known", 2), ("open", None)], False)
    assert "an earlier line means the same person" in both.lines[1].doubt


def test_another_year_of_birth_is_a_doubt(cup: Tournament) -> None:
    create_players([NewPlayer("Ada Alvarez", birth_year=1970)], by=None)
    plan = preview(cup, "name,birth_year\nAda Alvarez,2010\n")
    assert fates(plan) == [("open", None)]
    assert "born in 1970" in plan.lines[0].doubt


def test_a_choice_that_is_not_offered_counts_as_none(cup: Tournament) -> None:
    ada, bo = factory.make_players(2)
    assert fates(preview(cup, "name\nAda Alvarez\n", {"2": str(bo.pk)})) == [("known", ada.number)]
    assert fates(preview(cup, "number\n1\n", {"2": AS_NEW})) == [("known", ada.number)]
    assert fates(preview(cup, "number\n1\n", {"2": LEFT_OUT})) == [("out", None)]


def test_nobody_stands_in_the_list_twice_and_whoever_is_entered_already_is_passed_over(cup: Tournament) -> None:
    players = factory.make_players(1)
    plan = preview(cup, "name,number\nAda Alvarez,\n,1\n")
    assert [line.fate for line in plan.lines] == [Fate.KNOWN, Fate.OPEN], "the same one under two spellings"
    assert plan.lines[1].doubt
    assert preview(cup, "name,number\nAda Alvarez,\n,1\n", {"3": LEFT_OUT}).is_ready
    enter_players(create_tournament(NewTournament("Other Cup"), by=None), players, by=None)
    assert fates(preview(cup, "name\nAda Alvarez\n")) == [("known", 1)], "entered in another event"
    enter_players(cup, players, by=None)
    plan = preview(cup, "name\nAda Alvarez\n")
    assert (fates(plan), plan.is_ready) == ([("entered", 1)], False)


# --- carrying it out ----------------------------------------------------------------------------------------------
def carry_out(cup: Tournament, text: str, choices: dict[str, str] | None = None) -> EntryList:
    rows = read_list(text.encode())
    plan = preview_entries(cup, rows, choices or {})
    return enter_list(cup, rows, choices or {}, by=None, seal=plan.seal)


def test_known_and_new_people_are_entered_in_the_order_of_their_numbers(cup: Tournament) -> None:
    """A minor among the new is shown by initials."""
    factory.make_players(2)
    child = timezone.localdate().year - 10
    new = f"Zoe New,1990,f,WFM,7654321\nYoung One,{child},,,"
    carry_out(cup, f"name,birth_year,sex,title,fide_id\n{new}\nBo Brandt,,,,\nAda Alvarez,,,,\n")
    assert [entry.player.number for entry in cup.entries.order_by("pk")] == [1, 2, 3, 4]
    zoe, young = Player.objects.get(name="Zoe New"), Player.objects.get(name="Young One")
    assert (zoe.birth_year, zoe.sex, zoe.title, zoe.visibility) == (1990, "f", "WFM", "public")
    assert zoe.identities.get().value == "7654321"
    assert young.visibility == "initials"
    assert AuditEvent.objects.filter(action="entry.made").count() == 4


def test_a_file_brought_twice_changes_nothing(cup: Tournament) -> None:
    text = "name\nAda Alvarez\nBo Brandt\n"
    carry_out(cup, text)
    again = preview(cup, text)
    assert [line.fate for line in again.lines] == [Fate.ENTERED, Fate.ENTERED]
    with pytest.raises(Refused):
        carry_out(cup, text)
    assert Player.objects.count() == 2
    assert cup.entries.count() == 2


def test_a_refusal_leaves_no_new_people_behind(cup: Tournament) -> None:
    update_tournament(cup.pk, {"tier_from": 2400}, by=None)
    with pytest.raises(Refused, match="this event is for 2400 and more"):
        carry_out(cup, "name\nNew Person\n")
    assert not Player.objects.exists()


def test_a_preview_asks_as_much_for_many_lines_as_for_few(
    cup: Tournament, django_assert_num_queries: Callable[..., Any]
) -> None:
    factory.make_players(60)
    for count in (2, 60):
        names = "\n".join(Player.objects.order_by("number").values_list("name", flat=True)[:count])
        rows = read_list(f"name\n{names}\nNew Person\n".encode())
        with django_assert_num_queries(3):
            preview_entries(cup, rows, {})


# --- the page -----------------------------------------------------------------------------------------------------
def upload(desk: Client, cup: Tournament, content: bytes, name: str = "players.csv") -> str:
    response = desk.post(url("entry_list", cup.pk), {"file": SimpleUploadedFile(name, content)})
    return response.content.decode()


def chosen(html: str) -> dict[str, str]:
    """What the page's selects stand at."""
    found = {}
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', html):
        picked = re.search(r'<option value="([^"]*)" selected', options) or re.search(r'value="([^"]*)"', options)
        found[name] = picked[1] if picked else ""
    return found


def test_a_csv_or_an_excel_file_goes_from_the_upload_to_the_entries(desk: Client, cup: Tournament) -> None:
    factory.make_players(1)
    assert "From a file" in desk.get(url("entries", cup.pk)).text
    html = upload(desk, cup, b"name\nAlvarez Ada\nNew Person\n")
    assert "new: will be added" in html
    assert "Ada Alvarez (#1)" in html
    answer = desk.post(url("entry_list", cup.pk), {**fields_of(html), **chosen(html), "do": "enter"}, follow=True)
    assert "2 players are entered, 1 of them new." in answer.text
    assert cup.entries.count() == 2
    book, kept = Workbook(), io.BytesIO()
    book.active.append(["Name", "Birth year"])
    book.active.append(["Another Person", 1990])
    book.save(kept)
    html = upload(desk, cup, kept.getvalue(), "players.xlsx")
    assert "Another Person" in html
    desk.post(url("entry_list", cup.pk), {**fields_of(html), **chosen(html), "do": "enter"})
    assert Player.objects.get(name="Another Person").birth_year == 1990


def test_a_large_field_is_numbered_by_its_seeds(desk: Client, standard: RatingList) -> None:
    enter_players(create_tournament(NewTournament("Old Cup"), by=None), factory.make_players(1), by=None)
    cup = create_tournament(NewTournament("World Cup", pairing_system="knockout"), by=None)
    seeds = sorted(range(1, 41), key=lambda seed: seed * 89 % 211)
    html = upload(desk, cup, "\n".join(["name,seed", *(f"Player {seed},{seed}" for seed in seeds)]).encode())
    assert "Number them by the file’s seeds" in html
    out = {f"line-{seeds.index(seed) + 2}": LEFT_OUT for seed in (3, 40)}
    html = desk.post(url("entry_list", cup.pk), {**fields_of(html), **chosen(html), **out, "do": "look"}).text
    assert fields_of(html)["order"] == "list"
    desk.post(url("entry_list", cup.pk), {**fields_of(html), **chosen(html), "do": "enter"})
    names = list(cup.entries.order_by("number").values_list("player__name", flat=True))
    assert names == [f"Player {seed}" for seed in range(1, 40) if seed != 3]
    other = create_tournament(NewTournament("Cup", pairing_system="knockout"), by=None)
    html = upload(desk, other, b"name,seed\nPlayer 9,1\n")
    fields = {name: value for name, value in fields_of(html).items() if name != "order"}
    look = desk.post(url("entry_list", other.pk), {**fields, **chosen(html), "do": "look"}).text
    assert "order" not in fields_of(look), "no stays no"


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("name,rating", "A column of the file is not used: rating. Ratings are those of the event’s own list."),
        ("name,rating,Home_club", "Columns of the file are not used: rating, home club. Ratings are those"),
        ("name,player", "A column of the file is not used: player.</p>"),
        ("name,sex", ""),
    ],
)
def test_columns_that_are_not_used_are_named(desk: Client, cup: Tournament, header: str, words: str) -> None:
    html = upload(desk, cup, f"{header}\nNew Person{header.count(chr(44)) * chr(44)}\nhttps://chess\n".encode())
    assert "line 3: “https://chess” is no player’s row and is left out" in html
    assert ("not used" in html) == bool(words)
    assert words in html
    again = desk.post(url("entry_list", cup.pk), {**fields_of(html), **chosen(html), "do": "look"}).text
    assert words in again


def test_choices_are_kept_from_step_to_step_and_shown_before_they_count(desk: Client, cup: Tournament) -> None:
    create_players([NewPlayer("Ada Alvarez"), NewPlayer("Ada Alvarez")], by=None)
    html = upload(desk, cup, b"name\nAda Alvarez\n")
    assert "– choose –" in html
    assert "Enter these players" not in html
    second = Player.objects.get(number=2)
    html = desk.post(url("entry_list", cup.pk), {**fields_of(html), "line-2": second.pk, "do": "look"}).text
    assert chosen(html)["line-2"] == str(second.pk)
    last_click = desk.post(url("entry_list", cup.pk), {**fields_of(html), "line-2": AS_NEW, "do": "enter"}).text
    assert "look at the list again" in last_click
    assert (Player.objects.count(), cup.entries.count()) == (2, 0)
    desk.post(url("entry_list", cup.pk), {**fields_of(html), **chosen(html), "do": "enter"})
    assert [entry.player for entry in cup.entries.all()] == [second]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "upload it again"),
        (b"", "empty"),
        (b"name\n", "names nobody"),
        (b"name,sex\nAda,x\n", "line 2: sex"),
        (b"\xff\xfe", "not UTF-8"),
        (b"PK\x03\x04 not a workbook", "no Excel workbook"),
        (b"\xd0\xcf\x11\xe0 old", "no Excel workbook"),
    ],
)
def test_a_file_of_no_use_is_told_in_words(desk: Client, cup: Tournament, content: bytes | None, words: str) -> None:
    """None: one that is no longer kept."""
    gone = {"kept": "../../etc/passwd", "do": "enter"}
    html = desk.post(url("entry_list", cup.pk), gone).text if content is None else upload(desk, cup, content)
    assert words in html
    assert not cup.entries.exists()


def test_a_file_too_large_is_told_in_words(desk: Client, cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.entries.services.files.MOST_LINES", 1)
    assert "more than 1 people: divide it" in upload(desk, cup, b"name\nAda\nBo\n")
    monkeypatch.setattr("tournaments.entries.admin.files.LARGEST", 9)
    assert "divide" not in (as_many := upload(desk, cup, b"name\nAda\n"))
    assert "larger than 5 MB" not in as_many
    assert "larger than 5 MB" in upload(desk, cup, b"name\nAdam\n")
    assert not Player.objects.exists()


def test_who_may_not_add_people_may_enter_known_ones(client: Client, cup: Tournament) -> None:
    factory.make_players(1)
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.add(*Permission.objects.filter(codename__in=["change_tournament", "view_tournament"]))
    client.force_login(clerk)
    html = upload(client, cup, b"name\nAda Alvarez\nNew Person\n")
    answer = client.post(url("entry_list", cup.pk), {**fields_of(html), **chosen(html), "do": "enter"})
    assert "You may not add people" in answer.text
    assert "add/?name=New" not in client.post(url("entries", cup.pk), {"names": "New Person"}).text
    assert Player.objects.count() == 1


def test_nobody_else_gets_in(client: Client, cup: Tournament) -> None:
    assert client.get(url("entry_list", cup.pk)).status_code == 302
    client.force_login(User.objects.create_user("looker", is_staff=True))
    assert client.get(url("entry_list", cup.pk)).status_code == 403
