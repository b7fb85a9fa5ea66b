"""What an arbiter does with a team event at the desk, from the empty form to the table."""

import re

import pytest
from django.contrib.auth.models import User
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent, Player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, shown, url
from tests.tournaments.teams.team_cases import facts_of, make_team_event, match_between, play, team
from tests.visitor import Page
from tournaments.events.admin.form import formats
from tournaments.models import Entry, Game, LineUp, Round, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.results.services.results import record_result
from tournaments.rounds.services.rounds import delete_round, delete_rounds
from tournaments.standings.points import Result
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.line_ups import hand_in

pytestmark = pytest.mark.usefixtures("event")
WIN, DRAW = Result.WHITE_WINS, Result.DRAW


@pytest.fixture
def desk(standard: RatingList) -> Client:
    client = Client()
    client.force_login(factory.make_arbiter())
    return client


def sent(desk: Client, name: str, key: int, /, **data: object) -> str:
    """The form as the page shows it, with these values, sent: what was said, or the page that came back."""
    address = url(name, key)
    answer = desk.post(address, {**fields_of(desk.get(address).content.decode()), **data})
    if answer.status_code == 302:
        return " ".join(str(message) for message in get_messages(answer.wsgi_request))
    assert answer.status_code == 409, answer.status_code
    return answer.content.decode()


def form_with(html: str, field: str) -> dict[str, str]:
    """The values of the form that has that field."""
    values = next(form.values for form in Page(html).forms if field in form.names)
    return {name: value for name, (value, *_more) in values.items()}


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


def test_no_team_no_number_and_no_step_but_to_enter_them(desk: Client, empty: Tournament, event: Tournament) -> None:
    assert "There is no team yet" in sent(desk, "teams", empty.pk, do="lots", seed="7")
    assert ["are over" in shown(desk, "change", one.pk) for one in (empty, event)] == [False, True]
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
    assert "by rating" in sent(desk, "teams", event.pk, do="rating")
    assert list(event.teams.order_by("number")) == [two, three, one], "the mean of those who sit first"
    assert "1650" in shown(desk, "teams", event.pk)
    typed = {f"number-{one.pk}": "3", f"number-{two.pk}": "1", f"number-{three.pk}": "2"}
    sent(desk, "teams", event.pk, do="numbers", **typed)
    assert list(event.teams.order_by("number")) == [two, three, one]
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


# --- matches ------------------------------------------------------------------------------------------------------
def test_all_rounds_are_made_and_deleted(desk: Client, standard: RatingList) -> None:
    event = make_team_event(4, fixtures=False)
    made = sent(desk, "matches", event.pk, do="make", first_day="2024-05-06", days_between="7", at="19:30")
    assert "3 rounds are made" in made
    assert "Tick that you mean it" in sent(desk, "matches", event.pk, do="delete_all")
    assert "last round" in sent(desk, "matches", event.pk, do="delete_last")
    assert Round.objects.filter(stage__tournament=event).count() == 2
    for delete in (
        lambda: delete_rounds(factory.stage_of(event), by=None),
        lambda: delete_round(Round.objects.filter(stage__tournament=event).latest("number").pk, by=None),
    ):
        with pytest.raises(Refused, match="event of teams"):
            delete()
    sent(desk, "matches", event.pk, do="delete_all", sure="on")
    assert not TeamMatch.objects.filter(round__stage__tournament=event).exists()


def test_a_round_by_hand_is_a_draft_until_it_is_published(desk: Client, standard: RatingList) -> None:
    event = make_team_event(3, fixtures=False)
    one, two, three = (str(row.pk) for row in event.teams.order_by("number"))
    twice = sent(desk, "team_round", event.pk, **{"home-1": one, "away-1": two, "home-2": one})
    assert "stands in the round twice" in twice
    assert "no home team" in sent(desk, "team_round", event.pk, **{"away-1": two})
    assert "no longer in the event" in sent(desk, "team_round", event.pk, **{"home-1": one, "away-1": "0"})
    no_day = desk.post(url("team_round", event.pk), {"home-1": one, "away-1": two, "day": "", "at": "19:00"})
    assert "A time needs its day" in no_day.text
    sent(desk, "team_round", event.pk, **{"home-2": one, "away-2": two, "home-1": three})
    assert team_facts(event).matches == ()
    row = Round.objects.get(stage__tournament=event)
    bye = row.matches.get(away=None)
    assert "Make the boards" not in shown(desk, "team_match", bye.pk)
    assert desk.get(url("line_up_home", bye.pk)).status_code == 404
    draft = {"do": "publish", "round": row.pk, "revision": row.revision}
    other = make_team_event(2, fixtures=False)
    assert "There is no such draft any more" in sent(desk, "matches", other.pk, **draft)
    sent(desk, "matches", event.pk, **draft)
    assert [match.row.bye for match in team_facts(event).matches] == ["pab", ""]


