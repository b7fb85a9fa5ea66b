"""Entries by the players themselves: the rules of an event that takes them, and what was asked for."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from tournaments.models.event import Entry, Tournament

_YEARS = [MinValueValidator(1900), MaxValueValidator(2100)]


class EntryRules(models.Model):
    """How an event takes entries on its page; without a row it takes none. Whom it is for by rating stands in the
    event (`tier_from`, `tier_below`), and so does how many half-point byes a player has (`half_byes`)."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="entry_rules")
    opens_at = models.DateTimeField(_("entries open"), null=True, blank=True)
    closes_at = models.DateTimeField(_("entries close"), null=True, blank=True)
    places = models.PositiveSmallIntegerField(
        _("places"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(2000)],
        help_text=_("Whoever comes later stands on the waiting list. Empty: room for everybody."),
    )
    approval = models.BooleanField(
        _("an officer approves every entry"),
        default=True,
        help_text=_("Without it known players are entered at once. Newcomers always wait for an officer."),
    )
    born_from = models.PositiveSmallIntegerField(_("born in or after"), null=True, blank=True, validators=_YEARS)
    born_until = models.PositiveSmallIntegerField(_("born in or before"), null=True, blank=True, validators=_YEARS)
    byes = models.BooleanField(_("half-point byes may be asked for with the entry"), default=False)
    fee = models.CharField(
        _("entry fee"), max_length=60, blank=True, help_text=_("For information: nothing is paid on this site.")
    )
    words = models.TextField(_("text for entrants"), max_length=1000, blank=True)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(opens_at=None) | Q(closes_at=None) | Q(closes_at__gt=F("opens_at")),
                name="entry_rules_close_after_they_open",
                violation_error_message=_("Entries close before they open: correct one of the two."),
            ),
            models.CheckConstraint(
                condition=Q(born_from=None) | Q(born_until=None) | Q(born_until__gte=F("born_from")),
                name="entry_rules_leave_a_year",
                violation_error_message=_("Nobody is born in those years: correct one of the two."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}"

    @property
    def asks_year(self) -> bool:
        """Whether the year of birth decides who may enter."""
        return self.born_from is not None or self.born_until is not None


class EntryRequest(models.Model):
    """Somebody wants to play in an event. It enters nobody by itself: an accepted one makes an ordinary `Entry`.

    `player`: who was chosen, or whom an officer linked; until then a newcomer stands in `name` and `birth_year`, for
    officers alone. `turn` is the order in which requests were confirmed. Of the two secrets of its links only digests
    are kept: of the page's, and of the last letter's. `told`: the state that letter told."""

    class State(models.TextChoices):
        UNCONFIRMED = "new", _("not confirmed")
        WAITING = "waits", _("waits for an officer")
        LISTED = "listed", _("on the waiting list")
        ENTERED = "entered", _("entered")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("withdrawn")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entry_requests")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="entry_requests")
    entry = models.ForeignKey(Entry, on_delete=models.SET_NULL, null=True, related_name="requests")
    name = models.CharField(max_length=100, blank=True)
    birth_year = models.PositiveSmallIntegerField(null=True)
    address = models.EmailField(blank=True)
    language = models.CharField(max_length=10, blank=True)
    # Where the club's pages begin, for links; a worker has no request to read it from.
    site = models.CharField(max_length=200, blank=True)
    # Rounds for which a half-point bye is asked, with commas.
    byes = models.CharField(max_length=60, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.UNCONFIRMED)
    turn = models.PositiveIntegerField(null=True)
    paid = models.BooleanField(default=False)
    answer = models.CharField(max_length=300, blank=True)
    digest = models.CharField(max_length=64, blank=True, db_index=True)
    letter_digest = models.CharField(max_length=64, blank=True, db_index=True)
    letter_at = models.DateTimeField(null=True)
    told = models.CharField(max_length=10, blank=True)
    asked_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["turn", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "turn"], name="entry_request_turn_once"),
            models.UniqueConstraint(
                fields=["tournament", "player"],
                condition=Q(state__in=("waits", "listed", "entered")),
                name="entry_request_once_per_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.state}"
