"""Points round by round: running scores, places on points alone, what is still open; and the table that shows them."""

import pytest
from django.test import Client

from players.models import Visibility
from players.people.services import NewPlayer, create_players
from players.privacy.rules import NOBODY
from tests.factory import make_club, make_knockout, make_list, make_players, make_round_robin, play_round
from tests.tournaments.event_pages.page_cases import DRAW, WHITE, form_groups, keizer_club, play_stage, text_of
from tests.tournaments.events.open_events import real_swiss, small_swiss
from tournaments.event_pages.selectors.progress import Step, Steps, steps_of
from tournaments.events.selectors.events import facts_of, stages_at
from tournaments.events.selectors.standings import EventStandings, standings_of
from tournaments.models import Entry, Game, Tournament
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def small(world: None) -> Tournament:
    make_club()
    make_list()
    return small_swiss()


def ways_of(event: Tournament) -> tuple[Steps, EventStandings]:
    facts = facts_of(stages_at(event.slug), NOBODY)[0]
    ranked = standings_of(facts)
    return steps_of(facts, ranked), ranked


def totals(steps: tuple[Step, ...]) -> list[int | None]:
    """Half-points after every round."""
    return [step.total for step in steps]


def test_scores_add_up_and_places_are_by_points_alone(small: Tournament) -> None:
    """Games, byes and forfeits; equal points share a place."""
    ways, ranked = ways_of(small)
    assert {number: [(step.total, step.place) for step in steps] for number, steps in ways.items()} == {
        1: [(2, 1), (3, 1), (5, 1), (6, 1)],
        2: [(2, 1), (3, 1), (3, 3), (5, 2)],
        3: [(1, 3), (3, 1), (3, 3), (4, 4)],
        4: [(0, 4), (0, 5), (0, 5), (0, 5)],
        5: [(0, 4), (2, 4), (4, 2), (5, 2)],
    }
    first, second, third, _fourth = ways[1]
    assert (first.colour, first.mark, first.opponent) == ("w", "1", ranked.entrants[4])
    assert (second.colour, second.mark) == ("b", "½")
    assert (third.mark, third.game and third.game.played) == ("+", False)
    assert (ways[3][0].bye, ways[3][0].opponent, ways[3][0].colour) == ("half", None, "")


def test_everybody_ends_with_the_points_of_the_standings_and_the_first_place_is_held() -> None:
    """A Swiss of 35 players and seven rounds."""
    ways, ranked = ways_of(real_swiss())
    assert len(ways) == 35
    for row in ranked.rows:
        steps = ways[row.player]
        assert steps[-1].total == row.points
        assert sum(step.points for step in steps) == row.points
        assert sorted(totals(steps), key=lambda total: total or 0) == totals(steps)
    for index in range(7):
        places = sorted(steps[index].place or 0 for steps in ways.values())
        assert places[0] == 1
        for place in places:
            assert sum(other < place for other in places) == place - 1


def test_an_open_game_leaves_the_score_open_and_the_round_without_places(small: Tournament) -> None:
    Game.objects.filter(tournament=small, pairing__round__number=4, result="1/2").update(result="")
    ways, _ranked = ways_of(small)
    assert totals(ways[1]) == [2, 3, 5, None]
    assert totals(ways[2]) == [2, 3, 3, 5], "over for Bo"
    assert {steps[3].place for steps in ways.values()} == {None}


def test_rounds_not_begun_are_open_and_an_armageddon_game_scores_in_its_round() -> None:
    cup = make_round_robin(make_players(5))
    play_round(cup, 1, [WHITE, DRAW])
    ways, _ranked = ways_of(cup)
    assert all(totals(steps)[1:] == [None] * 4 for steps in ways.values())
    assert totals(ways[1])[0] == 0, "the free day of round 1"
    event = make_round_robin(make_players(2))
    Tournament.objects.update(point_system="armageddon")
    play_round(event, 1, [WHITE])
    assert totals(ways_of(event)[0][1]) == [4]


def test_games_of_a_leaver_bring_nobody_anything() -> None:
    event = make_round_robin(make_players(6))
    play_round(event, 1, [WHITE, DRAW, DRAW])
    withdraw_entry(Entry.objects.get(tournament=event, number=6).pk, by=None)
    ways, ranked = ways_of(event)
    assert totals(ways[1])[0] == 0, "the win over number 6 is annulled"
    assert ways[1][0].mark == "1"
    assert all(ways[row.player][0].total == row.points for row in ranked.rows)
    assert ways[6][0].place is None


# --- the page -----------------------------------------------------------------------------------------------------
def test_the_page_shows_points_and_places_in_order_of_the_standings(client: Client) -> None:
    page = text_of(client, "/tournaments/open/progress/")
    names = ["Alvarez, Ada", "Engel, Eva", "Brandt, Bo", "Costa, Cleo", "Dahl, Dag"]
    found = [page.index(f"<bdi>{name}</bdi>") for name in names]
    assert found == sorted(found)
    assert '2½ <small><span class="hidden">, place </span>1</small>' in page
    assert '<a href="/tournaments/open/crosstable/" aria-current="true">Crosstable</a>' in page
    assert 'href="/tournaments/open/progress/"' in text_of(client, "/tournaments/open/crosstable/"), "it leads there"
    text_of(client, "/tournaments/nowhere/progress/", status=404)


def test_a_round_robin_shows_the_rounds_that_have_begun(client: Client) -> None:
    cup = make_round_robin(make_players(4))
    assert "<small>" not in text_of(client, f"/tournaments/{cup.slug}/progress/").split("<tbody>")[1]
    for number in (1, 2):
        play_round(cup, number, [WHITE, DRAW])
        (part,) = client.get(f"/tournaments/{cup.slug}/progress/").context["parts"]
        assert part.rounds == tuple(range(1, number + 1))


def test_groups_have_a_table_each(client: Client) -> None:
    stages = form_groups(make_players(8), groups=2)
    play_stage(stages[0])
    page = text_of(client, "/tournaments/cup/progress/")
    assert 'id="progress-2"' in page
    assert 'id="progress-3"' in page
    assert "Group A" in page


def test_where_points_are_not_added_up_there_is_no_such_table(client: Client) -> None:
    people = make_players(4)
    for event in (make_knockout(people), keizer_club(people, [[WHITE, DRAW]])):
        text_of(client, f"{event.get_absolute_url()}progress/", status=404)
        assert "/progress/" not in text_of(client, event.get_absolute_url())


def test_who_is_not_public_is_not_named(client: Client) -> None:
    kept_back = (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN)
    hidden = create_players([NewPlayer("Zacharias Quillfeather", visibility=kind) for kind in kept_back], by=None)
    cup = make_round_robin([*hidden, *make_players(1)])
    play_round(cup, 1, [WHITE, DRAW])
    page = text_of(client, f"/tournaments/{cup.slug}/progress/")
    assert "uillfeather" not in page
    assert "Ada Alvarez" in page
