"""Passkeys of officers and members; what programs may do and are told: tokens of the write API with the answers they
had, webhooks and what was sent."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django_otp.models import Device

from players.models.readers import PersonalLink


class KeptPasskey(models.Model):
    """What is kept of a passkey: its public half, with which nobody proves anything. `digest`: of the credential's id,
    in hex; `credential`: id, public key and model (attested credential data), in base64url; `counter`: the last one it
    told, 0 where it keeps none."""

    digest = models.CharField(max_length=64, unique=True)
    credential = models.TextField()
    counter = models.BigIntegerField(default=0)
    added_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class Passkey(Device, KeptPasskey):  # type: ignore[django-manager-missing]  # of a package without types
    """A second factor that an officer's device or security key holds."""

    def __str__(self) -> str:
        return self.name


class LinkPasskey(KeptPasskey):
    """A member's passkey: on a new device it opens the personal link it was added by, while that holds. In no backup,
    like the link. `last_used_at`: when the question was put that it answered last; older ones it answers no more."""

    link = models.ForeignKey(PersonalLink, on_delete=models.CASCADE, related_name="passkeys")
    name = models.CharField(max_length=60)

    def __str__(self) -> str:
        return self.name


class ApiToken(models.Model):
    """A word with which a program acts for an officer, of which only the digest is kept. It may never do more than the
    officer may at that moment. A token that was taken back stays, because the trail names it by its key."""

    name = models.CharField(_("name of the device or program"), max_length=60)
    officer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    digest = models.CharField(max_length=64, unique=True)
    # Of `players.programs.services.SCOPES`, with commas between.
    scopes = models.CharField(max_length=60)
    # The key of the one event it is for; that table stands above this app, and an event may be deleted and come back.
    event = models.BigIntegerField(null=True)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class ApiAnswer(models.Model):
    """What a program was answered under a key of its own, so that the same request is not carried out twice. Neither
    the request nor the answer holds a name."""

    token = models.ForeignKey(ApiToken, on_delete=models.CASCADE, related_name="answers")
    key = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)  # of address and body
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(default="")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="answer_once_per_key")]

    def __str__(self) -> str:
        return f"{self.token_id}: {self.key}"


class Webhook(models.Model):
    """An address of another program that is told what happens. The secret that signs is worked out from `salt` and the
    site's own secret: it stands in no table and no backup."""

    name = models.CharField(_("name"), max_length=60)
    url = models.CharField(_("address"), max_length=500)
    salt = models.CharField(max_length=43)
    paired = models.BooleanField(_("a round is paired"), default=True)
    result = models.BooleanField(_("a result is entered"), default=True)
    correction = models.BooleanField(_("a game is corrected"), default=True)
    new_list = models.BooleanField(_("a rating list is published"), default=True)
    active = models.BooleanField(default=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class WebhookDelivery(models.Model):
    """One line of the trail for one webhook. What is sent is made when it is sent, from the facts as they are then."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        DEAD = "dead", _("given up")
        DROPPED = "dropped", _("nothing left to tell")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.BigIntegerField()  # key of the line
    kind = models.CharField(max_length=10)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    status = models.PositiveSmallIntegerField(default=0)  # of the last answer; 0 where there was none
    problem = models.CharField(max_length=20, default="")
    made_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["webhook", "event"], name="delivery_once_per_line")]
        indexes = [models.Index(fields=["state", "due_at"], name="delivery_by_state")]

    def __str__(self) -> str:
        return f"{self.webhook_id}: {self.event}"
