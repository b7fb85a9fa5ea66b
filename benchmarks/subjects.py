"""What can be measured: the subjects of `bin/benchmark`, each in sections that stand in one table of the page."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.contests import measure_contests
from benchmarks.crowd import measure_crowd
from benchmarks.databases import measure_databases
from benchmarks.federation import measure_federation
from benchmarks.lab import measure_lab
from benchmarks.measure import Measured
from benchmarks.phones import measure_phones
from benchmarks.playouts import measure_playouts
from benchmarks.replays import measure_libraries, measure_replays
from benchmarks.rounds import measure_rounds
from benchmarks.tables import measure_tables
from benchmarks.web import measure_pages, measure_web

# A page costs the same whatever the games behind it: so many are enough for it.
MOST_GAMES = 5000


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: games of the stream or of the large club; people of the large events or the large club."""

    players: int
    games: int


@dataclass(frozen=True, slots=True)
class Section:
    """A table of measurements. `scratch`: needs a scratch database; `engine`: says something else on another one;
    `sized`: measures as much as it is told, and not always the same."""

    key: str
    measure: Callable[[Size], Iterator[Measured]]
    sized: bool = True
    scratch: bool = False
    engine: bool = False


SUBJECTS: dict[str, tuple[Section, ...]] = {
    "ratings": (
        Section("replay", lambda size: measure_replays(size.games)),
        Section("libraries", lambda _size: measure_libraries(), sized=False),
        Section("contests", lambda _size: measure_contests(), sized=False),
        Section("tables", lambda size: measure_tables(size.games), scratch=True),
        Section("ledger", lambda size: measure_databases(size.games), scratch=True, engine=True),
    ),
    "tournaments": (
        Section("rounds", lambda size: measure_rounds(size.players)),
        Section("events", lambda _size: measure_pages(), sized=False, scratch=True),
    ),
    "web": (Section("web", lambda size: measure_web(min(size.games, MOST_GAMES)), sized=False, scratch=True),),
    "crowd": (
        Section("crowd", lambda _size: measure_crowd(), sized=False, scratch=True),
        Section("phones", lambda _size: measure_phones(), sized=False, scratch=True, engine=True),
    ),
    "lab": (
        Section("study", lambda size: measure_lab(size.games)),
        Section("playouts", lambda _size: measure_playouts(), sized=False),
    ),
    "database": (
        Section("size", lambda size: measure_federation(size.players, size.games), scratch=True, engine=True),
    ),
}
# Sizes where nobody names one: (people, games).
USUAL = {"tournaments": Size(200, 0), "database": Size(10_000, 100_000)}
USUAL_ELSEWHERE = Size(0, 100_000)
FEDERATION = Size(100_000, 1_000_000)  # what the page tells of the large club
SECTIONS = tuple(section.key for sections in SUBJECTS.values() for section in sections)
