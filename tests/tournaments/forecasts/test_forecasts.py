"""Forecasts of running events: asked for before each round, stored once, never rewritten, scored by what came."""

from dataclasses import replace
from datetime import timedelta
from math import log
from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError, transaction
from pytest_django import DjangoAssertNumQueries, Settings

from players.jobs.services import Stopped, ask
from players.models import AuditEvent, Job, Player
from players.privacy.rules import NOBODY
from ratings.models import RatingList
from tests import factory
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import event_data
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.forecasts.selectors import scores
from tournaments.forecasts.selectors.forecasts import (
    due_round,
    facts_digest,
    forecast_from,
    forecast_kind,
    forecast_question,
    is_over,
    stored_forecasts,
)
from tournaments.forecasts.selectors.scores import club_scores, score_of, titles_of
from tournaments.forecasts.services import forecasts
from tournaments.forecasts.services.due import ask_for_all_due, ask_when_due
from tournaments.forecasts.services.forecasts import store_forecast
from tournaments.models import Forecast, ForecastGame, ForecastKind, ForecastLine, Game, Pairing, Tournament
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.rounds import delete_rounds, pair_all_rounds, publish_round, unpublish_round
from tournaments.standings.points import Result

# The immediate backend of the tests runs a task when the transaction commits.
pytestmark = pytest.mark.django_db(transaction=True)
ONE, HALF, NIL = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


