"""Ladder: free play about places. Whoever beats somebody above takes his place (`tournaments.standings.formats_ladder`)."""

from clubrating.ground.marks import marked
from tournaments.pairing.base import Option


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
