"""The lab's three doors, names and help texts for its keys (systems, studies, measures, scenarios), and the form to
request a study."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubrating.web.forms import ToolForm
from players.refusals import said
from ratings.lab.contenders import CONTENDERS
from ratings.lab.sides_contenders import CONTENDERS as SIDES_CONTENDERS
from ratings.lab.typed import TYPED
from ratings.lab_pages.services import MOST_GAMES, MOST_REPLICATIONS, StudyOrder


# --- doors -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Door:
    """A question, what is found behind it, and the pages that answer it: routes with their words in the tabs."""

    title: Promise
    says: Promise
    pages: Mapping[str, Promise]

    @property
    def first(self) -> str:
        """The route the door opens on."""
        return next(iter(self.pages))


DOORS = (
    Door(
        _("Is our rating good?"),
        _(
            "Each game of the club is predicted before it is rated, then compared with its result. See how often the "
            "predictions came true, and what other rules would change."
        ),
        {"lab:backtest": _("Our own games"), "lab:forecasts": _("Forecasts"), "lab:proposal": _("Proposals")},
    ),
    Door(
        _("The study"),
        _(
            "Simulated players of known strength play many thousands of games, and each system rates them. So one sees "
            "which system finds the true order, and how soon."
        ),
        {
            "lab:study": _("The index"),
            "lab:findings": _("Findings"),
            "lab:scenarios": _("Scenarios"),
            "lab:trials": _("Trials"),
            "lab:sweeps": _("Sweeps"),
            "lab:sides": _("Sides"),
            "lab:pairings": _("Pairings"),
            "lab:probation": _("Newcomers"),
            "lab:diary": _("The diary"),
            "lab:masters": _("Masters"),
            "lab:pictures": _("Pictures"),
        },
    ),
    Door(
        _("Try your own"),
        _(
            "Type a rating system as formulas, add one in one file, or run the study again. "
            "The calculators need only two ratings."
        ),
        {
            "lab:typed": _("Type your system"),
            "lab:system": _("In one file"),
            "lab:runs": _("Own runs"),
            "tools:index": _("Calculators"),
        },
    ),
)

# --- names -----------------------------------------------------------------------------------------------------------
CEILING = _("Bradley–Terry, the ceiling")  # fitted to all games at once, see `ratings.lab.ceiling`
# The stylesheet's series a system has on every page of the lab; the others are shown in tables only.
LOOKS: Mapping[str, int] = {"elo": 1, "r2": 2, "league": 3, "kd": 4, "solo-zerg": 5, "glicko": 6,
                                  TYPED.key: 7}  # fmt: skip
NAMES: Mapping[str, object] = {each.key: each.name for each in (*CONTENDERS, *SIDES_CONTENDERS)} | {
    "bradley-terry": CEILING,
    TYPED.key: TYPED.name,
}
STUDIES = {"imitator": _("Constant population"), "newcomers": _("With newcomers")}
RANGES = {1: _("First 10,000 games"), 2: _("10,000 to 100,000 games")}


def system_words(key: str) -> str:
    """The contender's name in the page's language; of one that is no more, its key."""
    return said(NAMES[key]) if key in NAMES else key


class MeasureWords(NamedTuple):
    """A measure's name, how many decimals it is shown with, and a sentence on how to read it."""

    name: Promise
    places: int
    help: Promise


