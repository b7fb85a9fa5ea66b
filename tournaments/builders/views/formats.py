"""Which format? A field, evenings and boards in; every usual format played a thousand times out, as pictures, as a
table and as CSV. The playing is done in the background (`tournaments.builders.services`).

The form is posted, so that no name gets into an address; the answer stands at the address that holds the ratings.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse

from clubrating.ground.numbers import whole_number
from clubrating.web.questions import ask_from, asked, keep_looking
from players.jobs.services import Question
from ratings.lists.selectors.lists import public_lists
from tournaments.builders.forms import MOST_PLAYERS, FormatForm
from tournaments.builders.selectors import (
    KnownField,
    draws_of_club,
    events_to_come,
    field_of_event,
    field_of_list,
)
from tournaments.builders.services import SAMPLES, advice_of, advice_question
from tournaments.builders.views.builders import may_make_events
from tournaments.builders.views.format_answer import answer_context, sheet_of
from tournaments.downloads.views import CSV, as_file
from tournaments.interchange.sheets import as_csv

USUAL_TOP = 16


def format_tool(request: HttpRequest) -> HttpResponse:
    """The form; for a good question how it stands, and the answer once it is there. Sent, it is asked."""
    is_sent = request.method == "POST" and "field" in request.POST
    if not is_sent and "field" not in request.GET:
        return _opened(request)
    form = FormatForm(request.POST if is_sent else filled_in(request.GET), draws=draws_of_club())
    if not form.is_valid():
        return _page(request, form)
    question = question_of(form)
    if request.method == "POST":
        return ask_from(request, question, f"{reverse('tools:format')}?{form.query}")
    found = asked(question)
    context: dict[str, Any] = {"asked": found, "query": form.query, "samples": SAMPLES}
    if found.answer is not None:
        context |= answer_context(advice_of(found.answer), form) | {"may_make": may_make_events(request)}
    return keep_looking(_page(request, form, **context), found)


def format_csv(request: HttpRequest) -> HttpResponse:
    """The answer as CSV, a line a format; 404 while there is none."""
    form = FormatForm(filled_in(request.GET))
    if not form.is_valid():
        return _page(request, form, status=400)
    answer = asked(question_of(form)).answer
    if answer is None:
        raise Http404
    return as_file(as_csv(sheet_of(advice_of(answer), form)), "formats", CSV)


def question_of(form: FormatForm) -> Question:
    """The question of a valid form."""
    return advice_question(form.cleaned_data["field"], form.cleaned_data["draws"], form.hall)


def filled_in(query: QueryDict) -> QueryDict:
    """The question of an address with what it leaves out: fields that say what they say anyhow."""
    data = query.copy()
    for name, box in FormatForm.base_fields.items():
        if box.initial is not None:
            data.setdefault(name, str(box.initial))
    return data


# --- the form, opened ---------------------------------------------------------------------------------------------
def _opened(request: HttpRequest) -> HttpResponse:
    """The form, with a field of the club's where the address names one. Raises Http404 for one there is not."""
    known = _known(request.GET)
    draws = known.draws if known else draws_of_club()
    given = {"field": "\n".join(map(str, known.ratings[:MOST_PLAYERS]))} if known else {}
    return _page(request, FormatForm(initial=given, draws=draws), known=known)


def _known(query: QueryDict) -> KnownField | None:
    if "event" in query:
        found = field_of_event(query.get("event", ""))
    elif "list" in query:
        asked = whole_number(query.get("top", ""), digits=3)
        number = USUAL_TOP if asked is None else asked
        found = field_of_list(query.get("list", ""), min(max(number, 2), MOST_PLAYERS))
    else:
        return None
    if found is None:
        raise Http404
    return found


def _page(request: HttpRequest, form: FormatForm, *, status: int = 200, **context: Any) -> HttpResponse:
    if "asked" not in context:
        context |= {"events": events_to_come(), "lists": public_lists(), "usual_top": USUAL_TOP}
    return render(request, "tools/format.html", {"form": form, **context}, status=status)
