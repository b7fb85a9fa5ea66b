"""The sheets of a team event: match cards, line-up sheets for captains, the table, fixtures, the lists of the teams.

A line-up that was handed in is on no sheet before the boards are made: until then a card has empty lines. The square
code on a card leads to the public page of the match, and is nobody's key.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cached_property

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.ground.numbers import number_in
from clubrating.web.formatting import qr_code
from clubrating.web.requests import ClubRequest
from tournaments.models import Round, Team, Tournament
from tournaments.printing.selectors import Listed, listed_on, squads_of
from tournaments.printing.views.choosing import LARGE, PrintForm, choose, presets_of, round_words
from tournaments.printing.views.sheets import SheetKind, sheets_of
from tournaments.teams.selectors.bracket import TeamBracket, drawn_bracket, has_bracket
from tournaments.teams.selectors.checklist import due_at
from tournaments.teams.selectors.colours import whites_of
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts
from tournaments.teams.selectors.matches import current_round
from tournaments.teams.selectors.table import LeagueTable, league_table
from tournaments.teams.views.boards import ShownBoard, shown_matches
from tournaments.teams.views.pages import facts_for, matches_of, state_of_teams

FOLDER = "teams/"
MOST_TIEBREAKS = 4  # beside them stand matches won, drawn and lost; with more the sheet is turned
PRESETS = (
    (_("The evening’s set"), ("match-cards", "line-ups")),
    (_("After the round"), ("standings", "bracket", "fixtures")),
)


@dataclass(frozen=True, slots=True)
class RoundHead:
    """A round as the head of a sheet names it."""

    number: int
    planned_on: date | None
    planned_at: time | None
    is_draft: bool


@dataclass(frozen=True)
class TeamPress:
    """What sheets are printed from: the event, the round (none before the first one), and who asks."""

    facts: TeamFacts
    row: Round | None
    request: ClubRequest

    @cached_property
    def matches(self) -> list[MatchFacts]:
        """The round's matches of two teams that are to be played, or were."""
        found = matches_of(self.facts, self.row) if self.row else []
        return [match for match in found if match.row.home and match.row.away and not match.row.absent]

    @cached_property
    def squads(self) -> dict[int, list[Listed]]:
        return squads_of(self.facts)

    def address_of(self, match: MatchFacts) -> str:
        """Where the match stands for everybody."""
        where = (self.facts.tournament.slug, match.round.number, match.row.number)
        return self.request.build_absolute_uri(reverse("tournaments:match", args=where))


# --- what stands on the sheets ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class CardBoard:
    """A line of a match card: who sits there (nobody, or not known yet: None), and whether the home team has White;
    None where the captains still toss for it."""

    number: int
    shown: ShownBoard | None
    home_is_white: bool | None


@dataclass(frozen=True, slots=True)
class MatchCard:
    """A match's card. `is_open`: its boards are made; without that all lines are empty."""

    match: MatchFacts
    boards: tuple[CardBoard, ...]
    is_open: bool
    address: str
    picture: SafeString


@dataclass(frozen=True, slots=True)
class LineUpSheet:
    """What a captain fills in before a match; `due`: until when, where there is such a rule."""

    match: MatchFacts
    team: Team
    people: tuple[Listed, ...]
    due: datetime | None


@dataclass(frozen=True, slots=True)
class Fixtures:
    """A round with its matches, byes among them."""

    row: Round
    matches: tuple[MatchFacts, ...]


@dataclass(frozen=True, slots=True)
class Squad:
    """A team with everybody on its list."""

    team: Team
    people: tuple[Listed, ...]


def _match_cards(press: TeamPress) -> list[MatchCard]:
    return [
        MatchCard(
            match=shown.facts,
            boards=_card_boards(press, shown.facts, shown.boards),
            is_open=bool(shown.boards),
            address=press.address_of(shown.facts),
            picture=qr_code(press.address_of(shown.facts)),
        )
        for shown in (shown_matches(press.facts, press.matches, press.request.viewer) if press.matches else ())
    ]


def _card_boards(press: TeamPress, match: MatchFacts, boards: Sequence[ShownBoard]) -> tuple[CardBoard, ...]:
    """All boards of a match, with colours once it is known who has White on board 1."""
    known = {board.facts.number: board for board in boards}
    at_home = whites_of(match.row, press.facts.rules) if match.row.first_white else None
    return tuple(
        CardBoard(number, known.get(number), at_home[number - 1] if at_home else None)
        for number in range(1, press.facts.rules.boards + 1)
    )


