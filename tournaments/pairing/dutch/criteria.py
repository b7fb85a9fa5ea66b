"""The criteria by which candidates for a bracket are compared (pure), in both editions.

A criterion tells what fails in a pair of the bracket, in a player who floats from it, in a pair of the following
bracket and in a player who floats from that. A failure is a number, the larger the worse: a score or a difference of
scores where the rule compares such lists from the top, else 1. The candidate whose failures are fewest at the largest
number wins; where they are the same the next criterion decides.

The absolute criteria stand in `legal`. Source: FIDE C.04.3 art. 2 (edition 2026: C6 to C21; edition 2025: C.5 to
C.19, where the score differences of all pairs and floaters counted together).
"""

from collections.abc import Callable
from dataclasses import dataclass

from clubrating.ground.marks import marked
from tournaments.pairing.dutch.competitor import Bracket, Competitor, Float, Strength, colour_rule

Failures = tuple[int, ...]
OfPair = Callable[[Competitor, Competitor], Failures]  # the higher ranked first
OfOne = Callable[[Bracket, Competitor], Failures]
NOTHING: Failures = ()
ONCE: Failures = (1,)
# What a failure's size is: nothing (they are counted), a score plus one, a number of rounds plus one, a difference.
COUNT, SCORES, ROUNDS, DIFFERENCES = "count", "scores", "rounds", "differences"


def no_pair(higher: Competitor, lower: Competitor) -> Failures:
    return NOTHING


def _nobody(bracket: Bracket, player: Competitor) -> Failures:
    return NOTHING


@dataclass(frozen=True, slots=True)
class Criterion:
    """`key` is the article's number, `text` says what is kept small, as a sentence's object; `sizes` what the sizes of
    its failures are (one of COUNT …)."""

    key: str
    text: str
    pair: OfPair = no_pair
    floater: OfOne = _nobody
    next_pair: OfPair = no_pair
    next_floater: OfOne = _nobody
    sizes: str = COUNT


# --- floaters -------------------------------------------------------------------------------------------------
def _one(bracket: Bracket, player: Competitor) -> Failures:
    return ONCE


def _score(bracket: Bracket, player: Competitor) -> Failures:
    # Counted from one, since nought is no failure's size.
    return (player.score + 1,)


def _bye_unplayed(bracket: Bracket, player: Competitor) -> Failures:
    return (player.unplayed + 1,) if bracket.decides_bye else NOTHING


# --- colours --------------------------------------------------------------------------------------------------
def _same_side(one: Competitor, other: Competitor) -> bool:
    return one.preference.white is not None and one.preference.white == other.preference.white


def _both(one: Competitor, other: Competitor, strength: Strength) -> bool:
    return one.preference.strength >= strength and other.preference.strength >= strength


def _too_wide(higher: Competitor, lower: Competitor) -> Failures:
    """Both already differ by two to the same side: one of them will by three."""
    wide = abs(higher.difference) > 1 and abs(lower.difference) > 1
    return ONCE if wide and _same_side(higher, lower) else NOTHING


def _three_running(higher: Competitor, lower: Competitor) -> Failures:
    """Of a pair with a top scorer, each who gets the colour of his last two games. That may be the one who is granted
    the colour due to him: after White four times and Black twice it is Black (a history no rules made)."""
    if not (higher.top or lower.top):
        return NOTHING
    white, _rule = colour_rule(higher, lower, True)  # who has had two games has a preference: no lot decides
    return ONCE * ((higher.repeated == white) + (lower.repeated == (not white)))


def _colour_denied(higher: Competitor, lower: Competitor) -> Failures:
    return ONCE if _same_side(higher, lower) else NOTHING


def _strong_denied(higher: Competitor, lower: Competitor) -> Failures:
    """Of a strong and an absolute preference the strong one is denied; of two absolute ones none that is strong."""
    strong = _both(higher, lower, Strength.STRONG) and not _both(higher, lower, Strength.ABSOLUTE)
    return ONCE if strong and _same_side(higher, lower) else NOTHING


# --- floats repeated ------------------------------------------------------------------------------------------
def _floats_again(ago: int, fails: OfOne) -> OfOne:
    """A floater who floated down so many rounds ago already."""

    def floater(bracket: Bracket, player: Competitor) -> Failures:
        return fails(bracket, player) if player.floats[ago - 1] is Float.DOWN else NOTHING

    return floater


def _down_again(ago: int, fails: OfPair) -> OfPair:
    """A pair whose higher ranked meets a lower score, and floated down so many rounds ago already."""

    def pair(higher: Competitor, lower: Competitor) -> Failures:
        again = higher.score > lower.score and higher.floats[ago - 1] is Float.DOWN
        return fails(higher, lower) if again else NOTHING

    return pair


def _up_again(ago: int, fails: OfPair) -> OfPair:
    """A pair whose lower ranked meets a higher score, and floated up so many rounds ago already."""

    def pair(higher: Competitor, lower: Competitor) -> Failures:
        again = higher.score > lower.score and lower.floats[ago - 1] is Float.UP
        return fails(higher, lower) if again else NOTHING

    return pair


def _once(higher: Competitor, lower: Competitor) -> Failures:
    return ONCE


def _difference(higher: Competitor, lower: Competitor) -> Failures:
    return (higher.score - lower.score,) if higher.score > lower.score else NOTHING


def _resident(bracket: Bracket, player: Competitor) -> Failures:
    return NOTHING if bracket.is_moved_down(player) else ONCE


