"""The sheets of a Swiss the engine paired: everybody once on each, whoever came late, has a bye or has left."""

from collections import Counter
from typing import Any

import pytest
from django.test import Client

from tests import factory
from tests.tournaments.printing.printing_cases import EVERY_SHEET, Sheets, content, offered, print_page, printed, words
from tests.tournaments.rounds.round_cases import boards_of, byes_of, entry
from tests.tournaments.swiss_events import BLACK, DRAW, WHITE, make_swiss, play_rounds
from tournaments.entries.services.late import enter_late
from tournaments.models import Round, Stage, Tournament
from tournaments.presence.services import request_bye
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db
NOT_OF_A_SWISS = {"bracket", "calendar", "blank-results"}
SWISS_SHEETS = [key for key in EVERY_SHEET if key not in NOT_OF_A_SWISS]
LATE, EXCUSED, LEAVER, ABSENT = 6, 3, 5, 2
TIEBREAKS = ("BH", "SB", "DE", "WIN", "WON", "PS", "KS", "BH/C1", "BPG", "BWG", "LOTS")


@pytest.fixture(scope="module")
def swiss(world: None) -> Stage:
    """Two rounds played and a draft. Nine players; a tenth, who is number 6 now, came for round 2. Number 3 had half a
    point there, number 5 left after it, number 2 misses round 3."""
    factory.make_club()
    factory.make_list()
    people = factory.make_players(10)
    stage = make_swiss(people[:9])
    play_rounds(stage, 1, WHITE, DRAW, BLACK)
    enter_late(stage.tournament, people[9:], by=None)
    request_bye(entry(stage, EXCUSED).pk, 2, "half", by=None)
    play_rounds(stage, 1, BLACK, WHITE)
    withdraw_entry(entry(stage, LEAVER).pk, by=None)
    request_bye(entry(stage, ABSENT).pk, 3, "zero", by=None)
    pair_next_round(stage, by=None)
    return stage


@pytest.fixture
def officer(client: Client, swiss: Stage) -> Client:
    client.force_login(factory.make_arbiter())
    return client


def sitting(row: Round) -> list[int]:
    """Who has a board in the round, by number."""
    return sorted(number for board in boards_of(row) for number in board)


def rounds_of(stage: Stage) -> list[Round]:
    return list(Round.objects.filter(stage=stage).select_related("stage").order_by("number"))


def numbers(people: Any) -> list[int]:
    return sorted(person.number for person in people)


def test_a_swiss_has_a_use_for_these_sheets_and_an_officers_draft_says_so(officer: Client, swiss: Stage) -> None:
    for number in (1, 2, 3):
        page = print_page(officer, swiss.tournament, *EVERY_SHEET, round=number)
        assert offered(page) == printed(page) == SWISS_SHEETS
    found = Sheets(page.content.decode()).words
    assert [key for key in ("pairings", "names", "slips", "board-cards") if "DRAFT" not in found[key]] == []


def test_a_visitor_prints_the_rounds_that_are_out(client: Client, swiss: Stage) -> None:
    page = print_page(client, swiss.tournament, *EVERY_SHEET)
    assert page.context["round"].number == 2
    assert "DRAFT" not in page.content.decode()
    assert printed(print_page(client, swiss.tournament, *EVERY_SHEET, round=3)) == []


@pytest.mark.extended
def test_every_seat_stands_once_on_lists_by_board_and_name_slips_and_cards(officer: Client, swiss: Stage) -> None:
    event = swiss.tournament
    for row in rounds_of(swiss):
        (part,) = content(officer, event, "pairings", round=row.number)
        seated = numbers(side for line in part.lines for side in (line.board.white, line.board.black))
        assert seated == sitting(row)
        assert {bye.entrant.number: bye.kind for bye, _words in part.byes} == byes_of(row)
        (by_name,) = content(officer, event, "names", round=row.number)
        assert numbers(seat.entrant for seat, _words in by_name.lines) == list(range(1, 11))
        assert numbers(seat.entrant for seat, _words in by_name.lines if seat.board) == sitting(row)
        for key in ("slips", "board-cards"):
            boards = [slip.board for slip in content(officer, event, key, round=row.number)]
            assert [board.board for board in boards] == list(range(1, len(boards_of(row)) + 1))
            assert numbers(side for board in boards for side in (board.white, board.black)) == sitting(row)
    points = {line.board.white.number: line.white_points for line in part.lines}
    points |= {line.board.black.number: line.black_points for line in part.lines}
    (section,) = content(officer, event, "standings", round=2)
    after = {row.player: row.points for row in section.ranked.rows}
    assert points == {number: after[number] for number in points}, "byes count before the round and no draft"


