"""The ledger: rate what is new, replay what a correction touched, prove that it equals a fresh replay.

`replay_from` is the one way a rating moves. Tonight's result is a tail of one game; a correction is the tail behind
it. The games are handed in, already in order; which of them count is the tournaments' business.

The state of a player just before the tail is read off his first event in the old tail (its "before" columns), or is
his current one where the tail holds nothing of his. So the work grows with the tail, never with the history.

Not done here: long tails in chunks beside the live generation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db import transaction
from django.db.models import F, Q

from players.models import Player
from ratings.models import LedgerEntry, PlayerRating, RatingList, RatingStep
from ratings.services.lists import rules_of, starts_of
from ratings.systems.base import Moment, PlayedGame, PlayerState, Side, Start, Tally, order_key
from ratings.systems.replay import RatedGame, Started, replay

Row = RatedGame | Started
Event = LedgerEntry | RatingStep
BATCH = 1000


@transaction.atomic
def replay_from(rating_list: RatingList, since: Moment, games: Sequence[PlayedGame]) -> int:
    """Rate the list anew from `since` on and return the number of games rated.

    `games`: all of the list's rated games from `since` on, in order of replay. Ledger rows at or after `since` are
    replaced. Every game still in the ledger must stand at the day and sequence it was rated at: whoever moves a game
    in time first replays without it, then with it.
    """
    locked = RatingList.objects.select_for_update(no_key=True).get(pk=rating_list.pk)
    old = _old_tail(locked, since)
    starts = starts_of(locked, on__gt=since.on) if since.sequence else starts_of(locked, on__gte=since.on)
    people = {player for event in old for player in _players_in(event)}
    people |= {player for game in games for player in (game.white, game.black)} | {start.player for start in starts}
    ratings = {row.player_id: row for row in PlayerRating.objects.filter(rating_list=locked, player__in=people)}
    facts = {pk: (born, active) for pk, born, active in _facts(people)}
    births = {pk: born for pk, (born, _) in facts.items()}
    states = _states_before(locked, since, old, ratings, births)
    rows = list(replay(games, starts, states=states, birth_years=births, rules=rules_of(locked)))
    _delete(old)
    _write_rows(locked, locked.live_generation, rows)
    _recall_times(locked, states)
    _write_ratings(locked, {player: states.get(player) for player in people}, {pk: facts[pk][1] for pk in facts})
    RatingList.objects.filter(pk=locked.pk).update(revision=F("revision") + 1)
    return len(games)


@transaction.atomic
def rebuild(rating_list: RatingList, games: Iterable[PlayedGame]) -> int:
    """Rate the whole list from nothing as a new generation, make that the live one, and drop the old.

    `games`: all of the list's rated games in order. Returns how many were rated.
    """
    locked = RatingList.objects.select_for_update(no_key=True).get(pk=rating_list.pk)
    rows, states = fresh_replay(locked, games)
    generation = locked.live_generation + 1
    _write_rows(locked, generation, rows)
    PlayerRating.objects.filter(rating_list=locked).delete()
    active = dict(Player.objects.filter(pk__in=states).values_list("pk", "active"))
    _write_ratings(locked, dict(states), active)
    RatingList.objects.filter(pk=locked.pk).update(live_generation=generation, revision=F("revision") + 1)
    LedgerEntry.objects.filter(rating_list=locked).exclude(generation=generation).delete()
    RatingStep.objects.filter(rating_list=locked).exclude(generation=generation).delete()
    return sum(isinstance(row, RatedGame) for row in rows)


def fresh_replay(rating_list: RatingList, games: Iterable[PlayedGame]) -> tuple[list[Row], dict[int, PlayerState]]:
    """Every row of the list and every player's state, computed from the facts alone. Writes nothing."""
    births = dict(Player.objects.values_list("pk", "birth_year"))
    states: dict[int, PlayerState] = {}
    rules = rules_of(rating_list)
    rows = list(replay(games, starts_of(rating_list), states=states, birth_years=births, rules=rules))
    return rows, states


@transaction.atomic
def refresh_ranked(player: Player) -> None:
    """Bring `ranked` up to date after a player became active or inactive; points stay untouched."""
    for row in PlayerRating.objects.filter(player=player).select_related("rating_list"):
        ranked = is_ranked(row.rating_list, row.games, player.active)
        if ranked != row.ranked:
            PlayerRating.objects.filter(pk=row.pk).update(ranked=ranked)
            RatingList.objects.filter(pk=row.rating_list_id).update(revision=F("revision") + 1)


