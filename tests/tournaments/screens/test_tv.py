"""The big screen: what hangs on it, that it leads on by itself, and that it never names who is not public."""

import re
from collections.abc import Sequence

import pytest
from django.test import Client
from django.test.client import RequestFactory
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from players.models import Player, Visibility
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
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
    team_match,
    text_of,
)
from tests.tournaments.teams.team_cases import make_team_event, play
from tournaments.models import Round, TeamMatch, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.screens.views import (
    ENTRIES,
    KINDS,
    LONGEST,
    READABLE,
    ROWS,
    SECONDS,
    SHORTEST,
    SIZES,
    Line,
    Screen,
    _pages,
    asked_for,
    screens_of_teams,
)
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.matches import plan_match

pytestmark = pytest.mark.django_db


standard = club_and_list


@pytest.fixture(scope="module")
def people(standard: RatingList) -> list[Player]:
    return factory.make_players(8)


@pytest.fixture(scope="module")
def cup(people: list[Player]) -> Tournament:
    """Five players, one round played: one has a bye in every round."""
    cup = factory.make_round_robin(people[:5])
    factory.play_round(cup, 1, [WHITE, DRAW])
    return cup


def address(event: Tournament, query: str = "") -> str:
    return f"/tournaments/{event.slug}/tv/{query}"


def screens(client: Client, event: Tournament, query: str = "") -> list[str]:
    """The screens' texts, one after the other, as the screen itself would go through them."""
    pages, where = [], address(event, query)
    for _turn in range(30):
        response = client.get(where)
        pages.append(" ".join(response.content.decode().split()))
        where = response.headers["Refresh"].partition("url=")[2]
        if "screen=1&" in f"{where}&":
            return pages
    raise AssertionError("the screens never come round")


def words_in_order(page: str, words: Sequence[str]) -> bool:
    at = [page.index(word) for word in words]
    return at == sorted(at)


# --- what hangs there ---------------------------------------------------------------------------------------------
def test_pairings_and_standings_take_turns(client: Client, cup: Tournament) -> None:
    pairings, standings = screens(client, cup)
    assert "Round 2" in pairings
    assert "bye: a free round, no points" in pairings
    assert words_in_order(standings, ["Standings", "after 1 of 5 rounds", "Points"])
    assert "Test Club · Winter Cup" in pairings


def test_what_hangs_there_before_and_after(client: Client, people: list[Player]) -> None:
    (page,) = screens(client, make_event(people[:3], "keizer"))
    assert words_in_order(page, ["Entries", "3 players", "Ada Alvarez", "Bo Brandt", "Cleo Costa"])
    assert "Nobody is entered yet." in text_of(client, address(make_event([], "keizer", name="Empty")))
    cup = factory.make_round_robin(people[:4])
    assert len(screens(client, cup)) == 1, "before the first result there are no standings"
    factory.play_all(cup)
    (page,) = screens(client, cup)
    assert "Final standings" in page


def test_a_knockout_shows_the_round_that_is_on_and_the_next(client: Client, people: list[Player]) -> None:
    cup = draw_cup(people)
    first, second = screens(client, cup)
    assert "Quarter-finals" in first
    assert "Semi-finals" in second
    assert "to come" in second
    play_bracket(cup, 3)
    final, places = sorted(screens(client, cup), key=lambda page: "Final standings" in page)
    assert "1 : 0" in final
    assert words_in_order(places, ["Final standings", "5–8"])


def test_groups_keizer_and_teams_hang_there_too(client: Client, people: list[Player]) -> None:
    groups = form_groups(people)[0].tournament
    assert [page.count("Group A") for page in screens(client, groups)] == [1, 0]
    keizer = keizer_club(people[:7], [[WHITE, DRAW, BLACK]])
    assert "List value" in screens(client, keizer, "?show=standings")[0]
    match = team_match(people)
    assert len(screens(client, match)) == 1


