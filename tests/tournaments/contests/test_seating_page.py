"""Seating for an evening of tables or doubles: who sits with whom, and from there to the entry of a result."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from html import unescape
from itertools import combinations

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from ratings.lists.selectors.chances import chances_at
from ratings.lists.services import NewRule, create_list, set_rules
from ratings.models import RatingList
from tests import factory
from tests.tournaments.contests.contest_cases import DAY, make_evening, make_tables, play, table
from tournaments.contests.selectors import seatings_of
from tournaments.contests.services import insert_contest
from tournaments.models import Contest, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def tables(world: None) -> Tournament:
    factory.make_club()
    factory.make_players(16)
    return make_tables()[1]


def ask(client: Client, event: Tournament, people: range, **more: str) -> HttpResponse:
    names = "\n".join(f"#{number}" for number in people)
    address = reverse("admin:tournaments_tournament_seating", args=[event.pk])
    return client.post(address, {"names": names, "size": "4", "rounds": "1", "seed": "1", **more})


def page_of_entry(event: Tournament) -> str:
    return reverse("admin:tournaments_tournament_tables", args=[event.pk])


def seated(page: HttpResponse) -> list[list[tuple[int, ...]]]:
    """Of each round the tables, by the numbers their links to the result have: all of a side, sides in turn."""
    rounds = re.split(r'<section class="gap"', page.content.decode())[1:]
    links = [re.findall(r'href="[^"]*/tables/\?([^"]+)"', part) for part in rounds]
    return [[tuple(int(n) for n in re.findall(r"%23(\d+)", link)) for link in tables] for tables in links]


def test_sixteen_meet_each_other_once_in_five_rounds(tables: Tournament, arbiter: Client) -> None:
    page = ask(arbiter, tables, range(1, 17), rounds="5")
    rounds = seated(page)
    assert [len(tables) for tables in rounds] == [4] * 5
    met = [pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2)]
    assert sorted(met) == list(combinations(range(1, 17), 2))
    assert "Nobody meets anybody twice in these rounds." in page.content.decode()


def test_what_was_played_counts_for_the_next_round(tables: Tournament, arbiter: Client) -> None:
    for first in (1, 5, 9, 13):
        play(tables, "; ".join(f"{place + 1}: {first + place}" for place in range(4)))
    (tables_now,) = seated(ask(arbiter, tables, range(1, 17)))
    assert all(len({(number - 1) // 4 for number in table}) == 4 for table in tables_now)


def test_doubles_have_new_partners_each_round_and_somebody_sits_out(tables: Tournament, arbiter: Client) -> None:
    page = ask(arbiter, tables, range(1, 10), size="doubles", rounds="9")
    rounds = seated(page)
    partners = [tuple(sorted(table[at : at + 2])) for tables in rounds for table in tables for at in (0, 2)]
    assert sorted(partners) == list(combinations(range(1, 10), 2))
    assert "Nobody has the same partner twice." in page.content.decode()
    assert page.content.decode().count("Sits out") == 9


def test_only_doubles_of_today_count(tables: Tournament, arbiter: Client) -> None:
    play(tables, "1: 1 2; 2: 3 4")
    asked = ask(arbiter, tables, range(1, 10), size="doubles")
    assert "Nobody has the same partner twice." in asked.content.decode()
    with timezone.override(factory.ZONE):
        play(tables, "1: 1 2; 2: 3 4", day=(timezone.localdate() - DAY).days)
    (after,) = seated(ask(arbiter, tables, range(1, 10), size="doubles"))
    (sits_out,) = set(range(1, 10)) - {number for table in after for number in table}
    assert sits_out in (1, 2, 3, 4), "who has played today sits out first"
    pairs = [{*table[at : at + 2]} for table in after for at in (0, 2)]
    assert {1, 2} not in pairs
    assert {3, 4} not in pairs


def test_a_seating_knows_the_tables_of_its_event_that_count(tables: Tournament) -> None:
    play(make_evening("Other evening"), "1: 1 3; 2: 2 4")
    gone = play(tables, "1: 1 4; 2: 2 3")
    later = play(tables, "1: 5; 2: 6; 3: 7", day=1)
    insert_contest(table(tables, "1: 2 1; 2: 4 3"), by=None, reason="other")
    Contest.objects.filter(pk=gone.pk).update(withdrawn=True)
    four = tuple(Player.objects.get(number=number).pk for number in (1, 2, 3, 4))
    three = tuple(later.members.order_by("pk").values_list("player", flat=True))
    assert seatings_of(tables, DAY) == ([(four,), (three,)], [(four,)]), "in order of time"
    assert seatings_of(tables, DAY + timedelta(days=1)) == ([(four,), (three,)], [])


def test_a_table_s_link_leads_to_its_entry_with_its_people(tables: Tournament, arbiter: Client) -> None:
    page = ask(arbiter, tables, range(1, 5), size="doubles")
    link = unescape(re.findall(r'href="([^"]*/tables/\?[^"]+)"', page.content.decode())[0])
    form = arbiter.get(link).content.decode()
    sides = re.findall(r'name="side-[12]" value="([^"]+)"', form)
    assert sorted(number for side in sides for number in re.findall(r"#(\d+)", side)) == ["1", "2", "3", "4"]
    assert not Contest.objects.exists()


def chances(page: HttpResponse) -> list[list[int]]:
    """What stands behind the sides of each table, a shared first place too."""
    rows = re.findall(r'<tr><th scope="row".*?</tr>', page.content.decode())
    return [[int(figure) for figure in re.findall(r">(?:shared: )?(\d+) %<", row)] for row in rows]


@pytest.mark.parametrize(
    ("size", "played", "expected"),
    [
        ("4", "", [23, 23, 23, 23, 8]),
        ("doubles", "", [48, 48, 4]),
        ("3", "1: 5; 2: 6; 3: 7", [31, 31, 31, 7]),  # whoever is there is as new as before
    ],
)
def test_a_proposed_table_has_the_chances_of_the_pool_s_list(
    tables: Tournament, arbiter: Client, size: str, played: str, expected: list[int]
) -> None:
    if played:
        play(tables, played)
    page = ask(arbiter, tables, range(1, int(size) + 1) if size.isdigit() else range(1, 5), size=size)
    assert chances(page) == [expected]
    assert "by Tables as it stands now" in unescape(page.content.decode())


def test_chances_follow_the_ratings_and_cost_no_query_a_table(
    tables: Tournament, arbiter: Client, django_assert_max_num_queries: Callable[[int], AbstractContextManager[None]]
) -> None:
    play(tables, "1: 1; 2: 2; 3: 3; 4: 4")
    page = arbiter.get(page_of_entry(tables), {f"side-{line}": f"#{line}" for line in range(1, 5)})
    (own, second, third, last) = (line.chance for line in page.context["lines"][:4])
    assert own > second > third > last
    assert own + second + third + last + page.context["tied"] == 100
    part = arbiter.get(page_of_entry(tables), {"side-1": "#5", "side-2": "#6 *0.1", "side-3": "#7"}).context["lines"]
    assert part[0].chance == part[2].chance > part[1].chance, "there for a tenth of the time"
    (first,) = ask(arbiter, tables, range(1, 9), size="doubles").context["rounds"]
    for each in first.tables:
        assert each.chances == chances_at("tables", [each.sides], factory.today()).tables[0]
    assert len({each.chances for each in first.tables}) == 2, "each table has its own"
    for rounds in ("1", "5"):
        with django_assert_max_num_queries(13):
            ask(arbiter, tables, range(1, 17), rounds=rounds)


def test_cards_have_who_sits_where_and_room_for_place_and_score(tables: Tournament, arbiter: Client) -> None:
    for scores, boxes in (("", 1), ("points", 2)):
        Tournament.objects.filter(pk=tables.pk).update(scores=scores)
        text = ask(arbiter, tables, range(1, 10), size="doubles", rounds="2", cards="1").content.decode()
        cards = re.findall(r'<li class="player-card">.*?</li>', text, re.S)
        assert len(cards) == 4, "two tables, two rounds"
        assert [card.count("write-box") for card in cards] == [2 * boxes] * 4, "a line a side"
        assert [re.findall(r"Table <b>(\d)", card) for card in cards] == [["1"], ["2"]] * 2
        assert "Ada Alvarez" in text
    assert ask(arbiter, tables, range(1, 3), cards="1").status_code == 409


def test_a_pool_whose_lists_know_no_sides_says_so(tables: Tournament, arbiter: Client) -> None:
    set_rules(RatingList.objects.get(), [NewRule(DAY, "glicko", {})], by=None)
    create_list(name="Elsewhere", slug="elsewhere", pool="elsewhere", by=None, system="trueskill")
    page = ask(arbiter, tables, range(1, 5))
    assert chances(page) == [[]]
    assert "No list of this pool says how likely a side is placed first." in unescape(page.content.decode())


def test_what_is_half_typed_has_no_chances(tables: Tournament, arbiter: Client) -> None:
    for typed in ({"side-1": "#1"}, {"side-1": "#1", "side-2": "#1"}, {"side-1": "#1", "side-2": "#77"}):
        page = arbiter.get(page_of_entry(tables), typed)
        assert page.status_code == 200
        assert "chances of first place" not in page.content.decode()


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"names": "#1\n#2\n#77\n#4"}, "there is no player #77"),
        ({"names": "#1\n#2\n#1\n#4"}, "Somebody stands in the list twice"),
        ({"names": "#1\n#2"}, "3 to 200 players sit at tables of 3 to 8"),
        ({"names": "#1\n#2\n#3", "size": "doubles"}, "doubles take 4 to 40 players, not 3"),
    ],
)
def test_what_is_wrong_is_said(tables: Tournament, arbiter: Client, more: dict[str, str], sentence: str) -> None:
    page = ask(arbiter, tables, range(1, 5), **more)
    assert page.status_code == 409
    assert sentence in unescape(page.content.decode())
    assert more["names"] in unescape(page.content.decode())


@pytest.mark.parametrize(
    ("size", "limit", "sentence"),
    [("doubles", "MOST_OF_DOUBLES", "Doubles take at most 7 players"), ("4", "MOST_PLAYERS", "At most 7 players")],
)
def test_more_than_can_be_seated_are_refused(
    tables: Tournament, arbiter: Client, monkeypatch: pytest.MonkeyPatch, size: str, limit: str, sentence: str
) -> None:
    monkeypatch.setattr(f"tournaments.contests.admin.seating.{limit}", 7)
    assert ask(arbiter, tables, range(1, 8), size=size).status_code == 200
    page = ask(arbiter, tables, range(1, 9), size=size)
    assert (page.status_code, sentence in page.text) == (409, True)
