"""Corrections: the preview shows what the commit does and leaves nothing behind; the commit refuses what is no longer
so; every kind leaves a ledger that equals a fresh replay, and a trail that says what it moved."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

import pytest
from django.utils import timezone

from players.models import AuditEvent, Player
from players.services.people import NewPlayer, create_player
from players.services.refusals import Refused, Stale
from ratings.models import PlayerRating, PublishedList, RatingList
from tests import factory
from tests.tournaments.correction_cases import EVENT, RESULTS, correct, dump, is_exact, other_result, same, stream
from tournaments.models import Game, Tournament
from tournaments.services.changes import (
    Change,
    ColoursSwapped,
    GameInserted,
    GameRemoved,
    PlayersMerged,
    ResultChange,
    ResultChanges,
    StreamLoaded,
)
from tournaments.services.corrections import Seen, commit, preview, undo_of
from tournaments.services.game_changes import ForgottenGame
from tournaments.services.results import correct_result
from tournaments.services.streams import load_games
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


# --- preview and commit agree ----------------------------------------------------------------------------------------
@dataclass
class Dice:
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


def test_sixty_random_corrections_do_what_their_previews_show(evenings: Tournament) -> None:
    seen_kinds = set()
    for change in Dice(Random(20260105), evenings).throws(63):
        before = dump()
        shown = preview(change, by=None)
        assert dump() == before, f"the preview of {change} left something behind"
        done = commit(change, shown.seen, reason="appeal", by=None)
        assert same(shown, done), change
        assert is_exact(), change
        seen_kinds.add(type(change))
    assert len(seen_kinds) == 8


def test_a_preview_names_ratings_places_probation_and_published_lists(season: Tournament, standard: RatingList) -> None:
    for on in (date(2026, 1, 1), date(2026, 1, 5), date(2026, 2, 1)):
        PublishedList.objects.create(rating_list=standard, on=on, settings={}, digest="")
    ada = Player.objects.get(name="Ada Alvarez")
    game = Game.objects.filter(white=ada).order_by("played_on")[0]
    first = (
        Game.objects.filter(played_on=factory.MONDAY).get(white__in=[ada]) if game.played_on == factory.MONDAY else game
    )
    wanted = Result.DRAW if first.result != Result.DRAW else Result.WHITE_WINS
    shown = preview(ResultChange(first.pk, wanted), by=None)
    (row,) = shown.lists
    assert row.games == shown.behind
    now = {rating.player_id: rating.rating for rating in PlayerRating.objects.all()}
    assert {move.player.pk: move.move.before.rating for move in row.moves if move.move.before} == {
        move.player.pk: now[move.player.pk] for move in row.moves
    }
    sizes = [move.move.size for move in row.moves]
    assert sizes == sorted(sizes, reverse=True)
    assert [published.on for published in row.published] == [
        on for on in (date(2026, 1, 5), date(2026, 2, 1)) if on >= first.played_on
    ]  # type: ignore[operator]
    assert {line.player for line in shown.standings} >= {first.white, first.black}


def test_a_cleared_game_can_cost_the_exit_from_probation_and_putting_it_back_gives_it(
    season: Tournament, standard: RatingList
) -> None:
    ada = Player.objects.get(name="Ada Alvarez")
    assert PlayerRating.objects.get(player=ada).games == 34
    RatingList.objects.filter(pk=standard.pk).update(provisional_games=34)
    game = Game.objects.filter(white=ada)[0]
    assert preview(ResultChange(game.pk, Result.OPEN), by=None).lists[0].exits_lost == [ada]
    correct(ResultChange(game.pk, Result.OPEN))
    undo = undo_of(AuditEvent.objects.filter(action="result.corrected")[0])
    assert undo is not None
    assert preview(undo, by=None).lists[0].exits_gained == [ada]


# --- what a commit refuses -------------------------------------------------------------------------------------------
def test_a_commit_refuses_where_the_fact_moved(season: Tournament) -> None:
    game = Game.objects.order_by("sequence")[0]
    change = ResultChange(game.pk, other_result(game))
    shown = preview(change, by=None)
    correct_result(game=game.pk, result=Result.BLACK_FORFEITS, by=None)
    with pytest.raises(Stale, match="changed by somebody else"):
        commit(change, shown.seen, reason="appeal", by=None)
    assert Game.objects.get(pk=game.pk).result == Result.BLACK_FORFEITS


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


@pytest.mark.parametrize("reason", ["", "because", "entry error"])
def test_a_correction_needs_a_reason_from_the_list(season: Tournament, reason: str) -> None:
    game = Game.objects.order_by("sequence")[0]
    change = ResultChange(game.pk, other_result(game))
    with pytest.raises(Refused, match="needs a reason"):
        commit(change, preview(change, by=None).seen, reason=reason, by=None)


def test_a_token_that_is_no_previews_is_stale(season: Tournament) -> None:
    game = Game.objects.order_by("sequence")[0]
    assert Seen.read(str(Seen("a", "b", "c"))) == Seen("a", "b", "c")
    with pytest.raises(Stale):
        commit(ResultChange(game.pk, other_result(game)), Seen.read("nonsense"), reason="appeal", by=None)


# --- the trail -------------------------------------------------------------------------------------------------------
def test_the_audit_event_says_what_moved_and_names_nobody(season: Tournament, standard: RatingList) -> None:
    arbiter = factory.make_arbiter()
    game = Game.objects.order_by("played_on", "sequence")[0]
    done = correct(ResultChange(game.pk, other_result(game)), by=arbiter, note="score sheets compared")
    (event,) = AuditEvent.objects.filter(action="result.corrected")
    effect = event.effect[standard.slug]
    assert (event.actor, event.role, event.reason, event.note) == (
        arbiter,
        "arbiter",
        "appeal",
        "score sheets compared",
    )
    assert (effect["games"], effect["players"]) == (15, len(done.lists[0].moves))
    assert len(effect["largest"]) == 5
    number, points = effect["largest"][0]
    biggest = done.lists[0].moves[0]
    assert (number, points) == (biggest.player.number, round(biggest.move.difference or 0, 1))
    told = repr((event.before, event.after, event.effect))
    assert not [name for name in factory.CAST if name.split()[0] in told]


def test_the_direct_service_tells_its_effect_too(season: Tournament, standard: RatingList) -> None:
    game = Game.objects.order_by("played_on", "sequence")[0]
    correct_result(game=game.pk, result=other_result(game), by=None)
    assert AuditEvent.objects.filter(action="result.corrected").get().effect[standard.slug]["players"] > 0


def test_a_correction_that_no_list_rates_moves_nothing(season: Tournament) -> None:
    row = create_player(NewPlayer("Late Guest"), by=None)
    assert row.pk
    Tournament.objects.update(rated=False)
    game = Game.objects.order_by("sequence")[0]
    assert preview(ResultChange(game.pk, other_result(game)), by=None).lists == ()
