"""Forecasts of running events: what was said before a round. Written once, never rewritten, scored by what came.

Rows point to entries and games and carry no name. An event, or an entry, that is deleted takes what was said of it
along; of a game that was taken back (its round paired again) the words stay and are not scored.
"""

from enum import StrEnum

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from ratings.models import WrittenOnce
from tournaments.models.event import Entry, Stage
from tournaments.models.play import Game


class ForecastKind(StrEnum):
    """Events that can be forecast, by the keys of their pairing systems."""

    ROUND_ROBIN = "round-robin"
    SWISS = "dutch"
    KNOCKOUT = "knockout"
    GROUPS = "groups"
    STATIONS = "stations"


class Forecast(WrittenOnce):
    """What was said of a stage (of an event of several parts: its plan) before its round `before_round`. `method`: how
    the places were found (`exact`, `sampled`, `sampled-fast`); `samples` is 0 where they are exact. `draw_rate`:
    Davidson's ν; `facts`: digest of the event's results it rests on."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="forecasts")
    before_round = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField(default=timezone.now)
    method = models.CharField(max_length=20)
    samples = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    draw_rate = models.FloatField()
    facts = models.CharField(max_length=64)

    class Meta:
        ordering = ["before_round"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "before_round"], name="forecast_once_before_a_round"),
            models.CheckConstraint(condition=Q(before_round__gte=1), name="forecast_before_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id} before round {self.before_round}"


class ForecastLine(WrittenOnce):
    """What was said of one entry: the chance of each place, best first, and the strength it was reckoned with (Elo
    points, a normal's mean and standard deviation). `points`: mean of half-points at the end; null in a knockout."""

    forecast = models.ForeignKey(Forecast, on_delete=models.CASCADE, related_name="lines")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    title = models.FloatField()
    places = models.JSONField()
    points = models.FloatField(null=True)
    strength = models.FloatField()
    deviation = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["forecast", "entry"], name="forecast_line_once"),
            models.CheckConstraint(condition=Q(title__gte=0, title__lte=1), name="title_odds_are_a_probability"),
        ]

    def __str__(self) -> str:
        return f"{self.forecast_id}: {self.entry_id}"


class ForecastGame(WrittenOnce):
    """What was said of one game of the round: the chances of a win, a draw and a loss of `white`, and his expected
    score by the ratings alone (null where somebody had none). The entries as they sat then: of exchanged colours the
    score knows how to read it, of another pairing it knows nothing."""

    forecast = models.ForeignKey(Forecast, on_delete=models.CASCADE, related_name="games")
    game = models.ForeignKey(Game, on_delete=models.SET_NULL, null=True, related_name="+")
    white = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    black = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    win = models.FloatField()
    draw = models.FloatField()
    loss = models.FloatField()
    by_rating = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["forecast", "game"], name="game_forecast_once"),
            models.CheckConstraint(condition=~Q(white=F("black")), name="game_forecast_of_two"),
            models.CheckConstraint(condition=Q(win__gte=0, draw__gte=0, loss__gte=0), name="game_odds_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.forecast_id}: game {self.game_id}"
