"""The colour that is due to a team (pure).

A team has had the colour of its first board, in matches that were played. Type A knows one kind of preference; type B
knows strong and mild ones, where the strong ones are those of type A. In the last round only mild ones are dropped.

Source: FIDE C.04.6 (2026) art. 1.6 and 1.7.
"""

from dataclasses import dataclass
from typing import Literal

Type = Literal["A", "B", "none"]


@dataclass(frozen=True, slots=True)
class Preference:
    """The colour that is due, None where none is; `strong` where it is not a mild one."""

    white: bool | None = None
    strong: bool = False


def preference_of(colours: tuple[bool, ...], kind: Type, *, last: bool = False) -> Preference:
    """The colour due after matches with those colours; `last`: before the last round.

    >>> preference_of((True, False, False), "A") == Preference(True, strong=True)
    True
    """
    if kind == "none" or not colours:
        return Preference()
    difference = 2 * sum(colours) - len(colours)
    for white, owed in ((True, -difference), (False, difference)):
        repeated = len(colours) > 1 and colours[-1] == colours[-2] != white
        if owed > 1 or (owed in (0, 1) and repeated):
            return Preference(white, strong=True)
    if kind == "A":
        return Preference()
    if difference:
        return Preference(difference < 0)
    return Preference() if last else Preference(not colours[-1])
