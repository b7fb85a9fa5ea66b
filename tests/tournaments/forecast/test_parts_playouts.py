"""Groups then a knockout, and stations: as sampled, against every ending of small events gone through by hand."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from random import Random

import numpy
import pytest

from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tests.tournaments.forecast.playing_cases import RATE, adds_up, chance_of, known, near, quiet, rng, unsure
from tournaments.forecast.groups_playouts import Group, GroupsToCome, play_bracket_after, play_groups, with_the_others
from tournaments.forecast.knockout_playouts import KnockoutToCome, play_knockout
from tournaments.forecast.outcomes import Running, all_outcomes
from tournaments.forecast.outlook import Strengths
from tournaments.forecast.stations_playouts import Played, Standing, Station, StationsToCome, play_stations
from tournaments.pairing.groups import seeds
from tournaments.pairing.knockout import Knockout
from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import Result, point_system
from tournaments.standings.tiebreaks import tiebreaks_of

SAMPLES = 6000
STRONG = unsure(1700.0, 1600.0, 1550.0, 1500.0, 1480.0, 1400.0, draws=2)
OPEN, ONE, HALF = Result.OPEN, Result.WHITE_WINS, Result.DRAW


# --- groups -------------------------------------------------------------------------------------------------------
def group(numbers: tuple[int, ...], results: Sequence[Result], tiebreaks: str = "", gone: int = 0) -> Group:
    pairs = ((1, 2), (3, 1), (2, 3))
    meetings = tuple(
        Meeting(at, *pair, result) for at, (pair, result) in enumerate(zip(pairs, results, strict=True), 1)
    )
    running = Running((1, 2, 3), meetings, point_system("classic"), tiebreaks_of(tiebreaks))
    return Group(running, numbers, frozenset({gone} - {0}))


def orders(one: Group, strong: Mapping[int, float]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Every order of a group, by the event's numbers, with its chance; whoever is level is parted in every way."""
    for played in all_outcomes(one.running):
        chance = 1.0
        for meeting, before in zip(played, one.running.meetings, strict=True):
            if one.running.is_open(before):
                white, black = (strong[one.numbers[player - 1]] for player in (meeting.white, meeting.black))
                chance *= chance_of(white, black, meeting, before)
        standings = one.running.standings(one.running.table(played))
        places = {line.player: line.place + 10 * (line.player in one.gone) for line in standings}
        ways = [way for way in permutations((1, 2, 3)) if [places[each] for each in way] == sorted(places.values())]
        for way in ways:
            yield chance / len(ways), tuple(one.numbers[player - 1] for player in way)


def groups_by_hand(to_come: GroupsToCome, strengths: Strengths) -> list[list[float]]:
    """Every order of both groups, then the bracket of those who come through, for every draw of strengths."""
    size, seeded = len(to_come.players), len(to_come.seeds)
    found = [[0.0] * size for _player in range(size)]
    for row in strengths.draws:
        strong = dict(zip(strengths.players, row.tolist(), strict=True))
        for (one, first), (other, second) in product(*(list(orders(each, strong)) for each in to_come.groups)):
            through = [(first, second)[number][place] for number, place in to_come.seeds]
            own = Strengths(tuple(range(1, seeded + 1)), numpy.array([[strong[who] for who in through]]), RATE)
            places = play_knockout(to_come.knockout, own, 1, rng(), quiet).places
            for player in to_come.players:
                shares = [1 / (size - seeded)] * (size - seeded)
                line = (
                    [*places[through.index(player)], *[0] * len(shares)] if player in through else [0] * seeded + shares
                )
                for place, share in enumerate(line):
                    found[player - 1][place] += one * other * share / len(strengths.draws)
    return found


@pytest.mark.parametrize(
    ("qualifiers", "results", "tiebreaks", "gone"),
    [
        (2, (OPEN, OPEN, OPEN), "", 0),
        (2, (ONE, OPEN, HALF), "DE, SB", 0),
        (1, (HALF, HALF, HALF), "SB", 0),
        (1, (ONE, ONE, OPEN), "SB", 3),
    ],
)
def test_groups_sampled_are_every_ending_gone_through(
    qualifiers: int, results: Sequence[Result], tiebreaks: str, gone: int
) -> None:
    groups = group((1, 4, 5), results, tiebreaks, gone), group((2, 3, 6), (ONE, OPEN, OPEN), tiebreaks)
    members = seeds(2, qualifiers)
    bracket = Knockout().bracket(len(members), {"seeding": "given"}, Random(0))
    to_come = GroupsToCome(groups, members, KnockoutToCome(bracket, games=2))
    outlook = play_groups(to_come, STRONG, SAMPLES, rng(), quiet)
    assert (outlook.players, outlook.method, outlook.points) == ((1, 2, 3, 4, 5, 6), "sampled", None)
    assert adds_up(outlook)
    assert near(outlook, groups_by_hand(to_come, STRONG), SAMPLES)


def test_once_the_bracket_is_drawn_the_others_share_the_places_behind_it() -> None:
    bracket = KnockoutToCome(Knockout().bracket(4, {"seeding": "given"}, Random(0)), {(1, 1): 2})
    found = play_bracket_after(bracket, (1, 3, 2, 4), STRONG.players, STRONG, 1, rng(), quiet)
    alone = play_knockout(bracket, Strengths((1, 2, 3, 4), STRONG.draws[:, [0, 2, 1, 3]], RATE), 1, rng(), quiet)
    assert adds_up(found)
    assert found.places[[0, 2, 1, 3], :4] == pytest.approx(alone.places)
    assert found.places[4:, 4:] == pytest.approx(numpy.full((2, 2), 0.5))
    assert with_the_others(numpy.eye(3)).tolist() == numpy.eye(3).tolist(), "nobody is left behind"
    for draws in (numpy.zeros(3), numpy.zeros((2, 2)), numpy.zeros((0, 3))):
        with pytest.raises(ValueError, match="draws by players"):
            Strengths((1, 2, 3), draws, RATE)


