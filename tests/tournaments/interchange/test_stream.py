"""From files to the replay: numbers for names, the order of games, what players bring."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Moment, PlayedGame, Start, order_key
from tournaments.interchange.games_csv import GameRow
from tournaments.interchange.players_csv import PlayerRow
from tournaments.interchange.stream import (
    Stream,
    StudyGames,
    StudyPlayer,
    make_starts,
    make_stream,
    place_games,
    read_study_players,
)
from tournaments.interchange.tables_csv import BadRow, UnreadableFileError
from tournaments.standings.points import Result

TODAY = date(2026, 1, 31)
MONDAY = date(2026, 1, 5)
TUESDAY = MONDAY + timedelta(days=1)


def row(line: int, white: str = "A", black: str = "B", on: date | None = MONDAY, **more: object) -> GameRow:
    facts = {"line": line, "white": white, "black": black, "result": Result.WHITE_WINS, "played_on": on} | more
    return GameRow(**facts)  # type: ignore[arg-type]


def lines(stream: Stream) -> list[int]:
    return [game.game for game in stream.games]


def test_a_game_with_everything() -> None:
    game = row(7, result=Result.DRAW, event="Cup", white_points=1, black_points=4, importance=2.0)
    stream = make_stream([game], today=TODAY)
    place = order_key(MONDAY, 1), MONDAY.toordinal()
    assert stream.games == (PlayedGame(7, 0, 1, 0.5, *place, "Cup", True, 2.0, 3, (1, 4)),)
    assert (stream.names, stream.rows, stream.begins, stream.dated) == (("A", "B"), 1, MONDAY, True)


def test_players_are_numbered_as_they_appear_those_of_the_players_file_first() -> None:
    people = [PlayerRow(2, "D", birth_year=2000), PlayerRow(3, "B")]
    stream = make_stream([row(2, "C", "B", TUESDAY), row(3, "A", "D")], people, today=TODAY)
    assert stream.names == ("D", "B", "C", "A")
    assert stream.birth_years == {0: 2000, 1: None}


def test_days_are_put_in_order_and_rows_of_a_day_stay_in_theirs() -> None:
    stream = make_stream([row(2, on=TUESDAY), row(3), row(4, on=TUESDAY), row(5)], today=TODAY)
    assert lines(stream) == [3, 5, 2, 4]
    assert [Moment.of(game.order) for game in stream.games][1:3] == [Moment(MONDAY, 2), Moment(TUESDAY, 3)]


def test_without_dates_the_order_of_rows_is_the_order_of_play() -> None:
    stream = make_stream([row(2, on=None), row(3, on=None)], today=TODAY)
    assert lines(stream) == [2, 3]
    assert (stream.dated, stream.begins, stream.games[0].played_on) == (False, TODAY, TODAY)


def test_forfeits_are_counted_and_not_rated_and_one_pool_only_where_one_is_asked_for() -> None:
    rows = [row(2, result=Result.BLACK_FORFEITS), row(3), row(4, result=Result.BOTH_FORFEIT)]
    stream = make_stream(rows, today=TODAY)
    assert (stream.rows, lines(stream)) == (3, [3])
    rows = [row(2, pool="rapid"), row(3), row(4, pool="standard")]
    for pool, kept in (("", [2, 3, 4]), ("rapid", [2]), ("standard", [3, 4])):
        assert lines(make_stream(rows, today=TODAY, pool=pool)) == kept


def test_the_rules_of_an_event_are_those_of_its_first_day() -> None:
    stream = make_stream([row(2, on=TUESDAY, event="Cup"), row(3, event="Cup"), row(4, on=TUESDAY)], today=TODAY)
    assert [game.rules_day for game in stream.games] == [MONDAY.toordinal()] * 2 + [TUESDAY.toordinal()]
    assert [game.event for game in stream.games] == ["Cup", "Cup", None]


def test_a_file_without_games() -> None:
    stream = make_stream([], [PlayerRow(2, "A", 1500.0)], today=TODAY)
    assert (stream.names, stream.games, stream.rows, stream.begins) == (("A",), (), 0, TODAY)


@given(st.lists(st.dates(MONDAY, TODAY), max_size=30))
def test_order_keys_rise_strictly_and_begin_after_the_starts(days: list[date]) -> None:
    stream = make_stream([row(line, on=day) for line, day in enumerate(days, 2)], [PlayerRow(2, "A", 1.0)], today=TODAY)
    orders = [game.order for game in stream.games]
    starts, _ = make_starts(stream, [PlayerRow(2, "A", 1.0)], newcomer=lambda born: 1500.0)
    assert orders == sorted(set(orders))
    assert all(starts[0].order < order for order in orders)


# --- what players bring --------------------------------------------------------------------------------------------
def starts_of(*people: PlayerRow, newcomer: float | None = 1500.0) -> tuple[tuple[Start, ...], tuple[BadRow, ...]]:
    stream = make_stream([row(2, "A", "B")], people, today=TODAY)
    return make_starts(stream, people, newcomer=lambda born: newcomer)


def test_a_starting_rating_holds_from_before_the_first_game() -> None:
    person = PlayerRow(2, "A", 1800.0, 40, 60.0, 1900.0, 1990, volatility=0.05, k_factor=12.0)
    start = Start(0, MONDAY, 1800.0, games=40, peak=1900.0, deviation=60.0, volatility=0.05, k=12.0)
    assert starts_of(person)[0] == (start,)
    assert starts_of(PlayerRow(2, "A", birth_year=1990)) == ((), ()), "a name alone brings nothing"


def test_a_k_without_a_rating_begins_where_newcomers_do() -> None:
    for name in ("A", "B"):
        assert starts_of(PlayerRow(2, name, k_factor=12.0))[0] == (Start(0, MONDAY, 1500.0, k=12.0),)
    assert starts_of(PlayerRow(2, "Never plays", k_factor=12.0)) == ((), ())
    _, bad = starts_of(PlayerRow(4, "B", k_factor=12.0), newcomer=None)
    assert [str(each) for each in bad] == ["line 4: k_factor or volatility of an unrated player: write the rating too"]


# --- a study ---------------------------------------------------------------------------------------------------------
def test_a_study_knows_strengths_and_takes_what_was_played_in_order_of_days() -> None:
    people = read_study_players(b'id,strength,frequency\nA,1500,\nB,"0,5",2\n').rows
    assert people == (StudyPlayer(2, "A", 1500.0), StudyPlayer(3, "B", 0.5, 2.0))
    games = [row(2, on=TUESDAY), row(3, "B", "A", result=Result.DRAW), row(4, result=Result.BLACK_FORFEITS)]
    assert place_games(games, people) == StudyGames((1, 0), (0, 1), (0.5, 1.0), 1, ())
    for white, black in (("A", "C"), ("C", "A")):
        placed = place_games([row(7, white, black), *games], people)
        assert ([bad.line for bad in placed.bad], placed.white) == ([7], (1, 0))
    with pytest.raises(UnreadableFileError, match="no played game"):
        place_games(games[2:], people)


def test_players_of_a_study_need_strengths_above_nought_and_stand_there_once() -> None:
    found = read_study_players(b"player,strength,frequency\nA,0,\nB,,\nC,5,-1\nD,inf,\nE,5,\nE,6,\n")
    assert ([row.name for row in found.rows], [row.line for row in found.bad]) == (["E"], [2, 3, 4, 5, 7])
    for data, reason in ((b"player\nA\n", "lacks “strength”"), (b"player,strength\n", "there is no player")):
        with pytest.raises(UnreadableFileError, match=reason):
            read_study_players(data)
