"""Who may sign in: arbiters and administrators, made, changed and closed, never deleted (the audit trail names them).

There is always an active administrator left, and nobody shuts himself out.
"""

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils.translation import gettext as _

from players.services.audit import write_audit
from players.services.refusals import Refused
from players.services.roles import ADMINISTRATOR, ARBITER, ensure_roles, role_of


@transaction.atomic
def set_role(user: User, role: str, *, active: bool, by: User | None) -> None:
    """Make a user an arbiter or an administrator, or close the account. Raises Refused where nobody would be left to
    administer the club, or somebody would shut himself out."""
    before = {"role": role_of(user), "active": user.is_active} if user.groups.exists() or user.is_superuser else {}
    stays = active and role == ADMINISTRATOR
    if by is not None and by.pk == user.pk and not stays:
        raise Refused(_("You cannot close your own account or give up your own role: ask another administrator."))
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not stays and not others.exists():
        raise Refused(_("This is the last administrator: make another one first."))
    group: Group = ensure_roles()
    user.is_staff, user.is_active, user.is_superuser = True, active, role == ADMINISTRATOR
    user.save(update_fields=["is_staff", "is_active", "is_superuser"])
    user.groups.set([group] if role == ARBITER else [])
    write_audit("officer.changed", user, by=by, before=before, after={"role": role, "active": active})
