"""Reading the two files of `run_study stream`."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ratings.lab.stream import Games
from tournaments.interchange.games_csv import read_games
from tournaments.interchange.study_csv import StudyPlayer, place_games, read_study_players
from tournaments.management.file_command import read_input, refuse_bad_rows


class GivenStream(NamedTuple):
    """The players in the file's order, the games by their places, and how many rows nobody played."""

    people: Sequence[StudyPlayer]
    games: Games
    left_out: int


def read_stream(games: Path, players: Path, today: date) -> GivenStream:
    """Both files. Raises CommandError, UnreadableFileError or FileRowsError naming file, line and remedy."""
    with read_input(players).naming() as data:
        people = read_study_players(data)
    file = read_input(games)
    with file.naming() as data:
        rows = read_games(data, today=today)
    refuse_bad_rows({games: rows.bad, players: people.bad})
    with file.naming():
        placed = place_games(rows.rows, people.rows)
    refuse_bad_rows({games: placed.bad, players: ()})
    return GivenStream(people.rows, Games(placed.white, placed.black, placed.scores), placed.left_out)
