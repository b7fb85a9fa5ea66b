"""A match of teams above ordinary games: boards from line-ups, points from boards, ratings as always."""

from collections.abc import Callable
from datetime import time, timedelta

import pytest

from players.models import AuditEvent
from players.refusals import Refused, Stale
from ratings.models import LedgerEntry, RatingList
from tests.factory import MONDAY, make_arbiter, make_players, make_round_robin, today, told
from tests.tournaments.teams.team_cases import facts_of, make_team_event, match_between, play, scores, team
from tournaments.corrections.services.board_changes import take_seats
from tournaments.models import Entry, Game, LineUp, Seat, Stage, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result
from tournaments.rounds.services.by_hand import pair_by_hand
from tournaments.standings.points import Result
from tournaments.standings.team_contest import board_totals, team_contest
from tournaments.standings.team_event import team_scores
from tournaments.teams.selectors.eligibility import eligible_for
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.selectors.matches import outcome_of
from tournaments.teams.services.events import change_rules
from tournaments.teams.services.line_ups import change_board, hand_in, open_match, seated
from tournaments.teams.services.matches import Ruling, agree, penalise, plan_match, rule_on_match, set_absent
from tournaments.teams.services.rounds import add_round, make_fixtures
from tournaments.teams.services.teams import add_players, add_team, change_player, change_team

WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def table(event: Tournament) -> dict[str, tuple[int, int]]:
    facts = team_facts(event)
    return scores(facts, {one.team: (one.match_points, one.game_points) for one in team_scores(facts.event).values()})


def places(match: object, name: str, *order: int | None) -> list[int | None]:
    rows = TeamPlayer.objects.filter(team__name=name).order_by("place")
    return [None if place is None else rows[place - 1].pk for place in order]


def test_each_meets_each_and_nobody_has_boards_before_the_line_ups(event: Tournament) -> None:
    facts = team_facts(event)
    met = {frozenset((match.row.home_id, match.row.away_id)) for match in facts.matches}
    assert len(facts.matches) == len(met) == 6
    assert not any(match.is_open or match.decided for match in facts.matches)
    assert table(event) == dict.fromkeys(("Anchor", "Bridge", "Castle", "Delta"), (0, 0))


def test_line_ups_open_no_postponed_match_and_others_in_the_pool_of_their_stage(match: TeamMatch) -> None:
    for side in (match.home, match.away):
        hand_in(match.pk, side.pk, places(match, side.name, 1), by=None)
    TeamMatch.objects.filter(pk=match.pk).update(postponed=True)
    assert not open_match(match.pk, by=None, only_if_both=True)
    TeamMatch.objects.filter(pk=match.pk).update(postponed=False)
    Stage.objects.update(pool="rapid")
    assert open_match(match.pk, by=None, only_if_both=True)
    assert Game.objects.get(pairing__match=match).pool == "rapid"


def test_who_withdrew_is_not_offered_and_a_match_without_a_day_has_that_of_its_round(
    event: Tournament, match: TeamMatch
) -> None:
    gone, until = places(match, "Anchor", 1, 2)
    Entry.objects.filter(team_places=gone).update(withdrawn=True)
    TeamPlayer.objects.filter(pk=until).update(until=MONDAY)
    match.played_on = None
    offered = eligible_for(match, team(event, "Anchor"), event.team_rules).rows
    assert (gone in offered, until in offered) == (False, True)


def test_an_event_of_players_takes_no_team(standard: RatingList) -> None:
    cup = make_round_robin(make_players(3))
    with pytest.raises(Refused, match="no event of teams"):
        add_team(cup.pk, "Eagle", by=None)
    with pytest.raises(TeamRules.DoesNotExist):
        team_facts(cup)


def test_a_board_without_an_opponent_is_won_by_default_and_moves_no_rating(event: Tournament, match: TeamMatch) -> None:
    hand_in(match.pk, team(event, "Delta").pk, places(match, "Delta", 1, None), by=None)
    play(match, [LOSS if match.home.name == "Anchor" else WIN])
    assert table(event)["Delta"] == (2, 2)
    assert table(event)["Anchor"] == (2, 2)
    assert Game.objects.filter(pairing__match=match).count() == LedgerEntry.objects.count() == 1


