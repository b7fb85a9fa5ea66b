"""Which edition of the regulations an event is played by: the one in force on its first day (pure).

Sources: FIDE C.04.1 to C.04.3 (Swiss), in force from 1 February 2026; C.07 (tie-breaks), from 1 March 2026. Before
them the Swiss rules of 2025 and the tie-break regulations of September 2023.
"""

from datetime import date

SWISS_EDITIONS = (2025, 2026)
TIEBREAK_EDITIONS = (2023, 2026)
_SWISS_2026_FROM = date(2026, 2, 1)
_TIEBREAKS_2026_FROM = date(2026, 3, 1)


def swiss_edition_on(day: date) -> int:
    """The edition of the Swiss rules for an event that begins on that day."""
    return SWISS_EDITIONS[day >= _SWISS_2026_FROM]


def tiebreak_edition_on(day: date) -> int:
    """The edition of the tie-break regulations for an event that begins on that day."""
    return TIEBREAK_EDITIONS[day >= _TIEBREAKS_2026_FROM]
