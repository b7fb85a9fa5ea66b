"""Two team events of the same people, with teams of the same names and numbers: what is done in one, or in one match of
it, leaves the other as it is."""

from datetime import timedelta

import pytest
from django.db.models import Q

from players.models import Player
from players.refusals import Refused
from tests.factory import MONDAY, make_arbiter, make_assistant, make_players, told
from tests.tournaments.teams.team_cases import NAMES, make_team_event, match_between, play, squad_of, team
from tournaments.models import (
    Game,
    LineUp,
    LineUpPlace,
    Pairing,
    Round,
    Seat,
    Team,
    TeamMatch,
    TeamPenalty,
    TeamPlayer,
    TeamRules,
    Tournament,
)
from tournaments.standings.points import Result
from tournaments.teams.services.copying import copy_teams
from tournaments.teams.services.events import change_rules
from tournaments.teams.services.leaving import bring_team_back, counts_for_nothing, take_team_out
from tournaments.teams.services.line_ups import change_board, hand_in, open_match, seated
from tournaments.teams.services.matches import Ruling, agree, penalise, rule_on_match, set_absent
from tournaments.teams.services.rounds import add_round, delete_fixtures, delete_last_round, make_fixtures
from tournaments.teams.services.teams import (
    add_players,
    add_team,
    change_player,
    change_team,
    number_teams,
    order_players,
    remove_player,
    remove_team,
)

pytestmark = pytest.mark.usefixtures("new")
WIN, DRAW = Result.WHITE_WINS, Result.DRAW
PLACES = {  # how each table says which event a row is of
    TeamRules: "tournament",
    Team: "tournament",
    TeamPlayer: "team__tournament",
    TeamPenalty: "team__tournament",
    Round: "stage__tournament",
    TeamMatch: "round__stage__tournament",
    LineUp: "match__round__stage__tournament",
    LineUpPlace: "line_up__match__round__stage__tournament",
    Pairing: "stage__tournament",
    Seat: "pairing__stage__tournament",
    Game: "tournament",
}


def rows_of(event: Tournament) -> list[object]:
    return [list(table.objects.filter(**{at: event}).order_by("pk").values()) for table, at in PLACES.items()]


@pytest.fixture(scope="module")
def new(event: Tournament) -> Tournament:
    """Five teams of the people of `event`, of which a match is played and another one has line-ups; no rounds."""
    play(match_between(event, "Bridge", "Castle"), [WIN, DRAW])
    for name in ("Anchor", "Delta"):
        side = team(event, name)
        hand_in(match_between(event, "Anchor", "Delta").pk, side.pk, rows(side)[:2], by=None)
    made = make_team_event(0, fixtures=False)
    for name in NAMES[:5]:
        side = add_team(made.pk, name, by=None)
        people = squad_of(team(event, name)) if name != "Eagle" else make_players(14)[-2:]
        add_players(side.pk, people, by=None)
    return made


def rows(side: Team) -> list[int]:
    return list(TeamPlayer.objects.filter(team=side).order_by("place").values_list("pk", flat=True))


def numbers(event: Tournament) -> list[tuple[str, int]]:
    return list(Team.objects.filter(tournament=event).order_by("number").values_list("name", "number"))


def test_teams_are_numbered_taken_out_and_added_in_their_event_alone(event: Tournament, new: Tournament) -> None:
    before = rows_of(event)
    order = [team(new, name).pk for name in ("Delta", "Castle", "Bridge", "Anchor", "Eagle")]
    number_teams(new.pk, order, by=(officer := make_arbiter()))
    assert told("teams.numbered", new, officer).after == {"teams": order}
    assert numbers(new) == [("Delta", 1), ("Castle", 2), ("Bridge", 3), ("Anchor", 4), ("Eagle", 5)]
    remove_team(team(new, "Castle").pk, by=None)
    remove_team(team(new, "Eagle").pk, by=None)
    assert numbers(new) == [("Delta", 1), ("Bridge", 2), ("Anchor", 3)]
    small = make_team_event(0, fixtures=False)
    assert add_team(small.pk, "Delta", by=None).number == 1
    assert told("team.made", team(small, "Delta")).after == {"name": "Delta", "number": 1}
    assert change_team(team(small, "Delta").pk, by=None, name="Bridge").name == "Bridge"
    assert rows_of(event) == before


