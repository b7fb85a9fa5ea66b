"""`/tools/eras/?a=17&on_a=2019-05-01&b=23`: how strong was X of then against Y of now?

The question stands in the address. It is worked out in the background, once for everybody, when somebody asks; only
people whose names the viewer sees can be asked about.
"""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from clubrating.site.eras.compared import Compared, proof_figures
from clubrating.site.eras.forms import ErasForm
from clubrating.site.eras.selectors import FEWEST_GAMES, eras_question, has_enough_games
from clubrating.web.questions import ask_from, asked, keep_looking
from clubrating.web.requests import ClubRequest
from ratings.lists.selectors.lists import main_of, public_lists


def eras(request: ClubRequest) -> HttpResponse:
    """The form; for a good question how it stands, and the answer once it is there. POST asks it."""
    lists = public_lists()
    main = main_of(lists)
    slug = request.GET.get("list")
    if slug and slug not in {row.slug for row in lists}:
        raise Http404
    is_sent = bool(request.GET.get("a") and request.GET.get("b"))
    data = request.GET if is_sent else None
    form = ErasForm(data, lists=lists, viewer=request.viewer, today=timezone.localdate())
    if not is_sent:
        form.initial = {name: request.GET.get(name, "") for name in ("a", "on_a", "b", "on_b", "list")}
    context: dict[str, object] = {"form": form, "list": main, "fewest": FEWEST_GAMES, "proof": proof_figures()}
    if main is None or not form.is_valid():
        return render(request, "tools/eras.html", context)
    rating_list = form.list_of(main)
    form.check_days(rating_list)
    if not form.is_valid():
        return render(request, "tools/eras.html", context)
    one, other = form.eras
    question = eras_question(rating_list, one.when, other.when)
    address = f"{reverse('tools:eras')}?{request.GET.urlencode()}"
    if request.method == "POST":
        return ask_from(request, question, address)
    found = asked(question)
    context |= {"list": rating_list, "asked": found, "ask_to": address, "eras": (one, other)}
    if found.answer is not None:
        context["found"] = Compared(found.answer, (one, other), request.viewer)
    else:
        context["is_enough"] = has_enough_games(rating_list)
    return keep_looking(render(request, "tools/eras.html", context), found)
