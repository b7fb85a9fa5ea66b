"""Free play: club evenings without rounds. Anyone meets anyone, results are entered as they come, and are rated."""

from clubrating.ground.marks import marked
from tournaments.pairing.base import Option


class FreePlay:
    """No settings: nobody is paired."""

    key = "free"
    name = marked("Free play")
    allocated_bye_scores = False
    min_players = 0
    max_players = 1000
    options: tuple[Option, ...] = ()
    ladder = False
