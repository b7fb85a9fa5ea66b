"""Tables of how strong: lists with dated rules, starting ratings (facts), the ledger and the current ratings.

The ledger is computed: it equals a fresh replay of the facts, and `manage.py rebuild_ratings --check` says so.
"""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from ratings.models.said import ListForecast as ListForecast
from ratings.models.said import ListForecastLine as ListForecastLine
from ratings.models.said import PublishedList as PublishedList
from ratings.models.said import PublishedRow as PublishedRow
from ratings.models.said import WrittenOnce as WrittenOnce
from ratings.systems.probation import Probation

RESERVED_SLUGS = ["corrections"]


class NamedInLanguages(models.Model):
    """A row with a name of its own and, in `names`, further ones by language code. Readers see `shown_name`; files,
    JSON, digests and the audit trail keep `name`."""

    name: models.CharField
    names = models.JSONField(_("names in the site’s languages"), default=dict, db_default={}, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The name in the language of the page; the own name where there is none."""
        return str(self.names.get(get_language()) or self.name)


class RatingList(NamedInLanguages):
    """A pool of games rated by one system. Readers see only rows of `live_generation`; `revision` rises with every
    change of the ledger."""

    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=60)
    slug = models.SlugField(_("address"), max_length=40, unique=True)
    pool = models.SlugField(_("pool"), max_length=30, help_text=_("Games of this pool are rated in this list."))
    provisional_games = models.PositiveSmallIntegerField(_("games on probation"), default=30)
    public = models.BooleanField(_("public"), default=True)
    primary = models.BooleanField(_("the club's main list"), default=False)
    order = models.PositiveSmallIntegerField(_("order"), default=1)
    reentry_years = models.PositiveSmallIntegerField(
        _("years after which somebody is on probation again"),
        null=True,
        blank=True,
        help_text=_("Empty: never. Counted from the last rated game to the next one."),
    )
    reentry_games = models.PositiveSmallIntegerField(_("games on probation after such a return"), default=10)
    live_generation = models.PositiveIntegerField(default=1, editable=False)
    # A rebuild writes this generation beside the live one; what was rated meanwhile begins at `changed_from`.
    last_generation = models.PositiveIntegerField(default=1, editable=False)  # numbers are given once
    building_generation = models.PositiveIntegerField(null=True, editable=False)
    changed_from = models.BigIntegerField(null=True, editable=False)
    revision = models.PositiveIntegerField(default=0, editable=False)
    # Whether rows of contests were ever written for it, and a rule lists less than the rating: others ask for neither.
    has_contests = models.BooleanField(default=False, db_default=False, editable=False)
    cautious = models.BooleanField(default=False, db_default=False, editable=False)
    # By evidence: the deviations that end its probation (`Probation`), by the rule that holds; empty: by count.
    evidence = models.JSONField(default=list, db_default=[], editable=False)

    class Meta:
        verbose_name = _("rating list")
        verbose_name_plural = _("rating lists")
        ordering = ["order", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["primary"],
                condition=Q(primary=True),
                name="one_primary_list",
                violation_error_message=_("Another list is the club's main list."),
            ),
            models.CheckConstraint(
                condition=~Q(slug__in=RESERVED_SLUGS),
                name="list_slug_is_free",
                violation_error_message=_("This address is reserved: choose another."),
            ),
        ]

    def get_absolute_url(self) -> str:
        return reverse("ratings:list", args=[self.slug])

    @property
    def probation(self) -> Probation:
        return Probation(self.provisional_games, tuple(self.evidence))


class RatingListRule(models.Model):
    """From `valid_from` on the list is rated by this system with these settings, read by the event's first day."""

    rating_list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="rules")
    valid_from = models.DateField(_("valid from"))
    system = models.CharField(_("system"), max_length=30, default="elo")
    settings = models.JSONField(_("settings"), default=dict, blank=True)

    class Meta:
        verbose_name = _("rule")
        verbose_name_plural = _("rules")
        ordering = ["valid_from"]
        constraints = [models.UniqueConstraint(fields=["rating_list", "valid_from"], name="one_rule_per_day")]

    def __str__(self) -> str:
        return f"{self.valid_from}: {self.system}"


class RatingTier(NamedInLanguages):
    """A league of a list, by rating: from the next lower tier's `below` to its own; the top tier has none."""

    rating_list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="tiers")
    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=40)
    slug = models.SlugField(_("address"), max_length=40)
    below = models.PositiveIntegerField(_("below"), null=True, blank=True, help_text=_("Empty: the top tier."))

    class Meta:
        verbose_name = _("tier")
        verbose_name_plural = _("tiers")
        ordering = [models.F("below").desc(nulls_first=True)]
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "slug"], name="tier_address_once_per_list"),
            models.UniqueConstraint(fields=["rating_list", "below"], name="tier_bound_once_per_list"),
            models.UniqueConstraint(fields=["rating_list"], condition=Q(below=None), name="one_top_tier_per_list"),
        ]


