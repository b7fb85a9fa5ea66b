"""Tables of who met whom: tournament → stage → round → pairing → seats and games.

The database keeps facts and refuses contradictions; standings are computed (`tournaments.standings`).
A bye is a pairing with one seat and no game. A free game (club evening, loaded stream) is a pairing without round
and without seats: its game names both players.
"""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.models import Player
from tournaments.standings.points import OUTCOMES, Result

RESERVED_SLUGS = ["masters"]


class ByeWorth(models.TextChoices):
    """What a pairing-allocated bye is worth; empty: what the point system says."""

    WIN = "win", _("as a win")
    DRAW = "draw", _("as a draw")
    LOSS = "loss", _("nothing")


class LeaverRule(models.TextChoices):
    """What becomes of the games of somebody who leaves a round robin."""

    FIDE = "fide", _("FIDE: before half of the games nothing counts, from half on everything")
    ALL = "all", _("everything played counts, what is left is forfeited")


class Tournament(models.Model):
    """An event. `open_ended` ones (club evenings, loaded streams) have no entries and no rounds, only games."""

    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    place = models.CharField(_("place"), max_length=100, blank=True)
    starts_on = models.DateField(_("first day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    rated = models.BooleanField(_("rated"), default=True)
    # Lists that rate by the event wait for this; results can still be corrected.
    closed = models.BooleanField(_("over"), default=False, editable=False)
    pool = models.SlugField(_("pool"), max_length=30, default="standard")
    # Who may enter, by the rating in the pool's main list.
    tier_from = models.PositiveIntegerField(_("for ratings from"), null=True, blank=True)
    tier_below = models.PositiveIntegerField(_("for ratings below"), null=True, blank=True)
    open_ended = models.BooleanField(_("open-ended"), default=False, editable=False)
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
    # Records of a tournament report that we do not use; they leave with the next report as they came.
    foreign_records = models.TextField(blank=True, editable=False)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-starts_on", "-id"]
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
    name = models.CharField(_("name"), max_length=100, blank=True)
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
    """A player's entry. `number` is the pairing number, empty until lots are drawn. The rating is a snapshot: value,
    games, list and day."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField(_("pairing number"), null=True)
    rating = models.FloatField(null=True)
    rating_games = models.PositiveIntegerField(null=True)
    rating_list = models.SlugField(max_length=40, blank=True)
    rating_on = models.DateField(null=True)
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


class StageEntry(models.Model):
    """Who plays in a stage that does not take everybody, and with which number there: in a group the number of its
    table, in a knockout the seed."""

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


class Round(models.Model):
    """A round of a stage. The `number` counts through the whole event: groups side by side have the same numbers, and
    a knockout after three rounds of groups begins with round 4."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        CLOSED = "closed", _("closed")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    planned_on = models.DateField(_("planned day"), null=True, blank=True)
    planned_at = models.TimeField(_("planned time"), null=True, blank=True)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["stage", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="round_number_once")]

    def __str__(self) -> str:
        return f"{self.number}"


class Pairing(models.Model):
    """Who meets on a board: two seats, or one for a bye. `label` is what a loaded file called a free game ("3.1":
    round, board).

    In a knockout a pairing is a match of one game or more: `slot` is its place in the bracket from top to bottom, two
    matches send their winners to the same `winner_to`, and the seats not yet known are missing. `advanced` is kept
    apart from the score; where the arbiter `ruled` (a walk-over, lots) the score does not move it. A re-drawn bracket
    keeps the old pairings as `superseded`."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="pairings")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings", null=True)
    board = models.PositiveIntegerField(null=True)
    bye = models.CharField(max_length=4, choices=ByeKind, blank=True)
    label = models.CharField(max_length=20, blank=True)
    slot = models.PositiveIntegerField(null=True)
    winner_to = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="winners_from")
    loser_to = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="losers_from")
    advanced = models.ForeignKey(Entry, on_delete=models.SET_NULL, null=True, related_name="+")
    walk_over = models.BooleanField(default=False)
    ruled = models.BooleanField(default=False)
    superseded = models.BooleanField(default=False)

    class Meta:
        ordering = ["round", "board"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "board"], condition=Q(superseded=False), name="board_once_per_round"
            ),
            models.CheckConstraint(condition=Q(round=None) | Q(board__isnull=False), name="round_pairing_has_board"),
        ]

    def __str__(self) -> str:
        return f"{self.board}"


class Colour(models.TextChoices):
    WHITE = "w", _("White")
    BLACK = "b", _("Black")
    NONE = "", "–"


class Seat(models.Model):
    """An entry's place in one round. `round` repeats the pairing's so that the database can refuse a second seat. In
    a knockout `line` is the place in the match, 1 above 2, and `colour` that of its first game. `superseded` repeats
    the pairing's too."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="seats")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")
    colour = models.CharField(max_length=1, choices=Colour, blank=True)
    line = models.PositiveSmallIntegerField(null=True)
    superseded = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "entry"], condition=Q(superseded=False), name="entry_once_per_round"
            ),
            models.UniqueConstraint(fields=["pairing", "line"], name="line_once_per_match"),
            models.UniqueConstraint(fields=["pairing", "colour"], name="colour_once_per_pairing"),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.colour}"


class Game(models.Model):
    """One game and its result. `sequence` is given when the result is first recorded and kept for good: together with
    `played_on` it is the order of replay, the same for every rating list."""

    class Phase(models.TextChoices):
        CLASSICAL = "classical", _("classical")
        RAPID = "rapid", _("rapid")
        BLITZ = "blitz", _("blitz")
        ARMAGEDDON = "armageddon", _("armageddon")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="games")
    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField(default=1)
    phase = models.CharField(max_length=10, choices=Phase, default=Phase.CLASSICAL)
    pool = models.SlugField(max_length=30)
    white = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="games_as_white")
    black = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="games_as_black")
    result = models.CharField(_("result"), max_length=5, blank=True, choices=[(code, code or "–") for code in Result])
    white_points = models.PositiveIntegerField(null=True)  # the margin, where a game knows one (goals, victory points)
    black_points = models.PositiveIntegerField(null=True)
    # Played after its match was decided: it stays in the books and is not rated (FIDE B.02, 6.2).
    surplus = models.BooleanField(default=False)
    importance = models.FloatField(default=1.0, validators=[MinValueValidator(0.01), MaxValueValidator(100)])
    played_on = models.DateField(_("played on"), null=True)
    sequence = models.BigIntegerField(null=True, unique=True)
    recorded_at = models.DateTimeField(null=True)
    # Day and result as the file had them: a corrected game is still known when the file comes again.
    loaded_as = models.CharField(max_length=20, blank=True, editable=False)
    revision = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["played_on", "sequence"]
        indexes = [models.Index(fields=["pool", "played_on", "sequence"], name="game_in_order_of_replay")]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "number"], name="game_once_per_pairing"),
            models.CheckConstraint(condition=~Q(white=F("black")), name="game_has_two_players"),
            models.CheckConstraint(
                condition=Q(result__in=[code.value for code in Result]), name="game_result_is_known"
            ),
            models.CheckConstraint(
                condition=Q(result="") | (Q(played_on__isnull=False) & Q(sequence__isnull=False)),
                name="game_with_result_has_its_place_in_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def shown_result(self) -> tuple[str, str]:
        """Both sides' marks, e.g. ("½", "½"); empty while open."""
        return OUTCOMES[Result(self.result)].shown
