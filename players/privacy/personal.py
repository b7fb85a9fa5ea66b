"""What becomes of the rows that tell who a person is, when the person is erased: one table, read by the erasing itself
and by the scrubbing of backup files.

What is not here: entries, games, ratings and published lists carry the number alone and stay as they are; the year of
birth goes only where no rating was reckoned with it, which the database knows, and free text is searched by
`tournaments.erasure.services.free_text`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Personal:
    """One table: `key` is the column with the player's key; `blank` what the columns become, nothing given where the
    rows are deleted."""

    key: str
    blank: Mapping[str, str | bool | None] | None = None


_NOBODY = MappingProxyType(
    {
        "name": "",
        "sort_name": "",
        "search_name": "",
        "sex": "",
        "title": "",
        "visibility": "hidden",
        "active": False,
        "joined_on": None,
    }
)
# Database table → what becomes of the person's rows in it.
PERSONAL: Mapping[str, Personal] = MappingProxyType(
    {
        "players_player": Personal("id", _NOBODY),
        "players_playeridentity": Personal("player_id"),
        "players_guardian": Personal("player_id"),
    }
)
