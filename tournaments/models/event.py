"""The event: tournament → stage, its entries, and what is known of them before a round is made."""

from datetime import date

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.models import Player
from tournaments.pairing.evening import Partners

RESERVED_SLUGS = ["masters"]
MOST_IN_ENTRY = 8


class ByeWorth(models.TextChoices):
    """What a pairing-allocated bye is worth; empty: what the point system says."""

    WIN = "win", _("as a win")
    DRAW = "draw", _("as a draw")
    LOSS = "loss", _("nothing")


class LeaverRule(models.TextChoices):
    """What becomes of the games of somebody who leaves a round robin."""

    FIDE = "fide", _("FIDE: before half of the games nothing counts, from half on everything")
    ALL = "all", _("everything played counts, what is left is forfeited")


class BoardGame(models.TextChoices):
    """What is played. It says who begins and which colours there are; no rule of pairing or rating hangs on it."""

    CHESS = "chess", _("chess")
    XIANGQI = "xiangqi", _("xiangqi")
    GO = "go", _("go")
    DRAUGHTS = "draughts", _("draughts")
    OTHER = "other", _("another game")


class ScoreKind(models.TextChoices):
    """What a score counts."""

    POINTS = "points", _("points")
    VICTORY = "victory", _("victory points")
    GOALS = "goals", _("goals")
    SETS = "sets", _("sets")
    IMP = "imp", _("IMP")
    PERCENT = "percent", _("percent")


class SecondReading(models.TextChoices):
    """Whether every result is read a second time, and by whom."""

    NONE = "", _("none")
    ANYBODY = "any", _("by anybody, also by who entered it")
    ANOTHER = "other", _("by somebody else than who entered it")


class PlayerResults(models.TextChoices):
    """Whether players report their own results, from devices known by a personal link."""

    NONE = "", _("no")
    AGREED = "agreed", _("yes: what both say counts at once")
    TICKED = "ticked", _("yes: what both say waits for an arbiter")