MEASURES: Mapping[str, MeasureWords] = {
    "index_1": MeasureWords(
        _("Index to 10,000"), 1, _("Disorder of the table in the first 10,000 games; lower is better.")
    ),
    "index_2": MeasureWords(
        _("Index after"), 1, _("Disorder of the table after the first 10,000 games; lower is better.")
    ),
    "tau": MeasureWords(_("Kendall’s tau"), 3, _("How far the table’s order is the true one: 1 wholly, 0 not at all.")),
    "ordered": MeasureWords(
        _("Pairs in order"), 3, _("Of two players of different strength, how often the stronger one stands higher.")
    ),
    "log_loss": MeasureWords(
        _("Log-loss"), 4, _("How surprised the system is by a result on average; lower is better.")
    ),
    "brier": MeasureWords(_("Brier score"), 4, _("Mean squared error of the predicted score; lower is better.")),
    "probability_error": MeasureWords(
        _("Error of the chance"), 3, _("How far the predicted score lies from the true one, root mean square.")
    ),
    "calibration_error": MeasureWords(
        _("Calibration"), 3, _("How far the scores made lie from the scores predicted, on average over all games.")
    ),
    "drift": MeasureWords(_("Drift"), 2, _("By how many points the mean rating moves in 1,000 games.")),
    "lag": MeasureWords(
        _("Lag"), 0, _("How many points the rating of those whose strength changes stays behind, on the Elo scale.")
    ),
    "farmed": MeasureWords(
        _("Farmed"), 0, _("How many points those who play only the weak stand above their equals, on the Elo scale.")
    ),
    "spearman": MeasureWords(
        _("Order"), 3, _("Correlation of the ranks by rating with the true ones: 1 wholly, 0 not at all.")
    ),
    "rms": MeasureWords(
        _("Distance"), 0, _("How far ratings lie from strengths on their scale, root mean square, in points.")
    ),
    "coverage": MeasureWords(_("Within μ ± 2σ"), 2, _("The share of players whose strength lies within μ ± 2σ.")),
    "reach": MeasureWords(_("Contests needed"), 0, _("Contests of one’s own until the distance is 100 points.")),
    "moved": MeasureWords(_("Mean moved"), 1, _("How far the mean rating has moved, in points of the system.")),
}
NEWCOMER = "newcomer_"  # and the number of games of his own
CURVES: Mapping[str, Promise] = {
    "index": _("Disorder index"),
    "tau": _("Kendall’s tau"),
    "probability_error": _("Error of the chance"),
    "mean": _("Mean rating"),
    "lag": _("Lag"),
}
SCENARIO_WORDS: Mapping[str, Promise] = {
    "constant": _("The study’s own world: nobody’s strength ever changes, and everybody meets everybody."),
    "improving": _(
        "One group in four learns: a point of strength with each game of its own, two steps of the study in all."
    ),
    "shock": _("Half way through, one group jumps up by two steps of strength and another one falls by as much."),
    "turnover": _(
        "After every 2,500 games the group that has been there longest leaves, and a group of newcomers joins."
    ),
    "equal-activity": _("Everybody plays equally often."),
    "matchmaking": _(
        "Opponents are looked for among those of like rating, as on a club evening; the club’s own rule decides."
    ),
    "draws": _("Half of the games between equals are drawn."),
    "first-move": _("White plays 35 points above true strength; no system here knows of it."),
    "tiers": _("Four leagues by rating, made anew every 1,000 games; one plays within one’s own."),
    "farming": _("Two of the strongest play only opponents far below them."),
    "club-life": _("Learners, newcomers and leavers, opponents by rating, draws and the first move, all at once."),
}

SIDES_WORLDS: Mapping[str, Promise] = {
    "alone-2": _("Games of two"),
    "alone-3": _("Tables of three"),
    "alone-4": _("Tables of four"),
    "alone-6": _("Tables of six"),
    "alone-8": _("Tables of eight"),
    "luce-4": _("Tables of four, by Plackett and Luce’s law"),
    "ties-4": _("Tables of four, with ties"),
    "mixed": _("Games, pairs, tables of four and eight, mixed"),
    "pairs": _("Pairs, partners drawn"),
    "pairs-half": _("Pairs, partners fixed on half of the evenings"),
    "pairs-fixed": _("Pairs, partners always fixed"),
    "trios": _("Three against three"),
    "best-of-pair": _("Pairs, the better one counts"),
    "worst-of-pair": _("Pairs, the worse one counts"),
    "uneven-mean": _("Sides of unequal size, the mean counts"),
    "uneven-sum": _("Sides of unequal size, the sum counts"),
    "drift-4": _("Tables of four, strengths drift by 25 points from evening to evening"),
    "part-time-4": _("Tables of four, half of the players come to a quarter of the evenings"),
}

PAIRING_WAYS: Mapping[str, Promise] = {
    "learn": _("Boards that tell most"),
    "near": _("Neighbours on the list"),
    "random": _("By lot"),
    "swiss": _("Swiss-like"),
    "keizer": _("Keizer"),
}


# --- the form --------------------------------------------------------------------------------------------------------
class StudyForm(ToolForm):
    """Which study, how long, how often, from which seed."""

    method = "post"
    button = _("Run the study")

    study = forms.ChoiceField(label=_("Study"), choices=list(STUDIES.items()))
    games = forms.IntegerField(
        label=_("Games in each replication"), min_value=1000, max_value=MOST_GAMES, initial=100_000
    )
    replications = forms.IntegerField(
        label=_("Replications"), min_value=1, max_value=MOST_REPLICATIONS, initial=20,
        help_text=_("The more, the narrower the bands."),
    )  # fmt: skip
    seed = forms.IntegerField(
        label=_("Random seed"), min_value=0, max_value=2**31 - 1, initial=1, help_text=_("Same seed, same figures.")
    )

    @property
    def order(self) -> StudyOrder:
        """What was asked for, once the form is valid."""
        return StudyOrder(**self.cleaned_data)
