"""A small league whose rounds are made one by one, paired by a system anybody can follow on paper."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ratings.models import RatingList
from tests import factory
from tournaments import pairing
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Entry, Game, Round, Stage
from tournaments.pairing.base import Board, Field, Option, PairedRound, PairingError
from tournaments.results.services.results import record_result
from tournaments.standings.crosstable import build_crosstable
from tournaments.standings.points import Result, point_system


class ByScore:
    """Points first, then numbers; neighbours meet, the higher has White; the last of an odd number has the bye."""

    key = "by-score"
    name = "By score"
    allocated_bye_scores = True
    min_players = 2
    max_players = 100
    options: tuple[Option, ...] = ()

    def pair_round(self, field: Field, settings: Mapping[str, Any]) -> PairedRound:
        table = build_crosstable(field.players, field.meetings, field.byes, point_system("classic"))
        order = sorted(field.present, key=lambda player: (-table[player].points, player))
        boards = [Board(*pair) for pair in zip(order[::2], order[1::2], strict=False)]
        if any(frozenset((board.white, board.black)) in field.prohibited for board in boards):
            raise PairingError("These two are not to meet.")
        return (*boards, Board(order[-1], None)) if len(order) % 2 else tuple(boards)


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the club have this format too."""
    monkeypatch.setattr(pairing, "PAIRING_SYSTEMS", (*pairing.PAIRING_SYSTEMS, ByScore()))


@pytest.fixture(scope="module")
def six(standard: RatingList) -> Stage:
    """For a file that says `six, league = round_cases.six, round_cases.league`, upon its own `standard`."""
    with pytest.MonkeyPatch.context() as patch:
        install(patch)
        return make_league(6)


@pytest.fixture
def league(six: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Six players and no round yet."""
    install(monkeypatch)
    return Stage.objects.select_related("tournament").get(pk=six.pk)


def make_league(count: int = 6, *, system: str = "by-score", name: str = "League") -> Stage:
    """The stage of an event with that many players, numbered in the order of the cast; no round yet."""
    tournament = create_tournament(NewTournament(name, pairing_system=system, starts_on=factory.MONDAY), by=None)
    entries = enter_players(tournament, factory.make_players(count), by=None)
    stage = factory.stage_of(tournament)
    number_in_order(stage, entries, by=None)
    return stage


def entry(stage: Stage, number: int) -> Entry:
    return Entry.objects.get(tournament=stage.tournament_id, number=number)


def entries(stage: Stage, *numbers: int) -> list[Entry]:
    return [entry(stage, number) for number in numbers]


def boards_of(row: Round) -> list[tuple[int, int]]:
    """Pairing numbers, White first, in the order of boards."""
    games = Game.objects.filter(pairing__round=row).order_by("pairing__board")
    numbers = dict(Entry.objects.filter(tournament=row.stage.tournament_id).values_list("player_id", "number"))
    return [(numbers[game.white_id], numbers[game.black_id]) for game in games]


def byes_of(row: Round) -> dict[int, str]:
    """Who has which bye, by pairing number."""
    seats = row.seats.filter(colour="").values_list("entry__number", "pairing__bye")
    return dict(seats)


def play(row: Round, *results: Result) -> list[Game]:
    """Results of the round's boards in order."""
    games = Game.objects.filter(pairing__round=row).order_by("pairing__board")
    return [
        record_result(game=game.pk, result=result, played_on=factory.MONDAY, by=None)
        for game, result in zip(games, results, strict=False)
    ]


def pairs(stage: Stage, *boards: tuple[int, int | None]) -> Sequence[tuple[Entry, Entry | None]]:
    """Boards by pairing numbers, as the services take them."""
    return [(entry(stage, white), entry(stage, black) if black else None) for white, black in boards]
