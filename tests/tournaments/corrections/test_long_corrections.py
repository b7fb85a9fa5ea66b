"""Corrections with a long tail go through the worker: rated beside the live lists, then made at once."""

from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db.models import F

from players.models import AuditEvent, Club, Job, Player
from players.refusals import Stale
from ratings.ledger.services import rebuild as rebuilding
from ratings.models import ContestEntry, LedgerEntry, PlayerRating, RatingList
from ratings.systems.base import Handicap
from tests import factory
from tests.tournaments.contests.contest_cases import make_tables, play, sides
from tests.tournaments.knockouts.match_cases import LOSS, WIN, played_through
from tournaments.corrections.services import changes as kinds
from tournaments.corrections.services import corrections, jobs, list_changes
from tournaments.corrections.services.changes import Change, ResultChange, ResultChanges, Why, facts_digest
from tournaments.corrections.services.contest_changes import ContestChange
from tournaments.corrections.services.corrections import commit, commit_at_once, preview
from tournaments.corrections.services.game_changes import ForgottenGame
from tournaments.corrections.services.jobs import from_payload, request_correction, to_payload
from tournaments.corrections.services.list_changes import ListChange
from tournaments.corrections.services.merge_changes import MergeUndone, PlayersMerged
from tournaments.models import Contest, Game, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

# The immediate backend of the tests runs a task when it is queued, at the latest when the transaction commits.
pytestmark = pytest.mark.django_db(transaction=True)
DAY = factory.MONDAY
WHY = Why(None, AuditEvent.Reason.APPEAL, "seen by both")


@pytest.fixture
def played(standard: RatingList) -> list[Game]:
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_all(cup, Result.WHITE_WINS)
    return list(Game.objects.filter(tournament=cup).order_by("sequence"))


def ask(change: Change) -> Job:
    job = request_correction(change, facts_digest(change), WHY)
    job.refresh_from_db()
    return job


def ledger() -> list[tuple[object, ...]]:
    columns = ("game_id", "score", "white_before", "white_after", "black_before", "black_after")
    live = LedgerEntry.objects.filter(generation=RatingList.objects.get().live_generation)
    return list(live.order_by("order").values_list(*columns))


@pytest.mark.extended
def test_a_long_correction_gives_what_a_short_one_gives_and_one_audit_event(
    standard: RatingList, played: list[Game]
) -> None:
    game = played[0]
    correct_result(game=game.pk, result=Result.BLACK_WINS, by=None)
    wanted = ledger()
    correct_result(game=game.pk, result=Result.WHITE_WINS, by=None)
    job = ask(ResultChange(game.pk, Result.BLACK_WINS))
    assert (job.state, job.progress) == (Job.State.DONE, 100)
    assert ledger() == wanted
    assert check_list(standard) == []
    *_before, event = found = AuditEvent.objects.filter(action="result.corrected").order_by("pk")
    assert len(found) == 3
    assert (event.reason, event.note) == (AuditEvent.Reason.APPEAL, "seen by both")
    assert event.effect["standard"]["games"] == len(played)
    assert event.effect["standard"]["players"] == 3


def test_every_kind_of_change_is_carried_out(standard: RatingList, played: list[Game]) -> None:
    keys = [game.pk for game in played]
    earlier, later = DAY.replace(day=1), DAY.replace(month=2)
    changes: tuple[Change, ...] = (
        ResultChange(keys[2], Result.DRAW, earlier),
        ResultChange(keys[3], Result.DRAW, later),
        ResultChange(keys[0], Result.OPEN),
        ResultChanges((ResultChange(keys[1], Result.DRAW), ResultChange(keys[4], Result.BLACK_WINS))),
        kinds.ColoursSwapped(keys[4], mirror=False),
        kinds.GameRemoved(keys[5]),
        kinds.ImportanceChange(played[0].tournament_id, 1.5),
    )
    for change in changes:
        assert ask(change).state == Job.State.DONE, change
        assert check_list(standard) == [], change
    now = Game.objects.in_bulk(keys)
    assert (now[keys[2]].played_on, now[keys[3]].played_on) == (earlier, later)
    assert [now[key].result for key in keys[:5]] == [Result.OPEN, *[Result.DRAW] * 3, Result.BLACK_WINS]
    assert now[keys[4]].white_id == played[4].black_id
    assert now[keys[5]].result == Result.OPEN


def test_whoever_changed_the_game_meanwhile_is_not_overwritten(standard: RatingList, played: list[Game]) -> None:
    game = played[0]
    change = ResultChange(game.pk, Result.BLACK_WINS)
    facts = facts_digest(change)
    correct_result(game=game.pk, result=Result.DRAW, by=None)
    job = request_correction(change, facts, WHY)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "meanwhile" in job.message
    assert Game.objects.get(pk=game.pk).result == Result.DRAW
    assert check_list(standard) == []


