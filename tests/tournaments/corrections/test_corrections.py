"""Corrections: the preview shows what the commit does and leaves nothing behind; the commit refuses what is no longer
so; every kind leaves a ledger that equals a fresh replay, and a trail that says what it moved."""

from datetime import date
from types import SimpleNamespace

import pytest

from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_player
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.models import PlayerRating, PublishedList, RatingList
from tests import factory
from tests.tournaments.corrections.correction_cases import correct, make_season, other_result
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.corrections.services.changes import ResultChange
from tournaments.corrections.services.corrections import Seen, commit, list_previews, preview, undo_of
from tournaments.corrections.services.merge_changes import MergeUndone
from tournaments.merging.services import merge_players, undo_merge
from tournaments.models import Game, Tournament
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


standard = club_and_list


@pytest.fixture(scope="module")
def season(standard: RatingList) -> Tournament:
    return make_season(standard)


def test_a_preview_names_ratings_places_probation_and_published_lists(season: Tournament, standard: RatingList) -> None:
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    PublishedList.objects.create(rating_list=rapid, on=date(2026, 2, 2), settings={}, digest="")
    for on in (date(2026, 1, 1), date(2026, 1, 5), date(2026, 2, 1)):
        PublishedList.objects.create(rating_list=standard, on=on, settings={}, digest="")
    ada = Player.objects.get(name="Ada Alvarez")
    first = Game.objects.filter(white=ada).order_by("played_on")[0]
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


@pytest.mark.extended
def test_a_cleared_game_can_cost_the_exit_from_probation_and_putting_it_back_gives_it(
    season: Tournament, standard: RatingList
) -> None:
    ada = Player.objects.get(name="Ada Alvarez")
    assert PlayerRating.objects.get(player=ada).games == 34
    RatingList.objects.filter(pk=standard.pk).update(provisional_games=34)
    game = Game.objects.filter(white=ada)[0]
    (shown,) = preview(ResultChange(game.pk, Result.OPEN), by=None).lists
    assert (shown.exits_lost, shown.replaced) == ([ada], 0), "her own place is not another’s"
    correct(ResultChange(game.pk, Result.OPEN))
    undo = undo_of(AuditEvent.objects.filter(action="result.corrected")[0])
    assert undo is not None
    assert preview(undo, by=None).lists[0].exits_gained == [ada]


def test_those_who_change_places_besides_are_counted(standard: RatingList) -> None:
    effect = SimpleNamespace(rating_list=standard, moves=(), games=0)
    begin = {standard.pool: SimpleNamespace(on=date(2026, 1, 5))}
    before, after = {1: 1, 2: 2, 3: 3, 4: 4}, {1: 1, 2: 3, 3: 2, 5: 4}
    (shown,) = list_previews([effect], begin, {standard.pk: before}, {standard.pk: after})  # type: ignore[list-item,arg-type]
    assert shown.replaced == 4, "two change places, one loses and one gains a place"


# --- what a commit refuses -------------------------------------------------------------------------------------------
def test_a_commit_needs_a_reason_from_the_list_and_the_token_of_a_preview_of_facts_as_they_stand(
    season: Tournament,
) -> None:
    game = Game.objects.order_by("sequence")[0]
    change = ResultChange(game.pk, other_result(game))
    shown = preview(change, by=None)
    for reason in ("", "because", "entry error"):
        with pytest.raises(Refused, match="needs a reason"):
            commit(change, shown.seen, reason=reason, by=None)
    assert Seen.read(str(Seen("a", "b", "c"))) == Seen("a", "b", "c")
    with pytest.raises(Stale):
        commit(change, Seen.read("nonsense"), reason="appeal", by=None)
    correct_result(game=game.pk, result=Result.BLACK_FORFEITS, by=None)
    with pytest.raises(Stale, match="changed by somebody else"):
        commit(change, shown.seen, reason="appeal", by=None)
    assert Game.objects.get(pk=game.pk).result == Result.BLACK_FORFEITS


# --- the trail -------------------------------------------------------------------------------------------------------
def test_the_audit_event_says_what_moved_and_names_nobody(season: Tournament, standard: RatingList) -> None:
    arbiter = factory.make_arbiter()
    game = Game.objects.order_by("played_on", "sequence")[0]
    done = correct(ResultChange(game.pk, other_result(game)), by=arbiter, note="score sheets compared")
    (event,) = AuditEvent.objects.filter(action="result.corrected")
    effect = event.effect[standard.slug]
    assert (event.actor, event.role) == (arbiter, "arbiter")
    assert (event.reason, event.note) == ("appeal", "score sheets compared")
    assert (effect["games"], effect["players"]) == (15, len(done.lists[0].moves))
    assert len(effect["largest"]) == 5
    number, points = effect["largest"][0]
    biggest = done.lists[0].moves[0]
    assert (number, points) == (biggest.player.number, round(biggest.move.difference or 0, 1))
    found = repr((event.before, event.after, event.effect))
    assert not [name for name in factory.CAST if name.split()[0] in found]


def test_the_direct_service_tells_its_effect_too(season: Tournament, standard: RatingList) -> None:
    game = Game.objects.order_by("played_on", "sequence")[0]
    correct_result(game=game.pk, result=other_result(game), by=None)
    assert AuditEvent.objects.filter(action="result.corrected").get().effect[standard.slug]["players"] > 0


def test_a_correction_that_no_list_rates_and_results_of_tonight_move_nothing(season: Tournament) -> None:
    Tournament.objects.update(rated=False)
    game = Game.objects.order_by("sequence")[0]
    assert preview(ResultChange(game.pk, other_result(game)), by=None).lists == ()
    assert AuditEvent.objects.filter(action="result.recorded").count() == 15
    assert not AuditEvent.objects.filter(action="result.recorded").exclude(effect={}).exists()


def test_a_merge_is_taken_back_whatever_else_happened_since(season: Tournament) -> None:
    kept, *twins = (create_player(NewPlayer(name), by=None) for name in ("Zoe Kept", "Zoe One", "Zoe Two"))
    for twin in twins:
        merge_players(keep=kept.pk, gone=twin.pk, by=None, reason="duplicate")
        write_audit("player.changed", twin, by=None)
    first, last = AuditEvent.objects.filter(action="players.merged").order_by("pk")
    assert [undo_of(event) for event in (first, last)] == [MergeUndone(first.pk), MergeUndone(last.pk)]
    undo_merge(first, by=None, reason="wrong-player")
    merge_players(keep=kept.pk, gone=twins[0].pk, by=None, reason="duplicate")
    assert undo_of(first) is None, "another merge of the two holds now"
