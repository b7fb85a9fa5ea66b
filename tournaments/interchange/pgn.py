"""Headers of games as PGN (pure): the seven tag roster, what else is known of the players, and the result.

Source: Portable Game Notation Specification and Implementation Guide, 1994-03-12: sections 8.1 (tag pairs, the
roster and its order), 9.1 (players), 9.8.1 (Termination). Lines are those of the text encoded as UTF-8.

A forfeit is an administrative one: Termination "rules infraction". What PGN's four results cannot say (both forfeit,
penalised results) is "*" with the result in a comment. Not done: moves, which nobody enters here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from tournaments.standings.points import OUTCOMES, Result

RESULTS: dict[Result, str] = {
    Result.WHITE_WINS: "1-0",
    Result.BLACK_WINS: "0-1",
    Result.DRAW: "1/2-1/2",
    Result.WHITE_WINS_UNRATED: "1-0",
    Result.BLACK_WINS_UNRATED: "0-1",
    Result.DRAW_UNRATED: "1/2-1/2",
    Result.BLACK_FORFEITS: "1-0",
    Result.WHITE_FORFEITS: "0-1",
}
NO_RESULT, UNKNOWN, NONE = "*", "?", "-"


@dataclass(frozen=True, slots=True)
class PgnPlayer:
    """A side as it may be shown. `title`, `elo` and `fide_id` are left out where they are empty."""

    name: str
    elo: int | None = None
    title: str = ""
    fide_id: str = ""


@dataclass(frozen=True, slots=True)
class PgnGame:
    """One game. `round` is "3.1" for round 3, board 1; empty where there are no rounds."""

    event: str
    site: str
    played_on: date | None
    round: str
    white: PgnPlayer
    black: PgnPlayer
    result: Result


def write_games(games: Iterable[PgnGame]) -> str:
    """All games' headers, a blank line after each header and each game."""
    return "".join(_game(game) for game in games)


def _game(game: PgnGame) -> str:
    header = "".join(f'[{tag} "{_escaped(value)}"]\n' for tag, value in _tags(game) if value)
    return f"{header}\n{_movetext(game.result)}\n\n"


def _tags(game: PgnGame) -> Iterator[tuple[str, str]]:
    """Tags and values, the roster first; an empty one is not written."""
    yield "Event", game.event or UNKNOWN
    yield "Site", game.site or UNKNOWN
    yield "Date", f"{game.played_on:%Y.%m.%d}" if game.played_on else "????.??.??"
    yield "Round", game.round or NONE
    yield "White", game.white.name or UNKNOWN
    yield "Black", game.black.name or UNKNOWN
    yield "Result", RESULTS.get(game.result, NO_RESULT)
    further = {"Termination": _termination(game.result)}
    for side, player in (("White", game.white), ("Black", game.black)):
        elo = "" if player.elo is None else str(player.elo)
        further |= {f"{side}Elo": elo, f"{side}Title": player.title, f"{side}FideId": player.fide_id}
    yield from sorted(further.items())


def _termination(result: Result) -> str:
    outcome = OUTCOMES[result]
    if outcome.white is None:
        return "unterminated"
    if outcome.played and result in RESULTS:
        return ""
    return "rules infraction"


def _movetext(result: Result) -> str:
    """The result; before it what it cannot say itself."""
    if result in RESULTS:
        return RESULTS[result]
    white, black = OUTCOMES[result].shown
    return f"{{{white}:{black}}} {NO_RESULT}" if white else NO_RESULT


def _escaped(text: str) -> str:
    """A tag's value: backslash and quote with a backslash before them, anything that is no printing letter a blank."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain.replace("\\", "\\\\").replace('"', '\\"')
