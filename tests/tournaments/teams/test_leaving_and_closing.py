"""A team that leaves and comes back, what keeps a team event open, and rounds made one after the other."""

import pytest

from players.refusals import Refused, Stale
from ratings.models import LedgerEntry, RatingList
from tests.factory import make_arbiter, told
from tests.tournaments.teams.team_cases import make_team_event, match_between, play, scores, team
from tournaments.events.services.closing import close_event, look_at_closing
from tournaments.models import Team, TeamMatch, TeamRules, Tournament
from tournaments.standings.points import Result
from tournaments.standings.team_event import team_scores
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.leaving import bring_team_back, counts_for_nothing, take_team_out
from tournaments.teams.services.line_ups import open_match
from tournaments.teams.services.matches import decide_who_goes_on, plan_match, set_absent
from tournaments.teams.services.next_round import TeamProposal, goes_on, make_next_round, propose_next
from tournaments.teams.services.teams import add_team

pytestmark = pytest.mark.usefixtures("event")
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def match_points(event: Tournament) -> dict[str, int]:
    facts = team_facts(event)
    return scores(facts, {one.team: one.match_points for one in team_scores(facts.event).values()})


# --- leaving ------------------------------------------------------------------------------------------------------
def test_before_half_of_its_matches_nothing_of_a_team_counts_and_its_games_stay_rated(event: Tournament) -> None:
    make_team_event(4)
    match = match_between(event, "Anchor", "Delta")
    play(match, [WIN, WIN])
    before = LedgerEntry.objects.count()
    gone = take_team_out(team(event, "Anchor").pk, by=None)
    assert gone.left_before == match.round.number + 1, "whatever is played in other events"
    assert team_facts(event).event.annulled == {team(event, "Anchor").number}
    assert match_points(event) == dict.fromkeys(("Anchor", "Bridge", "Castle", "Delta"), 0)
    assert LedgerEntry.objects.count() == before
    Tournament.objects.update(leaver_rule="all")
    assert team_facts(Tournament.objects.get(pk=event.pk)).event.annulled == frozenset(), "unless the event says so"


def test_from_half_on_what_is_left_is_lost_and_what_was_played_counts(event: Tournament) -> None:
    for name in ("Delta", "Castle"):
        match = match_between(event, "Anchor", name)
        play(match, [WIN, WIN] if match.home.name == "Anchor" else [LOSS, LOSS])
    three = make_team_event(3)
    play(match_between(three, "Anchor", "Bridge"), [WIN, WIN])
    take_team_out(team(three, "Anchor").pk, by=None)
    assert team_facts(three).event.annulled == frozenset(), "it played half of its matches"
    take_team_out(team(event, "Anchor").pk, by=None)
    assert match_points(event) == {"Anchor": 8, "Bridge": 4, "Castle": 0, "Delta": 0}


def test_a_team_comes_back_to_the_matches_it_lost_by_leaving(event: Tournament) -> None:
    set_absent(match_between(event, "Anchor", "Bridge").pk, "both", by=None, reason="did-not-come")
    gone = take_team_out(team(event, "Anchor").pk, by=None, revision=0)
    assert TeamMatch.objects.exclude(absent="").count() == 3
    ruled = match_between(event, "Anchor", "Castle")
    other_side = "away" if ruled.absent == "home" else "home"
    TeamMatch.objects.filter(pk=ruled.pk).update(absent=other_side)
    with pytest.raises(Refused, match="has left the event"):
        take_team_out(gone.pk, by=None)
    with pytest.raises(Stale):
        bring_team_back(gone.pk, by=None, revision=0)
    bring_team_back(gone.pk, by=(officer := make_arbiter()), revision=gone.revision)
    assert len(told("team.returned", gone, officer).after["matches"]) == 1, "the others were decided otherwise"
    left = TeamMatch.objects.exclude(absent="").values_list("absent", flat=True)
    assert sorted(left) == sorted([other_side, "both"])
    with pytest.raises(Refused, match="is in the event"):
        bring_team_back(gone.pk, by=None)


def test_of_two_teams_that_left_the_one_that_is_back_wins_until_the_other_is(event: Tournament) -> None:
    anchor, bridge, castle = (team(event, name).pk for name in ("Anchor", "Bridge", "Castle"))
    for key in (anchor, bridge, castle):
        take_team_out(key, by=None)
    bring_team_back(bridge, by=None)
    for name in ("Anchor", "Castle"):
        match = match_between(event, "Bridge", name)
        assert match.absent == ("home" if match.home.name == name else "away"), name
    for key in (anchor, castle):
        bring_team_back(key, by=None)
    assert not TeamMatch.objects.exclude(absent="").exists()


@pytest.mark.extended
def test_a_team_that_played_half_of_its_matches_is_told_that_they_count(standard: RatingList) -> None:
    event = make_team_event(3)
    play(match_between(event, "Anchor", "Bridge"), [WIN, WIN])
    assert [counts_for_nothing(team(event, name)) for name in ("Anchor", "Bridge", "Castle")] == [False, False, True]


def test_a_team_with_open_boards_enters_them_before_it_leaves(event: Tournament) -> None:
    open_match(match_between(event, "Anchor", "Delta").pk, by=None)
    with pytest.raises(Refused, match="enter what became of them first"):
        take_team_out(team(event, "Anchor").pk, by=None)
    assert not Team.objects.exclude(left_before=None).exists()


