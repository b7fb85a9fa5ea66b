"""The desk's page of a match: its boards, what was handed in, what was decided, and the form that was refused."""

import re
from datetime import time

import pytest
from django.test import Client

from tests.factory import MONDAY, today
from tests.tournaments.admin_pages import shown, url
from tests.tournaments.event_pages.page_cases import text_of
from tests.tournaments.teams.team_cases import make_team_event, match_between, play, team
from tournaments.captains.services import enter_card
from tournaments.models import LineUp, Round, TeamMatch, TeamPlayer, Tournament
from tournaments.standings.points import Result
from tournaments.teams.services.line_ups import hand_in
from tournaments.teams.services.matches import Ruling, agree, plan_match, rule_on_match

WIN = Result.WHITE_WINS
SUMMARIES = {
    "change": "Somebody else sits on a board",
    "absent": "A team did not come",
    "rule": "Other points than the boards give",
    "penalise": "A penalty",
}


def page(desk: Client, match: TeamMatch) -> str:
    return text_of(desk, url("team_match", match.pk))


def places(name: str) -> list[int]:
    return list(TeamPlayer.objects.filter(team__name=name).order_by("place").values_list("pk", flat=True))


def test_boards_show_who_has_white_the_score_of_the_home_team_and_who_won_by_default(
    desk: Client, event: Tournament, match: TeamMatch
) -> None:
    hand_in(match.pk, team(event, "Anchor").pk, [*places("Anchor")[:2]], by=None)
    hand_in(match.pk, team(event, "Delta").pk, [places("Delta")[0], None], by=None)
    play(match, [])
    before = page(desk, match).partition("<tbody>")[2].partition("</tbody>")[0].split("</tr>")
    assert [words for words in ("open", "by default") if f'<td class="mid">{words}</td>' in before[0]] == ["open"]
    assert [words for words in ("open", "by default") if f'<td class="mid">{words}</td>' in before[1]] == ["by default"]
    assert before[1].endswith("<td>–</td>")
    assert before[0].count('<span class="alt">White</span>') == 1
    assert before[1].count('<span class="alt">White</span>') == 0
    play(match, [WIN])
    assert '<td class="mid">1 : 0</td>' in page(desk, match)


@pytest.mark.parametrize("first_white", ["home", "away"])
def test_whoever_has_white_the_home_teams_points_stand_in_front(
    desk: Client, event: Tournament, match: TeamMatch, first_white: str
) -> None:
    TeamMatch.objects.filter(pk=match.pk).update(first_white=first_white)
    play(match, [WIN, WIN])
    rows = page(desk, match).partition("<tbody>")[2].partition("</tbody>")[0].split("</tr>")[:2]
    assert all('<td class="mid">1 : 0</td>' in row for row in rows)
    white_is_left = [row.index('<span class="alt">White</span>') < row.index('class="mid"') for row in rows]
    assert white_is_left == [first_white == "home", first_white == "away"]


def test_what_was_handed_in_is_told_with_its_note_and_boards_of_a_draft_are_not_made(
    desk: Client, event: Tournament, match: TeamMatch
) -> None:
    anchor = team(event, "Anchor")
    hand_in(match.pk, anchor.pk, places("Anchor")[:2], by=None)
    assert page(desk, match).count("not handed in") == 1
    other = "line_up_away" if match.home_id == anchor.pk else "line_up_home"
    assert desk.get(url(other, match.pk)).context["handed"] is None
    LineUp.objects.filter(match=match).update(note="two are ill")
    lines = page(desk, match)
    assert " · two are ill</span>" in lines
    assert "Make the boards" in lines
    Round.objects.filter(pk=match.round_id).update(state=Round.State.DRAFT)
    assert "Make the boards" not in page(desk, match)


def test_a_match_that_has_a_place_and_one_that_is_postponed_say_so(desk: Client, match: TeamMatch) -> None:
    plan_match(match.pk, MONDAY, at=time(19, 30), venue="Town hall", by=None)
    text = page(desk, match)
    assert "19:30 · Town hall ·" in text
    assert "Postpone</button>" in text
    plan_match(match.pk, None, by=None)
    text = page(desk, match)
    assert "first planned for 5 Jan 2026" in text
    assert "Postpone</button>" not in text
    assert "Make the boards" not in text


def test_a_dispute_a_confirmation_and_a_ruling_are_told(desk: Client, event: Tournament, match: TeamMatch) -> None:
    TeamMatch.objects.filter(pk=match.pk).update(played_on=today())  # its card is not closed yet
    play(match, [WIN])
    assert "a result of this match is wrong" not in page(desk, match)
    assert page(desk, match).count("Confirm for the team") == 2
    enter_card(match.pk, team(event, "Delta").pk, {1: Result.DRAW}, by=None)
    assert "a result of this match is wrong" in page(desk, match)
    play(match_between(event, "Bridge", "Castle"), [WIN, WIN])
    other = match_between(event, "Bridge", "Castle")
    agree(other.pk, other.home_id or 0, by=None)
    text = page(desk, other)
    assert (text.count("✓ confirmed"), text.count("Take back"), text.count("Confirm for the team")) == (1, 1, 1)
    assert "a result of this match is wrong" not in text
    assert "by ruling" not in text
    rule_on_match(other.pk, Ruling(1, 1, "an illegal mobile"), by=None)
    assert "Match points by ruling: ½ and ½. an illegal mobile" in page(desk, other)
    rule_on_match(other.pk, Ruling(1, 1, "an illegal mobile", games=(2, 0)), by=None)
    assert "Game points by ruling: 1 and 0. an illegal mobile" in page(desk, other)
    assert "Let the boards decide again" in page(desk, other)


@pytest.mark.parametrize("asked", SUMMARIES)
def test_the_form_that_was_refused_stands_open_and_no_other(
    desk: Client, event: Tournament, match: TeamMatch, asked: str
) -> None:
    play(match, [WIN])
    assert re.findall(r"<details[^>]* open>", shown(desk, "team_match", match.pk)) == []
    answer = desk.post(url("team_match", match.pk), {"do": asked})
    opened = re.findall(r"<details[^>]* open><summary>(.*?)</summary>", answer.content.decode())
    assert opened == [SUMMARIES[asked]]


def test_a_team_without_an_opponent_has_no_boards_and_nothing_to_decide(desk: Client) -> None:
    event = make_team_event(3)
    bye = TeamMatch.objects.filter(round__stage__tournament=event, away=None)[0]
    text = page(desk, bye)
    assert 'id="boards"' not in text
    assert 'id="decide"' not in text
