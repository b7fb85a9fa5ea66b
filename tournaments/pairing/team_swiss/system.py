"""The team Swiss as a format: its settings (pure).

Source: FIDE C.04.6 (from 1 February 2026) art. 1.2, 1.7, 4.1; C.04.7. Which score is the primary one stands with the
event's scoring.
"""

from collections.abc import Mapping
from typing import Any

from clubrating.ground.marks import marked
from tournaments.pairing.base import Option, read_options
from tournaments.pairing.team_base import Kind
from tournaments.pairing.team_swiss.field import MOST_TEAMS


class TeamSwiss:
    """Settings: `rounds` of the whole event; `preferences` of art. 1.7; `secondary`: whether the secondary score helps
    to give colours; `first_colour` of number 1 in round 1; `acceleration`."""

    key = "team-swiss"
    name = marked("Teams: Swiss (FIDE C.04.6)")
    kind = Kind.ROUNDS
    page = "team-swiss"
    min_teams = 2
    max_teams = MOST_TEAMS
    options: tuple[Option, ...] = (
        Option("rounds", marked("Rounds"), 5, lowest=1, highest=30),
        Option(
            "preferences",
            marked("Colour preferences"),
            "A",
            choices=(
                ("A", marked("type A: after two more of a colour, or two running")),
                ("B", marked("type B: mild ones too, after every match")),
                ("none", marked("none")),
            ),
        ),
        Option(
            "secondary",
            marked("The secondary score helps to give colours"),
            True,
            help=marked("Of two teams level on the primary score, the one with more of the other is the first-team."),
        ),
        Option(
            "first_colour",
            marked("Number 1 begins with"),
            "white",
            choices=(("white", marked("White")), ("black", marked("Black"))),
        ),
        Option(
            "acceleration",
            marked("Acceleration"),
            "none",
            choices=(("none", marked("none")), ("baku", marked("Baku (FIDE C.04.7)"))),
            help=marked(
                "Baku: the upper half of the list is paired with extra points in the first half of the rounds."
            ),
        ),
    )

    def field_settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """What the settings are for a `TeamField`."""
        chosen = read_options(self.options, settings)
        return {"first_white": chosen.pop("first_colour") == "white", **chosen}
