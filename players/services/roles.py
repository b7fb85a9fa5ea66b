"""Who may do what: the arbiter's group and the word for a user's role in the audit trail."""

from django.contrib.auth.models import Group, Permission, User

ARBITER = "arbiter"
ADMINISTRATOR = "administrator"
# app label, model, verbs: what an arbiter may do in the admin. Rating settings are not among it.
_ARBITER_MAY = (
    ("players", "player", ("add", "change", "view")),
    ("tournaments", "tournament", ("add", "change", "view")),
    ("tournaments", "game", ("change", "view")),
    ("ratings", "ratinglist", ("view",)),
    ("ratings", "playerrating", ("view",)),
    ("ratings", "startingrating", ("view",)),
    ("ratings", "ledgerentry", ("view",)),
)


def ensure_roles() -> Group:
    """The arbiter's group with its permissions, made or brought up to date."""
    group, _ = Group.objects.get_or_create(name=ARBITER)
    wanted: list[Permission] = []
    for app, model, verbs in _ARBITER_MAY:
        codenames = [f"{verb}_{model}" for verb in verbs]
        wanted += Permission.objects.filter(content_type__app_label=app, codename__in=codenames)
    group.permissions.set(wanted)
    return group


def role_of(user: User | None) -> str:
    """ "administrator", "arbiter" or "officer"; "system" for commands and background work."""
    if user is None:
        return "system"
    if user.is_superuser:
        return ADMINISTRATOR
    return ARBITER if user.groups.filter(name=ARBITER).exists() else "officer"