def _moved_down(bracket: Bracket, player: Competitor) -> Failures:
    """Larger than the difference of any pair, by the commentary on C18."""
    return (bracket.players[0].score + player.score + 1,) if bracket.is_moved_down(player) else NOTHING


# --- only before February 2026 --------------------------------------------------------------------------------
def _to_floor(bracket: Bracket, player: Competitor) -> Failures:
    return (player.score - bracket.floor,)


def _left_over_below(bracket: Bracket, player: Competitor) -> Failures:
    """A pairing of the last group which leaves over somebody who may not have the bye is none (C.2): it loses against
    every other, which leaves over one."""
    return ONCE + ONCE if player.number in bracket.barred else ONCE


def _to_next_floor(bracket: Bracket, player: Competitor) -> Failures:
    return (player.score - bracket.next_floor,)


_COLOURS = (
    (marked("top scorers, or their opponents, with one colour three times more often than the other"), _too_wide),
    (marked("top scorers, or their opponents, with the same colour three times running"), _three_running),
    (marked("players who do not get the colour they prefer"), _colour_denied),
    (marked("players who do not get the colour they strongly prefer"), _strong_denied),
)

CRITERIA_2026: tuple[Criterion, ...] = (
    Criterion("C6", marked("players who float down"), floater=_one),
    Criterion("C7", marked("scores of the players who float down"), floater=_score, sizes=SCORES),
    Criterion("C8", marked("players who float down from the following score group"), next_floater=_one),
    Criterion(
        "C8", marked("scores of those who float down from the following score group"), next_floater=_score, sizes=SCORES
    ),
    Criterion("C9", marked("unplayed rounds of the player who gets the bye"), floater=_bye_unplayed, sizes=ROUNDS),
    *(Criterion(f"C{10 + index}", text, pair=pair) for index, (text, pair) in enumerate(_COLOURS)),
    Criterion("C14", marked("players who float down as in the round before"), floater=_floats_again(1, _resident)),
    Criterion("C15", marked("players who float up as in the round before"), pair=_up_again(1, _once)),
    Criterion("C16", marked("players who float down as two rounds before"), floater=_floats_again(2, _resident)),
    Criterion("C17", marked("players who float up as two rounds before"), pair=_up_again(2, _once)),
    Criterion(
        "C18",
        marked("score differences of those who floated down in the round before"),
        pair=_down_again(1, _difference),
        floater=_floats_again(1, _moved_down),
        sizes=DIFFERENCES,
    ),
    Criterion(
        "C19",
        marked("score differences of those who floated up in the round before"),
        pair=_up_again(1, _difference),
        sizes=DIFFERENCES,
    ),
    Criterion(
        "C20",
        marked("score differences of those who floated down two rounds before"),
        pair=_down_again(2, _difference),
        floater=_floats_again(2, _moved_down),
        sizes=DIFFERENCES,
    ),
    Criterion(
        "C21",
        marked("score differences of those who floated up two rounds before"),
        pair=_up_again(2, _difference),
        sizes=DIFFERENCES,
    ),
)

CRITERIA_2025: tuple[Criterion, ...] = (
    Criterion("C.5", marked("players who float down"), floater=_one),
    Criterion("C.6", marked("differences of scores"), pair=_difference, floater=_to_floor, sizes=DIFFERENCES),
    Criterion("C.7", marked("players who float down from the following score group"), next_floater=_left_over_below),
    Criterion(
        "C.7",
        marked("differences of scores in the following score group"),
        next_pair=_difference,
        next_floater=_to_next_floor,
        sizes=DIFFERENCES,
    ),
    *(Criterion(f"C.{8 + index}", text, pair=pair) for index, (text, pair) in enumerate(_COLOURS)),
    Criterion(
        "C.12",
        marked("players who float down as in the round before"),
        pair=_down_again(1, _once),
        floater=_floats_again(1, _one),
    ),
    Criterion("C.13", marked("players who float up as in the round before"), pair=_up_again(1, _once)),
    Criterion(
        "C.14",
        marked("players who float down as two rounds before"),
        pair=_down_again(2, _once),
        floater=_floats_again(2, _one),
    ),
    Criterion("C.15", marked("players who float up as two rounds before"), pair=_up_again(2, _once)),
    Criterion(
        "C.16",
        marked("score differences of those who float down as in the round before"),
        pair=_down_again(1, _difference),
        floater=_floats_again(1, _to_floor),
        sizes=DIFFERENCES,
    ),
    Criterion(
        "C.17",
        marked("score differences of those who float up as in the round before"),
        pair=_up_again(1, _difference),
        sizes=DIFFERENCES,
    ),
    Criterion(
        "C.18",
        marked("score differences of those who float down as two rounds before"),
        pair=_down_again(2, _difference),
        floater=_floats_again(2, _to_floor),
        sizes=DIFFERENCES,
    ),
    Criterion(
        "C.19",
        marked("score differences of those who float up as two rounds before"),
        pair=_up_again(2, _difference),
        sizes=DIFFERENCES,
    ),
)

CRITERIA: dict[int, tuple[Criterion, ...]] = {2025: CRITERIA_2025, 2026: CRITERIA_2026}
# These say how many pairs there are, and which scores float; all others choose among candidates of so many pairs.
COUNTING = ("C6", "C7", "C8", "C.5", "C.6", "C.7")
# Not looked at in the penultimate and the last bracket of the older rules.
LOOKING_AHEAD = ("C.7",)
