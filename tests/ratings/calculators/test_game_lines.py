"""Pasted games: what is read, and what is told of a line that cannot be."""

from hypothesis import given
from hypothesis import strategies as st

from ratings.calculators.forms import MOST_GAMES, RESULTS, read_games, without_result


def test_a_line_is_read() -> None:
    for line, rating, score in (
        ("2777 ½", 2777, 0.5), ("2777 1", 2777, 1.0),
        ("2777 0", 2777, 0.0), ("2777 0.5", 2777, 0.5),
        ("2777 0,5", 2777, 0.5), ("2777 .5", 2777, 0.5),
        ("2777 1/2", 2777, 0.5), ("2777 =", 2777, 0.5),
        ("2777 +", 2777, 1.0), ("2777 -", 2777, 0.0),
        ("2777 −", 2777, 0.0), ("2777½", 2777, 0.5),
        ("2777\t1", 2777, 1.0), ("2777;1", 2777, 1.0),
        ("2777,1", 2777, 1.0), ("2777:½", 2777, 0.5),
        ("2777: 1", 2777, 1.0), ("  2777   W ", 2777, 1.0),
        ("3. Anand, Viswanathan 2770 d", 2770, 0.5), ("12) Carlsen 2830 l", 2830, 0.0),
        ("Ян Непомнящий (2771) 1", 2771, 1.0), ("王天一 2665 ½", 2665, 0.5),
        ("２７７７ １", 2777, 1.0), ("1812.5 1", 1812.5, 1.0),
        ("60 1", 60, 1.0), ("2777", 2777, None),
        ("1812,25 1", 1812.25, 1.0),
    ):  # fmt: skip
        read = read_games(line)
        assert ([(game.rating, game.score) for game in read.games], read.problems) == ([(rating, score)], ())


def test_a_line_that_cannot_be_read_is_told_with_its_number() -> None:
    for text, said in (
        ("x 1", "Line 1: “x” is no rating."),
        ("nan 1", "Line 1: “nan” is no rating."),
        ("1e309 1", "Line 1: “1e309” is no rating."),
        ("1800 1\n\n5000 1", "Line 3: a rating lies between 0 and 4000, not 5000."),
        ("-5 1", "Line 1: a rating lies between 0 and 4000, not -5."),
        ("1800 2", "Line 1: “2” is no result; write 1, ½ or 0."),
        ("1800 1 1", "Line 1 has more than a rating and a result."),
        ("()", "Line 1: there is no rating in it."),
        ("x" * 41, f"Line 1: “{'x' * 40}” is no rating."),
        ("9" * 41, f"Line 1: a rating lies between 0 and 4000, not {'9' * 40}."),
        ("1800 " + "2" * 41, f"Line 1: “{'2' * 40}” is no result; write 1, ½ or 0."),
    ):
        assert read_games(text).problems == (said,)


def test_every_bad_line_is_named_up_to_five_and_there_is_a_most() -> None:
    problems = read_games("1800 1\n" + "x 1\n" * 9).problems
    assert [problem.split(":")[0] for problem in problems] == [f"Line {row}" for row in range(2, 7)]
    assert read_games("1800 1\n" * MOST_GAMES).problems == ()
    assert read_games("1800 1\n" * (MOST_GAMES + 1)).problems == ("At most 200 games.",)
    assert without_result(read_games("1800 1\n\n1700")) == "Line 3 has no result, others have one."
    assert without_result(read_games("1800\n1700")) == ""
    assert without_result(read_games("1800 1\n1700 0")) == ""


@given(st.lists(st.tuples(st.integers(0, 4000), st.sampled_from(sorted(RESULTS))), max_size=30))
def test_what_is_written_is_read_again(games: list[tuple[int, str]]) -> None:
    lines = read_games("\n".join(f"{rating} {result}" for rating, result in games))
    assert lines.problems == ()
    assert [(game.rating, game.score) for game in lines.games] == [(rating, RESULTS[word]) for rating, word in games]


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading(text: str) -> None:
    lines = read_games(text)
    assert all(0 <= game.rating <= 4000 for game in lines.games)
    assert len(lines.games) + len(lines.problems) <= len(text.splitlines())
