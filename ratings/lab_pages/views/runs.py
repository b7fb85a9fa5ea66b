"""The club's own runs of the study: a list for everybody, a form and a button to stop for whoever may change lists."""

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubrating.web.admin import officer
from players.jobs.services import OVER, cancel_job
from players.models import Job
from ratings.lab_pages.services import STUDY_RUN, figures_of, folder_of, order_of, request_study
from ratings.lab_pages.views.lab import study_context
from ratings.lab_pages.views.pictures import RELOAD, files_of, plates_of, sheet_of
from ratings.lab_pages.words import STUDIES, StudyForm

MAY_RUN = "ratings.change_ratinglist"
SHOWN = 20


def _run(pk: int) -> Job:
    return get_object_or_404(Job, pk=pk, kind=STUDY_RUN)


@never_cache
def runs(request: HttpRequest) -> HttpResponse:
    """The last runs; POST asks for a new one."""
    form = StudyForm(request.POST or None) if request.user.has_perm(MAY_RUN) else None
    if request.method == "POST":
        if form is None:
            raise PermissionDenied
        if form.is_valid():
            job = request_study(form.order, by=officer(request))
            messages.success(request, _("The study is asked for; its page shows how far it is."))
            return redirect("lab:run", pk=job.pk)
    found = [(job, order_of(job)) for job in Job.objects.filter(kind=STUDY_RUN)[:SHOWN]]
    return render(request, "lab/runs.html", {"form": form, "runs": found, "studies": STUDIES})


@never_cache
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """One run: its progress, and the figures of what is finished. While it goes on, the page loads itself anew."""
    job = _run(pk)
    document = figures_of(job)
    context = {"job": job, "order": order_of(job), "study": STUDIES[order_of(job).study], "document": document}
    context |= study_context(document) if document else {}
    context |= {
        "plates": plates_of(job),
        "sheet": sheet_of(job),
        "is_over": job.state in OVER,
        "may_run": request.user.has_perm(MAY_RUN),
    }
    answer = render(request, "lab/run.html", context)
    if job.state not in OVER:
        answer.headers["Refresh"] = str(RELOAD)
    return answer


@require_POST
@permission_required(MAY_RUN, raise_exception=True)
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop a run; what is finished of it stays."""
    if cancel_job(_run(pk)):
        messages.success(request, _("The study is stopped; what is finished of it stays."))
    return redirect("lab:run", pk=pk)


def file(request: HttpRequest, pk: int, name: str) -> FileResponse:
    """One file of a run: a chart, or the figures behind it."""
    job = _run(pk)
    if name not in files_of(job):
        raise Http404
    # Never written again under this name: the run's number and its seed make it what it is.
    return FileResponse((folder_of(job) / name).open("rb"), headers={"Cache-Control": "public, max-age=86400"})
