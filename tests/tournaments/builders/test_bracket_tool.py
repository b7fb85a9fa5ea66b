"""The bracket builder: names in, the bracket out, without login and without database."""

import re
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

from django.test import Client, RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from players.models import Club
from tests.choosing import examples
from tournaments.builders.forms import BracketForm
from tournaments.builders.views.bracket import EmptyRound, bracket_csv, bracket_tool, draw, sheet_of
from tournaments.interchange.sheets import as_csv
from tournaments.interchange.tables_csv import read_table
from tournaments.pairing.knockout import Knockout

EIGHT = ("Ada", "Bo", "Cleo", "Dag", "Eva", "Finn", "Gio", "Hana")
PLAIN = {"seeding": "standard", "pairs": "neighbours", "seed": ""}
SEEDED: dict[str, str | bool] = {"seeding": "standard", "pairs": "neighbours", "third_place": False}


def page_for(names: str, **choices: str) -> str:
    """The page's text, made by the view alone: no client, no session, no database."""
    answer = bracket_tool(RequestFactory().post("/tools/bracket/", {**PLAIN, **choices, "names": names}))
    if answer.status_code == 302:
        answer = bracket_tool(RequestFactory().get(answer["Location"]))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def errors_for(names: str) -> list[str]:
    form = BracketForm({**PLAIN, "names": names})
    assert not form.is_valid()
    return form.errors["names"]


def lines_of(row: EmptyRound) -> list[list[str]]:
    """The names in every match of a round, from top to bottom; "" is a line to write on."""
    return [[line.name for line in match.lines] for pair in row.pairs for match in pair.matches]