@pytest.fixture(autouse=True)
def _told_by_hand(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forecasts are made, and say the same of everything: what they say is not the matter here."""
    cache.clear()  # the scores of another test's club are kept under keys that come again
    settings.FORECASTS = True
    monkeypatch.setattr(forecasts, "work_out", lambda event, kind, tell: said(event))


@pytest.fixture
def cup(standard: RatingList, club_time: None, settings: Settings) -> Tournament:
    """Four players, three rounds, published; nothing was asked when they were."""
    settings.FORECASTS = False
    event = factory.make_round_robin(factory.make_players(4))
    settings.FORECASTS = True
    return event


def play_one(tournament: Tournament, number: int, result: Result = ONE) -> Game:
    """The first open board of a round."""
    game = Game.objects.filter(pairing__round__number=number, tournament=tournament, result="").order_by("pk")[0]
    return record_result(game=game.pk, result=result, played_on=factory.MONDAY, by=None)


def facts(tournament: Tournament) -> EventData:
    return event_data(factory.stage_of(tournament), NOBODY)


def said(event: EventData) -> dict[str, Any]:
    """Number 1 wins the title with 0.7; White of every open game of the next round wins with 0.6."""
    people = [person for person in event.entrants if person.number is not None]
    rest = 0.3 / (len(people) - 1)
    lines = [
        {
            "entry": person.key, "title": 0.7 if person.number == 1 else rest, "points": 3.0,
            "places": [0.7 if person.number == 1 else rest, *[rest] * (len(people) - 1)],
            "strength": 1500.0, "deviation": 100.0,
        }
        for person in people
    ]  # fmt: skip
    row = next((row for row in event.rounds if not row.is_complete), None)
    games = [
        {
            "game": board.key, "round": row.number, "white": board.white.key, "black": board.black.key,
            "win": 0.6, "draw": 0.2, "loss": 0.2, "by_rating": 0.5,
        }
        for board in (row.boards if row else ())
        if not board.decided
    ]  # fmt: skip
    return {"method": "sampled", "samples": 10, "seed": 1, "draw_rate": 1.0, "lines": lines, "games": games}


# --- which events, which round ---------------------------------------------------------------------------------------
def test_round_robins_and_knockouts_with_rounds_are_forecast_and_other_events_are_not(cup: Tournament) -> None:
    assert forecast_kind(facts(cup)) is ForecastKind.ROUND_ROBIN
    knockout = factory.make_knockout(factory.make_players(4))
    assert forecast_kind(facts(knockout)) is ForecastKind.KNOCKOUT
    Pairing.objects.filter(pk=factory.match_of(knockout, 1, 1).pk).update(ruled=True)
    assert forecast_kind(facts(knockout)) is None, "nobody goes on from a match"
    pairs = factory.make_round_robin(factory.make_players(4), name="Pairs")
    pairs.entry_size = 2
    assert forecast_kind(facts(pairs)) is None
    assert forecast_kind(facts(create_tournament(NewTournament("To come"), by=None))) is None
    for system in ("keizer", "free", "ladder", "by-hand"):
        event = create_tournament(NewTournament(system, pairing_system=system), by=None)
        assert (forecast_kind(facts(event)), ask_when_due(factory.stage_of(event))) == (None, None), system


@pytest.mark.extended
def test_the_round_that_is_due_has_no_result_and_none_is_open_before_it(cup: Tournament) -> None:
    assert due_round(facts(cup)) == 1
    play_one(cup, 1)
    assert due_round(facts(cup)) is None
    second_day = factory.MONDAY + timedelta(days=7)
    assert factory.round_of(cup, 2).planned_on == second_day
    storable = [forecasts.storable_round(facts(cup), day) for day in (factory.MONDAY, second_day)]
    assert storable == [None, 2], "a postponed game holds up the next round until its day"
    play_one(cup, 1)
    assert due_round(facts(cup)) == 2
    factory.play_round(cup, 2, [ONE, HALF])
    play_one(cup, 3)
    assert not is_over(facts(cup))
    play_one(cup, 3)
    assert is_over(facts(cup)), "every game has its result"
    assert due_round(facts(cup)) is None


# --- asked for by what happens ---------------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_forecast_is_stored_before_every_round_by_playing_on(
    cup: Tournament, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ask_when_due(factory.stage_of(cup))
    for number in (1, 2, 3):
        factory.play_round(cup, number, [ONE, HALF])
    event = facts(cup)
    with django_assert_num_queries(3):
        stored = stored_forecasts(event)
    assert [(row.before_round, len(row.games)) for row in stored] == [(1, 2), (2, 2), (3, 2)]


def test_publishing_asks_for_the_first_and_making_all_rounds_at_once_asks_once(cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    unpublish_round(row.pk, reason=AuditEvent.Reason.OTHER, by=None)
    assert not Forecast.objects.exists()
    publish_round(row.pk, by=None)
    assert Forecast.objects.get().before_round == 1
    factory.make_round_robin(factory.make_players(4), name="Next Cup")
    factory.make_knockout(factory.make_players(4), name="Cup of Cups")
    assert Forecast.objects.count() == Job.objects.filter(kind="forecast").count() == 3


def test_the_hourly_round_asks_for_what_was_missed_unless_the_club_does_without(
    cup: Tournament, settings: Settings
) -> None:
    settings.FORECASTS = False
    factory.play_round(cup, 1, [ONE, ONE])
    assert (ask_for_all_due(), Job.objects.count()) == (0, 0)
    settings.FORECASTS = True
    Tournament.objects.update(closed=True)
    assert ask_for_all_due() == 0, "nobody waits for what is over"
    Tournament.objects.update(closed=False)
    assert (ask_for_all_due(), Forecast.objects.count()) == (1, 1)
    assert ask_for_all_due() == 0, "it is stored"


def test_one_waiting_job_is_enough_and_answers_the_question_as_it_stands_when_it_begins(cup: Tournament) -> None:
    stage = factory.stage_of(cup)
    job = Job.objects.create(kind="forecast", subject_key=stage.pk, question="of facts that have moved")
    assert ask_when_due(stage) is None
    forecasts.answer_forecast(job, lambda done, of: None)
    job.refresh_from_db()
    assert job.question == forecast_question(facts(cup)).key


def test_of_two_jobs_for_the_same_facts_the_later_stops(cup: Tournament) -> None:
    stage, question = factory.stage_of(cup), forecast_question(facts(cup))
    Job.objects.create(kind="forecast", subject_key=stage.pk, question=question.key, state=Job.State.RUNNING)
    later = Job.objects.create(kind="forecast", subject_key=stage.pk, question="of facts that have moved")
    with pytest.raises(Stopped):
        forecasts.answer_forecast(later, lambda done, of: None)
    later.refresh_from_db()
    assert later.state == Job.State.CANCELLED


def test_a_reader_who_asked_too_early_does_not_keep_it_from_being_stored(
    cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of round 1 is postponed; he asks before the day of round 2. His answer is that of the same facts, and it
    is kept once the day has come."""
    play_one(cup, 1)
    with monkeypatch.context() as earlier:
        earlier.setattr(forecasts, "storable_round", lambda event, today: None)
        ask(forecast_question(facts(cup)))
    assert not Forecast.objects.exists()
    ask_when_due(factory.stage_of(cup))
    assert Forecast.objects.get().before_round == 2


# --- stored once, and only in time -----------------------------------------------------------------------------------
def test_the_digest_knows_results_and_no_names_and_nothing_is_stored_once_it_moved(cup: Tournament) -> None:
    event = facts(cup)
    answer, digest = said(event), facts_digest(event)
    Player.objects.update(name="Somebody Else")
    assert facts_digest(facts(cup)) == digest
    play_one(cup, 1)
    assert facts_digest(facts(cup)) != digest
    assert store_forecast(event.stage.pk, digest, answer) is None
    assert not Forecast.objects.exists()


def test_a_forecast_is_stored_once_told_in_the_trail_and_read_as_it_was_said(cup: Tournament) -> None:
    event = facts(cup)
    answer, digest = said(event), facts_digest(event)
    stored = store_forecast(event.stage.pk, digest, answer)
    assert stored is not None
    assert store_forecast(event.stage.pk, digest, answer) is None
    assert Forecast.objects.count() == 1
    assert AuditEvent.objects.get(action="forecast.stored").after == {"stage": event.stage.pk, "round": 1}
    shown, (kept,) = forecast_from(event, answer, stored.made_at), stored_forecasts(event)
    assert (shown.lines, shown.games, shown.samples) == (kept.lines, kept.games, kept.samples)
    assert [line.entrant.number for line in kept.lines] == [1, 2, 3, 4]
    assert (kept.before_round, shown.before_round) == (1, None)
    first = shown.lines[0]
    assert (first.low, first.median, first.high) == (1, 1, 3), "at 10, 50 and 90 % of 0.7, 0.8, 0.9, 1.0"
    stored.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        Forecast.objects.bulk_create([stored])


@pytest.mark.parametrize("model", [Forecast, ForecastLine, ForecastGame])
def test_what_was_said_is_neither_changed_nor_deleted(cup: Tournament, model: Any) -> None:
    event = facts(cup)
    store_forecast(event.stage.pk, facts_digest(event), said(event))
    row = model.objects.first()
    for change in (row.save, row.delete, model.objects.all().delete, lambda: model.objects.update(pk=0)):
        with pytest.raises(TypeError, match="written once"), transaction.atomic():
            change()
    assert model.objects.filter(pk=row.pk).exists()


def test_games_that_are_taken_back_are_not_scored(cup: Tournament) -> None:
    """The rounds are deleted and made anew: the words stay, of the games that are gone nothing is known."""
    event = facts(cup)
    store_forecast(event.stage.pk, facts_digest(event), said(event))
    delete_rounds(event.stage, by=None, reason=AuditEvent.Reason.PAIRED_WRONGLY)
    pair_all_rounds(event.stage, by=None, first_day=factory.MONDAY)
    factory.play_round(cup, 1, [ONE, HALF])
    said_before, said_after = stored_forecasts(facts(cup))
    assert (said_before.before_round, said_after.before_round) == (1, 2)
    assert [game.came for game in said_before.games] == [None, None]
    assert score_of([said_before]) is None


def test_exchanged_colours_are_read_the_other_way_round(cup: Tournament) -> None:
    ask_when_due(factory.stage_of(cup))
    game = factory.play_round(cup, 1, [ONE, ONE])[0]
    Game.objects.filter(pk=game.pk).update(white=game.black, black=game.white)
    assert [each.score for each in stored_forecasts(facts(cup))[0].games] == [0.0, 1.0]
    assert club_scores().score == score_of(stored_forecasts(facts(cup))[:1])


def test_of_a_board_on_which_others_sat_nothing_was_said(cup: Tournament) -> None:
    ask_when_due(factory.stage_of(cup))
    game = factory.play_round(cup, 1, [ONE, ONE])[0]
    other = Player.objects.exclude(pk__in=(game.white_id, game.black_id))[0]
    Game.objects.filter(pk=game.pk).update(white=other)
    scores = club_scores().score
    assert scores is not None
    assert scores.games == 1


def test_rounds_made_again_with_the_same_boards_are_another_question(cup: Tournament, settings: Settings) -> None:
    """Their games are new ones: of an answer that names the old ones nothing can be stored."""
    settings.FORECASTS = False
    event = facts(cup)
    answer, digest = said(event), facts_digest(event)
    delete_rounds(event.stage, by=None, reason=AuditEvent.Reason.PAIRED_WRONGLY)
    pair_all_rounds(event.stage, by=None, first_day=factory.MONDAY)
    assert facts_digest(facts(cup)) != digest
    assert store_forecast(event.stage.pk, digest, answer) is None


# --- scored by what came ---------------------------------------------------------------------------------------------
def test_games_are_scored_by_hand_and_a_correction_moves_the_score_and_not_the_forecast(cup: Tournament) -> None:
    """White was expected to make 0.7 of each of two games: won, and drawn."""
    ask_when_due(factory.stage_of(cup))
    games = factory.play_round(cup, 1, [ONE, HALF])
    score = score_of(stored_forecasts(facts(cup))[:1])
    assert score is not None
    assert score == club_scores().score
    assert score.games == 2
    assert score.log_loss == pytest.approx((-log(0.7) - 0.5 * log(0.7) - 0.5 * log(0.3)) / 2)
    assert score.by_rating == pytest.approx(log(2.0))
    assert score.brier == pytest.approx((0.3**2 + 0.2**2) / 2)
    assert score.skill_over_coin == pytest.approx(1.0 - score.log_loss / log(2.0))
    said_before = list(ForecastGame.objects.values())
    correct_result(game=games[0].pk, result=NIL, by=None)
    after = club_scores().score
    assert after is not None
    assert after.log_loss > score.log_loss
    assert [row for row in ForecastGame.objects.values() if row in said_before] == said_before


def test_the_club_is_scored_as_its_events_are_without_forfeits(cup: Tournament) -> None:
    ask_when_due(factory.stage_of(cup))
    factory.play_round(cup, 1, [Result.BLACK_FORFEITS, Result.BOTH_FORFEIT])
    assert (score_of(stored_forecasts(facts(cup))[:1]), club_scores().score) == (None, None)
    for number in (2, 3):
        factory.play_round(cup, number, [ONE, HALF])
    scores, one = club_scores(), score_of(stored_forecasts(facts(cup)))
    assert scores.score == one
    assert [(row.tournament, row.score) for row in scores.events] == [(cup, one)]
    assert sum(each.games for each in scores.calibration) == 4


def test_who_won_was_given_seventy_per_cent(cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    ask_when_due(factory.stage_of(cup))
    winner = cup.entries.get(number=1).player_id
    for number in (1, 2, 3):
        for game in Game.objects.filter(pairing__round__number=number):
            result = ONE if game.white_id == winner else NIL if game.black_id == winner else HALF
            record_result(game=game.pk, result=result, played_on=factory.MONDAY, by=None)
    event = facts(cup)
    stored = stored_forecasts(event)
    titles = titles_of(event, stored)
    assert [(said.before_round, said.chance) for said in titles] == [(1, 0.7), (2, 0.7), (3, 0.7)]
    assert titles_of(event, [replace(stored[0], lines=stored[0].lines[1:])]) == (), "of the winner nothing was said"
    monkeypatch.setattr(scores, "TITLES_OF", 1)
    create_tournament(NewTournament("To come", starts_on=factory.MONDAY + timedelta(days=60)), by=None)
    assert club_scores().titles == titles


def test_a_result_that_was_seen_and_taken_back_keeps_it_from_being_stored(
    cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digest is the same again; the forecast may know more than it should."""
    event = facts(cup)

    def work_out(event: EventData, kind: object, tell: object) -> dict[str, Any]:
        correct_result(game=play_one(cup, 1).pk, result=Result.OPEN, by=None)
        return said(event)

    monkeypatch.setattr(forecasts, "work_out", work_out)
    job = Job.objects.create(kind="forecast", subject_key=event.stage.pk, question=forecast_question(event).key)
    forecasts.answer_forecast(job, lambda done, of: None)
    assert facts_digest(facts(cup)) == facts_digest(event)
    assert not Forecast.objects.exists()


def test_a_result_of_another_event_seen_meanwhile_keeps_nothing_from_being_stored(
    cup: Tournament, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.FORECASTS = False
    other = factory.make_round_robin(factory.make_players(4), name="Other Cup")

    def work_out(event: EventData, kind: object, tell: object) -> dict[str, Any]:
        play_one(other, 1)
        return said(event)

    monkeypatch.setattr(forecasts, "work_out", work_out)
    stage = factory.stage_of(cup)
    job = Job.objects.create(kind="forecast", subject_key=stage.pk, question=forecast_question(facts(cup)).key)
    forecasts.answer_forecast(job, lambda done, of: None)
    assert Forecast.objects.get().stage == stage
