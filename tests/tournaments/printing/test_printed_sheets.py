"""What stands on every sheet an arbiter prints: everybody once, no result on an empty grid, the round as it stood."""

from collections import Counter
from dataclasses import replace

import pytest
from django.test import Client

from players.privacy.rules import NOBODY
from tests import factory
from tests.tournaments.event_pages.page_cases import (
    BLACK,
    DRAW,
    WHITE,
    draw_cup,
    first_stage,
    form_groups,
    keizer_club,
    make_event,
    play_bracket,
    play_match,
    play_open_round,
    team_match,
)
from tests.tournaments.printing.printing_cases import content, print_page, printed, words
from tournaments.events.selectors.event_data import RoundData
from tournaments.events.selectors.events import event_data
from tournaments.models import Entry, Tournament
from tournaments.presence.services import request_bye
from tournaments.printing.selectors import next_to_pair
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def cup(world: None) -> Tournament:
    """Five players, so one has a bye in every round; round 1 is played."""
    factory.make_club()
    factory.make_list()
    cup = factory.make_round_robin(factory.make_players(5))
    factory.play_round(cup, 1, [WHITE, DRAW])
    return cup


@pytest.fixture(scope="module")
def keizer(cup: Tournament) -> Tournament:
    """Seven players after two rounds, the third paired: one has the bye in each."""
    event = keizer_club(factory.make_players(7), [[WHITE, DRAW, BLACK], [DRAW, WHITE, WHITE]])
    pair_next_round(first_stage(event), by=None, day=factory.MONDAY, publish=True)
    return event


def entry(event: Tournament, number: int) -> Entry:
    return Entry.objects.get(tournament=event, number=number)


# --- pairings -------------------------------------------------------------------------------------------------------
def test_a_pairing_list_tells_board_points_names_results_and_the_bye(client: Client, cup: Tournament) -> None:
    (part,) = content(client, cup, "pairings", round=2)
    games = list(cup.games.filter(pairing__round__number=2).order_by("pairing__board"))
    assert [(line.board.board, line.board.white.player.pk, line.board.black.player.pk) for line in part.lines] == [
        (board, game.white_id, game.black_id) for board, game in enumerate(games, start=1)
    ]
    points: Counter[int] = Counter()
    for game in cup.games.filter(pairing__round__number=1):
        points[game.white_id] += {"1-0": 2, "1/2": 1}[game.result]
        points[game.black_id] += {"1-0": 0, "1/2": 1}[game.result]
    lines = [(line.white_points, line.black_points) for line in part.lines]
    assert lines == [(points[game.white_id], points[game.black_id]) for game in games]
    assert len(part.byes) == 1
    assert "bye: a free round, no points" in words(client, cup, "pairings", round=2)
    played = print_page(client, cup, "pairings", round=1).content.decode()
    assert "1–0" in played
    assert "½–½" in played
    assert "write-box" not in played
    assert print_page(client, cup, "pairings", round=2).content.decode().count("write-box") == 2
    sheet = words(client, cup, "names", round=2)
    assert f"{games[0].white.name} 1 W White {games[0].black.name}" in sheet
    assert f"{games[0].black.name} 1 B Black {games[0].white.name}" in sheet


def test_under_keizer_the_list_by_name_says_who_is_excused(client: Client, keizer: Tournament) -> None:
    request_bye(entry(keizer, 5).pk, 4, "half", by=None)
    play_open_round(keizer, DRAW, DRAW, DRAW)
    pair_next_round(first_stage(keizer), by=None, day=factory.MONDAY, publish=True)
    assert "Eva Engel excused" in words(client, keizer, "names", round=4)


def test_groups_stand_side_by_side_on_one_list(client: Client) -> None:
    stages = form_groups(factory.make_players(8), groups=2)
    event = stages[0].tournament
    parts = content(client, event, "pairings", round=1)
    assert [part.title for part in parts] == ["Group A", "Group B"]
    names = [seat.entrant.key for part in content(client, event, "names", round=1) for seat, _words in part.lines]
    assert len(names) == len(set(names)) == 8
    assert [section.title for section in content(client, event, "standings")] == ["Group A", "Group B"]


