"""Ratings that stand beside the games of a file."""

import pytest

from tournaments.interchange.players_csv import GivenRatings, read_given_ratings

HEADER = "white,black,result,white_rating,black_rating\n"


def read(rows: str, header: str = HEADER) -> GivenRatings:
    return read_given_ratings((header + rows).encode())


def test_a_game_counts_where_both_ratings_are_known() -> None:
    found = read("a,b,1,1500,1612.5\na,b,0,,1600\na,b,0,1500,\n")
    assert found == GivenRatings(True, {2: (1500.0, 1612.5)}, ())


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
