"""`/lab/masters/`: the masters' forecast of the xiangqi paper, every method beside the others; `/lab/masters/own/`: the
same for players of the club.

Nothing is computed here: the paper's eight are read from the committed document (`run_study masters`), a field of one's
own is a question answered in the background, at an address that can be shared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from clubrating.web.formatting import decimals
from clubrating.web.questions import Asked, ask_from, asked, keep_looking
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.privacy.rules import NOBODY, shown_name
from ratings.lab_pages.charts import result_document
from tournaments.forecast.masters import Rule
from tournaments.forecast.masters_study import QUESTIONS
from tournaments.forecasts.forms import OwnMastersForm
from tournaments.forecasts.masters_words import RULES
from tournaments.forecasts.selectors.own_masters import OwnEvent, lists_for_masters, proposed

DIGITS = 1  # of a per cent


@dataclass(frozen=True, slots=True)
class Cell:
    """A question's figures for one player in per cent: by the plain method and by the chains, each with its standard
    error; `exact`: where that is known (else empty)."""

    plain: str
    plain_error: str
    chain: str
    chain_error: str
    exact: str


@dataclass(frozen=True, slots=True)
class MastersRow:
    """One player: a name of the paper, or somebody of the club."""

    name: str
    player: Player | None
    rating: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The methods side by side. `apart`: the largest difference of the two in any figure, in their joint standard
    errors; `off`: the same of either against the exact titles. `moves`: how the chains did."""

    rows: tuple[MastersRow, ...]
    plain: Mapping[str, Any]
    chain: Mapping[str, Any]
    apart: str
    off: str
    half: int
    accepted: str

    @property
    def worth(self) -> Sequence[float]:
        """How many independent events the chains' samples are worth, question by question."""
        return [self.chain["effective"][question] for question in QUESTIONS]


def comparison(
    found: Mapping[str, Any], names: Sequence[str], people: Sequence[Player | None], ratings: Sequence[int]
) -> Comparison:
    """Of `side_by_side`'s plain values."""
    plain, chain, exact = found["plain"], found["chain"], found["exact"]
    rows = [
        MastersRow(name, player, rating, tuple(_cell(plain, chain, exact, question, at) for question in QUESTIONS))
        for at, (name, player, rating) in enumerate(zip(names, people, ratings, strict=True))
    ]
    apart = max(_apart(plain[question], chain[question]) for question in QUESTIONS)
    off = max(_off(method["station"], exact) for method in (plain, chain))
    accepted = decimals(100.0 * chain["accepted"], 0)
    return Comparison(tuple(rows), plain, chain, decimals(apart, 1), decimals(off, 1), max(len(rows) // 2, 1), accepted)


def _cell(plain: Mapping[str, Any], chain: Mapping[str, Any], exact: Sequence[float], question: str, at: int) -> Cell:
    figures = [method[question][kind][at] for method in (plain, chain) for kind in ("p", "se")]
    exactly = _percent(exact[at]) if question == "station" else ""
    return Cell(*map(_percent, figures), exactly)  # type: ignore[call-arg]


def _percent(share: float) -> str:
    return decimals(100.0 * share, DIGITS)


def _apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """The largest difference in joint standard errors. What never came, or always, has no error to compare by."""
    rows = zip(one["p"], one["se"], other["p"], other["se"], strict=True)
    return max((abs(p - q) / hypot(e, f) for p, e, q, f in rows if e and f), default=0.0)


def _off(estimate: Mapping[str, Any], exact: Sequence[float]) -> float:
    rows = zip(estimate["p"], estimate["se"], exact, strict=True)
    return max((abs(p - sure) / e for p, e, sure in rows if e), default=0.0)


# --- the paper's eight --------------------------------------------------------------------------------------------
def masters(request: HttpRequest) -> HttpResponse:
    """The page; `?rule=` chooses one of the five. 404 for any other."""
    document = result_document("masters")
    asked_for = request.GET.get("rule", Rule.SCORE_RATE.value)
    if asked_for not in document["rules"]:
        raise Http404
    names, ratings = document["players"], document["ratings"]
    context = {
        "document": document,
        "rules": RULES.items(),
        "rule": asked_for,
        "says": RULES[Rule(asked_for)].says,
        "found": comparison(document["rules"][asked_for], names, [None] * len(names), ratings),
    }
    return render(request, "lab/masters.html", context)


# --- a field of one's own -----------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: ClubRequest) -> HttpResponse:
    """The form; with a question in the address how that stands. Posted to: the question is asked, and leads there."""
    lists = lists_for_masters()
    if not lists:
        return render(request, "lab/masters_own.html", {"form": None})
    data = request.POST if request.method == "POST" else request.GET if "people" in request.GET else None
    form = OwnMastersForm(data, lists=lists, initial=None if data else _initial(request, lists))
    event = form.event if form.is_bound and form.is_valid() else None
    if event is not None and request.method == "POST":
        return ask_from(request, event.question, f"{reverse('lab:masters-own')}?{form.query}")
    found = asked(event.question) if event else None
    context = {
        "form": form,
        "event": event,
        "asked": found,
        "ask_to": request.get_full_path(),
        "says": RULES[event.rule].says if event else "",
        "found": _answer(event, found) if event and found else None,
    }
    response = render(request, "lab/masters_own.html", context, status=400 if form.errors else 200)
    return keep_looking(response, found) if found else response


def _initial(request: HttpRequest, lists: Sequence[Any]) -> dict[str, Any]:
    """The list the address names, else the first, with its first players."""
    chosen = next((row for row in lists if row.slug == request.GET.get("list")), lists[0])
    lines = [f"{player.number} {shown_name(player, NOBODY)}" for player in proposed(chosen)]
    return {"list": chosen.slug, "people": "\n".join(lines)}


def _answer(event: OwnEvent, found: Asked) -> Comparison | None:
    if found.answer is None:
        return None
    by_number = {player.number: player for player in event.players}
    people = [by_number[number] for number in found.answer["players"]]
    return comparison(found.answer, [""] * len(people), people, event.field.ratings)
