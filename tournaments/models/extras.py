"""What an event has beside its games: prizes, the table of a season, and what a federation's papers say of it."""

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.event import Tournament
from tournaments.standings.prizes import Sharing
from tournaments.standings.seasons import Scoring, Tie


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
        ordering = [F("first_day").desc(nulls_last=True), "-id"]
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
