"""What the services of team events refuse, and with which sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any

import pytest

from players.refusals import Refused, Stale
from ratings.models import RatingList
from tests.factory import make_players, make_round_robin, today
from tests.tournaments.teams.team_cases import make_team_event, match_between, play, squad_of, team
from tournaments.captains.services import captain_opens, confirm_card, enter_card, revoke_link
from tournaments.models import League, LeagueClub, Team, TeamMatch, TeamPlayer, Tournament
from tournaments.standings.points import Result
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.clubs import change_club, rename_league
from tournaments.teams.services.events import NewTeamEvent, change_rules, create_club, create_league, create_team_event
from tournaments.teams.services.guests import MOST_AT_ONCE, NamesRefused, add_by_names
from tournaments.teams.services.handing_in import consent
from tournaments.teams.services.leaving import take_team_out
from tournaments.teams.services.line_ups import change_board, hand_in, open_match
from tournaments.teams.services.matches import (
    Ruling,
    agree,
    decide_who_goes_on,
    lift_penalty,
    penalise,
    plan_match,
    rule_on_match,
    set_absent,
)
from tournaments.teams.services.next_round import make_next_round, propose_next
from tournaments.teams.services.rounds import add_round, delete_fixtures, delete_last_round, make_fixtures
from tournaments.teams.services.teams import (
    add_players,
    add_team,
    change_player,
    change_team,
    number_teams,
    order_players,
    remove_player,
)


@dataclass(frozen=True)
class Scene:
    """A league of four whose first match waits and whose second is begun, and events of other kinds beside it."""

    league: Tournament
    waiting: TeamMatch
    begun: TeamMatch
    by_hand: Tournament  # three teams; a draft of one match and a bye
    draft: TeamMatch
    bye: TeamMatch
    knockout: Tournament  # its only round is made
    cup: Tournament  # of players

    @property
    def home(self) -> Team:
        assert self.waiting.home
        return self.waiting.home

    @property
    def stranger(self) -> Team:
        """A team of the league that does not play in the match that waits."""
        assert self.begun.home
        return self.begun.home

    def rows(self, side: Team) -> list[int]:
        return list(TeamPlayer.objects.filter(team=side).values_list("pk", flat=True))


@pytest.fixture(scope="module")
def scene(standard: RatingList) -> Scene:
    league = make_team_event()
    waiting, begun = match_between(league, "Anchor", "Delta"), match_between(league, "Bridge", "Castle")
    play(begun, [Result.WHITE_WINS])
    by_hand = make_team_event(3, fixtures=False)
    one, two, three = by_hand.teams.order_by("number")
    draft, bye = add_round(by_hand.pk, [(one, two), (three, None)], by=None, publish=False).matches.order_by("number")
    knockout = make_team_event(2, fixtures=False, format="team-knockout")
    make_next_round(knockout.pk, by=None, seen=propose_next(team_facts(knockout)).seen, publish=True)
    for name in ("County", "City"):
        create_league(name, by=None)
    for name in ("Harbour", "Hill"):
        create_club(name, by=None)
    return Scene(league, waiting, begun, by_hand, draft, bye, knockout, make_round_robin(make_players(3)))


Deed = Callable[[Scene], object]
ROW = 0  # a key that no row has


def club(name: str) -> int:
    return LeagueClub.objects.get(name=name).pk


def league(name: str) -> int:
    return League.objects.get(slug=name.lower()).pk  # which stays


def rename(key: int, name: str) -> object:
    return change_club(key, {"name": name, "short_name": "", "venue": ""}, [], by=None)


def new_event(teams: int, **rules: Any) -> int:
    """An event without rounds."""
    return make_team_event(teams, fixtures=False, **rules).pk


OF_EVENTS: Sequence[tuple[Deed, str]] = [
    (lambda at: change_rules(at.cup.pk, {"win": 3}, by=None), "is no event of teams"),
    (lambda at: change_rules(at.league.pk, {"boards": 3}, by=None), "rounds are made: delete them"),
    (lambda at: change_rules(at.league.pk, {"colour": "W"}, by=None), "There is no rule “colour”"),
    (lambda at: change_rules(at.league.pk, {"primary": "XP"}, by=None), "“XP” is none of the choices"),
    (lambda at: change_rules(at.league.pk, {"format": "swiss"}, by=None), "“swiss” is none of the choices"),
    (lambda at: change_rules(at.league.pk, {"boards": 0}, by=None), "Boards: "),
    (lambda at: change_rules(at.league.pk, {"minimum_boards": 3}, by=None), "cannot be more than the boards"),
    (lambda at: change_rules(at.league.pk, {"draw": 5}, by=None), "A win must bring at least"),
    (lambda at: change_rules(at.league.pk, {"loss": 3}, by=None), "A win must bring at least"),
    (lambda at: change_rules(at.league.pk, {"tiebreaks": "MPVGP, EDE, mpvgp"}, by=None), "MPvGP stands twice"),
    (lambda at: change_rules(at.league.pk, {"tiebreaks": "ESB"}, by=None), "ESB alone names no tie-break"),
    (lambda at: create_team_event(NewTeamEvent("New", rules={"boards": 0}), by=None), "Boards: "),
    (lambda at: rename_league(league("County"), " ", by=None), "A league needs a name"),
    (lambda at: rename_league(league("County"), "Shire", by=None, revision=7), "changed this league meanwhile"),
    (lambda at: [rename_league(league("County"), each, by=None, revision=0) for each in "AB"], "league meanwhile"),
    (lambda at: rename(club("Harbour"), " "), "A club needs a name"),
    (lambda at: rename(club("Harbour"), "Hill"), "There is a club “Hill” already"),
]
OF_TEAMS: Sequence[tuple[Deed, str]] = [
    (lambda at: add_team(at.league.pk, "Eagle", by=None), "matches are made already"),
    (lambda at: add_team(new_event(2), " ", by=None), "A team needs a name"),
    (lambda at: change_team(at.home.pk, by=None, name=" "), "A team needs a name"),
    (lambda at: change_team(at.home.pk, by=None, name=" Bridge "), "There is a team “Bridge” already"),
    (lambda at: change_team(at.home.pk, by=None, venue="Hall", revision=-1), "changed this team meanwhile"),
    (lambda at: change_team(ROW, by=None, name="Nobody"), "is not in the event any more"),
    (lambda at: number_teams(at.league.pk, [], by=None), "matches are made already"),
    (lambda at: number_teams(new_event(2), [at.home.pk], by=None), "no longer those you numbered"),
    (lambda at: add_players(at.home.pk, squad_of(at.home)[1:2], by=None), "is on the list of this team already"),
    (lambda at: order_players(at.home.pk, at.rows(at.home)[1:], by=None), "no longer the one you ordered"),
    (lambda at: change_player(ROW, by=None, reserve=True), "not on the list of the team any more"),
    (lambda at: remove_player(ROW, by=None), "not on the list of the team any more"),
    (lambda at: remove_player(at.rows(at.stranger)[0], by=None), "stood in a line-up"),
    (lambda at: add_by_names(at.home.pk, ["#1"] * (MOST_AT_ONCE + 1), by=None), "takes 100 lines at once"),
    (lambda at: add_by_names(at.home.pk, [" "] * MOST_AT_ONCE, by=None), "Nobody was chosen"),
    (lambda at: add_team(at.cup.pk, "Eagle", by=None), "is no event of teams"),
]
OF_LINE_UPS: Sequence[tuple[Deed, str]] = [
    (lambda at: hand_in(ROW, at.home.pk, [], by=None), "match was deleted meanwhile"),
    (lambda at: hand_in(at.begun.pk, at.stranger.pk, at.rows(at.stranger)[:2], by=None), "boards .* are made: ask"),
    (lambda at: hand_in(at.waiting.pk, at.home.pk, [None, None], by=None), "line-up is empty"),
    (lambda at: open_match(at.bye.pk, by=None), "no opponent: there are no boards"),
    (lambda at: open_match(at.begun.pk, by=None), "boards of this match are made already"),
    (lambda at: open_match(at.draft.pk, by=None), "Round 1 is a draft: publish it first"),
    (lambda at: open_match(without_players().pk, by=None), "Nobody is named on either side"),
    (lambda at: open_match(missed(at.waiting).pk, by=None), "a team did not come: take that back first"),
    (lambda at: open_match(on_both_sides(at).pk, by=None), "sits on two boards of this round"),
    (lambda at: change(at, 2, at.rows(at.stranger)[1]), "Nothing was changed: board 2 stands so already"),
    (lambda at: change(at, 3, None), "The match has boards 1 to 2"),
    (lambda at: change(at, 0, None), "The match has boards 1 to 2"),
    (lambda at: change(at, 2, None, reason=""), "needs a reason"),
    (lambda at: change_board(at.waiting.pk, 1, at.home.pk, None, by=None, reason="other"), "are not made yet"),
    (lambda at: consent(at.waiting.pk, at.stranger.pk, by=None), "This team does not play"),
    (lambda at: consent(at.bye.pk, at.bye.home_id or 0, by=None), "This team does not play"),
    (lambda at: consent(at.begun.pk, at.stranger.pk, by=None), "boards .* are made: ask"),
]
OF_MATCHES: Sequence[tuple[Deed, str]] = [
    (lambda at: plan_match(at.waiting.pk, None, by=None, at=time(19)), "A time needs its day"),
    (lambda at: plan_match(at.begun.pk, None, by=None), "not left open"),
    (lambda at: set_absent(at.bye.pk, "home", by=None, reason="other"), "nobody can be absent"),
    (lambda at: set_absent(at.waiting.pk, "nobody", by=None, reason="other"), "“nobody” is none of the choices"),
    (lambda at: set_absent(at.begun.pk, "home", by=None, reason="other"), "rule on the match points instead"),
    (lambda at: rule_on_match(at.bye.pk, Ruling(4, 0, "An error"), by=None), "there is nothing to rule on"),
    (lambda at: rule_on_match(at.waiting.pk, Ruling(4, 0, " "), by=None), "A ruling needs its reason"),
    (lambda at: decide_who_goes_on(at.waiting.pk, at.home.pk, by=None, reason="other"), "not one of a knockout"),
    (lambda at: decide_who_goes_on(final(at).pk, at.home.pk, by=None, reason="other"), "This team does not play"),
    (lambda at: agree(at.waiting.pk, at.stranger.pk, by=None), "This team does not play"),
    (lambda at: agree(at.waiting.pk, at.home.pk, by=None), "Boards are still open"),
    (lambda at: penalise(at.home.pk, by=None, reason="Late"), "enter how many"),
    (lambda at: penalise(at.home.pk, by=None, reason="Late", match_points=-2, match=at.begun), "does not play"),
    (lambda at: lift_penalty(ROW, by=None), "no such penalty any more"),
]
OF_ROUNDS: Sequence[tuple[Deed, str]] = [
    (lambda at: make_fixtures(at.league.pk, by=None), "matches are made already"),
    (lambda at: make_fixtures(at.cup.pk, by=None), "no event of teams"),
    (lambda at: make_fixtures(new_event(3, format="team-scheveningen", primary="GP"), by=None), "2 teams"),
    (lambda at: make_fixtures(new_event(4, format="team-swiss"), by=None), "makes its rounds one by one"),
    (lambda at: make_fixtures(new_event(1), by=None), "teams"),
    (lambda at: add_round(at.league.pk, [], by=None), "at least one match"),
    (lambda at: add_round(at.league.pk, [(at.home, at.draft.home)], by=None), "“Anchor” is not in this event"),
    (lambda at: add_round(at.by_hand.pk, [(gone(at), None)], by=None), "has left the event"),
    (lambda at: delete_last_round(new_event(2), by=None), "no round to take back"),
    (lambda at: delete_last_round(ruled(at).pk, by=None), "In round 1 the arbiter ruled on a match"),
    (lambda at: delete_last_round(defaulted(at).pk, by=None), "In round 1 the arbiter ruled on a match"),
    (lambda at: delete_fixtures(ruled(at, fined=True).pk, by=None), "In round 1 the arbiter ruled on a match"),
    (lambda at: propose_next(team_facts(at.by_hand, drafts=True)), "Round 1 is a draft: publish it, then"),
    (lambda at: propose_next(team_facts(one_decided())), "Delta – Bridge has not begun"),
    (lambda at: propose_next(team_facts(at.knockout)), "All 1 rounds are made"),
    (lambda at: propose_next(team_facts(Tournament.objects.get(pk=new_event(1, format="team-swiss")))), "teams"),
    (lambda at: propose_next(team_facts(at.league)), "All rounds of this format are made together"),
]
OF_CAPTAINS: Sequence[tuple[Deed, str]] = [
    (lambda at: revoke_link(ROW, by=None), "taken back already"),
    (lambda at: captain_opens(at.waiting.pk, at.stranger.pk, by=None), "This team does not play"),
    (lambda at: captain_opens(at.waiting.pk, at.home.pk, by=None), "Both line-ups are not in yet"),
    (lambda at: enter_card(at.waiting.pk, at.home.pk, {1: Result.DRAW}, by=None), "no boards yet"),
    (lambda at: confirm_card(at.waiting.pk, at.home.pk, by=None), "no boards yet"),
    (lambda at: enter_card(to_come(at).pk, at.stranger.pk, {2: Result.DRAW}, by=None), "planned for a day to come"),
    (lambda at: enter_card(half_empty(at).pk, at.home.pk, {2: Result.DRAW}, by=None), "Nobody sits on board 2"),
]


def without_players() -> TeamMatch:
    return TeamMatch.objects.get(round__stage__tournament=make_team_event(2, size=0))


def missed(match: TeamMatch) -> TeamMatch:
    return set_absent(match.pk, "home", by=None, reason="did-not-come")


def on_both_sides(at: Scene) -> TeamMatch:
    """The match that waits, with the home team's first player in both line-ups."""
    assert at.waiting.away
    entry = TeamPlayer.objects.get(pk=at.rows(at.home)[0]).entry
    guest = TeamPlayer.objects.create(team=at.waiting.away, entry=entry, place=9)
    hand_in(at.waiting.pk, at.home.pk, at.rows(at.home)[:1], by=None)
    hand_in(at.waiting.pk, guest.team_id, [guest.pk], by=None)
    return at.waiting


