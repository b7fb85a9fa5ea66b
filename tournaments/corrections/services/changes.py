"""The kinds of corrections, as values. Preview and commit (`tournaments.corrections.services.corrections`) know none of
them: they ask a `Change` for its facts, and have it carried out by the services that change those.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q

from players.counters import GAME_SEQUENCE, GAME_SEQUENCE_STEP
from players.models import Counter, Player
from ratings.ledger.services.rows import in_batches
from ratings.systems.base import Moment
from tournaments.corrections.services.board_changes import exchange_results, take_seats
from tournaments.corrections.services.game_changes import ForgottenGame, insert_game, remove_game, swap_colours
from tournaments.events.services.importance import (
    change_importance,
    contests_following,
    first_following,
    games_following,
)
from tournaments.interchange.tables_csv import BadRow
from tournaments.knockouts.selectors.match_reach import games_behind, matches_behind
from tournaments.loading.services.streams import LoadReport, first_new_moments, load_games
from tournaments.models import Entry, EntryMember, Game, Pairing, Tournament
from tournaments.rated_games.selectors.games import earliest, first_moments_of, people_at
from tournaments.rated_games.services.rating_impact import ListEffect, RatedBeside
from tournaments.results.services.results import correct_result
from tournaments.standings.points import RATED_RESULTS, Result

Fact = tuple[str, int, int]  # kind, key, revision
Begin = Mapping[str, Moment]  # by pool


@dataclass(frozen=True, slots=True)
class Why:
    """Who corrects, for which of the reasons, and a note for officers; `bracket`: what becomes of later matches of a
    knockout that were played (`tournaments.knockouts.services.matches`); `beside`: the lists are rated already."""

    by: User | None
    reason: str
    note: str = ""
    bracket: str = ""
    beside: RatedBeside | None = None


class Change(ABC):
    """What preview and commit ask of a correction."""

    __slots__ = ()

    @abstractmethod
    def facts(self) -> list[Fact]:
        """The rows it rests on, with their present revisions."""

    @abstractmethod
    def begin(self) -> Begin:
        """From which moment on the lists of which pools are rated anew; read before it is carried out."""

    @abstractmethod
    def players(self) -> Iterable[int] | None:
        """Keys of those who may come into the tail by it; None for anybody."""

    def event(self) -> Tournament | None:
        """The event whose standings it touches."""
        return None

    def effects(self, why: Why) -> Iterable[ListEffect] | None:
        """What it moves, computed without writing a ledger, where many games stand behind it; None: by doing it."""
        return None

    @abstractmethod
    def carry_out(self, why: Why) -> object:
        """Do it, by its service. Raises Refused."""


@dataclass(frozen=True, slots=True)
class OfOneGame(Change):
    """What the corrections of one game share."""

    game: int

    def facts(self) -> list[Fact]:
        return _reached([self.game])

    def begin(self) -> Begin:
        return _begin(self.game)

    def players(self) -> Iterable[int]:
        """Both players, and in a knockout those whom the matches behind may reach."""
        own = Game.objects.select_related("tournament", "pairing").get(pk=self.game)
        return people_at([own, *games_behind(own)])

    def event(self) -> Tournament:
        return Tournament.objects.get(games=self.game)


@dataclass(frozen=True, slots=True)
class ResultChange(OfOneGame):
    """Another result, day or score; no result clears the board. `revision`: the one the form knew; `score`: empty for
    none, None to leave it."""

    result: Result
    played_on: date | None = None
    revision: int | None = None
    score: str | None = None

    def begin(self) -> Begin:
        return _begin(self.game, self.played_on, self.result)

    def carry_out(self, why: Why) -> Game:
        return correct_result(
            game=self.game,
            result=self.result,
            played_on=self.played_on,
            revision=self.revision,
            score=self.score,
            by=why.by,
            reason=why.reason,
            note=why.note,
            bracket=why.bracket,
            beside=why.beside,
        )


@dataclass(frozen=True, slots=True)
class ResultChanges(Change):
    """Several boards corrected together, e.g. two results entered on each other's board."""

    changes: tuple[ResultChange, ...]

    def facts(self) -> list[Fact]:
        return _reached(change.game for change in self.changes)

    def begin(self) -> Begin:
        return earliest(pool for change in self.changes for pool in change.begin().items())

    def players(self) -> Iterable[int]:
        return {player for change in self.changes for player in change.players()}

    def event(self) -> Tournament:
        return self.changes[0].event()

    def carry_out(self, why: Why) -> list[Game]:
        return [change.carry_out(why) for change in self.changes]


