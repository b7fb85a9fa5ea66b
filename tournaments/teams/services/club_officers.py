"""Accounts of officers of clubs: made for their clubs, moved between clubs, closed when the last club is taken away."""

from collections.abc import Collection, Mapping

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.officers.roles import CLUB_OFFICER, role_of
from players.officers.services.officers import make_officer, set_role
from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.models import LeagueClub


@transaction.atomic
def make_account(
    data: Mapping[str, str], role: str, clubs: Collection[int], *, password: str = "", by: User | None
) -> User:
    """A new account, of an officer of those clubs (keys) where there are some. Raises Refused as `make_officer`, and
    where the role needs a club."""
    user = make_officer(data, role, password=password, by=by)
    set_clubs(user, clubs, by=by)
    return user


@transaction.atomic
def set_clubs(user: User, clubs: Collection[int], *, by: User | None) -> None:
    """Set the clubs (keys) somebody is an officer of. Raises Refused for no club where the account is for that only."""
    if not clubs and user.is_active and role_of(user) == CLUB_OFFICER:
        raise Refused(_("An officer of a club needs a club: choose it, or close the account."))
    moved = set(clubs) ^ set(LeagueClub.objects.filter(officers=user).values_list("pk", flat=True))
    for club in LeagueClub.objects.select_for_update(no_key=True).filter(pk__in=moved).order_by("pk"):
        before = {"officers": names_of_officers(club)}
        if club.pk in clubs:
            club.officers.add(user)
        else:
            club.officers.remove(user)
        after = {"officers": names_of_officers(club)}
        write_audit("league-club.changed", club, by=by, before=before, after=after)


def close_without_club(users: Collection[User], *, by: User | None) -> None:
    """Close the accounts of those officers of clubs who have no club left, and sign them out."""
    for user in users:
        if user.is_active and role_of(user) == CLUB_OFFICER and not LeagueClub.objects.filter(officers=user).exists():
            set_role(user, CLUB_OFFICER, active=False, by=by)


def names_of_officers(club: LeagueClub) -> list[str]:
    """The user names of a club's officers, sorted."""
    return sorted(club.officers.values_list("username", flat=True))
