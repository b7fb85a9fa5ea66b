"""Forecasts of team events on the site: the league, what a team needs, one match; only teams are named."""

import json
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Q
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from players.jobs.services import write_question
from players.models import Job
from players.refusals import Refused
from tests import factory
from tests.tournaments.forecasts.forecast_cases import answer
from tests.tournaments.teams.team_cases import (
    NAMES,
    facts_of,
    make_team_event,
    match_between,
    play,
    rate,
    squad_of,
    team,
)
from tournaments.forecast.posterior import Prior
from tournaments.forecast.team_match import MatchBoard, MatchRule, forecast_match
from tournaments.forecasts.selectors import team_forecasts as selectors
from tournaments.forecasts.selectors.team_forecasts import league_from, league_question, to_come, usual_line_ups
from tournaments.forecasts.selectors.team_matches import match_said
from tournaments.forecasts.services import forecasts, team_forecasts
from tournaments.forecasts.services.team_forecasts import work_out_league
from tournaments.forecasts.views.teams import team_goal_words
from tournaments.models import Stage, Team, TeamMatch, Tournament
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.line_ups import open_match
from tournaments.teams.services.matches import Ruling, plan_match, rule_on_match, set_absent

WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
PAGE, API = "/tournaments/team-league/forecast/", "/api/v1/tournaments/team-league/forecast/"
STRONG, WEAK = 2000, 1600


@pytest.fixture(scope="module")
def event(world: None) -> Tournament:
    """Four teams; Anchor is the strongest by far, the others alike. One goes up, one down."""
    factory.make_club()
    factory.make_list()
    event = make_team_event(boards=2, promoted=1, relegated=1)
    for name in NAMES[:4]:
        rate(squad_of(team(event, name)), [STRONG if name == "Anchor" else WEAK] * 3)
    return event


def worked_out(event: Tournament, **amounts: Any) -> dict[str, Any]:
    facts = team_facts(event)
    amounts = {"draws": 200, "samples": 400, **amounts}
    return work_out_league(facts, usual_line_ups(facts), quiet, **amounts)


def quiet(_done: int, _of: int) -> None:
    """Nobody waits."""


def said_on_page(event: Tournament, number: int, top: int) -> str:
    """The page for that team and goal, with the league worked out as it stands."""
    facts = team_facts(event)
    question = league_question(facts, usual_line_ups(facts))
    if not Job.objects.filter(question=question.key).exists():
        answer(question, worked_out(event))
    return Client().get(f"/tournaments/{event.slug}/forecast/?team={number}&top={top}").text


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_forecasts, "DRAWS", 200)
    monkeypatch.setattr(forecasts, "answer_league", lambda stage, job, tell: worked_out(stage.tournament))


# --- the league ---------------------------------------------------------------------------------------------------
def test_chances_add_up_and_the_strongest_team_is_ahead(event: Tournament) -> None:
    said = worked_out(event)
    lines = {line["team"]: line for line in said["lines"]}
    assert max(lines, key=lambda number: lines[number]["title"][0]) == team(event, "Anchor").number
    for place in range(4):
        assert sum(line["places"][place][0] for line in lines.values()) == pytest.approx(1.0, abs=1e-5)
    assert sum(line["up"][0] for line in lines.values()) == pytest.approx(1.0, abs=1e-5)
    assert all(line["down"] == line["places"][3] for line in lines.values())
    assert sum(line["match_points"][0] for line in lines.values()) == pytest.approx(6 * 4, abs=1e-4)
    assert all(0.0 < line["title"][1] < 0.03 for line in lines.values())


@pytest.mark.extended
def test_the_same_facts_give_the_same_figures_and_a_result_gives_others(event: Tournament) -> None:
    first = worked_out(event)
    assert worked_out(event) == first
    play(match_between(event, "Anchor", "Delta"), [LOSS, LOSS])
    after = worked_out(event)
    assert after["seed"] != first["seed"]
    title = {line["team"]: line["title"][0] for line in after["lines"]}
    assert title[1] < next(line["title"][0] for line in first["lines"] if line["team"] == 1)


