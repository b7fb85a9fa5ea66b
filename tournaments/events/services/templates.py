"""Events a club holds again and again, each as a template: what a new event's form is filled in with.

The order is that of the page they are chosen on. A template writes nothing and is not kept with the event: whoever
makes one from it may change every value. Not here: what differs from club to club (names, dates, who runs it).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.models import SecondReading


@dataclass(frozen=True, slots=True)
class EventTemplate:
    """`settings` are those of the pairing system, `tiebreaks` empty for the format's usual ones. `length`: days from
    the first to the last, None where the number of players says how long it takes."""

    key: str
    name: Any
    says: Any
    system: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    pool: str = "standard"
    points: str = "classic"
    tiebreaks: str = ""
    second_reading: str = SecondReading.NONE
    length: int | None = None

    @property
    def rounds(self) -> int | None:
        """How many, where the format asks."""
        return self.settings.get("rounds")

    def last_day(self, first: date | None) -> date | None:
        """The last day of an event that begins on that one."""
        return None if first is None or self.length is None else first + timedelta(days=self.length)


EVENT_TEMPLATES: tuple[EventTemplate, ...] = (
    EventTemplate(
        "club-championship",
        _("Club championship"),
        _("Everybody meets everybody once, a round a week; every result is read by a second arbiter."),
        "round-robin",
        {"cycles": 1},
        second_reading=SecondReading.ANOTHER,
    ),
    EventTemplate(
        "league",
        _("League, home and away"),
        _("Everybody meets everybody twice, once with each colour."),
        "round-robin",
        {"cycles": 2, "swap_last_two": True},
    ),
    EventTemplate(
        "friday-blitz",
        _("Friday blitz"),
        _("A Swiss of nine rounds in one evening, rated as blitz where the club has a list for it."),
        "dutch",
        {"rounds": 9},
        pool="blitz",
        length=0,
    ),
    EventTemplate(
        "rapid-evening",
        _("Rapid evening, two games against each opponent"),
        _("A Swiss of four opponents in one evening: a game with each colour, rated as rapid."),
        "dutch",
        {"rounds": 8, "games": 2},
        pool="rapid",
        length=0,
    ),
    EventTemplate(
        "weekend-five",
        _("Weekend open, five rounds"),
        _("A Swiss of five rounds on two days; every result is read twice."),
        "dutch",
        {"rounds": 5},
        second_reading=SecondReading.ANYBODY,
        length=1,
    ),
    EventTemplate(
        "weekend-seven",
        _("Long weekend open, seven rounds"),
        _("A Swiss of seven rounds on three days; every result is read twice."),
        "dutch",
        {"rounds": 7},
        second_reading=SecondReading.ANYBODY,
        length=2,
    ),
    EventTemplate(
        "season-swiss",
        _("Season Swiss"),
        _("A Swiss of nine rounds, one a week: people come in late and miss a week."),
        "dutch",
        {"rounds": 9},
        length=56,
    ),
    EventTemplate(
        "cup",
        _("Knockout cup"),
        _("Who loses is out; the losers of the semi-finals play for third place."),
        "knockout",
        {"third_place": True},
    ),
    EventTemplate(
        "double-cup",
        _("Cup with a second chance"),
        _("Who loses goes on in the losers’ bracket and is out after the second loss; its winner is in the final."),
        "double-elimination",
    ),
    EventTemplate(
        "match",
        _("Match of several games"),
        _("Two players, four games; colours change from game to game. Format sets how many."),
        "knockout",
        {"games": 4},
    ),
    EventTemplate(
        "groups-cup",
        _("Groups, then knockout"),
        _("Two groups; the first two of each go on, crossed, into semi-finals and final."),
        "groups",
        {"groups": 2, "qualifiers": 2},
    ),
    EventTemplate(
        "keizer-season",
        _("Keizer season"),
        _("Come when you can: beating those on top of the list is worth most, and the list is made anew every round."),
        "keizer",
    ),
    EventTemplate(
        "ladder",
        _("Ladder"),
        _("Challenge somebody up to three places above: who wins takes the place."),
        "ladder",
        {"reach": 3},
    ),
    EventTemplate(
        "club-evening",
        _("Club evenings"),
        _("Free play without rounds or end: whoever meets plays, and it is rated."),
        "free",
    ),
    EventTemplate(
        "team-match",
        _("Team match"),
        _("Two teams, everybody meets everybody of the other one (Scheveningen)."),
        "scheveningen",
        {"cycles": 1},
    ),
)


def event_template(key: str) -> EventTemplate | None:
    """The template of that key; None for any other word."""
    return next((row for row in EVENT_TEMPLATES if row.key == key), None)
