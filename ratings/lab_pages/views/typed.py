"""`/lab/typed/`: a visitor types a rating system as formulas, sees what some games come to, and has it tried.

The form is posted, so that a long or wrong one is answered with a sentence; a good one leads to the address that holds
it, which is the link to share. There a button asks for the study, once for everybody; it runs in the background.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from clubrating.ground.figures import MINUS
from clubrating.web.formatting import decimals
from clubrating.web.formatting import written as written_figure
from clubrating.web.questions import Asked, ask_from, asked, keep_looking
from clubrating.web.rate_limits import RateLimit
from players.refusals import said
from ratings.lab.formulas import MOST_TERMS, FormulaError
from ratings.lab.typed import EXAMPLES, TYPED, Try, tries
from ratings.lab.typed_study import COURSE_EVERY
from ratings.lab.world import STRENGTHS
from ratings.lab_pages.charts import calibration_plot, course_drawing, index_drawing, result_document
from ratings.lab_pages.forms import TypedForm, filled_in, written
from ratings.lab_pages.services import stopped_at, typed_question, typed_queue_is_full
from ratings.lab_pages.tables.lab import StudyTable, measures_table, system_lines
from ratings.lab_pages.tables.typed import standings_table, tries_table
from ratings.lab_pages.views.lab import drawing_file
from ratings.lab_pages.views.scenarios import plot_file
from ratings.lab_pages.words import system_words

# Each is half a minute of a worker.
TYPED_SYSTEMS = RateLimit("typed-systems", tries=12, seconds=3600)
MEASURED = ("tau", "ordered", "log_loss", "probability_error", "calibration_error", "drift")


def typed(request: HttpRequest) -> HttpResponse:
    """The form; for rules that can be read what some games come to, how the study of them stands, and its figures."""
    is_sent = request.method == "POST" and "winner" in request.POST
    if not is_sent and "winner" not in request.GET:
        return _page(request, TypedForm(initial=_example(request)))
    form = TypedForm(request.POST if is_sent else filled_in(request.GET))
    if not form.is_valid():
        return _page(request, form)
    address = f"{reverse('lab:typed')}?{form.query}"
    if is_sent:
        return redirect(address)
    if request.method == "POST":
        return _asked_for(request, form, address)
    found = asked(typed_question(form.rules))
    tried = tries(form.rules)
    context: dict[str, Any] = {"query": form.query, "asked": found}
    context |= {
        "tries": tried,
        "worked_out": tries_table(tried),
        "steps": _steps(tried[0].known),
        "refusals": _refusals(tried),
    }
    if found.answer is not None:
        context |= _answered(found.answer, request.GET.get("system", TYPED.key))
    return keep_looking(_page(request, form, **context), found)


def _example(request: HttpRequest) -> dict[str, str]:
    """The rules of the example the address names; Elo's where it names none. Raises Http404 for one there is not."""
    key = request.GET.get("example", "elo")
    if key not in EXAMPLES:
        raise Http404
    return written(EXAMPLES[key])


def _page(request: HttpRequest, form: TypedForm, **context: Any) -> HttpResponse:
    examples = {key: system_words(key) for key in EXAMPLES}
    return render(request, "lab/typed.html", {"form": form, "examples": examples, "terms": MOST_TERMS, **context})


def _asked_for(request: HttpRequest, form: TypedForm, address: str) -> HttpResponse:
    question = typed_question(form.rules)
    found = asked(question)
    if not found.is_under_way and found.answer is None and typed_queue_is_full():
        messages.error(request, _("Many typed systems are waiting to be tried. Ask again in some minutes."))
        return redirect(address)
    return ask_from(request, question, address, TYPED_SYSTEMS)


def _refusals(tried: Sequence[Try]) -> list[tuple[str, object, str]]:
    """Of games that cannot be worked out: the two ratings, the field, and why."""
    return [
        (f"{row.winner:g} – {row.loser:g}", label_of(row.refused), said(row.refused)) for row in tried if row.refused
    ]


