"""The schedule builder: names in, rounds and the empty crosstable out, without login and without database."""

import re
from collections.abc import Callable
from datetime import date, time, timedelta
from itertools import combinations
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from players.models import Club
from tests.tournaments.pairing.test_round_robin import PRINTED
from tournaments.builders.forms import ScheduleForm
from tournaments.builders.views.builders import LONGEST_ADDRESS
from tournaments.builders.views.schedule import by_lot, rounds_of, schedule, schedule_csv, schedule_ics, sheet_of
from tournaments.interchange.sheets import as_csv
from tournaments.interchange.tables_csv import read_table
from tournaments.pairing.round_robin import RoundRobin

SEVEN = ("Kramnik", "Topalov", "Anand", "Carlsen", "Karjakin", "Nakamura", "Aronian")
# A page takes its time, and one field is much like the next.
FEW = settings(max_examples=25, deadline=None)
PLAIN = {"order": "listed", "seed": "", "cycles": "1"}


def page_for(names: str, **choices: str) -> str:
    """The page's text, made by the view alone: no client, no session, no database."""
    asked = {**PLAIN, **choices, "names": names}
    answer = schedule(RequestFactory().post("/tools/schedule/", asked))
    if answer.status_code == 302:
        answer = schedule(RequestFactory().get(answer["Location"]))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_tool_asks_the_database_for_nothing_but_the_clubs_name_in_the_masthead(
    client: Client, club: Club, django_assert_max_num_queries: Callable[..., Any], method: str
) -> None:
    with django_assert_max_num_queries(1):
        response = getattr(client, method)("/tools/schedule/", {**PLAIN, "names": "Ada\nBo\nCleo"}, follow=True)
    assert "Round 1" in response.text