def test_of_teams_the_matches_of_the_round_hang_there_and_the_table(client: Client, standard: RatingList) -> None:
    """The first match of round 1 is over; of the second one board is."""
    event = make_team_event()
    first, second = TeamMatch.objects.filter(round__number=1).order_by("number")
    play(first, [WHITE, WHITE])
    play(second, [DRAW])

    def shown(*kinds: str) -> list[tuple[str, list[tuple[object, ...]]]]:
        return [
            (screen.title, [(line.label, *line.teams, line.words, *line.figures) for line in screen.lines])
            for screen in screens_of_teams(team_facts(event), kinds, READABLE)
        ]

    own = ("1", "Anchor", "Delta", "", "2 : 0"), ("2", "Bridge", "Castle", "being played", "½ : ½")
    matches = ("Round 1", [*own])
    table = ("Table", [("1", "Anchor", "", "2", "2"), ("2", "Bridge", "", "0", "½"), ("2", "Castle", "", "0", "½"),
                       ("4", "Delta", "", "0", "0")])  # fmt: skip
    assert shown(*KINDS) == [matches, table]
    assert [shown(kind) for kind in KINDS] == [[matches], [table], [table]]
    assert "two-sides" in text_of(client, address(event))
    Tournament.objects.update(closed=True)
    assert shown(*KINDS) == [("Final table", table[1])]
    Tournament.objects.update(closed=False)
    moved = TeamMatch.objects.filter(round__number=2).order_by("number")[0]
    plan_match(moved.pk, timezone.localdate(), by=None)
    (title, (line,)), _table = shown(*KINDS)
    assert (title, line[0]) == ("Matches today", "1")
    Round.objects.update(state=Round.State.DRAFT)
    assert "two-sides" not in text_of(client, address(event)), "a draft hangs nowhere"


@pytest.mark.extended
def test_a_long_list_goes_over_several_screens(client: Client, standard: RatingList) -> None:
    event = make_event(factory.make_players(40), "keizer")
    pair_next_round(first_stage(event), by=None, day=factory.MONDAY, publish=True)
    pages = screens(client, event)
    assert [page.count('class="tv-label"') for page in pages] == [10, 10]
    assert "page 1 of 2" in pages[0]
    assert len(screens(client, event, "?rows=5")) == 4


def test_a_draft_hangs_nowhere(client: Client, cup: Tournament) -> None:
    Round.objects.update(state=Round.State.DRAFT)
    client.force_login(factory.make_arbiter())
    assert "Entries" in text_of(client, address(cup))


def test_a_rating_on_probation_has_its_mark_and_the_mark_its_words(client: Client, standard: RatingList) -> None:
    people = factory.make_players(2)
    bring_starting_ratings(standard, [NewStart(people[0].pk, factory.MONDAY, 1500.0, 3)], by=None)
    page = text_of(client, address(factory.make_round_robin(people)))
    assert page.count('class="mark"') == 2
    assert "on probation</span></p>" in page


# --- who is named there -------------------------------------------------------------------------------------------
def test_whoever_is_signed_in_only_public_names_hang_there(client: Client, cup: Tournament) -> None:
    officer = Client()
    officer.force_login(factory.make_arbiter())
    for level in (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN):
        Player.objects.filter(name="Ada Alvarez").update(visibility=level)
        for viewer in (client, officer):
            pages = screens(viewer, cup)
            assert not [page for page in pages if "Alvarez" in page], level
            assert all("Bo Brandt" in page for page in pages), level


# --- how it goes on -----------------------------------------------------------------------------------------------
def test_each_screen_leads_to_the_next_and_the_last_to_the_first(client: Client, cup: Tournament) -> None:
    first = client.get(address(cup)).headers["Refresh"]
    assert first == f"{SECONDS}; url={address(cup)}?screen=2"
    last = client.get(address(cup, "?screen=2&seconds=30"))
    assert last.headers["Refresh"] == f"30; url={address(cup)}?screen=1&seconds=30"
    assert client.get(address(cup, "?screen=77")).headers["Refresh"] == first
    other = client.get(f"/ru{address(cup)}").headers["Refresh"]
    assert "url=/ru/tournaments/winter-cup/tv/?" in other, "the other languages stay on their own screens"


