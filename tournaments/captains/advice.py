"""`/captain/matches/<key>/<team>/advice/`: which line-up to send, for whoever acts for the team.

The question is posted, so that no log of addresses has a captain's plans; nothing of it is stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from clubrating.ground.figures import MINUS
from clubrating.ground.numbers import number_in
from clubrating.web.formatting import decimals
from clubrating.web.requests import ClubRequest
from players.privacy.rules import MEMBER, Viewer, shown_name
from players.refusals import Refused
from tournaments.captains.sign_in import for_captains
from tournaments.captains.views import side_or_404
from tournaments.forecast.line_ups import ALL_ORDERS, LineUpAdvice, Proposal
from tournaments.forecasts.selectors.line_up_advice import MOST, AdviceScene, advice_scene, advise
from tournaments.models import TeamPlayer
from tournaments.pairing.line_up_rules import Breach
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, team_facts


@dataclass(frozen=True, slots=True)
class Order:
    """A line-up that is proposed: names from board 1 down, expected match points and game points, what it gains on the
    default in match points, with the error of that, and whether such a difference can be told."""

    names: tuple[str, ...]
    match_points: str
    game_points: str
    gain: str
    error: str
    is_told: bool
    is_default: bool


@for_captains
def advice(request: ClubRequest, key: int, team: int) -> HttpResponse:
    """Who is available, whom to expect, and the best few orders. 404 for another side's match and one without an
    opponent; 409 for what cannot be compared, with what was chosen."""
    side, row = side_or_404(request, key, team)
    facts = team_facts(side.tournament)
    match = next(each for each in facts.matches if each.row.pk == row.pk)
    scene = advice_scene(facts, match, side)
    own, expected = _chosen(request, scene, facts)
    context: dict[str, Any] = {"tournament": side.tournament, "team": side, "match": match, "most": MOST}
    status = 200
    if request.method == "POST" and not match.is_open:
        try:
            found = advise(facts, match, side, scene, own, expected)
            context |= _answer(found, scene, facts)
        except Refused as refusal:
            context["problem"], status = str(refusal), 409
    context |= _form(request.viewer, scene, own, expected, facts, match)
    return render(request, "captains/advice.html", context, status=status)


def _chosen(request: ClubRequest, scene: AdviceScene, facts: TeamFacts) -> tuple[list[int], list[int | None]]:
    """Who is available and who is expected, by keys: as sent; else everybody who may be compared, and the usual."""
    if request.method != "POST":
        expected: list[int | None] = [row.pk for row in scene.expected]
        return [row.pk for row in scene.own[:MOST]], expected + [None] * (facts.rules.boards - len(expected))
    sent = [request.POST.get(f"expected-{board}", "") for board in range(1, facts.rules.boards + 1)]
    here = [number_in(text) for text in request.POST.getlist("here")]
    return here, [number_in(text) if text else None for text in sent]


def _form(
    viewer: Viewer,
    scene: AdviceScene,
    own: Sequence[int],
    expected: Sequence[int | None],
    facts: TeamFacts,
    match: MatchFacts,
) -> dict[str, Any]:
    names = _own_names(scene)
    return {
        "is_open": match.is_open,
        "here": [(row.pk, f"{row.place}. {names[row.entry.player.number]}", row.pk in own) for row in scene.own],
        "out": [(names[row.entry.player.number], _why_out(finding.breach)) for row, finding in scene.out],
        "others": [(row.pk, f"{row.place}. {shown_name(row.entry.player, viewer)}") for row in scene.others],
        "expected": list(enumerate(expected, start=1)),
        "rules": facts.rules,
    }


def _why_out(breach: Breach) -> str:
    return {
        Breach.NOMINATED: _("nominated for a higher team"),
        Breach.TIED: _("tied to a higher team by games for it"),
        Breach.ELSEWHERE: _("plays for another team in this round"),
        Breach.SAME_DAY: _("plays for another team on this day"),
    }[breach]


def _own_names(scene: AdviceScene) -> Mapping[int, str]:
    """A captain knows his own players: he sees what members see."""
    people: list[TeamPlayer] = [*scene.own, *(row for row, _finding in scene.out)]
    return {row.entry.player.number: shown_name(row.entry.player, MEMBER) for row in people}


def _answer(found: LineUpAdvice, scene: AdviceScene, facts: TeamFacts) -> dict[str, Any]:
    names, unit = _own_names(scene), facts.event.scoring.points.unit
    orders = [_order(each, found, names, unit) for each in found.best if each.order != found.default.order]
    return {
        "orders": [_order(found.default, found, names, unit), *orders],
        "is_told": any(each.is_told and each.difference > 0 for each in found.best),
        "allowed": found.allowed,
        "all_orders": found.method == ALL_ORDERS,
    }


def _order(each: Proposal, found: LineUpAdvice, names: Mapping[int, str], unit: int) -> Order:
    return Order(
        tuple(names[number] for number in each.order),
        decimals(each.match_points / 2.0, 2),
        decimals(each.game_points / unit, 2),
        _signed(each.difference / 2.0),
        decimals(each.error / 2.0, 2),
        each.is_told,
        each.order == found.default.order,
    )


def _signed(points: float) -> str:
    """Match points with two decimals and their sign; none before what is rounded to nothing."""
    sign = "" if abs(points) < 0.005 else MINUS if points < 0 else "+"
    return f"{sign}{decimals(abs(points), 2)}"
