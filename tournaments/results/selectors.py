"""Notes on results, as somebody may read them."""

from collections.abc import Iterable

from players.models import Player
from players.privacy.redaction import finder, parts_finder, redacted
from players.privacy.rules import Viewer, each_of, sees_name, shown_name
from tournaments.models import Game


def without_hidden_names(text: str, players: Iterable[Player], viewer: Viewer) -> str:
    """What was written of these players' game, with what everybody else reads in place of a name that this viewer may
    not see. A single word of such a name counts as the name."""
    for player in (each for side in players for each in each_of(side)):
        if text and player.name and not sees_name(player, viewer):
            spelt = [name for name in (player.name, player.reading) if name]
            for pattern in (finder(spelt), parts_finder(spelt)):
                text = redacted(text, pattern, shown_name(player, viewer)) if pattern else text
    return text


def footnote_text(game: Game, viewer: Viewer) -> str:
    """The note on a game's result as this viewer may read it; empty where there is none. It is joined in before."""
    own = getattr(game, "footnote", None) if game.result else None
    return without_hidden_names(own.text, (game.white, game.black), viewer) if own else ""
