"""`/tournaments/<slug>/entries/<number>/`: a player's card, round by round, with the working of every tie-break."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from django.http import Http404, HttpResponse
from django.shortcuts import render

from clubrating.web.requests import ClubRequest
from players.privacy.rules import sees_name, sees_page
from tournaments.event_pages.format_tables import MatchGamesTable
from tournaments.event_pages.selectors.cards import Card, Change, card_of, changes_of
from tournaments.event_pages.selectors.progress import Step
from tournaments.event_pages.views.event import event_context, pages_or_404
from tournaments.event_pages.views.rounds import words_of_byes
from tournaments.event_pages.views.sections import Section
from tournaments.events.selectors.event_data import Entrant
from tournaments.pairing.free import Teams


@dataclass(frozen=True, slots=True)
class CardLine:
    """A round: what happened, the words of a bye, what it did to the rating, what it brought in a Keizer list."""

    step: Step
    bye: str
    change: Change | None
    worth: Fraction | None


@dataclass(frozen=True, slots=True)
class CardPart:
    """The player in one stage; `games` are those of his matches, where it is a knockout."""

    section: Section
    card: Card
    lines: tuple[CardLine, ...]
    games: MatchGamesTable | None

    @property
    def has_changes(self) -> bool:
        return any(line.change for line in self.lines)


Changes = Mapping[tuple[int, int], Change]


def card(request: ClubRequest, slug: str, number: int) -> HttpResponse:
    """The card of the entry with that pairing number, every stage he plays in. K, and so a child's age, could be read
    off a change: it is shown where the name is."""
    event, sections = pages_or_404(request, slug)
    person = next((person for person in event.everybody if person.card == number), None)
    if person is None:
        raise Http404
    changes = changes_of(sections[0].facts, person) if sees_name(person.player, request.viewer) else {}
    context = event_context(event, sections, "card") | {
        "person": person,
        "parts": [part for section in sections if (part := _part(section, person, changes))],
        "has_page": sees_page(person.player, request.viewer),
        "around": _around(event.everybody, person),
    }
    return render(request, "tournaments/card.html", context)


def _part(section: Section, person: Entrant, changes: Changes) -> CardPart | None:
    """What the player has of a stage; None where he is not in it."""
    own = card_of(section.facts, section.ranked, person.key)
    if own is None:
        return None
    if section.facts.stage.pairing_system == Teams.key:
        own = replace(own, standing=None, workings=())  # places and tie-breaks are those of teams
    words, stage = words_of_byes(section.facts), section.facts.stage.pk
    gains = {gain.round: gain.worth for gain in own.keizer.gains} if own.keizer else {}
    lines = tuple(
        CardLine(step, words.get(step.bye, ""), changes.get((stage, step.round)), gains.get(step.round))
        for step in own.steps
    )
    return CardPart(section, own, lines, MatchGamesTable(own.matches) if own.matches else None)


def _around(everybody: tuple[Entrant, ...], person: Entrant) -> dict[str, Entrant | None]:
    """The numbers before and after, to leaf through the cards."""
    numbered = [other for other in everybody if other.card is not None]
    at = numbered.index(person)
    return {
        "before": numbered[at - 1] if at else None,
        "after": numbered[at + 1] if at + 1 < len(numbered) else None,
    }
