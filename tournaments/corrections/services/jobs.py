"""Background work: rebuild a list beside the running site, carry out a correction with a long tail.

How a chunk is leased and finished: `players.jobs.services`.
"""

from collections.abc import Callable

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django_tasks import task

from players.jobs.services import finish_job, lease_chunk, report_progress
from players.models import Job, JobChunk
from players.refusals import Refused
from players.trail.services import acting_from
from ratings.models import RatingList
from tournaments.corrections.services.changes import Change, Why
from tournaments.corrections.services.long_corrections import (
    carry_out_at_once,
    carry_out_beside,
    from_payload,
    is_rated_beside,
    to_payload,
)
from tournaments.rated_games.selectors.games import count_rated
from tournaments.rated_games.services.rebuilding import rebuild_list

REBUILD = "rebuild-list"
CORRECTION = "correct"
LONG_TAIL = 5000  # games rated again within the request that asks for it; more is background work


@transaction.atomic
def request_rebuild(rating_list: RatingList, *, by: User | None) -> Job:
    """Ask for a list to be rated from nothing in the background; a job already waiting for the list is returned."""
    waiting = Job.objects.filter(kind=REBUILD, subject_key=rating_list.pk, state=Job.State.WAITING).first()
    if waiting:
        return waiting
    job = Job.objects.create(kind=REBUILD, subject_key=rating_list.pk, requested_by=by)
    chunk = JobChunk.objects.create(job=job, number=1)
    run_chunk.enqueue(chunk.pk)
    return job


@transaction.atomic
def request_correction(change: Change, facts: str, why: Why) -> Job:
    """Ask for a correction with a long tail to be carried out in the background. `facts`: digest of the facts its
    preview rested on; if they move meanwhile, the job fails and changes nothing."""
    payload = {**to_payload(change), "facts": facts}
    payload |= {"reason": why.reason, "note": why.note, "bracket": why.bracket}
    job = Job.objects.create(kind=CORRECTION, payload=payload, requested_by=why.by)
    run_chunk.enqueue(JobChunk.objects.create(job=job, number=1).pk)
    return job


@task()
def run_chunk(chunk_key: int) -> None:
    """Carry out one chunk; a chunk already done, or leased to another worker, is left alone."""
    chunk = lease_chunk(chunk_key)
    if chunk is None:
        return
    try:
        with acting_from(f"job {chunk.job.kind}"):
            message = _correct(chunk) if chunk.job.kind == CORRECTION else _rebuild(chunk)
    except Refused as refusal:
        finish_job(chunk, Job.State.FAILED, str(refusal))
    except Exception:
        finish_job(chunk, Job.State.FAILED, _("The work broke off; nothing was changed. Ask for it again."))
        raise
    else:
        finish_job(chunk, Job.State.DONE, message)


def _rebuild(chunk: JobChunk) -> str:
    rating_list = RatingList.objects.filter(pk=chunk.job.subject_key or 0).first()
    if rating_list is None:
        raise Refused(_("The list was deleted meanwhile."))
    games = rebuild_list(rating_list, tell=_progress_of(chunk, count_rated(rating_list.pool)))
    return _("%(count)s games rated.") % {"count": games}


def _correct(chunk: JobChunk) -> str:
    """Carry a correction out; done twice it is refused the second time, since its facts have moved."""
    payload = chunk.job.payload
    change = from_payload(payload)
    why = Why(chunk.job.requested_by, payload["reason"], payload["note"], payload.get("bracket", ""))
    if is_rated_beside(change):
        games = max((count_rated(pool) for pool in change.begin()), default=0)
        carry_out_beside(change, payload["facts"], why, tell=_progress_of(chunk, games))
    else:
        carry_out_at_once(change, payload["facts"], why)
    return _("Corrected; every rating behind it follows.")


def rate_anew(rating_list: RatingList, *, by: User | None) -> Job | None:
    """Rate a list from nothing: at once where that is quick, else in the background; then its job is returned."""
    if count_rated(rating_list.pool) > LONG_TAIL:
        return request_rebuild(rating_list, by=by)
    rebuild_list(rating_list)
    return None


def _progress_of(chunk: JobChunk, games: int) -> Callable[[int], None]:
    """Writes down how far the work on so many games is."""
    return lambda rated: report_progress(chunk, rated, games)
