"""A question on a page: asked with a button, answered in the background, shown once the answer is there.

A page shows `asked(question)` with the fragment `_answer.html`, and gives its POSTs to `ask_from`. Nobody has to be
signed in: a question is answered once for everybody, and there is a rate limit.
"""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from clubrating.web.admin import officer
from clubrating.web.rate_limits import RateLimit, address_of
from players.jobs.services import OVER, Question, answer_of, ask, job_of
from players.models import Job

# A hall behind one address asks a few questions an evening; each may keep a worker busy for minutes.
QUESTIONS = RateLimit("questions", tries=60, seconds=3600)
RELOAD = 4  # seconds


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the job that answers it (None: nobody has asked), and the answer once it is there."""

    question: Question
    job: Job | None
    answer: Any | None

    @property
    def is_under_way(self) -> bool:
        return self.job is not None and self.job.state not in OVER

    @property
    def has_failed(self) -> bool:
        return self.job is not None and self.job.state in (Job.State.FAILED, Job.State.CANCELLED)


def asked(question: Question) -> Asked:
    """How the question stands. Two queries at most."""
    job = job_of(question)
    return Asked(question, job, answer_of(job))


def ask_from(request: HttpRequest, question: Question, back: str, limit: RateLimit = QUESTIONS) -> HttpResponse:
    """Ask it on behalf of a page's reader, and lead `back` to where its answer will be shown. `limit`: of what one
    address may ask."""
    who = address_of(request)
    if request.user.is_authenticated or not limit.is_exceeded_by(who):
        limit.count(who)
        ask(question, by=officer(request) if request.user.is_authenticated else None)
    else:
        messages.error(request, _("Too many questions from here within an hour. Ask again later."))
    return redirect(back)


def keep_looking(answer: HttpResponse, found: Asked) -> HttpResponse:
    """Reloads the page while the work goes on. Without an answer it is not cached: no fact changes when that comes."""
    if found.is_under_way:
        answer.headers["Refresh"] = str(RELOAD)
    if found.answer is None:
        answer.headers["Cache-Control"] = "no-store"
    return answer
