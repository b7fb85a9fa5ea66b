"""Club evenings: games entered as they are played, rated at once; a forgotten day is a correction."""

from datetime import date, timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from players.models import AuditEvent, Player
from players.refusals import Refused, Stale
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import factory
from tests.choosing import examples
from tournaments.corrections.services.changes import GameInserted, Why
from tournaments.corrections.services.corrections import commit, preview
from tournaments.corrections.services.game_changes import ForgottenGame
from tournaments.event_pages.selectors.formats import ladder_of
from tournaments.events.services.events import open_event
from tournaments.free_boards.services.boards import set_board
from tournaments.free_play import services as free_play
from tournaments.free_play.services import LateGameError, LateGames, record_free_game
from tournaments.models import Entry, Game, Pairing, Seat, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
MONDAY, TUESDAY = factory.MONDAY, factory.MONDAY + timedelta(days=1)
PLAYED = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)


@pytest.fixture
def people(standard: RatingList) -> list[Player]:
    return factory.make_players(5)


@pytest.fixture
def thursdays(people: list[Player]) -> Tournament:
    return open_event("Thursdays", pool="standard", by=None).tournament


# --- a game ---------------------------------------------------------------------------------------------------
def test_a_game_is_written_and_rated_at_once(thursdays: Tournament, people: list[Player], standard: RatingList) -> None:
    arbiter = factory.make_arbiter()
    game = record_free_game(thursdays, people[0], people[1], Result.WHITE_WINS, MONDAY, by=arbiter)
    assert (game.white, game.black, game.result, game.played_on) == (people[0], people[1], "1-0", MONDAY)
    assert (game.pairing.round, game.pool, game.recorded_at is not None) == (None, "standard", True)
    assert not Seat.objects.exists()
    assert LedgerEntry.objects.get().game == game
    assert check_list(standard) == []
    event = AuditEvent.objects.get(action="result.recorded")
    assert (event.actor, event.subject_key) == (arbiter, game.pk)
    assert [event.after[name] for name in ("white", "black", "tournament")] == [1, 2, "thursdays"]
    second = record_free_game(thursdays, people[1], people[2], Result.DRAW, MONDAY, by=None)
    assert (game.sequence or 0) < (second.sequence or 0), "games count in the order they were entered"


def test_a_game_of_an_unrated_event_moves_nothing_and_is_never_late(
    thursdays: Tournament, people: list[Player]
) -> None:
    rated = open_event("Fridays", pool="standard", by=None).tournament
    record_free_game(rated, people[2], people[3], Result.WHITE_WINS, TUESDAY, by=None)
    Tournament.objects.filter(pk=thursdays.pk).update(rated=False)
    record_free_game(thursdays, people[0], people[1], Result.WHITE_WINS, MONDAY, by=None)
    assert (Game.objects.count(), LedgerEntry.objects.count()) == (2, 1)


def test_a_game_nobody_can_have_played_is_refused(thursdays: Tournament, people: list[Player]) -> None:
    cup = factory.make_round_robin(people)
    Player.objects.filter(pk=people[2].pk).update(merged_into=people[3])
    games = Game.objects.count()
    for event, black, result, day, words in (
        (thursdays, 0, Result.DRAW, MONDAY, "two different players"),
        (thursdays, 1, Result.DRAW, date(206, 1, 5), "check the year"),
        (thursdays, 1, Result.DRAW, date(2190, 1, 1), "lies in the future"),
        (thursdays, 1, Result.OPEN, MONDAY, "No result was given"),
        (thursdays, 2, Result.DRAW, MONDAY, "Player 3 was merged into another"),
        (cup, 1, Result.DRAW, MONDAY, "has rounds: enter the result on its board"),
    ):
        with pytest.raises(Refused, match=words):
            record_free_game(event, people[0], people[black], result, day, by=None)
    assert Game.objects.count() == games
    assert not thursdays.stages.get().pairings.exists()