def test_boards_nobody_sits_on_bring_nobody_a_point(event: Tournament, match: TeamMatch) -> None:
    for name in ("Anchor", "Delta"):
        hand_in(match.pk, team(event, name).pk, places(match, name, 1, None), by=None)
    play(match, [DRAW])
    assert facts_of(match)[1].game_points == (1, 1)
    assert facts_of(match)[1].match_points == (2, 2)


def test_a_postponed_match_is_no_draw(event: Tournament, match: TeamMatch) -> None:
    plan_match(match.pk, None, by=(officer := make_arbiter()))
    line = told("match.planned", match, officer)
    assert (line.before["day"], line.after["day"]) == (f"{match.played_on}", "")
    facts, moved = facts_of(match)
    assert moved.row.postponed
    assert moved.row.first_planned == match.played_on
    assert not moved.decided
    assert facts.event.meetings == ()
    with pytest.raises(Refused, match="postponed"):
        open_match(match.pk, by=None)


def test_a_correction_moves_the_match_and_the_ledger_equals_a_replay(
    event: Tournament, match: TeamMatch, standard: RatingList
) -> None:
    play(match, [DRAW, DRAW])
    game = Game.objects.get(pairing__match=match, pairing__match_board=1)
    correct_result(game=game.pk, result=WIN, by=None)
    assert table(event)[match.home.name] == (4, 3)
    assert check_list(standard) == []


def test_who_does_not_come_loses_every_board_and_nothing_is_rated(event: Tournament, match: TeamMatch) -> None:
    set_absent(match.pk, "away", by=(officer := make_arbiter()), reason="did-not-come")
    line = told("match.defaulted", match, officer)
    assert (line.before, line.after, line.reason) == ({"absent": ""}, {"absent": "away"}, "did-not-come")
    assert table(event)[match.home.name] == (4, 4)
    assert not LedgerEntry.objects.exists()
    set_absent(match.pk, "", by=None, reason="other")
    assert table(event)[match.home.name] == (0, 0)
    open_match(match.pk, by=None)
    set_absent(match.pk, "away", by=None, reason="did-not-come")
    assert not Game.objects.filter(pairing__match=match).exists(), "the boards go"
    assert table(event)[match.home.name] == (4, 4)


def test_a_ruling_gives_match_points_and_leaves_the_games_alone(event: Tournament, match: TeamMatch) -> None:
    play(match, [WIN, WIN])
    rule_on_match(match.pk, Ruling(0, 4, "An ineligible player"), by=None)
    assert table(event)[match.home.name] == (0, 4)
    assert LedgerEntry.objects.count() == 2


def test_a_match_is_won_or_awarded_in_game_points_and_the_boards_stay_as_they_were_played(
    event: Tournament, match: TeamMatch
) -> None:
    play(match, [WIN, DRAW])
    assert (table(event)[match.home.name], table(event)[match.away.name]) == ((4, 3), (0, 1)), "won by game points"
    assert LedgerEntry.objects.filter(game__pairing__match=match).count() == 2
    rule_on_match(match.pk, Ruling(None, None, "An ineligible player", (0, 4)), by=None)
    assert table(event)[match.home.name] == (0, 0)
    assert table(event)[match.away.name] == (4, 4), "match points follow from the game points"
    facts, awarded = facts_of(match)
    assert [board.result for board in awarded.boards] == [WIN, DRAW]
    assert LedgerEntry.objects.filter(game__pairing__match=match).count() == 2
    home = match.home.number
    assert board_totals(team_contest(facts.event))[home] == (2, 1), "board by board they count as played"
    rule_on_match(match.pk, None, by=None)
    assert table(event)[match.home.name] == (4, 3)


@pytest.mark.parametrize(
    ("ruling", "says"),
    [
        (Ruling(None, None, "An error"), "enter match points, game points, or both"),
        (Ruling(4, None, "An error", (4, 0)), "points of both teams"),
        (Ruling(4, 0, "An error", (5, 0)), "bring 2 game points at most"),
        (Ruling(4, 0, "An error", (-1, 0)), "cannot be negative"),
    ],
)
def test_a_ruling_names_points_that_a_match_can_bring(event: Tournament, ruling: Ruling, says: str) -> None:
    with pytest.raises(Refused, match=says):
        rule_on_match(match_between(event, "Anchor", "Delta").pk, ruling, by=None)


