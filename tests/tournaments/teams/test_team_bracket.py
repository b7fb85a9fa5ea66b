"""The bracket of a knockout of teams: who meets whom, who goes on and why, on the page, the overview and on paper."""

import pytest
from django.test import Client

from players.refusals import Refused
from ratings.models import RatingList
from tests.factory import told
from tests.tournaments.printing.printing_cases import offered, print_page
from tests.tournaments.teams.team_cases import make_team_event, play
from tournaments.models import TeamMatch, Tournament
from tournaments.standings.points import Result
from tournaments.teams.selectors.bracket import TeamBracket, drawn_bracket
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.matches import Ruling, decide_who_goes_on, rule_on_match, set_absent
from tournaments.teams.services.next_round import make_next_round, propose_next
from tournaments.teams.services.rounds import add_round

pytestmark = pytest.mark.usefixtures("standard")
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
BRACKET = "/tournaments/team-league/bracket/"


def cup(teams: int = 4, **settings: object) -> Tournament:
    event = make_team_event(teams, fixtures=False, format="team-knockout", settings=settings)
    next_round(event)
    return event


def next_round(event: Tournament) -> None:
    seen = propose_next(team_facts(event, drafts=True)).seen
    make_next_round(event.pk, by=None, seen=seen, publish=True)


def tie(number: int, round_number: int = 1) -> TeamMatch:
    return TeamMatch.objects.get(round__number=round_number, number=number)


def lines(bracket: TeamBracket) -> list[list[list[str]]]:
    """Names by round and tie; a star goes on."""
    return [
        [
            [f"{line.team or '–'}{'*' if line.advanced else ''}" for line in drawn.lines]
            for pair in row.pairs
            for drawn in pair.matches
        ]
        for row in bracket.rounds
    ]


def test_the_winners_stand_in_the_next_round_before_it_is_made() -> None:
    event = cup()
    assert told("matches.made", event).after == {"round": 1, "matches": 2}
    assert told("team-rules.made", event).after == {"boards": 2, "format": "team-knockout"}
    play(tie(1), [WIN, WIN])
    drawn = drawn_bracket(team_facts(event))
    assert lines(drawn) == [[["Anchor*", "Delta"], ["Bridge", "Castle"]], [["Anchor", "–"]]]
    assert [pair.feeds.round for pair in drawn.rounds[0].pairs if pair.feeds] == ["final"]
    play(tie(2), [WIN])
    drawn = drawn_bracket(team_facts(event))
    ties = [found for row in drawn.rounds for pair in row.pairs for found in pair.matches]
    assert [(found.is_current, found.is_last) for found in ties] == [(False, False), (True, False), (False, True)]


def test_byes_and_a_match_for_third_place_are_drawn() -> None:
    event = cup(3, third_place=True)
    assert lines(drawn_bracket(team_facts(event)))[0] == [["Anchor*"], ["Bridge", "Castle"]]
    event = make_team_event(4, fixtures=False, format="team-knockout", settings={"third_place": True})
    next_round(event)
    for match, result in zip(TeamMatch.objects.filter(round__stage__tournament=event), (LOSS, WIN), strict=True):
        play(match, [result, result])
    third = drawn_bracket(team_facts(event)).rounds[1].third
    assert third is not None
    assert [str(line.team) for line in third.lines] == ["Anchor", "Castle"]


def test_the_page_says_what_decided_a_level_match_and_leads_to_it(client: Client) -> None:
    event = cup()
    play(tie(1), [WIN, LOSS])
    page = client.get(BRACKET).text
    assert "The lower board count goes on: 1 against 2." in page
    assert 'href="/tournaments/team-league/matches/1/1/"' in page
    decide_who_goes_on(tie(1).pk, tie(1).away_id, by=None, reason="other")
    assert "decided by the arbiter" in client.get(BRACKET).text
    assert f'href="{BRACKET}"' in client.get(event.get_absolute_url()).text
    assert "bracket" in offered(print_page(client, event))
    assert "Semi-finals" in print_page(client, event, "bracket").text
    set_absent(tie(2).pk, "home", by=None, reason="did-not-come")
    assert "the home team did not come" in client.get(BRACKET).text


def test_the_arbiter_names_who_goes_on_where_game_points_were_awarded_level() -> None:
    event = cup()
    play(tie(1), [WIN, WIN])
    play(tie(2), [WIN, WIN])
    rule_on_match(tie(1).pk, Ruling(None, None, "Both line-ups were wrong", (2, 2)), by=None)
    with pytest.raises(Refused, match="not decided who goes on"):
        propose_next(team_facts(event))
    decide_who_goes_on(tie(1).pk, tie(1).away_id, by=None, reason="other")
    assert lines(drawn_bracket(team_facts(event)))[1] == [["Delta", "Bridge"]]


def test_no_bracket_before_the_first_round_nor_of_rounds_made_by_hand(client: Client) -> None:
    event = make_team_event(4, fixtures=False, format="team-knockout")
    assert "is not drawn yet" in client.get(BRACKET).text
    teams = list(event.teams.order_by("number"))
    add_round(event.pk, [(teams[0], teams[1])], by=None)
    assert "is not drawn yet" in client.get(BRACKET).text
    assert client.get(make_team_event(2).get_absolute_url() + "bracket/").status_code == 404


def test_the_page_takes_as_many_queries_for_many_teams(client: Client, django_assert_max_num_queries: object) -> None:
    cup(6)
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        client.get(BRACKET)


@pytest.fixture(autouse=True)
def main_list(standard: RatingList) -> RatingList:
    return standard
