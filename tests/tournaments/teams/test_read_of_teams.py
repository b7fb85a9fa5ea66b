"""What is read of a team event for its pages: of its own matches, teams and people, on the days that matter."""

from datetime import UTC, timedelta
from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.test import Client

from players.privacy.rules import NOBODY
from ratings.models import RatingList
from tests import factory
from tests.factory import MONDAY, make_arbiter, today
from tests.tournaments.admin_pages import url
from tests.tournaments.event_pages.page_cases import text_of
from tests.tournaments.teams.team_cases import make_match_of, make_team_event, match_between, play, squad_of, team
from tournaments.events.services.closing import look_at_closing
from tournaments.models import Entry, Game, Round, Seat, Team, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.presence.services import report_absence
from tournaments.standings.points import Result
from tournaments.teams.selectors import records
from tournaments.teams.selectors.calendar import calendar_of
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.selectors.matches import (
    current_round,
    matches_on,
    missing_from,
    next_match,
    next_matches,
    open_rounds_of_teams,
)
from tournaments.teams.selectors.records import fewest_games, records_of, team_records_of
from tournaments.teams.selectors.sheets import teams_sheet
from tournaments.teams.selectors.table import league_table
from tournaments.teams.selectors.usual import squads_of
from tournaments.teams.services.leaving import take_team_out
from tournaments.teams.services.line_ups import open_match
from tournaments.teams.services.matches import Ruling, lift_penalty, penalise, plan_match, rule_on_match, set_absent
from tournaments.teams.services.rounds import add_round

WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def event(standard: RatingList) -> Tournament:
    """Beside it a second event with teams of the same names, its first matches played, ruled on and penalised."""
    own, other = make_team_event(), make_team_event()
    for index, match in enumerate(TeamMatch.objects.filter(round__stage__tournament=other).order_by("pk")):
        if index == 0:
            play(match, [WIN, WIN])
        elif index == 1:
            rule_on_match(match.pk, Ruling(4, 0, "An error"), by=None)
        else:
            plan_match(match.pk, None, by=None)
    penalise(team(other, "Anchor").pk, by=None, reason="Late card elsewhere", match_points=-2)
    return own


def test_who_will_miss_a_match_said_so_of_its_round_and_is_on_the_list_that_day(event: Tournament) -> None:
    rows = list(TeamPlayer.objects.filter(team__tournament=event).select_related("entry", "team").order_by("pk"))
    said, of_another_round, withdrew, gone, comes_later, plays = rows[:6]
    for row, number in ((said, 1), (of_another_round, 2), (gone, 1), (comes_later, 1)):
        report_absence(row.entry_id, number, by=None)
    Entry.objects.filter(pk=withdrew.entry_id).update(withdrawn=True)
    TeamPlayer.objects.filter(pk=gone.pk).update(until=MONDAY - DAY)
    TeamPlayer.objects.filter(pk=comes_later.pk).update(since=MONDAY + DAY)
    facts = team_facts(event)
    first = [match for match in facts.matches if match.round.number == 1]
    missing = missing_from(facts, first)
    assert {(each.entry.pk, each.withdrew) for each in missing} == {(said.entry_id, False), (withdrew.entry_id, True)}
    assert {each.team for each in missing} == {said.team}
    assert all(each.team.pk in (each.match.row.home_id, each.match.row.away_id) for each in missing)
    for day, is_there in ((MONDAY + DAY, True), (None, False)):
        TeamMatch.objects.filter(round__stage__tournament=event, round__number=1).update(played_on=day)
        moved = [match for match in team_facts(event).matches if match.round.number == 1]
        found = {each.entry.pk for each in missing_from(facts, moved)}
        assert (comes_later.entry_id in found) == is_there, "on the day it is played, or was planned for"
    TeamPlayer.objects.filter(pk=gone.pk).update(until=MONDAY)
    TeamPlayer.objects.filter(pk=comes_later.pk).update(since=MONDAY)
    assert {gone.entry_id, comes_later.entry_id} <= {each.entry.pk for each in missing_from(facts, first)}
    assert plays.entry_id not in {each.entry.pk for each in missing_from(facts, first)}


