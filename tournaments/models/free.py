"""Events without rounds: how their members challenge each other and check in, their challenges and evenings."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from tournaments.models.event import Entry, Tournament
from tournaments.models.play import Game
from tournaments.pairing.evening import Partners


class FreeRules(models.Model):
    """What the members of an event without rounds do by themselves; without a row they do nothing."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="free_rules")
    challenges = models.BooleanField(_("members challenge each other"), default=False)
    answer_days = models.PositiveSmallIntegerField(
        _("days to answer a challenge"), default=3, validators=[MinValueValidator(1), MaxValueValidator(30)]
    )
    play_days = models.PositiveSmallIntegerField(
        _("days to play it"), default=14, validators=[MinValueValidator(1), MaxValueValidator(90)]
    )
    rest_days = models.PositiveSmallIntegerField(
        _("days before the same two may challenge again"), default=14, validators=[MaxValueValidator(365)]
    )
    check_in = models.BooleanField(_("members check in on their phones"), default=False)
    partners = models.CharField(
        _("who meets on an evening"),
        max_length=4,
        choices=[
            (Partners.NEAR.value, _("those of about the same strength")),
            (Partners.NEW.value, _("those who have not met for longest")),
        ],
        default=Partners.NEAR.value,
    )
    revision = models.PositiveIntegerField(default=0, editable=False)

    def __str__(self) -> str:
        return f"{self.tournament_id}"


class Challenge(models.Model):
    """Somebody on a ladder challenges somebody above. It waits until the end of `answer_by`, and lapses then; accepted
    it has a `game` without a result, to be played until the end of `play_by`. Whether it is open is read off these and
    the game (`tournaments.challenges.selectors`), so no clock has to write anything."""

    class State(models.TextChoices):
        WAITING = "waits", _("waits for an answer")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        CANCELLED = "cancelled", _("cancelled")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="challenges")
    challenger = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="challenges_made")
    challenged = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="challenges_met")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    made_on = models.DateField()
    answer_by = models.DateField()
    play_by = models.DateField(null=True)
    game = models.OneToOneField(Game, on_delete=models.SET_NULL, null=True, related_name="challenge")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(challenger=F("challenged")), name="challenge_has_two_sides"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.challenger_id}–{self.challenged_id}"


class Evening(models.Model):
    """An evening on which members check in; the `door_code` is in the address at the door. It is no secret: it opens
    nothing without a personal link, and ends with the evening."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="evenings")
    door_code = models.CharField(max_length=24, unique=True)
    opened_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.opened_at:%Y-%m-%d}"


class Arrival(models.Model):
    """Somebody is here on an evening, since that moment; and has left, where `left_at` says so."""

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="arrivals")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="arrivals")
    at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["at", "id"]
        constraints = [models.UniqueConstraint(fields=["evening", "player"], name="arrival_once_an_evening")]

    def __str__(self) -> str:
        return f"{self.evening_id}: {self.player_id}"
