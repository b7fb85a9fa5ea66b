"""A round as its page shows it: every stage that has it, by board or by name, with its byes and the points before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from players.privacy import Viewer
from tournaments.format_tables import MatchGamesTable, NamedPairingTable
from tournaments.models import ByeKind
from tournaments.selectors.brackets import DrawnMatch, drawn_match
from tournaments.selectors.facts import ByeFacts, EventFacts, RoundFacts
from tournaments.selectors.keizer import is_keizer
from tournaments.selectors.pairing_field import bye_points
from tournaments.selectors.rounds_by_name import seats_by_name
from tournaments.selectors.standings import points_before
from tournaments.tables import PairingTable
from tournaments.templatetags.events import bye_words, round_title
from tournaments.views.sections import Section

BY_BOARD, BY_NAME = "board", "name"


@dataclass(frozen=True, slots=True)
class RoundPart:
    """A stage's share of a round: the table of boards, or of names; its matches; its byes with what they bring."""

    title: str
    key: str
    table: PairingTable | NamedPairingTable | None
    matches: tuple[DrawnMatch, ...]
    games: MatchGamesTable | None
    byes: tuple[tuple[ByeFacts, str], ...]


def round_parts(
    event: EventFacts, sections: Sequence[Section], row: RoundFacts, order: str, viewer: Viewer
) -> dict[str, Any]:
    """The round of the whole event, and what every stage has of it."""
    found = [(section, section.facts.round(row.number)) for section in sections]
    parts = [_part(section, own, order, viewer) for section, own in found if own is not None]
    return {"round": row, "round_parts": parts, "order": order if order == BY_NAME else BY_BOARD}


def _part(section: Section, row: RoundFacts, order: str, viewer: Viewer) -> RoundPart:
    by_name = order == BY_NAME
    words = _words(section.facts)
    table: PairingTable | NamedPairingTable | None = None
    if by_name:
        table = NamedPairingTable(seats_by_name(row, viewer), words)
    elif row.boards or not row.matches:
        before = points_before(section.facts, row.number)
        table = PairingTable(row.boards, before, section.ranked.points.unit)
    matches = () if by_name else tuple(drawn_match(match) for match in row.matches)
    byes = () if by_name else tuple((bye, words[bye.kind]) for bye in row.byes)
    games = MatchGamesTable(matches) if matches else None
    return RoundPart(_title(section, row), section.key, table, matches, games, byes)


def _title(section: Section, row: RoundFacts) -> str:
    """The stage's name in an event of several parts, and in a knockout the round's: Quarter-finals."""
    drawn = section.bracket.rounds if section.bracket else ()
    names = [round_title(own.name) for own in drawn if own.number == row.number]
    return ", ".join(name for name in (section.title, *names) if name)


def _words(facts: EventFacts) -> dict[str, str]:
    """What every kind of bye is called in this stage."""
    scores, keizer = bool(bye_points(facts.stage, ByeKind.ALLOCATED)), is_keizer(facts)
    words = {str(kind): bye_words(kind, scores=scores, keizer=keizer) for kind in ByeKind}
    return words | ({ByeKind.ALLOCATED: _("bye: goes on without a match")} if facts.is_bracket else {})
