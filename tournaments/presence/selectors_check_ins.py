"""Who of an event is there on a day: everybody awaited, by name, with what was seen at the door."""

from dataclasses import dataclass
from datetime import date

from players.people.selectors import named, words_of
from tournaments.models import CheckIn, Entry, Tournament
from tournaments.presence.selectors import told_now


@dataclass(frozen=True, slots=True)
class Awaited:
    """Somebody entered and not withdrawn; `here` is None where nobody has seen him or missed him yet. `missing` are
    the rounds he told us he will miss."""

    entry: Entry
    here: bool | None
    missing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Counts:
    """How many are awaited, there, not there."""

    everybody: int
    here: int
    away: int

    @property
    def unknown(self) -> int:
        return self.everybody - self.here - self.away


def awaited(tournament: Tournament, on: date, *, search: str = "") -> list[Awaited]:
    """Everybody awaited by name; `search`: only those whose name has all these words, or of that pairing number.
    Three queries,
    five where somebody told us that he will be absent."""
    entries = Entry.objects.filter(tournament=tournament, withdrawn=False).select_related("player")
    if search.isascii() and search.isdigit():
        entries = entries.filter(number=int(search[:9]))
    elif words := words_of(search):
        entries = entries.filter(named(words, "player__"))
    seen = here_on(tournament, on)
    told = told_now(tournament)
    rows = entries.order_by("player__sort_name", "player__number")
    return [Awaited(entry, seen.get(entry.pk), tuple(told.get(entry.pk, ()))) for entry in rows]


def counts_of(tournament: Tournament, on: date) -> Counts:
    """How many of those awaited are there. Two queries."""
    keys = Entry.objects.filter(tournament=tournament, withdrawn=False).values_list("pk", flat=True)
    seen = here_on(tournament, on)
    answers = [seen.get(key) for key in keys]
    return Counts(len(answers), answers.count(True), answers.count(False))


def here_on(tournament: Tournament, on: date) -> dict[int, bool]:
    """Whether somebody was there on that day, by the entry's key; whoever is missing is not known. One query."""
    return dict(CheckIn.objects.filter(entry__tournament=tournament, on=on).values_list("entry", "here"))
