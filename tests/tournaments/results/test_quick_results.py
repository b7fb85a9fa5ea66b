"""A slip of the key put right at once: what may be replaced without a preview, and what rests on a result."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent
from players.refusals import Refused, Stale
from ratings.models import PublishedList, RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.rounds.round_cases import make_league, play
from tournaments.models import Entry, Game, Pairing, Round, Stage, StageEntry, Tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services import quick as quick_results
from tournaments.results.services.quick import NeedsPreviewError, change_quickly, what_rests_on
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]


standard = club_and_list


@pytest.fixture(scope="module", autouse=True)
def cup(standard: RatingList) -> Tournament:
    """Four players, all rounds known; the first is played today."""
    return factory.make_round_robin(factory.make_players(4), first_day=factory.today())


@pytest.fixture
def game(cup: Tournament) -> Game:
    """Board 1 of round 1, a draw so far."""
    return entered(cup, 1, 1, Result.DRAW)


def entered(tournament: Tournament, number: int, board: int, result: Result) -> Game:
    pairing = Pairing.objects.get(round=factory.round_of(tournament, number), board=board, superseded=False)
    row = Game.objects.filter(pairing=pairing, result="").latest("number")
    return record_result(game=row.pk, result=result, played_on=factory.today(), by=None)


def now(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def change(game: Game, result: Result) -> Game:
    return change_quickly(game=game.pk, result=result, by=None, revision=now(game).revision)


def test_a_result_on_which_nothing_rests_is_replaced_cleared_and_rated_anew(game: Game, standard: RatingList) -> None:
    yesterday = factory.today() - timedelta(days=1)
    other = Game.objects.get(pairing__round=game.pairing.round, pairing__board=2)
    record_result(game=other.pk, result=Result.DRAW, played_on=yesterday, by=None)
    publish_list(standard, yesterday, by=None)
    assert not what_rests_on(game), "a list of the day before is without this result"
    assert change(game, Result.WHITE_WINS).result == "1-0"
    assert check_list(standard) == []
    event = AuditEvent.objects.filter(action="result.corrected").get()
    assert (event.before["result"], event.after["result"], event.reason) == ("1/2", "1-0", "entry-error")
    change(game, Result.OPEN)
    assert now(game).result == ""
    row = record_result(game=game.pk, result=Result.BLACK_WINS, played_on=factory.today(), by=None)
    assert row.result == "0-1"
    assert check_list(standard) == []


def test_the_day_before_yesterday_and_the_next_part_filled_from_the_result_stop_it(game: Game) -> None:
    game.played_on = factory.today() - timedelta(days=1)
    assert not what_rests_on(game)
    game.played_on -= timedelta(days=1)
    assert "today and yesterday" in what_rests_on(game)
    stage = game.pairing.stage
    final = Stage.objects.create(tournament=stage.tournament, order=2, part=2, takes_everybody=False)
    assert not what_rests_on(now(game))
    StageEntry.objects.create(stage=final, entry=Entry.objects.all()[0], number=1)
    assert "next part of the event" in what_rests_on(now(game))


def test_a_stale_keystroke_a_game_that_is_gone_and_the_same_again_change_nothing(game: Game) -> None:
    with pytest.raises(Stale, match="Somebody else entered ½–½"):
        change_quickly(game=game.pk, result=Result.WHITE_WINS, by=None, revision=game.revision - 1)
    with pytest.raises(Stale, match="not there any more"):
        change_quickly(game=987654, result=Result.DRAW, by=None, revision=0)
    with pytest.raises(Refused, match="Nothing was changed"):
        change(game, Result.DRAW)
    assert now(game).result == "1/2"


def test_what_happens_elsewhere_stops_nothing(game: Game) -> None:
    four = factory.first_players(4)
    other = factory.make_round_robin(four, name="Other", first_day=factory.today())
    entered(other, 2, 1, Result.DRAW)
    match = factory.make_knockout(four[:2], first_day=factory.today(), games=2, name="Match")
    for result in (Result.WHITE_WINS, Result.DRAW):
        entered(match, 1, 1, result)
    final = Stage.objects.create(tournament=other, order=2, part=2, takes_everybody=False)
    StageEntry.objects.create(stage=final, entry=other.entries.all()[0], number=1)
    StageEntry.objects.create(stage=game.pairing.stage, entry=game.tournament.entries.all()[0], number=1)
    game.played_on = factory.today() - timedelta(days=1)
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    PublishedList.objects.create(rating_list=rapid, on=factory.today(), settings={}, digest="")
    assert not what_rests_on(game)


def unpublished(game: Game) -> None:
    Round.objects.filter(pk=game.pairing.round_id).update(state=Round.State.DRAFT)


def over(game: Game) -> None:
    Tournament.objects.filter(pk=game.tournament_id).update(closed=True)


def next_round_begun(game: Game) -> None:
    second = entered(game.tournament, 2, 1, Result.DRAW)
    assert not what_rests_on(second), "an earlier round with results stops nothing"


def list_published(game: Game) -> None:
    yesterday = factory.today() - timedelta(days=1)
    correct_result(game=game.pk, result=Result.DRAW, played_on=yesterday, by=None)
    publish_list(RatingList.objects.get(), yesterday, by=None)


@pytest.mark.parametrize(
    ("happened", "words"),
    [
        (unpublished, "no round that is being played"),
        (over, "The event is over"),
        (next_round_begun, "Round 2 has results already"),
        (list_published, "was published"),
    ],
)
def test_what_rests_on_a_result_leads_to_its_preview(game: Game, happened: Callable[[Game], None], words: str) -> None:
    assert not what_rests_on(now(game))
    happened(game)
    with pytest.raises(NeedsPreviewError, match=words) as refusal:
        change(game, Result.WHITE_WINS)
    assert "look first at what another result would move" in str(refusal.value)
    assert now(game).result == "1/2"


def test_a_round_paired_from_the_result_stops_it_even_as_a_draft(standard: RatingList) -> None:
    stage = make_league(4, system="keizer")
    row = pair_next_round(stage, by=None, publish=True, day=factory.today())
    play(row, Result.DRAW, Result.DRAW)
    game = Game.objects.filter(pairing__round=row).order_by("pk")[0]
    Game.objects.filter(pairing__round=row).update(played_on=factory.today())
    assert not what_rests_on(now(game))
    pair_next_round(stage, by=None)
    assert what_rests_on(now(game)) == "Round 2 was paired from this result."


def test_an_armageddon_game_that_was_played_after_a_draw_stops_it(cup: Tournament) -> None:
    Tournament.objects.filter(pk=cup.pk).update(point_system="armageddon")
    game = entered(cup, 1, 1, Result.DRAW)
    assert not what_rests_on(now(game))
    entered(cup, 1, 1, Result.WHITE_WINS)
    assert what_rests_on(now(game)) == "A later game of this board was played."


def test_many_games_rated_since_stop_it_but_in_an_unrated_event(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_results, "SHORT_TAIL", 1)
    assert not what_rests_on(game), "the game itself is the only one"
    second = entered(game.tournament, 1, 2, Result.DRAW)
    assert what_rests_on(game) == "Many games were rated after this one."
    assert not what_rests_on(second)
    game.tournament.rated = False
    assert not what_rests_on(game)


def test_on_a_game_of_a_match_rests_what_was_played_after_it_there_and_behind_it(standard: RatingList) -> None:
    cup = factory.make_knockout(factory.first_players(4), first_day=factory.today(), name="Bracket")
    match = factory.make_knockout(factory.first_players(2), first_day=factory.today(), games=2, name="Match")
    first, second = (entered(event, 1, 1, Result.WHITE_WINS) for event in (cup, match))
    assert [what_rests_on(now(game)) for game in (first, second)] == ["", ""]
    Pairing.objects.filter(pk=factory.match_of(cup, 2, 1).pk).update(ruled=True)
    entered(match, 1, 1, Result.DRAW)
    assert {what_rests_on(now(game)) for game in (first, second)} == {"A later game of the bracket was played."}


@pytest.mark.extended
def test_in_a_knockout_only_the_matches_behind_it_count(standard: RatingList) -> None:
    cup = factory.make_knockout(factory.make_players(8), first_day=factory.today())
    semi = factory.match_of(cup, 2, 1)
    mine, other = Pairing.objects.filter(winner_to=semi).order_by("board")
    elsewhere = Pairing.objects.filter(stage=semi.stage, round__number=1).exclude(winner_to=semi).order_by("board")
    games = [
        record_result(game=row.games.get().pk, result=Result.WHITE_WINS, played_on=factory.today(), by=None)
        for row in (mine, other, *elsewhere)
    ]
    entered(cup, 2, 2, Result.WHITE_WINS)
    assert not what_rests_on(now(games[0])), "the other half of the bracket may play on"
    assert what_rests_on(now(games[2]))
    changed = change(games[0], Result.BLACK_WINS)
    assert any(changed.black_id in (game.white_id, game.black_id) for game in semi.games.all())
    entered(cup, 2, 1, Result.WHITE_WINS)
    assert what_rests_on(now(games[0])) == "A later game of the bracket was played."
    assert check_list(standard) == []
    match = factory.make_knockout(factory.make_players(2), first_day=factory.today(), games=2, name="Match")
    first = entered(match, 1, 1, Result.WHITE_WINS)
    assert not what_rests_on(now(first))
    entered(match, 1, 1, Result.DRAW)
    assert what_rests_on(now(first)), "a later game of the same match"


@pytest.mark.extended
def test_asking_costs_as_much_for_ten_boards_as_for_two(cup: Tournament, game: Game, standard: RatingList) -> None:
    large = factory.make_round_robin(factory.make_players(20), name="Large", first_day=factory.today())
    counts = []
    for row in (game, entered(large, 1, 1, Result.DRAW)):
        with CaptureQueriesContext(connection) as queries:
            change(row, Result.WHITE_WINS)
        counts.append(len(queries))
    assert counts[0] == counts[1]
