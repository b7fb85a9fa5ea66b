"""What the desk says where an event's plan does not fit together."""

from collections.abc import Iterable
from itertools import groupby

from django.utils.translation import gettext as _

from clubrating.web.formatting import day_text
from players.privacy.rules import OFFICER, shown_name
from tournaments.events.selectors.plans import byes_too_late, rounds_outside
from tournaments.models import ByeRequest, Round, Stage, Tournament


def plan_warnings(tournament: Tournament, stage: Stage | None, rounds: Iterable[Round] = ()) -> list[str]:
    """A sentence for each: rounds outside the event's days, byes in rounds where there are none. `stage` is the one
    whose number of rounds is set."""
    late = byes_too_late(stage) if stage is not None else []
    by_round = groupby(late, key=lambda bye: bye.round_number)
    return [
        *(_outside(tournament, row) for row in rounds_outside(tournament, rounds)),
        *(_too_late(number, list(byes)) for number, byes in by_round),
    ]


def _outside(tournament: Tournament, row: Round) -> str:
    days = {"day": row.planned_on, "first": tournament.starts_on, "last": tournament.ends_on}
    values = {name: day_text(day, "long") for name, day in days.items()}
    text = _("Round %(number)s is planned for %(day)s, outside the event’s days (%(first)s to %(last)s).")
    return text % {"number": row.number, **values}


def _too_late(number: int, byes: list[ByeRequest]) -> str:
    names = ", ".join(shown_name(bye.entry.player, OFFICER) for bye in byes)
    values = {"number": number, "names": names}
    text = _("A bye is asked for in round %(number)s, where there is none any more: %(names)s. Take it back, or talk.")
    return text % values
