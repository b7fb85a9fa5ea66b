"""Work in the background."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """Background work and how far it is. The queue may lose tasks; this row is authoritative. `payload` says what is to
    be done, `progress` how much of it is (0 … 100). `question`: of work that only answers a question, the digest of the
    question and of the facts its answer rests on; one job that has not failed answers it for everybody."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    kind = models.CharField(_("kind"), max_length=40)
    subject_key = models.BigIntegerField(_("about"), null=True)
    payload = models.JSONField(_("what is to be done"), default=dict)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("requested by"),
    )
    requested_at = models.DateTimeField(_("requested"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True)
    progress = models.PositiveSmallIntegerField(_("per cent done"), default=0)
    message = models.TextField(_("outcome"), blank=True)
    question = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)

    class Meta:
        verbose_name = _("background job")
        verbose_name_plural = _("background jobs")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["question"],
                condition=Q(state__in=("waiting", "running", "done")) & ~Q(question=""),
                name="question_is_answered_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class JobChunk(models.Model):
    """A part of a job that can be done again without harm. `lease_until` says who else may take it over, and when."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    seed = models.BigIntegerField(null=True)
    lease_until = models.DateTimeField(null=True)
    done = models.BooleanField(default=False)
    result = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "number"], name="chunk_once_per_job")]

    def __str__(self) -> str:
        return f"{self.job_id}/{self.number}"
