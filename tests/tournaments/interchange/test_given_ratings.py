"""Ratings that stand beside the games of a file, and those that players bring."""

from datetime import date

import pytest

from tournaments.interchange.players_csv import GivenRatings, PlayerRow, read_given_ratings, read_players

HEADER = "white,black,result,white_rating,black_rating\n"


def read(rows: str, header: str = HEADER) -> GivenRatings:
    return read_given_ratings((header + rows).encode())


def test_a_game_counts_where_both_ratings_are_known() -> None:
    found = read("a,b,1,1500,1612.5\na,b,0,,1600\na,b,0,1500,\n")
    assert found == GivenRatings(True, {2: (1500.0, 1612.5)}, ())
    assert read("a,b\n").bad == (), "what is no line is told with the games"


@pytest.mark.parametrize(
    "header", ["white,black,result\n", "white,black,result,white_rating\n", "winner,loser,white_rating,black_rating\n"]
)
def test_without_both_columns_or_colours_nothing_is_given(header: str) -> None:
    assert read("a,b,1,1\n", header) == GivenRatings(False, {}, ())


def test_what_is_no_rating_is_a_bad_row() -> None:
    found = read("a,b,1,strong,1500\na,b,1,1500,1e9\na,b,1,nan,inf\n")
    assert found.pairs == {}
    assert [str(row) for row in found.bad] == [
        "line 2: white_rating “strong” is not known: write a number from -100000 to 100000",
        "line 3: black_rating “1e9” is not known: write a number from -100000 to 100000",
        "line 4: white_rating “nan” is not known: write a number from -100000 to 100000",
        "line 4: black_rating “inf” is not known: write a number from -100000 to 100000",
    ]


def test_what_belongs_to_a_rating_needs_one_and_grades_are_read_for_go_alone() -> None:
    today = date(2026, 1, 31)
    for columns, values, reason in (
        ("rating,peak", "1500,4001", "peak “4001” is not known: write a number from 0 to 4000"),
        ("deviation", "80", "games, peak or deviation without a rating: write the rating too"),
        ("peak", "1700", "games, peak or deviation without a rating: write the rating too"),
    ):
        (bad,) = read_players(f"player,{columns}\nAda,{values}\n".encode(), today=today).bad
        assert bad.reason == reason
    data = b"player,games,grade\nAda,0,3k\n"
    assert read_players(data, today=today).rows == (PlayerRow(2, "Ada", games=0),)
    assert read_players(data, today=today, also=("grade",)).rows == (PlayerRow(2, "Ada", 1800.0, games=0),)
