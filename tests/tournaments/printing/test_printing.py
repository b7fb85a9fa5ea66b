"""Everything an arbiter prints: what stands on every sheet, who may print it, and what it costs."""

import re
from collections import Counter
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from players.models import Player, Visibility
from players.people.services import NewPlayer, create_players
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages.page_cases import (
    DRAW,
    WHITE,
    draw_cup,
    form_groups,
    keizer_club,
    make_event,
    play_stage,
    team_match,
    text_of,
)
from tests.tournaments.printing.printing_cases import EVERY_SHEET, Sheets, offered, print_page, printed, words
from tournaments.events.selectors.event_data import RoundData
from tournaments.models import Round, Tournament
from tournaments.printing.selectors import correction_deadline

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standard")]


standard = club_and_list


@pytest.fixture(scope="module")
def cup(standard: RatingList) -> Tournament:
    """Five players, so one has a bye in every round; round 1 is played."""
    cup = factory.make_round_robin(factory.make_players(5))
    factory.play_round(cup, 1, [WHITE, DRAW])
    return cup


# --- the page -----------------------------------------------------------------------------------------------------
def test_without_a_choice_the_pairings_of_the_present_round_are_printed(client: Client, cup: Tournament) -> None:
    page = print_page(client, cup)
    assert printed(page) == ["pairings"]
    assert page.context["round"].number == 2
    assert "Round 2" in words(client, cup, "pairings")
    page = print_page(client, cup, "standings", "names", "pairings")
    assert printed(page) == ["pairings", "names", "standings"], "in the order of the form"


def test_only_sheets_the_format_has_a_use_for_are_offered_and_every_one_has_something_on_it(client: Client) -> None:
    people = factory.make_players(8)
    blanks = {"blank-results", "blank-pairings", "blank-crosstable", "blank-standings"}
    events = (
        (factory.make_round_robin(people), {"bracket", "blank-pairings"}),
        (draw_cup(people), {"crosstable", "crosstable-number", "calendar", "player-cards", *blanks}),
        (keizer_club(people, [[WHITE] * 4]), {"bracket", "calendar", "blank-results"}),
        (team_match(people), {"bracket", "blank-pairings", "crosstable-number"}),
        (form_groups(people)[0].tournament, {"bracket", "blank-pairings"}),
    )
    for event, never in events:
        page = print_page(client, event, *EVERY_SHEET)
        assert offered(page) == [key for key in EVERY_SHEET if key not in never], event
        assert printed(page) == offered(page), event


def test_an_event_without_rounds_prints_its_start_list_and_club_evenings_nothing(client: Client) -> None:
    event = make_event(factory.make_players(4), "keizer", name="Keizer")
    page = print_page(client, event)
    assert "round" not in page.context["form"].fields
    assert offered(page) == ["player-cards", *EVERY_SHEET[10:12], "blank-pairings", *EVERY_SHEET[14:]]
    assert page.context["presets"] == []
    assert "Ada Alvarez" in words(client, event, "start-list")
    page = print_page(client, make_event([], "round-robin"))
    assert printed(page) == []
    assert "Nothing is chosen that this round could print." in page.content.decode()
    print_page(client, make_event([], "free", name="Evenings"), status=404)
    assert client.get("/tournaments/nowhere/print/").status_code == 404


WRONG: dict[str, tuple[Any, ...]] = {
    "round": ("99", "x", "²", "9" * 5000, "", "-1", "1\x00", "١", "001", ["99", "", "\ud7ff"]),
    "size": ("huge", "\x00", ["normal", "\u202e" * 900]),
    "sheets": ("no-such", ["pairings", "\x00"], ["pairings", "9" * 5000, "-1", "½", "<b>"]),
}
WRONG_TOGETHER: tuple[dict[str, Any], ...] = (
    {"round": ["1", "2"], "size": ["large", "normal"], "sheets": ["pairings"] * 500},
    {"type": "9" * 5000, "page": "-1", "order": "\x00"},
)


