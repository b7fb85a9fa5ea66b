"""Headers of games as PGN: the seven tag roster in its order, escapes, results and how a game ended without moves."""

import re
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from tournaments.interchange.pgn import PgnGame, PgnPlayer, write_games
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES, Result

ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')


def game(result: Result = Result.WHITE_WINS, **data: object) -> PgnGame:
    facts = {
        "event": "Winter Cup",
        "site": "Lindenhof",
        "played_on": date(2026, 1, 5),
        "round": "3.1",
        "white": PgnPlayer("Alvarez, Ada"),
        "black": PgnPlayer("Brandt, Bo"),
    }
    return PgnGame(**{**facts, "result": result, **data})  # type: ignore[arg-type]


def tags(text: str) -> dict[str, str]:
    """The tag pairs as a reader of section 8.1.1 sees them."""
    return {tag: re.sub(r"\\(.)", r"\1", value) for tag, value in _TAG.findall(text)}


def test_a_game_in_full() -> None:
    ada = PgnPlayer("Alvarez, Ada", 1850, "WFM", "1234567")
    assert write_games([game(white=ada)]) == (
        '[Event "Winter Cup"]\n[Site "Lindenhof"]\n[Date "2026.01.05"]\n[Round "3.1"]\n'
        '[White "Alvarez, Ada"]\n[Black "Brandt, Bo"]\n[Result "1-0"]\n'
        '[WhiteElo "1850"]\n[WhiteFideId "1234567"]\n[WhiteTitle "WFM"]\n\n1-0\n\n'
    )


def test_the_roster_comes_first_and_complete_whatever_is_unknown() -> None:
    text = write_games([game(event="", site="", played_on=None, round="", white=PgnPlayer(""))])
    assert list(tags(text))[:7] == ROSTER
    assert [tags(text)[tag] for tag in ROSTER] == ["?", "?", "????.??.??", "-", "?", "Brandt, Bo", "1-0"]


def test_further_tags_stand_in_the_order_of_the_alphabet_and_games_apart() -> None:
    text = write_games([game(Result.OPEN, white=PgnPlayer("A", 1), black=PgnPlayer("B", 2, "IM", "7"))])
    further = list(tags(text))[7:]
    assert further == sorted(further)
    assert "Termination" in further
    assert write_games([game(), game()]).count("\n\n1-0\n\n[Event") == 1
    assert write_games([]) == ""


def test_a_result_and_how_it_came_about() -> None:
    for result, written, termination in (
        (Result.WHITE_WINS, "1-0", None),
        (Result.DRAW, "1/2-1/2", None),
        (Result.BLACK_WINS, "0-1", None),
        (Result.DRAW_UNRATED, "1/2-1/2", None),
        (Result.BLACK_FORFEITS, "1-0", "rules infraction"),
        (Result.WHITE_FORFEITS, "0-1", "rules infraction"),
        (Result.OPEN, "*", "unterminated"),
        (Result.ADJOURNED, "*", "unterminated"),
        (Result.WHITE_DRAWS_BLACK_PENALISED, "*", "rules infraction"),
    ):
        text = write_games([game(result)])
        assert (tags(text)["Result"], tags(text).get("Termination")) == (written, termination), result
        assert text.endswith(f"{written}\n\n"), result
    assert text.endswith("\n\n{½:0} *\n\n"), "what PGN has no result for stands in a comment"


def test_every_result_has_an_end_that_agrees_with_its_header_and_quotes_are_escaped() -> None:
    for result in Result:
        text = write_games([game(result)])
        assert text.rstrip().split()[-1] == tags(text)["Result"], result
        assert tags(text)["Result"] in ("1-0", "0-1", "1/2-1/2", "*"), result
        played = result in DECIDED_RESULTS and OUTCOMES[result].rated
        assert ("Termination" in tags(text)) != (played or result.value in ("W", "D", "L")), result
    assert '[White "Ada \\"A\\" \\\\ Alvarez"]' in write_games([game(white=PgnPlayer('Ada "A" \\ Alvarez'))])


@given(st.text(max_size=60))
def test_any_name_comes_back_as_it_was_but_for_signs_that_cannot_be_printed(name: str) -> None:
    text = write_games([game(white=PgnPlayer(name or "x"))])
    printed = "".join(letter if letter.isprintable() else " " for letter in name or "x")
    assert tags(text)["White"] == printed
    assert len(text.split("\n")) == 11, "no name breaks a line"
