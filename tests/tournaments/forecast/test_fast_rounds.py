"""Rounds of many events at once: the very pairs of the fast Swiss, event by event."""

import numpy
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.forecast.playing_cases import rng
from tournaments.forecast.swiss_rounds import pair_fast, pair_many


@given(players=st.integers(1, 13), rounds=st.integers(1, 12), seed=st.integers(0, 10**6))
def test_every_event_is_paired_as_it_is_alone(players: int, rounds: int, seed: int) -> None:
    """Up to rounds in which somebody stays over, and those in which pairs must meet again."""
    events, chance = 6, rng(seed)
    points = numpy.zeros((events, players), int)
    met = numpy.zeros((events, players, players), bool)
    had_bye = numpy.zeros((events, players), bool)
    for _round in range(rounds):
        boards, byes = pair_many(points, met, had_bye)
        assert boards.shape == (events, players // 2, 2)
        for event in range(events):
            known = [set(numpy.flatnonzero(row).tolist()) for row in met[event]]
            pairs, bye = pair_fast(points[event].tolist(), known, had_bye[event].tolist())
            assert {tuple(pair) for pair in boards[event].tolist()} == set(pairs)
            assert bye == (None if byes is None else byes[event])
            if bye is not None:
                had_bye[event, bye] = True
                points[event, bye] += 2
            for one, other in pairs:
                met[event, one, other] = met[event, other, one] = True
                halves = chance.integers(3)
                points[event, one] += halves
                points[event, other] += 2 - halves