def test_the_next_round_is_shown_then_made_and_who_goes_on_is_decided(desk: Client, standard: RatingList) -> None:
    event = make_team_event(3, fixtures=False, format="team-knockout", tie_rule="arbiter")
    assert "Round 1" in shown(desk, "team_next", event.pk)
    assert "would be another one" in sent(desk, "team_next", event.pk, seen="1-2", do="publish")
    assert "Round 1 is made as a draft" in sent(desk, "team_next", event.pk, do="draft")
    assert "Round 1 is a draft" in shown(desk, "team_next", event.pk)
    row = Round.objects.get(stage__tournament=event)
    sent(desk, "matches", event.pk, do="publish", round=row.pk, revision=row.revision)
    tie = row.matches.exclude(away=None).get()
    play(tie, [DRAW, DRAW])
    assert "it is not decided who goes on" in shown(desk, "team_next", event.pk)
    assert "written down" in sent(desk, "team_match", tie.pk, do="advance", winner=str(tie.away_id), reason="other")
    assert "Round 2 is published" in sent(desk, "team_next", event.pk, do="publish")
    final = TeamMatch.objects.get(round__stage__tournament=event, round__number=2)
    assert tie.away_id in (final.home_id, final.away_id)


def test_a_match_is_postponed_and_planned_anew(desk: Client, event: Tournament, match: TeamMatch) -> None:
    sent(desk, "team_match", match.pk, do="postpone")
    assert "postponed, no new day yet" in shown(desk, "matches", event.pk)
    stale = {**fields_of(shown(desk, "team_match", match.pk)), "revision": "0", "do": "plan", "day": "2024-06-01"}
    assert "Somebody else changed this match" in desk.post(url("team_match", match.pk), stale).content.decode()
    sent(desk, "team_match", match.pk, do="plan", day="2024-06-01", at="19:00", where="Town hall")
    assert "Enter the day, or press “Postpone”" in sent(desk, "team_match", match.pk, do="plan", day="", at="")
    match.refresh_from_db()
    assert (match.postponed, str(match.played_on), match.venue) == (False, "2024-06-01", "Town hall")


def test_a_line_up_out_of_order_is_refused_by_name_unless_a_reason_is_given(desk: Client, standard: RatingList) -> None:
    event = make_team_event(order="fixed")
    match = match_between(event, "Anchor", "Delta")
    side = "home" if match.home.name == "Anchor" else "away"
    first, second, _third = TeamPlayer.objects.filter(team=team(event, "Anchor"))
    turned = {"board-1": str(second.pk), "board-2": str(first.pk)}
    html = sent(desk, f"line_up_{side}", match.pk, **turned)
    assert f"Board 2: on the list #{first.entry.player.number} {first.entry.player.name}" in html
    assert not LineUp.objects.exists()
    sent(desk, f"line_up_{side}", match.pk, **turned, waived="Both captains agree")
    assert LineUp.objects.get().note == "Both captains agree"
    assert "line-ups: 1 of 2 are in" in shown(desk, "matches", event.pk)
    form = form_with(shown(desk, f"line_up_{side}", match.pk), "board-1")
    assert {name: form[name] for name in turned} == turned, "as handed in"
    sent(desk, "team_match", match.pk, do="open")
    assert desk.get(url(f"line_up_{side}", match.pk))["Location"] == url("team_match", match.pk), "nothing to hand in"


def test_what_no_reason_sets_aside_stays_refused(desk: Client, match: TeamMatch) -> None:
    stranger = TeamPlayer.objects.filter(team__name="Bridge")[0]
    own = TeamPlayer.objects.filter(team=match.home)[0]
    for typed, why in (
        ({"board-1": str(stranger.pk)}, "is not on the list"),
        ({"board-1": str(own.pk), "board-2": str(own.pk)}, "already sits on board 1"),
        ({"board-3": str(own.pk)}, "The match has boards 1 to 2"),
    ):
        assert why in sent(desk, "line_up_home", match.pk, **typed, waived="because")


def test_the_captains_toss_before_the_boards_are_made(desk: Client, standard: RatingList) -> None:
    event = make_team_event(first_white="toss")
    match = match_between(event, "Anchor", "Delta")
    assert "Say who has White" in sent(desk, "team_match", match.pk, do="open")
    sent(desk, "team_match", match.pk, do="open", toss="away")
    assert not facts_of(match)[1].boards[0].home_is_white


