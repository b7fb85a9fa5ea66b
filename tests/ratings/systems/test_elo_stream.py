"""The loop written out for long streams and the general replay give the same rows, to the last bit."""

from dataclasses import asdict
from datetime import date, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ratings.systems.base import GameRow, PlayedGame, PlayerState, Start, order_key
from ratings.systems.elo import PRESETS, Elo, EloSettings
from ratings.systems.replay import DatedRule, DatedRules, replay
from tests.choosing import examples

DAY = date(2020, 1, 1)
PLAYERS = 6
PLAIN = [name for name in PRESETS if Elo().stream_rater(Elo().read_settings({"preset": name}))]

games = st.lists(
    st.tuples(
        st.integers(1, PLAYERS),
        st.integers(1, PLAYERS),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.integers(0, 900),
        st.sampled_from([1.0, 1.0, 0.5, 2.0]),
    ).filter(lambda row: row[0] != row[1]),
    max_size=120,
)
starts = st.lists(
    st.tuples(
        st.integers(1, PLAYERS),
        st.integers(0, 900),
        st.sampled_from([900.0, 1500.0, 2290.0, 2299.0, 2395.0, 2420.0]),
        st.sampled_from([None, 0, 28, 29, 30, 31]),
        st.sampled_from([None, None, 17.0]),
    ),
    max_size=8,
)


class General(Elo):
    """Elo without its stream."""

    def stream_rater(self, settings: EloSettings) -> None:
        return None


def run(
    system: Elo, raw: dict[str, object], played: list[PlayedGame], begun: list[Start]
) -> tuple[list[GameRow], dict]:  # type: ignore[type-arg]
    states: dict[int, PlayerState] = {}
    rules = DatedRules([DatedRule(DAY, system, system.read_settings(raw))])
    births = {1: 2003, 2: 2002, 3: None}
    rows = list(replay(played, begun, states=states, birth_years=births, rules=rules))
    return rows, {player: asdict(state) for player, state in states.items()}


def test_every_plain_preset_has_a_stream() -> None:
    assert PLAIN == ["club", "fide-simple", "fide-old", "uscf", "diary", "study", "constant"]
    assert Elo().stream_rater(Elo().read_settings({"curve": "fide-table"})) is None, "it knows one curve"


@pytest.mark.parametrize("preset", PLAIN)
@examples(100)
@given(rows=games, begun=starts)
@example(rows=[(1, 3, 0.0, 400, 1.0), (1, 3, 0.0, 800, 1.0)], begun=[(1, 0, 1500.0, 30, None)])  # 18, then 19
def test_both_ways_agree_to_the_last_bit(
    preset: str, rows: list[tuple[int, int, float, int, float]], begun: list[tuple[int, int, float, int | None, float]]
) -> None:
    played = sorted(
        (
            PlayedGame(
                n, white, black, score, order_key(DAY + timedelta(days=day), n), DAY.toordinal(), None, True, weight
            )
            for n, (white, black, score, day, weight) in enumerate(rows, start=1)
        ),
        key=lambda game: game.order,
    )
    brought = sorted(
        (Start(player, DAY + timedelta(days=day), rating, count, k=k) for player, day, rating, count, k in begun),
        key=lambda start: start.order,
    )
    raw = {"preset": preset}
    assert run(Elo(), raw, played, brought) == run(General(), raw, played, brought)