def test_a_game_is_not_entered_twice_by_mistake_and_another_day_result_or_colour_is_another_game(
    thursdays: Tournament, people: list[Player]
) -> None:
    first, second = people[:2]
    for event in (thursdays, open_event("Fridays", pool="standard", by=None).tournament):
        record_free_game(event, first, second, Result.DRAW, MONDAY, by=None)
    set_board(thursdays, first.pk, second.pk, by=None)
    with pytest.raises(free_play.EnteredAlreadyError, match="entered already"):
        record_free_game(thursdays, first, second, Result.DRAW, MONDAY, by=None)
    assert thursdays.games.exclude(result="").count() == 1
    record_free_game(thursdays, first, second, Result.DRAW, MONDAY, by=None, again=True)
    record_free_game(thursdays, first, second, Result.WHITE_WINS, MONDAY, by=None)
    record_free_game(thursdays, second, first, Result.DRAW, MONDAY, by=None)
    record_free_game(thursdays, first, people[2], Result.DRAW, MONDAY, by=None)
    record_free_game(thursdays, first, second, Result.DRAW, TUESDAY, by=None)
    assert thursdays.games.count() == 6
    set_board(thursdays, first.pk, people[2].pk, by=None)
    with pytest.raises(LateGameError):
        record_free_game(thursdays, first, people[2], Result.WHITE_WINS, MONDAY, by=None)
    record_free_game(thursdays, second, people[2], Result.WHITE_FORFEITS, MONDAY, by=None)  # it rates nobody


# --- late -----------------------------------------------------------------------------------------------------
def test_a_day_before_rated_games_is_a_correction_and_stale_once_a_player_changed(
    thursdays: Tournament, people: list[Player]
) -> None:
    record_free_game(thursdays, people[0], people[1], Result.WHITE_WINS, TUESDAY, by=None)
    with pytest.raises(LateGameError, match="this one is a correction"):
        record_free_game(thursdays, people[0], people[2], Result.WHITE_WINS, MONDAY, by=None)
    assert (Game.objects.count(), Pairing.objects.count()) == (1, 1)
    change = LateGames((ForgottenGame(thursdays.pk, people[0].pk, people[1].pk, Result.DRAW, MONDAY),))
    shown = preview(change, by=None)
    Player.objects.filter(pk=people[0].pk).update(revision=7)
    with pytest.raises(Stale):
        commit(change, shown.seen, reason="late-report", by=None)


def test_nothing_is_late_while_nothing_of_its_pool_was_played_since(
    thursdays: Tournament, people: list[Player]
) -> None:
    rapid = open_event("Rapid nights", pool="rapid", by=None).tournament
    record_free_game(rapid, people[0], people[1], Result.WHITE_WINS, TUESDAY, by=None)
    new = ForgottenGame(thursdays.pk, people[0].pk, people[1].pk, Result.DRAW, MONDAY)
    assert (free_play.is_late(new), free_play.is_entered(new)) == (False, False)
    yesterday = timezone.localdate() - timedelta(days=1)
    record_free_game(thursdays, people[0], people[1], Result.WHITE_WINS, yesterday, by=None)
    record_free_game(thursdays, people[1], people[0], Result.WHITE_WINS, yesterday, by=None)
    assert Game.objects.count() == 3


def test_a_late_evening_goes_through_one_preview(
    thursdays: Tournament, people: list[Player], standard: RatingList
) -> None:
    record_free_game(thursdays, people[0], people[1], Result.WHITE_WINS, TUESDAY, by=None)
    change = LateGames(
        (
            ForgottenGame(thursdays.pk, people[1].pk, people[0].pk, Result.WHITE_WINS, MONDAY),
            ForgottenGame(thursdays.pk, people[2].pk, people[3].pk, Result.DRAW, MONDAY),
        )
    )
    shown = preview(change, by=None)
    assert Game.objects.count() == 1, "a preview writes nothing"
    assert {move.player for move in shown.lists[0].shown} <= set(people[:4])
    commit(change, shown.seen, reason="late-report", by=None)
    assert list(Game.objects.values_list("played_on", flat=True)) == [MONDAY, MONDAY, TUESDAY]
    assert check_list(standard) == []
    assert AuditEvent.objects.filter(action="game.inserted", reason="late-report").count() == 2


