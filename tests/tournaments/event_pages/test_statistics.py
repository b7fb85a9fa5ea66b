"""An event in figures: what is counted, what is not, and who is not pointed out."""

from collections.abc import Sequence

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from players.models import Player, Visibility
from players.privacy.rules import NOBODY, OFFICER
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.tournaments.event_pages.page_cases import BLACK, DRAW, WHITE, draw_cup, play_bracket, text_of
from tournaments.event_pages.selectors.statistics import Statistics, Tally, field_of, statistics_of, tally
from tournaments.events.selectors.event_data import BoardData, Entrant
from tournaments.events.selectors.events import all_event_data
from tournaments.models import Entry, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.standings.points import OUTCOMES, Result


def person(number: int, rating: float | None = None, games: int = 99) -> Entrant:
    player = Player(pk=number, number=number, name=f"Player {number}")
    return Entrant(number, number, player, rating, games if rating else None, 30, False)


def games(results: Sequence[Result]) -> list[BoardData]:
    return [BoardData(at, person(1), person(2), result, None) for at, result in enumerate(results, start=1)]


# --- counting -----------------------------------------------------------------------------------------------------
@given(st.lists(st.sampled_from(list(Result)), max_size=40))
def test_every_decided_played_game_counts_once_at_most(results: list[Result]) -> None:
    counted = tally(games(results))
    assert counted.games <= sum(OUTCOMES[result].played for result in results)
    assert counted.decisive + counted.draws == counted.games
    shares = counted.white_share + counted.draw_share + counted.black_share
    assert abs(shares - 100) <= 1 if counted.games else shares == 0
    assert 0 <= counted.white_score <= 100


def test_forfeits_and_open_games_are_no_results_of_a_colour_and_shares_are_whole_per_cent() -> None:
    assert tally(games([Result.OPEN, Result.ADJOURNED, Result.WHITE_FORFEITS, Result.BOTH_FORFEIT])) == Tally()
    assert tally(games([WHITE, WHITE, DRAW, BLACK])) == Tally(2, 1, 1)
    counted = Tally(1, 1, 1)
    assert (counted.white_share, counted.decisive_share, counted.white_score) == (33, 67, 50)
    assert Tally().white_share == Tally().white_score == 0


def test_the_field_is_told_by_the_ratings_that_are_not_on_probation() -> None:
    field = field_of([person(1, 2000.0), person(2, 1500.0), person(3, 1600.0), person(4, 2400.0, games=3), person(5)])
    assert (field.people, field.rated, field.provisional) == (5, 4, 1)
    assert (field.mean, field.median, field.highest, field.lowest) == (1700.0, 1600.0, 2000.0, 1500.0)
    assert field_of([]).mean is None


# --- an event -----------------------------------------------------------------------------------------------------
@pytest.fixture
def rated(standard: RatingList) -> Tournament:
    """Players of some 2000, 1900, 1800 (probation) and 1700; White won board 1 of round 1, board 2 was forfeited."""
    people = factory.make_players(4)
    before = (60, 60, 5, 60)
    starts = [NewStart(p.pk, factory.MONDAY, 2100.4 - 100.2 * p.number, before[p.number - 1]) for p in people]
    bring_starting_ratings(standard, starts, by=None)
    return factory.make_round_robin(people)


def figures(event: Tournament, viewer: object = NOBODY, changes: dict[int, float] | None = None) -> Statistics:
    return statistics_of(all_event_data(event, viewer)[0], changes or {}, viewer)  # type: ignore[arg-type]


@pytest.mark.django_db
def test_forfeits_are_told_apart_and_byes_count_once_their_round_has_begun(rated: Tournament) -> None:
    factory.play_round(rated, 1, [WHITE, Result.BLACK_FORFEITS])
    found = figures(rated)
    assert (found.games, found.forfeits) == (Tally(white=1), 1)
    assert found.rounds == found.boards == ((1, Tally(white=1)),)
    factory.play_round(rated, 2, [DRAW, DRAW])
    assert figures(rated).forfeits == 1
    factory.play_round(rated, 3, [Result.WHITE_FORFEITS] * 2)
    assert figures(rated).upsets == (), "neither a draw nor a forfeit is one"
    cup = factory.make_round_robin(factory.make_players(5), name="Odd")
    assert figures(cup).byes == 0
    factory.play_round(cup, 1, [WHITE, DRAW])
    assert figures(cup).byes == 1


