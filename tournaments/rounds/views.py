"""Why somebody meets whom he meets in a round, and why nobody else: asked with a plain form, answered by solving the
round again. A draft is explained to officers only."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from clubrating.web.requests import ClubRequest
from players.privacy.rules import Level, Viewer, shown_name
from tournaments.rounds.selectors.why import NOBODY, AskedRound, asked_round, why, why_not


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
    if not (text.isascii() and text.isdigit() and len(text) < 7) or int(text) == player:
        return None
    number = int(text)
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
