"""Reading for pages about people: a career in every list, and how two players stand in the lists they share."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Avg, Count, F, Q, QuerySet

from players.models import Player
from ratings.lists.selectors.lists import PERIOD_KINDS, latest_games, ledger_rows_of, live_ratings
from ratings.models import ContestEntry, PlayerRating, RatingList, RatingStep
from ratings.systems.base import Moment


@dataclass(frozen=True, slots=True)
class CareerRow:
    """One rated game from one player's side, as far as a career needs it: `games`, `reentry` (still to play after a
    return), `before` (the rating) and `deviation` are the player's own before it, `opponent`, `opponent_games` and
    `opponent_deviation` the other's. A contest with sides is a row without a game, a colour and an opponent; `score` is
    what the record counts."""

    game: int
    on: date
    is_white: bool | None
    score: float
    games: int
    reentry: int
    before: float | None
    change: float | None
    after: float | None
    opponent: float | None
    opponent_games: int
    opponent_key: int
    event: str
    event_slug: str
    deviation: float | None = None
    opponent_deviation: float | None = None


_CAREER = (
    "rating_list",
    "order",
    "game",
    "score",
    "game__played_on",
    "game__white",
    "game__black",
    "game__tournament__name",
    "game__tournament__slug",
)
_CAREER_SIDE = ("before", "games", "reentry", "change", "after", "deviation")


def careers(player: Player, lists: Collection[RatingList]) -> dict[int, list[CareerRow]]:
    """The player's rated games and contests in each of those lists (by key), oldest first, without the people who were
    met. Where a game has no rating after it, the one its period led to stands there."""
    found: dict[int, list[CareerRow]] = {row.pk: [] for row in lists}
    sides = [f"{side}_{name}" for side in ("white", "black") for name in _CAREER_SIDE]
    rows = ledger_rows_of(player.pk, found)
    ordered = list(rows.order_by("game__played_on", "game__sequence").values_list(*_CAREER, *sides))
    steps = _steps_after(player, list(found)) if any(None in (row[13], row[19]) for row in ordered) else {}
    for rating_list, order, game, score, on, white, black, event, slug, *both in ordered:
        is_white = white == player.pk
        own, other = (both[:6], both[6:]) if is_white else (both[6:], both[:6])
        before, games, reentry, change, after, deviation = own
        if after is None:
            after = next((step for at, step in steps.get(rating_list, []) if at >= order), None)
        own_score, opponent = (score, black) if is_white else (1.0 - score, white)
        own_side = (own_score, games, reentry, before, change, after)
        met = (*other[:2], opponent, event, slug, deviation, other[5])
        row = CareerRow(game, on, is_white, *own_side, *met)
        found[rating_list].append(row)
    with_contests = [row for row in lists if row.has_contests]
    return _with_contests(player, with_contests, found, ordered) if with_contests else found


_CONTEST = ("rating_list", "order", "contest__played_on", "contest__tournament__name", "contest__tournament__slug")


def _with_contests(
    player: Player, lists: list[RatingList], games: dict[int, list[CareerRow]], ordered: list[tuple[Any, ...]]
) -> dict[int, list[CareerRow]]:
    """The same with the player's contests in their places; `ordered`: the ledger's rows of the games."""
    placed: dict[int, list[tuple[int, CareerRow]]] = {key: [] for key in games}
    waiting = {key: iter(rows) for key, rows in games.items()}
    for rating_list, order, *_rest in ordered:
        placed[rating_list].append((order, next(waiting[rating_list])))
    rows = ContestEntry.objects.filter(
        rating_list__in=lists, generation=F("rating_list__live_generation"), player=player.pk
    )
    for rating_list, order, on, event, slug, score, played, reentry, before, change, after in rows.order_by(
        "order"
    ).values_list(*_CONTEST, "outcome", "games", "reentry", "before", "change", "after"):
        row = CareerRow(0, on, None, score, played, reentry, before, change, after, None, 0, 0, event, slug)
        placed[rating_list].append((order, row))
    return {key: [row for _order, row in sorted(rows, key=lambda each: each[0])] for key, rows in placed.items()}


def _steps_after(player: Player, lists: list[int]) -> dict[int, list[tuple[int, float | None]]]:
    """(order, rating after) of every period that moved the player, oldest first, by list."""
    live = RatingStep.objects.filter(rating_list__in=lists, generation=F("rating_list__live_generation"))
    steps = live.filter(player=player, kind__in=PERIOD_KINDS)
    found: dict[int, list[tuple[int, float | None]]] = {}
    for rating_list, order, after in steps.order_by("order").values_list("rating_list", "order", "after"):
        found.setdefault(rating_list, []).append((order, after))
    return found


def contest_rows_of(rating_list: RatingList, player: Player) -> QuerySet[ContestEntry]:
    """The player's rows of contests in the live ledger, the latest first."""
    rows = ContestEntry.objects.filter(rating_list=rating_list, generation=rating_list.live_generation)
    return rows.filter(player=player.pk).order_by("-order")


@dataclass(frozen=True, slots=True)
class Reset:
    """A starting rating given to somebody who had one: from that day on `after` in place of `before`."""

    on: date
    before: float
    after: float


def resets_of(row: PlayerRating) -> list[Reset]:
    """Those of a current rating, oldest first."""
    steps = RatingStep.objects.filter(rating_list=row.rating_list_id, generation=row.generation, player=row.player_id)
    kept = steps.filter(kind=RatingStep.Kind.START, before__isnull=False).order_by("order")
    rows = kept.values_list("order", "before", "after")
    return [Reset(Moment.of(order).on, before or 0.0, after or 0.0) for order, before, after in rows]


def common_standings(one: Player, other: Player) -> list[tuple[PlayerRating, PlayerRating]]:
    """Both players' current ratings in every public list that has both, in the lists' order, with the people
    joined in and the lists' rules fetched."""
    rows = live_ratings().filter(player__in=[one, other], rating_list__public=True)
    found: dict[int, dict[int, PlayerRating]] = {}
    joined = rows.select_related("rating_list", "player").prefetch_related("rating_list__rules")
    for row in joined.order_by("rating_list__order", "rating_list_id"):
        found.setdefault(row.rating_list_id, {})[row.player_id] = row
    return [(both[one.pk], both[other.pk]) for both in found.values() if len(both) == 2]


@dataclass(frozen=True, slots=True)
class DrawnShare:
    """Of a list's latest rated games: how many, how many of them drawn, and how even they were, as the mean of
    E (1 − E)."""

    games: int
    draws: int
    even: float


LATEST_GAMES = 1000  # the share of draws is read off so many


def drawn_share(rating_list: RatingList) -> DrawnShare:
    """How often the list's latest games with an expected score were drawn. One query along the index."""
    found = latest_games(rating_list)[:LATEST_GAMES].aggregate(
        games=Count("white_expected"),
        draws=Count("pk", filter=Q(score=0.5, white_expected__isnull=False)),
        even=Avg(F("white_expected") * (1.0 - F("white_expected"))),
    )
    return DrawnShare(found["games"], found["draws"], found["even"] or 0.0)