@pytest.mark.extended
def test_a_wrong_address_prints_nothing_or_what_it_can_and_is_never_markup(client: Client, cup: Tournament) -> None:
    alone = [{name: value} for name, values in WRONG.items() for value in values]
    for query in (*alone, *WRONG_TOGETHER):
        page = print_page(client, cup, **query)
        assert set(printed(page)) <= {"pairings"}, query
        assert page.context["form"].errors or printed(page) or query.get("sheets") == "no-such", query
    print_page(client, cup, *["pairings"] * 2000, status=400)
    page = print_page(client, cup, "<script>", round="<script>", size="<script>")
    assert "<script>" not in page.content.decode()
    page = print_page(client, cup, round=99)
    assert "Select a valid choice" in page.content.decode(), "a round that is not there is named as a fault"
    assert page.context["round"] is None


@pytest.mark.extended
def test_a_sheet_another_round_has_a_use_for_is_let_go(client: Client) -> None:
    stages = form_groups(factory.make_players(8))
    for stage in stages:
        if stage.part == 1:
            play_stage(stage)
    event = stages[0].tournament
    assert "calendar" in offered(print_page(client, event, round=1))
    assert printed(print_page(client, event, "calendar", "standings", round=1)) == ["standings", "calendar"]


def test_the_round_and_the_desk_lead_to_the_print_page(desk: Client, cup: Tournament) -> None:
    assert f'/tournaments/{cup.slug}/print/?round=2"' in text_of(desk, f"/tournaments/{cup.slug}/rounds/2/")
    rounds = text_of(desk, f"/admin/tournaments/tournament/{cup.pk}/rounds/")
    assert f'/tournaments/{cup.slug}/print/"' in rounds


def test_no_sheet_carries_a_style_or_a_script_and_no_id_stands_twice(client: Client, cup: Tournament) -> None:
    html = print_page(client, cup, *EVERY_SHEET).content.decode()
    assert " style=" not in html
    assert "<script" not in html.partition('class="sheets')[2]
    ids = Counter(re.findall(r'\sid="([^"]+)"', html))
    assert [name for name, count in ids.items() if count > 1] == []


def test_what_is_printed_together_is_one_click_away(client: Client, cup: Tournament) -> None:
    page = print_page(client, cup, round=2, size="large")
    before, after = page.context["presets"]
    assert before.address == "?round=2&size=large&sheets=pairings&sheets=names&sheets=slips&sheets=board-cards"
    assert after.address == "?round=2&size=large&sheets=standings&sheets=crosstable"
    shown = client.get(f"/tournaments/{cup.slug}/print/{after.address}")
    assert printed(shown) == ["standings", "crosstable"]
    assert 'class="sheets large"' in shown.content.decode()
    assert 'class="sheets"' in print_page(client, cup).content.decode()
    assert [preset.chosen for preset in shown.context["presets"]] == [False, True]
    page = print_page(client, draw_cup(factory.make_players(4)))
    sets = [[sheet.kind.key for sheet in preset.sheets] for preset in page.context["presets"]]
    assert sets == [["pairings", "names", "slips", "board-cards"], ["standings", "bracket"]]


# --- the head -----------------------------------------------------------------------------------------------------
def test_a_sheet_says_whose_it_is_of_what_round_when_and_as_of_when(client: Client, cup: Tournament) -> None:
    Round.objects.filter(number=2).update(planned_at=time(19, 30))
    sheet = words(client, cup, "pairings", round=2)
    assert sheet.startswith("Test Club As of ")
    assert "Winter Cup Pairings by board Round 2 Monday 12 January 2026, 19:30" in sheet


def test_a_deadline_to_come_stands_on_pairings_and_standings(client: Client, cup: Tournament) -> None:
    Round.objects.filter(number=2).update(planned_on=date(2099, 1, 12), planned_at=time(19, 30))
    Tournament.objects.update(correction_hours=24)
    text = "Mistakes in results: tell the arbiter by Tue 13 Jan, 19:30."
    assert text in words(client, cup, "pairings", round=2)
    assert text in words(client, cup, "standings", round=2)
    assert "Mistakes" not in words(client, cup, "names", round=2)
    assert "Mistakes" not in words(client, cup, "pairings", round=1), "its time is over"


def test_without_hours_mistakes_are_told_until_the_next_round(client: Client, cup: Tournament) -> None:
    keizer = keizer_club(list(Player.objects.all()), [[WHITE, DRAW]])
    assert "tell the arbiter until the next round is paired." in words(client, keizer, "pairings", round=1)
    assert "tell the arbiter before the next round begins." in words(client, cup, "pairings", round=4)
    assert "tell the arbiter before the prizes are given." in words(client, cup, "pairings", round=5)


