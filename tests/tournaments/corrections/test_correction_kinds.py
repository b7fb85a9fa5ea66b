"""Each kind of correction: colours exchanged, a game too many, a game forgotten, a file of games; and any of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

import pytest
from django.utils import timezone

from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_player
from players.refusals import Refused, Stale
from ratings.models import PlayerRating, RatingList
from ratings.systems.base import Handicap
from tests import factory
from tests.tournaments.contests.contest_cases import make_evening, play, table
from tests.tournaments.corrections.correction_cases import (
    EVENT,
    RESULTS,
    correct,
    dump,
    is_exact,
    make_evenings,
    make_season,
    other_result,
    same,
    stream,
)
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.corrections.services.changes import (
    Change,
    ColoursSwapped,
    GameInserted,
    GameRemoved,
    ResultChange,
    ResultChanges,
    SeatsTaken,
    StreamLoaded,
)
from tournaments.corrections.services.contest_changes import ContestChange, ContestInserted
from tournaments.corrections.services.corrections import commit, preview, undo_of
from tournaments.corrections.services.game_changes import ForgottenGame, swap_colours
from tournaments.corrections.services.merge_changes import PlayersMerged
from tournaments.loading.services.streams import load_games
from tournaments.models import Game, Seat, Tournament
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


standard = club_and_list


@pytest.fixture(scope="module")
def season(standard: RatingList) -> Tournament:
    return make_season(standard)


@pytest.fixture(scope="module")
def evenings(season: Tournament) -> Tournament:
    return make_evenings()


# --- preview and commit agree ----------------------------------------------------------------------------------------
@dataclass
class RandomChanges:
    """Random corrections of every kind, each possible on the facts as they stand."""

    random: Random
    evenings: Tournament
    new: int = 0

    def game(self, **having: object) -> Game:
        rows = Game.objects.exclude(result="").filter(**having).order_by("pk")
        return self.random.choice(list(rows))

    def day(self) -> date:
        return factory.MONDAY + timedelta(days=self.random.randrange(60))

    def result_change(self) -> Change:
        game = self.game()
        codes = [code for code in (*RESULTS, Result.OPEN, Result.BLACK_FORFEITS) if code != game.result]
        return ResultChange(game.pk, self.random.choice(codes), revision=game.revision)

    def other_day(self) -> Change:
        game = self.game()
        return ResultChange(game.pk, self.random.choice(RESULTS), self.day() + timedelta(days=100), game.revision)

    def together(self) -> Change:
        games = self.random.sample(list(Game.objects.filter(tournament__open_ended=False, result__in=RESULTS)), 2)
        return ResultChanges(
            tuple(ResultChange(g.pk, next(code for code in RESULTS if code != g.result)) for g in games)
        )

    def colours(self) -> Change:
        return ColoursSwapped(self.game().pk, mirror=self.random.random() < 0.5)

    def removal(self) -> Change:
        return GameRemoved(self.game().pk)

    def insertion(self) -> Change:
        white, black = self.random.sample(list(Player.objects.filter(merged_into=None).order_by("pk")), 2)
        return GameInserted(
            ForgottenGame(self.evenings.pk, white.pk, black.pk, self.random.choice(RESULTS), self.day())
        )

    def load(self) -> Change:
        self.new += 1
        one, other = self.random.sample(factory.CAST[:6], 2)
        rows = (f"{self.day()},{one},Newcomer {self.new},1", f"{self.day()},{other},{one},0.5")
        return StreamLoaded(stream(*rows), EVENT, timezone.localdate())

    def merge(self) -> Change:
        self.new += 1
        twin = create_player(NewPlayer(f"Twin {self.new}"), by=None)
        one = Player.objects.get(name=self.random.choice(factory.CAST[:6]))
        other = Player.objects.exclude(pk=one.pk).filter(name__in=factory.CAST)[0]
        for _ in range(2):
            correct(GameInserted(ForgottenGame(self.evenings.pk, twin.pk, other.pk, Result.DRAW, self.day())))
        return PlayersMerged(keep=one.pk, gone=twin.pk)

    def undo(self) -> Change:
        events = AuditEvent.objects.filter(action__in=("result.corrected", "players.merged", "colours.swapped"))
        return next((change for event in events if (change := undo_of(event))), None) or self.result_change()

    def throws(self, count: int) -> Iterator[Change]:
        kinds = [
            self.result_change, self.other_day, self.together, self.colours, self.removal, self.insertion, self.load,
            self.merge, self.undo,
        ]  # fmt: skip
        for number in range(count):
            yield kinds[number % len(kinds)]()


@pytest.mark.parametrize(("seed", "count"), [(20260105, 9), pytest.param(1, 27, marks=pytest.mark.slow)])
def test_random_corrections_do_what_their_previews_show(evenings: Tournament, seed: int, count: int) -> None:
    seen_kinds = set()
    for change in RandomChanges(Random(seed), evenings).throws(count):
        before = dump()
        shown = preview(change, by=None)
        assert dump() == before, f"the preview of {change} left something behind"
        assert same(shown, commit(change, shown.seen, reason="appeal", by=None)), change
        assert is_exact(), change
        seen_kinds.add(type(change))
    assert len(seen_kinds) == 8


def test_a_result_of_others_does_no_harm_while_the_effect_is_the_same(evenings: Tournament) -> None:
    """Two strangers play tonight: the list moves on, what the correction moves does not."""
    RatingList.objects.get(slug="glicko").delete()
    game = Game.objects.filter(tournament=evenings).order_by("-played_on", "-sequence")[0]
    change = ResultChange(game.pk, other_result(game))
    shown = preview(change, by=None)
    load_games(stream("2026-11-01,Stranger One,Stranger Two,1"), by=None, event_name=EVENT, today=date(2026, 11, 1))
    again = preview(change, by=None)
    assert again.seen.lists != shown.seen.lists
    assert again.seen.effect == shown.seen.effect
    commit(change, shown.seen, reason="appeal", by=None)
    assert is_exact()


def test_a_result_that_changes_the_effect_asks_for_another_look(evenings: Tournament) -> None:
    game = Game.objects.order_by("played_on", "sequence")[0]
    change = ResultChange(game.pk, other_result(game))
    shown = preview(change, by=None)
    one = Game.objects.filter(white=game.white).exclude(pk=game.pk).order_by("-played_on")[0]
    correct_result(game=one.pk, result=other_result(one), by=None)
    before = dump()
    with pytest.raises(Stale, match="the effect is another"):
        commit(change, shown.seen, reason="appeal", by=None)
    assert dump() == before


# --- colours ---------------------------------------------------------------------------------------------------------
@pytest.mark.extended
@pytest.mark.parametrize("mirror", [True, False])
def test_exchanged_colours_keep_the_winner_or_the_result_and_twice_is_as_before(
    evenings: Tournament, mirror: bool
) -> None:
    ratings = set(PlayerRating.objects.values_list("rating_list", "player", "rating"))
    game = Game.objects.filter(result=Result.WHITE_WINS, tournament__open_ended=False).order_by("sequence")[0]
    white, black = game.white, game.black
    others = Seat.objects.exclude(pairing=game.pairing).order_by("pk").values_list("pk", "colour")
    before = list(others)
    correct(ColoursSwapped(game.pk, mirror), reason="wrong-colours")
    assert list(others.all()) == before, "on other boards everybody keeps his colour"
    game.refresh_from_db()
    assert (game.white, game.black) == (black, white)
    assert game.result == (Result.BLACK_WINS if mirror else Result.WHITE_WINS)
    seats = {seat.colour: seat.entry.player for seat in Seat.objects.filter(pairing=game.pairing)}
    assert seats == {"w": black, "b": white}
    assert is_exact()
    undo = undo_of(AuditEvent.objects.get(action="colours.swapped"))
    assert isinstance(undo, ColoursSwapped)
    correct(undo)
    assert set(PlayerRating.objects.values_list("rating_list", "player", "rating")) == ratings


@pytest.mark.parametrize(("mirror", "stands"), [(True, (1, 3)), (False, (3, 1))])
def test_a_score_goes_with_the_winner_or_stays_with_the_colour(
    evenings: Tournament, mirror: bool, stands: tuple[int, int]
) -> None:
    game = Game.objects.filter(result=Result.WHITE_WINS, tournament__open_ended=False).order_by("sequence")[0]
    Game.objects.filter(pk=game.pk).update(white_points=3, black_points=1)
    swap_colours(game=game.pk, mirror=mirror, by=None, reason="wrong-colours")
    game.refresh_from_db()
    assert (game.white_points, game.black_points) == stands


def test_the_open_armageddon_game_of_a_board_follows_an_exchange_of_colours_and_no_other(season: Tournament) -> None:
    cup = factory.make_round_robin(factory.first_players(4), name="Armageddon")
    Tournament.objects.filter(pk=cup.pk).update(point_system="armageddon")
    one, other = factory.play_round(cup, 1, [Result.DRAW] * 2)
    match = factory.make_knockout(factory.first_players(2), games=2, name="Match")
    first = factory.play_match(factory.match_of(match, 1, 1), Result.DRAW)

    def whites() -> list[int]:
        return list(Game.objects.filter(number=2).order_by("pk").values_list("white", flat=True))

    was = whites()
    swap_colours(game=one.pk, mirror=True, by=None, reason="wrong-colours")
    assert whites() == [one.black_id, *was[1:]]
    decider = Game.objects.get(pairing=other.pairing_id, number=2)
    record_result(game=decider.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=None)
    for game in (other, first, first):
        swap_colours(game=game.pk, mirror=True, by=None, reason="wrong-colours")
        assert whites() == [one.black_id, *was[1:]], "it is played, or the next game of a match"
    seats = list(Seat.objects.filter(pairing=other.pairing_id).order_by("pk").values_list("colour", flat=True))
    swap_colours(game=decider.pk, mirror=True, by=None, reason="wrong-colours")
    found = Seat.objects.filter(pairing=other.pairing_id).order_by("pk").values_list("colour", flat=True)
    assert list(found) == seats, "the first game says who has White at the board"


@pytest.mark.extended
def test_only_an_open_armageddon_game_of_the_same_board_has_the_colours_of_the_game_before_it(
    season: Tournament,
) -> None:
    cup = factory.make_round_robin(factory.first_players(6), name="Armageddon")
    Tournament.objects.filter(pk=cup.pk).update(point_system="armageddon")
    factory.play_round(cup, 1, [Result.DRAW] * 3)
    match = factory.make_knockout(factory.first_players(2), games=2, name="Match")
    first = record_result(game=match.games.get().pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    second = match.games.get(number=2)
    ones, twos = (Game.objects.filter(tournament=cup, pairing__round__number=1, number=number) for number in (1, 2))
    played, here, beside = twos.order_by("pairing__board")
    record_result(game=played.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=None)
    for game in (*ones.exclude(pairing=beside.pairing_id), first, first):
        swap_colours(game=game.pk, mirror=True, by=None, reason="wrong-colours")
    for game, swapped in ((played, False), (here, True), (beside, False), (second, False)):
        now = Game.objects.get(pk=game.pk)
        assert ((now.white_id, now.black_id) == (game.black_id, game.white_id)) is swapped, now
    seats = Seat.objects.filter(pairing=played.pairing_id).order_by("pk").values_list("colour", flat=True)
    before = list(seats)
    swap_colours(game=played.pk, mirror=True, by=None, reason="wrong-colours")
    assert list(seats.all()) == before, "the first game says who has White at the board"


def test_a_file_still_knows_a_game_whose_colours_were_exchanged(evenings: Tournament) -> None:
    was, now = "2026-01-08,Guest One,Guest Two,1", "2026-01-08,Guest Two,Guest One,0"
    load_games(stream(was), by=None, event_name=EVENT, today=factory.MONDAY)
    correct(ColoursSwapped(Game.objects.get(white__name="Guest One").pk, mirror=True))
    for row in (was, now):
        report = load_games(stream(row), by=None, event_name=EVENT, today=factory.MONDAY)
        assert (report.loaded, report.known) == (0, 1), row


def test_in_an_event_that_is_not_rated_a_correction_moves_no_list(season: Tournament, evenings: Tournament) -> None:
    ada, bo = Player.objects.order_by("number")[:2]
    one, other = season.entries.order_by("pk")[:2]
    tables = make_evening("Tables")
    changes = (
        SeatsTaken(Game.objects.filter(tournament=season, result=Result.DRAW)[0].pk, one.pk, other.pk),
        GameInserted(ForgottenGame(evenings.pk, ada.pk, bo.pk, Result.DRAW, factory.MONDAY)),
        ContestChange(play(tables, "1: 1; 2: 2; 3: 3").pk, withdrawn=True),
        ContestInserted(table(tables, "1: 1; 2: 2; 3: 3")),
    )
    for change in changes:
        assert change.begin(), change
    Tournament.objects.update(rated=False)
    for change in changes:
        assert not change.begin(), change


# --- a game too many, a game forgotten -------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_board_and_a_loaded_game_are_cleared_a_free_game_is_deleted(evenings: Tournament) -> None:
    board, loaded = Game.objects.filter(tournament__open_ended=False)[0], Game.objects.filter(tournament=evenings)[0]
    for game in (board, loaded):
        correct(GameRemoved(game.pk), reason="duplicate")
        game.refresh_from_db()
        assert game.result == Result.OPEN
    ada, bo = Player.objects.order_by("number")[:2]
    correct(GameInserted(ForgottenGame(evenings.pk, ada.pk, bo.pk, Result.DRAW, date(2026, 1, 9), Handicap(3, 0.5))))
    made = Game.objects.get(loaded_as="", tournament=evenings)
    correct(GameRemoved(made.pk), reason="duplicate")
    assert not Game.objects.filter(pk=made.pk).exists()
    event = AuditEvent.objects.get(action="game.removed")
    assert (event.before["white"], event.before["result"], event.before["tournament"]) == (1, "1/2", evenings.slug)
    assert (event.before["handicap"], event.before["komi"]) == (3, 0.5)
    assert is_exact()


def test_a_forgotten_game_stands_behind_the_others_of_its_day(evenings: Tournament) -> None:
    ada, bo = Player.objects.order_by("number")[:2]
    day = date(2026, 1, 15)
    change = GameInserted(ForgottenGame(evenings.pk, ada.pk, bo.pk, Result.WHITE_WINS, day))
    done = correct(change, reason="late-report")
    made = Game.objects.get(loaded_as="", tournament=evenings)
    assert made == Game.objects.filter(played_on=day).order_by("sequence").last()
    assert done.since == day
    assert done.lists[0].games > 1
    again = stream(f"{day},Ada Alvarez,Bo Brandt,1")
    assert load_games(again, by=None, event_name=EVENT, today=day).known == 1, "a later file with it brings no twin"


def test_a_game_can_only_be_inserted_where_games_are_free(season: Tournament, evenings: Tournament) -> None:
    ada, bo = Player.objects.order_by("number")[:2]
    tomorrow, twin = timezone.localdate() + timedelta(days=1), create_player(NewPlayer("Twin"), by=None)
    correct(PlayersMerged(keep=ada.pk, gone=twin.pk))
    for why, event, black, result, day in (
        ("has rounds", season, bo, Result.DRAW, factory.MONDAY),
        ("two different", evenings, ada, Result.DRAW, factory.MONDAY),
        ("merged into another", evenings, twin, Result.DRAW, factory.MONDAY),
        ("No result", evenings, bo, Result.OPEN, factory.MONDAY),
        ("future", evenings, bo, Result.DRAW, tomorrow),
    ):
        with pytest.raises(Refused, match=why):
            preview(GameInserted(ForgottenGame(event.pk, ada.pk, black.pk, result, day)), by=None)


# --- a file ----------------------------------------------------------------------------------------------------------
def test_a_late_file_is_a_correction_with_its_effect_an_ordinary_one_is_not(evenings: Tournament) -> None:
    load_games(stream("2026-10-01,Ada Alvarez,Bo Brandt,1"), by=None, event_name=EVENT, today=factory.MONDAY)
    ordinary = AuditEvent.objects.filter(action="games.loaded")[0]
    assert (ordinary.reason, ordinary.effect) == ("", {})
    load_games(stream("2026-01-09,Ada Alvarez,Bo Brandt,1"), by=None, event_name=EVENT, today=factory.MONDAY)
    late = AuditEvent.objects.filter(action="games.loaded")[0]
    assert late.reason == "late-report"
    assert late.effect["standard"]["games"] > 1


def test_the_preview_of_a_file_counts_only_what_is_new(evenings: Tournament) -> None:
    rows = [f"{g.played_on},{g.white.name},{g.black.name},{g.result}" for g in Game.objects.filter(tournament=evenings)]
    change = StreamLoaded(stream(*rows, "2026-10-01,Ada Alvarez,Somebody New,1"), EVENT, timezone.localdate())
    shown = preview(change, by=None)
    assert shown.report is not None
    assert (shown.report.loaded, shown.report.known, shown.report.new_players) == (1, len(rows), 1)
    assert (shown.behind, shown.lists[0].games) == (0, 1)
    assert not Player.objects.filter(name="Somebody New").exists()
