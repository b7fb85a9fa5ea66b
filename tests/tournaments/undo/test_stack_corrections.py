"""Corrections, redrawn brackets and games without a round, taken back as steps: everything is as it was before each,
and another event of the same deeds stays as it is."""

from collections.abc import Callable
from datetime import time
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from players.models import Player
from players.trail.services import write_audit
from ratings.models import RatingList
from ratings.systems.base import Handicap
from tests import factory
from tests.desk_scene import client_of
from tests.tournaments.admin_pages import carried_out
from tests.tournaments.undo import undo_cases
from tests.tournaments.undo.test_stack import image, newest, rewind
from tests.tournaments.undo.undo_cases import facts, facts_beside
from tournaments.corrections.services.board_changes import exchange_results, pair_of, take_seats
from tournaments.corrections.services.game_changes import ForgottenGame, insert_game, swap_colours
from tournaments.entries.services.late import enter_late
from tournaments.entries.services.numbering import renumber_by_rating
from tournaments.entries.services.prohibited import prohibit
from tournaments.events.services.events import open_event
from tournaments.free_play.services import record_free_game
from tournaments.knockouts.services.brackets import redraw_bracket
from tournaments.models import Footnote, Game, Tournament
from tournaments.presence.services import check_in, request_bye
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.footnotes import note_result
from tournaments.results.services.handicap import set_handicap
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.rounds import plan_round, publish_round
from tournaments.standings.points import Result
from tournaments.undo.services.stack import last_steps, preview
from tournaments.withdrawals.services.withdrawals import return_entry, withdraw_entry

pytestmark = pytest.mark.django_db
cast = undo_cases.cast
Deed = Callable[[Tournament], object]
DAY = factory.MONDAY


def games(event: Tournament, **wanted: object) -> list[Game]:
    return list(Game.objects.filter(tournament=event, pairing__superseded=False, **wanted).order_by("pk"))


def play(result: Result, at: int = 0) -> Deed:
    return lambda event: record_result(game=games(event, result="")[at].pk, result=result, played_on=DAY, by=None)


def correct(result: Result, at: int = 0) -> Deed:
    return lambda event: correct_result(game=games(event)[at].pk, result=result, by=None)


def stones(count: int) -> Deed:
    return lambda event: set_handicap(game=games(event)[0].pk, given=Handicap(count, 0.5), by=None, reason="other")


def seats(event: Tournament) -> object:
    first, second = (pair_of(game) for game in games(event)[:2])
    return take_seats(game=games(event)[1].pk, white=first.white, black=second.black, by=None, reason="other")


def crossed(event: Tournament) -> object:
    one, other = games(event)[:2]
    return exchange_results(game=one.pk, other=other.pk, mirror=False, by=None, reason="other")


def redraw(seed: int) -> Deed:
    return lambda event: redraw_bracket(factory.stage_of(event), seed=seed, by=None, reason="other")


def new_game(event: Tournament) -> ForgottenGame:
    white, black = Player.objects.order_by("pk")[:2]
    return ForgottenGame(event.pk, white.pk, black.pk, Result.WHITE_WINS, DAY)


def insert(event: Tournament) -> object:
    return insert_game(new_game(event), by=None, reason="other")


def free(event: Tournament) -> object:
    white, black = Player.objects.order_by("pk")[2:4]
    return record_free_game(event, white, black, Result.DRAW, DAY, by=None)


def note(event: Tournament, text: str, seen: str = "") -> object:
    return note_result(game=games(event)[0].pk, text=text, seen=seen, by=None, reason="other")


def remark(event: Tournament) -> object:
    return note(event, "Black came late.")


def swiss(players: list[Player]) -> Tournament:
    return undo_cases.swiss_under_way(players[:5]).tournament


def go(players: list[Player]) -> Tournament:
    event = factory.make_round_robin(players[:4])
    Tournament.objects.filter(pk=event.pk).update(game="go", komi=6.5)
    event.refresh_from_db()
    return event


def evenings(players: list[Player]) -> Tournament:
    return open_event(f"Evenings {Tournament.objects.count()}", pool="standard", by=None).tournament


TABLE: dict[str, tuple[Callable[[list[Player]], Tournament], tuple[Deed, ...]]] = {
    "stones": (go, (play(Result.DRAW), play(Result.BLACK_WINS), stones(3), stones(2), correct(Result.WHITE_WINS))),
    "seats": (swiss, (seats, correct(Result.DRAW), seats)),
    "crossed": (swiss, (crossed, remark)),
    "bracket": (
        lambda players: factory.make_knockout(players[:5]),
        (redraw(1), redraw(2), play(Result.WHITE_WINS), correct(Result.BLACK_WINS), correct(Result.OPEN)),
    ),
    "evenings": (evenings, (insert, free, correct(Result.DRAW))),
}
REST = [pytest.param(name, marks=pytest.mark.extended) for name in TABLE if name != "evenings"]


def state(event: Tournament) -> dict[str, Any]:
    return {**image(event), "notes": list(Footnote.objects.values_list("game", "text"))}


@pytest.mark.parametrize("name", ["evenings", *REST])
def test_each_step_and_all_of_them_together_go_back(cast: list[Player], name: str) -> None:
    make, deeds = TABLE[name]
    other, event = make(cast), make(cast)
    for deed in deeds:
        deed(Tournament.objects.get(pk=other.pk))
    beside = facts_beside(event)
    images = {newest(event): state(event)}
    for deed in deeds:
        deed(Tournament.objects.get(pk=event.pk))
        images[newest(event)] = state(event)
        assert facts_beside(event) == beside
    start, *_done = images
    with transaction.atomic():
        above = [row.event.pk for row in last_steps(event) if row.event.pk > start]
        rewind(event, above[-1])
        assert state(event) == images[start]
        transaction.set_rollback(True)
    while (step := newest(event)) != start:
        rewind(event, step)
        assert state(event) == images.get(newest(event), state(event))
        assert facts_beside(event) == beside
        assert all(check_list(row) == [] for row in RatingList.objects.all())


