"""What a forecast of one of the club's events is made of, and that it says what the pure playouts say."""

from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from players.privacy.rules import NOBODY, OFFICER
from ratings.models import RatingList
from ratings.systems.elo import expected_score
from tests import factory
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import event_data
from tournaments.events.selectors.standings import standings_of
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.forecast.knockout_playouts import knockout_reach
from tournaments.forecasts.selectors.forecasts import due_round, facts_digest, forecast_kind, next_unplayed
from tournaments.forecasts.selectors.running import (
    bracket_to_come,
    knockout_to_come,
    running_of,
    swiss_to_come,
    winners_of,
)
from tournaments.forecasts.services.forecasts import store_forecast
from tournaments.forecasts.services.making import work_out
from tournaments.models import Game, Round, Tournament
from tournaments.pairing.base import Source
from tournaments.results.services.results import record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import publish_round, unpublish_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
ONE, HALF, NIL = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


@pytest.fixture(autouse=True)
def _club(standard: RatingList, club_time: None) -> None:
    """A club with its list, on its day."""


def facts(tournament: Tournament) -> EventData:
    return event_data(factory.stage_of(tournament), NOBODY)


def told(tournament: Tournament, **options: Any) -> dict[str, Any]:
    event = facts(tournament)
    kind = forecast_kind(event)
    assert kind is not None
    return work_out(event, kind, lambda done, of: None, **{"draws": 100, "samples": 200} | options)


def titles(answer: dict[str, Any]) -> list[float]:
    """By pairing number."""
    return [line["title"] for line in answer["lines"]]


# --- round robin ----------------------------------------------------------------------------------------------------


@pytest.mark.extended
def test_a_finished_event_is_forecast_as_it_ended() -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    for number, results in enumerate([[ONE, ONE], [NIL, ONE], [ONE, HALF]], start=1):
        factory.play_round(cup, number, results)
    answer, ended, running = told(cup), standings_of(facts(cup)).rows, running_of(facts(cup))
    ranked = running.standings(running.table(running.meetings))
    assert [(row.player, row.place) for row in ranked] == [(row.player, row.place) for row in ended]
    first = {row.player for row in ended if row.place == 1}
    assert answer["method"] == "exact"
    assert titles(answer) == [1.0 / len(first) if number in first else 0.0 for number in (1, 2, 3, 4)]
    assert answer["games"] == []


def test_the_last_round_is_the_mean_over_its_nine_endings() -> None:
    """Two games to come: each player's places follow from nine tables, weighed with the games' odds."""
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_round(cup, 1, [ONE, ONE])
    factory.play_round(cup, 2, [HALF, ONE])
    answer = told(cup, draws=8)
    assert len(answer["games"]) == 2
    by_hand, said = dict.fromkeys((1, 2, 3, 4), 0.0), {ONE: "win", HALF: "draw", NIL: "loss"}
    running = running_of(facts(cup))
    done, to_come = running.meetings[:4], running.meetings[4:]
    for results in product([ONE, HALF, NIL], repeat=2):
        ended = [replace(game, result=result) for game, result in zip(to_come, results, strict=True)]
        ranked = running.standings(running.table([*done, *ended]))
        first = [row.player for row in ranked if row.place == 1]
        one, other = (game[said[result]] for game, result in zip(answer["games"], results, strict=True))
        for player in first:
            by_hand[player] += one * other / len(first)
    # The odds of the games are means over the draws, one by one; together they hang together a little.
    assert titles(answer) == pytest.approx(list(by_hand.values()), abs=0.02)


@pytest.mark.extended
def test_the_same_facts_give_the_same_figures_and_every_player_and_place_add_up_to_one() -> None:
    cup = factory.make_round_robin(factory.make_players(7))
    answer = told(cup)
    assert answer == told(cup)
    assert told(cup, seed=2) != answer
    rows = [line["places"] for line in answer["lines"]]
    assert [sum(row) for row in rows] == pytest.approx([1.0] * 7, abs=1e-5)
    assert [sum(column) for column in zip(*rows, strict=True)] == pytest.approx([1.0] * 7, abs=1e-5)


def test_drafted_rounds_are_played_out_too_and_not_shown() -> None:
    """Rounds 2 and 3 are hidden again: every place is still open, and only games of round 1 are spoken of."""
    cup = factory.make_round_robin(factory.make_players(4))
    whole = told(cup)
    for number in (2, 3):
        unpublish_round(factory.round_of(cup, number).pk, reason="other", by=None)
    hidden = told(cup, seed=whole["seed"])
    assert hidden["lines"] == whole["lines"]
    assert {game["round"] for game in hidden["games"]} == {1}


