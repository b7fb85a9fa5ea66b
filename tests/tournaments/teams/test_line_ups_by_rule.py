"""Line-ups by the rules of leagues, as captains hand them in: refused with every sentence, or warned of and handed in
nevertheless."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import Q
from django.test import Client
from django.utils import timezone

from players.models import AuditEvent
from players.refusals import Refused
from ratings.models import RatingList
from tests.factory import MONDAY, make_arbiter
from tests.tournaments.teams.team_cases import make_team_event, match_between, play, rate, squad_of, team
from tests.tournaments.teams.test_captains import captain_of, line_up, page_of
from tournaments.models import (
    LeagueClub,
    LineUp,
    LineUpPlace,
    Round,
    Seat,
    Team,
    TeamMatch,
    TeamPlayer,
    TeamRules,
    Tournament,
)
from tournaments.pairing.line_up_rules import Breach
from tournaments.standings.points import Result
from tournaments.teams.selectors.eligibility import eligible_for, findings_of, games_up_of
from tournaments.teams.services.events import NewTeamEvent, create_league, create_team_event
from tournaments.teams.services.handing_in import LineUpRefused, consent, hand_in_by_rules
from tournaments.teams.services.line_ups import hand_in, open_match
from tournaments.teams.services.rounds import add_round
from tournaments.teams.services.teams import add_players, add_team

pytestmark = pytest.mark.usefixtures("usual", "divisions")
RATINGS = (2000, 1900, 1790, None)  # places 1 to 4 of Anchor's list
NORTHANTS = {"order": "rating", "tolerance": 100}
CONNAUGHT = {"order": "rating", "tolerance": 150, "unrated_as": 1200}
KONZ = {"order": "fixed", "swaps": True}


@pytest.fixture(scope="module")
def usual(standard: RatingList) -> Tournament:
    event = make_team_event(boards=3, size=4)
    rate(squad_of(team(event, "Anchor")), RATINGS)
    return event


def scene(**rules: Any) -> tuple[Tournament, TeamMatch]:
    """The usual event by these rules, and its first match."""
    event = Tournament.objects.get(slug="team-league")
    TeamRules.objects.filter(tournament=event).update(**rules)
    return event, match_between(event, "Anchor", "Delta")


def send(client: Client, match: TeamMatch, event: Tournament, *order: int, **more: str) -> Any:
    anchor = team(event, "Anchor")
    values = {"do": "line-up", "revision": "0", **line_up(anchor, *order), **more}
    return client.post(page_of(match, anchor), {name: value for name, value in values.items() if value})


def test_the_other_captain_may_agree_to_another_order(client: Client) -> None:
    event, match = scene(**NORTHANTS)
    anchor, delta = captain_of(event, "Anchor"), captain_of(event, "Delta")
    assert send(anchor, match, event, 1, 3, 2).status_code == 409
    page = page_of(match, team(event, "Delta"))
    assert "I agree" in delta.get(page).content.decode()
    for asked, offered in (("consent", "Take it back"), ("no-consent", "I agree"), ("consent", "Take it back")):
        assert delta.post(page, {"do": asked}).status_code == 302
        assert offered in delta.get(page).content.decode()
    assert "The other captain agreed" in anchor.get(page_of(match, team(event, "Anchor"))).content.decode()
    assert send(delta, match, event, 1, 2, 3).status_code == 404, "nobody consents for the other side"
    assert send(anchor, match, event, 1, 3, 2).status_code == 302
    assert AuditEvent.objects.filter(action="line-up.consented", role="captain").count() == 3
    with pytest.raises(Refused, match="has handed in its line-up"):
        consent(match.pk, team(event, "Delta").pk, by=None, given=False)
    assert consent(match.pk, team(event, "Anchor").pk, by=None, given=False), "the own line-up holds nobody"


@pytest.mark.extended
def test_ratings_are_those_before_the_day_of_the_match() -> None:
    event = make_team_event(order="rating")
    match = match_between(event, "Anchor", "Delta")
    play(match, [Result.WHITE_WINS, Result.DRAW])
    sits = Seat.objects.filter(pairing__match=match, line=1).select_related("entry__player")[0].entry.player
    later = TeamMatch.objects.filter(Q(home=match.home) | Q(away=match.home)).exclude(pk=match.pk)[0]
    for day, known in ((MONDAY, False), (MONDAY + timedelta(days=1), True)):
        later.played_on = day
        squad = eligible_for(later, match.home, event.team_rules).squad
        assert (squad[sits.number].rating is not None) == known
    Tournament.objects.filter(pk=event.pk).update(pool="rapid")
    later = TeamMatch.objects.get(pk=later.pk)
    assert {each.rating for each in eligible_for(later, match.home, event.team_rules).squad.values()} == {None}


def test_who_hands_nothing_in_sits_down_by_the_order_of_the_rules() -> None:
    event, match = scene(**NORTHANTS)
    rate(squad_of(team(event, "Delta")), (1500, 1700, 1600, 1900))
    open_match(match.pk, by=None)
    seats = Seat.objects.filter(pairing__match=match, entry__team_places__team__name="Delta")
    places = seats.order_by("pairing__match_board").values_list("entry__team_places__place", flat=True)
    assert list(places) == [2, 3, 1], "the first three of the list, the strongest first"


def test_consent_lifts_only_what_the_rules_leave_to_it() -> None:
    event, match = scene(**KONZ)
    anchor, delta = team(event, "Anchor"), team(event, "Delta")
    with pytest.raises(Refused, match="No rule of this event"):
        consent(match.pk, delta.pk, by=None)
    TeamMatch.objects.update(home_consents_at=timezone.now(), away_consents_at=timezone.now())
    with pytest.raises(LineUpRefused, match="Only neighbours"):
        hand_in_by_rules(match.pk, anchor.pk, [row.pk for row in rows(anchor, 2, 3, 1)], by=None)


def rows(side: Team, *order: int) -> list[TeamPlayer]:
    found = list(TeamPlayer.objects.filter(team=side).order_by("place"))
    return [found[place - 1] for place in order]


@pytest.mark.parametrize(
    ("rules", "order", "says"),
    [
        (NORTHANTS, (2, 1, 3), ""),
        (NORTHANTS, (1, 3, 2), "by 110 (allowed: 100)"),
        ({**NORTHANTS, "tolerance": 110}, (1, 3, 2), ""),
        (CONNAUGHT, (1, 3, 2), ""),
        (CONNAUGHT, (1, 4, 3), "by 590 (allowed: 150)"),
        ({**CONNAUGHT, "unrated_as": 1640}, (1, 4, 3), ""),
        ({"order": "fixed"}, (1, 3, 4), ""),
        ({"order": "fixed"}, (2, 1, 3), "on the list"),
        (KONZ, (2, 1, 3), ""),
        (KONZ, (2, 3, 1), "Only neighbours may change places"),
        ({}, (4, 3, 1), ""),
    ],
)
def test_the_order_of_the_boards_is_that_of_the_rules(rules: dict[str, Any], order: tuple[int, ...], says: str) -> None:
    event, match = scene(**rules)
    answer = send(captain_of(event, "Anchor"), match, event, *order)
    assert answer.status_code == (409 if says else 302)
    assert says in answer.text
    assert LineUp.objects.filter(match=match).exists() != bool(says)


def test_consent_is_given_after_the_others_line_up_but_not_taken_back() -> None:
    event, match = scene(**NORTHANTS)
    delta = team(event, "Delta")
    hand_in(match.pk, delta.pk, [TeamPlayer.objects.get(team=delta, place=1).pk], by=None)
    consent(match.pk, team(event, "Anchor").pk, by=None)
    with pytest.raises(Refused, match="has handed in its line-up"):
        consent(match.pk, team(event, "Anchor").pk, by=None, given=False)


def test_every_sentence_is_said_at_once_with_names_and_no_tick_helps() -> None:
    event, match = scene(**NORTHANTS)
    client = captain_of(event, "Anchor")
    ticked = {"nevertheless": "on", "note": "we want it so"}
    answer = send(client, match, event, 4, 3, 1, **ticked)
    assert answer.status_code == 409
    assert answer.text.count("is rated above") == 2
    assert squad_of(team(event, "Anchor"))[0].name in answer.text
    assert 'name="nevertheless"' not in answer.text
    assert not LineUp.objects.filter(match=match).exists()


def test_a_warning_needs_the_tick_and_a_reason() -> None:
    event, match = scene(minimum_boards=3)
    client = captain_of(event, "Anchor")
    answer = send(client, match, event, 1, 2)
    assert answer.status_code == 409
    assert "Players named: 2, needed: 3." in answer.text
    assert 'name="nevertheless"' in answer.text
    assert send(client, match, event, 1, 2, nevertheless="on").status_code == 409, "no reason"
    assert send(client, match, event, 1, 2, note="flu").status_code == 409, "no tick"
    assert send(client, match, event, 1, 2, note="flu", nevertheless="on").status_code == 302
    assert LineUp.objects.get(match=match).note == "flu"


def test_a_note_without_anything_to_set_aside_is_kept() -> None:
    event, match = scene()
    assert send(captain_of(event, "Anchor"), match, event, 1, 2, 3, note="late train").status_code == 302
    assert LineUp.objects.get(match=match).note == "late train"


# --- who may play -------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def divisions(usual: Tournament) -> tuple[int, ...]:
    """A club with a team in each of two divisions; the first three of its second team are reserves of the first."""
    league, guests = create_league("County", by=None), LeagueClub.objects.create(name="Guests")
    of_league = {"league_id": league.pk, "season": "2026", "games_up": 3, "boards": 2, "substitute_margin": 100}
    first, second = (
        create_team_event(NewTeamEvent(name, starts_on=MONDAY, rules={**of_league, "division": division}), by=None)
        for division, name in enumerate(("First", "Second"), start=1)
    )
    event = make_team_event(4, boards=2, size=4, fixtures=False)
    ours, low, other, others = (squad_of(team(event, name)) for name in ("Anchor", "Bridge", "Castle", "Delta"))
    for division, squad, against in ((second, low, others), (first, ours, other)):
        add_players(add_team(division.pk, "Ours", by=None, club=guests).pk, squad, by=None)
        add_players(add_team(division.pk, "Theirs", by=None).pk, against, by=None)
    add_players(team(first, "Ours").pk, low[:3], by=None, reserve=True)
    return first.pk, second.pk


@pytest.fixture
def two_teams(divisions: tuple[int, ...]) -> tuple[Tournament, ...]:
    return tuple(Tournament.objects.get(pk=key) for key in divisions)


def plan(event: Tournament, weeks: int) -> TeamMatch:
    day = MONDAY + timedelta(weeks=weeks)
    row = add_round(event.pk, [(team(event, "Ours"), team(event, "Theirs"))], by=None, day=day)
    return TeamMatch.objects.select_related("round__stage__tournament").get(round=row)


def seat(match: TeamMatch, event: Tournament, *places: int) -> set[Breach]:
    """What breaks a rule, with players by their place on the list of our team."""
    ours = team(event, "Ours")
    rows = [TeamPlayer.objects.get(team=ours, place=place).pk for place in places]
    return {each.breach for each in findings_of(match, ours, rows, event.team_rules)}


def play_up(event: Tournament, weeks: int, *places: int) -> None:
    match, ours = plan(event, weeks), team(event, "Ours")
    rows = [TeamPlayer.objects.get(team=ours, place=place).pk for place in places]
    hand_in_by_rules(match.pk, ours.pk, rows, by=None, arbiter=True, waived="tested")
    open_match(match.pk, by=None)
    play(match, [Result.DRAW] * 2, on=MONDAY + timedelta(weeks=weeks))


@pytest.mark.extended
def test_three_games_for_the_higher_team_tie_to_it(two_teams: tuple[Tournament, ...]) -> None:
    first, second = two_teams
    for week in (0, 1):
        play_up(first, week, 1, 5)
    assert Breach.LAST_GAME_UP in seat(plan(first, 2), first, 1, 5)
    below = plan(second, 2)
    assert Breach.TIED not in seat(below, second, 1, 2)
    open_match(below.pk, by=None)
    play_up(first, 3, 1, 5)
    assert Breach.TIED not in seat(below, second, 1, 2), "that game came later"
    below.played_on = None
    assert Breach.TIED not in seat(below, second, 1, 2), "its round has that day"
    assert Breach.TIED not in seat(plan(second, 3), second, 1, 2), "nor that of the same day, nor one for the own team"
    after = plan(second, 4)
    assert Breach.TIED in seat(after, second, 1, 2)
    TeamMatch.objects.filter(round__stage__tournament=first).update(played_on=None)
    Round.objects.filter(stage__tournament=first).update(planned_on=None)
    assert Breach.TIED in seat(after, second, 1, 2), "games of a day nobody knows count"
    Seat.objects.filter(entry__tournament=first, round__number=1).update(superseded=True)
    assert Breach.TIED not in seat(after, second, 1, 2), "a seat that was corrected does not"
    assert Breach.TIED not in seat(plan(second, 5), second, 2, 3)


def test_games_for_higher_teams_are_listed_over_all_divisions(two_teams: tuple[Tournament, ...]) -> None:
    first, second = two_teams
    for week, low in ((0, 5), (1, 5), (2, 6)):
        play_up(first, week, 1, low)
    ours = team(second, "Ours")
    one, other = squad_of(ours)[:2]
    assert games_up_of(ours, second.team_rules) == {one.pk: 2, other.pk: 1}
    assert games_up_of(team(first, "Ours"), first.team_rules) == {one.pk: 2, other.pk: 1}
    above, guests = team(first, "Ours"), team(first, "Theirs")
    (guest,) = add_players(guests.pk, squad_of(ours)[3:], by=None)
    for pair in ((above, guests), (guests, above)):
        match = add_round(first.pk, [pair], by=None).matches.get()
        hand_in(match.pk, guests.pk, [guest.pk], by=None)
        open_match(match.pk, by=None)
    assert games_up_of(ours, second.team_rules) == {one.pk: 2, other.pk: 1}, "he sat against our first team, not for it"
    desk = Client()
    desk.force_login(make_arbiter("arbiter"))
    listed = f"/admin/tournaments/tournament/team/{ours.pk}/", f"/captain/teams/{ours.pk}/"
    LeagueClub.objects.get().officers.add(User.objects.get(username="arbiter"))
    for page in listed:
        assert "2 of 3 games for higher teams" in desk.get(page).text
    TeamRules.objects.update(games_up=0)
    assert games_up_of(ours, TeamRules.objects.get(tournament=second)) == {}


def test_without_a_league_only_the_teams_of_the_own_event_are_above_or_below(two_teams: tuple[Tournament, ...]) -> None:
    first, second = two_teams
    play_up(first, 0, 1, 5)
    ours = team(second, "Ours")
    assert games_up_of(ours, second.team_rules) != {}
    TeamRules.objects.update(league=None)
    assert games_up_of(ours, TeamRules.objects.get(tournament=second)) == {}


def test_teams_of_other_seasons_and_leagues_are_neither_above_nor_below(two_teams: tuple[Tournament, ...]) -> None:
    first, second = two_teams
    play_up(first, 0, 1, 5)
    ours = team(second, "Ours")
    assert eligible_for(plan(second, 1), ours, second.team_rules).rank == 2
    other_league = create_league("Town", by=None)
    for other in ({"season": "2025"}, {"season": "2026", "league": other_league}):
        TeamRules.objects.filter(tournament=first).update(**other)
        assert games_up_of(ours, second.team_rules) == {}
        assert eligible_for(plan(second, 1), ours, second.team_rules).rank == 1


def test_a_nominated_player_of_the_first_team_stays_there(two_teams: tuple[Tournament, ...]) -> None:
    first, second = two_teams
    add_players(team(second, "Ours").pk, squad_of(team(first, "Ours"))[:1], by=None, reserve=True)
    match = plan(second, 0)
    assert Breach.NOMINATED not in seat(match, second, 5, 2)
    TeamPlayer.objects.filter(team=team(first, "Ours"), place=1).update(nominated=True)
    assert Breach.NOMINATED in seat(match, second, 5, 2)
    ours = team(second, "Ours")
    low = squad_of(ours)[0]
    TeamPlayer.objects.filter(entry__player=low).update(reserve=False)
    for nominated, belongs_to in ((False, 1), (True, 2)):
        TeamPlayer.objects.filter(team=ours, entry__player=low).update(nominated=nominated)
        assert eligible_for(match, ours, second.team_rules).squad[low.number].team == belongs_to
    rows_of_low = TeamPlayer.objects.filter(entry__player=low)
    rows_of_low.filter(team=ours).update(nominated=False)
    rows_of_low.exclude(team=ours).update(nominated=True, reserve=True)
    assert eligible_for(match, ours, second.team_rules).squad[low.number].team == 1, "a nominated reserve too"


def test_a_substitute_is_at_most_a_hundred_points_stronger_than_who_is_absent(
    two_teams: tuple[Tournament, ...],
) -> None:
    first, _second = two_teams
    rate(squad_of(team(first, "Ours")), (1700, 1600, 1600, 1600, 1801, 1800))
    match = plan(first, 0)
    assert Breach.SUBSTITUTE in seat(match, first, 5, 2)
    assert Breach.SUBSTITUTE not in seat(match, first, 6, 2)


def test_who_sits_in_another_division_on_the_day_needs_the_arbiter(two_teams: tuple[Tournament, ...]) -> None:
    first, second = two_teams
    play_up(first, 0, 1, 5)
    match, next_week, ours = plan(second, 0), plan(second, 1), team(second, "Ours")
    assert Breach.SAME_DAY in seat(match, second, 1, 2)
    assert Breach.SAME_DAY not in seat(match, second, 2, 3)
    assert Breach.SAME_DAY not in seat(next_week, second, 1, 2)
    next_week.played_on = MONDAY
    assert Breach.SAME_DAY in seat(next_week, second, 1, 2), "its own day counts before that of its round"
    rows = [TeamPlayer.objects.get(team=ours, place=place).pk for place in (1, 2)]
    with pytest.raises(LineUpRefused, match=r"already plays for “Ours” on this day \(Ours – Theirs\)"):
        hand_in_by_rules(match.pk, ours.pk, rows, by=None, waived="captains may not")
    hand_in_by_rules(match.pk, ours.pk, rows, by=None, arbiter=True, waived="one game in the morning")
    assert LineUp.objects.get(match=match, team=ours).note == "one game in the morning"
    for other in ({"season": "2027"}, {"season": "2026", "league": None}):
        TeamRules.objects.filter(tournament=first).update(**other)
        assert Breach.SAME_DAY not in seat(match, second, 1, 2)
    TeamRules.objects.filter(tournament=first).update(league=second.team_rules.league)
    assert Breach.SAME_DAY in seat(match, second, 1, 2)
    Seat.objects.filter(entry__tournament=first).update(superseded=True)
    assert Breach.SAME_DAY not in seat(match, second, 1, 2), "a seat that was corrected"


def test_who_sits_in_the_round_and_in_another_division_is_told_of_the_round(two_teams: tuple[Tournament, ...]) -> None:
    first, second = two_teams
    TeamRules.objects.update(several_teams=True)
    ours, theirs, more = team(second, "Ours"), team(second, "Theirs"), add_team(second.pk, "More", by=None)
    top = squad_of(team(first, "Ours"))[0]
    add_players(ours.pk, [top], by=None)
    add_players(more.pk, [squad_of(ours)[0], top], by=None)
    play_up(first, 0, 1, 5)
    row = add_round(second.pk, [(ours, None), (more, theirs)], by=None, day=MONDAY)
    match, other = row.matches.order_by("number")
    open_match(other.pk, by=None)
    for place in (1, 5):
        assert seat(match, second, place) & {Breach.ELSEWHERE, Breach.SAME_DAY} == {Breach.ELSEWHERE}


def test_who_sits_in_another_match_of_the_round_sits_nowhere_else() -> None:
    event = make_team_event(boards=2, several_teams=True)
    anchor, castle = team(event, "Anchor"), team(event, "Castle")
    (row,) = add_players(castle.pk, squad_of(anchor)[:1], by=None)
    match = match_between(event, "Anchor", "Delta")
    open_match(match.pk, by=None)
    other = TeamMatch.objects.get(round=match.round, home__name="Bridge", away=castle)
    with pytest.raises(LineUpRefused, match="already plays for “Anchor” in this round"):
        hand_in_by_rules(other.pk, castle.pk, [row.pk], by=None, arbiter=True, waived="no reason helps")
    assert not LineUpPlace.objects.filter(line_up__match=other).exists()