def test_a_form_sets_it_up_it_can_be_stopped_and_its_links_lead_nowhere_else(client: Client, cup: Tournament) -> None:
    page = client.get(address(cup), {"show": "standings", "seconds": "20", "rows": "5", "theme": "dark"})
    assert page.headers["Refresh"] == f"20; url={address(cup)}?screen=1&seconds=20&rows=5&show=standings&theme=dark"
    assert 'data-theme="dark"' in page.content.decode()
    assert page.context["bar"]["form"].initial == {"show": "standings", "seconds": 20, "rows": 5, "theme": "dark"}
    for asked, shown in ((SHORTEST - 1, SHORTEST), (LONGEST + 1, LONGEST)):
        assert client.get(address(cup, f"?seconds={asked}")).headers["Refresh"].startswith(f"{shown};")
    stopped = client.get(address(cup, "?seconds=0"))
    assert "Refresh" not in stopped.headers
    assert 'href="?screen=1"><b>Go on</b>' in stopped.content.decode()
    assert "data-theme" not in stopped.content.decode()
    assert 'href="?screen=1&amp;seconds=0"><b>Stop here</b>' in client.get(address(cup)).content.decode()
    links = set(re.findall(r'<a[^>]* href="([^"]+)"', client.get(address(cup, "?theme=dark")).content.decode()))
    assert links == {cup.get_absolute_url(), "?screen=1&amp;seconds=0&amp;theme=dark", "?screen=2&amp;theme=dark"}


def test_the_event_and_the_desk_lead_there_and_nobody_keeps_it(client: Client, cup: Tournament) -> None:
    response = client.get(address(cup))
    assert response.headers["Cache-Control"] == "no-store"
    assert "ETag" not in response.headers
    page = response.content.decode()
    assert "<svg" in page, "the code that leads to the event"
    assert "style=" not in page
    assert "<script" not in page
    for where in ("/tournaments/none/tv/", "/tournaments/tv/tv/"):
        assert client.get(where).status_code == 404, where
    assert f'href="{address(cup)}"' in text_of(client, cup.get_absolute_url())
    client.force_login(factory.make_arbiter())
    assert f'href="{address(cup)}"' in text_of(client, f"/admin/tournaments/tournament/{cup.pk}/rounds/")


@pytest.mark.extended
def test_a_screen_needs_few_queries_whatever_the_number_of_players(
    client: Client, standard: RatingList, at_most: DjangoAssertNumQueries
) -> None:
    for players in (4, 16):
        cup = factory.make_round_robin(factory.make_players(players), name=f"Cup of {players}")
        with at_most(6):
            client.get(address(cup))


# --- the address and the pages, as rules --------------------------------------------------------------------------
@given(st.text(max_size=8), st.text(max_size=8), st.text(max_size=20), st.text(max_size=6), st.text(max_size=6))
def test_no_address_is_misunderstood(screen: str, seconds: str, show: str, rows: str, theme: str) -> None:
    query = {"screen": screen, "seconds": seconds, "show": show, "rows": rows, "theme": theme}
    asked = asked_for(RequestFactory().get("/", query))
    assert asked.seconds == 0 or SHORTEST <= asked.seconds <= LONGEST
    assert asked.kinds
    assert set(asked.kinds) <= set(KINDS)
    assert asked.rows in ROWS
    assert asked.theme in ("", "light", "dark")
    assert READABLE in ROWS


@given(st.sampled_from(["", "seconds=0", "seconds=7&show=standings", "rows=5&theme=dark"]), st.integers(1, 9))
def test_an_address_says_again_what_was_asked_but_what_is_usual(query: str, screen: int) -> None:
    asked = asked_for(RequestFactory().get(f"/?{query}&screen={screen}"))
    assert asked_for(RequestFactory().get(f"/{asked.address()}")) == asked
    assert query or asked.address(screen=2) == "?screen=2"


@given(st.integers(0, 90), st.sampled_from(ROWS))
def test_pages_keep_every_line_in_order_and_are_as_even_as_can_be(count: int, rows: int) -> None:
    lines = tuple(Line(f"{number}") for number in range(count))
    pages = list(_pages(Screen(ENTRIES, "", lines), rows))
    assert tuple(line for page in pages for line in page.lines) == lines
    lengths = [len(page.lines) for page in pages]
    assert max(lengths) <= rows
    assert max(lengths) - min(lengths) <= 1
    assert all(len(page.lines) <= page.size and page.size in SIZES for page in pages)
    assert [page.page for page in pages] == list(range(1, len(pages) + 1))