def test_next_are_the_matches_of_seven_days_from_today_on(event: Tournament) -> None:
    days = (today() - DAY, today(), today() + 6 * DAY, today() + 7 * DAY)
    rows = list(TeamMatch.objects.filter(round__stage__tournament=event).order_by("round__number", "number"))
    for row, day in zip(rows, days, strict=False):
        TeamMatch.objects.filter(pk=row.pk).update(played_on=day)
    assert [match.row.pk for match in next_matches(team_facts(event), today())] == [rows[1].pk, rows[2].pk]
    set_absent(rows[1].pk, "home", by=None, reason="other")
    assert [match.row.pk for match in next_matches(team_facts(event), today())] == [rows[2].pk]
    TeamMatch.objects.filter(pk=rows[2].pk).update(played_on=MONDAY)
    facts = team_facts(event)
    assert [match.row.pk for match in next_matches(facts, today())] == [rows[0].pk], "of the round that is next"
    plan_match(rows[0].pk, None, by=None)
    now = current_round(team_facts(event))
    assert (now.number if now else None) == 2, "a postponed match holds no round"
    TeamMatch.objects.filter(round__stage__tournament=event).update(absent="both")
    now = current_round(team_facts(event))
    assert (now.number if now else None) == 3, "the last one once all are decided"


def test_a_teams_next_match_is_the_earliest_that_is_open(event: Tournament) -> None:
    anchor = team(event, "Anchor")
    order = [match_between(event, "Anchor", name) for name in ("Delta", "Castle", "Bridge")]
    for row, day in zip(order, (3, 2, 1), strict=True):
        plan_match(row.pk, MONDAY + day * DAY, by=None)
    found = next_match(team_facts(event), anchor)
    assert found is not None
    assert found.row == order[2]
    set_absent(order[2].pk, "both", by=None, reason="other")
    plan_match(order[1].pk, None, by=None)
    found = next_match(team_facts(event), anchor)
    assert found is not None
    assert found.row == order[0], "one without a day comes last"


def test_a_round_can_be_missed_while_a_public_match_of_it_waits_for_its_boards(event: Tournament) -> None:
    assert open_rounds_of_teams(event.pk) == {1, 2, 3}
    first = list(TeamMatch.objects.filter(round__stage__tournament=event, round__number=1))
    set_absent(first[0].pk, "home", by=None, reason="other")
    assert open_rounds_of_teams(event.pk) == {1, 2, 3}
    play(first[1], [])
    assert open_rounds_of_teams(event.pk) == {2, 3}
    for match in TeamMatch.objects.filter(round__stage__tournament=event, round__number=2):
        rule_on_match(match.pk, Ruling(4, 0, "An error"), by=None)
    assert open_rounds_of_teams(event.pk) == {3}
    Round.objects.filter(stage__tournament=event, number=3).update(state=Round.State.DRAFT)
    add_round(event.pk, [(team(event, "Anchor"), None)], by=None)
    assert open_rounds_of_teams(event.pk) == set(), "nobody plays in a round of a bye"


def test_matches_of_a_day_are_public_and_have_two_teams(event: Tournament) -> None:
    row, bye = match_between(event, "Anchor", "Delta"), add_round(event.pk, [(team(event, "Anchor"), None)], by=None)
    bye.matches.update(played_on=today())
    assert matches_on(today()) == []
    plan_match(row.pk, today(), by=None)
    assert [(facts.tournament, match.row) for facts, match in matches_on(today())] == [(event, row)]
    Round.objects.filter(pk=row.round_id).update(state=Round.State.DRAFT)
    assert matches_on(today()) == []


def test_matches_of_a_team_that_left_are_cancelled_from_its_last_round_on(event: Tournament) -> None:
    first = TeamMatch.objects.filter(round__stage__tournament=event, round__number=1)
    for match in first:
        play(match, [WIN, DRAW])
    take_team_out(team(event, "Anchor").pk, by=None)
    entries = calendar_of(team_facts(event), UTC, str)
    matches = [match_between(event, "Anchor", name) for name in ("Bridge", "Castle", "Delta")]
    anchors, played = ({f"team-match.{row.pk}@club-rating" for row in rows} for rows in (matches, first))
    assert {entry.uid for entry in entries if entry.cancelled} == anchors - played
    Tournament.objects.filter(pk=event.pk).update(place="Town hall")
    TeamMatch.objects.filter(pk=matches[0].pk).update(venue="Club room")
    own = calendar_of(team_facts(Tournament.objects.get(pk=event.pk)), UTC, str, team=team(event, "Anchor"))
    assert {entry.uid for entry in own} == anchors
    assert sorted(entry.place for entry in own) == ["Club room", "Town hall", "Town hall"]


