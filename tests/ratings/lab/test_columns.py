"""Systems over columns are the club's own systems: the replay, stated raters and printed examples say the same."""

from itertools import pairwise
from math import isnan

import pytest

from ratings.lab import columns
from ratings.lab.columns import COLUMN_RATERS, ColumnRater, column_rater, stated
from ratings.lab.contenders import CONTENDERS, STUDY, Contender, contender
from ratings.lab.engine import PLAIN
from ratings.lab.table import NEVER, Table, trace
from ratings.systems import SYSTEMS
from ratings.systems.base import RatedGame
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
    limits = (rule.above, rule.factor, rule.floor)
    trace(rater.rate, rater.predict, *table, counts, *games, *limits, *found)  # type: ignore[arg-type]
    return *found, table[0], [float(count) for count in counts]


def alike(one: list[float], two: list[float]) -> bool:
    """Equal to the last bit, nan where the other is nan."""
    return all(a == b or (isnan(a) and isnan(b)) for a, b in zip(one, two, strict=True))


# --- against the club's replay ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("each", CONTENDERS, ids=KEYS)
def test_a_table_is_the_clubs_replay_to_the_last_bit(each: Contender) -> None:
    table = Table(each, PLAIN, STRENGTHS)
    table.play(*GAMES)
    states, _rows = club_replay(each, GAMES)
    assert table.ratings == [state.rating for state in states]
    assert table.games == [state.games for state in states]


@pytest.mark.parametrize("each", CONTENDERS, ids=KEYS)
def test_every_game_on_the_way_is_the_ledgers(each: Contender) -> None:
    _expected, white_after, black_after = Table(each, PLAIN, STRENGTHS).trace(*GAMES)
    _states, rows = club_replay(each, GAMES)
    rated = [row for row in rows if isinstance(row, RatedGame)]
    assert len(rated) == len(white_after)
    lifted = {id(row) for row, after in pairwise(rows) if not isinstance(after, RatedGame)}
    for row, white, black in zip(rated, white_after, black_after, strict=True):
        if id(row) not in lifted:  # the ledger tells a normalisation in a row of its own
            assert (row.white_after, row.black_after) == (white, black)


@pytest.mark.parametrize("key", ["solo-zerg", "r2"])
def test_the_stream_is_normalised_on_its_way(key: str) -> None:
    _states, rows = club_replay(OF_STUDY[key], GAMES)
    assert any(not isinstance(row, RatedGame) and row.kind == "normalise" for row in rows)


def test_the_deviation_and_the_volatility_are_the_ledgers_too() -> None:
    for key, names in (("glicko-c", ("deviation",)), ("glicko2", ("deviation", "volatility"))):
        (each,) = (other for other in CONTENDERS if other.key == key)
        rater, table = rater_of(each), [[value] * PLAYERS for value in rater_of(each).start]
        counts = [0] * PLAYERS
        for white, black, score in zip(*GAMES, strict=True):
            rater.rate(table[0], table[1], table[2], counts, white, black, score)
            counts[white] += 1
            counts[black] += 1
        states, _rows = club_replay(each, GAMES)
        for column, name in zip(table[1:], names, strict=False):
            assert column == [getattr(state, name) for state in states]


# --- against the general way -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("each", CONTENDERS, ids=KEYS)
def test_stated_says_what_the_columns_say(each: Contender) -> None:
    for one, two in zip(traced(rater_of(each), each, GAMES), traced(stated(each), each, GAMES), strict=True):
        assert alike(one, two)


@pytest.mark.parametrize("each", CONTENDERS, ids=KEYS)
def test_expectations_are_the_systems_own(each: Contender) -> None:
    expected = traced(rater_of(each), each, GAMES)[0]
    knows_one = each.system.key in ("elo", "glicko", "glicko2")
    assert all(isnan(value) != knows_one for value in expected)
    assert not knows_one or all(0.0 < value < 1.0 for value in expected)