def test_a_penalty_stands_in_the_table_with_its_reason(event: Tournament) -> None:
    row = penalise(team(event, "Bridge").pk, by=(officer := make_arbiter()), reason="Late card", match_points=-2)
    line = told("team.penalised", row.team, officer)
    assert (line.after, line.note) == ({"match_points": -2, "game_points": 0, "penalty": row.pk}, "Late card")
    assert table(event)["Bridge"] == (-2, 0)
    with pytest.raises(Refused, match="reason"):
        penalise(team(event, "Bridge").pk, by=None, reason=" ", match_points=-2)


def test_a_line_up_names_the_board_that_is_wrong(event: Tournament, match: TeamMatch) -> None:
    key = team(event, "Anchor").pk
    with pytest.raises(Refused, match="Board 2: this player is not on the list"):
        hand_in(match.pk, key, [*places(match, "Anchor", 1), *places(match, "Bridge", 1)], by=None)
    with pytest.raises(Refused, match="Board 2: player #1 sits on a board above"):
        hand_in(match.pk, key, places(match, "Anchor", 1, 1), by=None)
    with pytest.raises(Refused, match="3 boards, the match 2"):
        hand_in(match.pk, key, places(match, "Anchor", 1, 2, 3), by=None)
    with pytest.raises(Refused, match="does not play in the match"):
        hand_in(match.pk, team(event, "Bridge").pk, places(match, "Bridge", 1, 2), by=None)
    assert not LineUp.objects.exists()


def test_colours_alternate_from_homes_white_on_and_a_late_change_exchanges_two_boards_and_loses_nobody(
    event: Tournament, match: TeamMatch
) -> None:
    open_match(match.pk, by=None)
    seats = Seat.objects.filter(pairing__match=match).order_by("pairing__match_board", "line")
    assert list(seats.values_list("line", "colour")) == [(1, "w"), (2, "b"), (1, "b"), (2, "w")]
    line = 1 if match.home.name == "Anchor" else 2
    one, two = (seated(match, line)[board] for board in (1, 2))
    row = TeamPlayer.objects.get(entry=two)
    change_board(match.pk, 1, team(event, "Anchor").pk, row.pk, by=(officer := make_arbiter()), reason="other")
    said, (first, second) = told("line-up.changed", match, officer), (each.player.number for each in (one, two))
    assert said.before == {"team": team(event, "Anchor").pk, "players": {"1": first, "2": second}}
    assert said.after["players"] == {"1": second, "2": first}
    assert seated(match, line) == {1: two, 2: one}
    play(match, [WIN, WIN])
    with pytest.raises(Refused, match="has a result"):
        change_board(match.pk, 1, team(event, "Anchor").pk, None, by=None, reason="other")
    for game in Game.objects.filter(pairing__match=match):
        correct_result(game=game.pk, result=Result.OPEN, by=None)
    change_board(match.pk, 1, team(event, "Anchor").pk, None, by=None, reason="other")
    assert seated(match, line) == {2: one}, "a result that was cleared holds no board"


def test_somebody_plays_for_one_team_only(event: Tournament) -> None:
    somebody = TeamPlayer.objects.filter(team__name="Bridge")[0].entry.player
    with pytest.raises(Refused, match="plays for “Bridge”"):
        add_players(team(event, "Anchor").pk, [somebody], by=None)


@pytest.mark.extended
@pytest.mark.parametrize("teams", [4, 6])
def test_facts_take_as_many_queries_for_many_teams(
    teams: int, standard: RatingList, django_assert_num_queries: object
) -> None:
    event = make_team_event(teams)
    play(match_between(event, "Anchor", "Delta"), [WIN, WIN])
    with django_assert_num_queries(9):  # type: ignore[operator]
        team_facts(event)


def test_both_lose_a_match_to_which_nobody_came(event: Tournament, match: TeamMatch) -> None:
    set_absent(match.pk, "both", by=None, reason="did-not-come")
    facts = team_facts(event)
    records = scores(facts, team_scores(facts.event))
    assert (records["Anchor"].match_points, records["Anchor"].lost, records["Anchor"].drawn) == (0, 1, 0)
    assert records["Delta"].lost == 1
    assert {outcome_of(facts, facts_of(match)[1], side).kind for side in facts.teams[:4:3]} == {"lost"}