def test_penalties_and_rulings_stand_with_the_teams_they_are_about(event: Tournament, client: Client) -> None:
    penalise(team(event, "Castle").pk, by=None, reason="No show", match_points=-2)
    lifted = penalise(team(event, "Delta").pk, by=None, reason="Too late", match_points=-2)
    match = match_between(event, "Bridge", "Delta")
    penalise(team(event, "Delta").pk, by=None, reason="Empty board", game_points=-1, match=match)
    lift_penalty(lifted.pk, by=(officer := make_arbiter()))
    line = factory.told("team.penalty-lifted", lifted.team, officer)
    assert (line.before, line.after) == ({"lifted": False, "penalty": lifted.pk}, {"lifted": True})
    rule_on_match(match.pk, Ruling(4, 0, "An error"), by=None)
    facts = team_facts(event)
    table = league_table(facts)
    assert [row.reason for _number, row in table.penalties] == ["No show", "Empty board"]
    notes = {row.team.name: row.notes for row in table.rows}
    assert notes == {"Anchor": (), "Bridge": (3,), "Castle": (1,), "Delta": (2, 3)}
    pages = {one: text_of(client, f"{event.get_absolute_url()}{one}/") for one in ("teams/3", "teams/4")}
    assert ["No show" in page for page in pages.values()] == [True, False]
    address = f"{event.get_absolute_url()}matches/{match.round.number}/"
    for number in (1, 2):
        page = text_of(client, f"{address}{number}/")
        assert ("Empty board" in page) == (number == match.number)
        assert "No show" not in page


def test_the_zones_of_a_table_end_at_their_lines(event: Tournament) -> None:
    TeamRules.objects.filter(tournament=event).update(promoted=1, relegated=2)
    rows = league_table(team_facts(event)).rows
    assert [row.zone for row in rows] == ["up", "", "down", "down"]
    assert [row.is_edge for row in rows] == [True, True, False, False]


def test_a_record_counts_what_was_played_with_either_colour(event: Tournament) -> None:
    """Anchor's first player wins on board 1 at home and away; the second draws and loses."""
    matches = [match_between(event, "Anchor", name) for name in ("Delta", "Castle", "Bridge")]
    for match, own in zip(matches, (DRAW, LOSS), strict=False):
        theirs = {DRAW: DRAW, LOSS: WIN}[own]
        play(match, [WIN, own] if match.home.name == "Anchor" else [LOSS, theirs])
    first, second, third = squad_of(team(event, "Anchor"))
    facts = team_facts(event)
    assert fewest_games(facts) == 1
    found = {record.entry.player: record for record in records_of(facts, ()) if record.team.name == "Anchor"}
    assert set(found) == {first, second}
    counts = [(found[one].points, found[one].games, found[one].board) for one in (first, second)]
    assert counts == [(2, 2, 1), (0.5, 2, 2)]
    assert [found[one].percent for one in (first, second)] == [100, 25]
    for player, counts in ((first, (2, 0, 0)), (second, (0, 1, 1))):
        [record] = team_records_of(player)
        assert ((record.won, record.drawn, record.lost), record.tournament) == (counts, event)
    assert team_records_of(third) == []
    game = Game.objects.select_related("pairing").get(pairing__match=matches[0], pairing__match_board=1)
    game.pk, game.number, game.sequence = None, 2, 999
    game.white_id, game.black_id = game.black_id, game.white_id
    game.save()
    assert team_records_of(first)[0].won == 2, "an armageddon game is none of the match"
    Seat.objects.filter(entry__player=second, round=matches[0].round_id).update(superseded=True)
    [record] = team_records_of(second)
    assert (record.drawn, record.lost) == (0, 1), "a seat that was corrected"
    open_match(make_match_of([[second], [third]]).pk, by=None)
    for day in (None, MONDAY + DAY):
        Tournament.objects.exclude(pk=event.pk).update(starts_on=day)
        events = [record.tournament for record in team_records_of(second)]
        assert events.index(event) == (0 if day is None else 1), "the latest first"