def test_the_list_by_name_says_why_somebody_has_no_board(officer: Client, swiss: Stage) -> None:
    name = {number: entry(swiss, number).player.name for number in (LATE, EXCUSED, LEAVER, ABSENT)}
    sheets = [words(officer, swiss.tournament, "names", round=number) for number in (1, 2, 3)]
    assert f"{name[LATE]} plays from round 2 on" in sheets[0]
    assert f"{name[EXCUSED]} half-point bye" in sheets[1]
    assert f"{name[LEAVER]} withdrawn" in sheets[2]
    assert f"{name[ABSENT]} zero-point bye" in sheets[2]


def test_everybody_stands_once_in_the_tables_and_the_start_lists(officer: Client, swiss: Stage) -> None:
    keys = ("standings", "crosstable", "crosstable-number")
    page = print_page(officer, swiss.tournament, *keys)
    found = Sheets(page.content.decode()).words
    for key, sheet in zip(keys, page.context["sheets"], strict=True):
        (section,) = sheet.content
        assert sorted(row.player for row in section.ranked.rows) == list(range(1, 11))
        assert [number for number in range(1, 11) if entry(swiss, number).player.name not in found[key]] == []
    for key in ("start-list", "start-list-names"):
        assert numbers(content(officer, swiss.tournament, key)) == list(range(1, 11))
    assert f"{entry(swiss, LATE).player.name} from round 2" in words(officer, swiss.tournament, "start-list")


def test_a_player_card_tells_every_seat_and_what_every_bye_brings(officer: Client, swiss: Stage) -> None:
    cards = {card.entrant.number: card for _section, card in content(officer, swiss.tournament, "player-cards")}
    assert sorted(cards) == [number for number in range(1, 11) if number != LEAVER]
    byes = {(number, line.number): (line.bye, line.worth) for number, card in cards.items() for line in card.lines}
    assert byes[EXCUSED, 2] == ("half", 1)
    assert byes[ABSENT, 3] == ("zero", 0)
    assert {worth for kind, worth in byes.values() if kind == "pab"} == {2}
    for row in rounds_of(swiss):
        seats = Counter(number for number, card in cards.items() if card.lines[row.number - 1].board)
        assert sorted(seats) == [number for number in sitting(row) if number != LEAVER]
    assert "half-point bye ½" in words(officer, swiss.tournament, "player-cards")
    assert "zero-point bye 0" in words(officer, swiss.tournament, "player-cards")
    Tournament.objects.update(allocated_bye="draw")
    again = content(officer, swiss.tournament, "player-cards")
    assert {line.worth for _section, card in again for line in card.lines if line.bye == "pab"} == {1}


def test_what_is_filled_in_by_hand_goes_on_where_the_rounds_end(officer: Client, swiss: Stage) -> None:
    (pairings,) = content(officer, swiss.tournament, "blank-pairings")
    assert (pairings.number, list(pairings.boards)) == (4, [1, 2, 3, 4])
    (grid,) = content(officer, swiss.tournament, "blank-crosstable")
    assert grid.columns == ("R3", "R4", "R5")
    assert numbers(line.entrant for line in grid.lines) == list(range(1, 11))
    (standings,) = content(officer, swiss.tournament, "blank-standings")
    assert list(standings.places) == list(range(1, 11))


@pytest.mark.extended
def test_a_table_is_turned_when_its_columns_are_many(officer: Client, swiss: Stage) -> None:
    """A crosstable of three rounds from the tenth tie-break on, standings from the seventh."""
    for sheet, tiebreaks, across in (
        ("crosstable", 9, False),
        ("crosstable", 10, True),
        ("standings", 6, False),
        ("standings", 7, True),
    ):
        Tournament.objects.update(tiebreaks=",".join(TIEBREAKS[:tiebreaks]))
        assert print_page(officer, swiss.tournament, sheet).context["sheets"][0].is_wide is across, sheet
