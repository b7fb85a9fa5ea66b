"""Who of a pair gets White on board 1 (pure), by the first clause that says it.

Source: FIDE C.04.6 (2026) art. 4. Rounds without a match stand in front (C.04.2 art. 3.4), so that the latest matches
of two teams are compared side by side. Which numbers are odd: docs/decisions/0012.
"""

from tournaments.pairing.team_swiss.field import Contender
from tournaments.pairing.team_swiss.preference import Preference

INITIAL, ONLY, BOTH, STRONG, LOWER = "4.3.1", "4.3.2", "4.3.3", "4.3.4", "4.3.5"
ALTERNATE, FIRST, FIRST_ALTERNATES, OTHER_ALTERNATES = "4.3.6", "4.3.7", "4.3.8", "4.3.9"


def first_of(one: Contender, other: Contender, *, secondary: bool) -> tuple[Contender, Contender]:
    """The first-team of the two, then the other: by primary score, secondary score where it is used, number."""

    def key(team: Contender) -> tuple[int, int, int]:
        return -team.primary, -team.secondary if secondary else 0, team.number

    return (one, other) if key(one) < key(other) else (other, one)


def colour_rule(first: Contender, other: Contender, *, first_white: bool) -> tuple[bool, str]:
    """Whether the first-team has White on board 1, and by which clause. `first_white`: the initial colour."""
    if not first.colours and not other.colours:
        return first_white == first.odd, INITIAL
    by_preference = _granted(first.preference, other.preference)
    if by_preference is not None:
        return by_preference
    if first.difference != other.difference:
        return first.difference < other.difference, LOWER
    for mine, theirs in zip(reversed(first.colours), reversed(other.colours), strict=False):
        if mine != theirs:
            return theirs, ALTERNATE
    if first.preference.white is not None:
        return first.preference.white, FIRST
    if first.colours:
        return not first.colours[-1], FIRST_ALTERNATES
    return other.colours[-1], OTHER_ALTERNATES


def _granted(mine: Preference, theirs: Preference) -> tuple[bool, str] | None:
    """By the preferences alone, where they do not speak for the same colour with the same strength."""
    if mine.white is not None and theirs.white is not None:
        if mine.white != theirs.white:
            return mine.white, BOTH
        if mine.strong != theirs.strong:
            return mine.white == mine.strong, STRONG
        return None
    if mine.white is None and theirs.white is None:
        return None
    return (mine.white if mine.white is not None else not theirs.white), ONLY
