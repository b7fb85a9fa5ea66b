"""The one loop: order, newcomers, starting ratings, dated rules. No database."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import rating_system
from ratings.systems.base import Moment, PlayedGame, PlayerState, Side, Start, order_key
from ratings.systems.elo import Elo, EloSettings
from ratings.systems.replay import DatedRule, DatedRules, RatedGame, Reentry, Step, replay

DAY = date(2026, 1, 1)
RULES = DatedRules([DatedRule(date(1900, 1, 1), Elo(), EloSettings())])


def game(number: int, white: int, black: int, score: float, day: int = 0) -> PlayedGame:
    on = DAY + timedelta(days=day)
    return PlayedGame(number, white, black, score, order_key(on, 16 * number), on.toordinal())


def run(games: list[PlayedGame], starts: list[Start] | None = None, rules: DatedRules = RULES) -> tuple:  # type: ignore[type-arg]
    states: dict[int, PlayerState] = {}
    rows = list(replay(games, starts or [], states=states, birth_years={}, rules=rules))
    return rows, states


def test_newcomers_start_at_the_systems_start_and_the_thirty_first_game_has_the_lower_k() -> None:
    rows, states = run([game(1, 1, 2, 1.0)])
    assert (rows[0].white.before, rows[0].white.k) == (1500, 40)
    assert (states[1].rating, states[2].rating) == (1520, 1480)
    assert (states[1].wins, states[2].losses, states[1].games) == (1, 1, 1)
    rows, _ = run([game(number, 1, 2, 0.5) for number in range(1, 32)])
    assert [row.white.k for row in rows] == [40] * 30 + [20]


def test_a_starting_rating_comes_before_the_games_of_its_day_with_its_peak() -> None:
    rows, states = run([game(1, 1, 2, 0.0, day=3)], [Start(1, DAY + timedelta(days=3), 1900, games=45)])
    assert isinstance(rows[0], Step)
    assert rows[0].before is None
    assert (rows[1].white.before, rows[1].white.games, rows[1].white.k) == (1900, 45, 20)
    assert states[1].games == 46
    rows, _ = run([game(1, 1, 2, 1.0, day=1)], [Start(1, DAY, 2380, games=400, peak=2410)])
    assert rows[1].white.k == 10


def test_a_later_starting_rating_resets_the_rating_and_keeps_the_record() -> None:
    rows, states = run([game(1, 1, 2, 1.0), game(2, 1, 2, 1.0, day=9)], [Start(1, DAY + timedelta(days=5), 1700, 50)])
    assert [type(row) for row in rows] == [RatedGame, Step, RatedGame]
    assert (rows[1].before, rows[2].white.before) == (1520, 1700)
    assert states[1].wins == 2
    rows, states = run([game(1, 1, 2, 1.0)], [Start(1, DAY + timedelta(days=5), 1700), Start(3, DAY, 1600)])
    assert (states[1].rating, states[1].games) == (1700, 1)
    assert (states[3].rating, states[3].games) == (1600, 0)
    assert len(rows) == 3


def test_a_later_starting_rating_changes_what_it_brings_and_nothing_else() -> None:
    known = {"rating": 1520.0, "games": 7, "peak": 1600.0, "deviation": 80.0, "volatility": 0.05, "fixed_k": 15.0}
    brought = {"rating": 1700.0, "games": 50, "peak": 1800.0, "deviation": 60.0, "volatility": 0.04, "k": 24.0}
    for part, value in brought.items():
        states = {1: PlayerState(**known)}  # type: ignore[arg-type]
        start = Start(1, DAY, **{"rating": 1520.0, part: value})  # type: ignore[arg-type]
        list(replay([], [start], states=states, birth_years={}, rules=RULES))
        wanted = known | {"fixed_k" if part == "k" else part: value}
        wanted["peak"] = max(wanted["peak"], wanted["rating"])
        assert {name: getattr(states[1], name) for name in known} == wanted


def test_rules_are_read_by_their_date_and_moments_sort_like_their_order_keys() -> None:
    later = DAY + timedelta(days=10)
    first, second = DatedRule(DAY, Elo(), EloSettings()), DatedRule(later, Elo(), EloSettings(scale=800))
    rules = DatedRules([second, first])  # the first one holds before it too
    assert rules.on(DAY - timedelta(days=1)) is first
    assert rules.on(later - timedelta(days=1)) is first
    assert rules.on(later) is second
    moments = [Moment(DAY, 5), Moment(DAY), Moment(DAY + timedelta(days=1)), Moment(DAY, 2**39)]
    assert sorted(moments) == sorted(moments, key=lambda moment: moment.order)
    assert order_key(DAY, 7) == Moment(DAY, 7).order


def test_a_draw_between_equals_moves_nothing_so_the_rating_was_reached_before() -> None:
    first, second = game(1, 1, 2, 0.5), game(2, 1, 2, 0.5, day=4)
    _, states = run([first, second])
    assert (states[1].reached, states[1].last_played) == (first.order, second.played_on)


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
        sides = [(row.played.white, row.white) for row in played] + [(row.played.black, row.black) for row in played]
        after = [side.after for key, side in sides if key == player]
        assert state.peak == max([1500.0, *after])
        assert state.games == state.wins + state.draws + state.losses == len(after)


# --- periods, events that overlap, returns after a long absence ---------------------------------------------
BY_EVENT = DatedRules([DatedRule(date(1900, 1, 1), Elo(), Elo().read_settings({"period": "event"}))])


def in_event(played: PlayedGame, event: str, *, closed: bool = True) -> PlayedGame:
    return played._replace(event=event, closed=closed)


def test_an_event_is_rated_from_the_ratings_at_its_start_and_counts_when_it_is_over() -> None:
    rows, states = run([in_event(game(n, 1, 2, 1.0, day=n), "cup") for n in (1, 2, 3)], rules=BY_EVENT)
    played, steps = rows[:3], rows[3:]
    assert [row.white.before for row in played] == [1500] * 3
    assert [row.white.change for row in played] == [20] * 3
    assert [row.white.after for row in played] == [None] * 3
    assert [(step.kind, step.player, step.before, step.after) for step in steps] == [
        ("event", 1, None, 1560),
        ("event", 2, None, 1440),
    ]
    assert (states[1].games, states[1].wins, states[1].peak) == (3, 3, 1560)
    _, states = run(
        [in_event(game(n, 1, 2, score, day=n), "cup") for n, score in ((1, 1.0), (2, 0.5), (3, 1.0))], rules=BY_EVENT
    )
    assert [(each.games, each.wins, each.draws, each.losses, each.last_day) for each in (states[1], states[2])] == [
        (3, 2, 1, 0, states[1].last_day),
        (3, 0, 1, 2, states[1].last_day),
    ]


@pytest.mark.parametrize(("period", "together"), [("day", [1, 1, 2, 3]), ("month", [1, 1, 1, 2])])
def test_games_of_one_day_or_one_month_are_rated_together(period: str, together: list[int]) -> None:
    rules = DatedRules([DatedRule(date(1900, 1, 1), Elo(), Elo().read_settings({"period": period}))])
    games = [game(number, 1, 2, 1.0, day=day) for number, day in enumerate((-20, -20, -19, 19), start=1)]
    rows = run(games, rules=rules)[0]
    before = [row.white.before for row in rows if isinstance(row, RatedGame)]
    assert [sorted({*before}).index(rating) + 1 for rating in before] == together
    steps = [row.player for row in rows if isinstance(row, Step)]
    assert steps == [1, 2] * max(together), "one for each of them and each period"


def test_two_events_that_overlap_both_start_from_what_was_known_when_they_began() -> None:
    games = [
        in_event(game(1, 1, 2, 1.0, day=1), "long"),
        in_event(game(2, 1, 3, 1.0, day=2), "short"),
        in_event(game(3, 3, 2, 1.0, day=3), "long"),
    ]
    rows, states = run(games, rules=BY_EVENT)
    assert all(row.white.before == row.black.before == 1500 for row in rows if isinstance(row, RatedGame))
    assert (states[1].rating, states[3].rating) == (1500 + 20 + 20, 1500 - 20 + 20)
    assert [row.order for row in rows if isinstance(row, Step)] == [games[1].order] * 2 + [games[2].order] * 3


def test_only_games_that_were_rated_count_when_an_event_is_over() -> None:
    fide = Elo().read_settings({"method": "fide", "period": "event"})
    starts = [Start(player, DAY, 1600, games=40) for player in (1, 2)]
    games = [in_event(game(1, 3, 1, 0.0, day=1), "cup"), in_event(game(2, 2, 1, 0.0, day=2), "cup")]
    _, states = run(games, starts, DatedRules([DatedRule(DAY, Elo(), fide)]))
    counted = [(states[player].games, states[player].wins, states[player].losses) for player in (1, 2)]
    assert counted == [(41, 1, 0), (41, 0, 1)], "3 is unrated"


def test_a_running_event_is_rated_and_moves_nobody_yet() -> None:
    start = [Start(1, DAY, 1600, 40)]
    rows, states = run([in_event(game(1, 1, 2, 1.0, day=1), "cup", closed=False)], start, BY_EVENT)
    (row,) = [row for row in rows if isinstance(row, RatedGame)]
    assert (row.white.before, row.white.after) == (1600, None)
    assert row.white.change is not None
    assert row.white.change > 0
    assert states[1].rating == 1600
    assert 2 not in states


def test_a_starting_rating_within_an_event_does_not_change_what_the_event_started_from() -> None:
    games = [in_event(game(n, 1, 2, 0.5, day=n), "cup") for n in (1, 5)]
    rows, states = run(games, [Start(1, DAY + timedelta(days=3), 1900, 40)], BY_EVENT)
    assert [row.white.before for row in rows if isinstance(row, RatedGame)] == [1500, 1500]
    assert states[1].rating == 1900


def test_a_month_or_a_day_without_event_ends_a_period() -> None:
    rules = DatedRules([DatedRule(date(1900, 1, 1), Elo(), Elo().read_settings({"period": "month"}))])
    rows, _ = run([game(n, 1, 2, 1.0, day=day) for n, day in enumerate((0, 29, 30, 31, 32), start=1)], rules=rules)
    assert [row.white.before for row in rows if isinstance(row, RatedGame)] == [1500] * 3 + [1560] * 2
    rows, _ = run([game(n, 1, 2, 1.0, day=n // 2) for n in (2, 3, 4)], rules=BY_EVENT)
    assert [row.white.before for row in rows if isinstance(row, RatedGame)] == [1500, 1500, 1540]


def test_a_rule_by_the_event_can_follow_a_rule_by_the_game() -> None:
    later = DAY + timedelta(days=10)
    rules = DatedRules([DatedRule(DAY, Elo(), EloSettings()), DatedRule(later, Elo(), BY_EVENT.all[0].settings)])
    games = [game(1, 1, 2, 1.0, day=9), *(in_event(game(n, 1, 2, 1.0, day=9 + n), "cup") for n in (2, 3))]
    rows, states = run(games, rules=rules)
    assert rows[0].white.after == 1520
    assert [row.white.before for row in rows[1:3]] == [1520, 1520]
    assert states[1].games == 3


def test_a_period_takes_the_share_of_the_points_and_weighs_nothing_where_the_list_says_so() -> None:
    settings = Elo().read_settings({"period": "event", "margin": "share", "importance": False})
    played = game(1, 1, 2, 1.0)._replace(margin=2.0, scores=(3.0, 1.0), importance=2.0)
    _, states = run([in_event(played, "cup")], rules=DatedRules([DatedRule(DAY, Elo(), settings)]))
    assert (states[1].rating, states[2].rating) == (1510, 1490)


def test_a_game_rated_at_once_does_not_change_what_an_event_under_way_started_from() -> None:
    later = DAY + timedelta(days=10)
    rules = DatedRules([DatedRule(DAY, Elo(), BY_EVENT.all[0].settings), DatedRule(later, Elo(), EloSettings())])
    cup = [in_event(game(n, 1, 2, 0.5, day=day), "cup") for n, day in ((1, 1), (3, 12))]
    cup = [each._replace(rules_day=cup[0].day) for each in cup]
    rows, _ = run([cup[0], game(2, 1, 3, 1.0, day=11), cup[1]], [Start(1, DAY, 1600, 40)], rules)
    played = {row.played: row.white for row in rows if isinstance(row, RatedGame)}
    assert {played[each].before for each in cup} == {1600}
    assert sum(side.change != 0 for side in played.values()) == 3


def test_whoever_returns_after_years_is_on_probation_again_for_a_while() -> None:
    games = [game(1, 1, 2, 0.5), game(2, 3, 2, 0.5, day=500), *(game(n, 1, 2, 0.5, day=1197 + n) for n in (3, 4))]
    states: dict[int, PlayerState] = {}
    rule = Reentry(days=1095, games=10)
    by_event = [in_event(each, f"day {each.day}") for each in games]
    in_periods: dict[int, PlayerState] = {}
    list(replay(by_event, [], states=in_periods, birth_years={}, rules=BY_EVENT, reentry=rule))
    assert (in_periods[1].reentry, in_periods[2].reentry) == (8, 0), "events of a day, rated as periods"
    rows = list(replay(games, [], states=states, birth_years={}, rules=RULES, reentry=rule))
    assert (rows[0].white.reentry, rows[2].white.reentry, rows[3].white.reentry) == (0, 10, 9)
    assert (states[1].reentry, states[2].reentry) == (8, 0)
    in_time = list(replay(games, [], states={}, birth_years={}, rules=RULES, reentry=Reentry(days=1200, games=10)))
    assert in_time[2].white.reentry == 0, "away for exactly that long"


def test_the_whole_field_is_normalised_after_the_game_that_lifted_somebody_above_the_line() -> None:
    system = rating_system("solo-zerg")
    rules = DatedRules([DatedRule(DAY, system, system.read_settings({}))])
    starts = [Start(1, DAY, 2980), Start(2, DAY, 2980), Start(3, DAY, 1200)]
    rows, states = run([game(1, 1, 2, 1.0, day=1)], starts, rules)
    assert (rows[-2].white.after, rows[-1].kind, rows[-1].player, rows[-1].factor) == (3080, "normalise", None, 0.75)
    assert [states[player].rating for player in (1, 2, 3)] == [2310, 2160, 1000]


@pytest.mark.parametrize(
    ("white", "black", "is_rated"),
    [
        (Side(1500.0), Side(1500.0), False),
        (Side(1500.0, change=4.0, after=1504.0), Side(1500.0, change=-4.0, after=1496.0), True),
        (Side(1500.0, expected=0.5), Side(None), True),
        (Side(None), Side(1500.0, expected=0.5), True),
    ],
)
def test_a_game_is_rated_that_counts_for_one_of_the_two(white: Side, black: Side, is_rated: bool) -> None:
    assert RatedGame(game(1, 1, 2, 0.5), *white, *black).is_rated == is_rated
