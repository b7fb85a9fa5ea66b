"""The events' facts as the public pages show them: entrants, rounds and boards, in a fixed number of queries.

Rounds still drafted exist for officers only: everybody else gets an event without them.
Not done here: events of several stages (the first stage is shown).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import F, FilteredRelation, Q, QuerySet

from players.models import Player
from players.privacy import Level, Viewer
from ratings.models import RatingList
from ratings.selectors import main_of
from tournaments.models import Entry, Game, Pairing, Round, Stage, Tournament
from tournaments.standings.points import DECIDED_RESULTS, Result


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody entered, with the rating snapshot: `games` were rated, `of` are needed to leave probation."""

    key: int
    number: int | None
    player: Player
    rating: float | None
    games: int | None
    of: int
    withdrawn: bool

    @property
    def provisional(self) -> bool:
        return self.rating is not None and self.games is not None and self.games < self.of


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """Who meets on a board, and what came of it."""

    board: int
    white: Entrant
    black: Entrant
    result: Result
    played_on: date | None

    @property
    def decided(self) -> bool:
        return self.result in DECIDED_RESULTS


@dataclass(frozen=True, slots=True)
class ByeFacts:
    """Who has no opponent, and why (a `ByeKind`)."""

    entrant: Entrant
    kind: str


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """One round: its boards in order, then its byes."""

    number: int
    is_draft: bool
    planned_on: date | None
    boards: tuple[BoardFacts, ...]
    byes: tuple[ByeFacts, ...]

    @property
    def decided(self) -> int:
        """How many boards have their result."""
        return sum(board.decided for board in self.boards)

    @property
    def is_complete(self) -> bool:
        return self.decided == len(self.boards)

    @property
    def day(self) -> date | None:
        """The day most boards were played on; the planned one while none was."""
        played = Counter(board.played_on for board in self.boards if board.played_on)
        return played.most_common(1)[0][0] if played else self.planned_on


@dataclass(frozen=True, slots=True)
class EventFacts:
    """An event with rounds, as one kind of viewer may see it: `rounds` are those shown, of `round_count`.
    `rating_list` is the one its games are rated in."""

    tournament: Tournament
    stage: Stage
    entrants: tuple[Entrant, ...]
    rounds: tuple[RoundFacts, ...]
    round_count: int
    rating_list: RatingList | None

    @property
    def rounds_done(self) -> int:
        """Rounds in which every board has its result."""
        return sum(row.is_complete for row in self.rounds)

    @property
    def current_round(self) -> RoundFacts | None:
        """The round people ask for: the latest one begun, or the one after it once it is complete."""
        begun = [index for index, row in enumerate(self.rounds) if row.decided]
        if not begun:
            return self.rounds[0] if self.rounds else None
        latest = begun[-1]
        return self.rounds[min(latest + self.rounds[latest].is_complete, len(self.rounds) - 1)]

    def round(self, number: int) -> RoundFacts | None:
        """The round of that number, or None."""
        return next((row for row in self.rounds if row.number == number), None)


def find_stage(slug: str) -> Stage | None:
    """The first stage of the event at that address, with the event joined in."""
    return Stage.objects.filter(tournament__slug=slug).select_related("tournament").order_by("order").first()


def event_facts(stage: Stage, viewer: Viewer) -> EventFacts:
    """Everything the pages of one event need, in three queries."""
    tournament = stage.tournament
    entries = list(entries_of([tournament.pk]))
    lists = _rating_lists(tournament.pool, {entry.rating_list for entry in entries})
    # A rating from a list that is not public is for officers.
    shown_lists = [row for row in lists if row.public or viewer.level >= Level.OFFICER]
    entrants = tuple(entrant(entry, {row.slug: row.provisional_games for row in shown_lists}) for entry in entries)
    rounds = rounds_from(board_rows([tournament.pk]), entrants)
    shown = tuple(row for row in rounds if not row.is_draft or viewer.level >= Level.OFFICER)
    rating_list = main_of(row for row in lists if row.pool == tournament.pool and row.public)
    return EventFacts(tournament, stage, entrants, shown, len(rounds), rating_list if tournament.rated else None)


def _rating_lists(pool: str, slugs: Iterable[str]) -> list[RatingList]:
    """The pool's lists, and those the snapshots were taken from (the pool may have been changed since)."""
    return list(RatingList.objects.filter(Q(pool=pool) | Q(slug__in=set(slugs) - {""})))


def entries_of(tournaments: Sequence[int]) -> QuerySet[Entry]:
    """The entries of those events (by key) with their players, by pairing number."""
    entries = Entry.objects.filter(tournament__in=tournaments).select_related("player")
    return entries.order_by(F("number").asc(nulls_last=True), "pk")


def entrant(entry: Entry, probation: Mapping[str, int]) -> Entrant:
    """An entry for showing; `probation` gives the provisional games of each list whose ratings may be shown."""
    is_shown = entry.rating_list in probation
    return Entrant(
        key=entry.pk,
        number=entry.number,
        player=entry.player,
        rating=entry.rating if is_shown else None,
        games=entry.rating_games if is_shown else None,
        of=probation.get(entry.rating_list, 0),
        withdrawn=entry.withdrawn,
    )


def board_rows(tournaments: Sequence[int]) -> QuerySet[Pairing, Any]:
    """Every board of those events in one query, one row a game or bye, in order of rounds and boards."""
    return (
        Pairing.objects.filter(stage__tournament__in=tournaments, round__isnull=False, superseded=False)
        .annotate(free=FilteredRelation("seats", condition=Q(seats__colour="")))
        .order_by("round__number", "board", "games__number")
        .values_list(
            "stage__tournament_id",
            "round__number",
            "round__state",
            "round__planned_on",
            "board",
            "bye",
            "free__entry_id",
            "games__white_id",
            "games__black_id",
            "games__result",
            "games__played_on",
            named=True,
        )
    )


def rounds_from(rows: Iterable[Any], entrants: Sequence[Entrant]) -> tuple[RoundFacts, ...]:
    """Rounds put together from the board rows of one event."""
    by_key = {person.key: person for person in entrants}
    by_player = {person.player.pk: person for person in entrants}
    rounds = []
    for number, group in groupby(rows, key=attrgetter("round__number")):
        boards = list(group)
        rounds.append(
            RoundFacts(
                number=number,
                is_draft=boards[0].round__state == Round.State.DRAFT,
                planned_on=boards[0].round__planned_on,
                boards=tuple(_board(row, by_player) for row in boards if not row.bye),
                byes=tuple(ByeFacts(by_key[row.free__entry_id], row.bye) for row in boards if row.bye),
            )
        )
    return tuple(rounds)


def _board(row: Any, by_player: Mapping[int, Entrant]) -> BoardFacts:
    white, black = by_player[row.games__white_id], by_player[row.games__black_id]
    return BoardFacts(row.board, white, black, Result(row.games__result), row.games__played_on)


def free_games(tournament: Tournament) -> QuerySet[Game]:
    """The games of an open-ended event, latest day first, within a day as they were entered."""
    games = Game.objects.filter(tournament=tournament, played_on__isnull=False).select_related("white", "black")
    return games.order_by("-played_on", "sequence")
