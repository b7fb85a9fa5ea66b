"""The certificate of a large round, made in the background (`tournaments.rounds.selectors.certificate`)."""

from typing import Any

from django.utils.translation import gettext as _

from players.jobs.services import take_up
from players.models import Job
from players.refusals import Refused
from tournaments.forecast.outlook import Tell
from tournaments.models import Round
from tournaments.rounds.selectors.certificate import certifiable_round, certificate_question, made_document
from tournaments.rounds.selectors.why import field_before


def answer_certificate(job: Job, tell: Tell) -> dict[str, Any]:
    """The certificate of the round the job is about, without names. Raises Refused where there is no such round."""
    row = Round.objects.select_related("stage__tournament").filter(pk=job.subject_key or 0).first()
    asked = certifiable_round(row.stage.tournament.slug, row.number) if row else None
    if asked is None:
        raise Refused(_("This round is not there any more."))
    field = field_before(asked)
    take_up(job, certificate_question(asked, field))
    return made_document(asked, field)
