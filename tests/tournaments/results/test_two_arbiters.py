"""Two arbiters press keys on the same boards, now and then with an old page: whatever the order, the last keystroke
that was acknowledged stands, a refused one leaves no trace, and the ratings are those of the facts."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from players.models import AuditEvent
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tests.choosing import examples
from tests.tournaments.admin_pages import games_of, url
from tournaments.models import Game, Round
from tournaments.rated_games.services.rebuilding import check_list

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]

CODES = ("1-0", "0-1", "1/2", "+-", "-+", "--", "adj", "")


Step = tuple[int, int, str, bool]  # which arbiter presses which key on which board, and looks at the round again first


@dataclass
class Arbiter:
    """One page: what it knows of each board, by the game's key."""

    client: Client
    known: dict[int, int] = field(default_factory=dict)

    def look(self, row: Round) -> None:
        self.known = {game.pk: game.revision for game in games_of(row)}

    def press(self, row: Round, game: int, code: str) -> int:
        values = {"game": game, "revision": self.known[game], "result": code}
        address = url("board", row.pk)
        answer = self.client.post(address, json.dumps(values), content_type="application/json")
        assert answer.status_code in (200, 409)
        assert "boards" in json.loads(answer.content), "every answer shows the board as it stands"
        if answer.status_code == 200:
            self.known[game] = Game.objects.get(pk=game).revision
        return answer.status_code


@pytest.fixture
def row(standard: RatingList) -> Round:
    return factory.round_of(factory.make_round_robin(factory.make_players(6), first_day=factory.today()), 1)


@pytest.fixture
def arbiters(row: Round) -> list[Arbiter]:
    made = [Arbiter(Client()) for _name in ("petra", "otto")]
    for arbiter, name in zip(made, ("petra", "otto"), strict=True):
        arbiter.client.force_login(factory.make_arbiter(name))
    return made


steps = st.tuples(st.integers(0, 1), st.integers(0, 2), st.sampled_from(CODES), st.booleans() | st.just(value=False))


def traces() -> tuple[Any, ...]:
    """Everything a keystroke may move."""
    ledger = LedgerEntry.objects.order_by("id").values_list("game", "white_after", "black_after")
    games = Game.objects.order_by("pk").values_list("pk", "result", "revision", "played_on", "sequence")
    return list(games), list(ledger), AuditEvent.objects.count()


@pytest.mark.extended
@examples(25)
@given(plan=st.lists(steps, min_size=3, max_size=14))
def test_the_last_acknowledged_keystroke_stands(
    row: Round, arbiters: list[Arbiter], standard: RatingList, plan: list[Step]
) -> None:
    with transaction.atomic():
        acknowledged = {game.pk: game.result for game in games_of(row)}
        for arbiter in arbiters:
            arbiter.look(row)
        for who, board, code, looks in plan:
            if looks:
                arbiters[who].look(row)
            follow(board, code, row, arbiters[who], acknowledged)
        assert check_list(standard) == []
        transaction.set_rollback(True)


def follow(board: int, code: str, row: Round, arbiter: Arbiter, acknowledged: dict[int, str]) -> None:
    key = sorted(acknowledged)[board]
    fresh = arbiter.known[key] == Game.objects.get(pk=key).revision
    before = traces()
    status = arbiter.press(row, key, code)
    if status == 409:
        assert not fresh, "who knows what stands is never refused here"
        assert traces() == before
    elif not fresh:
        assert code == acknowledged[key], "an old page only gets what stands already"
    if status == 200:
        acknowledged[key] = code
    assert {game.pk: game.result for game in games_of(row)} == acknowledged