class Tournament(models.Model):
    """An event. `open_ended` ones (club evenings, loaded streams) have no entries and no rounds, only games."""

    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=100)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    place = models.CharField(pgettext_lazy("where it is played", "place"), max_length=100, blank=True)
    starts_on = models.DateField(_("first day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    rated = models.BooleanField(_("rated"), default=True)
    # Lists that rate by the event wait for this; results can still be corrected.
    closed = models.BooleanField(_("over"), default=False, editable=False)
    closed_at = models.DateTimeField(null=True, editable=False)
    pool = models.SlugField(_("pool"), max_length=30, default="standard")
    game = models.CharField(
        _("game played"), max_length=8, choices=BoardGame, default=BoardGame.CHESS, db_default=BoardGame.CHESS
    )
    # What the scores of contests are; without any, only places are entered.
    scores = models.CharField(
        _("scores"),
        max_length=8,
        choices=ScoreKind,
        blank=True,
        default="",
        db_default="",
        help_text=_("What the scores of tables are. Empty: only places are entered."),
    )
    low_score_wins = models.BooleanField(_("the lower score wins"), default=False, db_default=False)
    entry_size = models.PositiveSmallIntegerField(
        _("players in an entry"),
        default=1,
        db_default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_IN_ENTRY)],
        help_text=_("1: everybody plays alone. 2: pairs enter together and are paired as one."),
    )
    # A factor on K, copied to each game with its first result.
    importance = models.FloatField(
        _("importance"), default=1.0, db_default=1.0, validators=[MinValueValidator(0.01), MaxValueValidator(100)]
    )
    # Of even games of go, copied to each with its first result; empty is 6.5 (`ratings.systems.egf`).
    komi = models.FloatField(_("usual komi"), null=True, blank=True)
    # Who may enter, by the rating in the pool's main list.
    tier_from = models.PositiveIntegerField(_("for ratings from"), null=True, blank=True)
    tier_below = models.PositiveIntegerField(_("for ratings below"), null=True, blank=True)
    open_ended = models.BooleanField(_("open-ended"), default=False, editable=False)
    # Games with a result, kept for open-ended ones only (`events.services.counts`).
    game_count = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    point_system = models.CharField(_("points"), max_length=20, default="classic")
    # What a bye given for want of an opponent brings; empty: what the format and the point system say.
    allocated_bye = models.CharField(_("allocated bye"), max_length=4, blank=True, choices=ByeWorth)
    leaver_rule = models.CharField(
        _("who leaves a round robin"), max_length=8, choices=LeaverRule, default=LeaverRule.FIDE
    )
    half_byes = models.PositiveSmallIntegerField(_("half-point byes a player"), default=1)
    # In so many of the last rounds none is given.
    half_byes_end = models.PositiveSmallIntegerField(_("last rounds without them"), default=1)
    # Hours after a round's planned time; empty: until the next round is paired.
    correction_hours = models.PositiveSmallIntegerField(_("hours to report a wrong result"), null=True, blank=True)
    tiebreaks = models.CharField(_("tie-breaks"), max_length=200, default="SB,WIN", blank=True)
    # The seed of the drawing of lots, where the tie-breaks end with one.
    tiebreak_lots = models.BigIntegerField(null=True, editable=False)
    swiss_edition = models.PositiveSmallIntegerField(_("edition of the Swiss rules"), default=2026)
    tiebreak_edition = models.PositiveSmallIntegerField(_("edition of the tie-break rules"), default=2026)
    second_reading = models.CharField(
        _("second reading of results"), max_length=5, choices=SecondReading, default=SecondReading.NONE, blank=True
    )
    player_results = models.CharField(
        _("players report results"),
        max_length=6,
        choices=PlayerResults,
        default=PlayerResults.NONE,
        db_default="",
        blank=True,
        help_text=_("From phones that are known by a personal link."),
    )
    silent_minutes = models.PositiveSmallIntegerField(
        _("minutes for the opponent to answer"),
        default=15,
        db_default=15,
        validators=[MinValueValidator(1), MaxValueValidator(1440)],
        help_text=_("After that the arbiter sees a report that nobody answered."),
    )
    score_sheets = models.BooleanField(
        _("photos of score sheets"),
        default=False,
        db_default=False,
        help_text=_(
            "Where a result is disputed. Seen by both players and the event’s officers, deleted after the event."
        ),
    )
    # Who runs it; nobody named: every arbiter and assistant.
    officers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="tournaments_run", verbose_name=_("run by")
    )
    # Records of a tournament report that we do not use; they leave with the next report as they came.
    foreign_records = models.TextField(blank=True, editable=False)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = [F("starts_on").desc(nulls_last=True), "-id"]
        permissions = [("enter_results", "Can enter results and who has come")]
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_on=None) | Q(starts_on=None) | Q(ends_on__gte=F("starts_on")),
                name="tournament_ends_after_it_starts",
                violation_error_message=_("The last day lies before the first."),
            ),
            models.CheckConstraint(
                condition=Q(tier_from=None) | Q(tier_below=None) | Q(tier_below__gt=F("tier_from")),
                name="tournament_tier_has_room",
                violation_error_message=_("Nobody’s rating lies in that range."),
            ),
            models.CheckConstraint(
                condition=~Q(slug__in=RESERVED_SLUGS),
                name="tournament_slug_is_free",
                violation_error_message=_("This address is reserved: choose another."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:tournament", args=[self.slug])

    def nearest_day(self, day: date) -> date:
        """That day, or the event's first or last one where it lies before or after them."""
        day = max(day, self.starts_on) if self.starts_on else day
        return min(day, self.ends_on) if self.ends_on else day


class Stage(models.Model):
    """A part of an event paired in one way. A simple event has one, made silently. `settings` are the pairing
    system's own; `lots_seed` is the seed the pairing numbers were drawn with. The `name` of an open-ended event's
    stage is what files call it by.

    In an event of several parts (groups, then a knockout) the first stage is the plan and has no rounds; those of the
    same `part` are played side by side. A stage that does not take everybody has its own field: `StageEntry`."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    order = models.PositiveSmallIntegerField(default=1)
    part = models.PositiveSmallIntegerField(default=1)
    takes_everybody = models.BooleanField(default=True)
    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=100, blank=True)
    pairing_system = models.CharField(_("format"), max_length=30, blank=True)
    settings = models.JSONField(default=dict, blank=True)
    pool = models.SlugField(_("pool"), max_length=30, blank=True)
    lots_seed = models.BigIntegerField(null=True, editable=False)

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["tournament", "order"], name="stage_order_once")]

    def __str__(self) -> str:
        return self.name or f"{self.order}"


class Entry(models.Model):
    """A player's entry. `number` is the pairing number. The rating is a snapshot: value, games, list and day."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField(_("pairing number"), null=True)
    rating = models.FloatField(null=True)
    rating_games = models.PositiveIntegerField(null=True)
    rating_deviation = models.FloatField(null=True)
    rating_list = models.SlugField(max_length=40, blank=True)
    rating_on = models.DateField(null=True)
    # FIDE's code of the federation the player is registered with, as it was at this event.
    federation = models.CharField(_("federation"), max_length=3, blank=True, default="", db_default="")
    first_round = models.PositiveSmallIntegerField(default=1)
    last_round = models.PositiveSmallIntegerField(null=True)
    withdrawn = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["number", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entry_once_per_player"),
            models.UniqueConstraint(fields=["tournament", "number"], name="entry_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number or '–'}: {self.player}"


class EntryMember(models.Model):
    """Somebody who plays in an entry of more than one, in the order they were entered; the first of them is the entry's
    `player` too. `tournament` repeats the entry's, so that the database can refuse a player twice."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entry_members")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entry_members")
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["entry", "order"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entry_member_once_per_event"),
            models.UniqueConstraint(fields=["entry", "order"], name="entry_member_order_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id}.{self.order}: {self.player_id}"


class StageEntry(models.Model):
    """Who plays in a stage that does not take everybody, with the number there: of the table, or the seed."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="field")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveIntegerField()

    class Meta:
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry"], name="entry_once_per_stage"),
            models.UniqueConstraint(fields=["stage", "number"], name="stage_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.entry_id}"


class ProhibitedPair(models.Model):
    """Two who must not meet (a family, a club) wherever the format can help it. `first` is the entry made first."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="prohibited_pairs")
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="prohibited_pair_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="prohibited_pair_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.first_id}–{self.second_id}"


class ByeKind(models.TextChoices):
    """Why somebody has no opponent."""

    ALLOCATED = "pab", _("bye")
    FULL = "full", _("full-point bye")
    HALF = "half", _("half-point bye")
    ZERO = "zero", _("zero-point bye")


class ByeRequest(models.Model):
    """A round a player asked to miss."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="bye_requests")
    round_number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=4, choices=ByeKind)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "round_number"], name="bye_request_once_per_round")]

    def __str__(self) -> str:
        return f"{self.round_number}: {self.kind}"


class CheckIn(models.Model):
    """Whether somebody is there on a day, as it was seen at the door."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="check_ins")
    on = models.DateField()
    here = models.BooleanField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "on"], name="check_in_once_a_day")]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.on} {self.here}"


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
            (Partners.LIST.value, _("those whose games tell most about the list")),
            (Partners.TITLE.value, _("those whose games tell most about the first place")),
            (Partners.NEWCOMERS.value, _("those whose games tell most about newcomers")),
        ],
        default=Partners.NEAR.value,
    )
    revision = models.PositiveIntegerField(default=0, editable=False)

    def __str__(self) -> str:
        return f"{self.tournament_id}"
