"""The count of games kept with an event without rounds equals its games with a result, whoever writes them.

Corrections of every kind, merging and undo in any order: `test_correction_kinds`, whose `check_list` counts them too.
"""

from random import Random

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from players.models import AuditEvent, Player
from tests import factory
from tests.choosing import examples
from tests.test_hostile_input import nothing_kept
from tests.tournaments.contests.contest_cases import make_evening, play
from tests.tournaments.corrections.correction_cases import stream
from tournaments.corrections.services.game_changes import ForgottenGame, insert_game, remove_game
from tournaments.erasure.services.erasure import anonymise_player
from tournaments.events.services.counts import miscounted, recount_games
from tournaments.events.services.events import open_event
from tournaments.free_play.services import record_free_game
from tournaments.loading.services.streams import load_games
from tournaments.models import Contest, Game, Tournament
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import DECIDED_RESULTS, Result

pytestmark = pytest.mark.django_db
EVENT = "Evenings"


@pytest.fixture(scope="module")
def evenings(world: None) -> Tournament:
    """In a club without rating lists, so that no ledger is replayed."""
    factory.make_club()
    factory.make_players(4)
    return open_event(EVENT, pool="standard", by=None).tournament


def enter(event: Tournament, rng: Random) -> None:
    white, black = rng.sample(list(Player.objects.order_by("pk")), 2)
    result = rng.choice([code for code in Result if code])
    if rng.random() < 0.5:
        record_free_game(event, white, black, result, factory.today(), by=None, again=True)
    else:
        insert_game(ForgottenGame(event.pk, white.pk, black.pk, result, factory.today()), by=None, reason="")


def change(event: Tournament, rng: Random) -> None:
    """Whatever is there becomes anything else: entered, corrected, cleared, adjourned, resumed."""
    if games := list(event.games.order_by("pk")):
        game = rng.choice(games)
        result = rng.choice([code for code in Result if code != game.result])
        if game.result:
            correct_result(game=game.pk, result=result, by=None)
        elif result:
            record_result(game=game.pk, result=result, played_on=factory.today(), by=None)


def remove(event: Tournament, rng: Random) -> None:
    if games := list(event.games.exclude(result="").order_by("pk")):
        remove_game(game=rng.choice(games).pk, by=None, reason=AuditEvent.Reason.ENTRY_ERROR)


def load(event: Tournament, rng: Random) -> None:
    white, black = rng.sample(factory.CAST[:4], 2)
    row = f"2026-01-{rng.randrange(1, 29):02},{white},{black},{rng.choice(['1', '0', '+/-', '0.5'])}"
    load_games(stream(row), by=None, event_name=EVENT, today=timezone.localdate())


def erase(event: Tournament, rng: Random) -> None:
    del event
    anonymise_player(rng.choice(list(Player.objects.order_by("pk"))).pk, by=None)


STEPS = (enter, enter, load, change, remove)


@pytest.mark.extended
@examples(60)
@given(seed=st.integers(0, 10**9), steps=st.lists(st.sampled_from(STEPS), max_size=8))
def test_the_count_is_right_after_any_sequence(evenings: Tournament, seed: int, steps: list[object]) -> None:
    rng = Random(seed)
    with nothing_kept():
        for step in (enter, *steps):
            step(evenings, rng)
            assert miscounted("standard") == [], step
        erase(evenings, rng)
        assert miscounted("standard") == []


def test_a_wrong_count_is_named_and_mended(evenings: Tournament, client: Client) -> None:
    enter(evenings, Random(3))
    record_free_game(evenings, *factory.first_players(2), Result.ADJOURNED, factory.today(), by=None, again=True)
    factory.play_all(factory.make_round_robin(factory.first_players(2)))  # with rounds: not counted here
    tables = make_evening("Tables")  # counted rightly
    play(tables, "1: 1; 2: 2; 3: 3")
    withdrawn = play(tables, "1: 1; 2: 2; 3: 4")
    Contest.objects.filter(pk=withdrawn.pk).update(tournament=evenings, withdrawn=True)
    Tournament.objects.filter(pk=tables.pk).update(game_count=1)
    own = Game.objects.filter(tournament=evenings, result__in=DECIDED_RESULTS).count()
    Tournament.objects.filter(pk=evenings.pk).update(game_count=70_007)
    assert "70007" in client.get("/tournaments/").text, "the list shows what is kept"
    assert miscounted("standard") == [f"event {evenings.pk}: 70007 games counted, {own} have a result"]
    assert (recount_games(), recount_games()) == (1, 0)
    assert miscounted("standard") == []
