"""What an arbiter does with the rounds and matches of a team event at the desk, from the first round to the table."""

import re

import pytest
from django.test import Client

from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, form_with, sent, shown, url
from tests.tournaments.teams.team_cases import facts_of, make_team_event, match_between, play, team
from tournaments.models import Game, LineUp, Round, TeamMatch, TeamPlayer, Tournament
from tournaments.results.services.results import record_result
from tournaments.rounds.services.rounds import delete_round, delete_rounds
from tournaments.standings.points import Result
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.line_ups import open_match

pytestmark = pytest.mark.usefixtures("event")
WIN, DRAW = Result.WHITE_WINS, Result.DRAW


def test_all_rounds_are_made_and_deleted(desk: Client, standard: RatingList) -> None:
    event = make_team_event(4, fixtures=False)
    for days in (7, 0):
        assert f'name="days_between" value="{days}"' in shown(desk, "matches", event.pk)
        Tournament.objects.filter(pk=event.pk).update(ends_on=event.starts_on)
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
    for teams, left_before in (([one, two, three], 1), ([one, two], None)):
        assert [key for key, _name in desk.get(url("team_round", event.pk)).context["teams"]] == teams
        event.teams.filter(pk=three).update(left_before=left_before)
    twice = sent(desk, "team_round", event.pk, **{"home-1": one, "away-1": two, "home-2": one})
    assert "stands in the round twice" in twice
    assert "no home team" in sent(desk, "team_round", event.pk, **{"away-1": two})
    for pair in ({"home-1": one, "away-1": "0"}, {"home-1": "987654", "away-1": two}):
        assert "no longer in the event" in sent(desk, "team_round", event.pk, **pair)
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
    assert "There is no such draft any more" in sent(desk, "matches", event.pk, **{**draft, "round": row.pk + 1})
    sent(desk, "matches", event.pk, **draft)
    assert [match.row.bye for match in team_facts(event).matches] == ["pab", ""]
    sent(desk, "team_round", event.pk, do="publish", **{"home-1": one, "away-1": two})
    assert len(team_facts(event).matches) == 3, "published at once"


def test_results_are_entered_from_the_page_of_a_match_once_its_boards_are_made_and_public(
    desk: Client, standard: RatingList
) -> None:
    def leads() -> bool:
        return f"/round/{match.round_id}/results/?to=" in shown(desk, "team_match", match.pk)

    match = TeamMatch.objects.filter(round__stage__tournament=make_team_event(2)).order_by("round__number")[0]
    assert not leads()
    open_match(match.pk, by=None)
    assert leads()
    Round.objects.filter(pk=match.round_id).update(state=Round.State.DRAFT)
    assert not leads()


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
    last = Game.objects.get(pairing__match=match, result="")
    record_result(game=last.pk, result=DRAW, played_on=factory.MONDAY, by=None)
    for do, words, agreed in (("agree", "is confirmed", [False, True]), ("disagree", "is open again", [False, False])):
        assert words in sent(desk, "team_match", match.pk, do=do, side="away")
        sides = desk.get(url("team_match", match.pk)).context["sides"]
        assert [side["agreed"] is not None for side in sides] == list(facts_of(match)[1].agreed_sides) == agreed


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


def test_the_standings_at_the_desk_are_the_table_of_teams(desk: Client, event: Tournament, match: TeamMatch) -> None:
    html = shown(desk, "standings", event.pk)
    assert match.home is not None
    assert match.home.name in html
    assert html.count("<tr") == 1 + event.teams.count()