def test_the_page_opens_without_database_and_no_name_brings_markup_into_it(rf: RequestFactory) -> None:
    assert "Paste the names" in bracket_tool(rf.get("/tools/bracket/")).content.decode()
    page = page_for("<script>alert(1)</script>\nBo")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_the_tool_asks_the_database_for_nothing_but_the_clubs_name_in_the_masthead(
    client: Client, club: Club, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for ask in (client.get, client.post):
        with django_assert_max_num_queries(1):
            response = ask("/tools/bracket/", {**PLAIN, "names": "Ada\nBo\nCleo"}, follow=True)
        assert 'class="bracket"' in response.text
    assert 'href="/tools/bracket/"' in client.get("/tools/elo/").text


def posted(**asked: str) -> Any:
    return bracket_tool(RequestFactory().post("/tools/bracket/", asked))


def test_a_question_leads_to_the_address_that_holds_it_unless_it_is_long_or_private() -> None:
    answer = posted(names="Ada\nBo\nCleo", **PLAIN, third_place="on", games="3")
    assert answer["Location"] == "/tools/bracket/?names=Ada%0ABo%0ACleo&third_place=on&games=3"
    assert posted(names="Ada\nBo\nCleo", seeding="lots")["Location"].split("seed=")[1].isdecimal()
    many = "\n".join(f"Somebody called {number}" for number in range(256))
    for answer in (posted(names=many), posted(names="Ada\nBo", private="on")):
        assert answer.status_code == 200
        assert 'formaction="/tools/bracket/matches.csv"' in answer.content.decode()


def csv_of(**asked: str) -> Any:
    return bracket_csv(RequestFactory().get("/tools/bracket/matches.csv", asked))


def test_the_csv_has_a_line_a_match_and_where_its_winner_goes() -> None:
    assert csv_of(names="Ada\nBo\nCleo\nDag\nEva", third_place="on").content.decode().splitlines() == [
        "round,board,upper_seed,upper,lower_seed,lower,winner_to,third_place",
        "1,1,1,Ada,,,2/1,",
        "1,2,4,Dag,5,Eva,2/1,",
        "1,3,2,Bo,,,2/2,",
        "1,4,3,Cleo,,,2/2,",
        "2,1,,,,,3/1,",
        "2,2,,,,,3/1,",
        "3,1,,,,,,",
        "3,2,,,,,,yes",
    ]


@examples(100)
@given(st.integers(2, 256), st.sampled_from(["standard", "given", "lots"]), st.booleans())
def test_the_csv_is_read_again_as_it_was_written(players: int, seeding: str, third: bool) -> None:
    names = [f"Player, {number}" for number in range(1, players + 1)]
    settings: dict[str, str | bool] = {"seeding": seeding, "pairs": "neighbours", "third_place": third}
    table = read_table(as_csv(sheet_of(names, settings, 7)).encode())
    assert table.bad == ()
    rows = [line.values for line in table.lines]
    first = [row for row in rows if row["round"] == "1"]
    entered = [row[side] for row in first for side in ("upper", "lower") if row[side]]
    assert sorted(entered) == sorted(names)
    assert all(names[int(row["upper_seed"]) - 1] == row["upper"] for row in first)
    assert len(rows) == 2 ** (players - 1).bit_length() - 1 + (third and players > 3)


def test_eight_seeded_names_meet_first_against_last_and_feed_the_match_beside() -> None:
    first, semi, final = draw(EIGHT, SEEDED, 0)
    assert lines_of(first) == [["Ada", "Hana"], ["Dag", "Eva"], ["Bo", "Gio"], ["Cleo", "Finn"]]
    assert lines_of(semi) == [["", ""], ["", ""]]
    assert lines_of(final) == [["", ""]]
    assert [row.name for row in (first, semi, final)] == ["quarter-final", "semi-final", "final"]
    assert [pair.feeds.board if pair.feeds else None for pair in first.pairs] == [1, 2]
    assert semi.pairs[0].feeds is not None
    assert semi.pairs[0].feeds.key == final.pairs[0].matches[0].key
    assert final.pairs[0].feeds is None


def test_the_best_have_the_byes_and_crossed_pairs_stand_beside_each_other() -> None:
    first, second, _final = draw(EIGHT[:5], SEEDED, 0)
    assert lines_of(first) == [["Ada"], ["Dag", "Eva"], ["Bo"], ["Cleo"]]
    assert lines_of(second) == [["Ada", ""], ["Bo", "Cleo"]]
    # The winner of match 1 meets the winner of match 4, 2 meets 3.
    first, *_rest = draw(EIGHT, {"seeding": "given", "pairs": "crossed", "third_place": False}, 0)
    assert lines_of(first) == [["Ada", "Bo"], ["Gio", "Hana"], ["Cleo", "Dag"], ["Eva", "Finn"]]


def test_third_place_stands_in_the_last_column_and_how_many_games_above_the_sheet() -> None:
    *earlier, final = draw(EIGHT[:4], {**SEEDED, "third_place": True}, 0)
    assert final.third is not None
    assert [line.name for line in final.third.lines] == ["", ""]
    assert not any(row.third for row in earlier)
    assert "Third place" in page_for("\n".join(EIGHT[:4]), third_place="on")
    assert "best of 3 games" in page_for("\n".join(EIGHT), games="3")
    assert "best of" not in page_for("\n".join(EIGHT))[:-4000]


def test_everybody_stands_in_the_first_round_once() -> None:
    for players, seeding in product((2, 3, 5, 8, 17, 64, 256), ("standard", "lots", "given")):
        names = [f"Player {number}" for number in range(1, players + 1)]
        rounds = draw(names, {**SEEDED, "seeding": seeding}, 7)
        assert sorted(name for match in lines_of(rounds[0]) for name in match) == sorted(names), (players, seeding)
        assert len(rounds) == (players - 1).bit_length()
        assert sum(len(match) == 1 for match in lines_of(rounds[0])) == 2 ** len(rounds) - players


def test_a_draw_shows_its_seed_and_the_seed_repeats_the_draw() -> None:
    drawn = page_for("\n".join(EIGHT), seeding="lots")
    seed = re.search(r"seed <strong>(\d+)</strong>", drawn)
    assert seed is not None
    repeated = page_for("\n".join(EIGHT), seed=seed[1])
    bracket = re.compile(r'<ol class="bracket">.*</ol>')
    assert bracket.findall(drawn) == bracket.findall(repeated)
    assert "seed <strong>" not in page_for("\n".join(EIGHT))


def test_the_draw_is_the_pairing_systems_on_the_page_and_in_the_csv() -> None:
    first = draw(EIGHT, {**SEEDED, "seeding": "lots"}, 12)[0]
    drawn = Knockout().bracket(8, {"seeding": "lots"}, Random(12))
    seeds = [[side.seed for side in (match.upper, match.lower)] for match in drawn if match.round == 1]
    assert [[line.seed for line in match.lines] for pair in first.pairs for match in pair.matches] == seeds
    rows = csv_of(names="\n".join(EIGHT), seed="12").content.decode().splitlines()[1:5]
    assert [[row.split(",")[3], row.split(",")[5]] for row in rows] == lines_of(first)


def test_one_name_alone_one_twice_and_too_many_are_refused_with_their_lines() -> None:
    assert errors_for("\n\nAda") == ["Only line 3 holds a name: at least two are needed."]
    assert errors_for("Ada\nBo\nada") == ["Line 3 repeats line 1, “ada”: remove one, or tell the two apart."]
    names = "\n".join(f"Player {number}" for number in range(1, 258))
    assert errors_for(names) == ["257 names are too many: line 257 is the first beyond 256. Form groups."]


def test_a_choice_that_is_not_offered_is_refused_at_its_field_and_a_file_with_the_form() -> None:
    for field, value in (("seed", "-1"), ("seeding", "rating"), ("pairs", "any")):
        assert set(BracketForm({**PLAIN, "names": "Ada\nBo", field: value}).errors) == {field}
    answer = csv_of(names="Ada")
    assert answer.status_code == 400
    assert "at least two are needed" in answer.content.decode()
