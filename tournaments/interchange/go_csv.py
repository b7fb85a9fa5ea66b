"""Handicap stones and komi of GAMES.csv (pure): the optional columns `handicap` and `komi`.

`handicap`: stones Black is given, 0 to 9; 1 is Black without komi, which is kept as an even game with a komi of 0; left
empty it is an even game. `komi`: points White is given, in halves, below 0 where Black has them; left empty it is the
usual one. Which systems count them: `RatingSystem.reads_handicap`.
"""

from functools import cache

from clubrating.ground.marks import marked, sentence
from ratings.systems.base import Handicap
from ratings.systems.egf import MAX_HANDICAP
from tournaments.interchange.tables_csv import Fields, number_reader, whole_reader

MOST_KOMI = 100


def read_handicap(fields: Fields) -> Handicap | None:
    """Stones and komi of a line; None for an even game with the usual komi. A line that names winner and loser, and not
    who was Black, can have neither."""
    stones = fields.take("handicap", whole_reader("handicap", high=MAX_HANDICAP), None) or 0
    given = known_handicap(stones, fields.take("komi", _read_komi, None))
    if given is not None and "winner" in fields.line.values:
        fields.problems.append(
            marked("handicap and komi need to know who is Black: write white, black and result, not winner and loser")
        )
    return given


@cache  # a file of games holds few of them
def known_handicap(stones: int, komi: float | None) -> Handicap | None:
    """The one form of stones and komi; None for an even game with the usual komi. One stone is Black without komi; half
    a point under stones only decides ties."""
    if stones == 1:
        return Handicap(0, 0.0 if komi in (None, 0.5) else komi)
    return None if (stones, komi) == (0, None) else Handicap(stones, komi)


def _read_komi(text: str) -> float | None:
    komi = number_reader("komi", low=-MOST_KOMI, high=MOST_KOMI)(text)
    if komi is not None and not (2 * komi).is_integer():
        raise ValueError(
            sentence("komi “%(value)s” is no whole or half number of points: write 6.5, for example", value=text)
        )
    return komi
