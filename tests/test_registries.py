"""Contracts over every member of every registry: whoever adds a system gets these tests for nothing."""

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from ratings.systems import SYSTEMS, RatingSystem, rating_system
from ratings.systems.base import PlayerState
from tournaments.pairing import PAIRING_SYSTEMS, PairingError, PairingSystem, pairing_system
from tournaments.standings.crosstable import Meeting, build_crosstable
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES, POINT_SYSTEMS, Result, point_system, seen_from_black
from tournaments.standings.tiebreaks import TIEBREAKS, Tiebreak, tiebreak

ALGORITHMS = Path(__file__).resolve().parent.parent / "docs" / "algorithms"
each_system = pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.key)
each_pairing = pytest.mark.parametrize("pairing", PAIRING_SYSTEMS, ids=lambda system: system.key)
each_tiebreak = pytest.mark.parametrize("rule", TIEBREAKS, ids=lambda rule: rule.code)


@pytest.mark.parametrize(
    "keys",
    [
        [system.key for system in SYSTEMS],
        [system.key for system in PAIRING_SYSTEMS],
        [rule.code for rule in TIEBREAKS],
        [points.key for points in POINT_SYSTEMS],
    ],
    ids=["systems", "pairing systems", "tie-breaks", "point systems"],
)
def test_every_key_stands_once(keys: list[str]) -> None:
    assert len(keys) == len(set(keys))


@each_system
def test_a_rating_system_keeps_its_contract(system: RatingSystem) -> None:
    assert rating_system(system.key) is system
    settings = system.read_settings({})
    start = system.start(settings)
    white, black = (PlayerState(start, 0, start) for _ in range(2))
    for score in (1.0, 0.5, 0.0):
        for side, state in zip(
            system.rate(white, black, score, date(2026, 1, 1), settings), (white, black), strict=True
        ):
            assert side.before == state.rating == start, "rating a game changes no state"
            assert side.after == pytest.approx(side.before + side.change)
            assert 0 <= side.expected <= 1
    with pytest.raises(ValueError, match="has no setting"):
        system.read_settings({"no such setting": 1})


@each_system
def test_a_rating_system_has_its_page(system: RatingSystem) -> None:
    assert (ALGORITHMS / f"{system.key}.md").is_file()


@each_pairing
def test_a_pairing_system_keeps_its_contract(pairing: PairingSystem) -> None:
    assert pairing_system(pairing.key) is pairing
    for players in range(pairing.min_players, pairing.max_players + 1):
        for boards in pairing.schedule(players, {}):
            seated = [number for board in boards for number in (board.white, board.black) if number is not None]
            assert sorted(seated) == list(range(1, players + 1)), "everybody sits once in every round"
            assert [board.is_bye for board in boards] == sorted(board.is_bye for board in boards), "byes come last"
    for players in (pairing.min_players - 1, pairing.max_players + 1):
        with pytest.raises(PairingError):
            pairing.schedule(players, {})


@each_pairing
def test_a_pairing_system_has_its_page(pairing: PairingSystem) -> None:
    assert (ALGORITHMS / f"{pairing.key}.md").is_file()


@each_tiebreak
def test_a_tiebreak_keeps_its_contract(rule: Tiebreak) -> None:
    assert tiebreak(rule.code) is rule
    assert rule.name
    assert rule.rule.endswith(".")
    points = POINT_SYSTEMS[0]
    empty = build_crosstable([1, 2], [], [], points)
    assert rule.value(1, empty, points) == 0
    meetings = [Meeting(1, 1, 2, Result.WHITE_WINS), Meeting(2, 3, 1, Result.DRAW), Meeting(3, 2, 3, Result.DRAW)]
    table = build_crosstable([1, 2, 3], meetings, [], points)
    shuffled = build_crosstable([3, 1, 2], meetings[::-1], [], points)
    for player in (1, 2, 3):
        value = rule.value(player, table, points)
        assert isinstance(value, Fraction)
        assert value == rule.value(player, shuffled, points), "the order of players and games does not matter"


@each_tiebreak
def test_a_tiebreak_has_its_page(rule: Tiebreak) -> None:
    assert (ALGORITHMS / f"{rule.code}.md").is_file()


@pytest.mark.parametrize("points", POINT_SYSTEMS, ids=lambda points: points.key)
def test_a_point_system_orders_win_draw_loss(points: object) -> None:
    system = point_system(points.key)  # type: ignore[attr-defined]
    assert system.win > system.draw > system.loss >= 0


@pytest.mark.parametrize("code", list(Result), ids=repr)
def test_every_result_code_means_something_on_both_sides(code: Result) -> None:
    outcome, mirrored = OUTCOMES[code], OUTCOMES[seen_from_black(code)]
    assert (outcome.white, outcome.black) == (mirrored.black, mirrored.white)
    assert outcome.shown == mirrored.shown[::-1]
    assert (outcome.white is None) == (outcome.black is None) == (code not in DECIDED_RESULTS)
    assert not outcome.rated or (outcome.played and outcome.white is not None)
