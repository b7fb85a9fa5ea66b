"""For which teams somebody acts: by the links the session came with, or as an officer of their club."""

from collections.abc import Iterable

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, Q, QuerySet

from players.links.services.secret_links import digest_of, holds
from tournaments.models import CaptainLink, LeagueClub, Round, Team, TeamMatch


def link_of(secret: str) -> CaptainLink | None:
    """The link of that secret, while it holds."""
    return _valid().filter(digest=digest_of(secret)).select_related("team__tournament").first()


def acting_teams(links: Iterable[int], user: User | AnonymousUser) -> list[Team]:
    """The teams of running events for which these links (keys) and this user act, each once. One query."""
    by_link = Q(captain_links__in=_valid().filter(pk__in=list(links)))
    by_club = Q(club__officers=user.pk) if user.is_authenticated and user.is_active else Q(pk=None)
    teams = Team.objects.filter(by_link | by_club, tournament__closed=False).distinct()
    return list(teams.select_related("tournament__team_rules", "club").order_by("tournament_id", "number"))


def clubs_of(user: User | AnonymousUser) -> list[LeagueClub]:
    """The clubs whose officer that user is. One query; none for nobody."""
    return list(LeagueClub.objects.filter(officers=user)) if isinstance(user, User) and user.is_active else []


def matches_of(teams: Iterable[Team]) -> list[TeamMatch]:
    """The published matches of those teams, in order of days, those without a day last. One query."""
    keys = [team.pk for team in teams]
    rows = TeamMatch.objects.filter(Q(home__in=keys) | Q(away__in=keys), away__isnull=False)
    rows = rows.exclude(round__state=Round.State.DRAFT).select_related("round__stage__tournament", "home", "away")
    return list(rows.order_by(F("played_on").asc(nulls_last=True), "round__number", "number"))


def _valid() -> QuerySet[CaptainLink]:
    return CaptainLink.objects.filter(holds())
