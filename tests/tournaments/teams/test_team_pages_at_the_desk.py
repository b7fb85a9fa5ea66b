"""What an arbiter does with a team event at the desk: the form and its rules, teams and their players, and who may."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent, Player
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, form_with, sent, shown, url
from tests.tournaments.teams.team_cases import make_team_event, match_between, play, team
from tournaments.events.admin.form import formats
from tournaments.models import Entry, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.standings.points import Result
from tournaments.teams.services.events import create_league
from tournaments.teams.services.line_ups import hand_in
from tournaments.teams.services.matches import penalise, set_absent

pytestmark = pytest.mark.usefixtures("event")


# --- the event and its rules --------------------------------------------------------------------------------------
NEW = {"name": "City League", "play": "twice", "boards": "4", "first_white": "home", "order": "rating", "primary": "MP"}
RULES = {
    "minimum_boards": "2",
    "win": "3",
    "draw": "1.5",
    "loss": "0",
    "tiebreaks": "mpvgp, ede",
    "tie_rule": "black",
    "tolerance": "100",
    "unrated_as": "1200",
    "nominated": "0",
    "games_up": "0",
    "line_up_hours": "0",
    "card_days": "14",
    "division": "1",
    "promoted": "0",
    "relegated": "0",
    "new_league": "City",
}


def test_a_team_event_is_made_with_its_rules_in_points_as_people_write_them(desk: Client) -> None:
    assert "An event of teams" in desk.get("/admin/tournaments/tournament/new/").content.decode()
    answer = desk.post("/admin/tournaments/tournament/new/teams/", {**NEW, **RULES, "pool": "standard", "rated": "on"})
    rules = TeamRules.objects.get(tournament__name="City League")
    assert answer["Location"] == url("teams", rules.tournament_id)
    assert (rules.win, rules.draw, rules.tiebreaks, rules.settings) == (6, 3, "MPvGP,EDE", {"cycles": 2})
    assert str(rules.league) == "City"
    form = fields_of(shown(desk, "team_rules", rules.tournament_id))
    assert (form["win"], form["draw"]) == ("3", "1.5")
    second = {**NEW, **RULES, "name": "Second", "pool": "standard"}
    again = desk.post("/admin/tournaments/tournament/new/teams/", second)
    assert again.status_code == 409
    assert "There is a league “City” already" in again.text
    assert not Tournament.objects.filter(name="Second").exists()


def test_a_rule_that_cannot_be_is_said_at_its_field(desk: Client) -> None:
    wrong = {**NEW, **RULES, "tiebreaks": "XYZ", "win": "0.3", "swiss_rounds": "4", "pool": "standard", "colours": "WX"}
    html = desk.post("/admin/tournaments/tournament/new/teams/", wrong).content.decode()
    assert "There is no tie-break “XYZ”" in html
    assert "Colours are letters W and B" in html
    assert "How many rounds this format has is not set here" in html
    assert not Tournament.objects.filter(name=NEW["name"]).exists()


def test_rules_changed_by_another_meanwhile_are_shown_anew(desk: Client, event: Tournament) -> None:
    page = fields_of(shown(desk, "team_rules", event.pk))
    values = {**page, **NEW, **RULES, "new_league": ""}
    assert desk.post(url("team_rules", event.pk), values).status_code == 302
    late = desk.post(url("team_rules", event.pk), {**values, "card_days": "3"})
    assert late.status_code == 409
    assert "Somebody else changed these rules meanwhile" in late.content.decode()
    rules = TeamRules.objects.get(tournament=event)
    assert (rules.card_days, rules.boards) == (14, 2)  # the boards stand: rounds are made


def test_events_of_players_and_of_teams_keep_to_their_own_forms(desk: Client, event: Tournament) -> None:
    assert "teams" not in dict(formats())
    html = shown(desk, "change", event.pk)
    assert [f'name="{name}"' in html for name in ("play", "tiebreaks", "leaver_rule")] == [False, False, True]
    assert desk.get(url("rounds", event.pk))["Location"] == url("matches", event.pk)
    assert desk.get(url("next_round", event.stages.get().pk)).status_code == 404
    assert desk.get(url("teams", factory.make_round_robin(factory.first_players(4)).pk)).status_code == 404


# --- teams and their players --------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def empty(standard: RatingList) -> Tournament:
    return make_team_event(0, fixtures=False)


def test_teams_are_entered_together_with_their_club_or_not_at_all(desk: Client, empty: Tournament) -> None:
    assert "2 teams are entered" in sent(desk, "teams", empty.pk, do="add", names="Anchor\nBridge", new_club="Harbour")
    assert {str(row.club) for row in empty.teams.all()} == {"Harbour"}
    again = sent(desk, "teams", empty.pk, do="add", names="Castle\nAnchor")
    assert "There is a team “Anchor” already" in again
    assert "Castle</textarea>" in again or "Castle\nAnchor" in again
    assert empty.teams.count() == 2
    assert "At most 100 teams at once" in sent(desk, "teams", empty.pk, do="add", names="\n".join(map(str, range(101))))
    assert "too long for the name of a team" in sent(desk, "teams", empty.pk, do="add", names="Castle\n" + "x" * 101)
    assert empty.teams.count() == 2
    names = "\n".join(["x" * 100, *map(str, range(99))])
    assert "100 teams are entered" in sent(desk, "teams", empty.pk, do="add", names=names)


def test_no_team_no_number_and_no_step_but_to_enter_them(desk: Client, empty: Tournament, event: Tournament) -> None:
    assert "There is no team yet" in sent(desk, "teams", empty.pk, do="lots", seed="7")
    assert ["are over" in shown(desk, "change", one.pk) for one in (empty, event)] == [False, True]
    for row in TeamMatch.objects.filter(round__stage__tournament=event):
        set_absent(row.pk, "home", by=None, reason="tested")
    assert "✓ 6 of 6 are over" in shown(desk, "change", event.pk)
    Tournament.objects.filter(pk=event.pk).update(closed=True)
    assert ["Open the event again" in shown(desk, "change", one.pk) for one in (empty, event)] == [False, True]


def test_teams_are_numbered_by_lot_by_rating_and_by_hand(desk: Client, standard: RatingList) -> None:
    event = make_team_event(3, fixtures=False)
    assert "seed 7" in sent(desk, "teams", event.pk, do="lots", seed="7")
    one, two, three = event.teams.order_by("name")
    for side, rating in ((one, None), (two, 1500), (three, 1600)):
        Entry.objects.filter(team_places__team=side).update(rating=rating)
    TeamPlayer.objects.filter(team=two, place__lte=2).update(reserve=True)
    Entry.objects.filter(team_places__team=two, team_places__place=3).update(rating=1800)
    TeamPlayer.objects.filter(team=three, place=1).update(until=factory.MONDAY)
    Entry.objects.filter(team_places__team=three, team_places__place=1).update(rating=2400)
    assert "by rating" in sent(desk, "teams", event.pk, do="rating")
    assert list(event.teams.order_by("number")) == [two, three, one], "the mean of those who sit first"
    assert "1650" in shown(desk, "teams", event.pk)
    typed = {f"number-{one.pk}": "2", f"number-{two.pk}": "3", f"number-{three.pk}": "1"}
    sent(desk, "teams", event.pk, do="numbers", **typed)
    assert list(event.teams.order_by("number")) == [three, one, two]
    assert "1 to 3, each once" in sent(desk, "teams", event.pk, do="numbers", **{**typed, f"number-{one.pk}": "1"})


def test_a_team_is_taken_out_and_those_behind_it_move_up(desk: Client, event: Tournament) -> None:
    new = make_team_event(3, fixtures=False)
    first, second, third = new.teams.order_by("number")
    assert "taken out" in sent(desk, "teams", new.pk, remove=str(first.pk))
    assert list(new.teams.order_by("number").values_list("pk", "number")) == [(second.pk, 1), (third.pk, 2)]
    left = AuditEvent.objects.get(action="team.removed")
    assert left.before == {"name": first.name, "number": 1}
    kept = list(event.teams.order_by("number").values_list("pk", "number"))
    sent(desk, "teams", new.pk, remove=str(kept[0][0]))
    sent(desk, "teams", event.pk, remove=str(kept[0][0]))
    assert list(event.teams.order_by("number").values_list("pk", "number")) == kept, "of another event, or with matches"


def test_somebody_is_taken_off_the_list_and_those_behind_move_up(
    desk: Client, event: Tournament, match: TeamMatch
) -> None:
    own, other = team(event, "Anchor"), team(event, "Delta")
    first, second, third = TeamPlayer.objects.filter(team=own)
    hand_in(match.pk, own.pk, [second.pk, None], by=None)
    assert "stood in a line-up" in sent(desk, "team", own.pk, remove=str(second.pk))
    assert "off the list" in sent(desk, "team", own.pk, remove=str(first.pk))
    assert list(TeamPlayer.objects.filter(team=own).values_list("pk", "place")) == [(second.pk, 1), (third.pk, 2)]
    assert list(TeamPlayer.objects.filter(team=other).values_list("place", flat=True)) == [1, 2, 3]
    assert AuditEvent.objects.filter(action="team.player-removed", subject_key=own.pk).exists()


def test_what_a_team_is_called_its_new_club_and_its_captain_are_saved(desk: Client, event: Tournament) -> None:
    own = team(event, "Anchor")
    first = TeamPlayer.objects.filter(team=own)[0]
    captain = first.entry.player
    values = {"name": "Anchor One", "new_club": "Harbour", "captain": str(captain.pk), "venue": "Pier"}
    assert "The team is saved" in sent(desk, "team", own.pk, do="details", **values)
    own.refresh_from_db()
    assert (own.name, str(own.club), own.captain, own.venue) == ("Anchor One", "Harbour", captain, "Pier")
    first.delete()
    kept = form_with(shown(desk, "team", own.pk), "captain")
    assert (kept["captain"], kept["club"]) == (str(captain.pk), str(own.club_id)), "on the list or not"
    sent(desk, "team", own.pk, **{**kept, "do": "details", "captain": "", "club": ""})
    own.refresh_from_db()
    assert (own.captain, own.club) == (None, None)


def test_a_team_is_penalised_leaves_and_comes_back_on_its_page(desk: Client, event: Tournament) -> None:
    own = team(event, "Anchor")
    sent(desk, "team", own.pk, do="penalty", match_points="-1", game_points="0.5", why="Late card")
    assert [(one.match_points, one.game_points) for one in own.penalties.all()] == [(-2, 1)]
    match, bridge = match_between(event, "Bridge", "Castle"), team(event, "Bridge")
    other = penalise(bridge.pk, by=None, reason="Empty board", game_points=-1, match=match)
    assert list(desk.get(url("team", own.pk)).context["penalties"]) == list(own.penalties.all())
    sent(desk, "team", own.pk, lift=str(other.pk))
    other.refresh_from_db()
    assert not other.lifted, "it is another team's"
    for button, is_lifted in (("lift", True), ("impose", False)):
        sent(desk, "team", own.pk, **{button: str(own.penalties.get().pk)})
        assert own.penalties.get().lifted == is_lifted
    for page, key in (("team", own.pk), ("teams", event.pk), ("matches", event.pk), ("team_match", match.pk)):
        assert "no such button" in sent(desk, page, key, do="vanish", sure="on", revision=own.revision)
    for row, penalties in ((match, [other]), (match_between(event, "Anchor", "Bridge"), [])):
        assert list(desk.get(url("team_match", row.pk)).context["penalties"]) == penalties
    assert "“Anchor” has left the event" in sent(desk, "team", own.pk, do="leave", note="No players")
    own.refresh_from_db()
    assert own.left_before == 1
    assert AuditEvent.objects.get(action="team.left").note == "No players"
    assert "lost by default: “Anchor” has left" in shown(desk, "matches", event.pk)
    assert "“Anchor” is back" in sent(desk, "team", own.pk, do="return")
    own.refresh_from_db()
    assert own.left_before is None


def test_unknown_names_come_as_guests_only_where_that_is_said(desk: Client, event: Tournament) -> None:
    own = team(event, "Anchor")
    html = sent(desk, "team", own.pk, do="players", names="Nora Newcomer")
    assert "New here? Tick “New names come as guests”" in html
    assert not Player.objects.filter(name="Nora Newcomer").exists()
    sent(desk, "team", own.pk, do="players", names="Nora Newcomer", guests="on", as_reserve="on")
    row = TeamPlayer.objects.get(team=own, entry__player__name="Nora Newcomer")
    assert (row.place, row.reserve, row.entry.player.visibility) == (4, True, "initials")


def test_a_player_of_another_team_is_named_in_the_refusal(desk: Client, event: Tournament) -> None:
    taken = TeamPlayer.objects.filter(team__name="Bridge")[0].entry.player
    html = sent(desk, "team", team(event, "Anchor").pk, do="players", names=f"#{taken.number}")
    assert f"#{taken.number} {taken.name} plays for “Bridge”: enter a last day there first" in html


def test_the_list_is_ordered_and_dated_all_or_nothing(desk: Client, event: Tournament) -> None:
    own = team(event, "Anchor")
    first, second, third = TeamPlayer.objects.filter(team=own)
    wrong = sent(desk, "team", own.pk, do="list", **{f"place-{third.pk}": "0", f"reserve-{first.pk}": "on"})
    assert "Every player needs a place" in wrong
    dates = {f"since-{first.pk}": "2024-05-01", f"until-{first.pk}": "2024-04-01"}
    assert "“soon” is no day" in sent(desk, "team", own.pk, do="list", **{f"since-{first.pk}": "soon"})
    assert "lies before the first" in sent(desk, "team", own.pk, do="list", **{f"place-{first.pk}": "9", **dates})
    assert [row.pk for row in TeamPlayer.objects.filter(team=own)] == [first.pk, second.pk, third.pk]
    sent(desk, "team", own.pk, do="list", **{f"place-{first.pk}": "9", f"reserve-{first.pk}": "on"})
    assert [row.pk for row in TeamPlayer.objects.filter(team=own)] == [second.pk, third.pk, first.pk]
    assert TeamPlayer.objects.get(pk=first.pk).reserve


# --- who may, and how much it costs -------------------------------------------------------------------------------
PAGES = ("teams", "matches", "team_rules", "team_round", "team_next")


def test_an_event_of_others_is_closed(event: Tournament, desk: Client) -> None:
    match = TeamMatch.objects.filter(round__stage__tournament=event)[0]
    addresses = [url(name, event.pk) for name in PAGES] + [url("team", match.home_id or 0)]
    addresses += [url(name, match.pk) for name in ("team_match", "line_up_home", "line_up_away")]
    assert {desk.get(each).status_code for each in addresses} <= {200, 302}
    event.officers.add(User.objects.create_user("somebody"))
    assert {desk.get(each).status_code for each in addresses} == {403}
    assert {desk.post(each).status_code for each in addresses} == {403}


def test_events_and_seasons_are_made_by_whoever_may_make_events(desk: Client, event: Tournament) -> None:
    league, assistant = create_league("City League", by=None), Client()
    assistant.force_login(factory.make_assistant())
    for address in ("tournament/new/teams/", f"league/{league.pk}/next-season/"):
        assert [
            (
                each.get(f"/admin/tournaments/{address}").status_code,
                each.post(f"/admin/tournaments/{address}").status_code,
            )
            for each in (desk, assistant)
        ] == [(200, 200), (403, 403)]


def test_pages_take_as_many_queries_for_many_teams(desk: Client) -> None:
    counts: list[dict[str, int]] = [{}, {}]
    for count, (teams, boards) in zip(counts, ((4, 2), (6, 4)), strict=True):
        event = make_team_event(teams, boards=boards)
        match = match_between(event, "Anchor", "Delta")
        play(match, [Result.DRAW])
        keys = {"results": match.round_id, "team_match": match.pk, "team": match.home_id or 0}
        for name in ("teams", "matches", "results", "team_match", "team"):
            desk.get(url(name, keys.get(name, event.pk)))
            with CaptureQueriesContext(connection) as queries:
                desk.get(url(name, keys.get(name, event.pk)))
            count[name] = len(queries)
    assert counts[0] == counts[1]
