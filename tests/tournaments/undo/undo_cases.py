"""Events to be undone in, and all of their facts as a value to be compared."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model

from players.models import AuditEvent, Player
from tests import factory
from tests.tournaments.entries.entry_cases import make_event
from tournaments.models import CheckIn, Game, Round, Seat, Stage, Tournament
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result
from tournaments.undo.services.snapshots import TABLES
from tournaments.undo.services.undo import Undo, last_undoable, undo

# Not facts: when something was written, how often, and the place in time kept by a game that was not played.
_PASSING = {"revision", "recorded_at", "at", "closed_at", "sequence", "played_on"}


def facts() -> dict[str, list[Any]]:
    """All rows of all events, in an order that ids of rows made anew have no part in."""
    found: dict[str, list[Any]] = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table._meta.db_table)}")
            columns = [column[0] for column in cursor.description]
            rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
            found[table.__name__] = sorted((_facts_of(row, table) for row in rows), key=repr)
    found["officers"] = sorted(Tournament.officers.through.objects.values_list("tournament", "user"))
    return found


def facts_beside(tournament: Tournament) -> dict[type[Model], list[Any]]:
    """All rows of all other events, whole: no deed in this one may touch them."""
    found = {}
    with connection.cursor() as cursor:
        for table, (query, values) in _beside().items():
            cursor.execute(query, [tournament.pk if value == _ANY else value for value in values])
            found[table] = cursor.fetchall()
    return found


_ANY = -1  # in the place of an event's key


@cache
def _beside() -> dict[type[Model], tuple[str, tuple[Any, ...]]]:
    """Of every table of events the query for the rows of others, written once: that takes longer than to ask it."""
    rows = {table: table._default_manager.exclude(**{own: _ANY}).order_by("pk") for table, own in _ways().items()}
    return {table: found.query.sql_with_params() for table, found in rows.items()}


@cache
def _ways() -> dict[type[Model], str]:
    """Every table of events, and how a row finds its event: by the shortest way of foreign keys."""
    ways: dict[type[Model], str] = {Tournament: "pk"}
    waiting: list[tuple[type[Model], str]] = [(Tournament, "")]
    for table, way in waiting:
        for back in table._meta.related_objects:
            if back.related_model not in ways and back.related_model._meta.app_label == "tournaments":
                ways[back.related_model] = f"{back.field.name}{way}"
                waiting.append((back.related_model, f"__{back.field.name}{way}"))
    return ways


def _facts_of(row: dict[str, Any], table: type[Model]) -> dict[str, Any]:
    passing = _PASSING - {"sequence", "played_on"} if row.get("result") else _PASSING
    if table in (CheckIn, Seat) or (table is Game and not row["result"]):
        passing = passing | {"id"}  # they are made anew, and nothing points at them
    return {name: value for name, value in row.items() if name not in passing}


def offered(tournament: Tournament) -> Undo:
    found = last_undoable(tournament)
    assert found is not None, "nothing is offered"
    return found


def take_back(tournament: Tournament, by: User | None = None) -> AuditEvent:
    found = offered(tournament)
    undo(found.event.pk, by=by, seen=found.seen)
    return found.event


@contextmanager
def taken_back(tournament: Tournament) -> Iterator[None]:
    """What is done within changes the facts; it is taken back at the end, and they are those before."""
    before = facts()
    yield
    assert facts() != before
    take_back(tournament)
    assert facts() == before


def make_swiss(players: list[Player], rounds: int = 5) -> Stage:
    return factory.stage_of(make_event(players, "dutch", rounds=rounds))


@pytest.fixture(scope="module")
def cast(world: None) -> list[Player]:
    """For a file that says `cast, under_way, swiss = undo_cases.cast, undo_cases.under_way, undo_cases.swiss`."""
    factory.make_club()
    factory.make_list()
    return factory.make_players(7)


@pytest.fixture(scope="module")
def under_way(cast: list[Player]) -> int:
    """Five players and two who may come late."""
    return swiss_under_way(cast[:5]).pk


@pytest.fixture
def swiss(under_way: int) -> Stage:
    return Stage.objects.get(pk=under_way)


def swiss_under_way(players: list[Player]) -> Stage:
    """Two rounds, the second of them open."""
    stage = make_swiss(players)
    pair_next_round(stage, by=None, publish=True)
    factory.play_round(stage.tournament, 1, [Result.WHITE_WINS, Result.DRAW])
    pair_next_round(stage, by=None)
    return stage


def draft_of(stage: Stage) -> Round:
    return Round.objects.get(stage=stage, number=2)
