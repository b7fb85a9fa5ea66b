"""Officers of a club see and enter their own club's matters, at every address of the site and the administration."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from players.models import AuditEvent
from players.refusals import Refused
from ratings.models import RatingList
from tests.factory import make_arbiter, make_players, today
from tests.tournaments.teams.team_cases import make_team_event, match_between, team
from tournaments.captains.services import make_link, officer_orders
from tournaments.models import (
    CaptainLink,
    League,
    LeagueClub,
    LineUp,
    LineUpPlace,
    Team,
    TeamMatch,
    TeamPlayer,
    TeamRules,
)
from tournaments.teams.services.line_ups import hand_in, open_match

pytestmark = pytest.mark.django_db
NOTE = "Plantednote"
DOINGS = ("line-up", "open", "card", "agree", "order", "add")


@pytest.fixture
def ours(standard: RatingList) -> Team:
    """Our team, Delta; Anchor of another club handed in a line-up for their match, which nobody may see yet."""
    event = make_team_event()
    TeamMatch.objects.update(played_on=today())
    for name, club in (("Anchor", "Others"), ("Delta", "Ours")):
        row = LeagueClub.objects.create(name=club)
        row.officers.add(User.objects.create_user(club))
        Team.objects.filter(name=name).update(club=row)
    anchor = team(event, "Anchor")
    order = list(TeamPlayer.objects.filter(team=anchor).order_by("-place").values_list("pk", flat=True))[:2]
    hand_in(match_between(event, "Anchor", "Delta").pk, anchor.pk, order, by=None, note=NOTE)
    make_link(anchor.pk, by=None)
    return team(event, "Delta")


def officer(club: str = "Ours") -> Client:
    client = Client()
    client.force_login(User.objects.get(username=club))
    return client


def by_link(ours: Team) -> Client:
    client = Client()
    client.get(f"/captain/link/{make_link(ours.pk, by=None)[1]}/")
    return client


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for each in resolver.url_patterns:
        here = before + str(each.pattern)
        if isinstance(each, URLPattern):
            yield here
        else:
            yield from routes(each, here)


def addresses(ours: Team) -> Iterator[str]:
    """Every address, its blanks filled with the keys of what is not ours, and of the match."""
    event = ours.tournament
    anchor, match = team(event, "Anchor"), match_between(event, "Anchor", "Delta")
    keys = sorted({anchor.pk, match.pk, match.round_id, event.pk, LineUp.objects.get().pk, anchor.number})
    for route in routes(get_resolver()):
        if "(?P" in route:
            continue
        blanks = re.findall("<[^>]+>", route)
        few = [match.pk, anchor.pk] if "captain/" in route else [match.pk]
        tried = keys if len(blanks) == 1 and "team" in route else few
        values = [tried if blank.startswith("<int") else [event.slug] for blank in blanks]
        for chosen in product(*values):
            path = route
            for value in chosen:
                path = re.sub("<[^>]+>", str(value), path, count=1)
            yield "/" + path


def private() -> list[Any]:
    tables = (LineUp, LineUpPlace, CaptainLink, TeamPlayer, TeamMatch, Team, TeamRules, LeagueClub)
    return [list(table.objects.order_by("pk").values_list()) for table in tables]


@pytest.mark.parametrize("way", ["officer", "link"])
def test_no_address_shows_or_changes_what_is_another_clubs(way: str, ours: Team) -> None:
    client = officer() if way == "officer" else by_link(ours)
    before, seen = private(), 0
    for path in addresses(ours):
        if path.startswith("/captain/leave") or "logout" in path:
            continue
        answer = client.get(path)
        assert answer.streaming or NOTE.encode() not in answer.content, path
        assert answer.status_code != 500, path
        if path.startswith(("/admin/", "/captain/")):
            for do in DOINGS if path.startswith("/captain/") else DOINGS[:1]:
                asked = client.post(path, {"do": do, "revision": 1, "board-1": "", "revoke": "1", "team": "1"})
                assert asked.status_code in (200, 302, 403, 404, 405, 409), path
        seen += answer.status_code == 200
    assert private() == before
    assert seen > 30


def test_an_officer_keeps_the_list_of_the_own_clubs_team(ours: Team) -> None:
    client, page = officer(), f"/captain/teams/{ours.pk}/"
    new = make_players(1)[0]
    assert client.post(page, {"do": "add", "names": f"#{new.number}"}).status_code == 302
    rows = list(TeamPlayer.objects.filter(team=ours).order_by("place"))
    assert rows[-1].entry.player == new
    places = {f"place-{row.pk}": str(len(rows) - row.place + 1) for row in rows}
    assert client.post(page, {"do": "order", **places, f"reserve-{rows[0].pk}": "on"}).status_code == 302
    now = TeamPlayer.objects.filter(team=ours).order_by("place")
    assert [row.pk for row in now] == [row.pk for row in reversed(rows)]
    assert now.get(reserve=True) == rows[0]
    assert AuditEvent.objects.filter(action="team.players-ordered", actor__username="Ours").exists()
    assert new.name in client.get(page).text
    assert client.post(page, {"do": "add", "names": "Nobody Known"}).status_code == 409
    assert client.post(page, {"do": "order"}).status_code == 409
    theirs = team(ours.tournament, "Anchor")
    assert client.get(f"/captain/teams/{theirs.pk}/").status_code == 404
    assert by_link(ours).get(page).status_code == 404


def test_a_fixed_order_stands_once_boards_are_made(ours: Team) -> None:
    TeamRules.objects.update(order="fixed")
    open_match(match_between(ours.tournament, "Anchor", "Delta").pk, by=None)
    order = list(TeamPlayer.objects.filter(team=ours).order_by("-place").values_list("pk", flat=True))
    with pytest.raises(Refused, match="stands since its first match"):
        officer_orders(ours.pk, order, (), by=User.objects.get(username="Ours"))
    with pytest.raises(Refused, match="Only officers"):
        officer_orders(ours.pk, order, (), by=User.objects.get(username="Others"))


def test_an_arbiter_names_the_officers_of_a_club_and_a_league(ours: Team) -> None:
    desk, user = Client(), User.objects.get(username="Others")
    desk.force_login(make_arbiter("arbiter"))
    page = f"/admin/tournaments/leagueclub/{ours.club_id}/change/"
    assert desk.post(page, {"name": "Ours", "venue": "Hall", "officers": [user.pk]}).status_code == 302
    club = LeagueClub.objects.get(pk=ours.club_id)
    assert (club.venue, list(club.officers.all())) == ("Hall", [user])
    assert AuditEvent.objects.filter(action="league-club.changed", actor__username="arbiter").count() == 1
    assert "already" in desk.post(page, {"name": "Others"}).text
    assert desk.post("/admin/tournaments/leagueclub/add/", {"name": "Third", "officers": []}).status_code == 302
    assert desk.post("/admin/tournaments/league/add/", {"name": "County"}).status_code == 302
    county = League.objects.get()
    change = {"name": "County League", "revision": 0}
    assert desk.post(f"/admin/tournaments/league/{county.pk}/change/", change).status_code == 302
    assert League.objects.get().name == "County League"
    assert officer().get(page).status_code == 302
