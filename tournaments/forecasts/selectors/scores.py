"""How good forecasts were: what was said before the rounds against what came, for everybody to see.

Scored as the back-test scores (`ratings.lab.backtest`): through White's expected score, a draw as half a win and half a
loss, beside "rating only" and a coin on the very same games. Nothing said is left out afterwards: every game of a
stored forecast that was played between those two on the board counts. Forfeits and byes say nothing and do not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Max

from players.models import AuditEvent
from players.privacy.rules import NOBODY
from ratings.lab.backtest import COIN
from ratings.lab.calibration import Bin, calibration
from ratings.lab.measures import brier, log_losses
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import all_event_data, whole_event
from tournaments.events.selectors.overall import has_overall_order, overall_order
from tournaments.events.selectors.stages import is_plan
from tournaments.forecasts.selectors.forecasts import EventForecast, is_over, stored_forecasts
from tournaments.models import Forecast, ForecastGame, Stage, Tournament
from tournaments.prizes.selectors import final_places
from tournaments.standings.points import SCORES, Result, seen_from_black

TITLES_OF = 30  # events, the last ones that are over


@dataclass(frozen=True, slots=True)
class Score:
    """Of so many games: mean logarithmic loss (nats) and Brier score of what was said, the loss of whoever goes by the
    ratings alone (who has none counts as even), and of a coin."""

    games: int
    log_loss: float
    brier: float
    by_rating: float
    coin: float = COIN

    @property
    def skill_over_rating(self) -> float:
        """Share of the loss of "rating only" that is saved; below 0: the ratings alone would have been better."""
        return 1.0 - self.log_loss / self.by_rating if self.by_rating else 0.0

    @property
    def skill_over_coin(self) -> float:
        """Share of a coin's loss that is saved."""
        return 1.0 - self.log_loss / self.coin


@dataclass(frozen=True, slots=True)
class EventScore:
    """How good the forecasts of one event were."""

    tournament: Tournament
    score: Score


@dataclass(frozen=True, slots=True)
class TitleSaid:
    """The chance that was given to who then won (all of those who shared first place together), before that round."""

    tournament: Tournament
    before_round: int
    chance: float


@dataclass(frozen=True, slots=True)
class ClubScores:
    """All stored forecasts of the club together: None where no game of any has been played yet. `events`: the newest
    first."""

    score: Score | None
    calibration: tuple[Bin, ...]
    events: tuple[EventScore, ...]
    titles: tuple[TitleSaid, ...]


@dataclass(frozen=True, slots=True)
class _Scored:
    """One game: what was expected of White, what the ratings expected, what he made."""

    expected: float
    by_rating: float
    made: float


# --- one event --------------------------------------------------------------------------------------------------------
def score_of(forecasts: Iterable[EventForecast]) -> Score | None:
    """Of those forecasts together; None where nothing they speak of has been played."""
    games = [game for forecast in forecasts for game in forecast.games]
    return _score([_scored(game, game.score) for game in games if game.score is not None])


def titles_of(event: EventData, forecasts: Sequence[EventForecast]) -> tuple[TitleSaid, ...]:
    """What was said of who then won, before each round; nothing while the event goes on."""
    if not is_over(event):
        return ()
    first = _first_of(event)
    found = []
    for forecast in forecasts:
        given = [line.title for line in forecast.lines if line.entrant.key in first]
        if given and forecast.before_round is not None:
            found.append(TitleSaid(event.tournament, forecast.before_round, sum(given)))
    return tuple(found)


def _first_of(event: EventData) -> set[int]:
    """Who won it, by the entry's key."""
    parts = all_event_data(event.tournament, NOBODY) if is_plan(event.stage) else [event]
    if has_overall_order(event):
        return {row.entrant.key for row in overall_order(event, parts) if row.place == 1}
    return {row.entrant.key for row in final_places(parts) or [] if row.first == 1}


def _scored(said: Any, made: float) -> _Scored:
    """`said`: the row or the value with White's chances."""
    return _Scored(said.win + said.draw / 2.0, 0.5 if said.by_rating is None else said.by_rating, made)


def _score(found: Sequence[_Scored]) -> Score | None:
    if not found:
        return None
    expected, made = [each.expected for each in found], [each.made for each in found]
    by_rating = log_losses([each.by_rating for each in found], made)
    return Score(
        len(found), float(log_losses(expected, made).mean()), float(brier(expected, made)), float(by_rating.mean())
    )


# --- the club ---------------------------------------------------------------------------------------------------------
def club_scores() -> ClubScores:
    """All that was said, scored. Kept until a fact of the club moves or a forecast is added; then worked out anew: one
    query for the games, one for the events, and a few for each of the last events that are over."""
    said = Forecast.objects.aggregate(last=Max("pk"))["last"] or 0
    moved = AuditEvent.objects.aggregate(last=Max("pk"))["last"] or 0
    key = f"forecast-scores:{said}:{moved}"
    found: ClubScores | None = cache.get(key)
    if found is None:
        found = _club_scores()
        cache.set(key, found)
    return found


def _club_scores() -> ClubScores:
    by_event: dict[int, list[_Scored]] = {}
    rows = ForecastGame.objects.filter(game__isnull=False).exclude(game__result=Result.OPEN)
    for row in rows.order_by("pk").values_list(*_COLUMNS, named=True).iterator():
        made = _made(row)
        if made is not None:
            by_event.setdefault(row.forecast__stage__tournament_id, []).append(_scored(row, made))
    everything = [found for games in by_event.values() for found in games]
    events = Tournament.objects.filter(pk__in=by_event)
    scores = [(event, _score(by_event[event.pk])) for event in events]
    return ClubScores(
        score=_score(everything),
        calibration=calibration([each.expected for each in everything], [each.made for each in everything]),
        events=tuple(EventScore(event, score) for event, score in scores if score),
        titles=_titles(),
    )


_COLUMNS = (
    "forecast__stage__tournament_id",
    "win",
    "draw",
    "by_rating",
    "game__result",
    "game__white_id",
    "game__black_id",
    "white__player_id",
    "black__player_id",
)


def _made(row: Any) -> float | None:
    """White's score as the forecast has White; None for a game that was not played, or between others."""
    seats, said = (row.game__white_id, row.game__black_id), (row.white__player_id, row.black__player_id)
    if set(seats) != set(said):
        return None
    code = Result(row.game__result)
    return SCORES.get(code if seats == said else seen_from_black(code))


def _titles() -> tuple[TitleSaid, ...]:
    stages = Stage.objects.filter(forecasts__isnull=False).distinct().select_related("tournament")
    found: list[TitleSaid] = []
    for stage in stages.order_by("tournament", "-pk")[:TITLES_OF]:
        event = whole_event(stage, NOBODY)
        found += titles_of(event, stored_forecasts(event))
    return tuple(found)