def is_ranked(rating_list: RatingList, games: int, active: bool) -> bool:
    """Whether a player takes a place: off probation and active."""
    return active and games >= rating_list.provisional_games


# --- reading the old tail -----------------------------------------------------------------------------------
def _old_tail(rating_list: RatingList, since: Moment) -> list[Event]:
    """Ledger rows and starting steps at or after `since`, in order of replay."""
    live = _live(rating_list)
    later = Q(game__played_on__gt=since.on) | Q(game__played_on=since.on, game__sequence__gte=since.sequence)
    rows = list(LedgerEntry.objects.filter(later, **live).select_related("game"))
    steps = list(RatingStep.objects.filter(order__gte=since.order, **live))
    return sorted([*rows, *steps], key=_order_of)


def _order_of(event: Event) -> int:
    if isinstance(event, RatingStep):
        return event.order
    return order_key(_day(event.game.played_on), event.game.sequence or 0)


def _day(day: date | None) -> date:
    if day is None:
        raise ValueError("A game in the ledger has no day.")
    return day


def _players_in(event: Event) -> tuple[int, ...]:
    if isinstance(event, RatingStep):
        return () if event.player_id is None else (event.player_id,)
    return event.game.white_id, event.game.black_id


def _facts(people: Iterable[int]) -> Iterable[tuple[int, int | None, bool]]:
    return Player.objects.filter(pk__in=people).values_list("pk", "birth_year", "active")


@dataclass(slots=True)
class _Before:
    """A player's standing before his first event of the old tail, and what the old tail added to his record."""

    rating: float | None
    games: int
    peak: float | None
    record: Tally = field(default_factory=Tally)


def _before_tail(old: Sequence[Event]) -> dict[int, _Before]:
    found: dict[int, _Before] = {}
    for event in old:
        if isinstance(event, RatingStep):
            if event.player_id is not None:
                found.setdefault(event.player_id, _Before(event.before, event.games_before, event.peak_before))
            continue
        white = found.setdefault(event.game.white_id, _Before(event.white_before, event.white_games, event.white_peak))
        white.record.add(event.score)
        black = found.setdefault(event.game.black_id, _Before(event.black_before, event.black_games, event.black_peak))
        black.record.add(1.0 - event.score)
    return found


def _states_before(
    rating_list: RatingList,
    since: Moment,
    old: Sequence[Event],
    ratings: dict[int, PlayerRating],
    births: dict[int, int | None],
) -> dict[int, PlayerState]:
    """Every known player's state just before `since`; players without an earlier event are left out: they are new."""
    before = _before_tail(old)
    had_start = _had_earlier_start(rating_list, since, before)
    states = {}
    for player, row in ratings.items():
        gone = before.get(player)
        if gone is None:
            states[player] = _state(row, births.get(player))
            continue
        wins, draws = row.wins - gone.record.wins, row.draws - gone.record.draws
        losses = row.losses - gone.record.losses
        is_new = not (wins or draws or losses) and player not in had_start
        if is_new or gone.rating is None or gone.peak is None:
            continue
        states[player] = PlayerState(gone.rating, gone.games, gone.peak, births.get(player), wins, draws, losses)
    return states


def _had_earlier_start(rating_list: RatingList, since: Moment, players: Iterable[int]) -> set[int]:
    steps = RatingStep.objects.filter(
        rating_list=rating_list,
        generation=rating_list.live_generation,
        kind=RatingStep.Kind.START,
        order__lt=since.order,
        player__in=players,
    )
    return {player for player in steps.values_list("player_id", flat=True) if player is not None}


def _state(row: PlayerRating, birth_year: int | None) -> PlayerState:
    return PlayerState(
        row.rating,
        row.games,
        row.peak,
        birth_year,
        row.wins,
        row.draws,
        row.losses,
        reached=row.reached_order,
        last_played=row.last_played,
    )


# --- writing ------------------------------------------------------------------------------------------------
def _delete(old: Sequence[Event]) -> None:
    """By keys, in batches: a database takes only so many in one question."""
    for table in (LedgerEntry, RatingStep):
        keys = [event.pk for event in old if isinstance(event, table)]
        for start in range(0, len(keys), BATCH):
            table.objects.filter(pk__in=keys[start : start + BATCH]).delete()


