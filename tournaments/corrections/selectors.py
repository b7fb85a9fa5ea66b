"""The public ledger of corrections: what was corrected, why, and what it moved, read off the audit trail.

The trail holds keys and numbers; games, events and people are joined here. Who it was and the note are for officers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from players.models import AuditEvent, Player
from players.privacy.rules import Level, Viewer, sees_name
from players.trail.services import CORRECTIONS
from ratings.models import RatingList, StartingRating
from tournaments.events.selectors.stages import games_with, name_sides
from tournaments.models import Contest, Game, Tournament
from tournaments.results.services.footnotes import NOTED

ON_GAMES = CORRECTIONS
ON_CONTESTS = ("contest.corrected", "contest.inserted")
ON_PLAYERS = ("players.merged", "players.unmerged")
ON_NOTES = (NOTED,)  # of these nothing moves
ON_MATCHES = ("match.ruled", "match.ruling_taken_back")
IMPORTANCE = "event.importance"
LOADED = ("games.loaded", "report.imported")
STARTS = ("starting-rating.entered", "starting-rating.changed", "starting-rating.removed")
ON_LISTS = ("list.rules-changed", "list.changed")
ON_FACTS = (*STARTS, *ON_LISTS)


@dataclass(frozen=True, slots=True)
class Moved:
    """What a correction moved in one list. `largest` is the largest difference of a player whose name this viewer may
    read: a change would tell an age (decision 3)."""

    rating_list: RatingList
    games: int
    players: int
    largest: tuple[Player, float] | None


@dataclass(frozen=True, slots=True)
class Correction:
    """One line of the ledger. `people`: White and Black, or the record kept and the one that went."""

    at: datetime
    role: str
    action: str
    reason: str
    event: Tournament | None
    round: int | None
    board: int | None
    people: tuple[Player, ...]
    was: Mapping[str, Any]
    now: Mapping[str, Any]
    moved: tuple[Moved, ...]
    who: str
    note: str


def corrections(viewer: Viewer, player: Player | None = None) -> QuerySet[AuditEvent]:
    """Every correction, the latest first; with `player` those that touched that player's games or record. Facts of a
    list that is not public are for officers."""
    games = Q(action__in=(*ON_GAMES, *ON_NOTES, *ON_CONTESTS, *ON_PLAYERS)) | (Q(action__in=LOADED) & ~Q(reason=""))
    games |= Q(action__in=(*ON_MATCHES, IMPORTANCE)) & ~Q(effect={})
    games |= Q(action__in=ON_FACTS) & ~Q(reason="") & ~Q(effect={})
    rows = AuditEvent.objects.filter(games).select_related("actor").order_by("-pk")
    if viewer.level < Level.OFFICER:
        closed = dict(RatingList.objects.filter(public=False).values_list("slug", "pk"))
        rows = rows.exclude(action__in=ON_LISTS, subject_key__in=closed.values())
        starts = StartingRating.objects.filter(rating_list__in=closed.values())
        rows = rows.exclude(action__in=STARTS, subject_key__in=starts.values("pk"))
        if closed:  # of a starting rating taken back no row is left: what it moved names its list
            of_closed = Q(action__in=STARTS, effect__has_any_keys=list(closed))
            rows = rows.exclude(of_closed & ~Q(subject_key__in=StartingRating.objects.values("pk")))
    if player is None:
        return rows
    own = Game.objects.filter(games_with([player.pk])).values("pk")
    about = Q(subject_kind="game", subject_key__in=own) | Q(subject_kind="player", subject_key=player.pk)
    tables = Contest.objects.filter(members__player=player).values("pk")
    about |= Q(subject_kind="contest", subject_key__in=tables)
    about |= Q(action__in=STARTS) & (Q(after__player=player.pk) | Q(before__player=player.pk))
    for image in ("before", "after"):
        for name in ("white", "black", "keep"):
            about |= Q(**{f"{image}__{name}": player.number})
    return rows.filter(about)


def corrections_for(events: Sequence[AuditEvent], viewer: Viewer) -> list[Correction]:
    """Those events as lines, for this viewer. Five queries, however many there are."""
    rows = Game.objects.select_related("white", "black", "tournament", "pairing__round")
    games = rows.in_bulk([event.subject_key for event in events if event.subject_kind == "game"])
    name_sides(games.values())
    lists = {row.slug: row for row in RatingList.objects.all() if row.public or viewer.level >= Level.OFFICER}
    people = {player.number: player for player in Player.objects.filter(number__in=set(_numbers(events)))}
    slugs = {image.get("tournament", "") for event in events for image in (event.before, event.after)}
    keys = [event.subject_key for event in events if event.subject_kind == "tournament"]
    known = list(Tournament.objects.filter(Q(slug__in=slugs) | Q(pk__in=keys)))
    return [_line(event, games.get(event.subject_key), known, people, lists, viewer) for event in events]


def _numbers(events: Iterable[AuditEvent]) -> Iterable[int]:
    for event in events:
        for image in (event.before, event.after):
            yield from (image[name] for name in ("white", "black", "keep", "gone") if isinstance(image.get(name), int))
            yield from _sitting(image)
        for effect in event.effect.values():
            yield from (number for number, _ in effect["largest"])


def _sitting(image: Mapping[str, Any]) -> Iterable[int]:
    """Whoever sat at a table, by number."""
    return (number for _place, _score, members in image.get("sides", ()) for number, _weight in members)


def _line(
    event: AuditEvent,
    game: Game | None,
    events: Sequence[Tournament],
    people: Mapping[int, Player],
    lists: Mapping[str, RatingList],
    viewer: Viewer,
) -> Correction:
    game = game if event.subject_kind == "game" else None
    officer = viewer.level >= Level.OFFICER
    return Correction(
        at=event.at,
        role=event.role,
        action=event.action,
        reason=event.reason,
        event=game.tournament if game else _event(event, events),
        round=game.pairing.round.number if game and game.pairing.round else event.after.get("round"),
        board=game.pairing.board if game else event.after.get("board"),
        people=_people(event, game, people),
        was=event.before,
        now=event.after,
        moved=tuple(_moved(event, people, lists, viewer)),
        who=(event.actor.get_full_name() or event.actor.get_username()) if officer and event.actor else "",
        note=event.note if officer else "",
    )


def _event(event: AuditEvent, events: Sequence[Tournament]) -> Tournament | None:
    slug = event.before.get("tournament") or event.after.get("tournament")
    loaded = event.subject_kind == "tournament"
    return next((row for row in events if row.slug == slug or (loaded and row.pk == event.subject_key)), None)


def _people(event: AuditEvent, game: Game | None, people: Mapping[int, Player]) -> tuple[Player, ...]:
    """Who sat where when it was corrected; for exchanged colours as they were before."""
    image = {**event.after, **event.before}
    if event.subject_kind == "contest":
        numbers = dict.fromkeys([*_sitting(event.before), *_sitting(event.after)])
        return tuple(people[number] for number in numbers if number in people)
    names = ("keep", "gone") if event.subject_kind == "player" else ("white", "black")
    found = tuple(people[image[name]] for name in names if isinstance(image.get(name), int) and image[name] in people)
    return found or ((game.white, game.black) if game else ())


def _moved(
    event: AuditEvent, people: Mapping[int, Player], lists: Mapping[str, RatingList], viewer: Viewer
) -> Iterable[Moved]:
    for slug, effect in event.effect.items():
        if slug in lists:
            seen = ((people[number], points) for number, points in effect["largest"] if number in people)
            largest = next(((player, points) for player, points in seen if sees_name(player, viewer)), None)
            yield Moved(lists[slug], effect["games"], effect["players"], largest)
