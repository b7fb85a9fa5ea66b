"""Names for codes: classes of ratings, presets of a system, roles in the audit trail.

Classes are those of the rating study (S2), shown as a title next to a rating: eleven bands, by the rating as it is
shown. They mean something only on a scale like Elo's (`RatingSystem.elo_scale`), and only for players who are not on
probation. They are no federation's titles: those are facts about a person (`Player.title`). The source announces nine
classes and lists eleven; the list is used.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubrating.ground.figures import round_half_away
from clubrating.ground.marks import joined
from players.refusals import listed
from ratings.systems import SYSTEMS, RatingSystem
from ratings.systems.egf import nearest_grade

# The lowest rating of each class, highest first; the last one holds for everybody below.
CLASSES: tuple[tuple[int | None, object], ...] = (
    (2700, _("title contender")),
    (2500, _("grandmaster class")),
    (2400, _("international master class")),
    (2200, _("national master class")),
    (2000, _("candidate master class")),
    (1800, _("1st category")),
    (1600, _("2nd category")),
    (1400, _("3rd category")),
    (1200, _("average amateur")),
    (1000, _("amateur")),
    (None, _("novice")),
)


def class_words(rating: float) -> str:
    """The class a rating (points) stands in, in words."""
    shown = round_half_away(rating)
    return str(next(words for lowest, words in CLASSES if lowest is None or shown >= lowest))


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


# --- grades of go ----------------------------------------------------------------------------------------------------
def grade_words(rating: float) -> str:
    """The nearest grade: 3 kyu, 1 dan."""
    grade = nearest_grade(rating)
    return (gettext("%(number)s dan") if grade.endswith("d") else gettext("%(number)s kyu")) % {"number": grade[:-1]}


def handicap_words_of(system: RatingSystem) -> str:
    """What a system makes of stones and komi, as a sentence."""
    if system.reads_handicap:
        return gettext("Counts the stones and komi of games of go.")
    return gettext("Rates a game of go with a handicap as an even one.")


# --- contests with sides ---------------------------------------------------------------------------------------------
def sides_words(system: RatingSystem, settings: Any) -> str:
    """Whether a system rates contests with sides, as a sentence."""
    if system.contest_rater(settings) is None:
        return gettext("Rates games of two only: contests of teams or of several players move nobody.")
    return gettext("Rates contests with sides too: teams, doubles, tables of several players.")


def sides_help() -> str:
    """Which systems rate contests with sides, and which count handicap stones, beside the choice of one."""
    able = [gettext(each.name) for each in SYSTEMS if each.contest_rater(each.read_settings({})) is not None]
    said = gettext(
        "Contests with sides (teams, tables of several) are rated by %(systems)s; games of two by every one."
    )
    stones = listed([gettext(each.name) for each in SYSTEMS if each.reads_handicap])
    also = gettext("Handicap stones of go are counted by %(systems)s; others rate such a game as an even one.")
    return joined(said % {"systems": listed(able)}, also % {"systems": stones})


# In which role something was done, as the audit trail keeps it.
ROLES = {
    "administrator": _("administrator"),
    "rating-officer": _("rating officer"),
    "arbiter": _("arbiter"),
    "assistant": _("assistant"),
    "officer": _("officer"),
    "club-officer": _("officer of a club"),
    "member": _("member"),
    "captain": _("captain"),
    "visitor": _("visitor"),
    "system": _("the system"),
}
