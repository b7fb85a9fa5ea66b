"""The Keizer list of a stage, and where everybody's points come from. No query: it is read off the facts."""

from dataclasses import dataclass
from fractions import Fraction

from tournaments.pairing.keizer import Keizer
from tournaments.events.selectors.facts import Entrant, EventFacts
from tournaments.events.selectors.stages import system_of
from tournaments.events.selectors.standings import by_number, byes_of, meetings_of
from tournaments.standings.keizer import KeizerGain, keizer_list


@dataclass(frozen=True, slots=True)
class Gain:
    """What a round brought: `worth` for a "win", "draw" or "loss" against the opponent, or for a bye (then `kind` is
    the bye's)."""

    round: int
    kind: str
    opponent: Entrant | None
    worth: Fraction


@dataclass(frozen=True, slots=True)
class KeizerPlace:
    """A line of the list: the list value is what a win against this player is worth today."""

    place: int
    entrant: Entrant
    value: Fraction
    score: Fraction
    played: int
    gains: tuple[Gain, ...]


def is_keizer(event: EventFacts) -> bool:
    """Whether the stage is told by a Keizer list."""
    return isinstance(system_of(event.stage), Keizer)


def keizer_places(event: EventFacts) -> list[KeizerPlace]:
    """The list as it is now, best first; empty while nobody has a number."""
    system = system_of(event.stage)
    people = by_number(event)
    if not isinstance(system, Keizer) or not people:
        return []
    byes = byes_of(event, event.rounds)
    kinds = {(bye.player, bye.round): bye.kind for bye in byes}
    lines = keizer_list(sorted(people), meetings_of(event.rounds), byes, system.rules(event.stage.settings))
    return [
        KeizerPlace(
            line.place,
            people[line.player],
            line.value,
            line.score,
            line.played,
            tuple(_gain(gain, people, kinds.get((line.player, gain.round), "")) for gain in line.gains),
        )
        for line in lines
    ]


def _gain(gain: KeizerGain, people: dict[int, Entrant], bye: str) -> Gain:
    if gain.opponent is None:
        return Gain(gain.round, bye, None, gain.worth)
    kind = "win" if gain.share == 1 else "draw" if gain.share else "loss"
    return Gain(gain.round, kind, people[gain.opponent], gain.worth)