def test_no_team_comes_to_a_closed_event(event: Tournament) -> None:
    other = make_team_event(fixtures=False)
    add_team(other.pk, "Eagle", by=None)
    Tournament.objects.filter(pk=other.pk).update(closed=True)
    with pytest.raises(Refused, match="event is over"):
        add_team(other.pk, "Falcon", by=None)


# --- closing ------------------------------------------------------------------------------------------------------
def test_matches_that_are_postponed_or_not_played_keep_the_event_open(event: Tournament) -> None:
    plan_match(match_between(event, "Anchor", "Delta").pk, None, by=None)
    (postponed, waiting), _short = look_at_closing(event)
    assert postponed.startswith("1 postponed match: ")
    assert waiting.startswith("5 matches not played: ")
    assert waiting.endswith("and 2 more")
    with pytest.raises(Refused):
        close_event(event, by=None)
    for match in TeamMatch.objects.all():
        set_absent(match.pk, "both", by=None, reason="other")
    assert look_at_closing(event)[0] == ()


# --- one round after the other ------------------------------------------------------------------------------------
def proposal(event: Tournament) -> TeamProposal:
    return propose_next(team_facts(event, drafts=True))


def make(event: Tournament) -> list[TeamMatch]:
    row = make_next_round(event.pk, by=None, seen=proposal(event).seen, publish=True)
    return list(row.matches.select_related("home", "away").order_by("number"))


def test_a_swiss_pairs_each_round_from_those_before(standard: RatingList) -> None:
    event = make_team_event(4, fixtures=False, format="team-swiss", settings={"rounds": 2}, first_white="toss")
    assert sorted(proposal(event).seen.replace("-", ",").split(",")) == ["1", "2", "3", "4"]
    first = make(event)
    assert {match.first_white for match in first} == {"home"}, "nobody tosses"
    with pytest.raises(Refused, match="has not begun"):
        proposal(event)
    assert not counts_for_nothing(first[0].home), "in a Swiss everything played counts"
    for match in first:
        play(match, [WIN, WIN])
    winners = {match.home_id for match in first}
    assert {match.home_id in winners for match in make(event)} == {True, False}
    for match in TeamMatch.objects.filter(round__number=2):
        play(match, [DRAW, DRAW])
    with pytest.raises(Refused, match="All 2 rounds are made"):
        proposal(event)


def test_a_round_that_would_be_another_one_by_now_is_not_made(standard: RatingList) -> None:
    event = make_team_event(4, fixtures=False, format="team-swiss")
    with pytest.raises(Stale):
        make_next_round(event.pk, by=None, seen="1-2,3-4,5-6")
    assert not event.stages.get().rounds.exists()


def test_a_swiss_where_guests_have_white_pairs_the_same_teams_the_other_way_round(standard: RatingList) -> None:
    event = make_team_event(3, fixtures=False, format="team-swiss")
    usual = {(home, away) for home, away in proposal(event).pairs}
    TeamRules.objects.filter(tournament=event).update(first_white="away")
    assert {(away, home) if away else (home, None) for home, away in proposal(event).pairs} == usual
    assert None not in {home for home, _away in proposal(event).pairs}


def test_winners_of_a_knockout_go_on_and_the_arbiter_decides_what_the_boards_do_not(standard: RatingList) -> None:
    event = make_team_event(3, fixtures=False, format="team-knockout", tie_rule="arbiter")
    first = make(event)
    assert [match.away is None for match in first].count(True) == 1
    tie = next(match for match in first if match.away is not None)
    play(tie, [DRAW, DRAW])
    with pytest.raises(Refused, match="it is not decided who goes on"):
        proposal(event)
    tie.refresh_from_db()
    decided = decide_who_goes_on(tie.pk, tie.away_id, by=(officer := make_arbiter()), reason="other")
    assert decided.revision > tie.revision
    line = told("match.advanced", tie, officer)
    assert (line.before, line.after, line.reason) == ({"advanced": None}, {"advanced": tie.away_id}, "other")
    (final,) = make(event)
    assert tie.away_id in (final.home_id, final.away_id)
    assert tie.home_id not in (final.home_id, final.away_id)


@pytest.mark.parametrize(("tie_rule", "first_white"), [("black", "home"), ("black", "away"), ("arbiter", "home")])
def test_level_in_everything_whoever_had_black_on_the_odd_boards_goes_on_or_the_arbiter_decides(
    standard: RatingList, tie_rule: str, first_white: str
) -> None:
    event = make_team_event(2, fixtures=False, format="team-knockout", tie_rule=tie_rule, first_white=first_white)
    (tie,) = make(event)
    play(tie, [DRAW, DRAW])
    facts = team_facts(event)
    black = tie.away if first_white == "home" else tie.home
    assert goes_on(facts, facts.matches[0]) == (black if tie_rule == "black" else None)


def test_board_count_sends_the_winner_of_the_upper_board_on(standard: RatingList) -> None:
    event = make_team_event(2, fixtures=False, format="team-knockout")
    (tie,) = make(event)
    play(tie, [LOSS, WIN])
    facts = team_facts(event)
    assert goes_on(facts, facts.matches[0]) == tie.away
