"""The schedule builder: names in, rounds and the empty crosstable out, without login and without database."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client, RequestFactory

from players.models import Club
from tests.tournaments.test_round_robin import PRINTED
from tournaments.forms import ScheduleForm
from tournaments.pairing.round_robin import RoundRobin
from tournaments.views.schedule import by_lot, rounds_of, schedule

SEVEN = ("Kramnik", "Topalov", "Anand", "Carlsen", "Karjakin", "Nakamura", "Aronian")
PLAIN = {"order": "listed", "seed": "", "cycles": "1"}


def page_for(names: str, **choices: str) -> str:
    """The page's text, made by the view alone: no client, no session, no database."""
    request = RequestFactory().post("/tools/schedule/", {**PLAIN, **choices, "names": names})
    return " ".join(schedule(request).content.decode().split())


def errors_for(names: str, **choices: str) -> list[str]:
    form = ScheduleForm({**PLAIN, **choices, "names": names})
    assert not form.is_valid()
    assert set(form.errors) == {"names"}
    return form.errors["names"]


def test_the_page_opens_without_database(rf: RequestFactory) -> None:
    assert "Paste the names" in schedule(rf.get("/tools/schedule/")).content.decode()


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_tool_asks_the_database_for_nothing_but_the_clubs_name_in_the_masthead(
    client: Client, club: Club, django_assert_max_num_queries: Callable[..., Any], method: str
) -> None:
    with django_assert_max_num_queries(1):
        response = getattr(client, method)("/tools/schedule/", {**PLAIN, "names": "Ada\nBo\nCleo"})
    assert response.status_code == 200


def test_the_page_opens_without_login(client: Client, club: Club) -> None:
    response = client.post("/tools/schedule/", {**PLAIN, "names": "Ada\nBo"})
    assert response.status_code == 200
    assert "Round 1" in response.content.decode()


def test_names_are_posted_with_a_token_and_not_put_into_the_address(client: Client, club: Club) -> None:
    page = client.get("/tools/schedule/").content.decode()
    assert 'method="post"' in page
    assert "csrfmiddlewaretoken" in page


def test_of_seven_the_first_listed_has_the_bye_in_round_one() -> None:
    page = page_for("\n".join(SEVEN))
    assert page.index("Round 1") < page.index("Kramnik has the bye.") < page.index("Round 2")


def test_in_the_last_round_of_the_sources_example_the_two_finalists_of_2016_meet() -> None:
    last = rounds_of(SEVEN, {})[-1]
    assert ("Karjakin", "Anand") in [(row.record.white, row.record.black) for row in last.table.rows]


@pytest.mark.parametrize("players", PRINTED)
def test_the_rounds_are_those_of_the_printed_table(players: int) -> None:
    names = [str(number) for number in range(1, players + 1)]
    shown = [[f"{row.record.white}-{row.record.black}" for row in one.table.rows] for one in rounds_of(names, {})]
    assert " | ".join(" ".join(boards) for boards in shown) == PRINTED[players]


def test_twice_means_twice_as_many_rounds_and_two_fields_a_cell() -> None:
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


def test_a_typed_seed_means_a_draw() -> None:
    assert "seed <strong>7</strong>" in page_for("\n".join(SEVEN), seed="7")


def test_without_a_draw_no_seed_is_shown() -> None:
    assert "seed <strong>" not in page_for("\n".join(SEVEN))


def test_a_draw_keeps_everybody_once() -> None:
    assert sorted(by_lot(SEVEN, 3)) == sorted(SEVEN)


def test_blank_lines_and_stray_blanks_are_skipped() -> None:
    form = ScheduleForm({**PLAIN, "names": "\n  Ada  Alvarez \n\n\t\nBo\n"})
    assert form.is_valid()
    assert form.cleaned_data["names"] == ["Ada Alvarez", "Bo"]


def test_a_name_twice_is_refused_with_both_lines() -> None:
    assert errors_for("\nAda\nBo\nada") == ["Line 4 repeats line 2, “ada”: remove one, or tell the two apart."]


def test_one_name_alone_is_refused() -> None:
    assert errors_for("\n\nAda") == ["Only line 3 holds a name: at least two are needed."]


@pytest.mark.parametrize("nothing", ["", "\n \n"])
def test_no_name_at_all_is_refused(nothing: str) -> None:
    assert errors_for(nothing) == ["Write at least two names, each on a line of its own."]


def test_more_than_forty_names_are_refused_with_the_first_line_too_many() -> None:
    names = "\n".join(f"Player {number}" for number in range(1, 42))
    assert errors_for(names) == ["41 names are too many: line 41 is the first beyond 40. Form groups."]


def test_forty_names_are_taken() -> None:
    assert "40 players, 39 rounds" in page_for("\n".join(f"Player {number}" for number in range(1, 41)))


def test_the_tool_and_the_pairing_system_agree_on_the_most() -> None:
    assert RoundRobin.max_players == 40


def test_an_overlong_line_is_refused_by_its_number() -> None:
    assert errors_for("Ada\n" + "x" * 101) == ["Line 2 is longer than 100 characters: one name a line."]


def test_a_thousand_bad_lines_get_a_few_messages() -> None:
    assert len(errors_for("\n".join(["Ada"] * 1000))) == 5


@pytest.mark.parametrize(("field", "value"), [("seed", "-1"), ("seed", "x"), ("cycles", "3"), ("order", "rating")])
def test_a_choice_that_is_not_offered_is_refused_at_its_field(field: str, value: str) -> None:
    form = ScheduleForm({**PLAIN, "names": "Ada\nBo", field: value})
    assert set(form.errors) == {field}


def test_a_name_cannot_bring_markup_into_the_page() -> None:
    page = page_for("<script>alert(1)</script>\nBo")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
