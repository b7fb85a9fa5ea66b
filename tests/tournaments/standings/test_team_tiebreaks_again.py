"""Every family of tie-breaks of teams computed a second time, in events drawn at random."""

import pytest
from hypothesis import given

from tests.choosing import examples
from tests.tournaments.standings.team_events import events
from tests.tournaments.standings.team_tiebreaks_plainly import check_boards, check_encounters, check_sums
from tournaments.standings.team_event import TeamEvent


@pytest.mark.extended
@given(events())
@examples(150)
def test_sums_over_opponents(event: TeamEvent) -> None:
    check_sums(event, event)


@given(events())
@examples(100)
def test_boards_in_order(event: TeamEvent) -> None:
    check_boards(event, event)


@pytest.mark.extended
@given(events())
@examples(150)
def test_encounters_of_the_tied(event: TeamEvent) -> None:
    check_encounters(event, event)