def test_it_answers_while_the_database_does_not(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_database() -> None:
        raise OperationalError("unable to open database file")

    monkeypatch.setattr("clubrating.web.middleware.current_club", no_database)
    for page in ("", "rounds.csv", "rounds.ics"):
        answer = client.get(f"/tools/schedule/{page}", {"names": "Ada\nBo", "first_day": "2026-01-05"})
        assert answer.status_code == 200


# --- where the question stands ----------------------------------------------------------------------------------
def posted(**asked: str) -> Any:
    return schedule(RequestFactory().post("/tools/schedule/", asked))


def test_a_question_leads_to_the_address_that_holds_it_unless_it_is_private(client: Client, club: Club) -> None:
    answer = posted(names="Ada\nBo\nCleo", order="listed", cycles="2", seed="", every="7")
    assert answer.status_code == 302
    assert answer["Location"] == "/tools/schedule/?names=Ada%0ABo%0ACleo&cycles=2", "what is usual is left out"
    page = client.get(answer["Location"]).text
    assert "3 players, 6 rounds" in page
    assert "Make it a tournament" not in page, "a visitor sees no way into the administration"
    answer = schedule(RequestFactory().get("/tools/schedule/", {"names": "Ada\nBo\nCleo", "order": "lots"}))
    assert re.fullmatch(r"/tools/schedule/\?names=Ada%0ABo%0ACleo&order=lots&seed=\d+", answer["Location"])
    answer = posted(names="Ada\nBo\nCleo", private="on")
    assert answer.status_code == 200
    assert "?names=" not in answer.content.decode()


@pytest.mark.extended
def test_a_long_list_is_answered_at_once_and_its_files_are_sent_for() -> None:
    names = "\n".join(f"{'Ж' * 20} {number}" for number in range(40))
    answer = posted(names=names, order="lots")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "This answer has no address of its own" in page
    assert 'formaction="/tools/schedule/rounds.csv"' in page
    assert re.search(r'<input type="hidden" name="seed" value="\d+">', page)
    assert len(names.encode()) > LONGEST_ADDRESS / 3


def test_asking_needs_no_token_and_a_name_cannot_bring_markup_into_the_page(club: Club) -> None:
    strict = Client(enforce_csrf_checks=True)
    page = strict.get("/tools/schedule/")
    assert "csrfmiddlewaretoken" not in page.text
    assert strict.post("/tools/schedule/", {"names": "Ada\nBo"}).status_code == 302, "it changes nothing"
    shown = page_for("<script>alert(1)</script>\nBo")
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


# --- the rounds ---------------------------------------------------------------------------------------------------
def test_the_sources_example_begins_with_a_bye_and_ends_with_the_finalists_of_2016() -> None:
    page = page_for("\n".join(SEVEN))
    assert page.index("Round 1") < page.index("Kramnik has the bye.") < page.index("Round 2")
    last = rounds_of(SEVEN, {})[-1]
    assert ("Karjakin", "Anand") in [(row.record.white, row.record.black) for row in last.table.rows]


@pytest.mark.parametrize("players", PRINTED)
def test_the_rounds_are_those_of_the_printed_table(players: int) -> None:
    names = [str(number) for number in range(1, players + 1)]
    shown = [[f"{row.record.white}-{row.record.black}" for row in one.table.rows] for one in rounds_of(names, {})]
    assert " | ".join(" ".join(boards) for boards in shown) == PRINTED[players]


def test_the_berger_table_stands_there_in_numbers_and_twice_means_two_fields_a_cell() -> None:
    page = page_for("Ada\nBo\nCleo\nDag")
    table = page[page.index('id="berger"') : page.index('id="crosstable"')]
    assert re.findall(r"\d+–\d+", table) == ["1–4", "2–3", "4–3", "1–2", "2–4", "3–1"]
    assert "1 free" in page_for("Ada\nBo\nCleo")
    page = page_for("Ada\nBo\nCleo", cycles="2")
    assert "3 players, 6 rounds" in page
    assert page.count('<td class="game"><span></span><span></span></td>') == 6


def test_the_last_two_rounds_can_be_exchanged() -> None:
    names = ["Ada", "Bo", "Cleo", "Dag"]
    plain, swapped = (
        [[(row.record.white, row.record.black) for row in one.table.rows] for one in rounds_of(names, settings)]
        for settings in ({"cycles": 2}, {"cycles": 2, "swap_last_two": True})
    )
    assert swapped == [plain[0], plain[2], plain[1], *plain[3:]]


def test_a_draw_shows_its_seed_and_the_seed_repeats_the_draw() -> None:
    drawn = page_for("\n".join(SEVEN), order="lots")
    seed = re.search(r"seed <strong>(\d+)</strong>", drawn)
    assert seed is not None
    repeated = page_for("\n".join(SEVEN), order="lots", seed=seed[1])
    assert drawn[drawn.index('id="rounds"') :] == repeated[repeated.index('id="rounds"') :]
    assert "seed <strong>7</strong>" in page_for("\n".join(SEVEN), seed="7"), "a typed seed means a draw"
    assert "seed <strong>" not in page_for("\n".join(SEVEN))


def test_blank_lines_stray_blanks_and_numbers_in_front_are_skipped() -> None:
    form = ScheduleForm({**PLAIN, "names": "\n 1. Ada  Alvarez \n\n\t\n2) Bo\n10. Cleo\n" + "D" * 100})
    assert form.is_valid()
    assert form.cleaned_data["names"] == ["Ada Alvarez", "Bo", "Cleo", "D" * 100]


def test_names_that_cannot_be_used_are_refused_by_their_lines() -> None:
    def refused(names: str) -> list[str]:
        form = ScheduleForm({**PLAIN, "names": names})
        assert not form.is_valid()
        assert set(form.errors) == {"names"}
        return form.errors["names"]

    for names, sentence in (
        ("\nAda\nBo\nada", "Line 4 repeats line 2, “ada”: remove one, or tell the two apart."),
        ("\n\nAda", "Only line 3 holds a name: at least two are needed."),
        ("", "Write at least two names, each on a line of its own."),
        ("1000000000", "Only line 1 holds a name: at least two are needed."),
        ("\n \n", "Write at least two names, each on a line of its own."),
        ("\n".join(f"P {n}" for n in range(41)), "41 names are too many: line 41 is the first beyond 40. Form groups."),
        ("41", "For 41 players there is no plan here: from 2 to 40 can be made."),
        ("Ada\n" + "x" * 101, "Line 2 is longer than 100 characters: one name a line."),
    ):
        assert refused(names) == [sentence]
    assert len(refused("\n".join(["Ada"] * 1000))) == 5, "a few messages for a thousand lines"


def test_up_to_forty_are_taken_and_a_number_stands_for_so_many() -> None:
    assert "40 players, 39 rounds" in page_for("\n".join(f"Player {number}" for number in range(1, 41)))
    assert RoundRobin.max_players == 40, "as the pairing system takes"
    assert "5 players, 5 rounds" in page_for("5")


def test_a_choice_that_is_not_offered_is_refused_at_its_field() -> None:
    for field, value in (("seed", "-1"), ("seed", "x"), ("cycles", "3"), ("order", "rating")):
        assert set(ScheduleForm({**PLAIN, "names": "Ada\nBo", field: value}).errors) == {field}, value


@pytest.mark.extended
@FEW
@given(st.integers(2, 40), st.booleans(), st.booleans())
def test_everybody_meets_everybody_and_everybody_plays_once_a_round(players: int, twice: bool, swap: bool) -> None:
    names = [f"P{number}" for number in range(players)]
    rounds = rounds_of(names, {"cycles": 1 + twice, "swap_last_two": swap})
    games = [(row.record.white, row.record.black) for one in rounds for row in one.table.rows]
    met = sorted(tuple(sorted(game)) for game in games)
    assert met == sorted([tuple(sorted(pair)) for pair in combinations(names, 2)] * (1 + twice))
    assert len(set(games)) == len(games), "the second time with the other colour"
    for one in rounds:
        busy = [name for row in one.table.rows for name in (row.record.white, row.record.black)]
        assert sorted([*busy, *one.byes]) == sorted(names)


@FEW
@given(st.lists(st.text(min_size=1), unique=True, min_size=2, max_size=40), st.integers(0, 999_999))
def test_lots_only_change_the_order(names: list[str], seed: int) -> None:
    assert sorted(by_lot(names, seed)) == sorted(names)
    assert by_lot(names, seed) == by_lot(names, seed)


# --- days, files --------------------------------------------------------------------------------------------------
def test_rounds_have_days_as_many_apart_as_asked() -> None:
    rounds = rounds_of(("Ada", "Bo", "Cleo", "Dag"), {}, first_day=date(2026, 1, 5), every=14)
    assert [one.day for one in rounds] == [date(2026, 1, 5), date(2026, 1, 19), date(2026, 2, 2)]
    page = page_for("Ada\nBo\nCleo\nDag", first_day="2026-01-05", every="14", at="19:30")
    assert "Mon 5 Jan</time>, 19:30" in page
    assert "Mon 19 Jan</time>, 19:30" in page


def file(view: Callable[..., Any], **asked: str) -> Any:
    return view(RequestFactory().get("/tools/schedule/file", asked))


def test_the_csv_has_a_line_a_board_and_one_for_the_bye() -> None:
    text = file(schedule_csv, names="Ada\nBo\nCleo", first_day="2026-01-05", at="19:30").content.decode()
    assert text.splitlines() == [
        "round,date,time,board,white,black",
        "1,2026-01-05,19:30,1,Bo,Cleo",
        "1,2026-01-05,19:30,,Ada,",
        "2,2026-01-12,19:30,1,Ada,Bo",
        "2,2026-01-12,19:30,,Cleo,",
        "3,2026-01-19,19:30,1,Cleo,Ada",
        "3,2026-01-19,19:30,,Bo,",
    ]


NAMES = st.text(st.characters(categories=("L", "N"), include_characters=" ,;\"'"), min_size=1, max_size=20)


@pytest.mark.extended
@FEW
@given(
    st.lists(NAMES.map(lambda name: "P" + name.strip()), unique=True, min_size=2, max_size=12),
    st.none() | st.dates(date(1950, 1, 1), date(2200, 1, 1)),
    st.none() | st.times().map(lambda at: time(at.hour, at.minute)),
)
def test_the_csv_is_read_again_as_it_was_written(names: list[str], day: date | None, at: time | None) -> None:
    rounds = rounds_of(names, {}, first_day=day)
    table = read_table(as_csv(sheet_of(rounds, at)).encode())
    assert table.bad == ()
    read = [(line.values["round"], line.values["white"], line.values["black"]) for line in table.lines]
    games = [(str(one.number), row.record.white, row.record.black) for one in rounds for row in one.table.rows]
    byes = [(str(one.number), name, "") for one in rounds for name in one.byes]
    assert sorted(read) == sorted(games + byes)
    assert {line.values["date"] for line in table.lines} == {"" if row.day is None else f"{row.day}" for row in rounds}


def test_the_calendar_has_an_entry_a_round_by_the_clock_on_the_wall() -> None:
    asked = {"names": "Ada\nBo\nCleo", "first_day": "2026-01-05", "at": "19:30", "title": "Winter Cup"}
    text = file(schedule_ics, **asked).content.decode()
    assert text.count("BEGIN:VEVENT") == 3
    assert "DTSTART:20260105T193000\r\n" in text, "no zone"
    assert "SUMMARY:Winter Cup\\, round 1" in text
    assert "DESCRIPTION:Bo – Cleo\\nAda has the bye." in text
    text = file(schedule_ics, names="Ada\nBo", first_day="2026-01-05").content.decode()
    assert "DTSTART;VALUE=DATE:20260105" in text, "without an hour it lasts the day"


def test_the_same_question_has_the_same_entries_also_on_other_days() -> None:
    def uids(**asked: str) -> list[str]:
        return re.findall(r"UID:(\S+)", file(schedule_ics, **asked).content.decode())

    first = uids(names="Ada\nBo\nCleo", first_day="2026-01-05")
    assert len(set(first)) == 3
    assert uids(names="Ada\nBo\nCleo", first_day="2026-02-05", at="18:00") == first
    assert set(uids(names="Ada\nBo\nDag", first_day="2026-01-05")).isdisjoint(first)


def test_a_file_that_cannot_be_made_answers_with_the_form() -> None:
    for view, asked, said in (
        (schedule_ics, {"names": "Ada\nBo"}, "A calendar needs days: say the first one."),
        (schedule_ics, {"names": "Ada"}, "at least two are needed"),
        (schedule_csv, {"names": "Ada"}, "at least two are needed"),
        (schedule_csv, {}, "Paste the names"),
        (schedule_csv, {"names": "Ada\nBo", "first_day": "1900-01-01"}, "The day lies between 1950 and 2200."),
    ):
        answer = file(view, **asked)
        assert answer.status_code == 400
        assert said in answer.content.decode()


@pytest.mark.extended
@FEW
@given(st.integers(2, 40), st.integers(0, 366))
def test_the_last_day_is_never_beyond_the_calendar(players: int, every: int) -> None:
    rounds = rounds_of(
        [str(number) for number in range(players)], {"cycles": 2}, first_day=date(2200, 1, 1), every=every
    )
    assert rounds[-1].day == date(2200, 1, 1) + timedelta(days=every * (len(rounds) - 1))
