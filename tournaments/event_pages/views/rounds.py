"""A round as its page shows it: every stage that has it, by board or by name, with its byes and the points before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from players.privacy.rules import Viewer
from players.refusals import sign
from tournaments.event_pages.format_tables import MatchGamesTable, NamedPairingTable
from tournaments.event_pages.selectors.finding import seats_by_name
from tournaments.event_pages.tables import PairingTable
from tournaments.event_pages.views.sections import Section
from tournaments.events.selectors.event_data import BoardData, ByeData, EventData, RoundData
from tournaments.events.selectors.standings import points_before
from tournaments.knockouts.selectors.brackets import DrawnMatch, drawn_match
from tournaments.models import ByeKind
from tournaments.printing.selectors import correction_deadline, next_to_pair
from tournaments.results.selectors import without_hidden_names
from tournaments.rounds.selectors.certificate import is_certifiable
from tournaments.rounds.selectors.why import explains
from tournaments.templatetags.events import bye_of, round_title

BY_BOARD, BY_NAME = "board", "name"


@dataclass(frozen=True, slots=True)
class RoundPart:
    """A stage's share of a round: the table of boards, or of names; its matches; its byes with what they bring."""

    title: str
    key: str
    table: PairingTable | NamedPairingTable | None
    matches: tuple[DrawnMatch, ...]
    games: MatchGamesTable | None
    byes: tuple[tuple[ByeData, str], ...]


def round_parts(
    event: EventData,
    sections: Sequence[Section],
    row: RoundData,
    order: str,
    viewer: Viewer,
    first: int | None = None,
) -> dict[str, Any]:
    """The round of the whole event, and what every stage has of it; of each only the `first` boards or matches, where
    that is said (`boards_left`: how many are not shown)."""
    found = [(section, section.facts.round(row.number)) for section in sections]
    why = row.number if explains(event.stage) else 0
    parts = [_part(section, own, order, viewer, why, first) for section, own in found if own is not None]
    games = [game for _section, own in found if own for game in _shown_games(own, first)]
    notes = footnotes_of(games if order != BY_NAME else (), viewer)
    for table in (table for part in parts for table in (part.table, part.games)):
        if isinstance(table, PairingTable | MatchGamesTable):
            table.numbers = {note.game: note.number for note in notes}
    left = sum(max(0, len(own.meetings) - (first or len(own.meetings))) for _section, own in found if own is not None)
    shown = {
        "footnotes": notes,
        "round": row,
        "round_parts": parts,
        "order": order if order == BY_NAME else BY_BOARD,
        "boards_left": left,
        "has_certificate": not row.is_draft and is_certifiable(event.stage.pairing_system),
    }
    return shown | {"corrections": corrections_of(event, sections, row, timezone.localtime())}


def _shown_games(row: RoundData, first: int | None) -> list[BoardData]:
    return [*row.boards[:first], *(game for match in row.matches[:first] for game in match.games)]


@dataclass(frozen=True, slots=True)
class NumberedNote:
    """A note on a result with the `number` that stands beside it; `game` by key."""

    number: int
    game: int
    board: int
    text: str


def footnotes_of(games: Iterable[BoardData], viewer: Viewer) -> list[NumberedNote]:
    """The notes of those games in their order, without names that viewer may not see."""
    noted = [game for game in games if game.footnote]
    texts = [without_hidden_names(game.footnote, (game.white.player, game.black.player), viewer) for game in noted]
    pairs = zip(noted, texts, strict=True)
    return [NumberedNote(number, game.key, game.board, text) for number, (game, text) in enumerate(pairs, start=1)]


@dataclass(frozen=True, slots=True)
class Corrections:
    """Until when a wrong result of a round can be reported: `by` an hour, or `until` the next round is paired
    ("pairing"), the next one begins ("round") or the prizes are given ("prizes")."""

    by: datetime | None = None
    until: str = ""


def corrections_of(event: EventData, sections: Sequence[Section], row: RoundData, now: datetime) -> Corrections | None:
    """What is said below the round's results; None for a draft, and when it is too late."""
    if row.is_draft or event.tournament.closed:
        return None
    by = correction_deadline(event.tournament, row, timezone.get_current_timezone())
    if by is not None:
        return Corrections(by=by) if now <= by else None
    following = event.round(row.number + 1)
    if following is not None and not following.is_draft:
        waits = not following.begun and not any(part.facts.is_by_rounds for part in sections)
        return Corrections(until="round") if waits else None
    if any(next_to_pair(part.facts) for part in sections if part.facts.is_by_rounds):
        return Corrections(until="pairing")
    return None if row.is_complete else Corrections(until="prizes")


def _part(section: Section, row: RoundData, order: str, viewer: Viewer, why: int, first: int | None) -> RoundPart:
    title, words = title_of_round(section, row), words_of_byes(section.facts)
    if order == BY_NAME:
        return RoundPart(title, section.key, NamedPairingTable(seats_by_name(row, viewer), words), (), None, ())
    table = None
    if row.boards or not row.matches:
        before = points_before(section.facts, row.number)
        unit, slug = section.ranked.points.unit, section.facts.tournament.slug
        table = PairingTable(row.boards[:first], before, unit, viewer, slug, why)
        table.brief = first is not None
    matches = tuple(drawn_match(match) for match in row.matches[:first])
    byes = tuple((bye, words[bye.kind]) for bye in row.byes if first is None)
    games = MatchGamesTable(matches) if matches else None
    return RoundPart(title, section.key, table, matches, games, byes)


def title_of_round(section: Section, row: RoundData) -> str:
    """The stage's name in an event of several parts, and in a knockout the round's: Quarter-finals."""
    drawn = section.bracket.rounds if section.bracket else ()
    names = [round_title(own.name) for own in drawn if own.number == row.number]
    return sign(", ").join(name for name in (section.title, *names) if name)


def words_of_byes(facts: EventData) -> dict[str, str]:
    """What every kind of bye is called in this stage."""
    return {str(kind): bye_of(kind, facts) for kind in ByeKind}
