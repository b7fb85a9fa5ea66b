"""Corrections of a round's boards: who sat there, and results on each other's board; ledger and preview agree."""

import pytest

from players.models import AuditEvent
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.corrections.correction_cases import correct, dump, same
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.corrections.admin.corrections import stays_paired
from tournaments.corrections.services.board_changes import exchange_results, pair_of, take_seats
from tournaments.corrections.services.changes import ResultsExchanged, SeatsTaken
from tournaments.corrections.services.corrections import commit, preview, undo_of
from tournaments.models import ByeKind, Entry, Game, Round, Seat, Stage
from tournaments.presence.services import request_bye
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
W, D, B, OPEN = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.OPEN


@pytest.fixture(scope="module")
def swiss(world: None) -> Stage:
    """Nine players, three rounds; the last to be corrected is round 2, with one absent."""
    factory.make_club()
    factory.make_list()
    stage = make_swiss(factory.make_players(9), rounds=4)
    play_rounds(stage, 1, W)
    request_bye(Entry.objects.get(number=4).pk, 2, "zero", by=None)
    play_rounds(stage, 1, W)
    return stage


def games(number: int = 2) -> list[Game]:
    rows = Game.objects.filter(pairing__round__number=number)
    return list(rows.select_related("white", "black", "pairing__stage").order_by("pairing__board"))


def people(number: int = 2) -> list[tuple[int, int]]:
    return [tuple(pair_of(game)) for game in games(number)]  # type: ignore[misc]


def exact() -> bool:
    return all(check_list(row) == [] for row in RatingList.objects.all())


def test_others_sat_there_and_whoever_was_seated_gets_their_places(swiss: Stage) -> None:
    (a, b), (c, d) = people()[:2]
    (e, f), g = people(1)[0], people(1)[1]
    absent, bye = Entry.objects.get(number=4).pk, Seat.objects.get(pairing__bye=ByeKind.ALLOCATED).entry_id
    for number, pair, now in (
        (2, (a, d), [(a, d), (c, b)]),
        (2, (c, b), [(c, b), (a, d)]),
        (2, (c, d), [(c, d), (a, b)]),
        (2, (a, absent), [(a, absent), (c, d)]),
        (1, (bye, f), [(bye, f), g]),
        (1, (e, g[0]), [(e, g[0]), (f, g[1])]),
    ):
        was, results = people(number), [game.result for game in games(number)]
        change = SeatsTaken(games(number)[0].pk, *pair)
        before = dump()
        shown = preview(change, by=None)
        assert dump() == before, "a preview leaves nothing behind"
        assert same(shown, commit(change, shown.seen, reason="wrong-player", by=None))
        assert people(number) == [*now, *was[2:]]
        assert [game.result for game in games(number)] == results, "each board keeps its result"
        assert exact(), "the ledger equals a fresh replay"
        undo = undo_of(AuditEvent.objects.filter(action="seats.exchanged", before__has_key="seats")[0])
        assert undo is not None
        correct(undo)
        assert people(number) == was
        assert exact()
    beside = AuditEvent.objects.filter(action="seats.exchanged").exclude(before__has_key="seats")
    assert {bool(event.effect) for event in beside} == {False}, "what moved is told once, at the board asked for"


def test_who_cannot_have_sat_there_is_refused_with_a_remedy(swiss: Stage) -> None:
    (a, b), (c, _d) = people()[:2]
    game, before = games()[0].pk, dump()
    elsewhere = Entry.objects.exclude(tournament=swiss.tournament).first()
    for white, black, words in (
        (a, b, "sit at this board already"),
        (b, a, "Exchange the colours"),
        (b, c, "Exchange the colours"),
        (c, a, "Exchange the colours"),
        (c, c, "two different players"),
        (a, elsewhere.pk if elsewhere else 999_999, "Choose somebody who is in this round"),
    ):
        with pytest.raises(Refused, match=words):
            take_seats(game=game, white=white, black=black, by=None, reason="other")
    assert dump() == before
    gone = Entry.objects.filter(pk=c)
    gone.update(withdrawn=True)
    with pytest.raises(Refused, match="Choose somebody who is in this round"):
        take_seats(game=game, white=c, black=b, by=None, reason="other")
    gone.update(withdrawn=False)
    draft = pair_next_round(swiss, by=None)
    (a, _b), (c, d) = people(3)[:2]
    with pytest.raises(Refused, match="a draft"):
        take_seats(game=games(3)[0].pk, white=a, black=d, by=None, reason="other")
    Round.objects.filter(pk=draft.pk).update(state="published")
    assert take_seats(game=games(3)[0].pk, white=a, black=d, by=None, reason="other").black_id
    assert people(3)[0] == (a, d), "boards without a result are mended too"
    assert people(3)[1][0] == c
    robin = factory.make_round_robin(factory.first_players(4))
    with pytest.raises(Refused, match="only colours"):
        take_seats(game=robin.games.all()[0].pk, white=1, black=2, by=None, reason="other")


def test_results_entered_on_each_others_board_and_on_an_open_one(swiss: Stage) -> None:
    one, other, *draws = games()
    correct(ResultsExchanged(one.pk, other.pk, mirror=True))
    assert [game.result for game in games()[:2]] == [D, B], "White won, seen from the other side"
    correct(ResultsExchanged(one.pk, other.pk))
    assert [game.result for game in games()[:2]] == [B, D]
    assert stays_paired([one, games(1)[0]]) == stays_paired([games(1)[0]]) != [], "paired from the earlier one"
    with pytest.raises(Refused, match="both boards have this result"):
        exchange_results(game=draws[0].pk, other=draws[1].pk, mirror=False, by=None, reason="other")
    pair_next_round(swiss, by=None, publish=True, day=factory.MONDAY)
    there = games(3)[0]
    change = ResultsExchanged(one.pk, there.pk)
    before = dump()
    shown = preview(change, by=None)
    assert dump() == before
    assert same(shown, commit(change, shown.seen, reason="entry-error", by=None))
    one.refresh_from_db()
    there.refresh_from_db()
    assert (one.result, there.result, there.played_on) == (OPEN, B, one.played_on)
    assert exact()
    correct(ResultsExchanged(one.pk, there.pk))
    assert [game.result for game in (games()[0], games(3)[0])] == [B, OPEN], "and back"
    assert exact()
