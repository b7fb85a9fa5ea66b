"""A small knockout to be played with: Ada–Dag and Bo–Cleo, and the winners meet."""

from datetime import timedelta

from tests.factory import MONDAY, make_knockout, make_players, match_of, play_match
from tournaments.knockouts.services.matches import games_of, seats_of_match, state_by
from tournaments.models import Entry, Game, Pairing, Tournament
from tournaments.pairing.matches import MatchState
from tournaments.standings.points import Result

WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def name_in(match: Pairing, line: int) -> str:
    seat = seats_of_match(match).get(line)
    return seat.entry.player.name.split()[0] if seat else "–"


def state_of(match: Pairing) -> MatchState:
    return state_by(match, seats_of_match(match), games_of(match))


def advanced(match: Pairing) -> str:
    match.refresh_from_db()
    return match.advanced.player.name.split()[0] if match.advanced else "–"


def entry_named(tournament: Tournament, name: str) -> Entry:
    return tournament.entries.get(player__name__startswith=name)


def cup_of_four(**options: object) -> Tournament:
    """Ada–Dag and Bo–Cleo; the winners meet."""
    return make_knockout(make_players(4), **options)


def played_through(**options: object) -> tuple[Tournament, Game]:
    """A cup of four with its final played, and the game of the first semi-final."""
    cup = cup_of_four(**options)
    game = play_match(match_of(cup, 1, 1), WIN)
    play_match(match_of(cup, 1, 2), WIN)
    play_match(match_of(cup, 2, 1), WIN, on=MONDAY + timedelta(days=7))
    return cup, game
