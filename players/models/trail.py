"""The audit trail: who changed what and when."""

from typing import NoReturn

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


def _written_once(*args: object, **kwargs: object) -> NoReturn:
    raise TypeError("The audit trail is append-only: write_audit adds to it, and nobody changes or deletes a line.")


class Trail(models.QuerySet["AuditEvent"]):
    """The lines of the audit trail: to be added and read."""

    update = bulk_update = update_or_create = delete = _written_once


class AuditEvent(models.Model):
    """One change of a fact, written by the service that made it, in the same transaction. Never edited, no names in
    it: `before` and `after` hold keys, codes, dates and figures, `effect` what a correction moved downstream."""

    class Reason(models.TextChoices):
        NONE = "", "–"
        ENTRY_ERROR = "entry-error", _("entered wrongly")
        WRONG_COLOURS = "wrong-colours", _("colours were exchanged")
        APPEAL = "appeal", _("decision on an appeal")
        LATE_REPORT = "late-report", _("reported late")
        DUPLICATE = "duplicate", _("entered twice")
        WRONG_PLAYER = "wrong-player", _("wrong player")
        PAIRED_WRONGLY = "paired-wrongly", _("paired wrongly")
        DID_NOT_COME = "did-not-come", _("did not come")
        LEFT = "left", _("left the event")
        WISH = "wish", _("the person’s own wish")
        UNDONE = "undone", _("taken back")
        OTHER = "other", _("another reason")

    at = models.DateTimeField(_("when"), auto_now_add=True, db_index=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("who")
    )
    role = models.CharField(_("role"), max_length=20)
    # Where in the app: a page's name, a command, a background job (`players.trail.services`).
    origin = models.CharField(_("from"), max_length=80, blank=True)
    action = models.CharField(_("what"), max_length=40)
    subject_kind = models.CharField(_("about"), max_length=20)
    subject_key = models.BigIntegerField(_("key"))
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    effect = models.JSONField(_("what it moved"), default=dict)
    reason = models.CharField(_("reason"), max_length=20, choices=Reason, blank=True)
    note = models.TextField(_("note"), blank=True)

    objects = Trail.as_manager()
    # An existing row can neither be saved again nor deleted.
    _do_update = delete = _written_once

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit trail")
        ordering = ["-id"]
        indexes = [models.Index(fields=["subject_kind", "subject_key"], name="audit_by_subject")]

    def __str__(self) -> str:
        return f"{self.action} {self.subject_kind} {self.subject_key}"