def test_a_system_outside_the_columns_takes_part_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    each = OF_STUDY["kd"]
    expected = Table(each, PLAIN, STRENGTHS)
    expected.play(*GAMES)
    column_rater.cache_clear()
    monkeypatch.setattr(columns, "COLUMN_RATERS", {})
    outside = Table(each, PLAIN, STRENGTHS)
    outside.play(*GAMES)
    column_rater.cache_clear()
    assert outside.ratings == expected.ratings


def test_another_preset_with_a_k_rule_runs_over_columns() -> None:
    each = contender("diary", "Diary", "elo", {"preset": "diary"})
    for one, two in zip(traced(rater_of(each), each, GAMES), traced(stated(each), each, GAMES), strict=True):
        assert alike(one, two)


@pytest.mark.parametrize("settings", [{"preset": "xiangqi"}, {"preset": "constant", "k": 24, "floor": 1450}])
def test_what_the_columns_do_not_know_takes_the_general_way(settings: dict[str, object]) -> None:
    each = contender("other", "Other", "elo", settings)
    assert column_rater(each, PLAIN) is None
    table = Table(each, PLAIN, STRENGTHS)
    table.play(*GAMES)
    states, _rows = club_replay(each, GAMES)
    assert table.ratings == [state.rating for state in states]


def test_a_system_of_periods_is_refused_with_a_sentence() -> None:
    monthly = contender("monthly", "Monthly", "glicko", {"period": "month"})
    assert column_rater(monthly, PLAIN) is None
    with pytest.raises(ValueError, match="does not rate game by game"):
        stated(monthly)
    with pytest.raises(ValueError, match="does not rate game by game"):
        stated(contender("ceiling", "Ceiling", "bradley-terry"))


def test_every_column_rater_belongs_to_a_system() -> None:
    assert set(COLUMN_RATERS) <= {system.key for system in SYSTEMS}


# --- the study's printed examples ------------------------------------------------------------------------------------
def after(each: Contender, winner: tuple[float, float], loser: tuple[float, float]) -> list[tuple[float, float]]:
    """(rating, second figure) of winner and loser after their game; played twice, so that colours are seen not to
    matter."""
    found = []
    for white, black, score in ((0, 1, 1.0), (1, 0, 0.0)):
        ratings, second = [winner[0], loser[0]], [winner[1], loser[1]]
        rater_of(each).rate(ratings, second, [0.0, 0.0], [50, 50], white, black, score)
        found.append(list(zip(ratings, second, strict=True)))
    assert found[0] == found[1]
    return found[0]


def changes(key: str, winner: float, loser: float) -> tuple[float, float]:
    (won, _), (lost, _) = after(OF_STUDY[key], (winner, winner), (loser, loser))
    return won - winner, lost - loser


@pytest.mark.parametrize(
    ("winner", "loser", "won", "lost"),
    [(1500, 2500, 60, -50), (1500, 2000, 60, -50), (1500, 1500, 40, -30), (2000, 1500, 20, -10), (2500, 1500, 20, -10)],
)
def test_league_as_printed(winner: float, loser: float, won: float, lost: float) -> None:
    assert changes("league", winner, loser) == (won, lost)


@pytest.mark.parametrize(
    ("winner", "loser", "bonus"),
    [(1500, 2500, 1.0), (1500, 2000, 37.58), (1500, 1500, 100), (2000, 1500, 37.58), (2500, 1500, 1.0)],
)
def test_solo_zerg_as_printed(winner: float, loser: float, bonus: float) -> None:
    """The source prints 37.5 where 37.58 is meant."""
    assert changes("solo-zerg", winner, loser) == pytest.approx((bonus, -bonus), abs=0.05)


