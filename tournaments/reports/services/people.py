"""Who the lines of a tournament report mean: people the club knows, or somebody new.

The FIDE number decides first. Then the name, whatever its accents, its capitals and its order ("Last, First" or
"First Last"); a name that fills its 33 columns may have been cut and means whoever's begins so. Another FIDE number
is another person. Where several remain, or the year of birth speaks against the only one, nobody guesses: the arbiter
chooses. An event that is here already knows best who its numbers are.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Q
from django.utils.translation import gettext as _

from players.models import Player, PlayerIdentity
from players.people.names import clean_name, given_first, sort_key
from players.refusals import listed, sign
from tournaments.interchange.trf import ReportPlayer
from tournaments.interchange.trf.cells import year_of
from tournaments.interchange.trf.rows import NAME_WIDTH

_BATCH = 500
_FIDE_NUMBER = re.compile(r"0*([0-9]{5,10})")
_MANY_WORDS = 6  # longer names are looked up as they stand, and with the first word behind


class How(StrEnum):
    """How it was found out who a line means."""

    FIDE = "fide"
    NAME = "name"
    CHOSEN = "chosen"
    NEW = "new"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Meant:
    """Who a line of the report means: a `player`, or nobody yet (NEW; OPEN: one of `candidates`, or somebody new).
    `doubt` is a sentence for the arbiter; empty where there is none."""

    row: ReportPlayer
    how: How
    player: Player | None = None
    candidates: tuple[Player, ...] = ()
    doubt: str = ""


def fide_number(row: ReportPlayer) -> str:
    """The FIDE number; empty where the column holds none."""
    found = _FIDE_NUMBER.fullmatch(row.fide_id)
    return found[1] if found else ""


def who_is_meant(
    rows: Sequence[ReportPlayer],
    *,
    chosen: Mapping[int, Player | None] | None = None,
    entered: Mapping[int, int] | None = None,
) -> tuple[Meant, ...]:
    """Every line's person. `chosen`: what the arbiter says, by starting number (None: somebody new); `entered`: the
    keys of those who have the numbers in the event, if it is here. Five queries, however many lines."""
    numbers = _by_fide_number(rows)
    names = _by_name(rows)
    called = {player.pk for players in names.values() for player in players}
    fide = PlayerIdentity.objects.filter(scheme=PlayerIdentity.Scheme.FIDE, player__in=called)
    ids = dict(fide.values_list("player_id", "value"))
    known, by_event = chosen or {}, entered or {}
    first = {number: row for row in reversed(rows) if (number := fide_number(row))}
    found = []
    for row in rows:
        if row.number in known:
            player = known[row.number]
            found.append(Meant(row, How.CHOSEN if player else How.NEW, player))
        elif (twin := first.get(fide_number(row), row)) is not row:
            values = {"number": fide_number(row), "line": twin.line}
            doubt = _("the FIDE number %(number)s stands in line %(line)s too") % values
            found.append(Meant(row, How.OPEN, candidates=names.get(row.number, ()), doubt=doubt))
        elif owner := numbers.get(fide_number(row)):
            found.append(Meant(row, How.FIDE, owner, doubt=_another_name(row, owner)))
        else:
            found.append(_by_candidates(row, names.get(row.number, ()), ids, by_event.get(row.number)))
    return _nobody_twice(found)


def _by_candidates(
    row: ReportPlayer, candidates: Sequence[Player], ids: Mapping[int, str], entered: int | None
) -> Meant:
    own = fide_number(row)
    left = [player for player in candidates if not own or ids.get(player.pk, own) == own]
    if here := [player for player in left if player.pk == entered]:
        return Meant(row, How.NAME, here[0])
    if not left:
        return Meant(row, How.NEW)
    year = year_of(row.birth)
    same_year = [player for player in left if year and player.birth_year == year]
    for sure in (left, same_year):
        if len(sure) == 1 and (not year or sure[0].birth_year in (None, year)):
            return Meant(row, How.NAME, sure[0])
    if len(left) > 1:
        doubt = _("several players are called so: %(people)s") % {"people": _listed(left)}
    else:
        values = {"people": _listed(left), "year": left[0].birth_year, "said": year}
        doubt = _("%(people)s is called so and was born in %(year)s, not in %(said)s") % values
    return Meant(row, How.OPEN, candidates=tuple(left), doubt=doubt)


def _nobody_twice(found: Sequence[Meant]) -> tuple[Meant, ...]:
    """Whoever is meant by two lines is open again in the second of them."""
    times = Counter(meant.player.pk for meant in found if meant.player)
    seen: set[int] = set()
    result = []
    for meant in found:
        player = meant.player
        if player and times[player.pk] > 1 and player.pk in seen:
            doubt = _("%(people)s is another line’s player already") % {"people": _listed([player])}
            result.append(replace(meant, how=How.OPEN, player=None, candidates=(player,), doubt=doubt))
            continue
        if player:
            seen.add(player.pk)
        result.append(meant)
    return tuple(result)


# --- looking people up --------------------------------------------------------------------------------------------
def _by_fide_number(rows: Iterable[ReportPlayer]) -> dict[str, Player]:
    wanted = [number for row in rows if (number := fide_number(row))]
    found: dict[str, Player] = {}
    for start in range(0, len(wanted), _BATCH):
        owners = PlayerIdentity.objects.filter(
            scheme=PlayerIdentity.Scheme.FIDE, value__in=wanted[start : start + _BATCH]
        )
        for row in owners.select_related("player__merged_into__merged_into"):
            found[row.value] = row.player.kept
    return found


def _by_name(rows: Sequence[ReportPlayer]) -> dict[int, tuple[Player, ...]]:
    """The players a line's name may mean, by starting number, in the order of their own numbers."""
    keys = {row.number: _spellings(row.name) for row in rows}
    wanted = sorted({key for spellings in keys.values() for key in spellings})
    cut = {row.number: sort_key(row.name) for row in rows if len(row.name) == NAME_WIDTH and sort_key(row.name)}
    people: dict[str, list[Player]] = {}
    for start in range(0, len(wanted), _BATCH):
        for player in _found(Q(sort_name__in=wanted[start : start + _BATCH])):
            people.setdefault(player.sort_name, []).append(player)
    for player in _kept_by_reading(rows):
        people.setdefault(sort_key(player.name), []).append(player)
    begun = _found(Q(*(("sort_name__startswith", key) for key in cut.values()), _connector=Q.OR)) if cut else []
    result = {}
    for number, spellings in keys.items():
        found = [player for key in spellings for player in people.get(key, ())]
        found += [player for player in begun if number in cut and player.sort_name.startswith(cut[number])]
        now = {player.kept.pk: player.kept for player in found}
        result[number] = tuple(sorted(now.values(), key=lambda player: player.number))
    return result