def test_lists_are_kept_team_by_team(event: Tournament, new: Tournament) -> None:
    """The entries are those of the event, places count in the team, and who stands in the other event may leave."""
    anchor, others = team(new, "Anchor"), Q(team__tournament=event) | Q(team__name__gt="Anchor")
    before = list(TeamPlayer.objects.filter(others).order_by("pk").values())
    assert not TeamPlayer.objects.filter(team=anchor).exclude(entry__tournament=new).exists()
    order_players(anchor.pk, rows(anchor)[::-1], by=None)
    change_player(rows(anchor)[0], by=None, reserve=True)
    remove_player(rows(anchor)[1], by=None)
    eagle = team(new, "Eagle")
    late = make_players(15)[-1]
    [row] = add_players(eagle.pk, [late], by=None)
    assert (row.place, row.entry.tournament) == (3, new)
    assert list(TeamPlayer.objects.filter(others).exclude(pk=row.pk).order_by("pk").values()) == before


def test_who_played_for_one_team_is_taken_off_the_list_of_another(event: Tournament, new: Tournament) -> None:
    TeamRules.objects.filter(tournament=event).update(several_teams=True)
    sat = squad_of(team(event, "Bridge"))[0]
    open_match(match_between(event, "Anchor", "Delta").pk, by=None)
    [row] = add_players(team(event, "Delta").pk, [sat], by=None)
    remove_player(row.pk, by=None)
    assert sat not in squad_of(team(event, "Delta"))
    with pytest.raises(Refused, match="stood in a line-up"):
        remove_player(rows(team(event, "Bridge"))[0], by=None)


def test_rounds_are_made_of_the_teams_of_the_event_and_taken_back_alone(event: Tournament, new: Tournament) -> None:
    before = rows_of(event)
    make_team_event(5, fixtures=False)
    change_rules(new.pk, {"boards": 3, "win": 6}, by=None)
    line = told("team-rules.changed", new)
    assert (line.before, line.after) == ({"boards": 2, "win": 4}, {"boards": 3, "win": 6})
    assert len(make_fixtures(new.pk, by=None, first_day=MONDAY)) == 5
    assert rows_of(event) == before
    of_new = set(Team.objects.filter(tournament=new).values_list("pk", flat=True))
    met = TeamMatch.objects.filter(round__stage__tournament=new)
    assert {key for pair in met.values_list("home", "away") for key in pair} == {*of_new, None}
    rule_on_match(match_between(event, "Anchor", "Castle").pk, Ruling(4, 0, "An error"), by=None)
    penalise(
        team(event, "Anchor").pk, by=None, reason="Late", match_points=-2, match=match_between(event, "Anchor", "Delta")
    )
    before = rows_of(event)
    arbiter, assistant = make_arbiter(), make_assistant()
    delete_last_round(new.pk, by=arbiter, reason="other")
    delete_fixtures(new.pk, by=assistant, reason="left")
    lines = [told("matches.deleted", new, officer) for officer in (arbiter, assistant)]
    assert [(line.before, line.reason) for line in lines] == [({"round": 5}, "other"), ({"rounds": 4}, "left")]
    assert not Round.objects.filter(stage__tournament=new).exists()
    assert add_round(new.pk, [(team(new, "Anchor"), team(new, "Eagle"))], by=arbiter).number == 1
    assert told("matches.made", new, arbiter).after == {"round": 1, "matches": 1}
    assert told("matches.made", new).after == {"rounds": 5, "teams": 5}
    assert rows_of(event) == before


def test_an_earlier_round_with_results_stays_when_the_last_is_taken_back(event: Tournament, new: Tournament) -> None:
    kept = Pairing.objects.filter(stage__tournament=event).count()
    delete_last_round(event.pk, by=None)
    assert Round.objects.filter(stage__tournament=event).count() == 2
    assert Pairing.objects.filter(stage__tournament=event).count() == kept > 0


