"""Why somebody meets whom he meets in a round, and why nobody else: asked with a plain form, answered by solving the
round again. A draft is explained to officers only.

The certificate of a published round: a page that says what it proves, and the file.
"""

from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubrating.ground.numbers import number_in
from clubrating.web.questions import Asked, ask_from, keep_looking
from clubrating.web.questions import asked as standing
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Level, Viewer, shown_name
from tournaments.rounds.selectors.certificate import (
    AT_ONCE,
    Certified,
    certifiable_round,
    certificate_question,
    certified,
    remembered_document,
)
from tournaments.rounds.selectors.why import NOBODY, AskedRound, asked_round, field_before, why, why_not


def why_page(request: ClubRequest, slug: str, number: int, player: int) -> HttpResponse:
    """The pairing of one player in one round; with `?other=` why another one is not met (0: why there is no bye)."""
    asked = asked_round(slug, number, drafts=request.viewer.level >= Level.OFFICER)
    if asked is None or player not in asked.seats:
        raise Http404
    seat = asked.seats[player]
    other = _other(request.GET.get("other", ""), asked, player)
    context: dict[str, Any] = {
        "tournament": asked.stage.tournament,
        "round": asked.row,
        "people": {own: entry.player for own, entry in asked.people.items()},
        "player": asked.people[player].player,
        "number": player,
        "seat": seat,
        "opponent": asked.people[seat.opponent].player if seat.opponent else None,
        "choices": _choices(asked, player, request.viewer),
        "other": other,
    }
    if other is None:
        context["answer"] = answer = why(asked, player)
        context["instead"] = asked.people[answer.instead].player if answer.instead else None
    else:
        context["answer"] = why_not(asked, player, other)
        context["asked_for"] = asked.people[other].player if other else None
    return render(request, "tournaments/why.html", context)


def _other(text: str, asked: AskedRound, player: int) -> int | None:
    """The number asked for; None for nothing, or for nobody of the round."""
    number = number_in(text)
    if number == player:
        return None
    is_there = number in asked.seats or (number == NOBODY and asked.has_bye)
    return number if is_there and number != asked.seats[player].opponent else None


def _choices(asked: AskedRound, player: int, viewer: Viewer) -> list[tuple[int, str]]:
    """Everybody of the round but the player and whom he meets, by number, and the bye where there is one."""
    met = asked.seats[player].opponent
    people = [
        (number, f"{number} {shown_name(asked.people[number].player, viewer)}")
        for number in sorted(asked.seats)
        if number not in (player, met)
    ]
    return [*people, *([(NOBODY, _("nobody: the bye"))] if asked.has_bye and met != NOBODY else [])]


# --- certificates -------------------------------------------------------------------------------------------------
def certificate_page(request: ClubRequest, slug: str, number: int) -> HttpResponse:
    """What the round's certificate proves, score group by score group, and which boards are others."""
    asked = _certifiable(slug, number)
    question, found = _certificate(asked)
    people = {own: entry.player for own, entry in asked.people.items()}
    by_hand = [(people[white], people.get(black)) for white, black in found.by_hand] if found else []
    context = {
        "tournament": asked.stage.tournament,
        "round": asked.row,
        "found": found,
        "asked": question,
        "by_hand": by_hand,
    }
    response = render(request, "tournaments/certificate.html", context)
    return keep_looking(response, question) if question else response


def certificate_file(request: ClubRequest, slug: str, number: int) -> HttpResponse:
    """The certificate, by numbers; 404 where there is none, or a large one is not made yet (its page has it made)."""
    _question, found = _certificate(_certifiable(slug, number))
    if found is None or found.problem:
        raise Http404
    name = f"certificate-{slug}-{number}.json"
    separators = {"separators": (",", ":")}
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return JsonResponse(dict(found.document), json_dumps_params=separators, headers=headers)


@require_POST
def ask_certificate(request: ClubRequest, slug: str, number: int) -> HttpResponse:
    """Have the certificate of a large round made."""
    asked = _certifiable(slug, number)
    back = reverse("tournaments:certificate", args=[slug, number])
    return ask_from(request, certificate_question(asked, field_before(asked)), back)


def _certifiable(slug: str, number: int) -> AskedRound:
    asked = certifiable_round(slug, number)
    if asked is None:
        raise Http404
    return asked


def _certificate(asked: AskedRound) -> tuple[Asked | None, Certified | None]:
    """How the question of a large round stands (None: of a small one), and the certificate where it is there."""
    field = field_before(asked)
    if len(asked.seats) <= AT_ONCE:
        return None, certified(asked, remembered_document(asked, field))
    question = standing(certificate_question(asked, field))
    return question, None if question.answer is None else certified(asked, question.answer)
