"""A board as programs are told of it: in the API, in answers to what they write, and in webhooks."""

from typing import Any

from clubrating.site.programs.results import written
from players.privacy.rules import Viewer, shown_name
from tournaments.events.selectors.stages import name_sides
from tournaments.models import Game
from tournaments.standings.points import score_text


def board_of(game: Game, viewer: Viewer) -> dict[str, Any]:
    """A board as that viewer may see it."""
    name_sides([game])
    values = {
        "tournament": game.tournament.slug,
        "round": game.pairing.round.number if game.pairing.round else None,
        "board": game.pairing.board,
        "game": game.number,
    }
    for side, player in (("white", game.white), ("black", game.black)):
        values |= {f"{side}_number": player.number, side: shown_name(player, viewer)}
    return {**values, **result_of(game)}


def result_of(game: Game) -> dict[str, Any]:
    """What was played on it, and the revision that a correction has to know."""
    return {
        "result": written(game.result),
        "score": score_text(game.white_points, game.black_points) if game.tournament.scores else "",
        "played_on": game.played_on.isoformat() if game.played_on else None,
        "revision": game.revision,
    }