def _kept_by_reading(rows: Sequence[ReportPlayer]) -> list[Player]:
    """Those who are sorted by their readings, where a file may call them as they are written."""
    if all(row.name.isascii() for row in rows):
        return []
    return [player for player in _found(~Q(reading="")) if player.sort_name != sort_key(player.name)]


def who_are_called(names: Sequence[str]) -> dict[str, tuple[Player, ...]]:
    """The players each name may mean, whatever its accents, its capitals and its order."""
    found = _by_name([ReportPlayer(number=number, name=name) for number, name in enumerate(names)])
    return {name: found[number] for number, name in enumerate(names)}


def _found(condition: Q) -> list[Player]:
    return list(Player.objects.filter(condition).select_related("merged_into__merged_into"))


def _spellings(name: str) -> set[str]:
    """The keys under which a name may be kept: in any order of family and given names."""
    spelt = {sort_key(name), sort_key(given_first(name))} - {""}
    words = sort_key(name).split()
    turns = range(1, len(words)) if len(words) <= _MANY_WORDS else (1, len(words) - 1)
    return spelt | {" ".join((*words[at:], *words[:at])) for at in turns}


# --- words ----------------------------------------------------------------------------------------------------------
def _another_name(row: ReportPlayer, owner: Player) -> str:
    same = owner.sort_name in _spellings(row.name) or owner.sort_name.startswith(sort_key(row.name))
    values = {"number": fide_number(row), "people": _listed([owner]), "name": clean_name(row.name)}
    said = _("the FIDE number %(number)s is that of %(people)s, whom the report calls “%(name)s”")
    return "" if same else said % values


def _listed(players: Iterable[Player]) -> str:
    return listed(f"{player.name}{sign(' (')}#{player.number}{sign(')')}" for player in players)
