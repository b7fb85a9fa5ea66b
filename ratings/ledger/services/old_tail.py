"""The part of a ledger that begins at a moment, as it stands, and the players' states just before it.

A player's state before the tail is read off his first event in it (its "before" columns), or is his current one where
the tail holds nothing of his. A correction begins there (`ratings.ledger.services.ledger`), and so does whoever asks
how the list stood on an earlier day (`ratings.published.services`).
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Q, QuerySet

from ratings.ledger.services.rows import STATE_COLUMNS
from ratings.models import ContestEntry, LedgerEntry, RatingList, RatingStep
from ratings.systems.base import SEQUENCE_BITS, Moment, PlayerState, Tally
from ratings.systems.replay import Reentry


@dataclass(frozen=True, slots=True)
class Event:
    """A row of the old tail: its order, and the state of each of its players before it."""

    order: int
    states: tuple[tuple[int, tuple[Any, ...]], ...]
    score: float | None = None  # of the first player, where it is a game that counts
    counted: tuple[bool, bool] = (False, False)
    by_game: bool = False  # rated on its own, not with its period

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(player for player, _ in self.states)


def old_tail(rating_list: RatingList, generation: int, since: Moment) -> list[Event]:
    """Ledger rows and steps at or after `since`, in order of replay; a step stands behind the game it follows."""
    live = {"rating_list": rating_list, "generation": generation}
    steps = [
        Event(order, () if player is None else ((player, tuple(state)),))
        for order, player, *state in RatingStep.objects.filter(order__gte=since.order, **live)
        .order_by("id")
        .values_list("order", "player_id", *STATE_COLUMNS)
    ]
    games = _old_games(LedgerEntry.objects.filter(order__gte=since.order, **live))
    contests = _old_contests(rating_list, generation, since) if rating_list.has_contests else ()
    return sorted([*games, *contests, *steps], key=lambda event: event.order)


def _old_contests(rating_list: RatingList, generation: int, since: Moment) -> Iterable[Event]:
    """An event for each member."""
    rows = ContestEntry.objects.filter(rating_list=rating_list, generation=generation, order__gte=since.order)
    for order, player, outcome, *state in rows.order_by("id").values_list("order", "player", "outcome", *STATE_COLUMNS):
        yield Event(order, ((player, tuple(state)),), outcome, (True, True), by_game=True)


def _old_games(entries: QuerySet[LedgerEntry]) -> Iterable[Event]:
    width = len(STATE_COLUMNS)
    rows = entries.values_list(
        "score",
        "order",
        "white_player",
        "black_player",
        "pending",
        "white_after",
        "white_expected",
        "black_expected",
        *(f"white_{name}" for name in STATE_COLUMNS),
        *(f"black_{name}" for name in STATE_COLUMNS),
    )
    for score, order, white, black, pending, after, *expected_and_states in rows.order_by("id"):
        white_expected, black_expected, *states = expected_and_states
        by_game = after is not None
        yield Event(
            order,
            ((white, tuple(states[:width])), (black, tuple(states[width:]))),
            score,
            (by_game or _counts(pending, white_expected), by_game or _counts(pending, black_expected)),
            by_game,
        )


def _counts(pending: bool, expected: float | None) -> bool:
    """Whether a game rated with its period is in the player's record: not before the period is over."""
    return not pending and expected is not None


@dataclass(slots=True)
class _Before:
    """A player's state before his first event of the old tail, and what the old tail added to his record."""

    order: int
    state: tuple[Any, ...]
    record: Tally = field(default_factory=Tally)


def states_before(old: Sequence[Event], current: Mapping[int, PlayerState]) -> dict[int, PlayerState]:
    """Every known player's state just before the old tail; whoever is new in it is left out."""
    before: dict[int, _Before] = {}
    for event in old:
        for index, (player, state) in enumerate(event.states):
            known = before.setdefault(player, _Before(event.order, state))
            if event.score is not None and event.counted[index]:
                known.record.add(1.0 - event.score if index else event.score)
    states = {}
    for player, now in current.items():
        gone = before.get(player)
        if gone is None:
            states[player] = copy(now)
        elif not _is_new(gone):
            states[player] = _rewound(now, gone)
    return states


def _is_new(gone: _Before) -> bool:
    """Whether the event was the player's first: before it the list did not know him."""
    values = dict(zip(STATE_COLUMNS, gone.state, strict=True))
    return values["before"] is None or values["reached"] in (0, gone.order)


def _rewound(now: PlayerState, gone: _Before) -> PlayerState:
    rating, *others = gone.state
    return replace(
        now,
        rating=rating,
        wins=now.wins - gone.record.wins,
        draws=now.draws - gone.record.draws,
        losses=now.losses - gone.record.losses,
        **dict(zip(STATE_COLUMNS[1:], others, strict=True)),
    )


def undo_returns(
    states: Mapping[int, PlayerState], old: Sequence[Event], rating_list: RatingList, generation: int, rule: Reentry
) -> None:
    """Take back what the first game of the old tail began for whoever returned with it after a long absence.

    A game's row holds the probation as it was played on, the return included; before it there was only what had been
    left of an earlier return. Exact where the list rates game by game.
    """
    first: dict[int, Event] = {}
    for event in old:
        for player in event.players:
            first.setdefault(player, event)
    for player, event in first.items():
        state = states.get(player)
        if state is None or not event.by_game or state.last_day is None:
            continue
        if (event.order >> SEQUENCE_BITS) - state.last_day > rule.days:
            state.reentry = _left_before(rating_list, generation, player, Moment.of(event.order))


def _left_before(rating_list: RatingList, generation: int, player: int, moment: Moment) -> int:
    """Games on probation that were left to a player after the last game or contest before a moment."""
    rows = LedgerEntry.objects.filter(
        Q(white_player=player) | Q(black_player=player),
        order__lt=moment.order,
        rating_list=rating_list,
        generation=generation,
    ).order_by("-order")
    last = rows.values_list("order", "white_player", "white_reentry", "black_reentry").first()
    found = [(last[0], last[2] if last[1] == player else last[3])] if last else []
    if rating_list.has_contests:
        contests = ContestEntry.objects.filter(
            player=player, order__lt=moment.order, rating_list=rating_list, generation=generation
        )
        found += contests.order_by("-order").values_list("order", "reentry")[:1]
    return max(max(found)[1] - 1, 0) if found else 0
