"""What stands on the screens of the hall: boards of the present round, standings, matches of a knockout, entries; each
cut into pages of so many lines as can be read from afar."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.figures import fraction_text, points_text
from clubrating.web.formatting import written
from tournaments.event_list.selectors import State
from tournaments.event_pages.selectors.formats import is_keizer, keizer_places
from tournaments.event_pages.views.rounds import title_of_round, words_of_byes
from tournaments.event_pages.views.sections import Section
from tournaments.events.selectors.event_data import BoardData, Entrant, EventData
from tournaments.knockouts.selectors import BracketRound, DrawnMatch, places_of
from tournaments.templatetags.cards import worth_text
from tournaments.templatetags.events import round_title

# So many lines fit on a screen, from the largest type to the smallest.
SIZES = (5, 8, 10, 12, 16)
PAIRINGS, STANDINGS, BRACKET, ENTRIES = "pairings", "standings", "bracket", "entries"
# What an arbiter may choose from; entries come by themselves as long as there is nothing else.
KINDS: dict[str, Promise] = {
    PAIRINGS: gettext_lazy("Pairings"),
    STANDINGS: gettext_lazy("Standings"),
    BRACKET: gettext_lazy("Bracket"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a screen: a board, a match, or a place. Which of it is filled depends on the kind of screen; `words`
    stand where there is no opponent."""

    label: str
    one: Entrant | None = None
    other: Entrant | None = None
    board: BoardData | None = None
    match: DrawnMatch | None = None
    words: str = ""
    figures: tuple[str, ...] = ()

    @property
    def provisional(self) -> bool:
        return any(person is not None and person.provisional for person in (self.one, self.other))


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen: page `page` of `pages` of a list, in type of which `size` lines fit; `heads` name the figures at the
    end of its lines."""

    kind: str
    title: str
    lines: tuple[Line, ...]
    heads: tuple[str, ...] = ()
    part: str = ""
    page: int = 1
    pages: int = 1
    size: int = SIZES[0]

    @property
    def template(self) -> str:
        return f"tournaments/tv/{self.kind}.html"

    @property
    def provisional(self) -> bool:
        """Whether the mark of probation has to be explained."""
        return any(line.provisional for line in self.lines)


def screens_of(
    event: EventData, sections: Sequence[Section], state: State, kinds: Sequence[str], rows: int
) -> list[Screen]:
    """All screens of the event in their order, at most `rows` lines on each; never none. Once it is over only how it
    ended."""
    finished = state == State.FINISHED
    wanted = [kind for kind in kinds if kind in KINDS and not (finished and kind == PAIRINGS)]
    found = [screen for kind in wanted for screen in _of_kind(kind, event, sections, finished)]
    if not any(screen.lines for screen in found):
        found = [Screen(ENTRIES, _("Entries"), tuple(_entries(event)), (_("Rating"),))]
    return [page for screen in found for page in _pages(screen, rows)]


def _of_kind(kind: str, event: EventData, sections: Sequence[Section], finished: bool) -> Iterable[Screen]:
    if kind == PAIRINGS:
        return _pairings(event, sections)
    if kind == STANDINGS:
        return _standings(event, sections, finished)
    return _brackets(sections)


def _pages(screen: Screen, rows: int) -> Iterator[Screen]:
    """The list in pages as even as can be, all in one size: nobody stands alone on the last one."""
    pages = max(1, -(-len(screen.lines) // rows))
    even, longer = divmod(len(screen.lines), pages)
    size = next(size for size in SIZES if size >= even + bool(longer))
    at = 0
    for page in range(1, pages + 1):
        until = at + even + (page <= longer)
        yield replace(screen, lines=screen.lines[at:until], page=page, pages=pages, size=size)
        at = until


# --- pairings -----------------------------------------------------------------------------------------------------
def _pairings(event: EventData, sections: Sequence[Section]) -> Iterator[Screen]:
    """The present round of every part, board by board, then who has none. Matches stand on the bracket's screens."""
    current = event.current_round
    if current is None:
        return
    title = _("Round %(number)s") % {"number": current.number}
    for section in sections:
        row = section.facts.round(current.number)
        if row is None or section.bracket is not None:
            continue
        words = words_of_byes(section.facts)
        boards = [Line(f"{board.board}", board.white, board.black, board) for board in row.boards]
        byes = [Line("–", bye.entrant, words=words[bye.kind]) for bye in row.byes]
        yield Screen(PAIRINGS, title, (*boards, *byes), part=title_of_round(section, row))


# --- standings ----------------------------------------------------------------------------------------------------
def _standings(event: EventData, sections: Sequence[Section], finished: bool) -> Iterator[Screen]:
    """Of every part in which something was played. How far it is, the page says beside the title."""
    title = _("Final standings") if finished else _("Standings")
    for section in sections:
        if not any(row.begun for row in section.facts.rounds):
            continue
        if section.bracket is not None:
            if finished:
                yield Screen(STANDINGS, title, tuple(_reached(section)), part=section.title)
        elif is_keizer(section.facts):
            heads = (_("Points"), _("List value"))
            yield Screen(STANDINGS, title, tuple(_by_value(section)), heads, section.title)
        else:
            codes = [rule.code for rule in section.ranked.tiebreaks[:1]]
            yield Screen(STANDINGS, title, tuple(_by_points(section)), (_("Points"), *codes), section.title)


def _by_points(section: Section) -> Iterator[Line]:
    unit = section.ranked.points.unit
    for row in section.ranked.rows:
        worths = tuple(worth_text(worth) for worth in row.tiebreaks[:1])
        place = f"{row.place}" if row.counts else "–"
        yield Line(place, section.ranked.entrants[row.player], figures=(points_text(row.points, unit), *worths))


def _by_value(section: Section) -> Iterator[Line]:
    for row in keizer_places(section.facts):
        yield Line(
            f"{row.place}", row.entrant, figures=(written(fraction_text(row.score)), written(fraction_text(row.value)))
        )


def _reached(section: Section) -> Iterator[Line]:
    for row in places_of(section.facts):
        place = f"{row.first}" if row.first == row.last else f"{row.first}–{row.last}"
        yield Line("–" if row.still_in else place, row.entrant)


# --- knockouts ----------------------------------------------------------------------------------------------------
def _brackets(sections: Sequence[Section]) -> Iterator[Screen]:
    """The round that is on and the one after it: who waits there, and for whom."""
    for section in sections:
        drawn = section.bracket
        if drawn is None or drawn.current is None:
            continue
        at = drawn.rounds.index(drawn.current)
        for row in drawn.rounds[at : at + 2]:
            yield Screen(BRACKET, round_title(row.name), tuple(_matches(row)), part=section.title)


def _matches(row: BracketRound) -> Iterator[Line]:
    for match in row.matches:
        facts = match.facts
        words = _("Third place") if match.third_place else ""
        yield Line(f"{facts.board}", facts.upper, facts.lower, match=match, words=words)


def _entries(event: EventData) -> Iterator[Line]:
    for person in event.entrants:
        yield Line(f"{person.number or '–'}", person)
