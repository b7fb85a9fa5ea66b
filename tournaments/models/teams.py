"""Events of teams: clubs, leagues, teams and their players, matches, line-ups, penalties.

A match is played on boards: each is an ordinary `Pairing` with two seats and a game, which points to its match. Game
points, match points and standings are computed from them (`tournaments.standings.team_event`) and not stored. Match
points are in half-points, game points in the smallest unit of the event's point system.
"""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.models import Player, SecretLink
from tournaments.models.event import ByeKind, Entry, Tournament
from tournaments.models.play import Round

_WITHIN = [MinValueValidator(-1000), MaxValueValidator(1000)]


class LeagueClub(models.Model):
    """A club that plays in a league run here: ours or a guest's. Its officers see and enter its own teams' matters."""

    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=100, unique=True)
    short_name = models.CharField(_("short name"), max_length=20, blank=True)
    venue = models.CharField(_("venue"), max_length=200, blank=True)
    officers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="league_clubs", verbose_name=_("officers")
    )

    class Meta:
        verbose_name = _("club of a league")
        verbose_name_plural = _("clubs of leagues")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class League(models.Model):
    """What stays over the seasons: its events are the divisions of each season."""

    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=100)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("league")
        verbose_name_plural = _("leagues")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("leagues:league", args=[self.slug])


class Primary(models.TextChoices):
    """Which score decides the standings."""

    MATCH_POINTS = "MP", _("match points")
    GAME_POINTS = "GP", _("game points")


class FirstWhite(models.TextChoices):
    """Who has White on the odd boards."""

    HOME = "home", _("the home team")
    AWAY = "away", _("the guests")
    TOSS = "toss", _("the captains toss")


class LineUpOrder(models.TextChoices):
    """In which order a team sits down."""

    FREE = "free", _("any order")
    RATING = "rating", _("by rating, within a tolerance")
    FIXED = "fixed", _("as the list of the team stands")


class TieRule(models.TextChoices):
    """Who goes on after a drawn match of a knockout, once board count and bottom boards part nobody."""

    BLACK = "black", _("the team with Black on the odd boards")
    ARBITER = "arbiter", _("what the arbiter decides: a replay, or lots")