def one_decided() -> Tournament:
    """A Swiss whose first match was decided without a board; its second has not begun."""
    event = make_team_event(4, fixtures=False, format="team-swiss")
    row = make_next_round(event.pk, by=None, seen=propose_next(team_facts(event)).seen, publish=True)
    missed(row.matches.order_by("number")[0])
    return event


def change(at: Scene, board: int, row: int | None, *, reason: str = "other") -> None:
    change_board(at.begun.pk, board, at.stranger.pk, row, by=None, reason=reason)


def final(at: Scene) -> TeamMatch:
    return TeamMatch.objects.get(round__stage__tournament=at.knockout)


def gone(at: Scene) -> Team:
    return take_team_out(team(at.by_hand, "Castle").pk, by=None)


def ruled(at: Scene, *, fined: bool = False) -> Tournament:
    """The event by hand, after a ruling or a penalty in its match."""
    if fined:
        penalise(at.draft.home_id or 0, by=None, reason="Late", match_points=-2, match=at.draft)
    else:
        rule_on_match(at.draft.pk, Ruling(4, 0, "An error"), by=None)
    return at.by_hand


def defaulted(at: Scene) -> Tournament:
    set_absent(at.draft.pk, "home", by=None, reason="did-not-come")
    return at.by_hand


def to_come(at: Scene) -> TeamMatch:
    return plan_match(at.begun.pk, today().replace(year=today().year + 1, day=1), by=None)


def half_empty(at: Scene) -> TeamMatch:
    """The match that waited, with nobody on board 2."""
    plan_match(at.waiting.pk, today(), by=None)
    for side in (at.waiting.home, at.waiting.away):
        assert side
        hand_in(at.waiting.pk, side.pk, at.rows(side)[:1], by=None)
    open_match(at.waiting.pk, by=None)
    return at.waiting


def test_names_nobody_has_may_come_as_guests_but_no_number(scene: Scene) -> None:
    for make_guests, unknown in ((False, ("Nina New",)), (True, ())):
        with pytest.raises(NamesRefused) as refused:
            add_by_names(scene.home.pk, ["#99999", "#12a", "Nina New"], by=None, make_guests=make_guests)
        assert refused.value.unknown == unknown


CASES = [*OF_EVENTS, *OF_TEAMS, *OF_LINE_UPS, *OF_MATCHES, *OF_ROUNDS, *OF_CAPTAINS]


@pytest.mark.parametrize(("deed", "says"), CASES, ids=[says for _deed, says in CASES])
def test_it_is_refused_with_its_reason(scene: Scene, deed: Deed, says: str) -> None:
    with pytest.raises(Stale if says.endswith("meanwhile") else Refused, match=says):
        deed(scene)
