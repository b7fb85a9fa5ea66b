"""What the sentinel says of a round, and what it passes over. Thresholds by hand: 400 points are odds of ten to one."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from ratings.lists.services import create_list
from ratings.models import RatingList
from tests import factory
from tests.choosing import examples
from tests.factory import MONDAY
from tournaments.anomalies.selectors import ABSENT, BOARDS, COLOURS, DUPLICATE, UPSET, marks_of, marks_of_games
from tournaments.models import ByeRequest, CheckIn, Entry, Game, Pairing, Round, Tournament
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import OUTCOMES, Result
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db

W, D, B = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
RATINGS = st.lists(st.floats(100, 3000), min_size=4, max_size=4)
FORFEITS = [code for code, outcome in OUTCOMES.items() if code and not outcome.played]


def rate(event: Tournament, *ratings: float | None) -> None:
    """Give the entries these ratings, in the order of numbers, as if they were made with them."""
    for number, value in enumerate(ratings, start=1):
        Entry.objects.filter(tournament=event, number=number).update(
            rating=value, rating_games=None if value is None else 50, rating_list="standard"
        )


def first_board(event: Tournament) -> tuple[Round, Game]:
    row = factory.round_of(event, 1)
    return row, Game.objects.filter(pairing__round=row).order_by("pairing__board")[0]


def duel(white: float | None, black: float | None, result: Result, name: str = "Duel") -> dict[int, tuple[str, ...]]:
    """The codes of the marks after a game of two with those ratings."""
    event = factory.make_round_robin(factory.make_players(2), name=name)
    _row, game = first_board(event)
    for player, value in ((game.white_id, white), (game.black_id, black)):
        Entry.objects.filter(tournament=event, player=player).update(
            rating=value, rating_games=50, rating_list="standard"
        )
    record_result(game=game.pk, result=result, played_on=MONDAY, by=None)
    return codes(first_board(event)[0])


def codes(row: Round) -> dict[int, tuple[str, ...]]:
    return {game: tuple(mark.code for mark in marks) for game, marks in marks_of(row).items()}


def said(row: Round) -> list[str]:
    return [mark.words for marks in marks_of(row).values() for mark in marks]


# --- upsets and colours ----------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_the_limits_of_a_surprise(standard: RatingList) -> None:
    for white, black, result, found in (
        (2020, 1500, B, ()),  # the winner had 1 in 20.95: mirrored it is 19.95 times as likely
        (2022, 1500, B, (COLOURS,)),  # 1 in 21.2
        (2103, 1500, B, (COLOURS,)),  # 3.01 %
        (2105, 1500, B, (UPSET, COLOURS)),  # 2.98 %
        (1500, 2300, W, (UPSET, COLOURS)),
    ):
        assert list(duel(white, black, result, f"{white}").values()) == ([found] if found else []), white


def test_an_upset_tells_the_chance_and_the_mirror_where_the_ratings_are_of_this_list(standard: RatingList) -> None:
    """800 points: one in 101, and a hundred times as likely the other way round."""
    duel(2300, 1500, B)
    upset, colours = said(Round.objects.get())
    assert upset == "an upset: the winner’s chance was about 1 in 101"
    assert colours == "were the colours exchanged? The other way round it would be 100 times as likely"
    Entry.objects.update(rating_list="blitz")
    assert marks_of(Round.objects.get()) == {}


@pytest.mark.extended
def test_who_surprises_nobody(standard: RatingList) -> None:
    for result in (W, D, *FORFEITS, Result.NO_POINTS, Result.WHITE_DRAWS_BLACK_PENALISED):
        assert duel(2300, 1500, result, f"Duel {result}") == {}, result
    for number, ratings in enumerate([(None, 1500), (2300, None), (None, None)]):
        for result in (B, W):
            assert duel(*ratings, result, name=f"Unrated {number} {result}") == {}, ratings


def test_without_a_list_or_with_one_without_expected_scores_there_is_no_surprise(club: object) -> None:
    assert duel(2300, 1500, B) == {}
    create_list(name="Standard", slug="standard", pool="standard", by=None, primary=True, system="league")
    assert duel(2300, 1500, B, name="Return") == {}


def test_an_open_round_has_no_marks_and_costs_one_query(standard: RatingList) -> None:
    event = factory.make_round_robin(factory.make_players(2))
    row = factory.round_of(event, 1)
    with CaptureQueriesContext(connection) as seen:
        assert marks_of(row) == {}
    assert len(seen) == 1


# --- boards ----------------------------------------------------------------------------------------------------------
def four(*results: Result, ratings: Sequence[float]) -> Round:
    """Round 1 of four: 1–4 on board 1, 2–3 on board 2."""
    event = factory.make_round_robin(factory.make_players(4))
    rate(event, *ratings)
    factory.play_round(event, 1, results)
    return factory.round_of(event, 1)


def test_two_boards_exchanged_are_named_on_each_other(standard: RatingList) -> None:
    """Each favourite by 300 points: 5.6 times on each board, 31.6 together."""
    row = four(B, W, ratings=(1800, 1500, 1800, 1500))
    games = list(Game.objects.filter(pairing__round=row).order_by("pairing__board"))
    assert codes(row) == {game.pk: (BOARDS,) for game in games}
    words = [marks_of(row)[game.pk][0].words for game in games]
    assert "that of board 2? That would be 32 times as likely" in words[0]
    assert "that of board 1? That would be 32 times as likely" in words[1]
    Pairing.objects.filter(pk=games[0].pairing_id).update(superseded=True)
    assert codes(row) == {}


def test_boards_that_ended_alike_or_are_still_open_cannot_have_been_exchanged(standard: RatingList) -> None:
    assert codes(four(B, B, ratings=(1800, 1500, 1800, 1500))) == {}
    event = factory.make_round_robin(factory.make_players(4), name="Open")
    rate(event, 1800, 1500, 1800, 1500)
    row, game = first_board(event)
    record_result(game=game.pk, result=B, played_on=MONDAY, by=None)
    assert codes(row) == {}


# --- duplicates ------------------------------------------------------------------------------------------------------
def test_another_game_of_the_two_that_day_in_another_event(standard: RatingList) -> None:
    players = factory.make_players(2)
    for name in ("Winter Cup", "Summer Cup"):
        factory.play_round(factory.make_round_robin(players, name=name), 1, [D])
    row = Round.objects.get(stage__tournament__name="Winter Cup")
    assert [mark.code for marks in marks_of(row).values() for mark in marks] == [DUPLICATE]
    assert said(row) == ["the same two have another game on this day: Summer Cup, round 1, board 1"]
    later = factory.make_round_robin(players, name="Later Cup", first_day=MONDAY + timedelta(days=1))
    factory.play_round(later, 1, [D])
    assert codes(factory.round_of(later, 1)) == {}, "another day is another game"
    forfeited = factory.make_round_robin(players, name="Forfeited Cup")
    factory.play_round(forfeited, 1, [Result.BLACK_FORFEITS])
    assert len(said(row)) == 1, "a forfeit is no other game"
    other = Tournament.objects.filter(name="Summer Cup")
    other.update(entry_size=2)
    assert said(row) == [], "games of pairs are others' too"
    other.update(entry_size=1)
    Pairing.objects.filter(stage__tournament__in=other).update(superseded=True)
    assert said(row) == [], "a board that was drawn again is not played"


@pytest.mark.parametrize(("second", "doubled"), [(B, True), (W, False), (D, False)])
def test_the_same_result_of_the_two_twice_in_one_event(standard: RatingList, second: Result, doubled: bool) -> None:
    """In the second half the colours are changed: 0–1 there is the same winner as 1–0 before."""
    event = factory.make_round_robin(factory.make_players(2), cycles=2)
    for number, result in ((1, W), (2, second)):
        game = Game.objects.get(pairing__round=factory.round_of(event, number))
        record_result(game=game.pk, result=result, played_on=MONDAY, by=None)
    found = codes(factory.round_of(event, 2))
    assert [*found.values()] == ([(DUPLICATE,)] if doubled else [])


def test_the_games_of_a_match_are_no_duplicates(standard: RatingList) -> None:
    cup = factory.make_knockout(factory.make_players(2), games=2)
    match = factory.match_of(cup, 1, 1)
    factory.play_match(match, D)
    factory.play_match(match, D)
    assert Game.objects.exclude(result="").count() == 2
    assert codes(factory.round_of(cup, 1)) == {}


# --- absent ones -----------------------------------------------------------------------------------------------------
def test_a_game_of_somebody_who_asked_for_a_bye_or_was_not_here_that_day(standard: RatingList) -> None:
    event = factory.make_round_robin(factory.make_players(2))
    row, game = first_board(event)
    white, black = (Entry.objects.get(player=player) for player in (game.white_id, game.black_id))
    ByeRequest.objects.create(entry=black, round_number=1, kind="zero")
    factory.play_round(event, 1, [D])
    assert codes(row) == {game.pk: (ABSENT,)}
    assert said(row) == ["Black had asked for a bye in this round"]
    ByeRequest.objects.all().delete()
    CheckIn.objects.create(entry=white, on=MONDAY, here=False)
    CheckIn.objects.create(entry=black, on=MONDAY, here=True)
    assert said(row) == ["White was noted as not here on this day"]
    correct_result(game=game.pk, result=D, played_on=MONDAY + timedelta(days=1), by=None)
    assert said(row) == [], "on another day he may have been here"


def test_a_game_of_somebody_who_had_left(standard: RatingList) -> None:
    event = factory.make_round_robin(factory.make_players(4))
    factory.play_round(event, 1, [D, D])
    withdraw_entry(Entry.objects.get(tournament=event, number=1).pk, by=None)
    assert codes(factory.round_of(event, 1)) == {}, "the round before he left"
    row = factory.round_of(event, 2)
    game = Game.objects.get(pairing__round=row, result__in=FORFEITS)
    correct_result(game=game.pk, result=D, by=None)
    assert codes(row) == {game.pk: (ABSENT,)}
    assert "had left the event" in said(row)[0]


# --- free evenings ---------------------------------------------------------------------------------------------------
def test_a_free_game_is_judged_by_what_the_list_expected(evenings: Tournament, standard: RatingList) -> None:
    """The season's lots gave two of them the same result twice on one evening."""
    found = marks_of_games(Game.objects.filter(tournament=evenings))
    one, other = Game.objects.filter(pk__in=found)
    assert [mark.code for marks in found.values() for mark in marks] == [DUPLICATE, DUPLICATE]
    assert (one.played_on, {one.white_id, one.black_id}) == (other.played_on, {other.white_id, other.black_id})
    game = Game.objects.filter(tournament=evenings, result=W)[0]
    alone = Game.objects.filter(pk=game.pk)
    assert marks_of_games(alone) == {}
    row = standard.ledger.get(game=game)
    row.pk, row.generation, row.white_expected = None, row.generation + 1, 0.02
    row.save()
    assert marks_of_games(alone) == {}, "a list that is being made anew says nothing yet"
    standard.ledger.filter(game=game).update(white_expected=0.02)
    assert [mark.code for mark in marks_of_games(alone)[game.pk]] == [UPSET, COLOURS]
    for expected, marks in ((0.03, [COLOURS]), (1 / 21, [COLOURS]), (0.048, [])):
        standard.ledger.filter(game=game).update(white_expected=expected)
        assert [mark.code for mark in marks_of_games(alone).get(game.pk, ())] == marks, expected
    standard.ledger.filter(game=game).update(black_games=0)
    assert marks_of_games(alone) == {}, "a newcomer's starting value is no rating"