def test_a_penalty_counts_from_its_round_on(event: Tournament) -> None:
    penalise(team(event, "Bridge").pk, by=None, reason="Late card", match_points=-2, from_round=2)
    play(match_between(event, "Anchor", "Delta"), [WIN, WIN])
    first = match_between(event, "Anchor", "Delta").round.number
    assert table(event)["Bridge"] == ((0, 0) if first < 2 else (-2, 0))
    for match in TeamMatch.objects.filter(round__number=2).exclude(home__name="Bridge").exclude(away__name="Bridge"):
        play(match, [WIN, WIN])
    assert table(event)["Bridge"] == (-2, 0)


def test_only_the_own_side_of_a_match_exchanges_seats_afterwards(match: TeamMatch) -> None:
    play(match, [WIN, DRAW])
    game = Game.objects.get(pairing__match=match, pairing__match_board=1)
    home, away = (seated(match, line) for line in (1, 2))
    with pytest.raises(Refused, match="same team"):
        take_seats(game=game.pk, white=away[2].pk, black=away[1].pk, by=None, reason="wrong-player")
    take_seats(game=game.pk, white=home[2].pk, black=away[1].pk, by=None, reason="wrong-player")
    assert seated(match, 1) == {1: home[2], 2: home[1]}


def test_rounds_of_teams_are_no_matter_of_the_general_tools(event: Tournament) -> None:
    with pytest.raises(Refused, match="one of teams"):
        pair_by_hand(event.stages.get(), [], by=None)


def test_who_left_a_team_may_come_back_or_play_for_another_from_the_day_after(event: Tournament) -> None:
    row = TeamPlayer.objects.filter(team__name="Bridge")[0]
    anchor, somebody, tomorrow = team(event, "Anchor").pk, row.entry.player, today() + timedelta(days=1)
    change_player(row.pk, by=(officer := make_arbiter()), until=today())
    line = told("team.player-changed", row.team, officer)
    assert (line.before["player"], line.after["until"]) == (somebody.number, f"{today()}")
    with pytest.raises(Refused, match="plays for “Bridge”"):
        add_players(anchor, [somebody], by=None)
    add_players(anchor, [somebody], by=None, since=tomorrow)
    for until in (None, tomorrow):
        with pytest.raises(Refused, match="plays for “Anchor”"):
            change_player(row.pk, by=None, until=until)
    change_player(row.pk, by=None, since=today(), until=today())  # a single day
    with pytest.raises(Refused, match="plays for “Anchor”"):
        add_players(row.team_id, [somebody], by=None, since=tomorrow)
    TeamPlayer.objects.filter(team=anchor).update(until=tomorrow)
    [back] = add_players(row.team_id, [somebody], by=None, since=tomorrow + timedelta(days=1))
    assert (back.pk, back.until) == (row.pk, None)
    added = AuditEvent.objects.filter(action="team.players-added", subject_key__in=(anchor, row.team_id))
    assert added.order_by("-pk")[0].after == {"players": [somebody.number]}, "the trail says who was put on the list"


def test_what_no_column_holds_is_refused_by_the_name_of_its_field(event: Tournament) -> None:
    match, own = match_between(event, "Anchor", "Delta"), team(event, "Anchor")
    with pytest.raises(Refused, match="Short name: "):
        change_team(own.pk, by=None, short_name="x" * 13)
    with pytest.raises(Refused, match="Match points: "):
        penalise(own.pk, by=None, reason="Late", match_points=-99999)
    with pytest.raises(Refused, match="Reason: "):
        rule_on_match(match.pk, Ruling(0, 4, "x" * 201), by=None)
    with pytest.raises(Refused, match="Venue: "):
        plan_match(match.pk, match.played_on, by=None, venue="x" * 201)
    with pytest.raises(Refused, match="Tolerance in rating points: "):
        change_rules(event.pk, {"tolerance": -1}, by=None)


def test_what_is_sent_unchanged_or_with_blanks_stands_as_it_did(event: Tournament) -> None:
    rules, own = event.team_rules, team(event, "Anchor")
    assert change_rules(event.pk, {"boards": rules.boards}, by=None).revision == rules.revision
    assert not AuditEvent.objects.filter(action="team-rules.changed").exists()
    assert change_team(own.pk, by=None, name="  Anchor ").name == "Anchor"
    officer = make_arbiter()
    assert change_team(own.pk, by=officer, name=" New   Anchor").name == "New Anchor"
    line = told("team.changed", own, officer)
    assert (line.before, line.after) == ({"name": "Anchor"}, {"name": "New Anchor"})


