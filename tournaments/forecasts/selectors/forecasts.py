"""Forecasts of an event: which events have one, what it rests on, what was said before each round.

A forecast rests on what everybody may see of the event, and no game of a draft is spoken of; of a round robin and of a
bracket it also counts on the rounds that are drafted, to play them out. It is asked for like any question
(`players.jobs.services`), under a digest of the event's published games; what is said just before a round is kept
for good (`tournaments.forecasts.services.forecasts`).
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from players.jobs.services import Question
from tournaments.events.selectors.event_data import BoardData, Entrant, EventData, RoundData
from tournaments.events.selectors.stages import round_limit
from tournaments.forecasts.selectors.parts import is_played_out
from tournaments.models import Forecast, ForecastKind, Stage
from tournaments.standings.points import SCORES, Result, seen_from_black

FORECAST = "forecast"  # the kind of question
MODEL = 1  # raised when the same results would be forecast otherwise
FEWEST_PLAYERS = 2
# What is said of an entry and of a game, in answers and in tables by the same names.
LINE_FIGURES = ("title", "places", "points", "strength", "deviation")
GAME_FIGURES = ("win", "draw", "loss", "by_rating")


@dataclass(frozen=True, slots=True)
class LineSaid:
    """What is said of one entrant: the chance of the title and of each place, best first; mean half-points at the end
    (None in a knockout); strength and its standard deviation, in Elo points."""

    entrant: Entrant
    title: float
    places: tuple[float, ...]
    points: float | None
    strength: float
    deviation: float

    @property
    def median(self) -> int:
        return self._place(0.5)

    @property
    def low(self) -> int:
        """The place only one in ten endings betters."""
        return self._place(0.1)

    @property
    def high(self) -> int:
        """The place only one in ten endings falls behind."""
        return self._place(0.9)

    def _place(self, share: float) -> int:
        """The first place by which so much of the chance is used up; a hair is lost in adding up."""
        so_far = 0.0
        for place, chance in enumerate(self.places, start=1):
            so_far += chance
            if so_far >= share - 1e-9:
                return place
        return len(self.places)


@dataclass(frozen=True, slots=True)
class GameSaid:
    """What is said of one game, from White's side, and his expected score by the ratings alone (None where somebody
    has none). `came`: the result as White of the forecast sees it; None while there is none that counts, or where the
    two do not meet any more."""

    round: int
    white: Entrant
    black: Entrant
    win: float
    draw: float
    loss: float
    by_rating: float | None
    came: Result | None

    @property
    def score(self) -> float | None:
        """What White made of it: 1, ½ or 0; None where nothing was played that counts for a rating."""
        return None if self.came is None else SCORES.get(self.came)


@dataclass(frozen=True, slots=True)
class EventForecast:
    """A forecast: before which round it was said (None: as it stands now), how it was made, and what it says of
    everybody (highest chance of the title first) and of the round's games."""

    before_round: int | None
    made_at: datetime
    method: str
    samples: int
    draw_rate: float
    lines: tuple[LineSaid, ...]
    games: tuple[GameSaid, ...]


# --- which events ---------------------------------------------------------------------------------------------------
def forecast_kind(event: EventData) -> ForecastKind | None:
    """How the event is forecast; None where it is not: teams, pairs, Keizer, free play, a Swiss whose length nobody has
    said, a match from which nobody goes on, stations without one order, a group or nothing published yet. Of an
    event of several parts the whole is handed in (`whole_event`). No query but for stations, one."""
    shown = [row for row in event.rounds if not row.is_draft]
    system = event.stage.pairing_system
    if system not in list(ForecastKind) or not event.stage.takes_everybody or not shown:
        return None
    if event.tournament.entry_size > 1:
        return None
    if sum(person.number is not None for person in event.entrants) < FEWEST_PLAYERS:
        return None
    kind = ForecastKind(system)
    if kind is ForecastKind.SWISS and round_limit(event.stage) is None:
        return None
    if kind is ForecastKind.STATIONS and not is_played_out(event):
        return None
    if kind is ForecastKind.GROUPS and not _are_groups_made(event, shown):
        return None
    if any(match.ruled and match.advanced is None for row in shown for match in row.matches):
        return None
    return kind


def _are_groups_made(event: EventData, shown: Sequence[RoundData]) -> bool:
    """Whether every group has published rounds: of one without games nothing is known."""
    seated = {side.key for row in shown for board in row.boards for side in (board.white, board.black)}
    groups = {person.group for person in event.entrants if person.key in seated}
    return {person.group for person in event.entrants} <= groups


def is_over(event: EventData) -> bool:
    """Whether nothing is left to forecast: every round is there, and has all its results."""
    shown = [row for row in event.rounds if not row.is_draft]
    planned = event.planned_rounds
    return planned is not None and len(shown) >= planned and all(row.is_complete for row in shown)


def due_round(event: EventData) -> int | None:
    """The round a forecast may be stored before: the first published one without any result, once all games before it
    are over; None where there is none."""
    row = next(_unfinished(event), None)
    return None if row is None or _has_result(row) else row.number