# --- slips and cards ----------------------------------------------------------------------------------------------
def test_there_is_a_slip_and_a_card_for_every_board_until_it_has_a_result(client: Client, cup: Tournament) -> None:
    for key in ("slips", "board-cards"):
        boards = content(client, cup, key, round=2)
        assert [slip.board.board for slip in boards] == [1, 2], "the bye has none"
    sheet = words(client, cup, "slips", round=2)
    assert sheet.count("1–0 ½–½ 0–1 Signed: White Signed: Black") == 2
    assert sheet.count("Winter Cup Round 2 Board") == 2
    assert words(client, cup, "board-cards", round=2).count("White") == 2
    for number, wanted in ((1, [2]), (2, [1, 2])):
        game = cup.games.get(pairing__round__number=2, pairing__board=number)
        factory.record_result(game=game.pk, result=WHITE, played_on=factory.MONDAY, by=None)
        slips = [slip.board.board for slip in content(client, cup, "slips", round=2)]
        assert slips == wanted, "all of them once all have one"


def test_the_next_game_of_a_match_has_its_own_slip_with_its_own_colours(client: Client) -> None:
    cup = draw_cup(factory.make_players(4), games=2)
    play_match(cup, 1, 1, DRAW)
    games = cup.games.filter(pairing__round__number=1, pairing__slot=1).order_by("number")
    (slip,) = [each.board for each in content(client, cup, "slips", round=1) if each.board.board == 1]
    assert slip.game == 2
    assert slip.white.player.pk == games[0].black_id
    (card,) = [each.board for each in content(client, cup, "board-cards", round=1) if each.board.board == 1]
    assert card.white == slip.white
    lines = content(client, cup, "pairings", round=1)[0].lines
    assert [(line.board.board, line.board.game) for line in lines] == [(1, 1), (1, 2), (2, 1)]
    assert lines[0].white_points is None, "a knockout knows no points before the round"
    play_match(cup, 1, 2, WHITE, BLACK)
    assert [line.board.white for line in content(client, cup, "pairings", round=2)[0].lines] == [None]
    assert printed(print_page(client, cup, "board-cards", round=2)) == [], "the upper line is still to come"


def test_a_knockout_round_tells_its_name_its_byes_and_who_is_to_come(client: Client) -> None:
    cup = draw_cup(factory.make_players(6))
    first = words(client, cup, "pairings", round=1)
    assert "Quarter-finals" in first
    assert first.count("bye: goes on without a match") == 2
    second = words(client, cup, "pairings", round=2)
    assert second.count("to come") == 2
    assert printed(print_page(client, cup, "slips", round=2)) == []
    names = content(client, cup, "names", round=2)[0].lines
    assert len(names) == 2, "who is out, or not yet in, is not looked for"


def test_a_player_card_of_a_round_robin_holds_all_pairings(client: Client, cup: Tournament) -> None:
    cards = content(client, cup, "player-cards")
    assert [card.entrant.number for _section, card in cards] == [1, 2, 3, 4, 5]
    for _section, card in cards:
        assert [line.number for line in card.lines] == [1, 2, 3, 4, 5]
        others = sorted(line.opponent.number for line in card.lines if line.opponent)
        assert others == [number for number in range(1, 6) if number != card.entrant.number]
        byes = [(line.bye, line.worth) for line in card.lines if line.bye]
        assert byes == [("pab", 0)], "a free round of a round robin brings nothing"
    marks = sorted(line.own for _section, card in cards for line in card.lines if line.own)
    assert marks == ["0", "1", "½", "½"]
    (won,) = [card.entrant for _section, card in cards for line in card.lines if line.own == "1"]
    assert won.player == cup.games.get(result=WHITE).white


