"""The games of an event as PGN headers, for one kind of viewer: names, titles and numbers only where they are shown."""

from collections.abc import Iterator, Mapping, Sequence

from players.models import Player
from players.privacy.rules import Viewer, sees_name, shown_name
from tournaments.interchange.pgn import PgnGame, PgnPlayer
from tournaments.models import Game, Tournament
from tournaments.downloads.selectors import fide_ids, rating_of
from tournaments.events.selectors.events import free_games
from tournaments.events.selectors.facts import BoardFacts, Entrant, EventFacts, RoundFacts
from tournaments.standings.points import Result


def games_of(event: EventFacts, parts: Sequence[EventFacts], viewer: Viewer) -> list[PgnGame]:
    """The games of all rounds this viewer sees, in order of rounds and boards. No byes; nor what both forfeited:
    nothing was played, and PGN has no result for it. One query, for the FIDE numbers."""
    ids = fide_ids(event.entrants, viewer)
    rows = sorted((row for part in parts for row in part.rounds), key=lambda row: row.number)
    return [
        _game(event.tournament, label, game, viewer, ids)
        for row in rows
        for label, game in _games(row)
        if game.result != Result.BOTH_FORFEIT
    ]


def open_games_of(tournament: Tournament, viewer: Viewer) -> list[PgnGame]:
    """The games of an open-ended event, the earliest first. One query."""
    return [_free(tournament, game, viewer) for game in free_games(tournament).order_by("played_on", "sequence")]


def _games(row: RoundFacts) -> Iterator[tuple[str, BoardFacts]]:
    """Every game with its "3.1": round, board; in a match of several games "3.1.2"."""
    for board in row.boards:
        yield f"{row.number}.{board.board}", board
    for match in sorted(row.matches, key=lambda match: match.board):
        for game in match.games:
            label = f"{row.number}.{match.board}"
            yield (label if len(match.games) == 1 else f"{label}.{game.number}"), game


def _game(tournament: Tournament, label: str, game: BoardFacts, viewer: Viewer, ids: Mapping[int, str]) -> PgnGame:
    return PgnGame(
        event=tournament.name,
        site=tournament.place,
        played_on=game.played_on,
        round=label,
        white=_side(game.white, viewer, ids),
        black=_side(game.black, viewer, ids),
        result=game.result,
    )


def _side(person: Entrant, viewer: Viewer, ids: Mapping[int, str]) -> PgnPlayer:
    player = person.player
    return PgnPlayer(shown_name(player, viewer), rating_of(person), _title(player, viewer), ids.get(player.pk, ""))


def _title(player: Player, viewer: Viewer) -> str:
    return player.title if sees_name(player, viewer) else ""


def _free(tournament: Tournament, game: Game, viewer: Viewer) -> PgnGame:
    white, black = (
        PgnPlayer(shown_name(player, viewer), title=_title(player, viewer)) for player in (game.white, game.black)
    )
    return PgnGame(tournament.name, tournament.place, game.played_on, "", white, black, Result(game.result))
