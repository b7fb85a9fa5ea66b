"""Who sees the photos of a game's score sheets, and what each may do: the event's officers and both players."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User

from players.models import Player
from tournaments.events.selectors.officers import may_enter
from tournaments.models import Game, ScoreSheet
from tournaments.player_results.services import side_of
from tournaments.score_sheets.photos import MOST_BYTES
from tournaments.score_sheets.services import is_disputed


@dataclass(frozen=True, slots=True)
class ShownSheet:
    """A photo without its bytes: from whom it is, and whose button deletes it (nothing: nobody's here)."""

    sheet: ScoreSheet
    from_white: bool
    from_black: bool
    deleted_by: str


@dataclass(frozen=True, slots=True)
class Sheets:
    """The photos of a game for somebody who may see them; `adders`: as whom one may be added, empty for an officer."""

    shown: tuple[ShownSheet, ...]
    adders: tuple[str, ...]
    most_megabytes: int = MOST_BYTES // 1_000_000


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks at a game: an officer of its event, or players of it by the key of their side."""

    is_officer: bool
    sides: dict[int, Player]

    @property
    def may_see(self) -> bool:
        return self.is_officer or bool(self.sides)


def reader_of(game: Game, user: User | AnonymousUser, players: Sequence[Player]) -> Reader:
    """`players`: for whom the device speaks. A query for each of them."""
    found = [(side.pk, player) for player in players if (side := side_of(game, player.pk))]
    return Reader(may_enter(user, game.tournament), dict(found))


def sheets_for(game: Game, user: User | AnonymousUser, players: Sequence[Player]) -> Sheets | None:
    """What that reader sees of the game's photos; None for whoever sees none, and where there are none to come."""
    rows = list(ScoreSheet.objects.filter(game=game).defer("image").select_related("entry"))
    if not rows and not game.tournament.score_sheets:
        return None
    reader = reader_of(game, user, players)
    if not reader.may_see:
        return None
    disputed = is_disputed(game)
    shown = tuple(_shown(row, game, reader, disputed=disputed) for row in rows)
    own = [str(player.number) for player in reader.sides.values()]
    adders = [*own, *([""] if reader.is_officer else [])] if disputed and game.tournament.score_sheets else []
    return Sheets(shown, tuple(adders))


def _shown(row: ScoreSheet, game: Game, reader: Reader, *, disputed: bool) -> ShownSheet:
    white = row.entry is not None and row.entry.player_id == game.white_id
    own = reader.sides.get(row.entry_id or 0)
    by = "officer" if reader.is_officer else str(own.number) if own and disputed else ""
    return ShownSheet(row, white, row.entry is not None and not white, by)