@dataclass(frozen=True, slots=True)
class ColoursSwapped(OfOneGame):
    """White and Black exchanged; see `swap_colours`."""

    mirror: bool
    revision: int | None = None

    def carry_out(self, why: Why) -> Game:
        return swap_colours(
            game=self.game,
            mirror=self.mirror,
            revision=self.revision,
            by=why.by,
            reason=why.reason,
            note=why.note,
            bracket=why.bracket,
            beside=why.beside,
        )


@dataclass(frozen=True, slots=True)
class SeatsTaken(OfOneGame):
    """Others sat at a board of a round; entries by key, see `take_seats`."""

    white: int
    black: int
    revision: int | None = None

    def facts(self) -> list[Fact]:
        return game_facts(game.pk for game in self._games())

    def begin(self) -> Begin:
        rated = [game for game in self._games() if game.result in RATED_RESULTS and game.tournament.rated]
        return first_moments_of(rated)

    def players(self) -> Iterable[int]:
        taken = Q(pk__in=(self.white, self.black))
        own = set(Entry.objects.filter(taken).values_list("player", flat=True))
        partners = EntryMember.objects.filter(entry__in=(self.white, self.black)).values_list("player", flat=True)
        return people_at(self._games()) | own | set(partners)

    def _games(self) -> list[Game]:
        """Of the boards whose people exchange places."""
        here = Pairing.objects.get(games=self.game)
        boards = Q(pk=here.pk) | Q(round=here.round_id, seats__entry__in=(self.white, self.black))
        games = Game.objects.filter(pairing__in=Pairing.objects.filter(boards, superseded=False))
        return list(games.select_related("tournament"))

    def carry_out(self, why: Why) -> Game:
        return take_seats(
            game=self.game,
            white=self.white,
            black=self.black,
            revision=self.revision,
            by=why.by,
            reason=why.reason,
            note=why.note,
        )


@dataclass(frozen=True, slots=True)
class ResultsExchanged(OfOneGame):
    """Two results entered on each other's board, or one on another's; see `exchange_results`."""

    other: int
    mirror: bool = False
    revision: int | None = None

    def facts(self) -> list[Fact]:
        return _reached([self.game, self.other])

    def begin(self) -> Begin:
        rows = Game.objects.in_bulk([self.game, self.other])
        here, there = rows[self.game], rows[self.other]
        begins = _begin(here.pk, there.played_on, Result(there.result)), _begin(there.pk, here.played_on)
        return earliest(pool for begin in begins for pool in begin.items())

    def players(self) -> Iterable[int]:
        return {player for key in (self.game, self.other) for player in ResultChange(key, Result.OPEN).players()}

    def carry_out(self, why: Why) -> Game:
        return exchange_results(
            game=self.game,
            other=self.other,
            mirror=self.mirror,
            revision=self.revision,
            by=why.by,
            reason=why.reason,
            note=why.note,
            bracket=why.bracket,
        )


@dataclass(frozen=True, slots=True)
class GameRemoved(OfOneGame):
    """A game entered in error: cleared or deleted; see `remove_game`."""

    revision: int | None = None

    def carry_out(self, why: Why) -> None:
        remove_game(
            game=self.game,
            revision=self.revision,
            by=why.by,
            reason=why.reason,
            note=why.note,
            bracket=why.bracket,
        )


@dataclass(frozen=True, slots=True)
class GameInserted(Change):
    """A game of a club evening that was forgotten when it was played."""

    new: ForgottenGame

    def facts(self) -> list[Fact]:
        event = Tournament.objects.get(pk=self.new.tournament)
        return [("event", event.pk, event.revision), *people_facts([self.new.white, self.new.black])]

    def begin(self) -> Begin:
        event = Tournament.objects.get(pk=self.new.tournament)
        if not event.rated or self.new.result not in RATED_RESULTS:
            return {}
        last = Counter.objects.filter(name=GAME_SEQUENCE).values_list("value", flat=True).first() or 0
        return {event.pool: Moment(self.new.played_on, last + GAME_SEQUENCE_STEP)}

    def players(self) -> Iterable[int]:
        return (self.new.white, self.new.black)

    def carry_out(self, why: Why) -> Game:
        return insert_game(self.new, by=why.by, reason=why.reason, note=why.note)


