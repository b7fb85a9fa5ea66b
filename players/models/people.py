"""The club and its people.

A person's name stands in one row, `Player`. All else, `Player.__str__` too, has the number: no log copies a name.
"""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.people.names import slug_part


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
    def kept(self) -> "Player":
        """The record that stands for the person now: this one, or the one it was merged into, which may have been
        merged itself. A query for each step that is not loaded."""
        return self if self.merged_into is None else self.merged_into.kept

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


class Erasure(models.Model):
    """A person whose name and data are gone for good; the number stays, and a restored backup is erased again by it."""

    number = models.PositiveIntegerField(unique=True)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"#{self.number}"
