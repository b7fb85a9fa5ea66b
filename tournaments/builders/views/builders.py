"""What the schedule and the bracket builder share: where the question stands, and how it is answered.

A question comes in the address or is posted. A posted one leads to the address that holds it, where it is short enough
for every server and program on the way; else, or where the names are to stay out of addresses, the answer is shown at
once. Nothing is changed by asking, so nobody's consent (a token) is needed for it. No login, no database.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from secrets import randbelow
from typing import Any
from urllib.parse import urlencode

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from tournaments.builders.forms import BuilderForm
from tournaments.pairing.base import SEED_BELOW

LONGEST_ADDRESS = 3500  # our server takes 4094 letters of a request's first line, and some programs cut links before


@dataclass(frozen=True, slots=True)
class Question:
    """A question that was understood: its fields, the seed where lots are drawn, the query of its address, if any."""

    fields: Sequence[tuple[str, str]]
    seed: int | None
    query: str

    @property
    def again(self) -> str:
        """The query that draws anew."""
        return urlencode([(name, value) for name, value in self.fields if name != "seed"])

    def is_asked_by(self, request: HttpRequest) -> bool:
        """Whether the request is that address already: an address without its seed is not."""
        return request.method != "POST" and (self.seed is None or request.GET.get("seed") == str(self.seed))


def asked_of(request: HttpRequest) -> QueryDict | None:
    """What was asked; None where the form is only opened."""
    if request.method == "POST":
        return request.POST
    return request.GET if "names" in request.GET else None


def question_of(form: BuilderForm) -> Question:
    """The question of a valid form, its lots drawn where that is still to be done."""
    seed = form.cleaned_data["seed"]
    if seed is None and form.by_lots:
        seed = randbelow(SEED_BELOW)
    fields = form.question(seed)
    query = urlencode(fields)
    return Question(fields, seed, "" if form.cleaned_data["private"] or len(query) > LONGEST_ADDRESS else query)


def answer(
    request: HttpRequest, template: str, form: BuilderForm, plan: Callable[[Any, Question], dict[str, Any]]
) -> HttpResponse:
    """The form and, for good input, what `plan` makes of it; its "names" are in the order of their numbers."""
    if not form.is_valid():
        return render(request, template, {"form": form})
    question = question_of(form)
    if question.query and not question.is_asked_by(request):
        return redirect(f"{request.path}?{question.query}")
    context = {"form": form, "question": question, "seed": question.seed, "title": form.cleaned_data["title"]}
    context |= plan(form, question) | {"may_make": may_make_events(request)}
    return render(request, template, context | {"names_text": "\n".join(context["names"])})


def may_make_events(request: HttpRequest) -> bool:
    """Whether the reader is an arbiter; without a session, or a database, nobody is."""
    if not request.COOKIES or not hasattr(request, "user"):
        return False
    try:
        return bool(request.user.has_perm("tournaments.add_tournament"))
    except DatabaseError:
        return False
