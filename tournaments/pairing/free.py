"""Formats in which nothing is paired by the program: free play, rounds paired by hand, the ladder.

`FreePlay`: club evenings without rounds. Anyone meets anyone, results are entered as they come, and are rated.

`ByHand`: rounds paired by hand or brought from a file: the arbiter says who meets whom; everything else works as in
other formats.

`Ladder`: free play about places. Whoever beats somebody above takes his place (`tournaments.standings.formats`).
"""

from collections.abc import Mapping
from typing import Any

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import Field, Option, PairedRound, PairingError, read_options


class FreePlay:
    """No settings: nobody is paired."""

    key = "free"
    name = marked("Free play")
    allocated_bye_scores = False
    min_players = 0
    max_players = 1000
    options: tuple[Option, ...] = ()
    ladder = False


class ByHand:
    """No settings. Nothing is paired here; what the arbiter wrote is checked like every round."""

    key = "by-hand"
    name = marked("Paired by hand")
    allocated_bye_scores = True
    min_players = 2
    max_players = 1000
    options: tuple[Option, ...] = ()

    def pair_round(self, field: Field, settings: Mapping[str, Any]) -> PairedRound:
        """Always raises PairingError: the pairs come from the arbiter or from a file."""
        read_options(self.options, settings)
        raise PairingError(
            sentence(
                "Round %(round)s is paired by hand: enter who meets whom, or bring it from a file.", round=field.round
            )
        )


class Ladder:
    """Setting: `reach`, so many places above may be challenged."""

    key = "ladder"
    name = marked("Ladder")
    allocated_bye_scores = False
    min_players = 2
    max_players = 500
    options: tuple[Option, ...] = (
        Option(
            "reach",
            marked("Places above that may be challenged"),
            3,
            lowest=1,
            highest=50,
            help=marked("Who beats somebody further up keeps his place."),
        ),
    )
    ladder = True
