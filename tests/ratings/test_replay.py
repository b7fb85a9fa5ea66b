"""The one loop: order, newcomers, starting ratings, dated rules. No database."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Moment, PlayedGame, PlayerState, Start, order_key
from ratings.systems.elo import Elo, EloSettings
from ratings.systems.replay import DatedRule, DatedRules, RatedGame, Started, replay

DAY = date(2026, 1, 1)
RULES = DatedRules([DatedRule(date(1900, 1, 1), Elo(), EloSettings())])


def game(number: int, white: int, black: int, score: float, day: int = 0) -> PlayedGame:
    on = DAY + timedelta(days=day)
    return PlayedGame(number, white, black, score, on, 16 * number, on)


def run(games: list[PlayedGame], starts: list[Start] | None = None, rules: DatedRules = RULES) -> tuple:  # type: ignore[type-arg]
    states: dict[int, PlayerState] = {}
    rows = list(replay(games, starts or [], states=states, birth_years={}, rules=rules))
    return rows, states


def test_newcomers_start_at_the_systems_start_and_their_first_game_counts() -> None:
    rows, states = run([game(1, 1, 2, 1.0)])
    assert rows[0].white.before == 1500
    assert rows[0].white.k == 40
    assert (states[1].rating, states[2].rating) == (1520, 1480)
    assert (states[1].wins, states[2].losses, states[1].games) == (1, 1, 1)


def test_the_thirty_first_game_is_the_first_with_the_lower_k() -> None:
    rows, _ = run([game(number, 1, 2, 0.5) for number in range(1, 32)])
    assert [row.white.k for row in rows] == [40] * 30 + [20]


def test_a_starting_rating_comes_before_the_games_of_its_day() -> None:
    rows, states = run([game(1, 1, 2, 0.0, day=3)], [Start(1, DAY + timedelta(days=3), 1900, games=45)])
    assert isinstance(rows[0], Started)
    assert rows[0].before is None
    assert (rows[1].white.before, rows[1].white.games, rows[1].white.k) == (1900, 45, 20)
    assert states[1].games == 46


def test_a_later_starting_rating_resets_the_rating_and_keeps_the_record() -> None:
    rows, states = run([game(1, 1, 2, 1.0), game(2, 1, 2, 1.0, day=9)], [Start(1, DAY + timedelta(days=5), 1700, 50)])
    assert [type(row) for row in rows] == [RatedGame, Started, RatedGame]
    assert rows[1].before == 1520
    assert rows[2].white.before == 1700
    assert states[1].wins == 2


def test_a_starting_rating_without_games_keeps_those_counted() -> None:
    rows, states = run([game(1, 1, 2, 1.0)], [Start(1, DAY + timedelta(days=5), 1700), Start(3, DAY, 1600)])
    assert (states[1].rating, states[1].games) == (1700, 1)
    assert (states[3].rating, states[3].games) == (1600, 0)
    assert len(rows) == 3


def test_a_known_peak_counts_for_k() -> None:
    rows, _ = run([game(1, 1, 2, 1.0, day=1)], [Start(1, DAY, 2380, games=400, peak=2410)])
    assert rows[1].white.k == 10


def test_rules_are_read_by_their_date_and_the_first_holds_before_it() -> None:
    later = DAY + timedelta(days=10)
    first, second = DatedRule(DAY, Elo(), EloSettings()), DatedRule(later, Elo(), EloSettings(scale=800))
    rules = DatedRules([second, first])
    assert rules.on(DAY - timedelta(days=1)) is first
    assert rules.on(later - timedelta(days=1)) is first
    assert rules.on(later) is second


def test_a_draw_between_equals_moves_nothing_so_the_rating_was_reached_before() -> None:
    first, second = game(1, 1, 2, 0.5), game(2, 1, 2, 0.5, day=4)
    _, states = run([first, second])
    assert states[1].reached == first.order
    assert states[1].last_played == second.played_on


def test_a_moment_sorts_like_its_order_key() -> None:
    moments = [Moment(DAY, 5), Moment(DAY), Moment(DAY + timedelta(days=1)), Moment(DAY, 2**39)]
    assert sorted(moments) == sorted(moments, key=lambda moment: moment.order)
    assert order_key(DAY, 7) == Moment(DAY, 7).order


STREAMS = st.lists(
    st.tuples(st.integers(1, 5), st.integers(1, 5), st.sampled_from([0.0, 0.5, 1.0])).filter(
        lambda row: row[0] != row[1]
    ),
    max_size=60,
)


@given(STREAMS)
def test_the_record_adds_up_and_the_peak_is_the_highest(rows: list[tuple[int, int, float]]) -> None:
    played, states = run([game(number, *row, day=number) for number, row in enumerate(rows, start=1)])
    assert sum(state.games for state in states.values()) == 2 * len(rows)
    for player, state in states.items():
        after = [side.after for row in played for side in _sides_of(row, player)]
        assert state.peak == max([1500.0, *after])
        assert state.games == state.wins + state.draws + state.losses == len(after)


def _sides_of(row: RatedGame, player: int) -> list:  # type: ignore[type-arg]
    return [side for side, key in ((row.white, row.played.white), (row.black, row.played.black)) if key == player]