@dataclass(frozen=True, slots=True)
class ImportanceChange(Change):
    """Another importance for an event (by key): its games count more or less; see `change_importance`."""

    tournament: int
    importance: float

    def facts(self) -> list[Fact]:
        event = self.event()
        contests = contests_following(event).order_by("pk").values_list("pk", "revision")
        tables = [("contest", pk, revision) for pk, revision in contests]
        games = game_facts(games_following(event).values_list("pk", flat=True))
        return [("event", event.pk, event.revision), *games, *tables]

    def begin(self) -> Begin:
        return first_following(self.event())

    def players(self) -> Iterable[int]:
        return ()  # the games are in the lists already

    def event(self) -> Tournament:
        return Tournament.objects.get(pk=self.tournament)

    def carry_out(self, why: Why) -> Tournament:
        return change_importance(
            self.tournament, self.importance, by=why.by, reason=why.reason, note=why.note, beside=why.beside
        )


@dataclass(frozen=True, slots=True)
class StreamLoaded(Change):
    """A file of games; see `load_games`. What is in it already counts for nothing. `rows` are what `load` takes."""

    rows: Sequence[Any]
    event_name: str
    today: date
    pool: str = "standard"
    known_players_only: bool = False
    bad: Sequence[BadRow] = ()
    skip_bad: bool = False

    def facts(self) -> list[Fact]:
        return []  # the report of what would be loaded stands for them; it is part of the effect

    def load(self) -> Callable[..., LoadReport]:
        """The service that carries it out."""
        return load_games

    def begin(self) -> Begin:
        return first_new_moments(self.rows, event_name=self.event_name, today=self.today, pool=self.pool)

    def players(self) -> None:
        return None

    def carry_out(self, why: Why) -> LoadReport:
        return self.load()(
            self.rows,
            by=why.by,
            event_name=self.event_name,
            today=self.today,
            pool=self.pool,
            known_players_only=self.known_players_only,
            bad=self.bad,
            skip_bad=self.skip_bad,
            reason=why.reason,
            note=why.note,
        )


def facts_digest(change: Change) -> str:
    """A digest of the facts a change rests on; it moves with any of their revisions."""
    return digest(map(str, change.facts()))


def digest(lines: Iterable[str]) -> str:
    """A short digest of lines, to be compared."""
    return sha256("\n".join(lines).encode()).hexdigest()[:24]


def _begin(game: int, day: date | None = None, result: Result = Result.OPEN) -> Begin:
    """Where the tail of a game begins that moves to `day` or gets `result`; nowhere for one that counts in no list."""
    row = Game.objects.select_related("tournament", "pairing").get(pk=game)
    if not row.tournament.rated or row.moment is None:
        return {}
    behind = first_moments_of(other for other in games_behind(row) if other.result in RATED_RESULTS)
    if row.result not in RATED_RESULTS and result not in RATED_RESULTS:
        return behind
    own = row.moment._replace(on=min(row.moment.on, day or row.moment.on))
    return earliest([*behind.items(), (row.pool, own)])


def _reached(keys: Iterable[int]) -> list[Fact]:
    """The games with their revisions; in a knockout also those that a change of them may reach, and the matches behind
    with who went on there and whether the arbiter said so."""
    own = set(keys)
    of_matches = list(Game.objects.filter(pk__in=own, pairing__slot__isnull=False).select_related("pairing"))
    behind = {other.pk for row in of_matches for other in games_behind(row)}
    found: dict[int, int] = {}
    for match in {row.pairing for row in of_matches}:
        found |= {row.pk: 2 * (row.advanced_id or 0) + row.ruled for row in matches_behind(match)}
    return [*game_facts(own | behind), *(("match", key, state) for key, state in sorted(found.items()))]


def game_facts(keys: Iterable[int]) -> list[Fact]:
    """The games with their revisions."""
    batches = (Game.objects.filter(pk__in=some).order_by("pk") for some in in_batches(keys))
    return [("game", pk, revision) for rows in batches for pk, revision in rows.values_list("pk", "revision")]


def people_facts(keys: Iterable[int]) -> list[Fact]:
    """The players with their revisions."""
    return [("player", row.pk, row.revision) for row in Player.objects.filter(pk__in=list(keys)).order_by("pk")]
