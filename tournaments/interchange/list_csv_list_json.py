"""A rating list as JSON (pure): the same facts, figures and order as LIST.csv, for programs that would rather not read
comments. Fields are added, none changes or goes.

{"list", "name", "pool", "kind", "on", …, "digest", "settings": {…}, "players": [{"place", "player", "name", "rating",
"games", "provisional"}]}: `player` is the number, `place` null for whoever takes none, `rating` to four decimals.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tournaments.interchange.list_csv import WrittenRow


def write_json(facts: Mapping[str, str], settings: Mapping[str, Any], digest: str, rows: Iterable[WrittenRow]) -> str:
    """The file's text: a line for each player, so that two files can be compared."""
    head = json.dumps({**facts, "digest": digest, "settings": settings}, ensure_ascii=False)
    players = ",\n".join(json.dumps(_player(row), ensure_ascii=False) for row in rows)
    return f'{head[:-1]}, "players": [\n{players}\n]}}\n'


def _player(row: WrittenRow) -> dict[str, Any]:
    sealed = row.sealed
    return {
        "place": row.place,
        "player": sealed.number,
        "name": row.name,
        "rating": float(sealed.figure),
        "games": sealed.games,
        "provisional": sealed.provisional,
    }
