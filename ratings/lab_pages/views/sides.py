"""`/lab/sides/`: what contests with more than two tell of strength, four questions with their answers.

The page shows the document made by `run_study sides`. An answer is chosen by the figures: an interval of 95 % over the
replications that has 0 in it, or the number compared with, decides nothing. No database.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_tables2 import Table

from clubrating.web.formatting import decimals
from ratings.lab.sides_study import TABLES
from ratings.lab_pages.tables.lab import measures_table
from ratings.lab_pages.tables.sides import carried_table, combine_table, margin_table, normaliser_table, worth_table
from ratings.lab_pages.views.lab import document_or_404
from ratings.lab_pages.words import MEASURES, SIDES_WORLDS, system_words

EIGHT = str(TABLES[-1])
SHOWN = ("spearman", "rms", "log_loss", "brier", "coverage", "reach", "moved")
Interval = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """A question with its verdict, what else the figures say, and the figures."""

    key: str
    question: Promise
    verdict: str
    more: str
    tables: Sequence[Table]


@dataclass(frozen=True, slots=True)
class World:
    """A world in words, with the figures of all contenders."""

    key: str
    words: Promise
    table: Table | None


def sides(request: HttpRequest) -> HttpResponse:
    """The four answers, then every world."""
    document = document_or_404("sides")
    context = {
        "document": document,
        "help": [MEASURES[name] for name in SHOWN],
        "answers": [answer(document) for answer in ANSWERS],
        "worlds": [
            World(key, SIDES_WORLDS[key], measures_table(found["systems"], SHOWN))
            for key, found in document["worlds"].items()
        ],
    }
    return render(request, "lab/sides.html", context)


def side_of(found: Interval, value: float = 0.0) -> int:
    """Whether the whole interval lies below the value (−1) or above it (1); 0 where it has the value in it, or there is
    none."""
    low, high = found["low"], found["high"]
    if low is None or high is None:
        return 0
    return 1 if low > value else -1 if high < value else 0


# --- what is one table of eight worth in games? ----------------------------------------------------------------------
def table_answer(document: Mapping[str, Any]) -> Answer:
    everywhere = document["replications"]
    worth = {key: found for key, found in document["tables"].items() if found[EIGHT]["reached"] == everywhere}
    if not worth:
        return Answer("table", QUESTIONS["table"], _("The runs were too short to say."), "", ())
    least, most = (choose(worth, key=lambda key: worth[key][EIGHT]["mean"]) for choose in (min, max))
    figures = {
        "least": decimals(worth[least][EIGHT]["mean"], 1),
        "most": decimals(worth[most][EIGHT]["mean"], 1),
        "system": system_words(least),
        "other": system_words(most),
    }
    signs = {side_of(found[EIGHT], TABLES[-1] - 1.0) for found in worth.values()}
    verdict = {
        -1: _(
            "Less than the seven games one could play there: between %(least)s (%(system)s) and %(most)s (%(other)s)."
        ),
        1: _(
            "More than the seven games one could play there: between %(least)s (%(system)s) and %(most)s (%(other)s)."
        ),
        0: _(
            "Between %(least)s games (%(system)s) and %(most)s (%(other)s); not for every system does that differ from "
            "the seven one could play there."
        ),
    }[signs.pop() if len(signs) == 1 else 0]
    return Answer(
        "table", QUESTIONS["table"], verdict % figures, _normaliser(document),
        (worth_table(document["tables"], everywhere), normaliser_table(document["worlds"][f"alone-{EIGHT}"])),
    )  # fmt: skip


def _normaliser(document: Mapping[str, Any]) -> str:
    """Whether K for every pair tells more than K/(n − 1), at a table of eight."""
    found = document["worlds"][f"alone-{EIGHT}"]["differences"]["elo-none"]
    told, far = side_of(found["log_loss"]), side_of(found["rms"])
    if (told, far) == (-1, 1):
        return _("K for every pair predicts better than K/(n − 1), but leaves ratings further off.")
    if told <= 0 and far <= 0 and (told, far) != (0, 0):
        return _("K for every pair is better than K/(n − 1): dividing K wastes what a table tells.")
    if told >= 0 and far >= 0 and (told, far) != (0, 0):
        return _("K for every pair is worse than K/(n − 1): ratings swing.")
    return _("Between K for every pair and K/(n − 1) the figures do not decide.")


# --- mean or sum? ----------------------------------------------------------------------------------------------------
def combine_answer(document: Mapping[str, Any]) -> Answer:
    """Held against the mean, by log-loss: below 0 the sum predicts better."""
    worlds = document["worlds"]
    mean, total = (side_of(worlds[key]["differences"]["elo-sum"]["log_loss"]) for key in ("uneven-mean", "uneven-sum"))
    verdict = {
        (1, -1): _("As the game is: where an extra member helps, the sum; where turns are shared, the mean."),
        (1, 1): _("The mean, whatever the game is."),
        (-1, -1): _("The sum, whatever the game is."),
    }.get((mean, total), _("The figures do not decide it for sides of unequal size."))
    equal = side_of(worlds["pairs"]["differences"]["elo-sum"]["log_loss"])
    more = {
        -1: _("With sides of one size both are one formula on two scales, and the sum’s steeper one predicts better."),
        1: _("With sides of one size both are one formula on two scales, and the mean’s flatter one predicts better."),
        0: _("With sides of one size both are one formula on two scales, and neither predicts better."),
    }[equal]
    table = combine_table(
        {key: worlds[key]["differences"]["elo-sum"] for key in ("uneven-mean", "uneven-sum", "pairs")}
    )
    return Answer("combine", QUESTIONS["combine"], verdict, more, (table,))


# --- does the margin help? -------------------------------------------------------------------------------------------
def margin_answer(document: Mapping[str, Any]) -> Answer:
    found = document["margin"]
    verdict = {
        (-1, -1): _("Yes: with a unit fitted to half of the evenings, the others are predicted better."),
        (-1, 0): _(
            "While ratings settle. Over all evenings predictions are better; once ratings have settled, it does not "
            "show."
        ),
        (-1, 1): _("While ratings settle. Over all evenings predictions are better; once ratings have settled, worse."),
        (0, 0): _("Not that it shows: predictions are no better and no worse."),
        (1, 1): _("No: with a unit fitted to half of the evenings, the others are predicted worse."),
    }.get(
        (side_of(found["all"]["difference"]), side_of(found["settled"]["difference"])),
        _("It depends on whether ratings have settled."),
    )
    more = _("Over all evenings the best K was %(k)s on average without the margin and %(margin_k)s with it.") % {
        name: decimals(found["all"][name]["mean"], 0) for name in ("k", "margin_k")
    }
    return Answer("margin", QUESTIONS["margin"], verdict, more, (margin_table(found),))


# --- who gains when a strong player always partners a newcomer? ------------------------------------------------------
def carried_answer(document: Mapping[str, Any]) -> Answer:
    carried = document["carried"]
    newcomer, strong = ({side_of(found[who]) for found in carried.values()} for who in ("newcomer", "strong"))
    if (newcomer, strong) == ({1}, {-1}):
        verdict = _("The newcomer gains and the strong player pays, in every system.")
    elif newcomer == {1}:
        verdict = _("The newcomer gains in every system; what it costs the strong player is not clear in all.")
    elif strong == {-1}:
        verdict = _("The strong player pays in every system; that the newcomer gains is not clear in all.")
    elif newcomer == strong == {0}:
        verdict = _("In no system does it show that anybody gains.")
    else:
        verdict = _("It depends on the system.")
    fixed, drawn = (
        document["worlds"][key]["systems"]["elo-mean"]["spearman"]["mean"] for key in ("pairs-fixed", "pairs")
    )
    more = _(
        "Who always sits with the same partner cannot be told from that partner: where all partners are fixed, the "
        "order of Elo’s ratings agrees with the true one to %(fixed)s, where they are drawn to %(drawn)s (1: wholly)."
    ) % {"fixed": decimals(fixed, 2), "drawn": decimals(drawn, 2)}
    return Answer("carried", QUESTIONS["carried"], verdict, more, (carried_table(carried),))


QUESTIONS: Mapping[str, Promise] = {
    "table": gettext_lazy("What is one table of eight worth in games?"),
    "combine": gettext_lazy("The mean of the members or their sum?"),
    "margin": gettext_lazy("Does the margin help?"),
    "carried": gettext_lazy("Who gains when a strong player always partners a newcomer?"),
}
ANSWERS: Sequence[Callable[[Mapping[str, Any]], Answer]] = (
    table_answer, combine_answer, margin_answer, carried_answer,
)  # fmt: skip
