"""What a federation's papers say of an event beside what it knows of itself."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Tournament


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
