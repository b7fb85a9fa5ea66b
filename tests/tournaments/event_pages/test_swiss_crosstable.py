"""The crosstable of a Swiss: 12w1, 5b½, 7w+, H, bye; in order of the standings and by start number. Round robins keep
everybody against everybody, with the tie-breaks at the right."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from players.models import Player, Visibility
from players.privacy.rules import NOBODY
from ratings.models import RatingList
from tests.factory import make_players, make_round_robin, play_round
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages.page_cases import DRAW, WHITE, draw_cup, keizer_club, team_match, text_of
from tests.tournaments.events.open_events import NAMES, big_swiss, real_swiss, small_swiss
from tournaments.event_pages.views.crosstables import Grid
from tournaments.event_pages.views.sections import BY_NUMBER, Section, sections_of
from tournaments.events.selectors.events import facts_of, stages_at
from tournaments.models import Game, Round, Tournament

CROSS = "/tournaments/open/crosstable/"


standard = club_and_list


def section_of(event: Tournament) -> Section:
    facts = facts_of(stages_at(event.slug), NOBODY)
    return sections_of(facts, {}, {}, NOBODY)[0]


def grid_of(client: Client, address: str = CROSS) -> Grid:
    grid = client.get(address).context["parts"][0][0].grid
    assert grid is not None
    return grid


def texts(grid: Grid) -> dict[str, list[str]]:
    """The cells of every row, by the row's label."""
    return {row.label: [cell.text for cell in row.cells] for row in grid.rows}


def test_cells_name_the_opponents_line_or_number_colour_and_result(client: Client, standard: RatingList) -> None:
    small_swiss()
    # Lines: 1 Ada, 2 Eva, 3 Bo (by Buchholz), 4 Cleo, 5 Dag.
    lines = {
        "1": ["5w1", "3b½", "4w+", "2w½"],
        "2": ["3w0", "bye", "5b1", "1b½"],
        "3": ["2b1", "1w½", "Z", "5w1"],
        "4": ["H", "5b1", "1b−", "H"],
        "5": ["1b0", "4w0", "2w0", "3b0"],
    }
    assert texts(grid_of(client)) == lines
    assert texts(grid_of(client, f"{CROSS}?order=height")) == lines, "an order that is none"
    grid = grid_of(client, f"{CROSS}?order=number")
    assert texts(grid)["1"] == ["4w1", "2b½", "3w+", "5w½"]
    assert texts(grid)["5"] == ["2w0", "bye", "4b1", "1b½"]
    assert [row.place for row in grid.rows] == [1, 3, 4, 5, 2]
    assert f'href="{CROSS}?order=number"' in text_of(client, CROSS)
    by_number = text_of(client, f"{CROSS}?order=number")
    assert f'<a href="{CROSS}">In order of the standings</a>' in by_number
    assert '<b aria-current="true">By start number</b>' in by_number
    assert ">Place</th>" in by_number


def test_a_cell_leads_to_the_opponents_card_and_the_signs_are_explained(client: Client, standard: RatingList) -> None:
    event = small_swiss()
    event.entries.filter(number=1).update(rating=1900, rating_games=3, rating_list=standard.slug)
    page = text_of(client, CROSS)
    words = "Round 3, White against Costa, Cleo: won by forfeit"
    assert (
        f'<a href="/tournaments/open/entries/3/" title="{words}"><span aria-hidden="true">4w+</span>'
        f'<span class="hidden">{words}</span></a>' in page
    )
    assert "Round 1: half-point bye" in page
    assert "Round 2: bye" in page
    assert '<td class="mid muted"><span title="Round 3: zero-point bye"><span aria-hidden="true">Z</span>' in page
    assert "H: half-point bye." in page
    assert "Z: zero-point bye." in page
    assert "F: full-point bye." not in page, "only as far as they occur"
    assert '<a href="/tournaments/open/rounds/2/"><span class="hidden">Round </span>2</a>' in page
    assert page.count('<tr class="provisional">') == 1
    assert '<span class="word">on probation at entry</span>' in page


def test_a_game_without_result_has_no_mark(client: Client, standard: RatingList) -> None:
    event = small_swiss()
    Game.objects.filter(tournament=event, pairing__round__number=3, result="0-1").update(result="")
    grid = grid_of(client, f"{CROSS}?order=number")
    assert texts(grid)["4"][2] == "5w"
    assert grid.rows[3].cells[2].words == "Round 3, White against Engel, Eva: no result yet"


def test_who_left_is_not_paired(client: Client, standard: RatingList) -> None:
    """A round with neither game nor bye is a dash, and says so."""
    real_swiss()
    cells = texts(grid_of(client, "/tournaments/hb2025-koshnitsky/crosstable/"))
    assert cells["35"] == ["17w−", *["–"] * 6]
    assert len(cells) == 35
    assert "Round 7: not paired" in text_of(client, "/tournaments/hb2025-koshnitsky/crosstable/")


