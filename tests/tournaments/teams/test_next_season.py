"""The next season of a league: proposed by its lines, changed by the arbiter, made at once, shown in the archive."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from players.models import AuditEvent, Player
from players.refusals import Refused
from ratings.models import RatingList
from tests.factory import MONDAY, make_administrator, make_arbiter, make_players, told
from tests.tournaments.teams.team_cases import play, squad_of, team
from tests.visitor import Page
from tournaments.captains.services import make_link
from tournaments.events.services.events import delete_tournament
from tournaments.models import CaptainLink, League, LeagueClub, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.standings.points import Result
from tournaments.teams.selectors.leagues import moves_of, seasons_of_league
from tournaments.teams.selectors.next_season import next_name, plan_of, season_to_follow
from tournaments.teams.services.events import NewTeamEvent, create_club, create_league, create_team_event
from tournaments.teams.services.leaving import take_team_out
from tournaments.teams.services.matches import set_absent
from tournaments.teams.services.next_season import NextDivision, make_next_season
from tournaments.teams.services.rounds import make_fixtures
from tournaments.teams.services.teams import add_players, add_team, change_team

pytestmark = pytest.mark.usefixtures("league")


@pytest.fixture(scope="module")
def league(standard: RatingList) -> League:
    """Two divisions of three teams, one up and one down; whoever is named first won every match. Anchor's last player
    left early, its second is out of date by a day after the end."""
    row, people = create_league("County", by=None), make_players(12)
    for division, names in ((2, ("Delta", "Eagle", "Falcon")), (1, ("Anchor", "Bridge", "Castle"))):
        rules = {"league_id": row.pk, "season": "2026", "division": division, "boards": 2}
        rules |= {"promoted": 1, "relegated": 1, "order": "fixed", "games_up": 3}
        event = create_team_event(NewTeamEvent(f"Division {division} 2026", MONDAY, rules=rules), by=None)
        for name in names:
            made = add_team(event.pk, name, by=None, short_name=name[:3], club=LeagueClub.objects.create(name=name))
            add_players(made.pk, [people.pop(0), people.pop(0)], by=None)
        make_fixtures(event.pk, by=None, first_day=MONDAY)
        for match in TeamMatch.objects.filter(round__stage__tournament=event, away__isnull=False):
            won = match.home.name < match.away.name
            play(match, [Result.WHITE_WINS if won else Result.BLACK_WINS] * 2)
    return row


@pytest.fixture
def desk(league: League) -> Client:
    client = Client()
    client.force_login(make_arbiter("arbiter"))
    return client


@pytest.mark.parametrize("name", ["", "  ", "County"])
def test_a_league_and_a_club_need_a_name_that_is_not_taken(league: League, name: str) -> None:
    LeagueClub.objects.create(name="County")
    for make in (create_league, create_club):
        with pytest.raises(Refused, match="needs a name" if not name.strip() else "There is a .* “County” already"):
            make(name, by=None)
    boss = make_administrator()
    assert told("league.made", create_league("Shire", by=boss), boss).after == {"name": "Shire"}
    assert told("league-club.made", create_club("Harbour", by=boss), boss).after == {"name": "Harbour"}


def in_another_league(season: str) -> Tournament:
    """A match of two teams with names of ours, which is decided."""
    row = League.objects.filter(slug="shire").first() or create_league("Shire", by=None)
    rules = {"league_id": row.pk, "season": season, "boards": 2, "division": 3}
    made = create_team_event(NewTeamEvent(f"Shire {season}", MONDAY, rules=rules), by=None)
    for name in ("Castle", "Delta"):
        add_team(made.pk, name, by=None)
    make_fixtures(made.pk, by=None, first_day=MONDAY)
    set_absent(TeamMatch.objects.get(round__stage__tournament=made).pk, "home", by=None, reason="tested")
    return made


def page_of(league: League) -> str:
    return f"/admin/tournaments/league/{league.pk}/next-season/"


def names(event: Tournament) -> list[str]:
    return list(event.teams.order_by("number").values_list("name", flat=True))


def event(name: str) -> Tournament:
    return Tournament.objects.get(name=name)


def test_the_season_is_made_as_the_lines_say_with_rules_lists_and_captains(league: League, desk: Client) -> None:
    anchor = team(event("Division 1 2026"), "Anchor")
    people = squad_of(anchor)
    add_players(anchor.pk, gone := make_players(1), by=None)
    ours = TeamMatch.objects.filter(round__stage__tournament=anchor.tournament)
    last = max(ours.values_list("played_on", flat=True))
    TeamMatch.objects.exclude(pk__in=ours).update(played_on=last + timedelta(days=9))
    TeamPlayer.objects.filter(team=anchor, entry__player=people[1]).update(until=last)
    TeamPlayer.objects.filter(team=anchor, entry__player=gone[0]).update(until=MONDAY - timedelta(days=1))
    change_team(anchor.pk, by=None, captain=people[0].pk)
    make_link(anchor.pk, by=None)
    form = Page(desk.get(page_of(league)).text).forms[-1]
    assert desk.post(page_of(league), form.values).status_code == 302
    first, second = event("Division 1 2027"), event("Division 2 2027")
    assert (names(first), names(second)) == (["Anchor", "Bridge", "Delta"], ["Castle", "Eagle", "Falcon"])
    rules = first.team_rules
    assert (rules.season, rules.league, rules.division, rules.order) == ("2027", league, 1, "fixed")
    assert (rules.promoted, rules.relegated, rules.games_up) == (1, 1, 3)
    assert first.starts_on == MONDAY + timedelta(weeks=52)
    copy = team(first, "Anchor")
    assert (squad_of(copy), copy.captain, copy.club, copy.short_name) == (people, people[0], anchor.club, "Anc")
    assert not CaptainLink.objects.filter(team=copy).exists()
    assert not TeamPlayer.objects.filter(team=copy).exclude(since=None, until=None).exists()
    made = AuditEvent.objects.get(action="league.season-made")
    assert (made.actor.username, made.after["events"]) == ("arbiter", [first.pk, second.pk])


def test_the_season_to_follow_is_the_latest_in_which_something_is_decided(league: League, desk: Client) -> None:
    desk.post(page_of(league), Page(desk.get(page_of(league)).text).forms[-1].values)
    in_another_league("2027")
    first, seasons = event("Division 1 2027"), seasons_of_league(league)
    make_fixtures(first.pk, by=None, first_day=MONDAY)
    for decided in ("2026", "2027"):
        found = season_to_follow(league, seasons)
        assert found is not None
        assert found.name == decided
        set_absent(TeamMatch.objects.filter(round__stage__tournament=first)[0].pk, "home", by=None, reason="tested")
    Tournament.objects.filter(pk=first.pk).update(name="Top")
    assert 'value="Top 2028"' in desk.get(page_of(league)).text
    assert desk.get(page_of(league) + "?season=2026").context["season"].name == "2026"


def test_of_two_teams_of_one_name_in_a_season_nobody_says_which_moved(league: League, desk: Client) -> None:
    desk.post(page_of(league), Page(desk.get(page_of(league)).text).forms[-1].values)
    add_team(event("Division 2 2027").pk, "Bridge", by=None)
    in_another_league("2027")
    seasons = seasons_of_league(league)
    assert {row.league for season in seasons for row in season.divisions} == {league}
    moves = moves_of(league, seasons, next(season for season in seasons if season.name == "2026"))
    first, second = event("Division 1 2026"), event("Division 2 2026")
    assert moves[team(first, "Bridge").pk].went == ""
    assert (moves[team(first, "Castle").pk].went, moves[team(second, "Delta").pk].went) == ("down", "up")


def test_the_arbiter_moves_leaves_out_and_adds_before_it_is_made(league: League, desk: Client) -> None:
    first, second, new = event("Division 1 2026"), event("Division 2 2026"), ["H" * 100, *map(str, range(49))]
    values = Page(desk.get(page_of(league)).text).forms[-1].values
    values |= {
        "season": "next",
        f"name-{first.pk}": "Top",
        f"new-{first.pk}": "\n".join(new),
        f"goes-{team(first, 'Castle').pk}": str(first.pk),
        f"goes-{team(second, 'Falcon').pk}": "0",
    }
    short = {name: value for name, value in values.items() if name != f"goes-{team(first, 'Bridge').pk}"}
    assert "This field is required" in desk.post(page_of(league), short).text
    for wrong in ("x" * 101, "a\n" * 51):
        long = desk.post(page_of(league), {**values, f"new-{first.pk}": wrong})
        assert (long.status_code, "each name of 100 letters at most" in long.text) == (409, True)
    assert Tournament.objects.count() == 2
    gone = squad_of(team(second, "Eagle"))[0]
    Player.objects.filter(pk=gone.pk).update(active=False)
    made = desk.post(page_of(league), values, follow=True)
    assert f"because inactive, outside the range of ratings, or in two teams: #{gone.number}." in made.text
    assert names(event("Top")) == ["Anchor", "Bridge", "Castle", "Delta", *new]
    assert names(event("Division 2 2027")) == ["Eagle"]


@pytest.mark.extended
def test_made_twice_it_is_refused_with_where_it_is_and_deleted_it_can_be_made_again(
    league: League, desk: Client
) -> None:
    values = Page(desk.get(page_of(league)).text).forms[-1].values
    desk.post(page_of(league), values)
    again = desk.post(page_of(league), values)
    assert again.status_code == 409
    assert "is there already: Division 1 2027, Division 2 2027." in Page(again.text).words
    made = list(Tournament.objects.filter(team_rules__season="2027"))
    assert f"/admin/tournaments/tournament/{made[0].pk}/teams/" in desk.get(page_of(league)).text
    for each in made:
        delete_tournament(each.pk, by=User.objects.get(username="arbiter"))
    assert desk.post(page_of(league), values).status_code == 302


def test_nothing_is_made_where_one_division_is_refused(league: League) -> None:
    first, second = event("Division 1 2026"), event("Division 2 2026")
    good = NextDivision(first.pk, "Top", MONDAY, (team(first, "Anchor").pk,))
    strange = in_another_league("2026")
    for bad, says in (
        (NextDivision(second.pk, "Low", None, (), ("Gambit", "Gambit")), "There is a team"),
        (NextDivision(second.pk, "Low", None, (team(first, "Anchor").pk,)), "in two divisions"),
        (NextDivision(987654, "Low", None, (team(second, "Eagle").pk,)), "others by now"),
        (NextDivision(second.pk, "Low", None, (987654,)), "others by now"),
        (NextDivision(second.pk, "Low", None, (team(strange, "Delta").pk,)), "others by now"),
        (NextDivision(strange.pk, "Low", None, (team(second, "Eagle").pk,)), "others by now"),
        (NextDivision(second.pk, "", None, (team(second, "Eagle").pk,)), "name"),
    ):
        with pytest.raises(Refused, match=says):
            make_next_season(league.pk, "2026", "2027", [good, bad], by=None)
    for name in ("2026", "", "x" * 21):
        with pytest.raises(Refused):
            make_next_season(league.pk, "2026", name, [good], by=None)
    Tournament.objects.filter(pk=second.pk).update(name="A lower division")
    with pytest.raises(Refused, match="Division 1 2026, A lower division"):
        make_next_season(league.pk, "2026", "2026", [good], by=None)
    with pytest.raises(Refused, match="No team is in the next season"):
        make_next_season(league.pk, "2026", "2027", [NextDivision(first.pk, "Top", None)], by=None)
    assert Tournament.objects.count() == 3


def test_a_player_of_two_teams_that_meet_stays_with_the_one_he_is_no_reserve_of(league: League) -> None:
    first, second = event("Division 1 2026"), event("Division 2 2026")
    bridge, delta = team(first, "Bridge"), team(second, "Delta")
    both = squad_of(delta)[0]
    TeamRules.objects.update(several_teams=False)
    add_players(bridge.pk, [both], by=None, reserve=True)
    TeamRules.objects.update(several_teams=True)
    add_players(delta.pk, [regular := squad_of(bridge)[1]], by=None)
    TeamRules.objects.update(several_teams=False)
    squad_of(delta)[1].__class__.objects.filter(pk=squad_of(delta)[1].pk).update(active=False)
    in_another_league("2027")
    gone = squad_of(bridge)[0]
    TeamPlayer.objects.filter(team=bridge, entry__player=gone).update(until=MONDAY + timedelta(days=399))
    Tournament.objects.filter(pk=first.pk).update(ends_on=MONDAY + timedelta(days=400))
    wanted = NextDivision(first.pk, "Top", date(2027, 9, 1), (bridge.pk, delta.pk))
    made = make_next_season(league.pk, "2026", "2027", [wanted], by=None)
    assert both not in squad_of(team(made.events[0], "Bridge"))
    assert squad_of(team(made.events[0], "Delta")) == [both]
    assert regular in squad_of(team(made.events[0], "Bridge")), "of two alike the higher"
    assert made.left_out == (squad_of(delta)[1].number,)
    assert gone not in squad_of(team(made.events[0], "Bridge")), "the event went on"


def test_who_has_outgrown_the_range_of_ratings_is_left_out(league: League) -> None:
    first = event("Division 1 2026")
    Tournament.objects.filter(pk=first.pk).update(tier_below=1)
    wanted = NextDivision(first.pk, "Top", None, (team(first, "Anchor").pk,))
    made = make_next_season(league.pk, "2026", "2027", [wanted], by=None)
    assert (squad_of(team(made.events[0], "Anchor")), len(made.left_out)) == ([], 2)


def test_what_the_tables_do_not_decide_is_said(league: League) -> None:
    first = event("Division 1 2026")
    late = add_team_late(first)
    take_team_out(team(event("Division 2 2026"), "Falcon").pk, by=None)
    plan = plan_of(seasons_of_league(league)[0])
    said = " ".join(plan.doubts)
    assert "“Division 2 2026”: left during the season: Falcon" in said
    assert f"“Division 1 2026”: {late} match is not decided" in said
    assert [next_name(name) for name in ("2026", "2025/26", "1998/99", "Winter", "2099/00", "Season 9")] == [
        "2027", "2026/27", "1999/00", "Winter", "2100/01", "Season 10",
    ]  # fmt: skip


def add_team_late(first: Tournament) -> int:
    """A match whose results are taken away again; how many are open."""
    match = TeamMatch.objects.filter(round__stage__tournament=first, away__isnull=False).latest("pk")
    for pairing in match.boards.all():
        pairing.games.update(result="")
    return 1


def test_the_archive_says_who_came_up_and_who_went_down(league: League, desk: Client) -> None:
    desk.post(page_of(league), Page(desk.get(page_of(league)).text).forms[-1].values)
    old, new = (Page(Client().get(f"/leagues/county/?season={name}").text).words for name in ("2026", "2027"))
    for words, verb in ((old, "went"), (new, "came")):
        said = " ".join(words.split())
        assert f"Castle ▼ {verb} down" in said
        assert f"Delta ▲ {verb} up" in said
        assert said.count(f"{verb} down") == said.count(f"{verb} up") == 1


def test_the_page_costs_no_more_for_more_teams(league: League, django_assert_max_num_queries: object) -> None:
    season = seasons_of_league(league)[0]
    with django_assert_max_num_queries(9):  # type: ignore[operator]
        plan_of(season)
