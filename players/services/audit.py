"""The one audit trail. A service that changes a fact calls `write_audit` once, inside its transaction."""

from typing import Any

from django.contrib.auth.models import User
from django.db import models

from players.models import AuditEvent
from players.services.roles import role_of


def write_audit(
    action: str,
    subject: models.Model,
    *,
    by: User | None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    effect: dict[str, Any] | None = None,
    reason: str = "",
    note: str = "",
) -> AuditEvent:
    """Write what happened to `subject`. `by` is empty for commands. `before`, `after` and
    `effect` (what a correction moved downstream, known once it is rated) must hold no names."""
    return AuditEvent.objects.create(
        actor=by,
        role=role_of(by),
        action=action,
        subject_kind=str(subject._meta.model_name),
        subject_key=subject.pk,
        before=before or {},
        after=after or {},
        effect=effect or {},
        reason=reason,
        note=note,
    )