def test_a_league_of_which_one_match_is_left_is_that_match(event: Tournament) -> None:
    """Played out against the exact forecast of the same match by the same strengths, all sure."""
    last = TeamMatch.objects.exclude(home__name="Anchor").exclude(away__name="Anchor").get(round__number=3)
    for match in TeamMatch.objects.exclude(pk=last.pk).select_related("home", "away", "round"):
        set_absent(match.pk, "away", by=None, reason="tested")
    facts = team_facts(event)
    assert [match.row.pk for match in to_come(facts)] == [last.pk]
    said = worked_out(event, draws=2000, samples=4000)
    (only,) = said["matches"]
    exact = match_of_alike(said["draw_rate"])
    for name in ("win", "draw", "loss"):
        value, error = only[name]
        assert value == pytest.approx(getattr(exact, name), abs=max(4 * error, 0.05))


def match_of_alike(rate: float) -> Any:
    boards = [MatchBoard(1, 2), MatchBoard(3, 4)]
    facts = team_facts(Tournament.objects.get())
    return forecast_match(
        boards, {number: Prior(1600.0, 100.0) for number in range(1, 5)}, MatchRule(facts.event.scoring, rate)
    )


def test_to_come_is_who_has_white_first_and_no_match_of_a_team_that_counts_for_nothing(event: Tournament) -> None:
    delta, match = team(event, "Delta"), match_between(event, "Bridge", "Castle")
    home, away = (side.number for side in (match.home, match.away) if side)
    for first_white, pair in (("home", (home, away)), ("away", (away, home))):
        TeamMatch.objects.filter(pk=match.pk).update(first_white=first_white)
        facts = team_facts(event)
        assert selectors.Fixture(*pair) in selectors.league_of(facts, usual_line_ups(facts), 1.0).fixtures
    assert (len(to_come(facts)), selectors.goals_of(facts)) == (6, [1, 2, 3])
    Team.objects.filter(pk=delta.pk).update(left_before=1)
    facts = team_facts(event)
    assert (len(to_come(facts)), selectors.goals_of(facts)) == (3, [1, 2])
    assert team_goal_words(facts, 2).startswith("staying up")


def test_a_postponed_match_is_still_to_come_and_never_level(event: Tournament) -> None:
    match = match_between(event, "Anchor", "Delta")
    plan_match(match.pk, None, by=None)
    assert match.pk in [each.row.pk for each in to_come(team_facts(event))]


def test_decided_boards_of_a_match_under_way_stand(event: Tournament) -> None:
    match = match_between(event, "Anchor", "Delta")
    open_match(match.pk, by=None)
    game = match.boards.get(match_board=1).games.get()
    record_result(
        game=game.pk, result=LOSS if match.home.name == "Anchor" else WIN, played_on=match.round.planned_on, by=None
    )
    facts = team_facts(event)
    assert to_come(facts)[0].row.pk == match.pk
    (said, *_rest) = league_from(facts, worked_out(event), timezone.now()).matches
    anchor_wins = said.win if match.home.name == "Anchor" else said.loss
    assert anchor_wins.value == 0.0, "one board of two is lost"


