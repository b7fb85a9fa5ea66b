"""Who is to be paired in a round, and who asked to miss it.

A late entry plays from its first round on, a withdrawn one in none, and whoever asked for a bye is not paired. The
rounds are paired from these two (`tournaments.rounds.services.next_round`).
"""

from tournaments.models import ByeRequest, Entry, Stage
from tournaments.events.selectors.stages import field_of


def present_entries(stage: Stage, round_number: int) -> dict[int, Entry]:
    """Those to be paired in that round of the stage, by the number each has there. Two queries."""
    asked = _asked(stage, round_number)
    return {number: entry for number, entry in _in_play(stage, round_number).items() if entry.pk not in asked}


def byes_asked(stage: Stage, round_number: int) -> dict[int, str]:
    """Who asked to miss that round, by number: the kind of bye (a `ByeKind`). Nothing for somebody who has left, or
    is not there yet. Two queries."""
    asked = _asked(stage, round_number)
    return {number: asked[entry.pk] for number, entry in _in_play(stage, round_number).items() if entry.pk in asked}


def _in_play(stage: Stage, round_number: int) -> dict[int, Entry]:
    field = field_of(stage)
    return {n: entry for n, entry in field.items() if not entry.withdrawn and entry.first_round <= round_number}


def _asked(stage: Stage, round_number: int) -> dict[int, str]:
    rows = ByeRequest.objects.filter(entry__tournament=stage.tournament_id, round_number=round_number)
    return dict(rows.values_list("entry_id", "kind"))
