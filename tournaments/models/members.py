"""What members have a part in: reports of wrong results, notices of absence, prizes, the table of a season, entries
that players ask for themselves, and what a federation's papers say of an event."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.models import Player
from tournaments.models.event import Entry, Tournament
from tournaments.models.play import Game
from tournaments.standings.points import Result
from tournaments.standings.prizes import Sharing
from tournaments.standings.seasons import Scoring, Tie


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


class PrizeFund(models.Model):
    """How the prizes of an event are given: amounts in hundredths of the `currency`, which is a word or a sign."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="prize_fund")
    currency = models.CharField(_("currency"), max_length=12, blank=True, default="€")
    sharing = models.CharField(
        _("among equal points"),
        max_length=5,
        choices=[
            (Sharing.FULL.value, _("added and divided equally")),
            (Sharing.HORT.value, _("Hort: half by place, half divided equally")),
            (Sharing.NONE.value, _("not shared: the tie-breaks decide")),
        ],
        default=Sharing.FULL.value,
    )
    step = models.PositiveIntegerField(
        _("rounded down to"),
        choices=[(1, "0.01"), (10, "0.10"), (50, "0.50"), (100, "1"), (500, "5"), (1000, "10")],
        default=100,
    )
    one_each = models.BooleanField(_("one prize a person"), default=True)

    def __str__(self) -> str:
        return f"{self.tournament_id}"


class Prize(models.Model):
    """One prize: of a place, or the best of a category whose `limit` is an age or a rating. Money, a thing, or both."""

    class Kind(models.TextChoices):
        PLACE = "place", _("place")
        JUNIOR = "junior", _("best junior, up to age")
        SENIOR = "senior", _("best senior, from age")
        WOMAN = "woman", _("best woman")
        BELOW = "below", _("best rated below")
        NEWCOMER = "newcomer", _("best on probation or unrated")

    fund = models.ForeignKey(PrizeFund, on_delete=models.CASCADE, related_name="prizes")
    kind = models.CharField(_("for"), max_length=10, choices=Kind, default=Kind.PLACE)
    limit = models.PositiveSmallIntegerField(
        _("age or rating"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(4000)]
    )
    rank = models.PositiveSmallIntegerField(
        _("rank"), default=1, validators=[MinValueValidator(1), MaxValueValidator(500)]
    )
    amount = models.PositiveIntegerField(_("money"), default=0)
    thing = models.CharField(_("a thing"), max_length=100, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["fund", "kind", "limit", "rank"], name="prize_rank_once_a_limit"),
            models.UniqueConstraint(fields=["fund", "kind", "rank"], condition=Q(limit=None), name="prize_rank_once"),
            models.CheckConstraint(condition=Q(amount__gt=0) | ~Q(thing=""), name="prize_is_something"),
            models.CheckConstraint(
                condition=Q(kind__in=("junior", "senior", "below"), limit__isnull=False)
                | (~Q(kind__in=("junior", "senior", "below")) & Q(limit=None)),
                name="prize_has_its_limit",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.limit or ''} {self.rank}"


class Season(models.Model):
    """A table over several events. `best` results count, empty: all of them; `place_points` are those of first, second,
    … place where places score."""

    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=100)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    first_day = models.DateField(_("first day"), null=True, blank=True)
    last_day = models.DateField(_("last day"), null=True, blank=True)
    events = models.ManyToManyField(Tournament, blank=True, related_name="seasons", verbose_name=_("events"))
    scoring = models.CharField(
        _("what counts"),
        max_length=10,
        choices=[
            (Scoring.PLACES.value, _("points for the place in each event (Grand Prix)")),
            (Scoring.POINTS.value, _("the points scored in each event")),
        ],
        default=Scoring.PLACES.value,
    )
    place_points = models.CharField(
        _("points for first, second, … place"),
        max_length=200,
        blank=True,
        default="12, 10, 8, 7, 6, 5, 4, 3, 2, 1",
        validators=[RegexValidator(r"^\s*\d{1,4}(\s*,\s*\d{1,4}){0,59}\s*$", _("Numbers with commas between them."))],
    )
    best = models.PositiveSmallIntegerField(
        _("best results that count"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(200)],
    )
    tie = models.CharField(
        _("equal totals"),
        max_length=10,
        choices=[
            (Tie.BEST.value, _("the better best result, then the next")),
            (Tie.WINS.value, _("more events won, then the better best result")),
            (Tie.SHARED.value, _("share the place")),
        ],
        default=Tie.BEST.value,
    )
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-first_day", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(last_day=None) | Q(first_day=None) | Q(last_day__gte=F("first_day")),
                name="season_ends_after_it_starts",
                violation_error_message=_("The last day lies before the first."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("seasons:season", args=[self.slug])


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


class EventPapers(models.Model):
    """Facts for the rating report and the arbiter's report; without a row the papers have lines to fill in by hand.
    Arbiters are written as a report writes them, the FIDE number in brackets: "Doe, Jane (1234567)"."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="papers")
    federation = models.CharField(
        _("federation of the event"),
        max_length=3,
        blank=True,
        help_text=_("FIDE’s code of three letters, such as GER. It is not assumed to be anybody’s own federation."),
    )
    organiser = models.CharField(_("organiser"), max_length=100, blank=True)
    chief_arbiter = models.CharField(
        _("chief arbiter"), max_length=100, blank=True, help_text=_("With the FIDE number: Doe, Jane (1234567).")
    )
    deputies = models.TextField(
        _("deputies and further arbiters"), max_length=1000, blank=True, help_text=_("A line each, in the same way.")
    )
    # As `tournaments.interchange.rate_of_play` writes it.
    time_control = models.CharField(
        _("rate of play"),
        max_length=60,
        blank=True,
        help_text=_("Minutes + seconds a move: 90+30. Several periods: 40/90+30, 30+30 (moves/minutes + seconds)."),
    )
    appeals = models.TextField(
        _("appeals"), max_length=1000, blank=True, help_text=_("The appeals committee, appeals and what was decided.")
    )
    remarks = models.TextField(_("remarks"), max_length=1000, blank=True)
    revision = models.PositiveIntegerField(default=0, editable=False)

    def __str__(self) -> str:
        return f"{self.tournament_id}"


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