def test_a_player_card_leaves_room_for_the_rounds_to_come(client: Client, keizer: Tournament) -> None:
    cards = content(client, keizer, "player-cards")
    assert {line.worth for _section, card in cards for line in card.lines if line.bye} == {None}
    (_section, card) = cards[0]
    assert [line.number for line in card.lines] == [1, 2, 3, 4, 5, 6]
    assert [bool(line.opponent or line.bye) for line in card.lines] == [True] * 3 + [False] * 3
    withdraw_entry(entry(keizer, 7).pk, by=None)
    left = [card.entrant.number for _section, card in content(client, keizer, "player-cards")]
    assert left == [1, 2, 3, 4, 5, 6], "who has left has no card"


# --- tables -------------------------------------------------------------------------------------------------------
def test_standings_have_every_tiebreak_after_the_round_chosen(
    client: Client, cup: Tournament, keizer: Tournament
) -> None:
    """Whoever prints round 1 again prints no later results; the points after it are two games' or three."""
    sheet = words(client, cup, "standings")
    for found in ("SB", "WIN", "Sonneborn-Berger", "Equal points are split by these"):
        assert found in sheet
    factory.play_round(cup, 2, [BLACK, BLACK])
    for event, games in ((cup, 2), (keizer, 3)):
        (then,) = content(client, event, "standings", round=1)
        (now,) = content(client, event, "standings", round=2)
        assert sum(row.played for row in then.ranked.rows) == 2 * games
        assert sum(row.played for row in now.ranked.rows) == 4 * games
    by_place, by_number = (words(client, cup, key, round=2) for key in ("crosstable", "crosstable-number"))
    names = factory.CAST[:5]
    assert sorted(names, key=by_number.index) == list(names)
    assert sorted(names, key=by_place.index) != list(names)


@pytest.mark.extended
def test_a_long_crosstable_is_printed_across(client: Client) -> None:
    few = factory.make_round_robin(factory.make_players(16), name="Few")
    many = factory.make_round_robin(factory.make_players(17), name="Many")
    for event, across in ((few, False), (many, True)):
        assert print_page(client, event, "crosstable").context["sheets"][0].is_wide is across
        assert ("across" in print_page(client, event, "crosstable").content.decode()) is across
    assert not print_page(client, many, "pairings").context["sheets"][0].is_wide


def test_the_bracket_is_the_one_of_the_page(client: Client) -> None:
    cup = draw_cup(factory.make_players(8), third_place=True)
    play_bracket(cup, 1)
    (section,) = content(client, cup, "bracket")
    assert [row.name for row in section.bracket.rounds] == ["quarter-final", "semi-final", "final"]
    assert "Third place" in words(client, cup, "bracket")


def test_all_rounds_stand_on_one_sheet(client: Client, cup: Tournament) -> None:
    sheet = words(client, cup, "calendar")
    assert [f"Round {number}" in sheet for number in range(1, 6)] == [True] * 5
    assert sheet.count(": bye: a free round, no points") == 5
    assert words(client, cup, "blank-results").count(": bye: a free round, no points") == 4
    assert "1–0" in sheet
    assert "Mon 2 Feb 2026" in sheet


def test_the_start_list_comes_by_number_and_by_name(client: Client) -> None:
    event = factory.make_round_robin(list(reversed(factory.make_players(4))))
    event.entries.filter(number=2).update(first_round=3)
    withdraw_entry(entry(event, 1).pk, by=None)
    by_number = words(client, event, "start-list")
    assert by_number.index("1 Dag Dahl withdrawn") < by_number.index("2 Cleo Costa from round 3")
    by_name = words(client, event, "start-list-names")
    assert by_name.index("4 Ada Alvarez") < by_name.index("1 Dag Dahl")


# --- grids to be filled in ------------------------------------------------------------------------------------------
def test_no_empty_grid_holds_a_result(client: Client, cup: Tournament) -> None:
    for key in ("blank-results", "blank-crosstable", "blank-standings"):
        sheet = print_page(client, cup, key).content.decode().split('<div class="sheets">')[1]
        for mark in ("1–0", "½", "0–1", ">1</span>", ">0</span>"):
            assert mark not in sheet, key


