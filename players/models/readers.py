"""What is known of readers without an account: who wants notices, what is still to be told, personal links, and what
they find wrong on a page."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models.people import Player


class Wanted(models.Model):
    """What somebody wants notices of, and in which language. Whose device or address it is nobody knows: anybody can
    claim to be anybody, so notices tell what the public page tells."""

    language = models.CharField(max_length=10)
    paired = models.BooleanField(_("you are paired"), default=True)
    result = models.BooleanField(_("your result was entered"), default=True)
    new_list = models.BooleanField(_("a new rating list"), default=True)
    # Further kinds, each by its key between commas: ",reported,entry,".
    also = models.CharField(max_length=200, blank=True, default="", db_default="")
    # Digest of the device on which they were asked for; empty unless a personal link made it known as the player's.
    device = models.CharField(max_length=64, blank=True, default="", db_default="")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class Subscription(Wanted):
    """A browser that wants notices, by the address its maker's push service gave it."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="subscriptions")
    endpoint = models.CharField(max_length=500, unique=True)
    # The browser's key and secret: only it can read what is sent (RFC 8291).
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    # Whether a push service ever took a notice for it: an address that was made up never gets there.
    reached = models.BooleanField(default=False, db_default=False)

    def __str__(self) -> str:
        return f"{self.player_id}"


class MailSubscription(Wanted):
    """An e-mail address that wants notices. Until its owner has confirmed it, it gets the question only. Not in
    backups: an old one would bring back whoever has stopped since."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="mail_subscriptions")
    address = models.EmailField()
    # Of the link in every letter, which confirms, changes and stops: whoever has it has read that address's mail.
    key = models.CharField(max_length=43, unique=True)
    # Where the club's pages begin, for links; a worker has no request to read it from.
    site = models.CharField(max_length=200)
    asked_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    # One letter a day instead of one for each piece of news.
    daily = models.BooleanField(default=False, db_default=False)
    # Not used any more; what was sent is noted in `DueNotice`.
    last_event = models.BigIntegerField(null=True)
    last_sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "address"], name="mail_once_per_player")]

    def __str__(self) -> str:
        return f"{self.player_id}"


class DueNotice(models.Model):
    """A line of the trail that one reader is to be told of, from `due_at` on; kept for some days after it was sent, so
    that nothing is told twice. In no backup: what a reader has stopped since is not told."""

    browser = models.ForeignKey(Subscription, on_delete=models.CASCADE, null=True, related_name="due")
    mail = models.ForeignKey(MailSubscription, on_delete=models.CASCADE, null=True, related_name="due")
    event = models.BigIntegerField()
    kind = models.CharField(max_length=20)
    due_at = models.DateTimeField(db_index=True)
    tries = models.PositiveSmallIntegerField(default=0, db_default=0)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["due_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["browser", "event"], name="due_once_a_browser"),
            models.UniqueConstraint(fields=["mail", "event"], name="due_once_an_address"),
            models.CheckConstraint(condition=Q(browser=None) ^ Q(mail=None), name="due_for_one_reader"),
        ]

    def __str__(self) -> str:
        return f"{self.event}"


class SecretLink(models.Model):
    """A link by which somebody without an account may do something. Only a digest of its secret is kept."""

    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.pk}"


class PersonalLink(SecretLink):
    """A player's own link, or a guardian's (who, in a word); it opens on so many further devices. In no backup."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="personal_links")
    guardian = models.CharField(max_length=60, blank=True)
    devices_left = models.PositiveSmallIntegerField()


class LinkDevice(models.Model):
    """A device on which a personal link was opened, by the digest of the key in its cookie."""

    link = models.ForeignKey(PersonalLink, on_delete=models.CASCADE, related_name="devices")
    digest = models.CharField(max_length=64, db_index=True)
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.link_id}"


class PageReport(models.Model):
    """A wrong word or figure that somebody saw. `address`: of which page of this site, empty where nobody knows or it
    is one reader's secret (`clubrating.web.own_pages`). Who wrote it is not known."""

    at = models.DateTimeField(_("when"), auto_now_add=True)
    address = models.CharField(_("page"), max_length=300, blank=True)
    words = models.TextField(_("what is wrong"), max_length=1000)
    done_at = models.DateTimeField(_("done"), null=True)
    done_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("done by")
    )

    class Meta:
        verbose_name = _("report of a mistake")
        verbose_name_plural = _("reports of mistakes")
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.pk}"
