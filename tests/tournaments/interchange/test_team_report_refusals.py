"""What is wrong in the records of teams is told at once, with line, column and what was expected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.interchange.team_files import team
from tests.tournaments.interchange.trf_files import report, row
from tournaments.interchange.team_event_of_report import team_event_of
from tournaments.interchange.trf import Note, ReportError

# Two teams of three, two boards of one round; players 7 and 8 are a third team without a match.
PLAYERS = (row(1, "4 w 1"), row(2, "5 b ="), row(3), row(4, "1 b 0"), row(5, "2 w ="), row(6), row(7), row(8))
TEAMS = (team(1, "Reds", 1, 2, 3), team(2, "Blues", 4, 5, 6), team(3, "Greens", 7, 8))
GOOD = (*PLAYERS, *TEAMS)
AFTER = len(GOOD) + 1


def problems(*lines: str) -> list[Note]:
    read = report(*lines)
    with pytest.raises(ReportError) as refusal:
        team_event_of(read)
    return list(refusal.value.problems)


@pytest.mark.parametrize(
    ("line", "column", "told"),
    [
        ("300   1   1   3    1    2", 5, "team 1 meets team 2 and team 3: expected one opponent in a round"),
        ("300   1   1   2    1    4", 22, "player 4 is not in team 1: expected its own players"),
        ("300   1   1   2    1    1", 17, "a player on two boards: expected everybody once"),
        ("300   1   1   2    3    1", 17, "player 2 had a board in round 1: expected them in the line-up"),
        ("300   1   9   2    1    2", 9, "300 says “9”: expected teams’ numbers of 1 to 3"),
        ("300   x   1   2    1    2", 5, "300 says “x”: expected a round of 1 to 999"),
        ("300   1   1   2    1    9", 25, "300 says “9”: expected starting numbers of 1 to 8"),
        ("330 +-   1   1   2", 5, "330 says a match by default, and the rows have a game, or another winner"),
        ("330 +-   1   1   3", 5, "team 1 meets team 2 and team 3"),
        ("330 +-   1   1   1", 16, "330 says “1”: expected another team: nobody plays against their own"),
        ("330 ++   1   1   2", 5, "330 says “++”: expected +-, -+ or -- in columns 5 and 6"),
        ("320  1.0  2.0   1", 5, "round 1: team 1 has a bye here and a match in the rows: expected one of them"),
        ("320  one  2.0   3", 5, "320 says “one”: expected points such as 4.5"),
        ("320  0.3  2.0   3", 5, "320 says “0.3”: expected points such as 4.5"),
        ("320  1.0  2.0           3", 25, "320 says “3”: expected a round of 1 to 2"),
        ("330 +-   3   1   2", 8, "330 says “3”: expected a round of 1 to 2"),
        ("320  1.0  2.0   4", 17, "320 says “4”: expected teams’ numbers of 1 to 3"),
        ("240 H   1    1", 5, "round 1: team 1 has a bye here and a match in the rows"),
        ("240 Q   1    3", 5, "240 says “Q”: expected F, H or Z in column 5"),
        ("240 H   1", 10, "240 says “”: expected teams’ numbers of 1 to 3"),
        ("299   -12.5   0.0         1", 7, "299 says “-”: expected a blank here: look at the values beside it"),
        ("299    -1.0 100.5         1", 13, "299 says “1”: expected a blank here: look at the values beside it"),
        ("299 Q  -1.0   0.0         1", 5, "299 says “Q”: expected a blank, W, D, L, F, H, Z, + or - in column 5"),
        ("299    -1.0   0.0    1", 23, "299 says “”: expected teams’ numbers of 1 to 3"),
        ("352 WXW", 5, "352 says “WXW”: expected a colour for each board, such as WBWB"),
        ("352 W", 92, "round 1: teams 1 and 2 have 2 boards, and 352 has 1: expected no more"),
        ("362 TW 2.0 TQ 1.0", 5, "expected match points such as TW 2.0 TD 1.0 TL 0.0"),
        ("362 TW 2.2", 5, "expected match points in halves, such as 1.5"),
        ("260   1   3    1    9", 21, "260 says “9”: expected teams’ numbers of 1 to 3"),
        ("250  2.0        1   3    1    9", 28, "250 says “9”: expected teams’ numbers of 1 to 3"),
        (team(2, "Blues again"), 5, "team 2 stands in line 10 already: expected a number of its own for each team"),
        (team(5, "Far away"), 5, "team 5: expected numbers from 1 on without a gap"),
        (team(4, "Thieves", 8), 74, "player 8 stands in line 11 already: expected everybody in one team, once"),
        (team(4, "Strangers", 9), 77, "310 says “9”: expected starting numbers of 1 to 8"),
        (team(4, "Words", points=("many", "")), 55, "310 says “many”: expected points such as 4.5"),
        (team(0, "Nobody"), 5, "310 says “0”: expected a team’s number of 1 to 999 in columns 5 to 7"),
    ],
)
def test_a_record_that_cannot_be_used_is_told_with_its_place(line: str, column: int, told: str) -> None:
    found = problems(*GOOD, line)
    line_of = 2 if column > 90 else AFTER
    places = [(one.line, one.column, str(one)) for one in found]
    assert any(place[:2] == (line_of, column) and told in place[2] for place in places), places


def test_players_who_cannot_have_met_so_are_told_at_their_rows() -> None:
    one_team = (*PLAYERS, team(1, "All", 1, 2, 3, 4, 5, 6), team(2, "Others", 7, 8))
    assert [(one.line, one.column) for one in problems(*one_team)] == [(1, 92), (2, 92)]
    nowhere = (*PLAYERS, team(1, "Reds", 1, 2, 3), team(2, "Blues", 5, 6), team(3, "Greens", 7, 8))
    (problem,) = problems(*nowhere)
    assert str(problem) == "line 4, column 92: round 1: 4 has a game and is in no team: expected a team for them"
    three = (*PLAYERS, team(1, "Reds", 1, 2, 3), team(2, "Blues", 4, 6), team(3, "Greens", 5, 7, 8))
    (problem,) = problems(*three)
    assert "team 1 meets team 2 and team 3" in problem.text


def test_boards_that_two_line_ups_cannot_both_have_are_told() -> None:
    found = problems(*GOOD, "300   1   1   2    1    2", "300   1   2   1    5    4")
    assert [(one.line, one.column) for one in found] == [(AFTER, 17), (AFTER, 22)]
    assert found[0].text == "player 1 met 4: expected both on one board of the two line-ups"
    found = problems(*GOOD, "300   1   1   2    1    2", "300   1   1   2    1    2")
    assert [(one.line, one.column) for one in found] == [(AFTER + 1, 5)]
    both = (
        row(1, "- - +"),
        row(2, "4 w ="),
        row(3, "- - +"),
        row(4, "2 b ="),
        team(1, "Reds", 1, 2),
        team(2, "Blues", 3, 4),
    )
    (problem,) = problems(*both, "300   1   1   2    1    2", "300   1   2   1    3    4")
    assert "1 and 3 have the same board and both won it" in problem.text
    found = problems(*GOOD, "330 +-   1   1   2", "330 -+   1   2   1")
    assert (AFTER + 1, 12, "330 says “2   1”: expected one line for a match") in [
        (one.line, one.column, one.text) for one in found
    ]
    (problem,) = problems(*GOOD, "240 H   1    3", "240 F   1    3")
    assert problem.text == "round 1: team 3 has two byes: expected one of them"


def test_a_match_by_default_with_the_colours_of_the_rows_the_other_way_round_is_told() -> None:
    rows = (row(1, "2 w +"), row(2, "1 b -"), team(1, "Reds", 1), team(2, "Blues", 2))
    assert team_event_of(report(*rows, "330 +-   1   1   2")).meetings[0].first == 1
    (problem,) = problems(*rows, "330 -+   1   2   1")
    assert "the rows have White and Black the other way round" in problem.text


def test_everything_is_told_at_once() -> None:
    found = problems(*GOOD, "320  x    2.0   9", "240 Q   1    3", "299 1 2", "352 WXW")
    assert {problem.line for problem in found} == {AFTER, AFTER + 1, AFTER + 2, AFTER + 3}


def check(lines: list[int]) -> None:
    """A refusal names its lines."""
    assert lines
    assert all(lines)


TAGS = ("013", "240", "250", "260", "299", "300", "310", "320", "330", "352", "362")
WORDS = st.lists(
    st.sampled_from(["1", "2", "0000", "+-", "H", "W", "TW", "-1.5", "99", "x", "²", "  ", "Ä"]), max_size=9
)


@examples(300)
@given(tag=st.sampled_from(TAGS), words=WORDS, at=st.integers(0, 12))
def test_any_record_is_read_or_told(tag: str, words: list[str], at: int) -> None:
    lines = list(GOOD)
    lines.insert(at, f"{tag} {' '.join(words)}")
    try:
        team_event_of(report(*lines))
    except ReportError as refusal:
        check([problem.line for problem in refusal.problems])
