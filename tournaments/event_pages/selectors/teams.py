"""Team against team (Scheveningen): who plays for which, and how the match stands.

The first half of the numbers is one team, the second half the other. Their names are the setting `teams`, where the
event has one, else A and B.
"""

from dataclasses import dataclass

from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.standings import EventStandings

SYSTEM = "scheveningen"


@dataclass(frozen=True, slots=True)
class Team:
    """A team: its name, its letter, its players' numbers by number, and the sum of their points."""

    name: str
    letter: str
    numbers: tuple[int, ...]
    points: int

    def label(self, number: int) -> str:
        """What a player is called in the table: A1, B4."""
        return f"{self.letter}{self.numbers.index(number) + 1}"


def teams_of(event: EventData, ranked: EventStandings) -> tuple[Team, ...]:
    """The two teams; none in another format."""
    if event.stage.pairing_system != SYSTEM or not ranked.entrants:
        return ()
    numbers = sorted(ranked.entrants)
    half = len(numbers) // 2
    named = event.stage.settings.get("teams") or ("A", "B")
    sides = zip(named, "AB", (numbers[:half], numbers[half:]), strict=True)
    return tuple(
        Team(str(name), letter, tuple(own), sum(ranked.table[number].points for number in own))
        for name, letter, own in sides
    )
