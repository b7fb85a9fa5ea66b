"""The classes of the rating study (S2), as a title next to a rating: eleven bands, by the rating as it is shown.

Pure: codes and figures; the words stand in `ratings.lists.words`. They say something only on a scale like Elo's
(`RatingSystem.elo_scale`), and only of somebody who is not on probation. They are no federation's titles: those are
facts about a person (`Player.title`). The source announces nine classes and lists eleven; the list is taken.
"""

from clubrating.ground.figures import round_half_away

# Code of the class and the lowest rating in it, highest first; the last one holds for everybody below.
BANDS: tuple[tuple[str, int | None], ...] = (
    ("contender", 2700),
    ("grandmaster", 2500),
    ("international", 2400),
    ("national", 2200),
    ("candidate", 2000),
    ("first", 1800),
    ("second", 1600),
    ("third", 1400),
    ("average", 1200),
    ("amateur", 1000),
    ("novice", None),
)


def class_of(rating: float) -> str:
    """The code of the class a rating (points) stands in."""
    shown = round_half_away(rating)
    return next(code for code, lowest in BANDS if lowest is None or shown >= lowest)