def label_of(refused: FormulaError) -> object:
    """The field in which it stands, as the form calls it."""
    return TypedForm.base_fields[refused.place.field].label


def _steps(known: Mapping[str, float]) -> list[tuple[str, str]]:
    """What was worked out on the way in the first game."""
    return [(name, written_figure(f"{value:.6g}".replace("-", MINUS))) for name, value in known.items()]


# --- the figures -----------------------------------------------------------------------------------------------------
def _answered(answer: Mapping[str, Any], system: str) -> dict[str, Any]:
    """What the page shows of an answer; `system`: whose calibration and course. Raises Http404 for one there is not."""
    stopped = stopped_at(answer)
    if stopped:
        one, other = (decimals(value, 2) for value in stopped.game or (0.0, 0.0))
        return {"stopped": said(stopped), "stopped_field": label_of(stopped), "one": one, "other": other}
    beside, tried = result_document("typed"), result_document("scenarios")["scenarios"][0]
    six = beside["systems"]
    systems = {**six, TYPED.key: answer["system"]}
    calibrations = {TYPED.key: answer["calibration"], **{key: tried["calibration"][key] for key in six}}
    courses = {**beside["course"], TYPED.key: answer["course"]}
    if system not in calibrations:
        raise Http404
    measures = {TYPED.key: answer["measures"], **{key: tried["systems"][key] for key in six}}
    return {
        "document": beside,
        "tried": tried,
        "equals": _equals(answer, beside),
        "drawing": index_drawing(systems, first_range=False),
        "systems": StudyTable(system_lines(systems, set())),
        "measures": measures_table(measures, MEASURED),
        "system": system,
        "calibrated": {key: system_words(key) for key in calibrations},
        "calibration": calibration_plot(calibrations[system]),
        "course": course_drawing(_courses(courses[system])),
        "standings": standings_table(answer["table"]),
        "normalised": answer["normalised"],
    }


def _equals(answer: Mapping[str, Any], beside: Mapping[str, Any]) -> str:
    """The name of the system of the study that has exactly this index and these ratings; empty where none has."""
    own = answer["system"]["curve"], answer["course"]
    curves, courses = beside["systems"], beside["course"]
    same = (key for key in curves if (curves[key]["curve"], courses[key]) == own)
    return next(map(system_words, same), "")


def _courses(course: Sequence[Sequence[float]]) -> dict[str, dict[int, float]]:
    """The mean rating of each strength by games played, the strongest first."""
    curves = zip(STRENGTHS, zip(*course, strict=True), strict=True)
    return {
        f"{strength:g}": {COURSE_EVERY * number: mean for number, mean in enumerate(means, 1)}
        for strength, means in reversed(list(curves))
    }


def typed_file(request: HttpRequest, what: str, kind: str) -> HttpResponse:
    """The index beside the six, or the calibration, as an SVG drawing or as CSV; 404 while there are no figures."""
    answer = _found(request).answer
    context = _answered(answer, request.GET.get("system", TYPED.key)) if answer is not None else {}
    if what not in context:
        raise Http404
    if what == "calibration":
        return plot_file(context["calibration"], f"typed-calibration-{context['system']}", kind)
    return drawing_file(
        context[what], "typed-index" if what == "drawing" else f"typed-{what}-{context['system']}", kind
    )


def typed_json(request: HttpRequest) -> HttpResponse:
    """The rules, how their study stands ("new" where nobody has asked), and the figures once they are there; `stopped`
    says why it could not go on."""
    form = TypedForm(filled_in(request.GET))
    if not form.is_valid():
        return JsonResponse({"errors": form.errors}, status=400)
    found = asked(typed_question(form.rules))
    state = found.job.state if found.job else "new"
    stopped = stopped_at(found.answer or {})
    answer = {"rules": form.rules.document, "state": state, "figures": found.answer}
    return JsonResponse(answer | {"stopped": said(stopped) if stopped else None})


def _found(request: HttpRequest) -> Asked:
    form = TypedForm(filled_in(request.GET))
    if not form.is_valid():
        raise Http404
    return asked(typed_question(form.rules))