# --- stations -----------------------------------------------------------------------------------------------------
K = 20.0
THREE = unsure(1700.0, 1600.0, 1500.0, draws=2)
NOW = {1: Standing(1500.0, 1500.0), 2: Standing(1490.0, 1490.0), 3: Standing(1500.0, 1500.0)}


def moved(ratings: Mapping[int, float], white: int, black: int, score: float) -> dict[int, float]:
    change = K * (score - 1 / (1 + 10 ** ((ratings[black] - ratings[white]) / 400)))
    return {**ratings, white: ratings[white] + change, black: ratings[black] - change}


def rate(games: Sequence[Played]) -> Mapping[int, float]:
    ratings = {player: each.now for player, each in NOW.items()}
    for game in games:
        ratings = moved(ratings, *game)
    return {player: ratings[player] - NOW[player].now for player in ratings}


Ending = tuple[float, dict[int, float]]


def station_by_hand(
    lines: tuple[int, int, int], known: int, begun: Ending, strong: Sequence[float]
) -> Iterator[Ending]:
    """A station of three: the first line has the bye, the others meet; then the final. `known`: who has won the first
    match already (0: nobody)."""
    bye, above, below = lines
    chance, ratings = begun
    for first in (known,) if known else (above, below):
        for share, after in [(1.0, ratings)] if known else list(match(above, below, first, ratings, strong)):
            for winner in (bye, first):
                for more, ended in match(bye, first, winner, after, strong):
                    yield chance * share * more, ended


def match(upper: int, lower: int, winner: int, ratings: dict[int, float], strong: Sequence[float]) -> Iterator[Ending]:
    """Won outright, or drawn and then won by the odds of a win against a loss."""
    odds = odds_of(expected_score(strong[upper - 1], strong[lower - 1]), RATE)
    wins = odds.win if winner == upper else odds.loss
    yield wins, moved(ratings, upper, lower, float(winner == upper))
    yield odds.draw * wins / (odds.win + odds.loss), moved(ratings, upper, lower, 0.5)


def stations_by_hand(drawn: tuple[int, int, int], known: int) -> list[list[float]]:
    """The first station as it is drawn, a second one drawn in each of six ways."""
    found = [[0.0] * 3 for _player in range(3)]
    now = {player: each.now for player, each in NOW.items()}
    for strong in THREE.draws.tolist():
        for begun in station_by_hand(drawn, known, (1.0, now), strong):
            for lines in permutations((1, 2, 3)):
                for chance, ratings in station_by_hand(lines, 0, begun, strong):
                    keys = {who: (round(ratings[who], 6), NOW[who].before) for who in ratings}
                    for who, key in keys.items():
                        ahead = sum(other > key for other in keys.values())
                        level = sum(other == key for other in keys.values())
                        for place in range(ahead, ahead + level):
                            found[who - 1][place] += chance / level / 6 / len(THREE.draws)
    return found


@pytest.mark.parametrize("known", [0, 2])
def test_stations_sampled_are_every_draw_and_ending_gone_through(known: int) -> None:
    """A draw of two leaves 1 and 3 with the same rating now and then: they share the place."""
    bracket = Knockout().bracket(3, {"seeding": "given", "pairs": "crossed"}, Random(0))
    winners = {(1, 2): 3} if known else {}
    assert [(match.upper.seed, match.lower.seed) for match in bracket[:2]] == [(1, None), (2, 3)]
    first = Station(KnockoutToCome(bracket, winners), (1, 3, 2), drawn=True)
    second = Station(KnockoutToCome(bracket), (1, 2, 3), drawn=False)
    outlook = play_stations(StationsToCome((first, second), NOW), THREE, SAMPLES, rate, rng(), quiet)
    assert adds_up(outlook)
    assert near(outlook, stations_by_hand((1, 3, 2), known), SAMPLES)


def test_a_match_goes_on_from_its_lead_until_it_is_decided() -> None:
    """The first one always wins; they change colours. Of three games the last one is not needed."""
    won, again = (1, 2, 1.0), (2, 1, 0.0)
    for lead, expected in (((0, 3), [won, again]), ((-2, 2), [won, again]), ((-2, 1), [won]), ((-4, 1), [])):
        found: list[list[Played]] = []
        to_come = KnockoutToCome(Knockout().bracket(2, {}, Random(0)), {}, {(1, 1): lead})
        stations = StationsToCome((Station(to_come, (1, 2), drawn=True),), {1: NOW[1], 2: NOW[2]})
        play_stations(
            stations, known(9000, 1000), 2, lambda games, into=found: into.append([*games]) or {}, rng(), quiet
        )
        assert found == [expected] * 2


def test_nothing_left_to_play_is_the_order_by_rating_and_then_by_the_rating_before() -> None:
    ratings = {1: Standing(1500.0, 1510.0), 2: Standing(1520.0, 1510.0), 3: Standing(1500.0, 1510.0)}
    found = play_stations(StationsToCome((), ratings), THREE, 4, rate, rng(), quiet)
    assert found.places.tolist() == [[0, 0.5, 0.5], [1, 0, 0], [0, 0.5, 0.5]]
