"""Clubs and leagues changed: names, venue, and the officers who act for a club's teams."""

from collections.abc import Collection, Mapping

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.people.names import clean_name
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from tournaments.models import League, LeagueClub
from tournaments.teams.services.club_officers import close_without_club, names_of_officers

FIELDS = ("name", "short_name", "venue")


@transaction.atomic
def change_club(key: int, facts: Mapping[str, str], officers: Collection[int], *, by: User | None) -> LeagueClub:
    """Set a club's `FIELDS` and its officers (keys of accounts). An account that was for this club only is closed with
    it. Raises Refused for an empty name or another's."""
    club = LeagueClub.objects.select_for_update(no_key=True).get(pk=key)
    before = _image(club)
    club.name, club.short_name, club.venue = clean_name(facts["name"]), facts["short_name"], facts["venue"]
    _check_name(club)
    club.save()
    left = list(club.officers.exclude(pk__in=officers))
    club.officers.set(officers)
    write_audit("league-club.changed", club, by=by, before=before, after=_image(club))
    close_without_club(left, by=by)
    return club


@transaction.atomic
def rename_league(key: int, name: str, *, by: User | None, revision: int | None = None) -> League:
    """Its address stays. Raises Stale, and Refused for an empty name."""
    league = League.objects.select_for_update(no_key=True).get(pk=key)
    if revision is not None and league.revision != revision:
        raise Stale(_("Somebody else changed this league meanwhile: look at it again, then change it."))
    before, league.name = {"name": league.name}, clean_name(name)
    if not league.name:
        raise Refused(_("A league needs a name."))
    league.revision += 1
    league.save()
    write_audit("league.changed", league, by=by, before=before, after={"name": league.name})
    return league


def _check_name(club: LeagueClub) -> None:
    if not club.name:
        raise Refused(_("A club needs a name."))
    if LeagueClub.objects.filter(name=club.name).exclude(pk=club.pk).exists():
        raise Refused(_("There is a club “%(name)s” already.") % {"name": club.name})


def _image(club: LeagueClub) -> dict[str, object]:
    return {**{name: getattr(club, name) for name in FIELDS}, "officers": names_of_officers(club)}
