"""The boards of matches as a page shows them: players with their ratings at entry, and where a rating is explained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from players.privacy.rules import Viewer, sees_name
from ratings.lists.selectors.lists import main_of, public_lists
from ratings.models import LedgerEntry, RatingList
from ratings.systems.probation import Probation
from tournaments.events.selectors.event_data import Entrant
from tournaments.events.selectors.events import entrant
from tournaments.models import Entry
from tournaments.teams.selectors.facts import BoardFacts, MatchFacts, TeamFacts


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A board; `rated_in`: the list whose change of its game can be explained, else None; `why_of`: whose change, where
    the viewer sees the name: a change tells K, and so an age."""

    facts: BoardFacts
    home: Entrant | None
    away: Entrant | None
    rated_in: RatingList | None
    why_of: Entrant | None


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A match with its boards, none until they are made."""

    facts: MatchFacts
    boards: tuple[ShownBoard, ...]


def shown_matches(facts: TeamFacts, matches: Sequence[MatchFacts], viewer: Viewer) -> list[ShownMatch]:
    """Those matches. Two queries, three where a game was played."""
    lists = list(public_lists())
    of = {row.slug: row.probation for row in lists}
    main = main_of(row for row in lists if row.pool == facts.tournament.pool) if facts.tournament.rated else None
    games = [board.game.pk for match in matches for board in match.boards if board.game and board.game.result]
    rated = set()
    if main is not None and games:
        rows = LedgerEntry.objects.filter(rating_list=main, generation=main.live_generation, game__in=games)
        rated = set(rows.values_list("game", flat=True))
    return [
        ShownMatch(match, tuple(_board(board, of, main, rated, viewer) for board in match.boards)) for match in matches
    ]


def _board(
    board: BoardFacts, of: Mapping[str, Probation], main: RatingList | None, rated: set[int], viewer: Viewer
) -> ShownBoard:
    rated_in = main if board.game is not None and board.game.pk in rated else None
    home, away = _entrant(board.home, of), _entrant(board.away, of)
    why_of = next((side for side in (home, away) if side is not None and sees_name(side.player, viewer)), None)
    return ShownBoard(board, home, away, rated_in, why_of)


def _entrant(entry: Entry | None, of: Mapping[str, Probation]) -> Entrant | None:
    return None if entry is None else entrant(entry, of)
