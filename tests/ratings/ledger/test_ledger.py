"""The ledger equals a fresh replay: after every result, every correction, in any order."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent
from players.refusals import Refused, Stale
from ratings.ledger.services.ledger import rate_from
from ratings.lists.services import BEGINNING, NewRule, NewStart, change_list, set_rules, starts_of
from ratings.models import LedgerEntry, PlayerRating, RatingList, RatingListRule, RatingStep, StartingRating
from ratings.systems.base import Moment, PlayedGame
from tests import factory
from tests.choosing import everything
from tournaments.events.services.events import update_tournament
from tournaments.models import Game
from tournaments.rated_games.services.people import bring_starting_ratings, change_player, drop_starting_rating
from tournaments.rated_games.services.rebuilding import check_list, rebuild_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db

DAY = factory.MONDAY


def test_one_row_per_game_holds_both_sides_and_the_database_refuses_a_second(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(2))
    game = factory.play_round(cup, 1, [Result.WHITE_WINS])[0]
    row = LedgerEntry.objects.get()
    assert row.game_id == game.pk
    assert (row.white_before, row.white_k, row.white_expected, row.white_after) == (1500, 40, 0.5, 1520)
    assert (row.black_before, row.black_k, row.black_expected, row.black_after) == (1500, 40, 0.5, 1480)
    assert row.score == 1.0
    row.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save()


def test_what_was_not_played_for_points_is_not_rated(standard: RatingList) -> None:
    players = factory.make_players(2)
    for result in (Result.WHITE_FORFEITS, Result.BOTH_FORFEIT, Result.NO_POINTS, Result.DRAW_UNRATED):
        factory.play_round(factory.make_round_robin(players, name=result.name), 1, [result])
        assert not LedgerEntry.objects.exists(), result
        assert not PlayerRating.objects.exists(), result


def test_a_bye_and_an_unrated_event_are_not_rated(standard: RatingList) -> None:
    players = factory.make_players(3)
    unrated = factory.make_round_robin(players[:2], name="For fun")
    type(unrated).objects.update(rated=False)
    factory.play_round(unrated, 1, [Result.WHITE_WINS])
    assert not LedgerEntry.objects.exists()
    assert check_list(standard) == []
    factory.play_round(factory.make_round_robin(players), 1, [Result.WHITE_WINS])
    assert (LedgerEntry.objects.count(), PlayerRating.objects.count()) == (1, 2)


def test_a_player_is_ranked_after_the_thirtieth_game_and_not_before(standard: RatingList) -> None:
    standard.provisional_games = 2
    standard.save()
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_round(cup, 1, [Result.DRAW] * 2)
    assert not PlayerRating.objects.filter(ranked=True).exists()
    factory.play_round(cup, 2, [Result.DRAW] * 2)
    assert PlayerRating.objects.filter(ranked=True).count() == 4


def test_an_inactive_player_leaves_the_places_and_keeps_the_points(standard: RatingList) -> None:
    standard.provisional_games = 1
    standard.save()
    ada, bo = factory.make_players(2)
    factory.play_round(factory.make_round_robin([ada, bo]), 1, [Result.WHITE_WINS])
    aside = factory.make_list("aside", pool="rapid", primary=False)
    change_player(ada.pk, {"active": False}, by=None)
    assert RatingList.objects.get(pk=aside.pk).revision == aside.revision, "nothing moved there"
    row = PlayerRating.objects.get(player=ada)
    assert (row.ranked, row.rating) == (False, 1520)
    change_player(ada.pk, {"active": True}, by=None)
    assert PlayerRating.objects.get(player=ada).ranked


def test_games_of_a_running_event_count_in_nobodys_record_before_it_is_over(standard: RatingList) -> None:
    set_rules(standard, [NewRule(BEGINNING, "elo", {"period": "event"})], by=None)
    players = factory.make_players(4)
    bring_starting_ratings(standard, [NewStart(each.pk, DAY, 1500, 40) for each in players], by=None)
    cup = factory.make_round_robin(players)
    factory.play_all(cup, Result.WHITE_WINS)
    assert check_list(standard) == []
    assert not PlayerRating.objects.exclude(wins=0, draws=0, losses=0).exists()


def test_a_cleared_result_leaves_no_trace_in_the_ratings(standard: RatingList) -> None:
    players, aside = factory.make_players(2), factory.make_list("aside", pool="rapid", primary=False)
    bring_starting_ratings(aside, [NewStart(each.pk, DAY, 1500) for each in players], by=None)
    game = factory.play_round(factory.make_round_robin(players), 1, [Result.WHITE_WINS])[0]
    correct_result(game=game.pk, result=Result.OPEN, by=None)
    assert not LedgerEntry.objects.exists()
    assert [row.rating_list for row in PlayerRating.objects.all()] == [aside, aside], "of another list nobody is gone"
    again = record_result(game=game.pk, result=Result.DRAW, played_on=DAY, by=None)
    assert again.sequence == game.sequence, "the place in the order of replay is given once"


def test_a_return_taken_back_leaves_what_was_left_of_the_one_before(standard: RatingList) -> None:
    change_list(standard, {"reentry_years": 1, "reentry_games": 3}, by=None)
    factory.make_list("aside", pool="rapid", primary=False)
    ada, bo, cid, dora = factory.make_players(4)
    played = {}
    pairs = {-1600: (ada, bo), -801: (ada, bo), -790: (cid, bo), -700: (cid, dora), -600: (ada, bo), -1: (ada, bo)}
    for ago, pair in pairs.items():
        event = factory.make_round_robin(pair, name=f"Day {ago}", first_day=DAY + timedelta(days=ago))
        if ago == -600:  # of a list without such a rule
            update_tournament(event.pk, {"pool": "rapid"}, by=None)
        played[ago] = factory.play_round(event, 1, [Result.DRAW])[0]
    given_up = LedgerEntry.objects.get(game=played[-700])
    given_up.pk, given_up.generation, given_up.white_player, given_up.black_player = None, 9, ada.pk, bo.pk
    given_up.save(force_insert=True)
    left = standard.ratings.order_by("player__number").values_list("reentry", flat=True)
    assert list(left.all()) == [2, 2, 0, 0]
    correct_result(game=played[-1].pk, result=Result.OPEN, by=None)
    assert list(left.all()) == [2, 1, 0, 0]
    LedgerEntry.objects.filter(generation=9).delete()
    standard.refresh_from_db()
    assert check_list(standard) == []


def test_what_was_read_while_the_list_was_rated_is_given_up(standard: RatingList) -> None:
    def meanwhile() -> Iterator[PlayedGame]:
        RatingList.objects.update(revision=F("revision") + 1)
        yield from ()

    factory.play_round(factory.make_round_robin(factory.make_players(2)), 1, [Result.DRAW])
    assert rate_from(standard, Moment(DAY), []) is not None
    assert rate_from(standard, Moment(DAY), meanwhile()) is None


def test_a_back_dated_result_is_rated_in_its_place(standard: RatingList, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.ledger.services.rows.KEYS_AT_ONCE", 1)
    ada, bo = factory.make_players(2)
    late = factory.make_round_robin([ada, bo], name="Late", first_day=DAY + timedelta(days=9))
    factory.play_round(late, 1, [Result.WHITE_WINS])
    early = factory.make_round_robin([ada, bo], name="Early")
    factory.play_round(early, 1, [Result.WHITE_WINS])
    days = LedgerEntry.objects.order_by("id").values_list("game__played_on", flat=True)
    assert list(days) == sorted(days)
    assert check_list(standard) == []


def test_a_game_that_scales_all_ratings_moves_those_who_did_not_play_it(standard: RatingList) -> None:
    set_rules(standard, [NewRule(BEGINNING, "solo-zerg", {"normalise_above": 1150})], by=None)
    *both, cid, dora = factory.make_players(4)
    for day, pair in ((0, both), (1, [cid, dora]), (7, both)):
        event = factory.make_round_robin(pair, name=f"Day {day}", first_day=DAY + timedelta(days=day))
        factory.play_round(event, 1, [Result.WHITE_WINS])
    assert PlayerRating.objects.get(player=cid).rating == 1000, "1100 × ¾, but not below the floor"
    assert check_list(standard) == []


@pytest.mark.extended
def test_any_order_of_entries_and_corrections_equals_the_fresh_replay(standard: RatingList) -> None:
    rng = Random(2026)
    size, times = (7, 150) if everything() else (5, 60)
    players = factory.make_players(size)
    starts = [NewStart(players[0].pk, DAY, 2399, 50), NewStart(players[1].pk, DAY + timedelta(days=20), 2000, 5)]
    bring_starting_ratings(standard, starts, by=None)
    cup = factory.make_round_robin(players, cycles=2)
    games = list(Game.objects.filter(tournament=cup))
    for _ in range(times):
        _shake(rng, Game.objects.get(pk=rng.choice(games).pk))
        assert check_list(standard) == []
    stored = list(PlayerRating.objects.order_by("player_id").values_list("rating", "games", "reached_order", "peak"))
    rebuild_list(standard)
    assert stored == list(
        PlayerRating.objects.order_by("player_id").values_list("rating", "games", "reached_order", "peak")
    )


def _shake(rng: Random, game: Game) -> None:
    result = rng.choice(list(Result))
    day = DAY + timedelta(days=rng.randint(0, 60))
    try:
        if game.result:
            correct_result(game=game.pk, result=result, by=None, played_on=rng.choice([None, day]))
        else:
            record_result(game=game.pk, result=result, played_on=day, by=None)
    except Refused:
        assert not result or result == game.result


def test_a_starting_rating_entered_later_re_rates_what_came_after_it(standard: RatingList) -> None:
    ada, bo = factory.make_players(2)
    factory.play_all(factory.make_round_robin([ada, bo], cycles=2), Result.WHITE_WINS)
    others = factory.make_list("rapid", pool="rapid", primary=False)
    bring_starting_ratings(others, [NewStart(ada.pk, DAY, 1111)], by=None)
    bring_starting_ratings(standard, [NewStart(ada.pk, DAY, 1900, 40)], by=None)
    assert PlayerRating.objects.get(player=ada, rating_list=standard).games == 42
    assert RatingStep.objects.get(rating_list=standard).after == 1900
    assert check_list(standard) == []
    bring_starting_ratings(standard, [NewStart(ada.pk, DAY, 1800, 40)], by=None)
    assert LedgerEntry.objects.order_by("id")[0].white_before == 1800
    assert StartingRating.objects.get(rating_list=others).rating == 1111
    assert check_list(standard) == check_list(others) == []
    later = Game.objects.order_by("-sequence")[0]
    correct_result(game=later.pk, result=Result.DRAW, played_on=DAY, by=None)
    assert check_list(standard) == [], "a rating of the day comes before its first game alone"


def test_a_starting_rating_alone_puts_a_player_into_the_list(standard: RatingList) -> None:
    ada, bo = factory.make_players(2)
    bring_starting_ratings(standard, [NewStart(ada.pk, DAY, 1712, 64, peak=1790)], by=None)
    row = PlayerRating.objects.get()
    assert (row.rating, row.games, row.peak, row.ranked) == (1712, 64, 1790, True)
    bounds = [NewStart(ada.pk, factory.today(), 0), NewStart(bo.pk, factory.today(), 4000)]
    bring_starting_ratings(standard, bounds, by=None, reason="late-report")
    assert list(PlayerRating.objects.order_by("player").values_list("rating", flat=True)) == [0, 4000]
    effects = AuditEvent.objects.filter(reason="late-report").order_by("pk").values_list("effect", flat=True)
    assert [bool(effect) for effect in effects] == [True, False], "of both together, so it stands once"


def test_a_rating_of_the_future_and_a_stale_one_are_refused(standard: RatingList) -> None:
    (ada,) = factory.make_players(1)
    with pytest.raises(Refused, match="lies in the future"):
        bring_starting_ratings(standard, [NewStart(ada.pk, date(2999, 1, 1), 3000)], by=None)
    for rating in (-1, 4001):
        with pytest.raises(Refused, match=f"A rating of {rating} is not plausible: write one from 0 to 4000"):
            bring_starting_ratings(standard, [NewStart(ada.pk, DAY, 1500), NewStart(ada.pk, DAY, rating)], by=None)
    assert not PlayerRating.objects.exists()
    bring_starting_ratings(standard, [NewStart(ada.pk, DAY, 1700, 40)], by=None)
    bring_starting_ratings(standard, [NewStart(ada.pk, DAY, 1750, 40, revision=0)], by=None)
    with pytest.raises(Stale, match="Somebody else"):
        bring_starting_ratings(standard, [NewStart(ada.pk, DAY, 1800, 40, revision=0)], by=None)
    assert PlayerRating.objects.get().rating == 1750


def test_a_starting_rating_taken_back_leaves_no_trace(standard: RatingList) -> None:
    ada, bo = factory.make_players(2)
    bring_starting_ratings(standard, [NewStart(ada.pk, DAY, 1900, 40)], by=None)
    factory.play_round(factory.make_round_robin([ada, bo]), 1, [Result.DRAW])
    drop_starting_rating(StartingRating.objects.get().pk, by=None)
    was = {"player": ada.pk, "on": "2026-01-05", "rating": 1900, "games": 40}
    assert AuditEvent.objects.get(action="starting-rating.removed").before == was
    assert LedgerEntry.objects.get().white_before == 1500
    assert not RatingStep.objects.exists()
    assert check_list(standard) == []


@pytest.mark.extended
def test_an_event_with_games_of_two_pools_leaves_both_lists_right(standard: RatingList) -> None:
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_all(cup, Result.WHITE_WINS)
    Game.objects.filter(tournament=cup, pairing__board=2).update(pool="rapid")
    for rating_list in (standard, rapid):
        rebuild_list(rating_list)
    for change in ({"rated": False}, {"rated": True}, {"pool": "rapid"}, {"starts_on": date(2025, 12, 1)}):
        update_tournament(cup.pk, change, by=None)
        assert check_list(standard) == check_list(rapid) == []


def test_a_new_birth_year_re_rates_with_the_juniors_k(standard: RatingList) -> None:
    ada, bo = factory.make_players(2)
    bring_starting_ratings(standard, [NewStart(p.pk, DAY, 1500, 40) for p in (ada, bo)], by=None)
    factory.play_round(factory.make_round_robin([ada, bo]), 1, [Result.WHITE_WINS])
    assert PlayerRating.objects.get(player=ada).rating == 1510
    change_player(ada.pk, {"birth_year": 2012}, by=None)
    assert PlayerRating.objects.get(player=ada).rating == 1520
    assert check_list(standard) == []


def test_a_rule_adopted_later_rewrites_nothing_before_its_date(standard: RatingList) -> None:
    ada, bo = factory.make_players(2)
    factory.play_round(factory.make_round_robin([ada, bo]), 1, [Result.WHITE_WINS])
    later = factory.make_round_robin([ada, bo], name="Later", first_day=date(2026, 6, 1))
    RatingListRule.objects.create(rating_list=standard, valid_from=date(2026, 5, 1), settings={"scale": 200})
    rebuild_list(standard)
    assert LedgerEntry.objects.get().white_after == 1520
    factory.play_round(later, 1, [Result.DRAW])
    assert LedgerEntry.objects.order_by("-id")[0].white_expected == pytest.approx(1 / (1 + 10 ** (-40 / 200)))


def test_check_names_what_was_tampered_with_and_a_rebuild_is_the_next_generation(standard: RatingList) -> None:
    bring_starting_ratings(standard, [NewStart(factory.make_players(3)[2].pk, DAY, 1700, 40)], by=None)
    PlayerRating.objects.update(deviation=77)
    RatingStep.objects.update(factor=2)
    assert len(check_list(standard)) == 2, "every column is looked at"
    rebuild_list(standard)
    cup = factory.make_round_robin(factory.first_players(2))
    game = factory.play_round(cup, 1, [Result.WHITE_WINS])[0]
    LedgerEntry.objects.update(white_after=1999)
    PlayerRating.objects.filter(player=game.black).update(rating=1)
    found = check_list(standard)
    assert any(f"game {game.pk}: white_after is 1999" in line for line in found)
    assert any("player 2: rating is 1.0, a replay gives 1480.0" in line for line in found)
    rebuild_list(standard)
    assert check_list(standard) == []
    standard.refresh_from_db()
    assert standard.live_generation == 3
    assert set(LedgerEntry.objects.values_list("generation", flat=True)) == {3}


def test_check_sees_missing_and_surplus_rows_and_wrong_order(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    games = factory.play_round(cup, 1, [Result.WHITE_WINS, Result.WHITE_WINS])
    Game.objects.filter(pk=games[0].pk).update(result=Result.WHITE_FORFEITS)
    assert any("stored, a replay does not have it" in line for line in check_list(standard))
    Game.objects.filter(pk=games[0].pk).update(result=Result.WHITE_WINS)
    assert check_list(standard) == []
    first = LedgerEntry.objects.earliest("pk")
    first.delete()
    LedgerEntry.objects.bulk_create([first])
    assert check_list(standard) == ["the ledger's rows stand in another order than the games were played"]
    LedgerEntry.objects.filter(game=games[0]).delete()
    assert any("missing, a replay has it" in line for line in check_list(standard))


@pytest.mark.extended
def test_one_new_result_costs_the_same_whatever_the_history(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(6), cycles=2)
    games = list(Game.objects.filter(tournament=cup).order_by("pairing__round__number", "pairing__board"))
    costs = []
    for number, game in enumerate(games):
        with CaptureQueriesContext(connection) as queries:
            record_result(game=game.pk, result=Result.DRAW, played_on=DAY + timedelta(days=number), by=None)
        costs.append(len(queries))
    assert max(costs[5:]) == min(costs[5:])
    assert costs[-1] <= 31  # one asks whether any program wants to know


def test_two_lists_rate_the_same_pool_side_by_side(standard: RatingList) -> None:
    other = factory.make_list("second", primary=False)
    cup = factory.make_round_robin(factory.make_players(2))
    factory.play_round(cup, 1, [Result.WHITE_WINS])
    assert set(LedgerEntry.objects.values_list("rating_list_id", flat=True)) == {standard.pk, other.pk}
    assert check_list(other) == check_list(standard) == []


def test_the_list_is_another_once_somebody_leaves_its_places(standard: RatingList) -> None:
    """Pages that are kept and copies of a list go by its revision."""
    ada, bo = factory.make_players(2)
    PlayerRating.objects.create(
        rating_list=standard, player=ada, rating=1500, games=99, wins=0, draws=0, losses=0, peak=1500,
        reached_order=0, ranked=True,
    )  # fmt: skip
    before = RatingList.objects.get().revision
    for player, rises in ((bo, 0), (ada, 1)):
        change_player(player.pk, {"active": False}, by=None)
        assert RatingList.objects.get().revision - before == rises
    assert not PlayerRating.objects.get().ranked


def test_starts_from_a_moment_on_are_those_of_its_day_only_before_its_games(standard: RatingList) -> None:
    days = [factory.MONDAY + timedelta(days=day) for day in range(3)]
    people = factory.make_players(3)
    starts = [NewStart(person.pk, day, 1500, 40) for person, day in zip(people, days, strict=True)]
    bring_starting_ratings(standard, starts, by=None)
    for since, expected in ((None, days), (Moment(days[1]), days[1:]), (Moment(days[1], 7), days[2:])):
        assert [start.on for start in starts_of(standard, since)] == expected
