"""From the names in a file to the people they mean.

A name means the one player of exactly that (cleaned) name; "#17" means player number 17 and is the way to tell
namesakes apart. A name nobody has is an answer too: whoever asked decides whether that is a new person.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from django.utils.translation import gettext as _

from players.models import Player
from players.people.names import MAX_NAME
from players.people.selectors import players_by_name, players_like, players_merged_away
from players.refusals import Refused, listed, sign
from tournaments.interchange.tables_csv import BadRow
from tournaments.reports.services.people import who_are_called

# Longer ones are names; no club gives out a thousand million numbers.
_NUMBER = re.compile(r"#([0-9]{1,9})")
_BATCH = 500
MOST_COMPARED = 500  # a file with more new names comes from elsewhere, and is not mistyped


class BadRows(Refused):
    """Rows of a file that cannot be used; nothing of the file was."""

    def __init__(self, rows: Iterable[BadRow]) -> None:
        self.rows = tuple(rows)
        super().__init__("\n".join(str(row) for row in self.rows))


@dataclass(frozen=True, slots=True)
class People:
    """What the names of a file mean. A name in neither is nobody's yet."""

    found: Mapping[str, Player]
    problems: Mapping[str, str]

    def is_new(self, name: str) -> bool:
        """Whether nobody has this name."""
        return name not in self.found and name not in self.problems


def look_up(names: Iterable[str]) -> People:
    """The players those cleaned names mean, and why a name cannot be said to mean one."""
    wanted = list(dict.fromkeys(names))
    numbers = {name: int(match[1]) for name in wanted if (match := _NUMBER.fullmatch(name))}
    by_name = players_by_name(name for name in wanted if name not in numbers)
    by_name |= players_merged_away(name for name in wanted if name not in numbers and name not in by_name)
    found = {name: players[0] for name, players in by_name.items() if len(players) == 1}
    problems = {name: _namesakes(name, players) for name, players in by_name.items() if len(players) > 1}
    by_number = _by_number(numbers.values())
    for name, number in numbers.items():
        player = by_number.get(number)
        if player is None:
            problems[name] = _("there is no player %(name)s: correct the number") % {"name": name}
        elif player.merged_into:
            same = {"name": name, "other": f"#{player.kept.number}"}
            problems[name] = _("player %(name)s is the same person as %(other)s: write %(other)s") % same
        elif not player.name:
            problems[name] = _("player %(name)s was erased, and enters nothing any more") % {"name": name}
        else:
            found[name] = player
    return People(found, problems)


def look_up_alike(names: Iterable[str]) -> People:
    """As `look_up`; a name nobody has means the only one with the same words in whatever order, case and accents."""
    wanted = list(dict.fromkeys(names))
    people = look_up(wanted)
    alike = who_are_called([name for name in wanted if people.is_new(name) and len(name) <= MAX_NAME])
    only = {name: players[0] for name, players in alike.items() if len(players) == 1}
    return People({**people.found, **only}, people.problems)


def _by_number(numbers: Iterable[int]) -> dict[int, Player]:
    wanted = sorted(set(numbers))
    found: dict[int, Player] = {}
    for start in range(0, len(wanted), _BATCH):
        players = Player.objects.filter(number__in=wanted[start : start + _BATCH]).select_related("merged_into")
        found |= {player.number: player for player in players}
    return found


def _namesakes(name: str, players: Iterable[Player]) -> str:
    numbers = listed(f"#{player.number}" for player in players)
    text = _("several players are called “%(name)s”: write one of %(numbers)s instead of the name")
    return text % {"name": name, "numbers": numbers}


def look_alikes(new: Iterable[str]) -> tuple[str, ...]:
    """One sentence for each name that is new but much like somebody's: the same words in another order or case."""
    lines = []
    for name in islice(new, MOST_COMPARED):
        like = listed(f"{player.name}{sign(' (')}#{player.number}{sign(')')}" for player in players_like(name))
        if like:
            lines.append(_("“%(name)s” is new. If it is %(like)s, write that name.") % {"name": name, "like": like})
    return tuple(lines)


def nobody(name: str) -> str:
    """The reason for a name that must be known and is not, with those it may have meant."""
    like = listed(f"{player.name}{sign(' (')}#{player.number}{sign(')')}" for player in players_like(name))
    if like:
        return _("nobody is called exactly “%(name)s”: did you mean %(like)s?") % {"name": name, "like": like}
    return _("nobody is called “%(name)s”: add the player first, or correct the spelling") % {"name": name}
