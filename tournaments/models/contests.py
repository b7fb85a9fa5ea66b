"""Contests with sides, beside `Game`: two sides or more, a side of one player or more, each with a place."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from ratings.systems.base import Moment
from tournaments.models.event import Tournament
from tournaments.models.play import Pairing


class Contest(models.Model):
    """A contest and its place in the order of replay: `sequence` is drawn from the same numbers as that of games, so
    none has another's. One that is `withdrawn` stays in the books and is in no list. `label` is its key in the file it
    came from. Two sides of one player each are always a `Game` (`tournaments.contests.services`)."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="contests", verbose_name=_("tournament")
    )
    pairing = models.OneToOneField(Pairing, on_delete=models.CASCADE, related_name="contest", null=True)
    pool = models.SlugField(_("pool"), max_length=30)
    played_on = models.DateField(_("played on"))
    sequence = models.BigIntegerField(unique=True)
    importance = models.FloatField(default=1.0, validators=[MinValueValidator(0.01), MaxValueValidator(100)])
    # Said by the contest's own file: the event's importance does not move it.
    own_importance = models.BooleanField(default=False)
    withdrawn = models.BooleanField(_("withdrawn"), default=False)
    label = models.CharField(max_length=60, blank=True)
    recorded_at = models.DateTimeField()
    revision = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("contest")
        verbose_name_plural = _("contests")
        ordering = ["played_on", "sequence"]
        indexes = [models.Index(fields=["pool", "played_on", "sequence"], name="contest_in_order_of_replay")]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "label"], condition=~Q(label=""), name="contest_label_once_per_event"
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def moment(self) -> Moment:
        """Its place in the order of replay."""
        return Moment(self.played_on, self.sequence)


class ContestSide(models.Model):
    """A side in the order of entry (`line`, from 1), its place (1 is first, equal places are a tie: 1-2-2-4) and its
    score where the game has one."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="sides")
    line = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField(_("place"))
    score = models.FloatField(_("score"), null=True)

    class Meta:
        ordering = ["contest", "line"]
        constraints = [
            models.UniqueConstraint(fields=["contest", "line"], name="line_once_per_contest"),
            models.CheckConstraint(condition=Q(place__gte=1, line__gte=1), name="place_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.contest_id}.{self.line}"


class ContestMember(models.Model):
    """Somebody on a side; `weight` is the share of the contest the player took part in, 0 < w ≤ 1. `contest` repeats
    the side's, so that the database can refuse a player twice."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="members")
    side = models.ForeignKey(ContestSide, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="contests")
    weight = models.FloatField(default=1.0)

    class Meta:
        ordering = ["side", "player"]
        constraints = [
            models.UniqueConstraint(fields=["contest", "player"], name="player_once_per_contest"),
            models.CheckConstraint(condition=Q(weight__gt=0, weight__lte=1), name="weight_is_a_share"),
        ]

    def __str__(self) -> str:
        return f"{self.side_id}: {self.player_id}"
