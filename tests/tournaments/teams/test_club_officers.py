"""Officers of a club see and enter their own club's matters, at every address of the site and the administration."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from players.models import AuditEvent, Player
from players.officers.roles import ARBITER, CLUB_OFFICER
from players.officers.services.officers import set_role
from players.refusals import Refused
from ratings.models import RatingList
from tests.clubrating.accounts.account_cases import NEW, give_password, is_signed_in, link_on, signed_in
from tests.factory import make_administrator, make_arbiter, make_players, make_rating_officer, today, told
from tests.routes import routes
from tests.tournaments.teams.team_cases import make_team_event, match_between, team
from tests.visitor import Visitor
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
    Tournament,
)
from tournaments.teams.services.club_officers import make_account, set_clubs
from tournaments.teams.services.clubs import change_club
from tournaments.teams.services.line_ups import hand_in, open_match

pytestmark = pytest.mark.usefixtures("ours")
NOTE = "Plantednote"
PASSWORD = "four bishops are enough"
ABOUT_TEAMS = ("/captain/", "/tournaments/", "team", "match", "league")
DOINGS = ("line-up", "open", "card", "agree", "order", "add")


@pytest.fixture(scope="module")
def ours(standard: RatingList) -> Team:
    """Our team, Delta; Anchor of another club handed in a line-up for their match, which nobody may see yet."""
    event = make_team_event()
    TeamMatch.objects.update(played_on=today())
    for name, club in (("Anchor", "Others"), ("Delta", "Ours")):
        row = LeagueClub.objects.create(name=club)
        make_account({"username": club}, CLUB_OFFICER, [row.pk], password=PASSWORD, by=None)
        Team.objects.filter(name=name).update(club=row)
    anchor = team(event, "Anchor")
    order = list(TeamPlayer.objects.filter(team=anchor).order_by("-place").values_list("pk", flat=True))[:2]
    hand_in(match_between(event, "Anchor", "Delta").pk, anchor.pk, order, by=None, note=NOTE)
    make_link(anchor.pk, by=None)
    return team(event, "Delta")


def officer(club: str = "Ours") -> Client:
    """Somebody with an account for that club, who came by the form."""
    client = Client()
    answer = client.post("/admin/login/", {"username": club, "password": PASSWORD})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/captain/")
    return client


def by_link(ours: Team) -> Client:
    client = Client()
    client.get(f"/captain/link/{make_link(ours.pk, by=None)[1]}/")
    return client


def addresses(ours: Team) -> Iterator[str]:
    """Every address, its blanks filled with the keys of what is not ours, and of the match."""
    event = ours.tournament
    anchor, match = team(event, "Anchor"), match_between(event, "Anchor", "Delta")
    keys = sorted({anchor.pk, match.pk, match.round_id, event.pk, LineUp.objects.get().pk, anchor.number})
    for route in (each.path for each in routes()):
        if "(?P" in route:
            continue
        blanks = re.findall("<[^>]+>", route)
        few = [match.pk, anchor.pk] if "captain/" in route else [match.pk]
        if route.startswith("tournaments/"):
            few.append(anchor.number)  # rounds, boards and entries: what there is whatever keys the database gives
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


@pytest.mark.extended
@pytest.mark.usefixtures("plain_refusals")
@pytest.mark.parametrize("way", ["officer", "link"])
def test_no_address_shows_or_changes_what_is_another_clubs(way: str, ours: Team) -> None:
    client = officer() if way == "officer" else by_link(ours)
    before, seen = private(), 0
    for path in addresses(ours):
        if path.startswith(("/captain/leave", "/account/sign-out/")) or "logout" in path:
            continue
        if way == "link" and not any(word in path for word in ABOUT_TEAMS):
            continue  # the same for everybody; an officer of a club looks at them all
        answer = client.get(path)
        assert answer.streaming or NOTE.encode() not in answer.content, path
        assert answer.status_code != 500, path
        if path.startswith("/admin/") and not path.startswith(("/admin/login", "/admin/password")):
            assert answer.status_code in (302, 403, 404), path
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
    assert client.post(page, {"do": "order", **places}).status_code == 302
    assert not now.filter(reserve=True).exists()
    assert AuditEvent.objects.filter(action="team.players-ordered", actor__username="Ours").exists()
    for visibility, is_named in (("members", True), ("hidden", False)):
        Player.objects.filter(pk=new.pk).update(visibility=visibility)
        shown = client.get(page).text
        assert (new.name in shown, f"Player {new.number}" in shown) == (is_named, not is_named)
    assert client.post(page, {"do": "add", "names": "Nobody Known"}).status_code == 409
    assert client.post(page, {"do": "order"}).status_code == 409
    theirs = team(ours.tournament, "Anchor")
    assert client.get(f"/captain/teams/{theirs.pk}/").status_code == 404
    assert by_link(ours).get(page).status_code == 404
    assert {row.team_id for row, _name, _up in client.get(page).context["lines"]} == {ours.pk}
    Tournament.objects.filter(pk=ours.tournament_id).update(closed=True)
    assert client.get(page).status_code == 404


def test_a_fixed_order_stands_once_boards_are_made(ours: Team) -> None:
    TeamRules.objects.update(order="fixed")
    order = list(TeamPlayer.objects.filter(team=ours).order_by("-place").values_list("pk", flat=True))
    open_match(match_between(ours.tournament, "Bridge", "Castle").pk, by=None)
    assert officer_orders(ours.pk, order, (), by=User.objects.get(username="Ours"))
    order.reverse()
    open_match(match_between(ours.tournament, "Anchor", "Delta").pk, by=None)
    assert officer_orders(ours.pk, order[::-1], order[-1:], by=User.objects.get(username="Ours")) == 1, "a reserve"
    with pytest.raises(Refused, match="stands since its first match"):
        officer_orders(ours.pk, order, (), by=User.objects.get(username="Ours"))
    User.objects.filter(username="Ours").update(is_active=False)
    for name in ("Others", "Ours"):
        with pytest.raises(Refused, match="Only officers"):
            officer_orders(ours.pk, order, (), by=User.objects.get(username=name))


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
    line = told("league.changed", county, User.objects.get(username="arbiter"))
    assert (line.before, line.after) == ({"name": "County"}, {"name": "County League"})
    assert "Accounts of its officers" not in desk.get(page).text, "accounts are the administrators’"
    assert officer("Others").get(page).status_code == 403
    desk.force_login(make_rating_officer())
    assert desk.get(page).status_code == 403, "who makes no events keeps no clubs"


# --- the account --------------------------------------------------------------------------------------------------
def test_an_administrator_gives_a_guest_an_account_on_the_page_of_the_club(ours: Team) -> None:
    boss, guest = signed_in(make_administrator()), Visitor()
    boss.open(f"/admin/tournaments/leagueclub/{ours.club_id}/change/")
    boss.click("New account for an officer of this club")
    boss.send("Save", username="gast", clubs=[])
    assert boss.sees("An officer of a club needs a club")
    boss.send("Save", username="gast", clubs=[str(ours.club_id)])
    boss.send("Make a one-time link")
    guest.open(link_on(boss))
    guest.send("Set the password", password1=NEW, password2=NEW)
    guest.send("Sign in", username="gast", password=NEW)
    assert guest.address == "/captain/"
    assert guest.sees("Ours", "List of Delta", "My club")
    guest.open("/offline/")
    assert "gast" not in guest.page.words, "the device keeps that page"
    guest.open("/admin/")
    assert guest.status == 403
    guest.click("My account")
    assert guest.sees("gast · officer of a club", "Second factor")
    guest.send("Log out")
    assert not is_signed_in(guest.client)
    user = User.objects.get(username="gast")
    assert (user.is_staff, user.get_all_permissions()) == (False, set())
    assert AuditEvent.objects.filter(action="league-club.changed", actor__username="admin").count() == 1


def test_without_a_club_the_account_is_closed_and_signed_out(ours: Team) -> None:
    client, other = officer(), officer("Others")
    facts = {"name": "Ours", "short_name": "", "venue": ""}
    arbiter = make_arbiter("Abel")
    change_club(ours.club_id, facts, [User.objects.get(username=name).pk for name in ("Ours", "Abel")], by=None)
    assert AuditEvent.objects.filter(action="league-club.changed").latest("pk").after["officers"] == ["Abel", "Ours"]
    other.force_login(make_administrator())
    page = other.get(f"/admin/tournaments/leagueclub/{ours.club_id}/change/").text.partition("club-accounts")[2]
    assert page.index(">Abel<") < page.index(">Ours<")
    other = officer("Others")
    change_club(ours.club_id, facts, [User.objects.get(username="Others").pk], by=None)
    arbiter.refresh_from_db()
    assert arbiter.is_active, "an arbiter stays one"
    assert not is_signed_in(client)
    assert "do not belong together" in give_password(client, "Ours", PASSWORD).text
    assert AuditEvent.objects.filter(action="officer.changed", after__active=False).count() == 1
    change_club(ours.club_id, facts, [], by=None)
    assert is_signed_in(other), "an officer of another club too"


def test_an_officer_moves_from_one_club_to_another(ours: Team) -> None:
    user, third = User.objects.get(username="Ours"), LeagueClub.objects.create(name="Third")
    set_clubs(user, [third.pk], by=None)
    assert list(LeagueClub.objects.filter(officers=user)) == [third]
    moved = AuditEvent.objects.filter(action="league-club.changed", subject_key=ours.club_id or 0).latest("pk")
    assert (moved.before, moved.after) == ({"officers": ["Ours"]}, {"officers": []})
    with pytest.raises(Refused, match="needs a club"):
        set_clubs(user, [], by=None)
    user.is_active = False
    set_clubs(user, [], by=None)
    assert not LeagueClub.objects.filter(officers=user).exists(), "a closed account needs none"


def test_a_role_in_the_administration_is_given_and_taken_with_all_sessions(ours: Team) -> None:
    client, user = officer(), User.objects.get(username="Ours")
    for role, opens in ((ARBITER, 200), (CLUB_OFFICER, 403)):
        set_role(user, role, active=True, by=None)
        assert not is_signed_in(client)
        give_password(client, "Ours", PASSWORD)
        assert client.get("/admin/").status_code == opens


def test_a_card_sent_after_the_session_is_kept_for_its_officer(ours: Team, settings: Any) -> None:
    client, page = officer(), f"/captain/teams/{ours.pk}/"
    settings.OFFICER_SESSION_LASTS = timedelta(seconds=-1)
    answer = client.post(page, {"do": "add", "names": "#1"})
    assert answer.headers["Location"] == f"/admin/login/?next={page}"
    settings.OFFICER_SESSION_LASTS = timedelta(hours=1)
    assert give_password(client, "Ours", PASSWORD, page).headers["Location"] == "/account/kept/"
    assert "#1" in client.get("/account/kept/").text
    assert client.post("/account/kept/").headers["Location"] == "/captain/"


def test_where_a_second_factor_is_required_officers_of_clubs_turn_theirs_on(ours: Team, settings: Any) -> None:
    client = officer()
    settings.SECOND_FACTOR_REQUIRED = True
    answer = client.get("/captain/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/account/second-factor/")
    assert client.get("/account/second-factor/").status_code == 200
