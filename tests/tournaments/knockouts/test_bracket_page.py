"""The bracket page: what it draws, whom it names, what it tells of a match, what it costs in queries."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from players.models import Player, Visibility
from players.people.services import NewPlayer, create_players
from players.privacy.rules import NOBODY, OFFICER
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.factory import MONDAY, first_players, make_players, make_round_robin
from tests.tournaments.event_pages.page_cases import (
    BLACK,
    DRAW,
    WHITE,
    draw_cup,
    first_stage,
    match_of,
    play_bracket,
    play_match,
    text_of,
)
from tournaments.events.selectors.events import event_data
from tournaments.knockouts.selectors.brackets import Bracket, bracket_of, knockout_news, places_of
from tournaments.knockouts.services.rulings import rule_match
from tournaments.models import Game, Pairing, Round, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.standings.points import Result

PAGE = "/tournaments/cup/bracket/"
CountQueries = Callable[..., object]
MATCHES = {"games": 2, "extra": "rapid2 blitz2 armageddon1"}
PARTS = ("bracket/", "", "standings/", "rounds/1/", "rounds/1/?order=name", "entries/")
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def standard(world: None) -> RatingList:
    """A club of sixty-four, of whom the first play."""
    factory.make_club()
    standard = factory.make_list()
    make_players(64)
    return standard


def drawn_of(cup: Tournament) -> Bracket:
    return bracket_of(event_data(first_stage(cup), NOBODY))


# --- what is drawn ------------------------------------------------------------------------------------------------
def test_rounds_are_columns_named_from_the_end_and_crossed_ones_cross_no_lines() -> None:
    drawn = drawn_of(draw_cup(first_players(16)))
    assert [row.name for row in drawn.rounds] == ["round-of-16", "quarter-final", "semi-final", "final"]
    assert [len(row.pairs) for row in drawn.rounds] == [4, 2, 1, 1]
    for row, following in zip(drawn.rounds, drawn.rounds[1:], strict=False):
        targets = [match.facts.key for pair in following.pairs for match in pair.matches]
        assert [pair.feeds.key for pair in row.pairs if pair.feeds] == targets, "from top to bottom"
    # The winner of match 1 meets the winner of match 4: they stand beside each other.
    pairs = drawn_of(draw_cup(first_players(8), seeding="given", pairs="crossed")).rounds[0].pairs
    assert [[match.facts.board for match in pair.matches] for pair in pairs] == [[1, 4], [2, 3]]


def test_the_page_names_rounds_seeds_and_the_next_round_as_news(client: Client) -> None:
    draw_cup(first_players(8))
    page = text_of(client, PAGE)
    for title in ("Quarter-finals", "Semi-finals", "Final"):
        assert f"<h3>{title}" in page
    assert '<span class="seed">8</span>' in page
    assert "to come" in page
    assert "Knockout, 8 players, 3 rounds" in page
    assert news(client) == "Next: Quarter-finals, 5 January 2026."
    rest = text_of(client, "/tournaments/cup/rounds/3/")
    assert "Match 1:" in rest
    assert "Final</h3>" in rest
    assert rest.count("to come") == 2, "a match whose players are to come is told on the round's page"


def test_a_match_that_is_being_played_is_marked_and_said(client: Client) -> None:
    cup = draw_cup(first_players(4), **MATCHES)
    assert "Knockout, best of 2, 4 players" in text_of(client, PAGE)
    match = play_match(cup, 1, 1, DRAW)
    page = text_of(client, PAGE)
    assert f'id="match-{match.pk}" aria-current="true"' in page
    assert page.count("being played") == 2, "the match, and the legend"
    assert page.count('<span class="score">½</span>') == 2


def test_who_advanced_is_told_in_ink_and_in_words_and_the_last_one_wins(client: Client) -> None:
    cup = draw_cup(first_players(4))
    assert "opponent winner" not in text_of(client, PAGE)
    match = play_match(cup, 1, 1, WHITE)
    page = text_of(client, PAGE)
    assert f'id="match-{match.pk}" aria-current' not in page, "a decided match is not marked"
    assert (page.count("opponent winner"), page.count("opponent loser")) == (1, 1)
    assert '<span class="hidden">, goes on</span>' in page
    assert text_of(client, "/tournaments/cup/standings/").count('<span class="badge">still in</span>') == 3
    play_match(cup, 1, 2, WHITE)
    assert news(client) == "Ada Alvarez and Bo Brandt are in the final."
    play_match(cup, 2, 1, WHITE)
    page = text_of(client, PAGE)
    assert page.count('<span class="hidden">, winner</span>') == 1
    assert page.count('<span class="hidden">, goes on</span>') == 2


def test_a_walk_over_is_a_match_that_was_not_played() -> None:
    cup = draw_cup(first_players(2))
    for walk_over in (False, True):
        Pairing.objects.filter(stage__tournament=cup).update(ruled=True, walk_over=walk_over)
        [match] = bracket_of(event_data(first_stage(cup), NOBODY)).rounds[0].matches
        assert match.is_unplayed is walk_over


@pytest.mark.extended
def test_how_a_match_was_decided_is_told_with_all_its_games(client: Client) -> None:
    """By rapid games, and by an armageddon game: drawn, it leaves the score even and sends Black on."""
    cup = draw_cup(first_players(4), **MATCHES)
    play_match(cup, 1, 1, DRAW, DRAW, WHITE, DRAW)
    rapid = text_of(client, "/tournaments/cup/rounds/1/")
    assert "game 4, rapid" in rapid
    assert rapid.count('class="result"') == 5, "four games, and the other match's first"
    page = text_of(client, PAGE)
    assert '<span class="score">2½</span>' in page
    assert '<span class="score">1½</span>' in page
    assert "game 3, rapid" in page
    assert page.count("5 Jan 2026") >= 4
    assert "<details open>" in page, "those of the present round stand open"
    match = play_match(cup, 1, 2, *[DRAW] * 7)
    page = text_of(client, PAGE)
    assert "after rapid games" in page
    assert "after an armageddon game" in page
    matches = [match for pair in drawn_of(cup).rounds[0].pairs for match in pair.matches]
    (drawn,) = (each for each in matches if each.facts.key == match.pk)
    last = Game.objects.filter(pairing=match).order_by("-number")[0]
    assert {line.points for line in drawn.lines} == {7}
    assert drawn.winner is not None
    assert drawn.winner.player == last.black


def test_a_walk_over_and_a_forfeit_are_said_and_a_walk_over_has_no_score(client: Client) -> None:
    cup = draw_cup(first_players(4))
    match = match_of(cup, 1, 1)
    rule_match(match.pk, advanced=match.seats.get(line=1).entry.pk, walk_over=True, by=None)
    page = text_of(client, PAGE)
    assert "walk-over" in page
    assert page.count('<span class="score"></span>') == page.count('class="score"')
    play_match(cup, 1, 2, Result.BLACK_FORFEITS)
    assert "forfeit, not played" in text_of(client, PAGE)


def test_a_drawn_match_that_the_arbiter_decided_says_so(client: Client) -> None:
    match = play_match(draw_cup(first_players(4)), 1, 1, Result.DRAW)
    rule_match(match.pk, advanced=match.seats.get(line=1).entry.pk, by=None)
    assert "decided by the arbiter" in text_of(client, PAGE)


def test_a_bye_is_small_and_no_match(client: Client) -> None:
    cup = draw_cup(first_players(3))
    assert text_of(client, PAGE).count('class="match bye"') == 1
    first = drawn_of(cup).rounds[0]
    assert (first.count, len(first.matches)) == (1, 1)
    assert "bye: goes on without a match" in text_of(client, "/tournaments/cup/rounds/1/")


def test_the_match_for_third_place_stands_below_the_final(client: Client) -> None:
    cup = draw_cup(first_players(4), third_place=True)
    last = drawn_of(cup).rounds[-1]
    assert len(last.pairs) == 1
    assert last.third is not None
    page = text_of(client, PAGE)
    assert page.index("<h3>Final") < page.index("Third place")
    play_bracket(cup, 2)
    assert news(client) == "Ada Alvarez has won; Bo Brandt is second. Cleo Costa is third."


def test_probation_has_colour_mark_and_words(client: Client, standard: RatingList) -> None:
    bring_starting_ratings(standard, [NewStart(first_players(1)[0].pk, MONDAY, 1500, 3)], by=None)
    draw_cup(first_players(4))
    page = text_of(client, PAGE)
    assert page.count("opponent provisional") == 1
    assert '<span class="mark" aria-hidden="true">?</span> <span class="word">on probation</span>' in page


def test_a_superseded_bracket_is_not_drawn(client: Client) -> None:
    match = match_of(draw_cup(first_players(4)), 1, 2)
    match.superseded = True
    match.save()
    assert f"match-{match.pk}" not in text_of(client, PAGE)


def test_a_wide_bracket_scrolls_in_a_frame_of_its_own(client: Client) -> None:
    draw_cup(first_players(17))
    page = text_of(client, PAGE)
    assert 'class="bracket-scroll" role="region"' in page
    assert 'href="#round-5"' in page
    assert " style=" not in page, "no style stands in the page"
    draw_cup(first_players(16), name="Small")
    assert "bracket-scroll" not in text_of(client, "/tournaments/small/bracket/")


# --- who sees what ------------------------------------------------------------------------------------------------
def test_an_event_without_knockout_has_no_bracket(client: Client) -> None:
    make_round_robin(first_players(4), name="Cup")
    text_of(client, PAGE, status=404)
    assert ">Bracket<" not in text_of(client, "/tournaments/cup/")


def test_a_knockout_not_drawn_yet_has_neither_bracket_nor_news(client: Client) -> None:
    cup = draw_cup(first_players(4))
    Game.objects.all().delete()
    Round.objects.filter(stage__tournament=cup).delete()
    text_of(client, PAGE, status=404)
    assert knockout_news(drawn_of(cup)) is None


def test_a_draft_is_for_officers_and_does_not_rename_the_rounds_shown(client: Client) -> None:
    cup = draw_cup(first_players(4))
    Round.objects.filter(stage__tournament=cup).update(state=Round.State.DRAFT)
    text_of(client, PAGE, status=404)
    client.force_login(factory.make_arbiter())
    text_of(client, PAGE)
    cup = draw_cup(first_players(8))
    Round.objects.filter(stage__tournament=cup, number=3).update(state=Round.State.DRAFT)
    shown = drawn_of(cup)
    assert [row.name for row in shown.rounds] == ["quarter-final", "semi-final"]
    assert shown.final is None
    assert len(bracket_of(event_data(first_stage(cup), OFFICER)).rounds) == 3


def test_no_page_of_a_knockout_names_who_is_not_public(client: Client) -> None:
    (hidden,) = create_players([NewPlayer("Zacharias Quillfeather")], by=None)
    play_bracket(draw_cup([hidden, *first_players(3)]), 2)
    for part in PARTS:
        assert "quillfeather" in text_of(client, f"/tournaments/cup/{part}").lower(), part
    for visibility in (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN):
        Player.objects.filter(pk=hidden.pk).update(visibility=visibility)
        lines = [part for part in PARTS if "quillfeather" in text_of(client, f"/tournaments/cup/{part}").lower()]
        assert not lines, visibility


# --- news and places ----------------------------------------------------------------------------------------------
def news(client: Client) -> str:
    page = text_of(client, "/tournaments/cup/")
    found = re.search(r'<p class="standfirst" id="news">(.*?)</p>', page)
    return found[1].strip() if found else ""


def test_during_a_round_the_news_counts_decided_matches(client: Client) -> None:
    play_match(draw_cup(first_players(8)), 1, 1, WHITE)
    assert news(client) == "Quarter-finals: 1 of 4 matches are decided."


def test_the_first_finalist_is_news(client: Client) -> None:
    cup = draw_cup(first_players(4), **MATCHES)
    play_match(cup, 1, 1, WHITE, DRAW)
    play_match(cup, 1, 2, DRAW)
    assert news(client) == "Ada Alvarez is in the final. The other semi-final stands at ½ : ½."


@pytest.mark.extended
def test_who_loses_in_the_same_round_shares_the_places(client: Client) -> None:
    cup = draw_cup(first_players(8))
    play_bracket(cup, 3)
    places = [(row.first, row.last) for row in places_of(event_data(first_stage(cup), NOBODY))]
    assert places == [(1, 1), (2, 2), (3, 4), (3, 4), (5, 8), (5, 8), (5, 8), (5, 8)]
    page = text_of(client, "/tournaments/cup/standings/")
    assert "3–4" in page
    assert "a quarter-final" in page


def test_a_game_after_the_decision_is_said_not_to_be_rated(client: Client) -> None:
    cup = draw_cup(first_players(4), **MATCHES)
    match = play_match(cup, 1, 1, WHITE, BLACK)
    Game.objects.filter(pairing=match, number=2).update(surplus=True)
    assert "after the decision: not rated" in text_of(client, "/tournaments/cup/rounds/1/")


# --- queries ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [16, pytest.param(64, marks=pytest.mark.slow)])
def test_pages_of_a_knockout_need_few_queries_whatever_its_size(
    client: Client, django_assert_max_num_queries: CountQueries, players: int
) -> None:
    draw_cup(first_players(players))
    for part in PARTS:
        with django_assert_max_num_queries(8):
            text_of(client, f"/tournaments/cup/{part}")
    client.force_login(factory.make_arbiter())
    for part in PARTS:
        with django_assert_max_num_queries(8):
            text_of(client, f"/tournaments/cup/{part}")
