"""An event in figures: results by colour, round and board, the field, and upsets. No query.

Counted are games played on the board. An upset goes by the ratings at entry. Only people the viewer sees by name are
pointed out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, median

from players.privacy.rules import Viewer, sees_name
from tournaments.events.selectors.event_data import BoardData, Entrant, EventData
from tournaments.standings.points import OUTCOMES

MOST = 5  # are pointed out


@dataclass(frozen=True, slots=True)
class Tally:
    """Games played on the board, by who won them."""

    white: int = 0
    draws: int = 0
    black: int = 0

    @property
    def games(self) -> int:
        return self.white + self.draws + self.black

    @property
    def decisive(self) -> int:
        return self.white + self.black

    def share(self, part: int) -> int:
        """That many of the games, in whole per cent."""
        return round(100 * part / self.games) if self.games else 0

    @property
    def white_share(self) -> int:
        return self.share(self.white)

    @property
    def draw_share(self) -> int:
        return self.share(self.draws)

    @property
    def black_share(self) -> int:
        return self.share(self.black)

    @property
    def decisive_share(self) -> int:
        return self.share(self.decisive)

    @property
    def white_score(self) -> int:
        """What White made of the games, in whole per cent of the points."""
        return round(50 * (2 * self.white + self.draws) / self.games) if self.games else 0


@dataclass(frozen=True, slots=True)
class Field:
    """How strong the field is: how many have a rating at entry, and the figures of those not on probation."""

    people: int
    rated: int
    provisional: int
    mean: float | None
    median: float | None
    highest: float | None
    lowest: float | None


@dataclass(frozen=True, slots=True)
class Upset:
    """A game the lower rated side won, by so many points of rating."""

    round: int
    winner: Entrant
    loser: Entrant
    gap: int


@dataclass(frozen=True, slots=True)
class Change:
    """What the event did to somebody's rating so far."""

    entrant: Entrant
    change: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """The whole page's figures; `rounds` and `boards` by their numbers."""

    games: Tally
    forfeits: int
    byes: int
    rounds: tuple[tuple[int, Tally], ...]
    boards: tuple[tuple[int, Tally], ...]
    field: Field
    upsets: tuple[Upset, ...]
    gains: tuple[Change, ...]
    losses: tuple[Change, ...]


def statistics_of(event: EventData, changes: dict[int, float], viewer: Viewer) -> Statistics:
    """The figures of an event; `changes` is what it did to the ratings so far, by the player's key."""
    shown = [row for row in event.rounds if not row.is_draft]
    games = [(row.number, game) for row in shown for game in row.games]
    decided = [game for _number, game in games if game.decided]
    # K, and so a child's age, could be read off a change: it is shown where the name is.
    seen = [person for person in event.everybody or event.entrants if sees_name(person.player, viewer)]
    moved = [Change(person, changes[person.player.pk]) for person in seen if round(changes.get(person.player.pk, 0))]
    return Statistics(
        games=tally(decided),
        forfeits=sum(not OUTCOMES[game.result].played for game in decided),
        byes=sum(len(row.byes) for row in shown if row.begun),
        rounds=_by(games),
        boards=_by(((game.board, game) for _number, game in games)),
        field=field_of(event.entrants),
        upsets=_upsets(games, viewer),
        gains=tuple(sorted((row for row in moved if row.change > 0), key=lambda row: -row.change)[:MOST]),
        losses=tuple(sorted((row for row in moved if row.change < 0), key=lambda row: row.change)[:MOST]),
    )


def tally(games: Iterable[BoardData]) -> Tally:
    """How those games ended; only played ones count. A game nobody won points in is no draw and counts for neither."""
    shares = [OUTCOMES[game.result] for game in games if OUTCOMES[game.result].played]
    return Tally(
        white=sum(one.white == "win" for one in shares),
        draws=sum(one.white == one.black == "draw" for one in shares),
        black=sum(one.black == "win" for one in shares),
    )


def _by(games: Iterable[tuple[int, BoardData]]) -> tuple[tuple[int, Tally], ...]:
    """The games of each number, in order; numbers without a played game are left out."""
    grouped: dict[int, list[BoardData]] = {}
    for number, game in games:
        grouped.setdefault(number, []).append(game)
    tallies = ((number, tally(own)) for number, own in sorted(grouped.items()))
    return tuple((number, own) for number, own in tallies if own.games)


def field_of(people: Sequence[Entrant]) -> Field:
    """How strong these people are."""
    ratings = [person.rating for person in people if person.rating is not None and not person.provisional]
    return Field(
        people=len(people),
        rated=sum(person.rating is not None for person in people),
        provisional=sum(person.provisional for person in people),
        mean=mean(ratings) if ratings else None,
        median=median(ratings) if ratings else None,
        highest=max(ratings, default=None),
        lowest=min(ratings, default=None),
    )


def _upsets(games: Iterable[tuple[int, BoardData]], viewer: Viewer) -> tuple[Upset, ...]:
    """The biggest first, those of the same gap by round. A rating on probation says too little to be upset."""
    found = []
    for number, game in games:
        outcome = OUTCOMES[game.result]
        if not outcome.played or "win" not in (outcome.white, outcome.black):
            continue
        winner, loser = (game.white, game.black) if outcome.white == "win" else (game.black, game.white)
        if winner.rating is None or loser.rating is None or winner.provisional or loser.provisional:
            continue
        gap = round(loser.rating) - round(winner.rating)
        if gap > 0 and sees_name(winner.player, viewer) and sees_name(loser.player, viewer):
            found.append(Upset(number, winner, loser, gap))
    return tuple(sorted(found, key=lambda row: (-row.gap, row.round))[:MOST])
