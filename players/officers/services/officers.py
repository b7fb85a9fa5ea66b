"""Who may sign in, and in which role: accounts are made, changed, closed, never deleted (the audit trail names them).

There is always an active administrator left, and nobody can close his own account. Passwords, links, sessions and
second factors: `players.officers.services.credentials`.
"""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import ApiToken
from players.officers.roles import ADMINISTRATOR, ALL_ROLES, CLUB_OFFICER, group_of, role_of
from players.officers.services.credentials import end_sessions, set_password
from players.refusals import Refused
from players.trail.services import write_audit

DATA = ("username", "first_name", "last_name", "email")


@transaction.atomic
def make_officer(data: Mapping[str, str], role: str, *, password: str = "", by: User | None) -> User:
    """A new account. Without a password nobody can sign in with it until a link was used (`make_link`).
    Raises Refused for a name that is taken, a password against the rules, or a role that is none."""
    user = User(**{field: data.get(field, "") for field in DATA}, is_staff=role != CLUB_OFFICER)
    user.set_unusable_password()
    _check_data(user)
    user.save()
    set_role(user, role, active=True, by=by)
    if password:
        set_password(user, password, by=by)
    return user


@transaction.atomic
def update_officer(user_key: int, data: Mapping[str, str], *, by: User | None) -> set[str]:
    """Change name and e-mail of an account, and say which fields moved; the audit event names the fields only. Raises
    Refused for a user name that is taken."""
    user = User.objects.select_for_update().get(pk=user_key)
    changed = {field for field in DATA if field in data and data[field] != getattr(user, field)}
    if not changed:
        return changed
    for field in changed:
        setattr(user, field, data[field])
    _check_data(user)
    user.save(update_fields=sorted(changed))
    write_audit("officer.data", user, by=by, after={"fields": sorted(changed)})
    return changed


def _check_data(user: User) -> None:
    if User.objects.filter(username__iexact=user.username).exclude(pk=user.pk).exists():
        raise Refused(_("There is a user “%(name)s” already: choose another user name.") % {"name": user.username})
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from None


@transaction.atomic
def set_role(user: User, role: str, *, active: bool, by: User | None) -> None:
    """Give a user one of `ALL_ROLES`, or close the account. Closing it signs it out everywhere and takes its tokens
    back, and so does a way into the administration or out of it. Raises Refused where nobody would be left to
    administer the club, somebody would shut himself out, or for a role that is none."""
    if role not in ALL_ROLES:
        raise Refused(_("“%(role)s” is no role: choose one of the list.") % {"role": role[:20]})
    # Locks all administrators' rows, so that two of them cannot close each other's account at the same time.
    administrators = set(
        User.objects.select_for_update().filter(is_superuser=True, is_active=True).values_list("pk", flat=True)
    )
    before = {"role": role_of(user), "active": user.is_active} if user.groups.exists() or user.is_superuser else {}
    stays = active and role == ADMINISTRATOR
    if by is not None and by.pk == user.pk and not stays:
        raise Refused(_("You cannot close your own account or give up your own role: ask another administrator."))
    if administrators == {user.pk} and not stays:
        raise Refused(_("This is the last administrator: make another one first."))
    is_staff = role != CLUB_OFFICER
    lost = not active or user.is_staff != is_staff
    user.is_staff, user.is_active, user.is_superuser = is_staff, active, role == ADMINISTRATOR
    user.save(update_fields=["is_staff", "is_active", "is_superuser"])
    user.groups.set([group_of(role)])
    if lost:
        end_sessions(user)
        ApiToken.objects.filter(officer=user, revoked_at=None).update(revoked_at=timezone.now())
    after = {"role": role, "active": active}
    if before != after:
        write_audit("officer.changed", user, by=by, before=before, after=after)