class StartingRating(models.Model):
    """A rating brought along, as a fact: from `on`, before that day's games, the player stands here."""

    class Source(models.TextChoices):
        CLUB = "club", _("the club's earlier records")
        FEDERATION = "federation", _("a federation")
        ESTIMATE = "estimate", _("an estimate")

    rating_list = models.ForeignKey(
        RatingList, on_delete=models.CASCADE, related_name="starting_ratings", verbose_name=_("rating list")
    )
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="starting_ratings")
    on = models.DateField(_("from"))
    rating = models.FloatField(_("rating"))
    games = models.PositiveIntegerField(
        _("rated games so far"),
        null=True,
        blank=True,
        help_text=_("Empty: none for somebody new, and for everybody else those the list has counted."),
    )
    peak = models.FloatField(_("best rating so far"), null=True, blank=True)
    deviation = models.FloatField(_("deviation"), null=True, blank=True)
    source = models.CharField(_("taken from"), max_length=12, choices=Source, default=Source.CLUB)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("starting rating")
        verbose_name_plural = _("starting ratings")
        ordering = ["on", "player"]
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "player", "on"], name="one_start_per_day"),
            models.CheckConstraint(condition=Q(rating__range=(-900, 4000)), name="starting_rating_is_plausible"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.rating:g}"


class LedgerEntry(models.Model):
    """One rated game in one list, both sides: the whole state before it, what was expected, and the change.

    The row explains itself, and a replay of the tail begins with what it holds: `reached` is the order key at which
    the rating before the game was reached, `last_day` the day (ordinal) of the game before it, `reentry` the games
    then still to play on probation after a long absence. In a system that rates by periods `before` is the rating the
    period was computed from, `change` what the game adds to it, and `after` is empty: the step of the period has it,
    once it is over (until then the row is `pending`).
    """

    rating_list = models.ForeignKey(
        RatingList, on_delete=models.CASCADE, related_name="ledger", db_index=False, verbose_name=_("rating list")
    )
    generation = models.PositiveIntegerField()
    game = models.ForeignKey("tournaments.Game", on_delete=models.PROTECT, related_name="ledger", db_index=False)
    order = models.BigIntegerField(default=0)  # order key at which the game was rated
    score = models.FloatField()  # White's: 1, ½, 0
    # Who was rated (keys): the game may have changed seats since, and a replay of the tail begins with these.
    white_player = models.BigIntegerField(default=0)
    black_player = models.BigIntegerField(default=0)
    white_before = models.FloatField(null=True)
    white_games = models.PositiveIntegerField()
    white_peak = models.FloatField(null=True)
    white_deviation = models.FloatField(null=True)
    white_volatility = models.FloatField(null=True)
    white_coefficient = models.FloatField(null=True)
    white_reached = models.BigIntegerField(default=0)
    white_last_day = models.IntegerField(null=True)
    white_reentry = models.PositiveSmallIntegerField(default=0)
    white_expected = models.FloatField(null=True)
    white_k = models.FloatField(null=True)
    white_change = models.FloatField(null=True)
    white_after = models.FloatField(null=True)
    black_before = models.FloatField(null=True)
    black_games = models.PositiveIntegerField()
    black_peak = models.FloatField(null=True)
    black_deviation = models.FloatField(null=True)
    black_volatility = models.FloatField(null=True)
    black_coefficient = models.FloatField(null=True)
    black_reached = models.BigIntegerField(default=0)
    black_last_day = models.IntegerField(null=True)
    black_reentry = models.PositiveSmallIntegerField(default=0)
    black_expected = models.FloatField(null=True)
    black_k = models.FloatField(null=True)
    black_change = models.FloatField(null=True)
    black_after = models.FloatField(null=True)
    pending = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("ledger row")
        verbose_name_plural = _("ledger")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "generation", "game"], name="ledger_game_once_per_list"),
        ]
        indexes = [
            models.Index(fields=["rating_list", "generation", "order"], name="ledger_in_order"),
            # A player's last games, found without walking over the others: two rows a game, one for either side.
            models.Index(fields=["rating_list", "generation", "white_player", "order"], name="ledger_of_white"),
            models.Index(fields=["rating_list", "generation", "black_player", "order"], name="ledger_of_black"),
        ]

    def __str__(self) -> str:
        return f"{self.rating_list_id}/{self.game_id}"