def next_unplayed(event: EventData) -> int | None:
    """The first published round with games to come and without any result, whether or not games before it are still
    open."""
    return next((row.number for row in _unfinished(event) if not _has_result(row)), None)


def _unfinished(event: EventData) -> Iterator[RoundData]:
    """The published rounds with games to come."""
    return (row for row in event.rounds if not row.is_draft and not row.is_complete)


def _has_result(row: RoundData) -> bool:
    return any(board.begun for board in _all_boards(row))


def _all_boards(row: RoundData) -> list[BoardData]:
    return [*row.boards, *(game for match in row.matches for game in match.games)]


# --- what it rests on -----------------------------------------------------------------------------------------------
def forecast_question(event: EventData) -> Question:
    """What a page asks: a forecast of the event as everybody sees it now."""
    return Question(FORECAST, facts=facts_digest(event), about=event.stage.pk)


def facts_digest(event: EventData) -> str:
    """A digest of the published games with their results, and of the rules that turn them into places."""
    tournament, stage = event.tournament, event.stage
    rules = (
        tournament.point_system, tournament.tiebreaks, tournament.tiebreak_edition, tournament.tiebreak_lots,
        tournament.leaver_rule, tournament.allocated_bye, tournament.swiss_edition,
        stage.pairing_system, sorted(stage.settings.items()),
    )  # fmt: skip
    people = [(person.key, person.number, person.withdrawn) for person in event.entrants]
    rounds = [_facts_of(row) for row in event.rounds if not row.is_draft]
    groups = [person.group for person in event.entrants if person.group]
    facts = (MODEL, rules, people, rounds, *((groups,) if groups else ()))
    return sha256(json.dumps(facts).encode()).hexdigest()


def _facts_of(row: RoundData) -> tuple[Any, ...]:
    matches = [(match.slot, match.advanced, _boards(match.games)) for match in row.matches]
    byes = [(bye.entrant.key, bye.kind) for bye in row.byes]
    return row.number, _boards(row.boards), matches, byes


def _boards(boards: Iterable[BoardData]) -> list[tuple[Any, ...]]:
    return [(game.key, game.white.key, game.black.key, game.result, game.armageddon, game.surplus) for game in boards]


# --- what was said ----------------------------------------------------------------------------------------------------
def is_stored(stage: Stage, number: int) -> bool:
    """Whether something was said before that round. One query."""
    return Forecast.objects.filter(stage=stage, before_round=number).exists()


def stored_forecasts(event: EventData) -> tuple[EventForecast, ...]:
    """What was said before each round, in their order. Three queries."""
    rows = Forecast.objects.filter(stage=event.stage).order_by("before_round").prefetch_related("lines", "games")
    return tuple(_forecast(event, _plain(row), row.made_at, row.before_round) for row in rows)


def forecast_from(event: EventData, answer: Mapping[str, Any], made_at: datetime) -> EventForecast:
    """The answer to `forecast_question` for showing (`tournaments.forecasts.services.forecasts` says what it holds)."""
    return _forecast(event, answer, made_at, None)


def _plain(row: Forecast) -> dict[str, Any]:
    """A stored forecast in the shape of an answer."""
    lines = [
        {"entry": line.entry_id, **{name: getattr(line, name) for name in LINE_FIGURES}} for line in row.lines.all()
    ]
    games = [
        {"game": game.game_id, "round": row.before_round, "white": game.white_id, "black": game.black_id}
        | {name: getattr(game, name) for name in GAME_FIGURES}
        for game in sorted(row.games.all(), key=lambda game: game.pk)  # by board, as they were said
    ]
    return {
        "method": row.method, "samples": row.samples, "draw_rate": row.draw_rate, "lines": lines, "games": games
    }  # fmt: skip


def _forecast(event: EventData, said: Mapping[str, Any], made_at: datetime, before_round: int | None) -> EventForecast:
    """The people and boards of the event put to what was said; who is not in it any more is left out."""
    people = {person.key: person for person in event.entrants}
    boards = {board.key: board for row in event.rounds for board in _all_boards(row)}
    lines = [
        LineSaid(
            people[line["entry"]], **{name: line[name] for name in LINE_FIGURES} | {"places": tuple(line["places"])}
        )
        for line in said["lines"]
        if line["entry"] in people
    ]
    games = [
        GameSaid(
            game["round"],
            people[game["white"]],
            people[game["black"]],
            **{name: game[name] for name in GAME_FIGURES},
            came=_came(boards.get(game["game"] or 0), game["white"], game["black"]),
        )
        for game in said["games"]
        if game["white"] in people and game["black"] in people
    ]
    # Highest chance of the title first; then the better median, then the pairing number.
    lines.sort(key=lambda line: (-line.title, line.median, line.entrant.number or 0))
    return EventForecast(
        before_round, made_at, said["method"], said["samples"], said["draw_rate"], tuple(lines), tuple(games)
    )


def _came(board: BoardData | None, white: int, black: int) -> Result | None:
    """The board's result as White of the forecast (by the entry's key) sees it; None where it is open, or where others
    sit there now."""
    if board is None or not board.decided or {board.white.key, board.black.key} != {white, black}:
        return None
    return board.result if board.white.key == white else seen_from_black(board.result)