def test_a_league_is_answered_as_it_stands_and_refused_once_it_cannot_be(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, facts = factory.stage_of(event), team_facts(event)
    monkeypatch.setattr(team_forecasts, "work_out_league", partial(work_out_league, draws=200, samples=400))
    job, _chunk = write_question(league_question(facts, usual_line_ups(facts)), by=None)
    assert team_forecasts.answer_league(stage, job, quiet) == worked_out(event)
    Tournament.objects.filter(pk=event.pk).update(point_system="armageddon")
    stage = Stage.objects.select_related("tournament").get(pk=stage.pk)
    with pytest.raises(Refused, match="armageddon game follows a draw"):
        team_forecasts.answer_league(stage, job, quiet)


# --- the page -----------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("_quick")
def test_it_is_asked_for_with_a_button_and_shown_to_everybody(
    event: Tournament, client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    assert "Nobody has asked for a forecast" in client.get(PAGE).text
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(PAGE).status_code == 302
    page = client.get(f"{PAGE}?team=1&top=1").text
    assert "were played out 400 times" in page
    assert "What do we need?" in page
    assert "is enough" in page
    for player in squad_of(team(event, "Anchor")):
        assert player.name not in page.split("<main")[1]
    found = client.get(API).json()["now"]
    assert {row["name"] for row in found["teams"]} == set(NAMES[:4])
    assert set(found["teams"][0]["first"]) == {"value", "error"}
    play(match_between(event, "Anchor", "Delta"), [LOSS, LOSS])
    assert "Nobody has asked for a forecast" in client.get(PAGE).text, "a result makes it another question"


@pytest.mark.parametrize("address", ["?team=9", "?team=x", "?team=1&top=7", "?team=1&top=x", "?top=99999999"])
def test_a_team_or_a_goal_that_is_none_is_not_found(event: Tournament, client: Client, address: str) -> None:
    assert client.get(PAGE + address).status_code == 404


@pytest.mark.extended
@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"fixtures": False}, "The matches are not made yet"),
        ({"fixtures": False, "format": "team-swiss"}, "Only an all-play-all of teams is forecast"),
        ({"fixtures": False, "format": "team-knockout"}, "Only an all-play-all of teams is forecast"),
    ],
)
def test_what_is_not_forecast_says_so(event: Tournament, client: Client, rules: dict[str, Any], says: str) -> None:
    page = f"/tournaments/{make_team_event(2, **rules).slug}/forecast/"
    assert says in client.get(page).text
    assert client.get(f"/api/v1{page}").status_code == 404
    assert client.post(page).status_code == 200
    assert not Job.objects.exists()


def test_a_league_that_is_over_has_nothing_left(event: Tournament, client: Client) -> None:
    for match in TeamMatch.objects.all():
        set_absent(match.pk, "home", by=None, reason="tested")
    assert "Every match is decided" in client.get(PAGE).text
    assert client.get(API).json()["now"] is None
    with pytest.raises(CommandError, match="there is nothing left to forecast"):
        forecast("team-league")


@pytest.mark.extended
def test_queries_of_the_page_do_not_grow_with_teams(event: Tournament, client: Client) -> None:
    counts = []
    for teams in (2, 6):
        slug = make_team_event(teams).slug
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/tournaments/{slug}/forecast/").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_what_a_team_needs_is_exact_on_match_points(event: Tournament) -> None:
    """Before the last round Anchor has four match points and its opponent two: level only if Anchor loses."""
    for match in TeamMatch.objects.filter(round__number__lt=3).select_related("home", "away"):
        anchor_home, anchor_away = (side.name == "Anchor" for side in (match.home, match.away))
        ruling = Ruling(4 if anchor_home else 0, 4 if anchor_away else 0, "tested")
        if not anchor_home and not anchor_away:
            ruling = Ruling(2, 2, "tested")
        rule_on_match(match.pk, ruling, by=None)
    facts = team_facts(event)
    said = league_from(facts, worked_out(event), timezone.now())
    anchor = team(event, "Anchor").number
    needs = said.needs[(anchor, 1)].needs
    assert {line.own: line.verdict.value for line in needs.lines} == {(0,): "open", (1,): "sure", (2,): "sure"}
    (other,) = needs.opponents
    assert {line.own: line.verdict.value for line in said.needs[(other, 1)].needs.lines}[(1,)] == "lost"
    teams = {row.pk: row.number for row in facts.teams}
    coming = [(teams[match.row.home_id or 0], teams[match.row.away_id or 0]) for match in to_come(facts)]
    (last, _opponent) = next(match for match in coming if anchor not in match)
    for number, top, words in (
        (anchor, 1, "Some results are enough whatever the others do"),
        (anchor, 3, "Reached, whatever happens."),
        (last, 1, "Out of the race: not to be reached any more."),
        (other, 1, "Teams may end level: then game points decide."),
    ):
        assert words in said_on_page(event, number, top), words


