"""What is played: round → pairing → seats and games, second readings of their results, and contests with sides.

A bye is a pairing with one seat and no game. A free game (club evening, loaded stream) is a pairing without round
and without seats: its game names both players.
"""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.models import Player
from ratings.systems.base import Moment
from tournaments.models.event import ByeKind, Entry, Stage, Tournament
from tournaments.standings.points import OUTCOMES, Result


class Round(models.Model):
    """A round of a stage. The `number` counts through the whole event; groups side by side have the same numbers."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        CLOSED = "closed", _("closed")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    planned_on = models.DateField(_("planned day"), null=True, blank=True)
    planned_at = models.TimeField(_("planned time"), null=True, blank=True)
    # The clock of the round (`tournaments.events.selectors.clock`); none where it has no start.
    clock_starts_at = models.DateTimeField(null=True, editable=False)
    clock_minutes = models.PositiveSmallIntegerField(null=True, editable=False)
    clock_note = models.CharField(max_length=60, default="", db_default="", blank=True, editable=False)
    clock_paused_at = models.DateTimeField(null=True, editable=False)
    clock_paused = models.PositiveIntegerField(default=0, db_default=0, editable=False)  # seconds it stood so far
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
    # Of a match of teams: which, and which of its boards from 1 down; `board` counts through the whole round.
    match = models.ForeignKey("TeamMatch", on_delete=models.CASCADE, null=True, related_name="boards")
    match_board = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ["round", "board"]
        constraints = [
            models.UniqueConstraint(fields=["match", "match_board"], name="board_once_per_match"),
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
    a knockout `line` is the place in the match, 1 above 2, and `colour` that of its first game; in a match of teams 1
    is the home team's player and 2 the guest. `superseded` repeats the pairing's too."""

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

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="games", db_index=False, verbose_name=_("tournament")
    )
    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField(default=1)
    phase = models.CharField(max_length=10, choices=Phase, default=Phase.CLASSICAL)
    pool = models.SlugField(_("pool"), max_length=30)
    white = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="games_as_white")
    black = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="games_as_black")
    result = models.CharField(_("result"), max_length=5, blank=True, choices=[(code, code or "–") for code in Result])
    white_points = models.PositiveIntegerField(null=True)  # the margin, where a game knows one (goals, victory points)
    black_points = models.PositiveIntegerField(null=True)
    # Played after its match was decided: it stays in the books and is not rated (FIDE B.02, 6.2).
    surplus = models.BooleanField(default=False)
    importance = models.FloatField(default=1.0, validators=[MinValueValidator(0.01), MaxValueValidator(100)])
    # Said by the game's own file: the event's importance does not move it.
    own_importance = models.BooleanField(default=False, db_default=False)
    # Of a game of go: stones Black was given (0, or 2 to 9) and points White was given for moving second, in halves;
    # empty is the usual komi (`ratings.systems.egf`).
    handicap = models.PositiveSmallIntegerField(_("handicap"), default=0, db_default=0)
    komi = models.FloatField(_("komi"), null=True, blank=True)
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
        indexes = [
            models.Index(fields=["pool", "played_on", "sequence"], name="game_in_order_of_replay"),
            # An event of free play may hold all games of a club: its days, its latest games and how many there are.
            models.Index(fields=["tournament", "played_on", "sequence", "result"], name="game_of_event"),
        ]
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
    def moment(self) -> Moment | None:
        """Its place in the order of replay; None before the first result."""
        if self.played_on is None or self.sequence is None:
            return None
        return Moment(self.played_on, self.sequence)

    @property
    def shown_result(self) -> tuple[str, str]:
        """Both sides' marks, e.g. ("½", "½"); empty while open."""
        return OUTCOMES[Result(self.result)].shown


class Reading(models.Model):
    """A second reading that found a result right: of the game as it was at that `revision`, and of no later one."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="readings")
    revision = models.PositiveIntegerField()
    result = models.CharField(max_length=5)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["game", "revision", "id"]
        constraints = [models.UniqueConstraint(fields=["game", "revision", "by"], name="reading_once_a_person")]

    def __str__(self) -> str:
        return f"{self.game_id}.{self.revision}: {self.result}"


class Footnote(models.Model):
    """What an arbiter says of a played result, without a change of it or of a rating: the one that holds now. Earlier
    ones stand in the audit trail."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="footnote")
    text = models.CharField(max_length=300)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="footnote_says_something")]

    def __str__(self) -> str:
        return f"{self.game_id}"


class Contest(models.Model):
    """A contest and its place in the order of replay: `sequence` is drawn from the same numbers as that of games, so
    none has another's. One that is `withdrawn` stays in the books and is in no list. `label` is its key in
    files. Two sides of one player each are always a `Game` (`tournaments.contests.services`)."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="contests", verbose_name=_("tournament")
    )
    pairing = models.OneToOneField(Pairing, on_delete=models.CASCADE, related_name="contest", null=True)
    # Of entries of more than one: the board it follows (`tournaments.rated_games.services.boards`).
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="contest", null=True)
    pool = models.SlugField(_("pool"), max_length=30)
    played_on = models.DateField(_("played on"))
    sequence = models.BigIntegerField(unique=True)
    importance = models.FloatField(default=1.0, validators=[MinValueValidator(0.01), MaxValueValidator(100)])
    # Said by the contest's own file: the event's importance does not move it.
    own_importance = models.BooleanField(default=False)
    withdrawn = models.BooleanField(pgettext_lazy("of a contest", "withdrawn"), default=False)
    label = models.CharField(max_length=100)
    recorded_at = models.DateTimeField()
    revision = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("contest")
        verbose_name_plural = _("contests")
        ordering = ["played_on", "sequence"]
        indexes = [models.Index(fields=["pool", "played_on", "sequence"], name="contest_in_order_of_replay")]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "label"], name="contest_label_once_per_event"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def moment(self) -> Moment:
        """Its place in the order of replay."""
        return Moment(self.played_on, self.sequence)


class ContestSide(models.Model):
    """A side in the order of entry (`line`, from 1), its place (1 is first, equal places are a tie: 1-2-2-4) and its
    score where the game has one."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="sides")
    line = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField(_("place"))
    score = models.FloatField(_("score"), null=True)

    class Meta:
        ordering = ["contest", "line"]
        constraints = [
            models.UniqueConstraint(fields=["contest", "line"], name="line_once_per_contest"),
            models.CheckConstraint(condition=Q(place__gte=1, line__gte=1), name="place_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.contest_id}.{self.line}"


class ContestMember(models.Model):
    """Somebody on a side; `weight` is the share of the contest the player took part in, 0 < w ≤ 1. `contest` repeats
    the side's, so that the database can refuse a player twice."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="members")
    side = models.ForeignKey(ContestSide, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="contests")
    weight = models.FloatField(default=1.0)

    class Meta:
        ordering = ["side", "player"]
        constraints = [
            models.UniqueConstraint(fields=["contest", "player"], name="player_once_per_contest"),
            models.CheckConstraint(condition=Q(weight__gt=0, weight__lte=1), name="weight_is_a_share"),
        ]

    def __str__(self) -> str:
        return f"{self.side_id}: {self.player_id}"
