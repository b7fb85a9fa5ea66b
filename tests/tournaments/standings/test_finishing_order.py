"""The order alone is the order of the standings."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tournaments.pairing.base import CLASSIC
from tournaments.pairing.dutch.system import Dutch
from tournaments.pairing.simulation import Plan, simulate
from tournaments.standings.crosstable import build_crosstable, sides_of, table_of_sides
from tournaments.standings.rank import finishing_order, rank
from tournaments.standings.tiebreaks import Contest, tiebreaks_of

CODES = ("", "DE", "BH/C1, BH, DE, SB", "WIN, DE, KS", "SB, LOTS", "TPR, PS", "FB, DE/P")


@pytest.mark.extended
@pytest.mark.parametrize("codes", CODES)
@given(seed=st.integers(0, 10**6), players=st.integers(3, 14), swiss=st.booleans())
@examples(100)
def test_places_are_those_of_the_standings(codes: str, seed: int, players: int, swiss: bool) -> None:
    settings_ = {"rounds": 3, "first_colour": "white", "acceleration": "none"}
    event = simulate(Plan(Dutch(), max(players, 6), settings_), Random(seed))
    numbers = [one.number for one in event.entrants]
    table = build_crosstable(numbers, event.meetings, event.byes, CLASSIC, frozenset({numbers[-1]}))
    games = [sides_of(meeting, CLASSIC, {numbers[-1]}) for meeting in event.meetings]
    assert table_of_sides(numbers, games, event.byes, {numbers[-1]}) == table
    contest = Contest(table, CLASSIC, 3, swiss, lots=seed)
    places: dict[int, int] = {}
    for group in finishing_order(contest, tiebreaks_of(codes)):
        places |= dict.fromkeys(group, len(places) + 1)
    assert places == {line.player: line.place for line in rank(contest, tiebreaks_of(codes))}
