"""Who goes up and down: by the lines of the divisions, with what the tables do not decide."""

from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tournaments.standings.promotion import DivisionTable, Doubt, Finisher, Proposal, Why, propose


def division(level: int, places: str, up: int = 0, down: int = 0, *, left: str = "") -> DivisionTable:
    """Teams are letters in table order; a letter in brackets shares the place of the one before: "AB(C)D"."""
    rows: list[Finisher] = []
    for letter in places:
        if letter.isalpha():
            shared = places[places.index(letter) - 1 : places.index(letter)] == "("
            place = rows[-1].place if shared else len(rows) + 1
            rows.append(Finisher(ord(letter), place, letter in left))
    return DivisionTable(level, tuple(rows), up, down)


def next_of(*divisions: DivisionTable) -> tuple[list[str], list[tuple[Why, int, str]]]:
    """The next divisions as letters, and the doubts."""
    found = propose(divisions)
    after = ["".join(chr(team) for team, goes in found.goes.items() if goes == at) for at in range(len(divisions))]
    return after, [(doubt.why, doubt.division, "".join(map(chr, doubt.teams))) for doubt in found.doubts]


def test_the_first_go_up_and_the_last_go_down_but_not_out_of_the_league() -> None:
    first, second, third = division(1, "ABCD", 1, 2), division(2, "EFGH", 2, 1), division(4, "IJKL", 1, 1)
    assert next_of(first, second, third) == (["ABEF", "CDGI", "HJKL"], [])


def test_a_tie_across_a_line_is_for_the_arbiter_and_one_beside_it_is_none() -> None:
    after, doubts = next_of(division(1, "AB(C)D", 0, 2), division(2, "E(F)GH", 2, 0))
    assert after == ["ABEF", "CDGH"]
    assert doubts == [(Why.TIE, 0, "BC")]
    assert next_of(division(1, "AB"), division(2, "C(D)E", 1))[1] == [(Why.TIE, 1, "CD")], "the first line of all"
    three = (division(1, "AB"), division(2, "C(D)E", 2, 2), division(3, "FG"))
    assert next_of(*three) == (["ABCD", "", "EFG"], []), "who goes up does not go down"


def test_a_team_that_left_takes_a_place_at_the_end_and_is_in_no_division() -> None:
    after, doubts = next_of(division(1, "ABCD", 0, 2, left="D"), division(2, "EF", 1))
    assert after == ["ABE", "CF"]
    assert doubts == [(Why.LEFT, 0, "D")]


def test_who_comes_to_one_of_several_groups_is_named() -> None:
    after, doubts = next_of(division(1, "ABC", 0, 1), division(2, "DE", 1), division(2, "FG", 1))
    assert after == ["ABDF", "CE", "G"]
    assert doubts == [(Why.GROUPS, 0, "C")]
    above = (division(1, "AB"), division(1, "CD"))
    assert next_of(*above, division(2, "EF", 1)) == (["ABE", "CD", "F"], [(Why.GROUPS, 2, "E")])
    assert next_of(*above, division(2, "EF", 1, left="E"))[1] == [(Why.LEFT, 2, "E")], "who left comes to no group"


@examples(60)
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=4))
def test_every_team_plays_once_and_moves_by_one_division_at_most(shapes: list[tuple[int, int, int]]) -> None:
    divisions, number = [], 0
    for level, (size, up, down) in enumerate(shapes, 1):
        rows = tuple(Finisher(number + at, at + 1) for at in range(size))
        divisions.append(DivisionTable(level, rows, up, down))
        number += size
    found: Proposal = propose(divisions)
    assert sorted(found.goes) == list(range(number))
    for index, each in enumerate(divisions):
        assert all(abs((found.goes[row.team] or 0) - index) <= 1 for row in each.rows)
    assert not [doubt for doubt in found.doubts if isinstance(doubt, Doubt) and doubt.why is not Why.TIE]
