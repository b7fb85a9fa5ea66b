"""What background work is called where officers see it: the list of jobs and the dashboard."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubrating.site.eras.selectors import ERAS
from clubrating.site.luck.selectors import LUCK
from clubrating.site.research.selectors import BACKTEST, PROPOSAL
from players.models import Job
from ratings.lab_pages.services import STUDY_RUN, TYPED_RUN
from tournaments.builders.services import ADVICE
from tournaments.corrections.services.jobs import CORRECTION, REBUILD
from tournaments.forecasts.selectors.forecasts import FORECAST
from tournaments.forecasts.selectors.needs import NEEDS
from tournaments.forecasts.selectors.own_masters import OWN_MASTERS
from tournaments.forecasts.selectors.season import SEASON
from tournaments.rounds.selectors.certificate import CERTIFICATE

KINDS: Mapping[str, Promise] = {
    CORRECTION: _("Correction"),
    REBUILD: _("Rating list from its beginning"),
    STUDY_RUN: _("Study of the lab"),
    TYPED_RUN: _("Typed rating system tried"),
    BACKTEST: _("Back-test of the ratings"),
    PROPOSAL: _("Proposal for the rating rules"),
    ADVICE: _("Advice on the format"),
    NEEDS: _("What each player needs"),
    FORECAST: _("Forecast of an event"),
    OWN_MASTERS: _("Masters’ forecast of one’s own"),
    SEASON: _("Forecast of a list at the year’s end"),
    ERAS: _("Comparison across eras"),
    LUCK: _("What changes of ratings are made of"),
    CERTIFICATE: _("Certificate of the pairings"),
}


def kind_in_words(job: Job) -> str:
    """What the job's work is called."""
    return str(KINDS.get(job.kind, job.kind))
