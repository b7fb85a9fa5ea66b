"""A line-up handed in, boards opened or changed, a team that leaves or comes back: each raises the revision of its row,
so that a form opened before it is stale. What is planned, ruled or defaulted: `test_matches_of_teams`."""

from collections.abc import Callable

import pytest

from ratings.models import RatingList
from tests.tournaments.teams.team_cases import make_team_event, match_between, team
from tournaments.models import LineUp, Team, TeamMatch, TeamPlayer
from tournaments.teams.services.leaving import bring_team_back, take_team_out
from tournaments.teams.services.line_ups import change_board, hand_in, open_match

Row = LineUp | Team | TeamMatch


def rises(row: Row, change: Callable[[], object]) -> bool:
    before = row.revision
    change()
    row.refresh_from_db()
    return row.revision > before


@pytest.mark.django_db
def test_every_change_makes_a_form_opened_before_it_stale(standard: RatingList) -> None:
    event = make_team_event()
    anchor, castle = (team(event, name) for name in ("Anchor", "Castle"))
    played, lost = match_between(event, "Anchor", "Bridge"), match_between(event, "Castle", "Delta")
    first, second, third = (row.pk for row in TeamPlayer.objects.filter(team=anchor).order_by("place"))
    line_up = hand_in(played.pk, anchor.pk, [first, second], by=None)
    changes: list[tuple[Row, Callable[[], object]]] = [
        (line_up, lambda: hand_in(played.pk, anchor.pk, [second, third], by=None)),
        (played, lambda: open_match(played.pk, by=None)),
        (played, lambda: change_board(played.pk, 1, anchor.pk, first, by=None, reason="other")),
        (lost, lambda: take_team_out(castle.pk, by=None)),
        (lost, lambda: bring_team_back(castle.pk, by=None)),
        (castle, lambda: take_team_out(castle.pk, by=None)),
        (castle, lambda: bring_team_back(castle.pk, by=None)),
    ]
    assert [number for number, (row, change) in enumerate(changes, start=1) if not rises(row, change)] == []
