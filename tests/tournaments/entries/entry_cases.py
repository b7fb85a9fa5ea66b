"""Entries by the numbers of the cast, and what an event's audit trail says of them."""

from collections.abc import Sequence

import pytest

from players.models import AuditEvent, Player
from ratings.models import RatingList
from tests import factory
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Entry, Game, Round, Seat, Stage, Tournament
from tournaments.rounds.selectors.field import attendance, prohibited_in
from tournaments.rounds.services.next_round import pair_next_round


@pytest.fixture(scope="module")
def club_and_list(world: None) -> RatingList:
    """A club with its main list, made once for a file that says `standard = club_and_list`."""
    factory.make_club()
    return factory.make_list()


def make_event(players: Sequence[Player], system: str, **settings: object) -> Tournament:
    """An event of that format, numbered in the order of `players`, without rounds."""
    new = NewTournament("Autumn Cup", pairing_system=system, starts_on=factory.MONDAY, settings=dict(settings))
    tournament = create_tournament(new, by=None)
    entries = enter_players(tournament, players, by=None)
    number_in_order(factory.stage_of(tournament), entries, by=None)
    return tournament


def make_others(players: Sequence[Player]) -> None:
    """Two events of the same people beside another: one to come, the last of the list as number 1, and one with rounds
    up to the ninth."""
    make_event(players[::-1], "by-hand")
    pair_next_round(factory.stage_of(make_event(players[::-1], "dutch", rounds=9)), by=None, publish=True)
    Round.objects.update(number=9)


def entry_of(tournament: Tournament, number: int) -> Entry:
    return Entry.objects.select_related("player", "tournament").get(tournament=tournament, number=number)


def present_entries(stage: Stage, round_number: int) -> dict[int, Entry]:
    """Those to be paired in that round, by number: who plays by then and asked for no bye."""
    who = attendance(stage, round_number)
    return {number: entry for number, entry in who.entries.items() if entry.pk not in who.asked}


def prohibited_of(tournament: Tournament) -> frozenset[frozenset[int]]:
    """The pairs kept apart, by pairing numbers."""
    rows = Entry.objects.filter(tournament=tournament, number__isnull=False).values_list("pk", "number")
    return prohibited_in(dict(rows))


def results_of(tournament: Tournament, number: int) -> list[str]:
    """The entry's results in order of rounds, as that player sees them: +, −, 1, ½, 0, and a dot for an open game."""
    player = entry_of(tournament, number).player_id
    games = Game.objects.filter(tournament=tournament).order_by("pairing__round__number", "number")
    own = [(game, game.white_id == player) for game in games if player in (game.white_id, game.black_id)]
    return [game.shown_result[0 if white else 1] or "." for game, white in own]


def colours_of(stage: Stage, number: int) -> list[tuple[int, str, int]]:
    """Round, colour and opponent's number, in order of rounds."""
    own = Seat.objects.filter(round__stage=stage, entry__number=number).exclude(colour="").select_related("round")
    met = Seat.objects.exclude(entry__number=number)
    return [
        (seat.round.number, seat.colour, met.get(pairing=seat.pairing_id).entry.number or 0)
        for seat in own.order_by("round__number")
    ]


def events(action: str) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(action=action).order_by("pk"))