def test_a_match_that_was_changed_meanwhile_is_not_overwritten_either(standard: RatingList) -> None:
    """Others hang on it, whose games may go: it is not rated beside."""
    _cup, game = played_through()
    change = ResultChange(game.pk, LOSS)
    assert not jobs.is_rated_beside(change)
    facts = facts_digest(change)
    Game.objects.filter(pk=game.pk).update(revision=F("revision") + 1)
    job = request_correction(change, facts, WHY)
    job.refresh_from_db()
    assert (job.state, "meanwhile" in job.message) == (Job.State.FAILED, True)
    assert Game.objects.get(pk=game.pk).result == WIN


def test_results_that_arrive_while_it_is_rated_are_in_the_new_ledger(
    standard: RatingList, played: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another correction comes in after the new generation was written and before it takes over."""
    late = played[-2]
    build = rebuilding.build

    def build_slowly(*args: object, **kwargs: object) -> object:
        built = build(*args, **kwargs)  # type: ignore[arg-type]
        correct_result(game=late.pk, result=Result.BLACK_WINS, by=None)
        return built

    monkeypatch.setattr(jobs, "build", build_slowly)
    assert ask(ResultChange(played[0].pk, Result.BLACK_WINS)).state == Job.State.DONE
    assert Game.objects.get(pk=late.pk).result == Result.BLACK_WINS
    assert check_list(standard) == []


def test_nothing_is_changed_where_it_breaks_off(
    standard: RatingList, played: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (ledger(), list(PlayerRating.objects.values_list("player_id", "rating")))
    monkeypatch.setattr(jobs, "take_over", lambda *args: 1 / 0)
    assert ask(ResultChange(played[0].pk, Result.BLACK_WINS)).state == Job.State.FAILED
    assert Game.objects.get(pk=played[0].pk).result == Result.WHITE_WINS
    live = PlayerRating.objects.filter(generation=RatingList.objects.get().live_generation)
    assert (ledger(), list(live.values_list("player_id", "rating"))) == before
    assert RatingList.objects.get().building_generation is None
    assert LedgerEntry.objects.count() == len(played), "what was written beside is gone"


@pytest.mark.extended
def test_behind_a_long_tail_the_preview_is_computed_beside_and_the_commit_is_a_job(
    standard: RatingList, played: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    factory.make_list("rapid", pool="rapid", primary=False)
    change = ResultChange(played[0].pk, Result.BLACK_WINS)
    short = preview(change, by=None)
    monkeypatch.setattr(corrections, "LONG_TAIL", 3)
    monkeypatch.setattr("tournaments.corrections.services.jobs.LONG_TAIL", 3)
    shown = preview(change, by=None)
    assert shown.behind == short.behind == len(played)
    assert [row.rating_list for row in shown.lists] == [standard], "another pool has no part in it"
    assert [row.move for row in shown.lists[0].moves] == [row.move for row in short.lists[0].moves]
    assert check_list(standard) == [], "a preview writes nothing"
    job = commit(change, shown.seen, reason=AuditEvent.Reason.APPEAL, by=None)
    assert isinstance(job, Job)
    assert Job.objects.get(pk=job.pk).state == Job.State.DONE
    moved = dict(PlayerRating.objects.values_list("player_id", "rating"))
    assert all(moved[row.player.pk] == row.move.rating_after for row in shown.lists[0].moves)
    with pytest.raises(Stale):
        commit(change, shown.seen, reason=AuditEvent.Reason.APPEAL, by=None)
    again = commit_at_once(ResultChange(played[0].pk, Result.DRAW), reason=AuditEvent.Reason.APPEAL, by=None)
    assert isinstance(again, Job)
    assert Game.objects.get(pk=played[0].pk).result == Result.DRAW
    assert check_list(standard) == []


def test_a_tail_as_long_as_is_quick_is_corrected_at_once(
    standard: RatingList, played: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corrections, "LONG_TAIL", len(played))
    change, reason = ResultChange(played[0].pk, Result.BLACK_WINS), AuditEvent.Reason.APPEAL
    shown = preview(change, by=None)
    assert (shown.is_long, bool(shown.standings)) == (False, True)
    commit(change, shown.seen, reason=reason, by=None)
    commit_at_once(ResultChange(played[0].pk, Result.DRAW), reason=reason, by=None)
    assert not Job.objects.exists()
    monkeypatch.setattr(list_changes, "LONG_TAIL", len(played))
    assert list_changes.change_rated_list(ListChange(standard.pk, {"provisional_games": 1}), by=None) is None
    for most, told in ((4, True), (3, False)):  # of four players
        monkeypatch.setattr(corrections, "MOST_PLACES", most)
        assert any(corrections.places_now(change.begin()).values()) is told


def test_a_rebuild_that_waits_is_that_of_its_list_and_one_of_a_list_that_is_gone_says_so(standard: RatingList) -> None:
    other = factory.make_list("rapid", pool="rapid", primary=False)
    waiting = Job.objects.create(kind=jobs.REBUILD, subject_key=other.pk)
    gone = Job.objects.create(kind=jobs.REBUILD, subject_key=other.pk + 1)
    assert jobs.request_rebuild(other, by=None) == waiting
    job = jobs.request_rebuild(standard, by=None)
    jobs._queue(gone)
    rows = Job.objects.in_bulk([job.pk, gone.pk])
    assert (rows[job.pk].subject_key, rows[job.pk].state) == (standard.pk, Job.State.DONE)
    assert (rows[gone.pk].state, rows[gone.pk].message) == (Job.State.FAILED, "The list was deleted meanwhile.")


def test_a_change_survives_being_a_job() -> None:
    changes: list[Change] = [
        ResultChange(1, Result.DRAW, DAY, 3),
        ResultChanges((ResultChange(1, Result.OPEN), ResultChange(2, Result.DRAW, DAY))),
        kinds.ColoursSwapped(1, True, 2),
        kinds.GameRemoved(1, 2),
        kinds.GameInserted(ForgottenGame(1, 2, 3, Result.DRAW, DAY)),
        kinds.GameInserted(ForgottenGame(1, 2, 3, Result.DRAW, DAY, Handicap(3, 0.5))),
        PlayersMerged(1, 2),
        MergeUndone(7),
    ]
    assert [from_payload(to_payload(change)) for change in changes] == changes
    with pytest.raises(TypeError, match="StreamLoaded"):
        to_payload(kinds.StreamLoaded((), "evening", DAY))


@pytest.mark.extended
def test_a_match_with_a_long_tail_is_corrected_with_its_bracket(
    standard: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corrections, "LONG_TAIL", 1)
    monkeypatch.setattr("tournaments.corrections.services.jobs.LONG_TAIL", 1)
    players = factory.make_players(4)
    for bracket, final_played in product(("follow", "keep"), (True, False)):
        cup = factory.make_knockout(players, name=f"{bracket} {final_played}")
        game = factory.play_match(factory.match_of(cup, 1, 1), Result.WHITE_WINS)
        factory.play_match(factory.match_of(cup, 1, 2), Result.WHITE_WINS)
        if final_played:
            factory.play_match(factory.match_of(cup, 2, 1), Result.WHITE_WINS)
        change = ResultChange(game.pk, Result.BLACK_WINS if game.result == Result.WHITE_WINS else Result.WHITE_WINS)
        seen = preview(change, by=None, bracket=bracket).seen
        job = commit(change, seen, reason=AuditEvent.Reason.APPEAL, by=None, bracket=bracket)
        assert isinstance(job, Job)
        job.refresh_from_db()
        assert job.state == Job.State.DONE, job.message
        follows = bracket == "follow" or not final_played
        semi, final = factory.match_of(cup, 1, 1), factory.match_of(cup, 2, 1)
        assert semi.advanced is not None
        assert semi.advanced.player.name.startswith("Dag" if follows else "Ada")
        assert final.games.exclude(result="").count() == (1 if final_played and bracket == "keep" else 0)
        assert not check_list(standard)


# --- tables -------------------------------------------------------------------------------------------------------
@pytest.fixture
def evening(club: Club) -> tuple[RatingList, Tournament, Contest]:
    """Tables of three, the first of them to be corrected."""
    factory.make_players(4)
    rating_list, event = make_tables()
    first, *_rest = [play(event, text, day) for day, text in enumerate(("1: 1; 2: 2; 3: 3", "1: 3; 2: 4; 3: 1"))]
    return rating_list, event, first


def test_a_long_correction_of_a_table_is_rated_beside_and_what_is_played_meanwhile_afterwards(
    evening: tuple[RatingList, Tournament, Contest], monkeypatch: pytest.MonkeyPatch
) -> None:
    rating_list, event, first = evening
    build = rebuilding.build

    def build_slowly(*args: object, **kwargs: object) -> object:
        built = build(*args, **kwargs)  # type: ignore[arg-type]
        play(event, "1: 4; 2: 1; 3: 2", 2)
        return built

    monkeypatch.setattr(jobs, "build", build_slowly)
    change = ContestChange(first.pk, sides("1: 3; 2: 2; 3: 1"))
    assert jobs.is_rated_beside(change)
    assert ask(change).state == Job.State.DONE
    live = ContestEntry.objects.filter(generation=RatingList.objects.get().live_generation)
    assert live.values("contest").distinct().count() == 3, "nothing is lost"
    assert live.get(contest=first, player=Player.objects.get(number=3).pk).place == 1
    assert check_list(rating_list) == []


@pytest.mark.parametrize("change", [{"withdrawn": True}, {"played_on": DAY + timedelta(days=9)}])
def test_beside_gives_what_at_once_gives(
    evening: tuple[RatingList, Tournament, Contest], change: dict[str, Any]
) -> None:
    rating_list, _event, first = evening
    shown = list(jobs.effects_beside(ContestChange(first.pk, **change), WHY))
    assert ask(ContestChange(first.pk, **change)).state == Job.State.DONE
    assert check_list(rating_list) == []
    now = dict(
        PlayerRating.objects.filter(generation=RatingList.objects.get().live_generation).values_list("player", "rating")
    )
    moves = {move.player: move.rating_after for each in shown for move in each.moves}
    assert moves
    assert all(now.get(player) == rating for player, rating in moves.items())