def record_on(board: int, number: int, *scores: float, against: int | None = None) -> records.PlayerRecord:
    sat = (records.Sat(None, board, against, Fraction(score), won_by_default=False) for score in scores)  # type: ignore[arg-type]
    return records.PlayerRecord(Entry(number=number), Team(), tuple(sat))


def test_the_best_of_a_board_go_by_per_cent_then_games_performance_and_number() -> None:
    second = [record_on(2, 8, 1, 1, 0), record_on(0, 9)]
    first = [
        record_on(1, 7, 0.5), record_on(1, 6, 1, 0), record_on(1, 5, 1, 0), record_on(1, 4, 1, 0.5),
        record_on(1, 1, 1, against=2400), record_on(1, 2, 1, 1, against=1700), record_on(1, 3, 1, 1, against=1800),
    ]  # fmt: skip
    best = {row.board: [one.entry.number for one in row.records] for row in records.best_by_board(second + first, 1)}
    assert list(best.items()) == [(1, [3, 2, 1, 4, 5]), (2, [8])]
    assert second[0].percent == 67
    for rounds, needed in ((0, 1), (2, 1), (3, 2)):
        played = [SimpleNamespace(round=SimpleNamespace(number=at), decided=True) for at in range(rounds)]
        assert fewest_games(SimpleNamespace(matches=played)) == needed  # type: ignore[arg-type]


def test_a_performance_is_told_where_the_ratings_of_all_opponents_may_be_shown(event: Tournament) -> None:
    match = match_between(event, "Anchor", "Delta")
    play(match, [WIN, DRAW])
    own = Entry.objects.filter(tournament=event)
    for told, lists, is_told in (("secret", ("standard",), False), ("secret", ("secret",), True), ("", (), True)):
        own.update(rating=1600, rating_list=told)
        found = {record.performance is not None for record in records_of(team_facts(event), lists)}
        assert found == {is_told}
    own.filter(player=squad_of(match.home)[0]).update(rating=None)
    against = squad_of(match.away)[0]
    for record in records_of(team_facts(event), ()):
        assert (record.performance is None) == (record.entry.player == against)


def test_what_keeps_an_event_open_are_its_own_matches(event: Tournament) -> None:
    rule_on_match(match_between(event, "Anchor", "Delta").pk, Ruling(4, 0, "An error"), by=None)
    add_round(event.pk, [(team(event, "Anchor"), None)], by=None)
    (waits,), _short = look_at_closing(event)
    assert waits.startswith("5 matches not played: ")
    open_match(match_between(event, "Bridge", "Castle").pk, by=None)
    assert [words[:22] for words in look_at_closing(event)[0] if "not played" in words] == ["4 matches not played: "]


def test_an_arbiter_reads_whether_a_team_that_leaves_counts_for_nothing(event: Tournament) -> None:
    desk = Client()
    desk.force_login(make_arbiter())
    page, words = url("team", team(event, "Anchor").pk), "less than half of its matches"
    for name, is_said in (("Delta", True), ("Castle", False)):
        play(match_between(event, "Anchor", name), [WIN, WIN])
        assert (words in desk.get(page).text) == is_said


def test_lists_and_files_have_the_people_of_the_event_who_play(event: Tournament) -> None:
    facts, rows = team_facts(event), list(TeamPlayer.objects.filter(team__tournament=event).order_by("team", "place"))
    assert [line[2:4] for line in teams_sheet(facts, NOBODY).rows] == [
        (row.place, row.entry.player.number) for row in rows
    ]
    gone, withdrew = rows[:2]
    TeamPlayer.objects.filter(pk=gone.pk).update(until=MONDAY - DAY)
    Entry.objects.filter(pk=withdrew.entry_id).update(withdrawn=True)
    TeamPlayer.objects.filter(pk=rows[2].pk).update(since=MONDAY + DAY)
    TeamPlayer.objects.filter(pk=rows[3].pk).update(reserve=True)
    squads = squads_of(facts, MONDAY)
    expected = [rows[2], *rows[4:6], rows[3], *rows[6:]]
    assert [row for team in facts.teams for row in squads[team.pk]] == expected, "reserves are behind"
    assert set(squads) == {team.pk for team in facts.teams}
