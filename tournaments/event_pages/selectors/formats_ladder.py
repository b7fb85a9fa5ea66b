"""A ladder's facts: who stands where, and what each game did to the places."""

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.models import Entry, Game, Stage
from tournaments.pairing.base import read_options
from tournaments.events.selectors.stages import field_of, system_of
from tournaments.standings.crosstable import Meeting
from tournaments.standings.formats_ladder import LadderStep, ladder_order
from tournaments.standings.points import Result


@dataclass(frozen=True, slots=True)
class LadderFacts:
    """The entries in the order of their places, those who left among them, and what each game did, by its key."""

    order: tuple[Entry, ...]
    steps: Mapping[int, LadderStep]
    entries: Mapping[int, Entry]


def ladder_of(stage: Stage) -> LadderFacts:
    """The ladder as it is now, from the numbers everybody came with and the games in order of replay. Two queries."""
    field = field_of(stage)
    numbers = {entry.player_id: number for number, entry in field.items()}
    games = Game.objects.filter(tournament=stage.tournament_id, sequence__isnull=False)
    keys, meetings = [], []
    for pk, white, black, result in games.order_by("played_on", "sequence").values_list(
        "pk", "white_id", "black_id", "result"
    ):
        if white in numbers and black in numbers:
            keys.append(pk)
            meetings.append(Meeting(0, numbers[white], numbers[black], Result(result)))
    made = ladder_order(tuple(field), meetings, _reach(stage))
    return LadderFacts(tuple(field[number] for number in made.order), dict(zip(keys, made.steps, strict=True)), field)


def _reach(stage: Stage) -> int:
    system = system_of(stage)
    return int(read_options(system.options, stage.settings)["reach"]) if system else 0
