"""Games to come, drawn or gone through: each way is worth what the crosstable says of it."""

import numpy
import pytest

from tests.tournaments.forecast.playing_cases import RATE, known, rng, spread_of, unsure
from tests.tournaments.forecast.test_outcomes import event
from tournaments.forecast.outcomes import DRAWN, DRAWN_LOST, DRAWN_WON, LOST, WON, all_outcomes
from tournaments.forecast.outlook import chances_of
from tournaments.forecast.round_robin_playouts import OpenGames, draw_codes
from tournaments.standings.points import POINT_SYSTEMS, point_system

each_points = pytest.mark.parametrize("points", [system.key for system in POINT_SYSTEMS])
HALF_OPEN = "1= .. =."  # in an armageddon event the drawn games wait for their deciding ones


@each_points
def test_the_ways_have_the_crosstables_points_and_their_chances_add_up(points: str) -> None:
    one = event(HALF_OPEN, points=points)
    games = OpenGames(one)
    assert [tuple(games.played(row)) for row in games.all_codes().tolist()] == list(all_outcomes(one))
    assert len(games.all_codes()) == games.ways == {"armageddon": 4**3 * 2**2}.get(points, 27)
    codes = games.all_codes()
    for row, own in zip(codes.tolist(), games.points(codes).tolist(), strict=True):
        table = one.table(games.played(row))
        assert games.table(row) == table
        assert own == [table[player].points for player in one.players]
    chances = games.all_chances(unsure(1700, 1500, 1450, 1400), at_once=7)
    assert chances.sum() == pytest.approx(1.0)
    assert (chances > 0.0).all()
    assert chances == pytest.approx(games.all_chances(unsure(1700, 1500, 1450, 1400)))


def test_an_event_that_is_over_has_one_ending() -> None:
    games = OpenGames(event("11 11 11"))
    assert (games.ways, games.all_codes().shape) == (1, (1, 0))
    assert games.all_chances(known(1500, 1500, 1500, 1500)).tolist() == [1.0]


def test_endings_come_as_often_as_they_should_and_a_draw_is_decided_by_armageddon() -> None:
    many = 20_000
    chances = chances_of(numpy.full(many, 1600.0), numpy.full(many, 1500.0), RATE)
    codes = draw_codes(chances, numpy.array(False), point_system("classic"), rng())
    for code, share in ((WON, chances.win[0]), (DRAWN, chances.draw[0]), (LOST, chances.loss[0])):
        assert abs((codes == code).mean() - share) < 4 * spread_of(share, many)
    points = point_system("armageddon")
    codes = draw_codes(chances, numpy.array(False), points, rng())
    white = chances.decided[0]
    for code, share in ((DRAWN, 0.0), (DRAWN_WON, chances.draw[0] * white), (LOST, chances.loss[0])):
        assert abs((codes == code).mean() - share) <= 4 * spread_of(share, many)
    waiting = draw_codes(chances, numpy.array(True), points, rng())
    assert set(waiting.tolist()) == {DRAWN_WON, DRAWN_LOST}
    assert abs((waiting == DRAWN_WON).mean() - white) < 4 * spread_of(white, many)
