"""Each change of a team, its matches, line-ups and leagues raises the revision: a form opened before it is stale."""

from collections.abc import Callable

import pytest

from ratings.models import RatingList
from tests.factory import MONDAY
from tests.tournaments.teams.team_cases import make_team_event, match_between, team
from tournaments.models import League, LineUp, Team, TeamMatch, TeamPlayer
from tournaments.teams.services.clubs import rename_league
from tournaments.teams.services.events import create_league
from tournaments.teams.services.leaving import bring_team_back, take_team_out
from tournaments.teams.services.line_ups import change_board, hand_in, open_match
from tournaments.teams.services.matches import Ruling, plan_match, rule_on_match, set_absent
from tournaments.teams.services.teams import change_team

Row = League | LineUp | Team | TeamMatch


def rises(row: Row, change: Callable[[], object]) -> bool:
    before = row.revision
    change()
    row.refresh_from_db()
    return row.revision > before


@pytest.mark.django_db
def test_every_change_makes_a_form_opened_before_it_stale(standard: RatingList) -> None:
    event = make_team_event()
    anchor, bridge, castle = (team(event, name) for name in ("Anchor", "Bridge", "Castle"))
    played, missed = match_between(event, "Anchor", "Bridge"), match_between(event, "Castle", "Delta")
    first, second, third = (row.pk for row in TeamPlayer.objects.filter(team=anchor).order_by("place"))
    line_up = hand_in(played.pk, anchor.pk, [first, second], by=None)
    league = create_league("County", by=None)
    changes: list[tuple[Row, Callable[[], object]]] = [
        (line_up, lambda: hand_in(played.pk, anchor.pk, [second, third], by=None)),
        (played, lambda: open_match(played.pk, by=None)),
        (played, lambda: change_board(played.pk, 1, anchor.pk, first, by=None, reason="other")),
        (missed, lambda: plan_match(missed.pk, MONDAY, by=None)),
        (missed, lambda: set_absent(missed.pk, "home", by=None, reason="other")),
        (missed, lambda: set_absent(missed.pk, "", by=None, reason="other")),
        (missed, lambda: rule_on_match(missed.pk, Ruling(4, 0, "An error"), by=None)),
        (missed, lambda: rule_on_match(missed.pk, None, by=None)),
        (bridge, lambda: change_team(bridge.pk, by=None, venue="The mill")),
        (missed, lambda: take_team_out(castle.pk, by=None)),
        (missed, lambda: bring_team_back(castle.pk, by=None)),
        (castle, lambda: take_team_out(castle.pk, by=None)),
        (castle, lambda: bring_team_back(castle.pk, by=None)),
        (league, lambda: rename_league(league.pk, "Shire", by=None)),
    ]
    assert [number for number, (row, change) in enumerate(changes, start=1) if not rises(row, change)] == []
