"""What was said of a list on a day, and is never rewritten: published lists, and forecasts of a season's end."""

from typing import Any, NoReturn

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class PublishedList(models.Model):
    """A list as published for the end of a day: frozen, with its settings (`ratings.systems.published`) and a digest
    over its rows. Never rewritten."""

    rating_list = models.ForeignKey(
        "ratings.RatingList", on_delete=models.PROTECT, related_name="published", verbose_name=_("rating list")
    )
    on = models.DateField(_("as of"))
    published_at = models.DateTimeField(_("published"), auto_now_add=True)
    settings = models.JSONField(_("settings"))
    digest = models.CharField(_("digest"), max_length=64)

    class Meta:
        verbose_name = _("published list")
        verbose_name_plural = _("published lists")
        ordering = ["-on"]
        constraints = [models.UniqueConstraint(fields=["rating_list", "on"], name="published_once_a_day")]

    def __str__(self) -> str:
        return f"{self.rating_list_id} {self.on}"


class PublishedRow(models.Model):
    """A player's row of a published list; the rows stand in the list's order."""

    published_list = models.ForeignKey(PublishedList, on_delete=models.CASCADE, related_name="rows")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    place = models.PositiveIntegerField(null=True)
    rating = models.FloatField()
    games = models.PositiveIntegerField()
    provisional = models.BooleanField()
    deviation = models.FloatField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["published_list", "player"], name="published_player_once")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.rating:.0f}"


def _written_once(*args: object, **kwargs: object) -> NoReturn:
    raise TypeError("A forecast is written once: one service adds it, and nobody changes or deletes it.")


class Said(models.QuerySet[Any]):
    """What was said: to be added and read."""

    update = bulk_update = update_or_create = delete = _written_once


class WrittenOnce(models.Model):
    """A row of what was said."""

    objects = Said.as_manager()
    _do_update = delete = _written_once

    class Meta:
        abstract = True


class ListForecast(WrittenOnce):
    """What was said on a day of the list at the end of its season (`until`): `planned` rounds, and `usual` weeks at
    `weekly` rounds where nothing was planned. `looks`: days ratings were looked at, as YYYY-MM-DD; `draw_rate`:
    Davidson's ν."""

    rating_list = models.ForeignKey("ratings.RatingList", on_delete=models.CASCADE, related_name="forecasts")
    made_on = models.DateField()
    made_at = models.DateTimeField(default=timezone.now)
    until = models.DateField()
    samples = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    draw_rate = models.FloatField()
    planned = models.PositiveIntegerField()
    usual = models.PositiveIntegerField()
    weekly = models.FloatField()
    looks = models.JSONField()

    class Meta:
        ordering = ["made_on"]
        constraints = [models.UniqueConstraint(fields=["rating_list", "made_on"], name="list_forecast_once_a_day")]

    def __str__(self) -> str:
        return f"{self.rating_list_id} {self.made_on}"


class ListForecastLine(WrittenOnce):
    """What was said of one player: columns as in `tournaments.forecast.season_scores.SeasonLine`."""

    forecast = models.ForeignKey(ListForecast, on_delete=models.CASCADE, related_name="lines")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    now = models.FloatField()
    place = models.PositiveIntegerField(null=True)
    games = models.FloatField()
    ends = models.JSONField()
    fan = models.JSONField()
    places = models.JSONField(null=True)
    first = models.FloatField()
    four = models.FloatField()
    settles = models.FloatField(null=True)
    bound = models.FloatField(null=True)
    rises = models.FloatField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["forecast", "player"], name="list_forecast_line_once")]

    def __str__(self) -> str:
        return f"{self.forecast_id}: {self.player_id}"
