"""`manage.py standings` of a report with records of teams."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.interchange.trf_files import FOLDER as REPORTS
from tests.tournaments.standings.team_events import FOLDER
from tournaments.standings.team_tiebreaks import TEAM_TIEBREAKS

EXERCISE, CLUB_DAY, MATCH = (FOLDER / f"{name}.trf" for name in ("tec_teams14", "interclub_rr6_gp", "two_team_match"))


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[Any, str]:
    """What the command says as JSON, and beside it."""
    call_command("standings", *map(str, arguments), "--json")
    found = capsys.readouterr()
    return json.loads(found.out), found.err


def test_json_has_every_team_with_both_scores(capsys: pytest.CaptureFixture[str]) -> None:
    found, told = printed(capsys, EXERCISE, "--tiebreaks", "EDE,EMMSB,BH:MP/C1,SSSC,MPvGP")
    assert [found[key] for key in ("edition", "format", "primary")] == [2023, "swiss", "MP"]
    assert (len(found["standings"]), told) == (14, "")
    assert found["standings"][2] == {
        "place": 3,
        "team": 1,
        "name": "Antelopes",
        "match_points": "10",
        "game_points": "17.5",
        "tiebreaks": {"EDE": "3", "EMMSB": "88", "BH:MP/C1": "57", "SSSC": "38.8333", "MPvGP": "17.5"},
    }


def test_the_score_that_decides_the_edition_and_the_format_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    found, told = printed(capsys, CLUB_DAY, "--primary", "GP", "--edition", "2026", "--tiebreaks", "BH")
    assert [found[key] for key in ("edition", "format", "primary")] == [2026, "round-robin", "GP"]
    assert [row["team"] for row in found["standings"]] == [1, 3, 2, 6, 5, 4]
    assert told == "BH: FIDE does not allow it in a round robin.\n"
    assert printed(capsys, EXERCISE, "--edition", "2026", "--tiebreaks", "EMMSB")[0]["standings"][0]["tiebreaks"] == {
        "EMMSB": "82"
    }


def test_the_table_is_neat(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("standings", str(MATCH), "--tiebreaks", "EDE,BC")
    assert capsys.readouterr().out == (
        "   No.  Name     MP   GP  EDE   BC\n"
        "1    1  Team 01   2  2.5       4.5\n"
        "2    2  Team 02   2  2.5       6.5\n"
        "\n"
        "round robin, 2 rounds, tie-break rules of 2023, match points decide\n"
    )


def test_players_of_a_report_of_teams_are_ranked_where_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    found, told = printed(capsys, EXERCISE, "--individual", "--tiebreaks", "BH")
    assert len(found["standings"]) == 56
    assert "players are counted singly" in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((EXERCISE, "--tiebreaks", "XYZ"), "there is no tie-break “XYZ”; there are MPvGP, EDE"),
        ((EXERCISE, "--tiebreaks", "ESB/C1"), "ESB alone names no tie-break"),
        ((EXERCISE, "--tiebreaks", "BC:GP"), "BC stands without a score"),
        ((EXERCISE, "--individual", "--tiebreaks", "EDE"), "there is no tie-break “EDE”; there are DE"),
        ((EXERCISE, "--individual", "--primary", "GP"), "--primary is for teams"),
        ((REPORTS / "trf26_team_small.trf",), "240 says “7”: expected teams’ numbers of 1 to 2"),
    ],
)
def test_what_cannot_be_answered_ends_with_status_two(arguments: tuple[object, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence) as refusal:
        call_command("standings", *map(str, arguments))
    assert refusal.value.returncode == 2


@pytest.mark.parametrize("report", [EXERCISE, CLUB_DAY, MATCH], ids=lambda path: path.stem)
def test_every_tie_break_can_be_asked_for(capsys: pytest.CaptureFixture[str], report: object) -> None:
    codes = [rule.code for rule in TEAM_TIEBREAKS]
    found, _told = printed(capsys, report, "--tiebreaks", ",".join(codes))
    assert all(list(row["tiebreaks"]) == codes for row in found["standings"])
