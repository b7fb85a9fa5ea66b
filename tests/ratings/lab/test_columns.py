"""Systems over columns are the club's own systems: the replay, stated raters and printed examples say the same."""

from itertools import pairwise, product
from math import isnan
from typing import Any

import numpy
import pytest

from ratings.lab.contenders import CONTENDERS, STUDY, Contender, contender
from ratings.lab.engine import PLAIN
from ratings.lab.table import NEVER, Columns, Table, Traced, trace
from ratings.lab.vectorised import COLUMN_RATERS, ColumnRater, column_rater, stated
from ratings.systems import SYSTEMS
from ratings.systems.base import PlayedGame, PlayerState, RatedGame
from tests.ratings.lab.golden import PLAYERS, STRENGTHS, Games, club_replay, golden_games

GAMES = golden_games()
KEYS = [each.key for each in CONTENDERS]
OF_STUDY = {each.key: each for each in STUDY}


def rater_of(each: Contender) -> ColumnRater:
    found = column_rater(each, PLAIN)
    assert found is not None
    return found


def traced(rater: ColumnRater, each: Contender, games: Games) -> tuple[list[float], ...]:
    """White's expectations, both ratings after each game, then the columns at the end."""
    table = [[value] * PLAYERS for value in rater.start]
    counts, found = [0] * PLAYERS, [[0.0] * len(games.white) for _ in range(3)]
    rule = each.system.normalisation(each.settings) or NEVER
    trace(rater.rate, rater.predict, Columns(*table, counts), games, rule, Traced(*found))  # type: ignore[arg-type]
    return *found, table[0], [float(count) for count in counts]


@pytest.mark.parametrize("each", CONTENDERS, ids=KEYS)
def test_a_table_and_every_game_on_the_way_are_the_clubs_replay_to_the_last_bit(each: Contender) -> None:
    table = Table(each, PLAIN, STRENGTHS)
    table.play(*GAMES)
    states, rows = club_replay(each, GAMES)
    assert table.ratings == [state.rating for state in states]
    assert table.games == [state.games for state in states]

    _expected, white_after, black_after = Table(each, PLAIN, STRENGTHS).trace(*GAMES)
    rated = [row for row in rows if isinstance(row, RatedGame)]
    assert len(rated) == len(white_after)
    lifted = {id(row) for row, after in pairwise(rows) if not isinstance(after, RatedGame)}
    assert bool(lifted) == (each.key in ("solo-zerg", "r2")), "the stream is normalised on its way"
    for row, white, black in zip(rated, white_after, black_after, strict=True):
        if id(row) not in lifted:  # the ledger tells a normalisation in a row of its own
            assert (row.white_after, row.black_after) == (white, black)


@pytest.mark.parametrize("each", [*CONTENDERS, contender("diary", "Diary", "elo", {"preset": "diary"})])
def test_stated_says_what_the_columns_say(each: Contender) -> None:
    columns = traced(rater_of(each), each, GAMES)
    for one, two in zip(columns, traced(stated(each), each, GAMES), strict=True):
        numpy.testing.assert_array_equal(one, two)
    knows_expected = each.system.key in ("elo", "glicko", "glicko2")
    assert all(0.0 < value < 1.0 if knows_expected else isnan(value) for value in columns[0])


@pytest.mark.parametrize("settings", [{"preset": "xiangqi"}, {"preset": "constant", "k": 24, "floor": 1450}])
def test_what_the_columns_do_not_know_takes_the_general_way(settings: dict[str, object]) -> None:
    each = contender("other", "Other", "elo", settings)
    assert column_rater(each, PLAIN) is None
    table = Table(each, PLAIN, STRENGTHS)
    table.play(*GAMES)
    states, _rows = club_replay(each, GAMES)
    assert table.ratings == [state.rating for state in states]


def test_a_system_of_periods_is_refused_with_a_sentence_and_every_rater_has_its_system() -> None:
    monthly = contender("monthly", "Monthly", "glicko", {"period": "month"})
    assert column_rater(monthly, PLAIN) is None
    with pytest.raises(ValueError, match="does not rate game by game"):
        stated(monthly)
    with pytest.raises(ValueError, match="does not rate game by game"):
        stated(contender("ceiling", "Ceiling", "bradley-terry"))
    assert set(COLUMN_RATERS) <= {system.key for system in SYSTEMS}


@pytest.mark.extended
@pytest.mark.parametrize("each", CONTENDERS, ids=KEYS)
def test_columns_say_what_the_system_says_near_and_far(each: Contender) -> None:
    """Of either colour and with any second figure. The examples the sources print are tried on the systems."""
    rater, rate = rater_of(each), each.system.game_rater(each.settings)
    name = {"r2": "coefficient", "glicko": "deviation", "glicko2": "deviation"}.get(each.system.key, "peak")
    seconds = {"coefficient": (1.0, 1.2, 0.8), "peak": (2500.0, 2300.0)}.get(name, (150.0, 300.0, 75.0))
    marks = range(10, 90, 5) if each.key == "kd" else range(500, 2600, 100)
    for (one, two), (own, other) in product(product(marks, marks), product(seconds, seconds)):
        for white, black in ((0, 1), (1, 0)):  # the first one wins
            ratings, second = [float(one), float(two)], [own, other]
            kept: list[dict[str, Any]] = [{"peak": 2500.0, name: figure} for figure in second]
            states = [
                PlayerState(rating, 50, volatility=0.06, last_day=1, **more)
                for rating, more in zip(ratings, kept, strict=True)
            ]
            rater.rate(ratings, second, [0.06, 0.06], [50, 50], white, black, float(black))
            rate(states[white], states[black], PlayedGame(0, white, black, float(black), 1 << 40, 1))
            assert ratings == [state.rating for state in states], (one, two, own, other)
            if name != "peak":
                assert second == [getattr(state, name) for state in states], (one, two, own, other)
            elif each.system.key == "elo":
                assert second == [max(state.peak, state.rating) for state in states], (one, two, own, other)


@pytest.mark.parametrize("key", ["league", "solo-zerg", "r2", "kd"])
def test_a_draw_moves_nothing_where_the_rule_knows_none(key: str) -> None:
    ratings, second = [1800.0, 1200.0], [1.1, 0.9]
    rater_of(OF_STUDY[key]).rate(ratings, second, [0.0, 0.0], [0, 0], 0, 1, 0.5)
    assert (ratings, second) == ([1800.0, 1200.0], [1.1, 0.9])