def test_a_teams_own_matches_to_come_decide_whether_its_needs_are_found_at_once(
    event: Tournament, client: Client
) -> None:
    """Of six teams one has played all its matches, and each of the others has eight to come."""
    event = make_team_event(6, boards=1, settings={"cycles": 2})
    done = team(event, NAMES[0])
    for match in TeamMatch.objects.filter(Q(home=done) | Q(away=done)):
        rule_on_match(match.pk, Ruling(2, 0, "tested"), by=None)
    assert {need["team"] for need in worked_out(event)["needs"]} == {done.number}
    other = team(event, NAMES[1]).number
    assert "All own matches are played: it is for the others now." in said_on_page(event, done.number, 3)
    page = said_on_page(event, other, 2)
    assert "Too many matches are to come to list every combination of results." in page
    assert "going up" not in page
    assert client.get(f"/api/v1/tournaments/{event.slug}/forecast/").json()["now"]["teams"][0]["up"] is None
    event.team_rules.promoted = 2
    event.team_rules.save()
    assert "going up: among the first 2" in said_on_page(event, other, 2)


# --- one match ----------------------------------------------------------------------------------------------------
def said_of(match: TeamMatch) -> Any:
    facts, found = facts_of(match)
    return match_said(facts, found)


def test_before_the_boards_only_a_list_that_decides_the_order_speaks(event: Tournament, client: Client) -> None:
    match = match_between(event, "Anchor", "Delta")
    assert said_of(match) is None
    event.team_rules.order = "fixed"
    event.team_rules.save()
    found = said_of(match)
    assert found.by_list
    strong = found.forecast.win if match.home.name == "Anchor" else found.forecast.loss
    assert strong > 0.8
    page = client.get(f"/tournaments/team-league/matches/{match.round.number}/{match.number}/").text
    assert "The boards are not made yet: this takes the first players of both lists" in page


def test_it_follows_the_boards_and_ends_with_the_match(event: Tournament, client: Client) -> None:
    match = match_between(event, "Anchor", "Delta")
    address = f"/tournaments/team-league/matches/{match.round.number}/{match.number}/"
    assert "How it may end" not in client.get(address).text
    open_match(match.pk, by=None)
    assert "By the ratings of those who sit there." in client.get(address).text
    before = said_of(match).forecast
    game = match.boards.get(match_board=1).games.get()
    home_is_white = game.white_id == match.boards.get(match_board=1).seats.get(line=1).entry.player_id
    record_result(game=game.pk, result=WIN if home_is_white else LOSS, played_on=match.round.planned_on, by=None)
    after = said_of(match).forecast
    assert after.loss == 0.0
    assert after.win + after.draw == pytest.approx(1.0)
    assert after.match_points[0] > before.match_points[0]
    assert "Boards that have a result keep it" in client.get(address).text
    for board in match.boards.filter(match_board=2):
        record_result(game=board.games.get().pk, result=DRAW, played_on=match.round.planned_on, by=None)
    assert said_of(match) is None
    assert "How it may end" not in client.get(address).text


# --- the command --------------------------------------------------------------------------------------------------
def forecast(*arguments: str) -> str:
    out = StringIO()
    call_command("forecast", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_command_prints_the_same(event: Tournament) -> None:
    table = forecast("team-league", "--samples", "100", "--seed", "3")
    assert table.startswith("Team League: sampled, 100 samples")
    found = json.loads(forecast("team-league", "--samples", "100", "--seed", "3", "--json"))
    assert [row["name"] for row in found["teams"]] == [line.split("  ")[0] for line in table.splitlines()[3:7]]
    assert not Job.objects.exists(), "nothing is stored"


def test_the_command_refuses_what_is_not_forecast(event: Tournament) -> None:
    with pytest.raises(CommandError, match="is not forecast") as caught:
        forecast(make_team_event(2, fixtures=False).slug)
    assert caught.value.returncode == 2


def test_an_answer_names_no_player(event: Tournament) -> None:
    said = json.dumps(worked_out(event))
    assert not any(player.name in said for name in NAMES[:4] for player in squad_of(team(event, name)))
    assert league_question(team_facts(event), usual_line_ups(team_facts(event))).payload == {}
