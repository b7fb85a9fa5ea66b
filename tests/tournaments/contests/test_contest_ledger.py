"""Contests in the ledger: rated as they are recorded, refused where they are none, checked and read back."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent, Player
from players.privacy.rules import OFFICER
from players.refusals import Refused
from ratings.lists.selectors.movements import A_MONTH, biggest_movers, ratings_before
from ratings.lists.services import create_list
from ratings.models import ContestEntry, LedgerEntry, PlayerRating, RatingList
from ratings.systems.sides import GamesAndContests
from tests import factory
from tests.tournaments.contests.contest_cases import DAY, day, make_evening, play, ratings, table, the_list
from tests.tournaments.corrections.correction_cases import correct, dump, is_exact
from tournaments.contests.services import (
    ContestEnteredError,
    LateContestError,
    insert_contest,
    is_late,
    record_contest,
)
from tournaments.corrections.services.contest_changes import ContestChange
from tournaments.events.services.events import NewTournament, create_tournament, delete_tournament
from tournaments.free_play.services import record_free_game
from tournaments.models import Contest, ContestMember, Game, Tournament
from tournaments.rated_games.selectors.games import rated_contests
from tournaments.rated_games.selectors.past_games import past_games
from tournaments.rated_games.services.past_lists import known_on
from tournaments.rated_games.services.rebuilding import check_list, rebuild_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


# --- recorded --------------------------------------------------------------------------------------------------------
def test_two_against_two_one_of_them_there_for_half(tables: Tournament) -> None:
    """The printed example: parties.md 1.4, last row."""
    play(tables, "1: 1 2*0.5; 2: 3 4")
    assert ratings() == {
        1: pytest.approx((30.674785, 7.494814), abs=1e-5),
        2: pytest.approx((27.837392, 8.132134), abs=1e-5),
        3: pytest.approx((19.325215, 7.494814), abs=1e-5),
        4: pytest.approx((19.325215, 7.494814), abs=1e-5),
    }
    assert is_exact()


def test_three_newcomers_stand_where_the_printed_example_says(tables: Tournament) -> None:
    play(tables, "1: 1; 2: 2; 3: 3")
    assert ratings() == {
        1: pytest.approx((31.675352, 6.655986), abs=1e-5),
        2: pytest.approx((25.0, 6.207897), abs=1e-5),
        3: pytest.approx((18.324648, 6.655986), abs=1e-5),
    }


def test_records_count_a_contest_once_sole_first_as_won_shared_first_as_drawn(tables: Tournament) -> None:
    play(tables, "1: 1; 1: 2; 3: 3; 3: 4")
    play(tables, "1: 1 2; 2: 3 4; 3: 5 6")
    rows = PlayerRating.objects.filter(rating_list=the_list()).order_by("player__number")
    assert [(row.games, row.wins, row.draws, row.losses) for row in rows] == [
        *[(2, 1, 1, 0)] * 2,
        *[(2, 0, 0, 2)] * 2,
        *[(1, 0, 0, 1)] * 2,
    ]


def test_games_and_contests_are_rated_in_one_order(tables: Tournament) -> None:
    ada, bo = factory.first_players(2)
    play(tables, "1: 1; 2: 2; 3: 3")
    record_free_game(tables, ada, bo, Result.BLACK_WINS, DAY, by=None)
    play(tables, "1: 2; 2: 1; 3: 3")
    orders = [
        LedgerEntry.objects.get(rating_list=the_list()).order,
        *ContestEntry.objects.filter(player=ada.pk).order_by("order").values_list("order", flat=True),
    ]
    assert orders[1] < orders[0] < orders[2]
    first, last = ContestEntry.objects.filter(player=ada.pk).order_by("order")
    game = LedgerEntry.objects.get(rating_list=the_list())
    assert (first.after, game.white_after) == (game.white_before, last.before)
    assert is_exact()
    record_free_game(tables, ada, bo, Result.DRAW, day(1), by=None)
    assert [is_late(tables, day(number)) for number in (0, 1)] == [True, False]


def test_a_list_of_a_day_long_past_is_made_of_what_was_played_up_to_it(
    tables: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [play(tables, "1: 1; 2: 2; 3: 3", number) for number in range(3)]
    games = [
        record_free_game(tables, *factory.first_players(2), Result.DRAW, day(number), by=None) for number in (0, 1)
    ]
    monkeypatch.setattr("tournaments.rated_games.selectors.past_games.LONG", 0)
    found = past_games(the_list(), day(0)).games
    assert isinstance(found, GamesAndContests)
    assert [each.game for each in found.games] == [games[0].pk]
    assert [each.contest for each in found.contests] == [rows[0].pk]


def test_a_game_and_a_contest_never_share_a_place_in_time(tables: Tournament) -> None:
    ada, bo = factory.first_players(2)
    for _ in range(3):
        record_free_game(tables, ada, bo, Result.DRAW, DAY, by=None, again=True)
        record_contest(table(tables, "1: 1 2; 2: 3 4"), by=None, again=True)
    numbers = [*Game.objects.values_list("sequence", flat=True), *Contest.objects.values_list("sequence", flat=True)]
    assert len(numbers) == len(set(numbers)) == 6


def test_a_game_of_a_pool_without_contests_asks_for_none(tables: Tournament) -> None:
    play(tables, "1: 1; 2: 2; 3: 3")
    factory.make_list()
    evenings = create_tournament(NewTournament("Club evenings", pairing_system="free"), by=None)
    ada, bo = factory.first_players(2)
    record_free_game(evenings, ada, bo, Result.DRAW, DAY, by=None)
    with CaptureQueriesContext(connection) as captured:
        record_free_game(evenings, ada, bo, Result.DRAW, DAY, by=None, again=True)
    tables_asked = [
        table
        for row in captured.captured_queries
        for table in ("contestentry", "contestmember")
        if f'FROM "ratings_{table}' in row["sql"] or f'FROM "tournaments_{table}' in row["sql"]
    ]
    assert tables_asked == []


def test_the_same_table_is_one_of_its_event_and_day_that_counts(tables: Tournament) -> None:
    text = "1: 1; 2: 2; 3: 3"
    first = play(tables, text)
    play(make_evening("Other evening"), text)
    play(tables, text, day=1)
    with pytest.raises(ContestEnteredError):
        play(tables, "3: 3; 2: 2; 1: 1", day=1)
    play(tables, "1: 1; 2: 3; 3: 2", day=1)
    correct(ContestChange(first.pk, withdrawn=True), reason="duplicate")
    with pytest.raises(LateContestError):
        play(tables, text)
    Player.objects.filter(number=7).update(merged_into=Player.objects.get(number=8))
    play(tables, "1: 4; 2: 2; 3: 3", day=1)


# --- refused ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1: 1 2", "2 to 64 sides"),
        ("1: 1 2; 2:", "1 to 32 players"),
        ("1: 1 2; 2: 2 3", "twice"),
        ("1: 1; 2: 2", "enter it as a game"),
        ("1: 1; 3: 2; 4: 3", "write 1, 2, 3"),
        ("1: 1*1.5 2; 2: 3 4", "at most 1"),
        ("1=3: 1; 2=2: 2; 3=1: 3", "has no scores"),
    ],
)
def test_what_is_no_contest_is_refused_and_nothing_is_written(tables: Tournament, text: str, reason: str) -> None:
    before = dump()
    with pytest.raises(Refused, match=reason):
        play(tables, text)
    assert dump() == before


@pytest.mark.parametrize(
    ("low_wins", "text", "reason"),
    [
        (False, "1=2: 1; 2=3: 2; 3=1: 3", "contradict"),
        (True, "1=3: 1; 2=2: 2; 3=1: 3", "contradict"),
        (False, "1=3: 1; 1=2: 2; 3=1: 3", "contradict"),
        (False, "1=3: 1; 2: 2; 3=1: 3", "missing"),
        (False, "1=3: 1; 2=3: 2; 3=1: 3", ""),  # a place may break a tie of scores
        (True, "1=1: 1; 2=2: 2; 3=3: 3", ""),
    ],
)
def test_places_follow_scores(tables: Tournament, low_wins: bool, text: str, reason: str) -> None:
    Tournament.objects.filter(pk=tables.pk).update(scores="points", low_score_wins=low_wins)
    if not reason:
        assert play(tables, text).sides.count() == 3
        return
    with pytest.raises(Refused, match=reason):
        play(tables, text)


def test_a_table_belongs_into_an_event_without_rounds_and_to_nobody_merged(tables: Tournament) -> None:
    Player.objects.filter(number=3).update(merged_into=Player.objects.get(number=4))
    with pytest.raises(Refused, match="Player 3 was merged into another"):
        play(tables, "1: 1; 2: 2; 3: 3")
    cup = factory.make_round_robin(list(Player.objects.filter(number__in=(1, 2, 4))))
    with pytest.raises(Refused, match="has rounds: a free table does not belong there"):
        play(cup, "1: 1; 2: 2; 3: 4")
    assert not Contest.objects.filter(game=None).exists()


def test_a_table_of_an_event_that_is_not_rated_is_never_late(tables: Tournament) -> None:
    play(tables, "1: 1; 2: 2; 3: 3", day=7)
    unrated = make_evening("Fun evening")
    Tournament.objects.filter(pk=unrated.pk).update(rated=False)
    assert play(unrated, "1: 1; 2: 2; 3: 3", day=6).sides.count() == 3


def test_the_same_table_twice_is_asked_about_and_one_of_an_earlier_day_is_a_correction(tables: Tournament) -> None:
    play(tables, "1: 1; 2: 2; 3: 3", day=7)
    with pytest.raises(ContestEnteredError):
        play(tables, "2: 2; 1: 1; 3: 3", day=7)
    record_contest(table(tables, "1: 1; 2: 2; 3: 3", 7), by=None, again=True)
    with pytest.raises(LateContestError):
        play(tables, "1: 1; 2: 2; 3: 3", day=6)
    insert_contest(table(tables, "1: 4; 2: 2; 3: 3", 6), by=None, reason="late-report")
    assert AuditEvent.objects.get(action="contest.inserted").effect["tables"]["games"] == 3
    assert is_exact()


# --- checked and read back -------------------------------------------------------------------------------------------
def test_check_finds_a_row_that_was_changed(tables: Tournament) -> None:
    play(tables, "1: 1; 2: 2; 3: 3")
    ContestEntry.objects.filter(player=factory.first_players(1)[0].pk).update(change=0.5)
    assert ["change is 0.5" in line for line in check_list(the_list())] == [True]
    rebuild_list(the_list())
    first = ContestEntry.objects.earliest("pk")
    first.delete()
    ContestEntry.objects.bulk_create([first])
    RatingList.objects.update(has_contests=False)
    found = check_list(the_list())
    assert ["rows of contests stand in another order" in found[0], "has rows of contests: rebuild it" in found[1]] == [
        True
    ] * 2
    ContestEntry.objects.all().delete()
    assert len([line for line in check_list(the_list()) if "missing" in line]) == 3


def test_an_earlier_day_is_read_back_with_its_contests(tables: Tournament) -> None:
    play(tables, "1: 1; 2: 2; 3: 3")
    was = {row.player: row.rating for row in known_on(the_list(), day(0))}
    play(tables, "1: 3; 2: 1; 3: 4", day=1)
    assert {row.player: row.rating for row in known_on(the_list(), day(0))} == was
    ada, _bo, cid, dora = (player.pk for player in factory.first_players(4))
    assert ratings_before(the_list(), [*was, dora], day(1)) == was
    movers = biggest_movers(the_list(), OFFICER, day(0) + A_MONTH).rows
    assert {each.row.player_id: each.was for each in movers} == {ada: was[ada], cid: was[cid], dora: 25.0}


def test_a_return_after_years_counts_contests_too(tables: Tournament) -> None:
    RatingList.objects.filter(slug="tables").update(reentry_years=1, reentry_games=2)
    create_list(name="Aside", slug="aside", pool="aside", by=None, system="trueskill")
    aside = create_tournament(NewTournament("Aside", pool="aside", pairing_system="free"), by=None)
    play(aside, "1: 1; 2: 2; 3: 3", day=-500)  # of a list without such a rule
    play(tables, "1: 1; 2: 5; 3: 6", day=-1600)
    play(tables, "1: 1; 2: 2; 3: 3", day=-801)
    again = play(tables, "1: 1; 2: 2; 3: 4", day=-1)
    late = play(tables, "1: 1; 2: 2; 3: 4")
    assert dict(the_list().ratings.values_list("player__number", "reentry")) == {1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0}
    correct(ContestChange(late.pk, withdrawn=True))
    assert dict(the_list().ratings.values_list("player__number", "reentry")) == {1: 1, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0}
    correct(ContestChange(again.pk, withdrawn=True))
    assert dict(the_list().ratings.values_list("player__number", "reentry")) == {1: 1, 2: 0, 3: 0, 5: 0, 6: 0}
    assert is_exact()


def test_a_list_whose_system_rates_games_only_leaves_contests_alone(tables: Tournament) -> None:
    create_list(name="Glicko", slug="glicko", pool="tables", by=None, system="glicko2")
    play(tables, "1: 1; 2: 2; 3: 3")
    assert not ContestEntry.objects.filter(rating_list__slug="glicko").exists()
    assert is_exact()


def test_a_contest_recorded_between_the_two_questions_of_a_rebuild_is_left_for_its_catching_up(
    tables: Tournament,
) -> None:
    play(tables, "1: 1; 2: 2; 3: 3")
    seen = [row.contest for row in rated_contests("tables")]
    play(tables, "1: 1; 2: 2; 3: 4")
    ContestMember.objects.exclude(contest__in=seen).delete()  # what the first question did not see
    assert [row.contest for row in rated_contests("tables")] == seen


def test_an_event_with_tables_stays(tables: Tournament) -> None:
    row = play(tables, "1: 1; 2: 2; 3: 3")
    for withdrawn in (False, True):
        Contest.objects.filter(pk=row.pk).update(withdrawn=withdrawn)
        with pytest.raises(Refused, match="has tables"):
            delete_tournament(tables.pk, by=None)
