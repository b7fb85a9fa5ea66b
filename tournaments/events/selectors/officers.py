"""Who runs an event: those it names, or where it names nobody every arbiter; administrators run every one."""

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet, prefetch_related_objects

from players.officers.roles import ARBITER, ASSISTANT
from tournaments.models import Tournament

AnyUser = User | AnonymousUser


def runs(user: AnyUser, tournament: Tournament) -> bool:
    """Whether that user is one of those who run the event. What he may do there his role says."""
    if not user.is_active or not user.is_authenticated:
        return False
    if user.is_superuser:
        return True
    prefetch_related_objects([tournament], "officers")  # a page asks several times
    named = {row.pk for row in tournament.officers.all()}
    return not named or user.pk in named


def run_by(user: AnyUser) -> Q:
    """A condition for the events that user runs."""
    return Q() if user.is_superuser else Q(officers=None) | Q(officers=user.pk)


def may_enter(user: AnyUser, tournament: Tournament) -> bool:
    """Whether that user enters results of the event, and who has come."""
    return user.has_perm("tournaments.enter_results") and runs(user, tournament)


def who_enters() -> dict[int, bool]:
    """Everybody who enters results of some event, by key, with whether they run every one. One query."""
    people = User.objects.with_perm("tournaments.enter_results", backend=settings.OFFICERS).filter(is_staff=True)
    return dict(people.values_list("pk", "is_superuser"))


def may_correct(user: AnyUser, tournament: Tournament) -> bool:
    """Whether that user corrects games of the event; who answers for the ratings corrects those of every event."""
    if not user.has_perm("tournaments.change_game"):
        return False
    return user.has_perm("ratings.change_ratinglist") or runs(user, tournament)


def who_may_run() -> QuerySet[User]:
    """Whom an event may name: those who are arbiters or assistants now. Administrators run every event anyway."""
    people = User.objects.filter(is_active=True, is_staff=True, groups__name__in=(ARBITER, ASSISTANT)).distinct()
    return people.order_by("last_name", "first_name", "username")