def _write_rows(rating_list: RatingList, generation: int, rows: Iterable[Row]) -> None:
    games, steps = [], []
    for row in rows:
        if isinstance(row, Started):
            steps.append(step_row(rating_list, generation, row))
        else:
            games.append(ledger_row(rating_list, generation, row))
    LedgerEntry.objects.bulk_create(games, batch_size=BATCH)
    RatingStep.objects.bulk_create(steps, batch_size=BATCH)


def ledger_row(rating_list: RatingList, generation: int, row: RatedGame) -> LedgerEntry:
    """The table's row for a rated game, not yet saved."""
    return LedgerEntry(
        rating_list=rating_list,
        generation=generation,
        game_id=row.played.game,
        score=row.played.score,
        **_columns("white", row.white),
        **_columns("black", row.black),
    )


def _columns(side: str, values: Side) -> dict[str, float]:
    names = ("before", "games", "peak", "expected", "k", "change", "after")
    return {f"{side}_{name}": getattr(values, name) for name in names}


def step_row(rating_list: RatingList, generation: int, row: Started) -> RatingStep:
    """The table's row for a starting rating, not yet saved."""
    start: Start = row.start
    return RatingStep(
        rating_list=rating_list,
        generation=generation,
        order=start.order,
        player_id=start.player,
        kind=RatingStep.Kind.START,
        before=row.before,
        games_before=row.games,
        peak_before=row.peak,
        after=start.rating,
    )


def _recall_times(rating_list: RatingList, states: dict[int, PlayerState]) -> None:
    """Fill in, from the ledger before the tail, when a rating was reached and a player last played, for the few whose
    new tail did not say so."""
    for player, state in states.items():
        if state.last_played is None and state.wins + state.draws + state.losses:
            state.last_played = _last_day(rating_list, player)
        if state.reached is None:
            state.reached = reached_order(rating_list, player)


def _live(rating_list: RatingList) -> dict[str, object]:
    return {"rating_list": rating_list, "generation": rating_list.live_generation}


def _last_day(rating_list: RatingList, player: int) -> date | None:
    rows = LedgerEntry.objects.filter(Q(game__white=player) | Q(game__black=player), **_live(rating_list))
    return rows.order_by("-game__played_on").values_list("game__played_on", flat=True).first()


def reached_order(rating_list: RatingList, player: int) -> int:
    """The order key of the last event that moved the player's rating; of the first one where none did."""
    live = _live(rating_list)
    moved = Q(game__white=player) & ~Q(white_after=F("white_before"))
    moved |= Q(game__black=player) & ~Q(black_after=F("black_before"))
    rows = LedgerEntry.objects.filter(**live).select_related("game").order_by("game__played_on", "game__sequence")
    steps = RatingStep.objects.filter(player=player, **live)
    last = rows.filter(moved).last()
    start = steps.last()
    orders = [_order_of(event) for event in (last, start) if event]
    if orders:
        return max(orders)
    first = rows.filter(Q(game__white=player) | Q(game__black=player)).first()
    return _order_of(first) if first else 0


def _write_ratings(rating_list: RatingList, states: dict[int, PlayerState | None], active: dict[int, bool]) -> None:
    """Upsert the current ratings; a player without any event left loses his row."""
    gone = [player for player, state in states.items() if state is None]
    PlayerRating.objects.filter(rating_list=rating_list, player__in=gone).delete()
    rows = [
        rating_row(rating_list, player, state, active[player]) for player, state in states.items() if state is not None
    ]
    columns = ["rating", "games", "wins", "draws", "losses", "peak", "reached_order", "last_played", "ranked"]
    PlayerRating.objects.bulk_create(
        rows,
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["rating_list", "player"],
        update_fields=columns,
    )


def rating_row(rating_list: RatingList, player: int, state: PlayerState, active: bool) -> PlayerRating:
    """The table's row for a player's state, not yet saved."""
    return PlayerRating(
        rating_list=rating_list,
        player_id=player,
        rating=state.rating,
        games=state.games,
        wins=state.wins,
        draws=state.draws,
        losses=state.losses,
        peak=state.peak,
        reached_order=state.reached or 0,
        last_played=state.last_played,
        ranked=is_ranked(rating_list, state.games, active),
    )