def test_one_late_game_is_what_the_forgotten_game_was(thursdays: Tournament, people: list[Player]) -> None:
    new = ForgottenGame(thursdays.pk, people[0].pk, people[1].pk, Result.DRAW, MONDAY)
    one, many = GameInserted(new), LateGames((new,))
    assert (sorted(one.facts()), one.begin()) == (many.facts(), many.begin())
    assert many.event() is None
    (game,) = many.carry_out(Why(None, "late-report"))
    assert game.result == Result.DRAW


# --- ledger and replay ------------------------------------------------------------------------------------------
def test_a_corrected_evening_is_what_a_replay_says(
    thursdays: Tournament, people: list[Player], standard: RatingList
) -> None:
    games = [
        record_free_game(thursdays, people[at], people[at + 1], Result.WHITE_WINS, MONDAY, by=None) for at in range(4)
    ]
    correct_result(game=games[0].pk, result=Result.BLACK_WINS, by=None)
    assert check_list(standard) == []
    assert PlayerRating.objects.count() == 5


class AnyEvenings(TestCase):
    """Whatever is played, in whatever order the days are entered: the ledger is what a fresh replay says."""

    @pytest.mark.extended
    @given(st.lists(st.tuples(st.permutations(range(4)), st.sampled_from(PLAYED), st.integers(0, 3)), max_size=8))
    @examples(50)
    def test_the_ledger_is_the_replay(self, games: list[tuple[list[int], Result, int]]) -> None:
        factory.make_club()
        standard, people = factory.make_list(), factory.make_players(4)
        event = open_event("Thursdays", pool="standard", by=None).tournament
        late = 0
        for order, result, day in games:
            white, black = people[order[0]], people[order[1]]
            played_on = MONDAY + timedelta(days=day)
            try:
                record_free_game(event, white, black, result, played_on, by=None, again=True)
            except LateGameError:
                late += 1
        days = list(Game.objects.order_by("sequence").values_list("played_on", flat=True))
        assert days == sorted(days), "nothing was written behind a later day"
        assert len(days) + late == len(games)
        assert check_list(standard) == []


# --- ladder ---------------------------------------------------------------------------------------------------
def test_a_win_against_somebody_above_takes_the_place_until_it_is_corrected(people: list[Player]) -> None:
    stage = factory.make_ladder(people)
    game = record_free_game(stage.tournament, people[2], people[0], Result.WHITE_WINS, MONDAY, by=None)
    ladder = ladder_of(stage)
    assert [entry.player.number for entry in ladder.order] == [3, 1, 2, 4, 5]
    step = ladder.steps[game.pk]
    assert (step.climber, step.was, step.now, step.beyond_reach) == (3, 3, 1, False)
    correct_result(game=game.pk, result=Result.BLACK_WINS, by=None)
    assert [entry.player.number for entry in ladder_of(stage).order] == [1, 2, 3, 4, 5]


def test_a_challenge_beyond_reach_moves_nobody_and_only_who_is_on_the_ladder_plays(
    people: list[Player], standard: RatingList
) -> None:
    stage = factory.make_ladder(people[:4])
    factory.make_ladder(people, name="Other Ladder")
    with pytest.raises(Refused, match="Player #5 is not on the ladder"):
        record_free_game(stage.tournament, people[0], people[4], Result.DRAW, MONDAY, by=None)
    game = record_free_game(stage.tournament, people[0], people[3], Result.BLACK_WINS, MONDAY, by=None)
    ladder = ladder_of(stage)
    assert ladder.steps[game.pk].beyond_reach
    assert [entry.player.number for entry in ladder.order] == [1, 2, 3, 4]
    Entry.objects.filter(player=people[3]).update(withdrawn=True)
    with pytest.raises(Refused, match="Player #4 is not on the ladder"):
        record_free_game(stage.tournament, people[3], people[0], Result.DRAW, MONDAY, by=None)
    assert (Game.objects.count(), LedgerEntry.objects.count()) == (1, 1), "what was played is rated"
    assert check_list(standard) == []
