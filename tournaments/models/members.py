"""What members have a part in: reports of results and of wrong ones, photos of score sheets, notices of absence,
entries that players ask for themselves, challenges and evenings."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from tournaments.models.event import Entry, Tournament
from tournaments.models.play import Game
from tournaments.standings.points import Result


class ResultReport(models.Model):
    """Somebody says that a result is wrong: `claimed` is what it should be, `stood` what it was when that was said.
    It changes nothing by itself. `words`, `contact` and `answer` are for officers; `contact` is kept only while the
    report is open."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="reports")
    stood = models.CharField(max_length=5, choices=[(code.value, code.value or "–") for code in Result])
    claimed = models.CharField(max_length=5, choices=[(code.value, code.value or "–") for code in Result])
    words = models.CharField(max_length=500, blank=True)
    contact = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    settled_at = models.DateTimeField(null=True)
    # The team whose captain said so, on a match card.
    by_team = models.ForeignKey("Team", on_delete=models.SET_NULL, null=True, related_name="+", editable=False)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    answer = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(claimed=""), name="report_claims_a_result"),
            models.CheckConstraint(
                condition=Q(state="open", settled_at=None) | (~Q(state="open") & Q(settled_at__isnull=False)),
                name="report_is_open_or_settled",
            ),
            models.CheckConstraint(condition=Q(state="open") | Q(contact=""), name="report_forgets_whom_to_reach"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.claimed}"


class PlayerResult(models.Model):
    """What one side of a board says happened, as White's result. It counts while the game has that `revision`: once
    anybody wrote or cleared a result, or seated others, both sides may say anew."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="player_results")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="player_results")
    claimed = models.CharField(max_length=5, choices=[(code.value, code.value or "–") for code in Result])
    revision = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["game", "entry"], name="player_result_once_a_side"),
            models.CheckConstraint(condition=~Q(claimed=""), name="player_result_says_something"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.claimed}"


class ScoreSheet(models.Model):
    """A photo of a score sheet, kept with a disputed game for its players and the event's officers. `image` is a JPEG
    that was written anew, without any metadata; `entry` the side that added it, empty for an officer. It is in no
    backup and goes after the event (`tournaments.score_sheets.services`)."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="score_sheets")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, related_name="score_sheets")
    image = models.BinaryField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.pk}"


class AbsenceNotice(models.Model):
    """A member said that somebody will miss a round. It pairs nobody and moves nobody: an arbiter turns it into a bye
    or an absence. `late`: the round was made when it was said."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="absence_notices")
    round_number = models.PositiveSmallIntegerField()
    late = models.BooleanField(default=False)
    told_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["round_number", "id"]
        constraints = [models.UniqueConstraint(fields=["entry", "round_number"], name="absence_told_once_per_round")]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.round_number}"


# --- entries by the players ------------------------------------------------------------------------------------------
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


# --- events without rounds -----------------------------------------------------------------------------------------
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
