"""Formats in which nothing is paired by the program: free play, rounds paired by hand, the ladder."""

from collections.abc import Mapping
from typing import Any

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import Field, Option, PairedRound, PairingError, read_options
from tournaments.standings.points import read_place_points


class FreePlay:
    """Club evenings without rounds: anyone meets anyone, results are entered as they come and rated. Setting:
    `standings`, how tables are counted (`tournaments.standings.table_series`), empty: by their sides; `place_points`,
    what the places are worth, empty: as many as sit at the largest table, each further place one less; `best`, how many
    of somebody's tables count, 0: all."""

    key = "free"
    name = marked("Free play")
    allocated_bye_scores = False
    min_players = 0
    max_players = 1000
    options: tuple[Option, ...] = (
        Option(
            "standings",
            marked("Standings of tables"),
            "",
            (
                ("", marked("tables of two sides by wins, others by places")),
                ("points", marked("points for places")),
                ("scores", marked("scores added up")),
                ("wins", marked("tables won")),
            ),
        ),
        Option(
            "place_points",
            marked("Points for places"),
            "",
            help=marked(
                "First place first, like 10, 7, 5; further places count nothing. Empty: first place counts as many as "
                "sit at the largest table, each further place one less."
            ),
            reads=read_place_points,
        ),
        Option(
            "best",
            marked("Tables that count"),
            0,
            lowest=0,
            highest=100,
            help=marked("Only so many of everybody’s best tables count. 0: all."),
        ),
    )
    ladder = False


class ByHand:
    """Rounds that the arbiter pairs or brings from a file; they are checked like every round. No settings."""

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


class Teams:
    """Matches of teams. Who meets whom is decided among teams (`tournaments.pairing.team_formats`), who sits on which
    board by the captains; so nothing is paired here. No settings."""

    key = "teams"
    name = marked("Matches of teams")
    allocated_bye_scores = True
    min_players = 0
    max_players = 5000
    options: tuple[Option, ...] = ()

    def pair_round(self, field: Field, settings: Mapping[str, Any]) -> PairedRound:
        """Always raises PairingError: the boards come from the line-ups."""
        read_options(self.options, settings)
        raise PairingError(marked("This event is one of teams: its rounds are made on the page “Matches”."))


class Ladder:
    """Free play about places: whoever beats somebody above takes his place (`tournaments.standings.formats`). Setting:
    `reach`, so many places above may be challenged."""

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
            help=marked("Who beats somebody further up takes that place."),
        ),
    )
    ladder = True
