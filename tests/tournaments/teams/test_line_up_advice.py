"""A captain compares line-ups: what he may see and choose, what he is told, and that nothing of it is kept."""

import re

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Player, Visibility
from ratings.models import RatingList
from ratings.systems.draws import draw_rate
from tests.tournaments.teams.team_cases import make_team_event, match_between, play, rate, squad_of, team
from tests.tournaments.teams.test_captains import captain_of
from tournaments.forecast.posterior import Prior
from tournaments.forecast.team_match import MatchBoard, MatchRule, forecast_match
from tournaments.models import Team, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.standings.points import Result
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.selectors.usual import usual_line_up
from tournaments.teams.services.line_ups import hand_in, open_match
from tournaments.teams.services.teams import add_players

WIN, LOSS = Result.WHITE_WINS, Result.BLACK_WINS


@pytest.fixture(scope="module")
def event(standard: RatingList) -> Tournament:
    return make_team_event(boards=2, size=4)


def advice_of(match: TeamMatch, side: Team) -> str:
    return f"/captain/matches/{match.pk}/{side.pk}/advice/"


def rows(side: Team) -> list[int]:
    return list(TeamPlayer.objects.filter(team=side).order_by("place").values_list("pk", flat=True))


def ask(client: Client, match: TeamMatch, own: list[int], expected: list[int], side: Team) -> tuple[int, str]:
    sent = {f"expected-{board}": key for board, key in enumerate(expected, start=1)}
    answer = client.post(advice_of(match, side), {"here": own, **sent})
    return answer.status_code, answer.text


