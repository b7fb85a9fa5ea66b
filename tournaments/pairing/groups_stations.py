"""Stations: the same field plays several knockouts one after the other, each drawn anew by lots.

Source: a study of eight xiangqi masters (three stations of eight; the winner of match 1 meets the winner of match 4).
Not done here: one table over all stations.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from clubrating.ground.marks import marked, sentence
from tournaments.pairing import knockout
from tournaments.pairing.base import Option, PairingError, PlannedStage, read_options
from tournaments.pairing.groups import MATCH_KEYS, MATCH_OPTIONS


class Stations:
    """Settings: `stations` 1–9; those of the matches: `third_place`, `games`, `extra`."""

    key = "stations"
    name = marked("Stations: several knockouts")
    allocated_bye_scores = False
    qualifies = False
    min_players = knockout.Knockout.min_players
    max_players = knockout.Knockout.max_players
    options: tuple[Option, ...] = (Option("stations", marked("Stations"), 3, lowest=1, highest=9), *MATCH_OPTIONS)

    def plan(self, players: int, settings: Mapping[str, Any], lots: Random) -> tuple[PlannedStage, ...]:
        """One knockout a part, everybody in each. Nothing is drawn here: every station draws its own lots."""
        chosen = read_options(self.options, settings)
        if not self.min_players <= players <= self.max_players:
            raise PairingError(
                sentence(
                    "A station takes %(least)s to %(most)s players, not %(players)s.",
                    least=self.min_players,
                    most=self.max_players,
                    players=players,
                )
            )
        matches = {
            "seeding": knockout.LOTS,
            "pairs": knockout.CROSSED,
            "first_colour": "lots",
            **{key: chosen[key] for key in MATCH_KEYS},
        }
        field = tuple(range(1, players + 1))
        return tuple(
            PlannedStage(f"Station {number}", number, "knockout", matches, field)
            for number in range(1, chosen["stations"] + 1)
        )

    def qualified(self, settings: Mapping[str, Any], places: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Nobody is out for the next station: empty."""
        return ()
