"""Who has White (pure).

Both preferences are granted where they differ; else the stronger one, and of two absolute ones that with the wider
difference of colours; else the colours alternate from the last time in which the two had different ones; else the
higher ranked has his preference; where nobody has one, an odd number of the higher ranked gets the colour that was
drawn before round 1, an even one the other.

Source: FIDE C.04.3 art. 5.2 (edition 2025: E.1 to E.5); C.04.2 art. 3.4: rounds not played are pushed to the front of
the history, so that the latest games stand side by side. Which numbers are odd while some have not come yet:
docs/decisions/0012-numbers-of-those-who-have-come.md.
"""

from tournaments.pairing.dutch.competitor import Competitor, Strength

GRANT_BOTH, STRONGER, WIDER, ALTERNATE, HIGHER, INITIAL = "both", "stronger", "wider", "alternate", "higher", "initial"


def colour_rule(higher: Competitor, lower: Competitor, first_white: bool) -> tuple[bool, str]:
    """Whether the higher ranked has White, and by which of the rules. `first_white`: the colour drawn for number 1."""
    mine, theirs = higher.preference, lower.preference
    if mine.white is not None and theirs.white is not None and mine.white != theirs.white:
        return mine.white, GRANT_BOTH
    if mine.strength != theirs.strength:
        stronger = _side(mine.white) if mine.strength > theirs.strength else not _side(theirs.white)
        return stronger, GRANT_BOTH if Strength.NONE in (mine.strength, theirs.strength) else STRONGER
    if mine.strength == Strength.ABSOLUTE and abs(higher.difference) != abs(lower.difference):
        wider = abs(higher.difference) > abs(lower.difference)
        return (_side(mine.white) if wider else not _side(theirs.white)), WIDER
    for before, then in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
        if before != then:
            return not before, ALTERNATE
    if mine.white is not None:
        return mine.white, HIGHER
    return first_white == higher.odd, INITIAL


def _side(white: bool | None) -> bool:
    if white is None:
        raise AssertionError("a colour that is stronger is one")
    return white