def test_an_arbiter_decides_penalises_and_takes_it_back(desk: Client, event: Tournament, match: TeamMatch) -> None:
    sent(desk, "team_match", match.pk, do="absent", gone="away", reason="did-not-come")
    assert facts_of(match)[1].match_points == (4, 0)
    sent(desk, "team_match", match.pk, do="absent", gone="", reason="other")
    assert "This field is required" in desk.post(url("team_match", match.pk), {"do": "rule"}).content.decode()
    sent(desk, "team_match", match.pk, do="rule", for_home="0.5", for_away="1", why="By the board")
    assert facts_of(match)[1].match_points == (1, 2)
    one_sided = sent(desk, "team_match", match.pk, do="rule", for_home="2", for_away="0", games_home="1", why="Error")
    assert "game points of both teams, or of neither" in one_sided
    sent(desk, "team_match", match.pk, do="unrule")
    sent(desk, "team_match", match.pk, do="penalise", of=str(match.home_id), off_match="-1", cause="Late card")
    penalty = match.penalties.get()
    assert (penalty.match_points, penalty.reason) == (-2, "Late card")
    sent(desk, "team", penalty.team_id, lift=str(penalty.pk))
    assert team_facts(event).penalties == ()


def test_a_card_is_confirmed_for_a_team_once_every_board_has_its_result(desk: Client, match: TeamMatch) -> None:
    play(match, [WIN])
    assert "Boards are still open" in sent(desk, "team_match", match.pk, do="agree", side="home")
    change = TeamPlayer.objects.filter(team=match.home).order_by("-place")[0]
    sent(desk, "team_match", match.pk, do="change", board="2", who=f"home-{change.pk}", reason="other")
    assert facts_of(match)[1].boards[1].home == change.entry


# --- who may, and how much it costs -------------------------------------------------------------------------------
PAGES = ("teams", "matches", "team_rules", "team_round", "team_next")


def test_the_standings_at_the_desk_are_the_table_of_teams(desk: Client, event: Tournament, match: TeamMatch) -> None:
    html = shown(desk, "standings", event.pk)
    assert match.home is not None
    assert match.home.name in html
    assert html.count("<tr") == 1 + event.teams.count()


def test_an_event_of_others_is_closed(event: Tournament, desk: Client) -> None:
    match = TeamMatch.objects.filter(round__stage__tournament=event)[0]
    addresses = [url(name, event.pk) for name in PAGES] + [url("team", match.home_id or 0)]
    addresses += [url(name, match.pk) for name in ("team_match", "line_up_home", "line_up_away")]
    assert {desk.get(each).status_code for each in addresses} <= {200, 302}
    event.officers.add(User.objects.create_user("somebody"))
    assert {desk.get(each).status_code for each in addresses} == {403}
    assert {desk.post(each).status_code for each in addresses} == {403}


def test_pages_take_as_many_queries_for_many_teams(desk: Client) -> None:
    counts: list[dict[str, int]] = [{}, {}]
    for count, (teams, boards) in zip(counts, ((4, 2), (6, 4)), strict=True):
        event = make_team_event(teams, boards=boards)
        match = match_between(event, "Anchor", "Delta")
        play(match, [DRAW])
        keys = {"results": match.round_id, "team_match": match.pk, "team": match.home_id or 0}
        for name in ("teams", "matches", "results", "team_match", "team"):
            desk.get(url(name, keys.get(name, event.pk)))
            with CaptureQueriesContext(connection) as queries:
                desk.get(url(name, keys.get(name, event.pk)))
            count[name] = len(queries)
    assert counts[0] == counts[1]


def test_the_result_page_has_a_heading_with_the_score_of_each_match(desk: Client, match: TeamMatch) -> None:
    play(match, [WIN])
    html = shown(desk, "results", match.round_id)
    heading = re.search(rf'id="match-score-{match.pk}">([^<]*)<', html)
    assert heading
    assert heading[1] == "1 : 0"
    assert "The boards of these matches are not made yet" in html
    for other in TeamMatch.objects.filter(round=match.round_id).exclude(pk=match.pk):
        play(other, [DRAW] * 2)
    last = Game.objects.get(pairing__match=match, result="")
    record_result(game=last.pk, result=DRAW, played_on=factory.MONDAY, by=None)
    html = shown(desk, "results", match.round_id)
    assert f'href="{url("matches", match.round.stage.tournament_id)}">To the matches<' in html