class ContestEntry(models.Model):
    """One member of one rated contest with sides in one list: the whole state before it, what was expected, and the
    change; columns as in `LedgerEntry`. `side` counts from 1 in order of place, `sides` is how many there were;
    `outcome` is what the player's record counts: alone in first place 1, first place shared ½, anything else 0."""

    rating_list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="contest_ledger", db_index=False)
    generation = models.PositiveIntegerField()
    contest = models.ForeignKey("tournaments.Contest", on_delete=models.PROTECT, related_name="ledger", db_index=False)
    order = models.BigIntegerField()
    sides = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    player = models.BigIntegerField()
    outcome = models.FloatField()
    before = models.FloatField()
    games = models.PositiveIntegerField()
    peak = models.FloatField()
    deviation = models.FloatField(null=True)
    volatility = models.FloatField(null=True)
    coefficient = models.FloatField(null=True)
    reached = models.BigIntegerField()
    last_day = models.IntegerField(null=True)
    reentry = models.PositiveSmallIntegerField()
    expected = models.FloatField(null=True)
    k = models.FloatField(null=True)
    change = models.FloatField()
    after = models.FloatField()
    deviation_after = models.FloatField(null=True)

    class Meta:
        verbose_name = _("ledger row of a contest")
        verbose_name_plural = _("ledger of contests")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["rating_list", "generation", "contest", "player"], name="ledger_member_once_per_list"
            ),
        ]
        indexes = [
            models.Index(fields=["rating_list", "generation", "order"], name="contest_ledger_in_order"),
            models.Index(fields=["rating_list", "generation", "player", "order"], name="contest_ledger_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.rating_list_id}/{self.contest_id}/{self.player}"


class RatingStep(models.Model):
    """Everything that moves a rating and is not a game. `player` is empty for steps of the whole field; the values but
    `after` are the player's state before the step. `after` is empty where the player leaves the list."""

    class Kind(models.TextChoices):
        START = "start", _("starting rating")
        EVENT = "event", _("event")
        PERIOD = "period", _("rating period")
        NORMALISE = "normalise", _("normalisation")
        DECAY = "decay", _("decay")
        FIT = "fit", _("fit")
        INACTIVITY = "inactivity", _("inactivity")

    rating_list = models.ForeignKey(
        RatingList, on_delete=models.CASCADE, related_name="steps", verbose_name=_("rating list")
    )
    generation = models.PositiveIntegerField()
    order = models.BigIntegerField()  # order key: day and sequence in one number
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, null=True, related_name="rating_steps")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    before = models.FloatField(null=True)
    games = models.PositiveIntegerField(default=0)
    peak = models.FloatField(null=True)
    deviation = models.FloatField(null=True)
    volatility = models.FloatField(null=True)
    coefficient = models.FloatField(null=True)
    reached = models.BigIntegerField(default=0)
    last_day = models.IntegerField(null=True)
    reentry = models.PositiveSmallIntegerField(default=0)
    after = models.FloatField(null=True)
    factor = models.FloatField(null=True)

    class Meta:
        verbose_name = _("rating step")
        verbose_name_plural = _("rating steps")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["rating_list", "generation", "order", "kind", "player"],
                name="step_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.order}"


class PlayerRating(models.Model):
    """Where a player stands in a list now. `reached_order` is when: of equal ratings the one reached first is ahead.
    `reentry`: games still to play on probation after a long absence. Readers take the live generation."""

    rating_list = models.ForeignKey(
        RatingList, on_delete=models.CASCADE, related_name="ratings", verbose_name=_("rating list")
    )
    generation = models.PositiveIntegerField(default=1)
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="ratings")
    rating = models.FloatField(_("rating"))
    deviation = models.FloatField(null=True)
    volatility = models.FloatField(null=True)
    coefficient = models.FloatField(null=True)
    games = models.PositiveIntegerField(_("games"))
    wins = models.PositiveIntegerField(_("wins"))
    draws = models.PositiveIntegerField(_("draws"))
    losses = models.PositiveIntegerField(_("losses"))
    peak = models.FloatField(_("peak"))
    reached_order = models.BigIntegerField()
    last_played = models.DateField(_("last played"), null=True)
    reentry = models.PositiveSmallIntegerField(default=0)
    ranked = models.BooleanField(_("ranked"))

    class Meta:
        verbose_name = _("current rating")
        verbose_name_plural = _("current ratings")
        ordering = ["-rating", "reached_order"]
        indexes = [
            models.Index(
                fields=["rating_list", "generation", "ranked", "-rating", "reached_order", "player"],
                name="rating_rank",
            ),
            models.Index(
                fields=["rating_list", "generation", "-rating", "reached_order", "player"], name="rating_order"
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "generation", "player"], name="one_rating_per_list")
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.rating:.0f}"
