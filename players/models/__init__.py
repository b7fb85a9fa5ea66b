"""Tables of the bottom app: the club, its players, the audit trail, background jobs, and in `players.models.programs`
what programs may do.

A person's name stands in one row, `Player`. All else, `Player.__str__` too, has the number: no log copies a name.
"""

from typing import NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.models.programs import ApiAnswer, ApiToken, Passkey, Webhook, WebhookDelivery
from players.people.names import slug_part

__all__ = [
    "ApiAnswer",
    "ApiToken",
    "AuditEvent",
    "Club",
    "Counter",
    "Erasure",
    "Guardian",
    "Job",
    "JobChunk",
    "MailSubscription",
    "Passkey",
    "Player",
    "PlayerIdentity",
    "Subscription",
    "Trail",
    "Visibility",
    "Wanted",
    "Webhook",
    "WebhookDelivery",
]


class Counter(models.Model):
    """A number that only grows: player numbers, the order in which results were first recorded."""

    name = models.CharField(max_length=40, primary_key=True)
    value = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return self.name


class Visibility(models.TextChoices):
    """Who sees a person's name. The levels are explained in `players.privacy.rules`."""

    PUBLIC = "public", _("everybody sees the name")
    INITIALS = "initials", _("the public sees initials, members the name")
    MEMBERS = "members", _("only members see the name")
    HIDDEN = "hidden", _("only officers see the name")


class Club(models.Model):
    """The club itself: one row. `pass_phrase` is stored hashed; changing it raises `pass_phrase_version`, which ends
    every member's session."""

    only = models.BooleanField(_("the club"), default=True, unique=True, editable=False)
    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=100)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    default_visibility = models.CharField(
        _("who sees a new adult's name"), max_length=10, choices=Visibility, default=Visibility.PUBLIC
    )
    pass_phrase = models.CharField(_("members' pass-phrase"), max_length=200, blank=True)
    pass_phrase_version = models.PositiveIntegerField(default=0, editable=False)
    # A line each: what an event is called, and its factor on K; empty: the usual scale (`players.club.services`).
    importance_scale = models.TextField(_("importance of events"), max_length=1000, blank=True, db_default="")
    personal_links = models.BooleanField(_("personal links of members"), default=False, db_default=False)
    # Hours of the clock, 0 to 23: between the first two readers are told nothing (`players.notices.hours`).
    quiet_from = models.PositiveSmallIntegerField(_("no notices from"), default=22, db_default=22)
    quiet_until = models.PositiveSmallIntegerField(_("no notices until"), default=7, db_default=7)
    letters_at = models.PositiveSmallIntegerField(_("daily letters at"), default=8, db_default=8)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("club")
        constraints = [models.CheckConstraint(condition=Q(only=True), name="club_is_one_row")]

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """One person. `number` is given once and never reused; only the year of birth is kept."""

    class Sex(models.TextChoices):
        FEMALE = "f", _("female")
        MALE = "m", _("male")

    class Title(models.TextChoices):
        GM = "GM", "GM"
        IM = "IM", "IM"
        WGM = "WGM", "WGM"
        FM = "FM", "FM"
        WIM = "WIM", "WIM"
        CM = "CM", "CM"
        WFM = "WFM", "WFM"
        WCM = "WCM", "WCM"

    number = models.PositiveIntegerField(_("number"), unique=True, editable=False)
    name = models.CharField(_("name"), max_length=100, help_text=_("As the person writes it, in any script."))
    reading = models.CharField(
        _("reading"),
        max_length=100,
        blank=True,
        default="",
        db_default="",
        help_text=_("The name in another script, for those who cannot read it: Satō Haruka for 佐藤はるか."),
    )
    sort_name = models.CharField(max_length=200, editable=False)
    search_name = models.CharField(max_length=500, editable=False)
    birth_year = models.PositiveSmallIntegerField(_("year of birth"), null=True, blank=True)
    sex = models.CharField(_("sex"), max_length=1, choices=Sex, blank=True)
    title = models.CharField(_("title"), max_length=3, choices=Title, blank=True)
    visibility = models.CharField(_("who sees the name"), max_length=10, choices=Visibility)
    active = models.BooleanField(_("active"), default=True)
    joined_on = models.DateField(_("member since"), null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged", editable=False
    )
    revision = models.PositiveIntegerField(default=0, editable=False)

    # No column: who is entered together with the player (`tournaments.entries.members`); `shown_name` names them too.
    beside: "tuple[Player, ...]" = ()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["sort_name", "number"]
        indexes = [models.Index(fields=["sort_name", "number"], name="player_by_name")]
        constraints = [
            models.CheckConstraint(
                condition=Q(birth_year=None) | Q(birth_year__range=(1850, 2200)), name="player_birth_year_is_plausible"
            ),
            models.CheckConstraint(condition=Q(visibility__in=Visibility.values), name="player_visibility_is_known"),
        ]

    def __str__(self) -> str:
        return f"#{self.number}"

    def get_absolute_url(self) -> str:
        return reverse("players:player", args=[self.slug])

    @property
    def slug(self) -> str:
        """Number and Latin name; the bare number for anybody who is not public."""
        part = slug_part(self.name, self.reading) if self.visibility == Visibility.PUBLIC else ""
        return f"{self.number}-{part}" if part else str(self.number)