@pytest.mark.django_db
def test_an_upset_is_a_win_against_the_ratings_and_nobody_private_is_pointed_out(
    rated: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2, 3):
        factory.play_round(rated, number, [BLACK, BLACK])
    found = figures(rated).upsets
    assert len(found) > 1
    gaps = [row.gap for row in found]
    assert gaps == sorted(gaps, reverse=True)
    assert all(row.gap == round(row.loser.rating or 0) - round(row.winner.rating or 0) > 0 for row in found)
    assert not any(person.provisional for row in found for person in (row.winner, row.loser))
    changes = {player.pk: 5.0 * player.number for player in Player.objects.all()}
    assert len(figures(rated, OFFICER, changes).gains) == 4
    Player.objects.filter(number=4).update(visibility=Visibility.INITIALS)
    shown = figures(rated, NOBODY, changes)
    assert [row.entrant.player.number for row in shown.gains] == [3, 2, 1]
    assert not any(4 in (row.winner.player.number, row.loser.player.number) for row in shown.upsets)
    assert [row.loser.player.number for row in shown.upsets] == [1]
    Player.objects.filter(number=1).update(visibility=Visibility.INITIALS)
    assert figures(rated).upsets == ()
    mixed = figures(rated, OFFICER, dict(zip(sorted(changes), (3.0, -8.0, 12.0, 0.2), strict=True)))
    assert [row.change for row in mixed.gains] == [12.0, 3.0], "from the largest on"
    assert [row.change for row in mixed.losses] == [-8.0]
    monkeypatch.setattr("tournaments.event_pages.selectors.statistics.MOST", 1)
    few = figures(rated, OFFICER, dict(zip(sorted(changes), (-3.0, -8.0, 5.0, 6.0), strict=True)))
    assert [row.change for row in (*few.gains, *few.losses)] == [6.0, -8.0]
    assert [row.gap for row in few.upsets] == gaps[:1]
    Entry.objects.filter(tournament=rated).update(rating=1800.0)
    assert figures(rated, OFFICER).upsets == (), "between equals nobody is upset"


# --- the page -----------------------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_the_page_tells_it_all(client: Client, rated: Tournament) -> None:
    page = text_of(client, f"/tournaments/{rated.slug}/statistics/")
    assert "No game has been played yet." in page
    for number in (1, 2):
        factory.play_round(rated, number, [BLACK, DRAW])
    page = text_of(client, f"/tournaments/{rated.slug}/statistics/")
    for words in ("Black won 2 (50%)", "drawn 2 (50%)", "White made 25% of the points.", "Most gained", "Most lost"):
        assert words in page


@pytest.mark.django_db
def test_a_knockout_has_figures_and_an_event_without_rounds_has_none(client: Client, standard: RatingList) -> None:
    people = factory.make_players(4)
    cup = draw_cup(people)
    play_bracket(cup, 1)
    assert "White won 2 (100%)" in text_of(client, "/tournaments/cup/statistics/")
    Tournament.objects.update(slug="other")
    assert client.get("/tournaments/cup/statistics/").status_code == 404


@pytest.mark.extended
@pytest.mark.django_db
def test_figures_need_few_queries(client: Client, standard: RatingList, at_most: DjangoAssertNumQueries) -> None:
    for players in (4, 20):
        cup = factory.make_round_robin(factory.make_players(players), name=f"Cup of {players}")
        factory.play_round(cup, 1, [WHITE] * (players // 2))
        with at_most(8):
            client.get(f"/tournaments/{cup.slug}/statistics/")