@pytest.mark.extended
def test_the_empty_results_are_those_of_the_rounds_that_want_some(client: Client, cup: Tournament) -> None:
    rounds = content(client, cup, "blank-results", round=1)
    assert [row.number for _title, row, _boards in rounds] == [2, 3, 4, 5]
    assert [row.number for _title, row, _boards in content(client, cup, "blank-results", round=4)] == [4, 5]
    html = print_page(client, cup, "blank-results", round=4).content.decode()
    assert html.count("write-box") == 4
    for number in (2, 3, 4, 5):
        factory.play_round(cup, number, [DRAW, DRAW])
    assert printed(print_page(client, cup, "blank-results", "blank-pairings")) == [], "the event is over"


def test_the_empty_pairing_list_has_a_line_for_every_board_there_may_be(client: Client, keizer: Tournament) -> None:
    (part,) = content(client, keizer, "blank-pairings")
    assert (part.number, list(part.boards)) == (4, [1, 2, 3])
    withdraw_entry(entry(keizer, 6).pk, by=None)
    withdraw_entry(entry(keizer, 7).pk, by=None)
    (part,) = content(client, keizer, "blank-pairings")
    assert list(part.boards) == [1, 2]
    assert "Ada" not in words(client, keizer, "blank-pairings")


def test_a_swiss_has_as_many_rounds_as_its_settings_say(client: Client) -> None:
    event = make_event(factory.make_players(6), "dutch", rounds=3)
    (grid,) = content(client, event, "blank-crosstable")
    assert grid.columns == ("R1", "R2", "R3")
    facts = event_data(first_stage(event), NOBODY)
    rows = tuple(RoundData(number, is_draft=False, planned_on=None, boards=(), byes=()) for number in (1, 2, 3))
    assert [next_to_pair(replace(facts, rounds=rows[:count])) for count in (0, 2, 3)] == [1, 3, None]


def test_empty_crosstables_of_every_format_and_standings(client: Client, cup: Tournament, keizer: Tournament) -> None:
    (grid,) = content(client, keizer, "blank-crosstable")
    assert grid.columns == ("R3", "R4", "R5", "R6"), "it goes on from the points so far"
    assert [line.entrant.number for line in grid.lines] == [1, 2, 3, 4, 5, 6, 7]
    assert sum(line.points for line in grid.lines) == 12, "six games of two half-points each"
    (grid,) = content(client, cup, "blank-crosstable")
    assert grid.columns == ("1", "2", "3", "4", "5")
    html = print_page(client, cup, "blank-crosstable").content.decode()
    assert html.count('class="cell self"') == 5
    assert html.count('class="cell"') == 5 * 4 + 5 * 2
    (grid,) = content(client, team_match(factory.make_players(6)), "blank-crosstable")
    assert grid.columns == ("B1", "B2", "B3")
    assert [line.label for line in grid.lines] == ["A1", "A2", "A3"]
    Tournament.objects.update(tiebreaks="SB,WIN")
    (part,) = content(client, cup, "blank-standings")
    assert (list(part.places), part.codes) == ([1, 2, 3, 4, 5], ("SB", "WIN"))
    (part,) = content(client, keizer, "blank-standings")
    assert part.codes == (), "a Keizer list has none"


@pytest.mark.extended
def test_long_standings_say_on_a_second_sheet_what_they_are(client: Client) -> None:
    for players, heads in ((24, 0), (26, 1)):
        event = make_event(factory.make_players(players), "keizer", name=f"Club of {players}")
        pair_next_round(first_stage(event), by=None, day=factory.MONDAY, publish=True)
        page = print_page(client, event, "standings", round=1).content.decode()
        assert page.count(f'<span class="running">Club of {players}, round 1: standings</span>') == heads
