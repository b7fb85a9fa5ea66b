"""Names for codes: classes of ratings, presets of a system, roles in the audit trail.

Classes are those of the rating study (S2), shown as a title next to a rating: eleven bands, by the rating as it is
shown. They mean something only on a scale like Elo's (`RatingSystem.elo_scale`), and only for players who are not on
probation. They are no federation's titles: those are facts about a person (`Player.title`). The source announces nine
classes and lists eleven; the list is used.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

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


CLASSES: Mapping[str, object] = {
    "contender": _("title contender"),
    "grandmaster": _("grandmaster class"),
    "international": _("international master class"),
    "national": _("national master class"),
    "candidate": _("candidate master class"),
    "first": _("1st category"),
    "second": _("2nd category"),
    "third": _("3rd category"),
    "average": _("average amateur"),
    "amateur": _("amateur"),
    "novice": _("novice"),
}

# System and preset → what a menu calls it. A preset without words is shown by its key.
PRESETS: Mapping[tuple[str, str], object] = {
    ("elo", "club"): _("Elo, club rules"),
    ("elo", "fide"): _("Elo, FIDE (table, by the event)"),
    ("elo", "fide-simple"): _("Elo, FIDE’s K, logistic"),
    ("elo", "fide-old"): _("Elo, FIDE’s K before 2014"),
    ("elo", "uscf"): _("Elo, K 32, 24, 16"),
    ("elo", "us-chess"): _("Elo, US Chess’ formula"),
    ("elo", "xiangqi"): _("Elo, xiangqi"),
    ("elo", "diary"): _("Elo, the diary’s K"),
    ("elo", "study"): _("Elo, the study’s K"),
    ("elo", "constant"): _("Elo, K 32 for everybody"),
}


def class_words(rating: float) -> str:
    """The class a rating stands in, in words."""
    return str(CLASSES[class_of(rating)])


# In which role something was done, as the audit trail keeps it.
ROLES = {
    "administrator": _("administrator"),
    "rating-officer": _("rating officer"),
    "arbiter": _("arbiter"),
    "assistant": _("assistant"),
    "officer": _("officer"),
    "member": _("member"),
    "visitor": _("visitor"),
    "system": _("the system"),
}