def bye(kind: str) -> Deed:
    return lambda event: request_bye(event.entries.all()[0].pk, 4, kind, by=None)


def plan(day: int, hour: int) -> Deed:
    return lambda event: plan_round(factory.round_of(event, 1).pk, DAY.replace(day=day), by=None, time=time(hour))


def apart(*numbers: int) -> Deed:
    return lambda event: prohibit(event, list(event.entries.filter(number__in=numbers)), by=None)


def late(event: Tournament) -> object:
    return enter_late(event, Player.objects.order_by("pk")[5:6], by=None)


def late_and_strong(event: Tournament) -> object:
    late(event)
    return event.entries.filter(number=6).update(rating=2900)


def leave(event: Tournament) -> object:
    return withdraw_entry(event.entries.all()[0].pk, by=None)


def seen(here: bool) -> Deed:
    return lambda event: check_in(event, {event.entries.all()[0].pk: here}, on=DAY, by=None)


AGAIN: dict[str, tuple[Deed, Deed]] = {
    "another bye": (bye("half"), bye("zero")),
    "another day and hour": (plan(5, 18), plan(6, 19)),
    "others kept apart": (apart(1, 2, 4), apart(1, 2, 3, 4)),
    "somebody late": (apart(1, 2), late),
    "other numbers": (late_and_strong, lambda event: renumber_by_rating(factory.stage_of(event), by=None)),
    "somebody back": (leave, lambda event: return_entry(event.entries.all()[0].pk, by=None)),
    "somebody here after all": (seen(False), seen(True)),
    "another remark": (remark, lambda event: note(event, "White too.", seen="Black came late.")),
}


@pytest.fixture
def both(cast: list[Player]) -> list[Tournament]:
    """Two Swisses of two published rounds; the first is played."""
    for each in (events := [swiss(cast), swiss(cast)]):
        publish_round(factory.round_of(each, 2).pk, by=None)
    return events


@pytest.mark.parametrize("name", AGAIN)
def test_a_step_goes_back_to_what_one_like_it_had_left(both: list[Tournament], name: str) -> None:
    other, event = both
    for each in (other, event):
        for deed in AGAIN[name]:
            before, beside, start = state(each), facts_beside(event), newest(event)
            deed(each)
    steps = [row.event.pk for row in last_steps(event) if row.event.pk > start]
    rewind(event, steps[-1])
    assert state(event) == before
    assert facts_beside(event) == beside


def test_a_result_goes_back_with_the_walk_over_that_it_gave(cast: list[Player]) -> None:
    event = factory.make_knockout(cast[:4])
    play(Result.WHITE_WINS)(event)
    withdraw_entry(event.entries.get(player=games(event)[0].white).pk, by=None)
    before = facts()
    play(Result.WHITE_WINS)(event)
    rewind(event, newest(event))
    assert facts() == before


def test_so_many_steps_are_shown_and_those_of_other_events_are_none(
    both: list[Tournament], monkeypatch: pytest.MonkeyPatch
) -> None:
    event, game = both[0], games(both[1])[0]
    cleared = {"tournament": game.tournament.slug, "behind": True}
    write_audit("game.removed", game, by=None, before=cleared)
    for kind in ("half", "zero"):
        bye(kind)(event)
    shown = last_steps(event)
    assert len(shown) > 2, "the games were cleared in another event"
    monkeypatch.setattr("tournaments.undo.services.stack.SHOWN", 2)
    assert last_steps(event) == shown[:2]


def test_who_was_exchanged_with_an_earlier_board_is_among_those_whose_rating_moves(cast: list[Player]) -> None:
    event = swiss(cast)
    seats(event)
    step = newest(event)
    moved = preview(event, step, by=None).lists[0]
    assert (moved.games, len(moved.moves)) == (2, 2)


def test_standings_that_go_altogether_are_lines_that_change(cast: list[Player]) -> None:
    event = swiss(cast)
    first = [row.event.pk for row in last_steps(event) if not row.why_not][-1]
    assert preview(event, first, by=None).places == 5


def colours(event: Tournament) -> object:
    return swap_colours(game=games(event)[0].pk, mirror=True, by=None, reason="wrong-colours")


@pytest.mark.parametrize(
    ("make", "deeds", "says"),
    [
        (evenings, (insert,), "the game is deleted again"),
        pytest.param(swiss, (seats,), "the players sit as before", marks=pytest.mark.extended),
        pytest.param(go, (play(Result.DRAW), stones(3)), "3 stones", marks=pytest.mark.extended),
        (swiss, (remark,), "the note goes"),
        pytest.param(swiss, (colours,), "colours as before, 1–0", marks=pytest.mark.extended),
    ],
)
def test_the_page_of_an_undo_says_what_becomes_of_the_game(
    cast: list[Player], make: Callable[[list[Player]], Tournament], deeds: tuple[Deed, ...], says: str
) -> None:
    event = make(cast)
    for deed in deeds:
        deed(event)
    desk = client_of(factory.make_arbiter())
    line = last_steps(event)[0].event
    page = desk.get(reverse("admin:tournaments_game_undo", args=[line.pk]))
    assert says in page.text
    if line.action == "game.inserted":
        assert f'href="{reverse("admin:tournaments_game_changelist")}"' in page.text
    carried_out(desk, page)
    assert desk.get(reverse("admin:tournaments_game_undo", args=[line.pk])).status_code == 404
