"""KEYS.csv and BRIDGES.csv: who two clubs' members are without their names, and the games between them (pure).

KEYS.csv: `club` (a letter: A is the club named first), `number` (the player's in the club's list, with or without #),
`key` (what the clubs agreed on). One key in two clubs is one person; keys that differ only in capitals are refused.
BRIDGES.csv: `date`, `white`, `black`, `result` as in GAMES.csv (or `winner`, `loser`), players by key; forfeits are
left out, and a game that stands there twice is refused.

A key is 3 to 40 of the letters a–z and A–Z, digits, ".", "_" and "-", one of them a digit. The first is a
letter or digit, so a spreadsheet takes none for a formula.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from clubrating.ground.marks import marked, sentence
from tournaments.interchange.games_csv import read_games
from tournaments.interchange.tables_csv import BadRow, Fields, Rows, in_order, read_rows, read_table, shortened
from tournaments.standings.points import SCORES

_KEY = re.compile(r"(?=.*[0-9])[A-Za-z0-9][A-Za-z0-9._-]{2,39}")
_NUMBER = re.compile(r"#?([0-9]{1,9})")


class KeyRow(NamedTuple):
    """A member of a club by number, and the key agreed for him; `line` of the file."""

    line: int
    club: str
    number: int
    key: str


@dataclass(frozen=True, slots=True)
class BridgeRow:
    """A game by keys; `score` is White's: 1, ½ or 0."""

    line: int
    white: str
    black: str
    played_on: date
    score: float


def read_keys(data: bytes, clubs: Collection[str]) -> Rows[KeyRow]:
    """A whole file. Raises UnreadableFileError for a file or header that is none."""
    table = read_table(data)
    table.require("club", "number", "key")
    members: dict[str, int] = {}
    keys: dict[str, int] = {}
    spelt: dict[str, str] = {}

    def read_club(text: str) -> str:
        if text.upper() not in clubs:
            known = ", ".join(clubs)
            raise ValueError(
                sentence("club “%(value)s” is not known: write one of %(known)s", value=shortened(text), known=known)
            )
        return text.upper()

    def read(fields: Fields) -> KeyRow:
        club = fields.take("club", read_club, "")
        number = fields.take("number", _read_number, 0)
        key = fields.take("key", read_key, "")
        if not fields.problems:
            fields.refuse_twin(f"{club} #{number}", members)
            fields.refuse_twin(f"{club} {key}", keys)
            if (other := spelt.setdefault(key.lower(), key)) != key:
                words = marked("“%(key)s” and “%(other)s” differ only in capitals: write one person’s key alike")
                fields.problems.append(sentence(words, key=key, other=other))
        return KeyRow(fields.line.number, club, number, key)

    return read_rows(table, read)


def read_key(text: str) -> str:
    """A key. Raises ValueError with the remedy."""
    if not _KEY.fullmatch(text):
        raise ValueError(
            sentence(
                "“%(value)s” is no key: write 3 to 40 letters a–z, digits, “.”, “_” or “-”, at least one a digit, the "
                "first a letter or digit",
                value=shortened(text),
            )
        )
    return text


def _read_number(text: str) -> int:
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise ValueError(sentence("“%(value)s” is no player’s number: write it as in the list", value=shortened(text)))
    return int(found[1])


def read_bridges(data: bytes, *, today: date) -> Rows[BridgeRow]:
    """A whole file. Raises UnreadableFileError for a file or header that is none."""
    games = read_games(data, today=today)
    rows, bad = [], list(games.bad)
    lines: dict[tuple[str, str, date, str], int] = {}
    for game in games.rows:
        try:
            white, black = read_key(game.white), read_key(game.black)
            if game.played_on is None:
                raise ValueError(marked("the date is missing: write it in a column “date”, YYYY-MM-DD"))
            line = lines.setdefault((white, black, game.played_on, game.result), game.line)
            if line != game.line:
                raise ValueError(
                    sentence("the same game stands in line %(line)s already: remove one of the two", line=line)
                )
        except ValueError as reason:
            bad.append(BadRow(game.line, str(reason)))
            continue
        if game.result in SCORES:
            rows.append(BridgeRow(game.line, white, black, game.played_on, SCORES[game.result]))
    return Rows(tuple(rows), in_order(bad))