# --- cost, and what never happens ------------------------------------------------------------------------------------
@pytest.mark.extended
def test_the_number_of_queries_does_not_grow_with_the_boards(standard: RatingList) -> None:
    costs = []
    for count in (4, 8):
        players = factory.make_players(count)
        event = factory.make_round_robin(players, name=f"Cup {count}")
        rate(event, *[1500 + 100 * number for number in range(count)])
        factory.play_round(event, 1, [W] * (count // 2))
        with CaptureQueriesContext(connection) as seen:
            marks_of(factory.round_of(event, 1))
        costs.append(len(seen))
    assert costs[0] == costs[1] <= 8, costs


class Properties(TestCase):
    """Over any ratings and results of a round of four."""

    @classmethod
    def setUpTestData(cls) -> None:
        factory.make_club()
        factory.make_list()
        cls.event = factory.make_round_robin(factory.make_players(4))  # type: ignore[attr-defined]

    def put(self, ratings: Sequence[float], results: Sequence[Result]) -> dict[int, tuple[str, ...]]:
        rate(self.event, *ratings)  # type: ignore[attr-defined]
        row, _first = first_board(self.event)  # type: ignore[attr-defined]
        games = Game.objects.filter(pairing__round=row).order_by("pairing__board")
        for sequence, (game, result) in enumerate(zip(games, results, strict=True), start=10**6):
            Game.objects.filter(pk=game.pk).update(result=result, played_on=MONDAY, sequence=sequence)
        return codes(row)

    @examples(25)
    @given(RATINGS, st.lists(st.sampled_from(FORFEITS), min_size=2, max_size=2))
    def test_forfeits_are_never_marked(self, ratings: list[float], results: list[Result]) -> None:
        assert self.put(ratings, results) == {}

    @examples(25)
    @given(st.floats(100, 3000), st.lists(st.sampled_from([code for code in Result if code]), min_size=2, max_size=2))
    def test_equals_are_never_marked(self, rating: float, results: list[Result]) -> None:
        assert self.put([rating] * 4, results) == {}

    @examples(40)
    @given(RATINGS, st.lists(st.sampled_from([W, D, B]), min_size=2, max_size=2))
    def test_every_upset_asks_for_the_colours_too(self, ratings: list[float], results: list[Result]) -> None:
        """Below 3 % is always more than twenty to one."""
        for found in self.put(ratings, results).values():
            assert UPSET not in found or COLOURS in found