def test_the_first_day_of_a_match_is_kept_and_one_that_never_had_a_day_is_not_postponed(match: TeamMatch) -> None:
    first = match.played_on
    assert first
    assert plan_match(match.pk, first, by=None, at=time(20)).first_planned is None, "another hour of the same day"
    for days in (1, 2):
        moved = plan_match(match.pk, first + timedelta(days=days), by=None, venue=" Hall ")
        assert (moved.first_planned, moved.starts_at, moved.venue) == (first, None, "Hall")
    assert plan_match(match.pk, None, by=None).postponed
    assert plan_match(match.pk, None, by=None).postponed, "still"
    assert not plan_match(match.pk, first, by=None).postponed
    TeamMatch.objects.filter(pk=match.pk).update(played_on=None)
    assert not plan_match(match.pk, None, by=None).postponed


def test_rounds_come_with_their_days_hours_and_the_venue_of_the_home_team(standard: RatingList) -> None:
    event = make_team_event(3, fixtures=False)
    change_team(team(event, "Anchor").pk, by=None, venue="Town hall")
    rounds = make_fixtures(event.pk, by=None, first_day=MONDAY, days_between=14, at=time(19, 30))
    assert [row.planned_on for row in rounds] == [MONDAY + timedelta(days=14 * index) for index in range(3)]
    rows = TeamMatch.objects.filter(round__stage__tournament=event).select_related("home", "round")
    for row in rows:
        assert (row.played_on, row.starts_at, row.round.planned_at) == (
            row.round.planned_on,
            time(19, 30),
            time(19, 30),
        )
        assert row.venue == ("Town hall" if row.home.name == "Anchor" else "")
        assert bool(row.bye) == (row.away is None)
    late = add_round(event.pk, [(team(event, "Anchor"), team(event, "Bridge"))], by=None, at=time(19)).matches.get()
    assert (late.starts_at, late.round.planned_at) == (None, None), "no hour without a day"


def test_a_penalty_for_a_match_counts_from_its_round_on(event: Tournament) -> None:
    match = TeamMatch.objects.filter(round__stage__tournament=event, round__number=2)[0]
    row = penalise(match.home_id, by=None, reason=" Late ", game_points=-1, match=match, decided_on=MONDAY)
    assert (row.from_round, row.reason, row.decided_on) == (2, "Late", MONDAY)
    assert penalise(match.home_id, by=None, reason="Late", game_points=-1).decided_on == today()


def test_who_knows_an_older_state_of_a_team_or_a_match_is_told(event: Tournament, match: TeamMatch) -> None:
    own = team(event, "Anchor")
    change_team(own.pk, by=None, venue="Hall", revision=own.revision)
    with pytest.raises(Stale):
        change_team(own.pk, by=None, venue="Town", revision=own.revision)
    deeds: list[Callable[[int], object]] = [
        lambda at: plan_match(match.pk, MONDAY, by=None, revision=at),
        lambda at: rule_on_match(match.pk, Ruling(4, 0, "An error"), by=None, revision=at),
        lambda at: set_absent(match.pk, "home", by=None, reason="other", revision=at),
        lambda at: rule_on_match(match.pk, None, by=None, revision=at),
    ]
    for seen, deed in enumerate(deeds, start=match.revision):
        deed(seen)
        with pytest.raises(Stale):
            deed(seen)


def test_a_side_takes_its_confirmation_back_and_the_other_keeps_its_own(event: Tournament, match: TeamMatch) -> None:
    play(match, [WIN, DRAW])
    for side in (match.home_id, match.away_id):
        agree(match.pk, side, by=None)
    assert facts_of(match)[1].agreed_sides == (True, True)
    agree(match.pk, match.home_id, by=None, role="captain", agreed=False)
    assert told("match.agreed", match, "captain").after == {"team": match.home_id, "agreed": False}
    assert facts_of(match)[1].agreed_sides == (False, True)


def test_a_line_up_made_up_is_the_teams_own_once_it_hands_one_in(event: Tournament, match: TeamMatch) -> None:
    open_match(match.pk, by=None)
    assert list(LineUp.objects.values_list("made_up", flat=True)) == [True, True]
    for absent in ("away", ""):
        set_absent(match.pk, absent, by=None, reason="other")
    hand_in(match.pk, team(event, "Anchor").pk, places(match, "Anchor", 2, 3), by=None)
    assert dict(LineUp.objects.values_list("team__name", "made_up")) == {"Anchor": False, "Delta": True}
