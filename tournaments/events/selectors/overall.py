"""One order over all stations: everybody by his rating after his last game of the event, ties by the rating before it.

Read off the live ledger of the list the event is rated in. Who has not played yet stands at his present rating, who
has none behind all others. Who is level in both shares the place. A list that rates by periods has a rating after a
game only once the period is over: until then it is the rating before, and what the games add.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F

from ratings.lists.selectors.lists import ratings_now
from ratings.models import LedgerEntry, RatingList
from tournaments.events.selectors.event_data import Entrant, EventData
from tournaments.events.selectors.stages import system_of
from tournaments.knockouts.selectors.brackets import places_of
from tournaments.pairing.groups import Stations

DIGITS = 6  # of a rating: what differs by less is level


@dataclass(frozen=True, slots=True)
class OverallPlace:
    """One line of the order. `before`, `now`: ratings before the event and as it stands (None: unrated); `won`: how
    many stations he has won."""

    place: int
    entrant: Entrant
    before: float | None
    now: float | None
    won: int

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.now is None else self.now - self.before


def has_overall_order(event: EventData) -> bool:
    """Whether the stations of the whole event are put in one order: they are rated in a list everybody may read."""
    return isinstance(system_of(event.stage), Stations) and event.rating_list is not None


def overall_order(event: EventData, parts: Iterable[EventData]) -> tuple[OverallPlace, ...]:
    """The order as it stands, best first. `event`: the whole, `parts`: its stations. Two queries."""
    assert event.rating_list is not None
    people = [person for person in event.everybody if person.number is not None]
    ratings = _ratings(event, event.rating_list, people)
    won = _won(parts)
    rows = sorted(people, key=lambda person: (*_rank(ratings[person.key]), person.number))
    places: list[OverallPlace] = []
    for at, person in enumerate(rows, start=1):
        before, now = ratings[person.key]
        level = at > 1 and _rank(ratings[rows[at - 2].key]) == _rank((before, now))
        place = places[-1].place if level else at
        places.append(OverallPlace(place, person, before, now, won.get(person.key, 0)))
    return tuple(places)


Ratings = tuple[float | None, float | None]  # before, now


def _rank(ratings: Ratings) -> tuple[float, float]:
    """The lower, the better; who is unrated comes last."""
    before, now = (float("inf") if each is None else -round(each, DIGITS) for each in ratings)
    return now, before


def _ratings(event: EventData, rating_list: RatingList, people: Sequence[Entrant]) -> dict[int, Ratings]:
    """By the entry's key."""
    keys = {person.player.pk: person.key for person in people}
    rows = ratings_now(rating_list, [*keys])
    found: dict[int, Ratings] = {}
    for player, entry in keys.items():
        now = rows[player].rating if player in rows else None
        found[entry] = now, now
    games = LedgerEntry.objects.filter(
        rating_list=rating_list, generation=F("rating_list__live_generation"), game__tournament=event.tournament
    ).order_by("order")
    begun: set[int] = set()
    for white, black, *figures in games.values_list("white_player", "black_player", *_FIGURES):
        for player, (before, change, after) in ((white, figures[:3]), (black, figures[3:])):
            if player not in keys or before is None:
                continue
            at_first, now = found[keys[player]] if player in begun else (before, before)
            begun.add(player)
            found[keys[player]] = at_first, (now or 0.0) + (change or 0.0) if after is None else after
    return found


_FIGURES = tuple(f"{side}_{name}" for side in ("white", "black") for name in ("before", "change", "after"))


def _won(parts: Iterable[EventData]) -> dict[int, int]:
    """Stations won, by the entry's key."""
    found: dict[int, int] = {}
    for part in parts:
        for row in places_of(part) if part.rounds else ():
            if (row.first, row.last, row.still_in) == (1, 1, False):
                found[row.entrant.key] = found.get(row.entrant.key, 0) + 1
    return found