BERLIN = ZoneInfo("Europe/Berlin")


def test_the_deadline_counts_hours_from_the_rounds_own() -> None:
    january, evening = date(2026, 1, 12), time(19, 30)
    deadlines: tuple[tuple[date | None, time | None, int | None, datetime | None], ...] = (
        (january, evening, 24, datetime(2026, 1, 13, 19, 30, tzinfo=BERLIN)),
        (january, evening, 0, datetime(2026, 1, 12, 19, 30, tzinfo=BERLIN)),
        # A round without an hour counts from the end of its day.
        (january, None, 12, datetime(2026, 1, 13, 11, 59, tzinfo=BERLIN)),
        # In the night the clocks go on, twelve hours after half past seven it is half past eight.
        (date(2026, 3, 28), evening, 12, datetime(2026, 3, 29, 8, 30, tzinfo=BERLIN)),
        (january, evening, None, None),
        (None, evening, 24, None),
    )
    for day, at, hours, deadline in deadlines:
        row = RoundData(1, is_draft=False, planned_on=day, boards=(), byes=(), planned_at=at)
        assert correction_deadline(Tournament(correction_hours=hours), row, BERLIN) == deadline


# --- drafts and names ---------------------------------------------------------------------------------------------
def test_a_draft_is_printed_by_officers_only_and_says_so(client: Client, cup: Tournament) -> None:
    Round.objects.filter(number=2).update(state=Round.State.DRAFT)
    assert printed(print_page(client, cup, *EVERY_SHEET, round=2)) == []
    assert "DRAFT" not in print_page(client, cup, *EVERY_SHEET, round=1).content.decode()
    client.force_login(factory.make_arbiter())
    for sheet in ("pairings", "names", "slips", "board-cards", "standings", "calendar", "blank-results"):
        assert "DRAFT" in words(client, cup, sheet, round=2), sheet
    assert "DRAFT" not in words(client, cup, "pairings", round=1)


def test_no_sheet_names_who_is_not_shown_but_to_officers(client: Client) -> None:
    kept_back = {"Quillfeather": Visibility.INITIALS, "Quince": Visibility.MEMBERS, "Quigley": Visibility.HIDDEN}
    hidden = [NewPlayer(f"Zacharias {name}", visibility=visibility) for name, visibility in kept_back.items()]
    people = [*create_players(hidden, by=None), *factory.make_players(1)]
    events = [factory.make_round_robin(people), draw_cup(people), keizer_club(people, [[WHITE, DRAW]])]
    for event in events:
        page = print_page(client, event, *EVERY_SHEET).content.decode()
        assert [name for name in kept_back if name in page] == [], event
    client.force_login(factory.make_arbiter())
    for event in events:
        page = print_page(client, event, *EVERY_SHEET)
        found = Sheets(page.content.decode()).words
        for key in set(printed(page)) - {"blank-pairings", "blank-standings"}:
            assert [name for name in kept_back if name not in found[key]] == [], f"{event}: {key}"


@pytest.mark.extended
@pytest.mark.parametrize("sheet", ["names", "start-list-names"])
def test_the_order_of_a_list_by_name_gives_no_name_away(client: Client, standard: RatingList, sheet: str) -> None:
    hidden = create_players([NewPlayer("Aaron Aaronson", visibility=Visibility.HIDDEN)], by=None)
    cup = factory.make_round_robin([*factory.make_players(3), *hidden])
    assert words(client, cup, sheet).rfind("Player ") > words(client, cup, sheet).rfind("Cleo Costa")
    client.force_login(factory.make_arbiter())
    assert words(client, cup, sheet).find("Aaron Aaronson") < words(client, cup, sheet).find("Ada Alvarez")


# --- what it costs ------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_all_sheets_need_few_queries_whatever_the_number_of_players(
    client: Client, at_most: DjangoAssertNumQueries
) -> None:
    cup = factory.make_round_robin(factory.make_players(9), name="League")
    factory.play_round(cup, 1, [DRAW] * 4)
    events = (cup, draw_cup(factory.make_players(9), name="Knockout"))
    arbiter = factory.make_arbiter()
    for signed_in in (False, True):
        if signed_in:
            client.force_login(arbiter)
        for event in events:
            with at_most(10):
                print_page(client, event, *EVERY_SHEET)
