"""How a forecast of one of the club's events is worked out: strengths, then playouts, then plain values.

The same facts give the same figures: the random numbers are seeded with the digest of the event's results. Strengths
rest on rated games outside the event too; those played meanwhile are no reason to work a forecast out anew.
"""

from typing import Any

from numpy.random import PCG64, Generator

from players.privacy.rules import OFFICER
from ratings.systems.elo import expected_score
from tournaments.events.selectors.event_data import BoardData, EventData
from tournaments.events.selectors.events import all_event_data, event_data
from tournaments.events.selectors.standings import by_number
from tournaments.forecast.groups_playouts import play_bracket_after, play_groups
from tournaments.forecast.knockout_playouts import play_knockout
from tournaments.forecast.outlook import Outlook, Strengths, Tell
from tournaments.forecast.round_robin_playouts import play_round_robin
from tournaments.forecast.stations_playouts import play_stations
from tournaments.forecast.swiss_playouts import play_swiss
from tournaments.forecasts.selectors.forecasts import facts_digest, next_unplayed
from tournaments.forecasts.selectors.parts import ListRate, groups_to_come, knockout_of, numbers_of, stations_to_come
from tournaments.forecasts.selectors.running import knockout_to_come, running_of, swiss_to_come
from tournaments.forecasts.selectors.strengths import StageStrengths, strengths_of
from tournaments.models import ForecastKind

DRAWS = 3000  # of strengths
# Enough for a standard error of a percentage point and a half at most; a Swiss is dear.
SAMPLES = {
    ForecastKind.ROUND_ROBIN: 4000, ForecastKind.KNOCKOUT: 4000, ForecastKind.SWISS: 1000,
    ForecastKind.GROUPS: 4000, ForecastKind.STATIONS: 2000,
}  # fmt: skip
STRENGTHS_SHARE = 30  # per cent of the work, as far as a progress bar can know


def work_out(
    event: EventData,
    kind: ForecastKind,
    tell: Tell,
    *,
    draws: int = DRAWS,
    samples: int | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """The forecast of an event as plain values (`tournaments.forecasts.services.forecasts` says which), from so many
    draws of strengths and so many events played out (the kind's usual number)."""
    number = int(facts_digest(event)[:12], 16) if seed is None else seed
    rng = Generator(PCG64(number))
    known = strengths_of(event.stage, draws=draws, rng=rng, tell=_part(tell, 0, STRENGTHS_SHARE))
    rest = _part(tell, STRENGTHS_SHARE, 100)
    outlook = _play(event, kind, known.strengths, samples or SAMPLES[kind], rng, rest)
    people = by_number(event)
    return {
        "method": outlook.method,
        "samples": outlook.samples,
        "seed": number,
        "draw_rate": known.strengths.rate,
        "sampler": {name: getattr(known.sampler, name) for name in ("games", "accepted", "rhat", "effective")},
        "lines": [_line(people[player].key, player, outlook, known.strengths) for player in outlook.players],
        "games": [_game(number, board, known) for number, board in _next_boards(event)],
    }


def _part(tell: Tell, begin: int, end: int) -> Tell:
    """Progress within a part of the work, in per cent of the whole."""
    return lambda done, of: tell(begin + (end - begin) * done // max(of, 1), 100)


def _play(
    event: EventData, kind: ForecastKind, strengths: Strengths, samples: int, rng: Generator, tell: Tell
) -> Outlook:
    if kind is ForecastKind.SWISS:
        return play_swiss(running_of(event), swiss_to_come(event), strengths, samples, rng, tell)
    # Games and matches of drafted rounds are to come as well; nobody reads them off the figures.
    if kind in (ForecastKind.GROUPS, ForecastKind.STATIONS):
        return _play_parts(event, kind, strengths, samples, rng, tell)
    whole = event_data(event.stage, OFFICER)
    if kind is ForecastKind.KNOCKOUT:
        return play_knockout(knockout_to_come(whole), strengths, samples, rng, tell)
    return play_round_robin(running_of(whole), strengths, samples, rng, tell)


def _play_parts(
    event: EventData, kind: ForecastKind, strengths: Strengths, samples: int, rng: Generator, tell: Tell
) -> Outlook:
    parts = all_event_data(event.tournament, OFFICER)
    if kind is ForecastKind.STATIONS:
        assert event.rating_list is not None
        rate = ListRate(event.rating_list, by_number(event), event.tournament)
        return play_stations(stations_to_come(event, parts, rate), strengths, samples, rate, rng, tell)
    after = knockout_of(parts)
    if not after.rounds:
        return play_groups(groups_to_come(event, parts), strengths, samples, rng, tell)
    bracket = knockout_to_come(after)
    everybody = tuple(sorted(by_number(event)))
    return play_bracket_after(bracket, numbers_of(after, bracket), everybody, strengths, samples, rng, tell)


def _line(key: int, player: int, outlook: Outlook, strengths: Strengths) -> dict[str, Any]:
    at = outlook.players.index(player)
    is_known = player in strengths.players
    return {
        "entry": key,
        "title": min(1.0, outlook.title(player)),
        "places": [round(float(share), 6) for share in outlook.places[at]],
        "points": None if outlook.points is None else float(outlook.points[at]),
        "strength": strengths.mean(player) if is_known else 0.0,
        "deviation": strengths.deviation(player) if is_known else 0.0,
    }


def _next_boards(event: EventData) -> list[tuple[int, BoardData]]:
    """The open games of the first published round that has any, with the round's number; where those were put off, also
    the games of the round that is played next."""
    found: dict[int, list[tuple[int, BoardData]]] = {}
    for row in event.rounds:
        games = [*row.boards, *(game for match in row.matches for game in match.games if not game.surplus)]
        found[row.number] = [(row.number, game) for game in games if not game.decided and not row.is_draft]
    first = next((number for number, games in found.items() if games), None)
    return [game for number, games in found.items() if number in (first, next_unplayed(event)) for game in games]


def _game(number: int, board: BoardData, known: StageStrengths) -> dict[str, Any]:
    white, black = board.white.card or 0, board.black.card or 0
    odds = known.strengths.odds(white, black)
    ratings = {each.number: each.rating for each in known.people}
    own, his = ratings[white], ratings[black]
    return {
        "game": board.key,
        "round": number,
        "white": board.white.key,
        "black": board.black.key,
        "win": odds.win,
        "draw": odds.draw,
        "loss": odds.loss,
        "by_rating": None if own is None or his is None else expected_score(own, his),
    }
