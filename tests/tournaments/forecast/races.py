"""Small tables with games to come, and every way to play them out: what the forecasts of needs are checked against."""

from collections.abc import Iterator
from itertools import combinations, product

from hypothesis import strategies as st

from tournaments.forecast.clinching import Race, Ties

Table = dict[int, int]
both_ties = st.sampled_from(list(Ties))


@st.composite
def races(draw: st.DrawFn, largest: int = 5, games: int = 6) -> Race:
    """Up to five players (numbers with gaps, 0 among them) close together, and up to six games to come, some twice."""
    size = draw(st.integers(2, largest))
    players = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size, unique=True))
    points = {player: draw(st.integers(0, 7)) for player in players}
    pairs = st.sampled_from(list(combinations(players, 2)))
    return Race(points, tuple(draw(st.lists(pairs, max_size=games))))


def finished(race: Race) -> Iterator[tuple[tuple[int, ...], Table]]:
    """Every outcome: the half-points of the first named in each game, and the final table."""
    for halves in product((0, 1, 2), repeat=len(race.games)):
        points = dict(race.points)
        for (one, other), mine in zip(race.games, halves, strict=True):
            points[one] += mine
            points[other] += 2 - mine
        yield halves, points


def is_among(points: Table, player: int, top: int, ties: Ties) -> bool:
    own = points[player]
    others = [theirs for other, theirs in points.items() if other != player]
    passed = sum(theirs > own if ties is Ties.SHARED else theirs >= own for theirs in others)
    return passed < top


def own_halves(race: Race, player: int, halves: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        mine if player == one else 2 - mine
        for (one, other), mine in zip(race.games, halves, strict=True)
        if player in (one, other)
    )