class PlayerIdentity(models.Model):
    """A number some body outside the club knows the player by."""

    class Scheme(models.TextChoices):
        FIDE = "fide", _("FIDE")
        NATIONAL = "national", _("national federation")

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="identities")
    scheme = models.CharField(_("given by"), max_length=10, choices=Scheme)
    value = models.CharField(_("number"), max_length=30)

    class Meta:
        verbose_name = _("outside number")
        verbose_name_plural = _("outside numbers")
        constraints = [
            models.UniqueConstraint(
                fields=["scheme", "value"],
                name="identity_belongs_to_one_player",
                violation_error_message=_("Another player has this number."),
            ),
            models.UniqueConstraint(fields=["player", "scheme"], name="identity_once_per_player"),
        ]

    def __str__(self) -> str:
        return f"{self.scheme} {self.value}"


class Guardian(models.Model):
    """Who speaks for a minor. Officers only; gone when the minor is of age, or is erased. Only with this consent may a
    minor's full name be public."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="guardians")
    name = models.CharField(_("name"), max_length=100)
    contact = models.CharField(_("how to reach"), max_length=200, blank=True)
    allows_name = models.BooleanField(_("allows the full name to be public"), default=False)
    told_on = models.DateField(_("told us on"), null=True, blank=True)

    class Meta:
        verbose_name = _("guardian")
        verbose_name_plural = _("guardians")
        ordering = ["player", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(allows_name=False) | Q(told_on__isnull=False),
                name="guardian_consent_has_its_day",
                violation_error_message=_("A consent needs the day on which it was given."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.player_id}"


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


class Erasure(models.Model):
    """A person whose name and data are gone for good; the number stays, and a restored backup is erased again by it."""

    number = models.PositiveIntegerField(unique=True)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"#{self.number}"


def _written_once(*args: object, **kwargs: object) -> NoReturn:
    raise TypeError("The audit trail is append-only: write_audit adds to it, and nobody changes or deletes a line.")


class Trail(models.QuerySet["AuditEvent"]):
    """The lines of the audit trail: to be added and read."""

    update = bulk_update = update_or_create = delete = _written_once


class AuditEvent(models.Model):
    """One change of a fact, written by the service that made it, in the same transaction. Never edited, no names in
    it: `before` and `after` hold keys, codes, dates and figures, `effect` what a correction moved downstream."""

    class Reason(models.TextChoices):
        NONE = "", "–"
        ENTRY_ERROR = "entry-error", _("entered wrongly")
        WRONG_COLOURS = "wrong-colours", _("colours were exchanged")
        APPEAL = "appeal", _("decision on an appeal")
        LATE_REPORT = "late-report", _("reported late")
        DUPLICATE = "duplicate", _("entered twice")
        WRONG_PLAYER = "wrong-player", _("wrong player")
        PAIRED_WRONGLY = "paired-wrongly", _("paired wrongly")
        DID_NOT_COME = "did-not-come", _("did not come")
        LEFT = "left", _("left the event")
        WISH = "wish", _("the person’s own wish")
        UNDONE = "undone", _("taken back")
        OTHER = "other", _("another reason")

    at = models.DateTimeField(_("when"), auto_now_add=True, db_index=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("who")
    )
    role = models.CharField(_("role"), max_length=20)
    # Where in the app: a page's name, a command, a background job (`players.trail.services`).
    origin = models.CharField(_("from"), max_length=80, blank=True)
    action = models.CharField(_("what"), max_length=40)
    subject_kind = models.CharField(_("about"), max_length=20)
    subject_key = models.BigIntegerField(_("key"))
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    effect = models.JSONField(_("what it moved"), default=dict)
    reason = models.CharField(_("reason"), max_length=20, choices=Reason, blank=True)
    note = models.TextField(_("note"), blank=True)

    objects = Trail.as_manager()
    # An existing row can neither be saved again nor deleted.
    _do_update = delete = _written_once

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit trail")
        ordering = ["-id"]
        indexes = [models.Index(fields=["subject_kind", "subject_key"], name="audit_by_subject")]

    def __str__(self) -> str:
        return f"{self.action} {self.subject_kind} {self.subject_key}"


class Job(models.Model):
    """Background work and how far it is. The queue may lose tasks; this row is authoritative. `payload` says what is to
    be done, `progress` how much of it is (0 … 100). `question`: of work that only answers a question, the digest of the
    question and of the facts its answer rests on; one job that has not failed answers it for everybody."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    kind = models.CharField(_("kind"), max_length=40)
    subject_key = models.BigIntegerField(_("about"), null=True)
    payload = models.JSONField(_("what is to be done"), default=dict)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("requested by"),
    )
    requested_at = models.DateTimeField(_("requested"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True)
    progress = models.PositiveSmallIntegerField(_("per cent done"), default=0)
    message = models.TextField(_("outcome"), blank=True)
    question = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)

    class Meta:
        verbose_name = _("background job")
        verbose_name_plural = _("background jobs")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["question"],
                condition=Q(state__in=("waiting", "running", "done")) & ~Q(question=""),
                name="question_is_answered_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class JobChunk(models.Model):
    """A part of a job that can be done again without harm. `lease_until` says who else may take it over, and when."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    seed = models.BigIntegerField(null=True)
    lease_until = models.DateTimeField(null=True)
    done = models.BooleanField(default=False)
    result = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "number"], name="chunk_once_per_job")]

    def __str__(self) -> str:
        return f"{self.job_id}/{self.number}"