@pytest.mark.parametrize(
    ("winner", "loser", "won", "lost"),
    [
        ((1500, 1.0), (2500, 1.0), (1, 1.0995), (-1, 0.9095)),
        ((1500, 1.2), (2000, 0.8), (80, 1.2480), (-119.0656, 0.7900)),
        ((1500, 1.0), (1500, 1.0), (100, 1.05), (-100, 0.9524)),
        ((2000, 1.0), (1500, 1.0), (50, 1.025), (-50, 0.9756)),
        ((2500, 1.0), (1500, 1.0), (1, 1.0005), (-1, 0.9995)),
    ],
)
def test_r2_as_printed(
    winner: tuple[float, float], loser: tuple[float, float], won: tuple[float, float], lost: tuple[float, float]
) -> None:
    one, two = after(OF_STUDY["r2"], winner, loser)
    assert (one[0] - winner[0], one[1]) == pytest.approx(won, abs=5.1e-5)
    assert (two[0] - loser[0], two[1]) == pytest.approx(lost, abs=5.1e-5)


@pytest.mark.parametrize(
    ("winner", "loser", "won", "lost"),
    [
        (15, 15, 1.6831, -0.2970),
        (35, 35, 1.2871, -0.6931),
        (60, 60, 0.7921, -1.1881),
        (80, 80, 0.3960, -1.5841),
        (10, 80, 11.4972, -10.2198),
        (10, 60, 8.8361, -5.8907),
        (20, 40, 2.9970, -1.4985),
        (70, 30, 0.2655, -0.2655),
        (60, 20, 0.2829, -0.1414),
    ],
)
def test_kd_exactly(winner: float, loser: float, won: float, lost: float) -> None:
    """The exact values of the source's examples; its print cuts some and rounds others."""
    assert changes("kd", winner, loser) == pytest.approx((won, lost), abs=5.1e-5)


@pytest.mark.parametrize(
    ("winner", "loser", "won", "lost"),
    [
        (750, 750, 12.50, -12.50),
        (1000, 1000, 7.50, -7.50),
        (1500, 1500, 7.50, -7.50),
        (2500, 2500, 5.00, -5.00),
        (700, 1100, 22.73, -13.64),
        (1100, 700, 1.36, -2.27),
        (1200, 1400, 11.40, -11.40),
        (1400, 1200, 3.60, -3.60),
        (1000, 1600, 14.54, -14.54),
        (1600, 1000, 0.46, -0.46),
        (2100, 2200, 9.60, -9.60),
        (2200, 2100, 5.40, -5.40),
        (900, 2500, 25.00, -10.00),
        (2500, 900, 0.0010, -0.0025),
    ],
)
def test_elo_as_printed(winner: float, loser: float, won: float, lost: float) -> None:
    assert changes("elo", winner, loser) == pytest.approx((won, lost), abs=0.0051)


@pytest.mark.parametrize(
    ("winner", "printed"),
    [
        ((1400, 150), "1435.8 140 1464 140"),
        ((1500, 150), "1449.2 140 1550.8 140"),
        ((1700, 150), "1472.7 142 1727.3 142"),
        ((1500, 300), "1457.3 143 1645.5 237"),
        ((1500, 75), "1446.4 138 1514.1 73.6"),
        ((2500, 100), "1499.5 150 2500.3 100"),
        ((500, 100), "1377.4 150 551.6 100"),
    ],
)
def test_glicko_as_printed(winner: tuple[float, float], printed: str) -> None:
    """The loser, who stands at 1500 with a deviation of 150, then the winner: rating and deviation after the game."""
    won, lost = after(OF_STUDY["glicko"], winner, (1500.0, 150.0))
    for value, text in zip((*lost, *won), printed.split(), strict=True):
        assert f"{value:.{len(text.partition('.')[2])}f}" == text


@pytest.mark.parametrize("key", ["league", "solo-zerg", "r2", "kd"])
def test_a_draw_moves_nothing_where_the_rule_knows_none(key: str) -> None:
    ratings, second = [1800.0, 1200.0], [1.1, 0.9]
    rater_of(OF_STUDY[key]).rate(ratings, second, [0.0, 0.0], [0, 0], 0, 1, 0.5)
    assert (ratings, second) == ([1800.0, 1200.0], [1.1, 0.9])