def test_games_that_were_put_off_do_not_hide_those_of_the_round_that_is_stored() -> None:
    """A game of round 1 is put off; on the day of round 2 its games are forecast, stored and scored all the same."""
    cup = factory.make_round_robin(factory.make_players(4))
    first = Game.objects.filter(tournament=cup, pairing__round__number=1).order_by("pk")[0]
    record_result(game=first.pk, result=ONE, played_on=factory.MONDAY, by=None)
    Round.objects.filter(stage=factory.stage_of(cup), number=2).update(planned_on=factory.MONDAY - timedelta(days=7))
    answer = told(cup)
    assert [game["round"] for game in answer["games"]] == [1, 2, 2]
    stored = store_forecast(factory.stage_of(cup).pk, facts_digest(facts(cup)), answer)
    assert stored is not None
    assert stored.before_round == 2
    assert {row.game.pairing.round.number for row in stored.games.select_related("game__pairing__round")} == {2}
    assert stored.games.count() == 2


def test_a_round_decided_by_forfeits_alone_is_not_the_one_to_come() -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    for row in Game.objects.filter(tournament=cup, pairing__round__number=1):
        record_result(game=row.pk, result=Result.BLACK_FORFEITS, played_on=factory.MONDAY, by=None)
    assert next_unplayed(facts(cup)) == due_round(facts(cup)) == 2


def test_games_stand_beside_what_the_ratings_alone_say() -> None:
    players = factory.make_players(4)
    answer = told(factory.make_round_robin(players))
    assert {game["by_rating"] for game in answer["games"]} == {None}  # nobody has one yet
    cup = factory.make_round_robin(players, name="Second Cup")
    factory.play_round(cup, 1, [ONE, ONE])
    ratings = {row.player_id: row.rating for row in RatingList.objects.get().ratings.all()}
    game = told(cup)["games"][0]
    board = facts(cup).rounds[1].boards[0]
    assert game["game"] == board.key
    own, his = ratings[board.white.player.pk], ratings[board.black.player.pk]
    assert game["by_rating"] == pytest.approx(expected_score(own, his))


# --- knockout -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [4, 5, 8])
def test_the_bracket_is_read_back_as_it_was_drawn(players: int) -> None:
    cup = factory.make_knockout(factory.make_players(players), third_place=True)
    bracket = bracket_to_come(event_data(factory.stage_of(cup), OFFICER))
    drawn = {match.round: [one for one in bracket if one.round == match.round] for match in bracket}
    seeds = sorted(source.seed for match in bracket for source in (match.upper, match.lower) if source.seed)
    assert seeds == list(range(1, players + 1))
    final, third = drawn[max(drawn)]
    assert (final.third_place, third.third_place) == (False, True)
    assert {final.upper, final.lower} == {Source(match=(final.round - 1, board)) for board in (1, 2)}
    assert all(source.loser for source in (third.upper, third.lower))


def test_winners_go_on_in_it() -> None:
    cup = factory.make_knockout(factory.make_players(4))
    factory.play_match(factory.match_of(cup, 1, 1), ONE)
    event = event_data(factory.stage_of(cup), OFFICER)
    winners = winners_of(event)
    assert list(winners) == [(1, 1)]
    reach = {each.player: each for each in knockout_reach(bracket_to_come(event), winners)}
    assert reach[winners[1, 1]].can_reach(1)
    answer = told(cup)
    assert answer["method"] == "exact"
    assert sum(titles(answer)) == pytest.approx(1.0)
    assert sum(title > 0.0 for title in titles(answer)) == 3  # somebody is out
    assert answer["lines"][0]["points"] is None


def test_a_match_under_way_carries_its_lead() -> None:
    """Of four games one is won and one drawn: with a point more the match is over."""
    cup = factory.make_knockout(factory.make_players(4), games=4)
    before = told(cup)
    for result in (ONE, HALF):
        factory.play_match(factory.match_of(cup, 1, 1), result)
    to_come = knockout_to_come(event_data(factory.stage_of(cup), OFFICER))
    assert dict(to_come.leads) == {(1, 1): (2, 2)}
    assert to_come.games == 4
    upper = facts(cup).rounds[0].matches[0].upper
    assert upper is not None
    number = (upper.number or 0) - 1
    assert titles(told(cup))[number] > titles(before)[number]


@pytest.mark.extended
def test_rounds_to_come_are_paired_in_every_sample_and_a_draft_changes_nothing() -> None:
    event = create_tournament(NewTournament("Swiss", pairing_system="dutch", settings={"rounds": 3}), by=None)
    stage = factory.stage_of(event)
    number_in_order(stage, enter_players(event, factory.make_players(6), by=None), by=None)
    pair_next_round(stage, by=None, publish=True)
    factory.play_round(event, 1, [ONE, HALF, ONE])
    before = told(event, samples=40)
    row = pair_next_round(stage, by=None, publish=False)
    assert told(event, samples=40) == before
    publish_round(row.pk, by=None)
    to_come = swiss_to_come(facts(event))
    assert (to_come.field.round, to_come.rounds, to_come.offset) == (3, 3, 0)
    answer = told(event, samples=40)
    assert answer["method"] == "sampled"  # a small field: by the rules themselves
    assert {game["round"] for game in answer["games"]} == {2}
    assert sum(titles(answer)) == pytest.approx(1.0, abs=1e-4)
    stage.settings = {"rounds": "many"}
    assert forecast_kind(event_data(stage, NOBODY)) is None, "a number of rounds that cannot be read"