def test_every_game_stands_in_both_rows(standard: RatingList) -> None:
    """Read from the other side, colour and result are the mirror's."""
    event = real_swiss()
    section = section_of(event)
    object.__setattr__(section, "order", BY_NUMBER)
    grid = section.grid
    assert grid is not None
    rows, mirror = texts(grid), {"1": "0", "0": "1", "½": "½", "+": "−", "−": "+", "w": "b", "b": "w"}
    games = 0
    for label, cells in rows.items():
        for at, cell in enumerate(cells):
            if cell[-2:-1] in ("w", "b"):
                games += 1
                other, colour, mark = cell[:-2], cell[-2], cell[-1]
                assert rows[other][at] == f"{label}{mirror[colour]}{mirror[mark]}"
    assert games == 2 * Game.objects.filter(tournament=event).count()


def test_shared_places_are_told_where_lines_are_numbered_through(client: Client, standard: RatingList) -> None:
    small_swiss("WIN")
    assert "which places are shared, the standings say" in text_of(client, CROSS)
    assert [row.label for row in grid_of(client).rows] == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("visibility", [Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN])
def test_who_is_not_public_has_a_number_only(client: Client, standard: RatingList, visibility: Visibility) -> None:
    small_swiss()
    Player.objects.filter(name=NAMES[3]).update(visibility=visibility)
    for query in ("", "?order=number"):
        page = text_of(client, CROSS + query)
        assert "Costa" not in page
        assert 'href="/tournaments/open/entries/3/"' in page


# --- the other formats --------------------------------------------------------------------------------------------
def test_a_round_robin_keeps_everybody_against_everybody_and_tiebreaks(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(4))
    play_round(cup, 1, [DRAW, WHITE])
    page = text_of(client, f"/tournaments/{cup.slug}/crosstable/")
    assert 'class="game self"' in page
    assert '<abbr title="Sonneborn-Berger">SB</abbr>' in page
    assert f'href="/tournaments/{cup.slug}/entries/1/#sb"' in page
    assert section_of(cup).grid is None
    rows = client.get(f"/tournaments/{cup.slug}/crosstable/?order=number").context["parts"][0][0].crosses[0].rows
    assert [(row.label, row.entrant.number) for row in rows] == [("1", 1), ("2", 2), ("3", 3), ("4", 4)]


def test_keizer_and_teams_keep_their_tables_and_a_knockout_has_no_rounds_to_be_read_so(standard: RatingList) -> None:
    people = make_players(4)
    for event in (keizer_club(people, [[WHITE, DRAW]]), team_match(people)):
        section = section_of(event)
        assert section.grid is None
        assert section.crosses
        assert not any(row.tiebreaks for cross in section.crosses for row in cross.rows)
    assert section_of(draw_cup(people)).grid is None


# --- queries ------------------------------------------------------------------------------------------------------

MOST_QUERIES = 8
PARTS = ("", "standings/", "crosstable/", "crosstable/?order=number", "progress/", "entries/", "entries/7/",
         "rounds/3/", "rounds/3/?order=name")  # fmt: skip


@pytest.mark.extended
def test_the_overview_shows_the_first_boards_and_places_and_the_rest_is_a_tab_away(
    client: Client, standard: RatingList
) -> None:
    event = big_swiss(22)
    address = event.get_absolute_url()
    page = text_of(client, address)
    last = Round.objects.filter(stage__tournament=event).latest("number").number
    boards, places = re.findall(r"<tbody>.*?</tbody>", page, re.DOTALL)
    assert (boards.count("<tr"), places.count("<tr")) == (6, 5)
    assert f'<a href="{address}rounds/{last}/">All 11 boards</a>' in page
    assert f'<a href="{address}standings/">All 22 places</a>' in page
    assert "wrong?" not in page
    assert 'id="crosstable"' not in page
    assert text_of(client, f"{address}standings/").count("<tr") == 1 + 22
    assert text_of(client, f"{address}rounds/1/").count("<tr") == 1 + 11


def test_a_name_from_right_to_left_leaves_the_figures_of_a_sentence_alone(client: Client, standard: RatingList) -> None:
    small_swiss()
    for name, shown in (("דוד לוי", "\u2068דוד לוי\u2069"), ("Ada Alvarez", "Ada Alvarez")):
        Player.objects.filter(number=Player.objects.get(name__in=(NAMES[1], "דוד לוי")).number).update(name=name)
        assert f"{shown} wins with 3 out of 4" in text_of(client, "/tournaments/open/")


@pytest.mark.parametrize("players", [12, pytest.param(60, marks=pytest.mark.slow)])
def test_pages_of_a_swiss_need_few_queries_whatever_the_number_of_players(
    client: Client, standard: RatingList, at_most: DjangoAssertNumQueries, players: int
) -> None:
    event = big_swiss(players)
    for part in PARTS:
        with at_most(MOST_QUERIES):
            text_of(client, f"{event.get_absolute_url()}{part}")