def test_the_usual_order_stands_first_and_what_cannot_be_told_is_not_claimed(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.forecasts.selectors.line_up_advice.MOST", 3)
    TeamRules.objects.update(minimum_boards=2)
    match, anchor = match_between(event, "Anchor", "Delta"), team(event, "Anchor")
    status, page = ask(captain_of(event, "Anchor"), match, rows(anchor)[:3], rows(team(event, "Delta"))[:2], anchor)
    assert status == 200
    assert "The rules allow 6 line-ups of these players." in page
    assert "usual order" in page
    assert "No order is better than the usual one by more than can be told." in page, "nobody has a rating yet"
    assert page.count("no difference that can be told") == page.count('<span class="sub always">±') == 4


def test_a_difference_that_can_be_told_is_told_with_its_error(event: Tournament) -> None:
    """Board 1 is lost whoever sits there, so the weakest belongs on it."""
    anchor, delta = team(event, "Anchor"), team(event, "Delta")
    rate(squad_of(anchor), (2000, 2000, 800))
    rate(squad_of(delta), (3400, 2000))
    match, here = match_between(event, "Anchor", "Delta"), [rows(anchor)[0], rows(anchor)[2]]
    _status, page = ask(captain_of(event, "Anchor"), match, here, rows(delta)[:2], anchor)
    assert "No order is better" not in page
    gain = re.search(r">\+(\d\.\d\d)<span class=\"sub always\">± (\d\.\d\d)<", page)
    assert gain is not None
    assert float(gain[1]) >= 2 * float(gain[2]) > 0


def test_expected_match_points_are_those_of_the_forecast_of_that_order(standard: RatingList) -> None:
    event = make_team_event(2, boards=2, size=2)
    anchor, other = team(event, "Anchor"), team(event, "Bridge")
    rate(squad_of(anchor), (1900, 1700))
    rate(squad_of(other), (1850, 1650))
    match = match_between(event, "Anchor", "Bridge")
    _status, page = ask(captain_of(event, "Anchor"), match, rows(anchor), rows(other), anchor)
    # Two hundred games leave the least deviation an established player has.
    priors = {number: Prior(rating, 100.0) for number, rating in enumerate((1900.0, 1700.0, 1850.0, 1650.0), start=1)}
    rule = MatchRule(team_facts(event).event.scoring, draw_rate(0, 0, 0.2))
    alone = forecast_match([MatchBoard(1, 3), MatchBoard(2, 4)], priors, rule)
    assert f"<b>{alone.match_points[0] / 2:.2f}</b>" in page


@pytest.mark.parametrize("who", ["nobody", "Delta", "Bridge"])
def test_only_whoever_acts_for_the_team_opens_it(event: Tournament, who: str) -> None:
    match, anchor = match_between(event, "Anchor", "Delta"), team(event, "Anchor")
    client = Client() if who == "nobody" else captain_of(event, who)
    assert client.get(advice_of(match, anchor)).status_code == 404
    assert client.post(advice_of(match, anchor), {"here": rows(anchor)}).status_code == 404
    own = captain_of(event, "Anchor")
    assert own.get(advice_of(match, anchor)).status_code == 200
    assert own.get(advice_of(match, team(event, "Delta"))).status_code == 404


def test_a_hidden_opponent_stays_hidden(event: Tournament) -> None:
    match, hidden = match_between(event, "Anchor", "Delta"), squad_of(team(event, "Delta"))[0]
    address, client = advice_of(match, team(event, "Anchor")), captain_of(event, "Anchor")
    assert hidden.name in client.get(address).text
    Player.objects.filter(pk=hidden.pk).update(visibility=Visibility.HIDDEN)
    assert hidden.name not in client.get(address).text


@pytest.mark.parametrize("visibility", Visibility)
def test_a_captain_sees_of_his_own_players_what_members_see(event: Tournament, visibility: Visibility) -> None:
    match, anchor = match_between(event, "Anchor", "Delta"), team(event, "Anchor")
    own, client = squad_of(anchor)[1], captain_of(event, "Anchor")
    Player.objects.filter(pk=own.pk).update(visibility=visibility)
    answer = ask(client, match, rows(anchor)[:3], rows(team(event, "Delta"))[:2], anchor)[1]
    for page in (client.get(advice_of(match, anchor)).text, answer):
        assert (own.name in page) is (visibility != Visibility.HIDDEN)
        assert (f"Player {own.number}" in page) is (visibility == Visibility.HIDDEN)


def test_the_expected_opponents_are_those_who_sat(event: Tournament) -> None:
    delta, first = team(event, "Delta"), match_between(event, "Bridge", "Delta")
    from_list = rows(delta)
    TeamPlayer.objects.filter(pk=from_list[0]).update(until="2000-01-01")
    play(first, [WIN, LOSS])
    TeamPlayer.objects.filter(pk=from_list[0]).update(until=None)
    match = match_between(event, "Anchor", "Delta")
    page = captain_of(event, "Anchor").get(advice_of(match, team(event, "Anchor"))).text
    chosen = [int(key) for key in re.findall(r'value="(\d+)" selected', page)]
    assert chosen == from_list[1:3]


def test_a_fixed_order_is_expected_as_the_list_has_it(event: Tournament) -> None:
    delta, first = team(event, "Delta"), match_between(event, "Bridge", "Delta")
    for match, places in ((first, (2, 1)), (match_between(event, "Castle", "Delta"), (2, 0))):
        hand_in(match.pk, delta.pk, [rows(delta)[place] for place in places], by=None)
        play(match, [WIN, LOSS])
    facts = team_facts(event)
    squad = list(TeamPlayer.objects.filter(team=delta).order_by("place"))
    for order, places in (("free", [3, 1]), ("fixed", [1, 3])):
        facts.rules.order = order
        assert [row.place for row in usual_line_up(facts, delta, squad)] == places


def test_who_sits_elsewhere_in_the_round_is_out_with_the_reason(event: Tournament) -> None:
    TeamRules.objects.update(several_teams=True)
    match, anchor = match_between(event, "Anchor", "Delta"), team(event, "Anchor")
    both = squad_of(anchor)[0]
    other = TeamMatch.objects.filter(round=match.round).exclude(pk=match.pk)[0]
    (row,) = add_players(other.home_id or 0, [both], by=None)
    client, out = captain_of(event, "Anchor"), "plays for another team in this round"
    assert out not in client.get(advice_of(match, anchor)).text
    hand_in(other.pk, other.home_id or 0, [row.pk], by=None)
    open_match(other.pk, by=None)
    page = client.get(advice_of(match, anchor)).text
    assert out in page
    assert f'name="here" value="{rows(anchor)[0]}"' not in page
    assert f'name="here" value="{rows(anchor)[1]}"' in page


@pytest.mark.parametrize(
    ("own", "expected", "says"),
    [
        (slice(0, 0), slice(0, 2), "Choose who is available"),
        (slice(0, 14), slice(0, 2), "at most 12"),
        (slice(0, 2), slice(20, 22), "Choose the opponents from"),
        (slice(0, 2), slice(0, 2, 2), "fewer players than a match needs"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_sentence(
    standard: RatingList, own: slice, expected: slice, says: str
) -> None:
    event = make_team_event(2, boards=2, size=14, minimum_boards=2)
    match, anchor = match_between(event, "Anchor", "Bridge"), team(event, "Anchor")
    others = [*rows(team(event, "Bridge")), *[0] * 10]
    captain = captain_of(event, "Anchor")
    assert captain.get(advice_of(match, anchor)).text.count(" checked") == 12
    status, page = ask(captain, match, rows(anchor)[own], others[expected], anchor)
    assert (status, says in page) == (409, True)


def test_nobody_is_expected_twice_and_armageddon_games_are_not_compared(event: Tournament) -> None:
    match, anchor, others = match_between(event, "Anchor", "Delta"), team(event, "Anchor"), rows(team(event, "Delta"))
    client = captain_of(event, "Anchor")
    assert "expected on two boards" in ask(client, match, rows(anchor)[:2], [others[0], others[0]], anchor)[1]
    Tournament.objects.filter(pk=event.pk).update(point_system="armageddon")
    status, page = ask(client, match, rows(anchor)[:2], others[:2], anchor)
    assert (status, "followed by an armageddon game" in page) == (409, True)


def test_nothing_is_kept_and_the_address_says_nothing(event: Tournament) -> None:
    match, anchor = match_between(event, "Anchor", "Delta"), team(event, "Anchor")
    client = captain_of(event, "Anchor")

    def counts() -> dict[str, int]:
        return {model._meta.label: model._default_manager.count() for model in apps.get_models()}

    before = counts()
    page = client.get(advice_of(match, anchor)).text
    assert 'method="get"' not in page.split("<main")[1]
    ask(client, match, rows(anchor), rows(team(event, "Delta"))[:2], anchor)
    assert counts() == before


def test_queries_do_not_grow_with_players_or_matches(standard: RatingList) -> None:
    counts = []
    for teams, size in ((2, 3), (6, 9)):
        event = make_team_event(teams, boards=2, size=size)
        match, anchor = match_between(event, "Anchor", "Bridge"), team(event, "Anchor")
        client = captain_of(event, "Anchor")
        with CaptureQueriesContext(connection) as queries:
            assert ask(client, match, rows(anchor), rows(team(event, "Bridge"))[:2], anchor)[0] == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 30
