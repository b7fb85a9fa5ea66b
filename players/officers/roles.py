"""Who may do what: four roles of the administration, each a group made by migration, and that of officers of clubs.

`administrator`   everything: accounts, the club, backups, erasing a person
`rating-officer`  rating lists with their rules, tiers, starting ratings, publishing; corrections of games
`arbiter`         players, events, results and their corrections; of the audit trail what is about an event of his
`assistant`       enters results and who has come, nothing else
`club-officer`    acts for the teams of his club under /captain/; nothing in the administration (not staff)

An event that names its officers is run by those only (`tournaments.events.selectors.officers`); administrators run
every one.
"""

from collections.abc import Mapping

from django.contrib.auth.models import Group, Permission, User
from django.db.models import Q, QuerySet

ADMINISTRATOR = "administrator"
RATING_OFFICER = "rating-officer"
ARBITER = "arbiter"
ASSISTANT = "assistant"
CLUB_OFFICER = "club-officer"
ROLES = (ADMINISTRATOR, RATING_OFFICER, ARBITER, ASSISTANT)  # of the administration, the highest first
ALL_ROLES = (*ROLES, CLUB_OFFICER)


def _every(model: str) -> tuple[str, ...]:
    app, _dot, name = model.partition(".")
    return tuple(f"{app}.{action}_{name}" for action in ("add", "change", "delete", "view"))


_READS_RATINGS = (
    "ratings.view_ratinglist",
    "ratings.view_playerrating",
    "ratings.view_startingrating",
    "ratings.view_ledgerentry",
)
_READS_TRAIL = ("players.view_auditevent", "players.view_job")
# What each role may do in the admin. Administrators are superusers too, so they also have permissions added later.
PERMISSIONS: Mapping[str, tuple[str, ...]] = {
    RATING_OFFICER: (
        *_READS_TRAIL,
        *_READS_RATINGS,
        "ratings.add_ratinglist",
        "ratings.change_ratinglist",
        *_every("ratings.ratinglistrule"),
        *_every("ratings.ratingtier"),
        *_every("ratings.startingrating"),
        "ratings.view_ratingstep",
        "ratings.view_publishedlist",
        "players.view_player",
        "tournaments.view_tournament",
        "tournaments.view_game",
        "tournaments.change_game",
    ),
    ARBITER: (
        *_READS_RATINGS,
        "players.add_player",
        "players.change_player",
        "players.view_player",
        "tournaments.add_tournament",
        "tournaments.change_tournament",
        "tournaments.view_tournament",
        "tournaments.enter_results",
        "tournaments.change_game",
        "tournaments.view_game",
    ),
    ASSISTANT: ("tournaments.enter_results",),
    CLUB_OFFICER: (),
}
PERMISSIONS = {ADMINISTRATOR: tuple(sorted({name for names in PERMISSIONS.values() for name in names})), **PERMISSIONS}


def group_of(role: str) -> Group:
    """The role's group with its permissions, made or brought up to date. Raises KeyError for a role that is none."""
    group, _made = Group.objects.get_or_create(name=role)
    wanted = set(PERMISSIONS[role])
    named = Permission.objects.filter(codename__in=[name.partition(".")[2] for name in wanted])
    found = named.select_related("content_type")
    group.permissions.set([row for row in found if f"{row.content_type.app_label}.{row.codename}" in wanted])
    return group


def role_of(user: User | None) -> str:
    """One of `ALL_ROLES`, the highest of those a user has; "officer" for staff without any; "system" for commands and
    background work."""
    if user is None:
        return "system"
    if user.is_superuser:
        return ADMINISTRATOR
    groups = set(user.groups.values_list("name", flat=True))
    return next((role for role in ALL_ROLES if role in groups), "officer")


def accounts() -> QuerySet[User]:
    """The accounts with which somebody may sign in: open ones, of staff or of officers of clubs."""
    of_clubs = User.objects.filter(groups__name=CLUB_OFFICER)
    return User.objects.filter(Q(is_staff=True) | Q(pk__in=of_clubs.values("pk")), is_active=True)


def may_sign_in(user: User) -> bool:
    """Whether it is one of the `accounts`."""
    return accounts().filter(pk=user.pk).exists()