def test_boards_are_cleared_and_changed_in_their_match_alone(event: Tournament) -> None:
    one, other = match_between(event, "Anchor", "Delta"), match_between(event, "Bridge", "Castle")
    assert one.round_id == other.round_id
    seats = list(Seat.objects.filter(pairing__match=other).order_by("pk").values())
    open_match(one.pk, by=None)
    third, anchor = match_between(event, "Anchor", "Castle"), team(event, "Anchor")
    kept = list(LineUp.objects.order_by("pk").values())
    hand_in(third.pk, anchor.pk, rows(anchor)[1:], by=None)
    assert list(LineUp.objects.order_by("pk").values())[:-1] == kept, "a line-up for each match"
    open_match(third.pk, by=None)
    for match in (one, third):
        for line, side in ((1, match.home), (2, match.away)):
            places = rows(side)[1:] if (match, side) == (third, anchor) else rows(side)[:2]
            assert [entry.team_places.get().pk for _board, entry in sorted(seated(match, line).items())] == places
    upper = one.boards.get(match_board=1)
    change_board(one.pk, 2, anchor.pk, rows(anchor)[2], by=None, reason="other")
    assert set(one.boards.values_list("match_board", flat=True)) == {1, 2}
    assert one.boards.get(match_board=1) == upper
    assert agree(other.pk, team(event, "Bridge").pk, by=None), "the open boards are another match's"
    set_absent(one.pk, "home", by=None, reason="did-not-come")
    assert not one.boards.exists()
    assert list(Seat.objects.filter(pairing__match=other).order_by("pk").values()) == seats


def test_of_two_teams_that_leave_each_comes_back_to_its_own_matches(event: Tournament) -> None:
    """A bye, a match the arbiter ruled on and one that is played are not lost by leaving."""
    ruled, played = match_between(event, "Anchor", "Bridge"), match_between(event, "Delta", "Castle")
    rule_on_match(ruled.pk, Ruling(4, 0, "An error"), by=None)
    play(played, [WIN, DRAW])
    anchor, delta = team(event, "Anchor"), team(event, "Delta")
    bye = add_round(event.pk, [(anchor, None)], by=None).matches.get()
    assert counts_for_nothing(anchor), "a bye is no match"
    assert take_team_out(anchor.pk, by=None).left_before == bye.round.number + 1
    take_team_out(delta.pk, by=None)
    absent = dict(TeamMatch.objects.exclude(absent="").values_list("pk", "absent"))
    tie, of_anchor, of_delta = (
        match_between(event, *names) for names in (("Anchor", "Delta"), ("Anchor", "Castle"), ("Bridge", "Delta"))
    )
    assert set(absent) == {tie.pk, of_anchor.pk, of_delta.pk}
    assert absent[tie.pk] == "both"
    change_team(anchor.pk, by=None, venue="Hall")
    bring_team_back(anchor.pk, by=None)
    tie.refresh_from_db()
    assert tie.absent == ("home" if tie.home == delta else "away")
    assert set(TeamMatch.objects.exclude(absent="")) == {tie, of_delta}
    bring_team_back(delta.pk, by=None)
    assert not TeamMatch.objects.exclude(absent="").exists()


def test_a_copy_takes_the_teams_of_its_source_and_who_stands_on_their_lists(event: Tournament, new: Tournament) -> None:
    """Nobody leads a copy who is not active or another record by now."""
    anchor = team(event, "Anchor")
    first, second, third = squad_of(anchor)
    TeamPlayer.objects.filter(team=anchor, entry__player=second).update(until=MONDAY - timedelta(days=1))
    change_team(anchor.pk, by=None, captain=first.pk)
    change_team(anchor.pk, by=None, venue="Hall", short_name="Anc")
    TeamPlayer.objects.filter(team=anchor, entry__player=first).update(nominated=True, reserve=True)
    Player.objects.filter(pk=first.pk).update(active=False)
    bridge, delta = (squad_of(team(event, name))[0] for name in ("Bridge", "Delta"))
    for name, player in (("Bridge", bridge), ("Delta", delta)):
        change_team(team(event, name).pk, by=None, captain=player.pk)
    Player.objects.filter(pk=bridge.pk).update(merged_into=delta)
    copy = make_team_event(0, fixtures=False)
    copy_teams(event, copy, [first, second], by=None)
    assert [row.captain for row in copy.teams.order_by("number")] == [None, None, None, delta]
    assert [name for name, _number in numbers(copy)] == list(NAMES[:4])
    made = team(copy, "Anchor")
    assert squad_of(made) == [first]
    assert third not in squad_of(made)
    assert (made.venue, made.short_name) == ("Hall", "Anc")
    assert made.players.values_list("nominated", "reserve").get() == (True, True)
