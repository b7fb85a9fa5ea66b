"""Words for codes: classes of ratings, presets of a system, roles in the audit trail."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from ratings.lists.words_titles import class_of

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