class TeamRules(models.Model):
    """What makes an event one of teams, and its rules. `format` is a key of `TEAM_FORMATS` and `settings` are its own.
    Numbers that are 0 switch a rule off."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="team_rules")
    league = models.ForeignKey(
        League, on_delete=models.PROTECT, null=True, blank=True, related_name="divisions", verbose_name=_("league")
    )
    season = models.CharField(_("season"), max_length=20, blank=True)
    division = models.PositiveSmallIntegerField(_("division"), default=1, validators=[MinValueValidator(1)])
    promoted = models.PositiveSmallIntegerField(_("teams that go up"), default=0)
    relegated = models.PositiveSmallIntegerField(_("teams that go down"), default=0)
    format = models.CharField(_("format"), max_length=30, default="team-round-robin")
    settings = models.JSONField(default=dict, blank=True)
    boards = models.PositiveSmallIntegerField(
        _("boards"), default=4, validators=[MinValueValidator(1), MaxValueValidator(50)]
    )
    minimum_boards = models.PositiveSmallIntegerField(_("fewest players"), default=0)
    first_white = models.CharField(
        _("White on the odd boards"), max_length=4, choices=FirstWhite, default=FirstWhite.HOME
    )
    # Of the side with White on board 1, from there down, over and over.
    colours = models.CharField(_("colours of the boards"), max_length=50, default="WB", db_default="WB")
    primary = models.CharField(_("what decides first"), max_length=2, choices=Primary, default=Primary.MATCH_POINTS)
    win = models.PositiveSmallIntegerField(_("match points of a win"), default=4)
    draw = models.PositiveSmallIntegerField(_("match points of a draw"), default=2)
    loss = models.PositiveSmallIntegerField(_("match points of a loss"), default=0)
    # Empty: those of a drawn match (FIDE C.04.6 art. 1.4).
    bye_match_points = models.PositiveSmallIntegerField(_("match points of a bye"), null=True, blank=True)
    bye_game_points = models.PositiveSmallIntegerField(_("game points of a bye"), null=True, blank=True)
    tiebreaks = models.CharField(_("tie-breaks"), max_length=200, default="MPvGP,EDE,BC", blank=True)
    order = models.CharField(_("order of the boards"), max_length=6, choices=LineUpOrder, default=LineUpOrder.FREE)
    tolerance = models.PositiveSmallIntegerField(_("tolerance in rating points"), default=100)
    # What an unrated player counts where the order goes by rating.
    unrated_as = models.PositiveSmallIntegerField(_("the unrated count"), default=1200)
    # Where the order is that of the list.
    swaps = models.BooleanField(_("neighbours on the list may change places"), default=False)
    # Empty: no such rule.
    substitute_margin = models.PositiveSmallIntegerField(
        _("rating points a substitute may be stronger than who is absent"), null=True, blank=True
    )
    nominated = models.PositiveSmallIntegerField(_("nominated players a team"), default=0)
    games_up = models.PositiveSmallIntegerField(_("games for a higher team before one is tied to it"), default=0)
    several_teams = models.BooleanField(_("a player may be in several teams"), default=False)
    line_up_hours = models.PositiveSmallIntegerField(_("hours before the match that line-ups are due"), default=0)
    card_days = models.PositiveSmallIntegerField(_("days after which a match card is closed"), default=14)
    tie_rule = models.CharField(_("a drawn match of a knockout"), max_length=8, choices=TieRule, default=TieRule.BLACK)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("rules of a team event")
        verbose_name_plural = _("rules of team events")
        constraints = [
            models.CheckConstraint(condition=Q(boards__gte=1), name="team_event_has_boards"),
            models.CheckConstraint(condition=Q(minimum_boards__lte=F("boards")), name="fewest_players_fit_the_boards"),
            models.CheckConstraint(condition=Q(win__gte=F("draw"), draw__gte=F("loss")), name="a_win_is_worth_most"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.format}"


class Team(models.Model):
    """A team of an event. `number` is its pairing number; `short_name` is for tables and files."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="teams")
    number = models.PositiveSmallIntegerField(_("pairing number"))
    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=100)
    short_name = models.CharField(_("short name"), max_length=12, blank=True)
    club = models.ForeignKey(
        LeagueClub, on_delete=models.PROTECT, null=True, blank=True, related_name="teams", verbose_name=_("club")
    )
    captain = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("captain")
    )
    venue = models.CharField(_("venue"), max_length=200, blank=True)
    # From this round on it plays no more.
    left_before = models.PositiveSmallIntegerField(null=True, editable=False)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="team_number_once"),
            models.UniqueConstraint(fields=["tournament", "name"], name="team_name_once"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:team", args=[self.tournament.slug, self.number])


class TeamPlayer(models.Model):
    """Somebody on a team's list, at a `place` from 1; from and until which day. A reserve plays where one is missing; a
    nominated player not in a lower team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="players")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="team_places")
    place = models.PositiveSmallIntegerField(_("place on the list"))
    since = models.DateField(_("from"), null=True, blank=True)
    until = models.DateField(_("until"), null=True, blank=True)
    reserve = models.BooleanField(_("reserve"), default=False)
    nominated = models.BooleanField(_("nominated"), default=False)

    class Meta:
        ordering = ["team", "place", "id"]
        constraints = [
            models.UniqueConstraint(fields=["team", "entry"], name="player_once_on_a_team"),
            models.CheckConstraint(
                condition=Q(since=None) | Q(until=None) | Q(until__gte=F("since")), name="player_leaves_after_coming"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team_id}.{self.place}: {self.entry_id}"


class TeamMatch(models.Model):
    """A match of a round, in its order `number`. Without `away` it is a bye of that kind. `played_on` is planned, and
    moved where the match is postponed: `first_planned` is the day it had before, `postponed` says that no new day is
    agreed. `first_white`: which side has White on the odd boards, empty until the captains tossed.

    `absent`: a side that did not come, so that the match is lost by default. `ruled_home`, `ruled_away`: match points
    the arbiter gave in place of those of the boards, `ruled_home_games`, `ruled_away_games` game points with them. In a
    knockout `slot` is the place in the bracket from top to bottom, and `advanced` who goes on where the arbiter decided
    it; else that follows from the boards."""

    class Absent(models.TextChoices):
        HOME = "home", _("the home team did not come")
        AWAY = "away", _("the guests did not come")
        BOTH = "both", _("neither team came")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches")
    number = models.PositiveSmallIntegerField()
    home = models.ForeignKey(Team, on_delete=models.RESTRICT, null=True, related_name="home_matches")
    away = models.ForeignKey(Team, on_delete=models.RESTRICT, null=True, related_name="away_matches")
    bye = models.CharField(max_length=4, choices=ByeKind, blank=True)
    first_white = models.CharField(max_length=4, choices=[("home", "home"), ("away", "away")], blank=True)
    played_on = models.DateField(_("day"), null=True, blank=True)
    starts_at = models.TimeField(_("time"), null=True, blank=True)
    first_planned = models.DateField(null=True, editable=False)
    postponed = models.BooleanField(default=False, editable=False)
    venue = models.CharField(_("venue"), max_length=200, blank=True)
    absent = models.CharField(max_length=4, choices=Absent, blank=True)
    ruled_home = models.SmallIntegerField(null=True, editable=False)
    ruled_away = models.SmallIntegerField(null=True, editable=False)
    ruled_home_games = models.SmallIntegerField(null=True, editable=False)
    ruled_away_games = models.SmallIntegerField(null=True, editable=False)
    ruling = models.CharField(_("reason"), max_length=200, blank=True)
    # When each side agreed that the other’s line-up may break what consent lifts (order by rating, substitutes).
    home_consents_at = models.DateTimeField(null=True, editable=False)
    away_consents_at = models.DateTimeField(null=True, editable=False)
    # The card: when each side said that it is right.
    home_agreed_at = models.DateTimeField(null=True, editable=False)
    away_agreed_at = models.DateTimeField(null=True, editable=False)
    slot = models.PositiveSmallIntegerField(null=True, editable=False)
    advanced = models.ForeignKey(Team, on_delete=models.SET_NULL, null=True, related_name="+")
    # Rises with every change of day, time or place: subscribed calendars follow it.
    calendar_sequence = models.PositiveIntegerField(default=0, editable=False)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("match of teams")
        verbose_name_plural = _("matches of teams")
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="match_number_once_per_round"),
            models.CheckConstraint(condition=Q(away=None) | ~Q(home=F("away")), name="team_match_has_two_teams"),
            models.CheckConstraint(condition=Q(bye="") | Q(away=None), name="team_bye_has_no_opponent"),
            models.CheckConstraint(
                condition=Q(ruled_home=None, ruled_away=None) | Q(ruled_home__isnull=False, ruled_away__isnull=False),
                name="team_ruling_names_both_sides",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round_id}.{self.number}"


class LineUp(models.Model):
    """What a captain handed in for one side of a match. Once the boards are made their seats are the line-up, and this
    is only what was asked for. `made_up`: nothing was handed in, the default order fills in."""

    match = models.ForeignKey(TeamMatch, on_delete=models.CASCADE, related_name="line_ups")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="line_ups")
    handed_in_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_up = models.BooleanField(default=False)
    note = models.CharField(_("note"), max_length=300, blank=True)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        ordering = ["match", "team"]
        constraints = [models.UniqueConstraint(fields=["match", "team"], name="line_up_once_a_team")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.team_id}"


class LineUpPlace(models.Model):
    """Who sits on a board; nobody: the board stays empty."""

    line_up = models.ForeignKey(LineUp, on_delete=models.CASCADE, related_name="places")
    board = models.PositiveSmallIntegerField()
    player = models.ForeignKey(TeamPlayer, on_delete=models.CASCADE, null=True, related_name="+")

    class Meta:
        ordering = ["line_up", "board"]
        constraints = [
            models.UniqueConstraint(fields=["line_up", "board"], name="line_up_board_once"),
            models.UniqueConstraint(fields=["line_up", "player"], name="line_up_player_once"),
        ]

    def __str__(self) -> str:
        return f"{self.line_up_id}.{self.board}"


class TeamPenalty(models.Model):
    """Points a team lost (negative) or was given, of a match or of the event, counted from a round on. `lifted`: taken
    back, and kept in the books."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="penalties")
    match = models.ForeignKey(TeamMatch, on_delete=models.CASCADE, null=True, related_name="penalties")
    from_round = models.PositiveSmallIntegerField(default=1)
    match_points = models.SmallIntegerField(_("match points"), default=0, validators=_WITHIN)
    game_points = models.SmallIntegerField(_("game points"), default=0, validators=_WITHIN)
    reason = models.CharField(_("reason"), max_length=200)
    decided_on = models.DateField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    lifted = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(match_points=0, game_points=0), name="penalty_moves_points"),
        ]

    def __str__(self) -> str:
        return f"{self.team_id}: {self.match_points}, {self.game_points}"


class CaptainLink(SecretLink):
    """A link by which a captain acts for one team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="captain_links")
