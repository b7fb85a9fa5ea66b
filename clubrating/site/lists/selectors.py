"""A published list compared with what is known now: the changes made since, and the differences in ratings."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any

from django.db.models import Q

from players.models import AuditEvent
from ratings.models import PublishedList, RatingList, StartingRating
from tournaments.models import Game, Tournament
from tournaments.rated_games.selectors.games import rated_in
from tournaments.rated_games.selectors.past_games import running_events

# --- changes since ---------------------------------------------------------------------------------------------------
MOST = 200


@dataclass(frozen=True, slots=True)
class Change:
    """One change: when, what (the audit's word), why (a reason's code, may be empty), in which role, and the event it
    belongs to where it is there still. No names."""

    at: datetime
    action: str
    reason: str
    role: str
    event: Tournament | None = None


def changes_since(published: PublishedList) -> list[Change]:
    """Changes made after the list was published that bear on days up to its own, latest first; at most MOST."""
    rating_list, on = published.rating_list, published.on
    candidates = _candidates(rating_list, on, published.published_at)
    rows = list(islice((row for row in candidates.iterator() if _bears_on(row, on)), MOST))
    games = Game.objects.filter(pk__in=[row.subject_key for row in rows if row.subject_kind == "game"])
    events = {("game", game.pk): game.tournament for game in games.select_related("tournament")}
    return [
        Change(row.at, row.action, row.reason, row.role, events.get((row.subject_kind, row.subject_key)))
        for row in rows
    ]


def ended_since(published: PublishedList) -> list[Tournament]:
    """Events that were running when the list was published and are over now: what they bring counts from their last
    game on."""
    running = published.settings.get("running_events", [])
    if not running:
        return []
    still = {event.slug for event in running_events(published.rating_list.pool, published.on).values()}
    return list(Tournament.objects.filter(slug__in=set(running) - still).order_by("name", "pk"))


def _candidates(rating_list: RatingList, on: date, since: datetime) -> Any:
    """Events of the audit trail that may bear on the list; those of games are looked at once more (`_bears_on`)."""
    late = rated_in(rating_list.pool).filter(played_on__lte=on).values("pk")
    starts = StartingRating.objects.filter(rating_list=rating_list, on__lte=on).values("pk")
    wanted = Q(effect__has_key=rating_list.slug)
    wanted |= Q(action="result.recorded", subject_kind="game", subject_key__in=late)
    wanted |= Q(action__in=("games.loaded", "report.imported")) & ~Q(effect={})
    wanted |= Q(subject_kind="startingrating", subject_key__in=starts) | Q(action="starting-rating.removed")
    wanted |= Q(action__in=("list.rules-changed", "list.changed"), subject_key=rating_list.pk)
    wanted |= Q(action__in=("tournament.changed", "tournament.deleted", "player.changed", "player.deleted"))
    return AuditEvent.objects.filter(wanted, at__gt=since).order_by("-pk")


def _bears_on(row: AuditEvent, on: date) -> bool:
    """Whether a change reaches back to that day: the earliest day it names lies on or before it. One that names none
    is believed, where it is of a kind that may move an old rating."""
    if row.action == "player.changed":
        return "birth_year" in row.after.get("fields", ())
    if row.action == "tournament.changed":
        return bool({"rated", "pool", "closed", "starts_on"} & {*row.before, *row.after})
    if row.action == "list.changed":
        return bool({"provisional_games", "reentry_years", "reentry_games"} & {*row.before, *row.after})
    images = (row.before, row.after)
    days = [str(image[name]) for image in images for name in ("played_on", "on") if image.get(name)]
    days += [str(image["days"][0]) for image in images if image.get("days")]
    return not days or min(days) <= on.isoformat()


# --- differences -----------------------------------------------------------------------------------------------------
SMALLEST = 0.00005  # ratings are published to four decimals


@dataclass(frozen=True, slots=True)
class Difference:
    """One player (by key): the rating published and the one known now; None where the list had or has no row."""

    player: int
    published: float | None
    known: float | None

    @property
    def points(self) -> float | None:
        """Known minus published; None for whoever came or went."""
        return None if self.published is None or self.known is None else self.known - self.published

    @property
    def size(self) -> float:
        """What differences are sorted by: whoever came or went first."""
        return float("inf") if self.points is None else abs(self.points)


def compare(published: Mapping[int, float], known: Mapping[int, float]) -> list[Difference]:
    """Everybody whose rating differs at four decimals, the largest difference first."""
    found = [Difference(player, published.get(player), known.get(player)) for player in {*published, *known}]
    return sorted((row for row in found if row.size >= SMALLEST), key=lambda row: (-row.size, row.player))
