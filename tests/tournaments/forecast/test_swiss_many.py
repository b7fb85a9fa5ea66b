"""Many Swisses at once: what is kept in columns is what the crosstables say, and comes out as one by one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy
import pytest

from tests.tournaments.forecast.playing_cases import near, rng, unsure
from tests.tournaments.forecast.test_swiss_playouts import DRAW, OPEN, WON, played, strong, swiss
from tournaments.forecast import swiss_rounds
from tournaments.forecast.outlook import SAMPLED_FAST
from tournaments.forecast.round_robin_playouts import OpenGames, draw_codes
from tournaments.forecast.swiss_playouts import ManySwisses
from tournaments.pairing.base import Field, PairedRound, PairingError
from tournaments.pairing.dutch.system import Dutch
from tournaments.standings.points import POINT_SYSTEMS

SAMPLES = 12


class Helpless(Dutch):
    """Finds no round, so that the fast pairing takes its place."""

    def pair_round(self, field: Field, settings: Mapping[str, Any]) -> PairedRound:
        raise PairingError("No round.")


def many_of(players: int, points: str, rounds: int = 4, games: int = 1) -> ManySwisses:
    """An event after a first round with open games, three more rounds played; its first round is round 2."""
    results = (OPEN, WON, *[DRAW] * (players // 2 - 2))
    running, to_come = swiss(players, rounds, points=points, results=results)
    meetings, byes = (tuple(replace(one, round=2) for one in some) for some in (running.meetings, running.byes))
    running = replace(running, meetings=meetings, byes=byes, swiss=True, rounds=rounds + 1)
    to_come = replace(to_come, settings={"rounds": rounds, "games": games}, offset=1)
    left, strengths = OpenGames(running), unsure(*strong(players))
    rows = numpy.arange(SAMPLES)
    codes = draw_codes(left.chances(strengths, rows), left.drawn, running.points, rng())
    many = ManySwisses(left, to_come, codes, strengths.draws[rows], strengths.rate)
    for number in range(3, rounds + 2):
        many.play(number, rng(number))
    return many


@pytest.mark.parametrize("points", [system.key for system in POINT_SYSTEMS])
def test_the_points_are_those_of_the_crosstable(points: str) -> None:
    for players in (7, 8):
        many = many_of(players, points)
        for row in range(SAMPLES):
            table = many.table(row)
            assert [line.points for line in table.values()] == many.points[row].tolist(), players
            assert [len(line.cells) + len(line.byes) for line in table.values()] == [4] * players


@pytest.mark.parametrize("players", [7, 8])
def test_nobody_meets_twice_and_colours_are_kept_even(players: int) -> None:
    many = many_of(players, "classic")
    for row in range(SAMPLES):
        for line in many.table(row).values():
            assert len({cell.opponent for cell in line.cells}) == len(line.cells)
            whites = sum(cell.is_white for cell in line.cells)
            assert abs(2 * whites - len(line.cells)) <= 2


@pytest.mark.parametrize("players", [7, 8])
def test_return_games_have_the_boards_of_the_round_before(players: int) -> None:
    """The first of them those of a published round, the next those of a round that was paired here."""
    for row, table in enumerate(map((many := many_of(players, "classic", games=2)).table, range(SAMPLES))):
        for line in table.values():
            cells = {cell.round: cell for cell in line.cells}
            for first in (2, 4):
                pair = [cells[number] for number in (first, first + 1) if number in cells]
                assert len({cell.opponent for cell in pair}) == min(len(pair), 1)
                assert len({cell.is_white for cell in pair}) == len(pair)
            assert len(cells) in (2, 4)
        assert [line.points for line in table.values()] == many.points[row].tolist()


def test_all_at_once_comes_out_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without floats and colours, the same events: once through the ways they go, once in columns."""
    running, to_come = swiss(7, 4, results=(OPEN, WON, DRAW))
    event, strengths = (running, replace(to_come, system=Helpless())), unsure(*strong(7))
    one_by_one = played(event, strengths, 300, seed=1)
    monkeypatch.setattr(swiss_rounds, "EXACT_FIELD", 0)
    at_once = played(event, strengths, 300, seed=2)
    assert (one_by_one.method, at_once.method) == (SAMPLED_FAST, SAMPLED_FAST)
    settled, last = swiss(6, 2, results=(WON, DRAW, DRAW))
    assert played((settled, replace(last, system=Helpless())), strengths, 9).method == SAMPLED_FAST, "of one ending too"
    assert near(at_once, one_by_one.places, 300 // 2), "both are sampled: twice the variance"


def test_room_for_fewer_samples_changes_nothing_but_the_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swiss_rounds, "EXACT_FIELD", 0)
    event, strengths = swiss(8, 3), unsure(*strong(8))
    whole = played(event, strengths, 400)
    monkeypatch.setattr("tournaments.forecast.swiss_playouts.ROOM", 8 * 8 * 60)
    assert near(played(event, strengths, 400), whole.places, 200)