def _line_ups(press: TeamPress) -> list[LineUpSheet]:
    waiting = [match for match in press.matches if not match.is_open and not match.decided]
    return [
        LineUpSheet(match, team, tuple(_able(press, match, team)), due_at(match.row, press.facts.rules))
        for match in waiting
        for team in (match.row.home, match.row.away)
        if team is not None
    ]


def _able(press: TeamPress, match: MatchFacts, team: Team) -> list[Listed]:
    return listed_on(press.squads[team.pk], match.row.played_on or match.round.planned_on)


def _table(press: TeamPress) -> list[LeagueTable]:
    return [league_table(press.facts)] if press.facts.teams and not has_bracket(press.facts) else []


def _brackets(press: TeamPress) -> list[TeamBracket]:
    drawn = drawn_bracket(press.facts)
    return [drawn] if drawn.rounds else []


def _fixtures(press: TeamPress) -> list[Fixtures]:
    rounds = {match.round.number: match.round for match in press.facts.matches}
    return [Fixtures(row, tuple(matches_of(press.facts, row))) for _number, row in sorted(rounds.items())]


def _squads(press: TeamPress) -> list[Squad]:
    return [Squad(team, tuple(press.squads[team.pk])) for team in press.facts.teams if press.squads[team.pk]]


def _has_many_tiebreaks(table: LeagueTable) -> bool:
    return len(table.rules) > MOST_TIEBREAKS


TEAM_SHEETS: tuple[SheetKind, ...] = (
    SheetKind("match-cards", _("Match cards"), _match_cards, headless=True, folder=FOLDER),
    SheetKind("line-ups", _("Line-up sheets for captains"), _line_ups, headless=True, folder=FOLDER),
    SheetKind("standings", _("Table"), _table, of_round=False, is_wide=_has_many_tiebreaks, folder=FOLDER),
    SheetKind("bracket", _("Bracket"), _brackets, of_round=False, folder=FOLDER),
    SheetKind("fixtures", _("Fixtures and results"), _fixtures, of_round=False, folder=FOLDER),
    SheetKind("squads", _("Lists of the teams"), _squads, of_round=False, folder=FOLDER),
)


# --- the page -------------------------------------------------------------------------------------------------------
def team_sheets(request: ClubRequest, event: Tournament) -> HttpResponse:
    """The form, and the sheets chosen in it; without a choice the match cards of the present round."""
    facts = facts_for(event, request.viewer)
    rounds = {match.round.number: match.round for match in facts.matches}
    asked = request.GET.copy()
    row = _round_asked(facts, rounds, asked)
    sheets = sheets_of(TeamPress(facts, row, request), TEAM_SHEETS)
    choose(asked, sheets)
    heads = [_head(each) for _number, each in sorted(rounds.items())]
    choices = [
        (each.number, round_words(each.number, each.planned_on, each.planned_at, is_draft=each.is_draft))
        for each in heads
    ]
    form = PrintForm(asked, rounds=choices, sheets=sheets)
    chosen = form.cleaned_data["sheets"] if form.is_valid() else []
    context = {
        "facts": facts,
        "tournament": event,
        "tab": "print",
        "state": state_of_teams(facts),
        "form": form,
        "presets": presets_of(PRESETS, form, sheets, chosen),
        "round": _head(row) if row else None,
        "sheets": [sheet for sheet in sheets if sheet.kind.key in chosen],
        "large": form.is_valid() and form.cleaned_data["size"] == LARGE,
        "as_of": timezone.localtime(),
        "captains_address": request.build_absolute_uri(reverse("captains:home")),
    }
    return render(request, "tournaments/print/page.html", context)


def _round_asked(facts: TeamFacts, rounds: dict[int, Round], asked: QueryDict) -> Round | None:
    """The round the address asks for, the present one where it asks for none; None for one that is not there."""
    now = current_round(facts)
    if "round" not in asked and now is not None:
        asked["round"] = str(now.number)
    return rounds.get(number_in(asked.get("round", "")))


def _head(row: Round) -> RoundHead:
    return RoundHead(row.number, row.planned_on, row.planned_at, row.state == Round.State.DRAFT)
