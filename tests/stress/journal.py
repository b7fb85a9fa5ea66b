"""What the arbiters were told, kept on their side: a file of one JSON line a happening, and what may stand after it.

    {"at": 12.5, "arbiter": 3, "game": 7, "result": "1-0", "what": "asked" | "saved" | "refused" | "unknown"}

A result that was asked for and never answered may stand or not; from the next acknowledged one on it must not. A
refusal changes nothing, so what stood before stands. An error page promises nothing: it counts as unknown.
"""

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

ASKED, SAVED, REFUSED, UNKNOWN = "asked", "saved", "refused", "unknown"
EMPTY = ""


@dataclass(frozen=True, slots=True)
class Note:
    """`at` in seconds, monotonic."""

    at: float
    arbiter: int
    game: int
    result: str
    what: str


class Journal:
    """The file, written by all arbiters at once; a line is with the system before the arbiter goes on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("a", encoding="utf-8")
        self._lock = threading.Lock()

    def write(self, note: Note) -> None:
        with self._lock:
            self._file.write(json.dumps(asdict(note)) + "\n")
            self._file.flush()

    def read(self) -> list[Note]:
        return [Note(**json.loads(line)) for line in self.path.read_text(encoding="utf-8").splitlines()]

    def close(self) -> None:
        self._file.close()


def may_stand(notes: Iterable[Note]) -> dict[int, set[str]]:
    """Game → the results it may have in the database. Each game is one arbiter's, so its notes are in order."""
    allowed: dict[int, set[str]] = {}
    under_way: dict[int, str] = {}
    for note in notes:
        known = allowed.setdefault(note.game, {EMPTY})
        under_way.pop(note.game, None)
        if note.what == ASKED:
            under_way[note.game] = note.result
        elif note.what == SAVED:
            allowed[note.game] = {note.result}
        elif note.what == UNKNOWN:
            known.add(note.result)
    for game, result in under_way.items():
        allowed[game].add(result)
    return allowed


def lost(notes: Iterable[Note], stands: Mapping[int, str]) -> dict[int, str]:
    """Game → what stands there although something else was acknowledged."""
    return {
        game: stands.get(game, EMPTY)
        for game, allowed in may_stand(notes).items()
        if stands.get(game, EMPTY) not in allowed
    }


def acknowledged(notes: Iterable[Note]) -> int:
    """How many results and corrections the site said it had saved."""
    return sum(note.what == SAVED for note in notes)


def out_of_order(notes: Iterable[Note], sequence: Mapping[int, int]) -> list[int]:
    """Games first saved after another's acknowledgement and numbered before it: in replay they would change places."""
    asked: dict[int, float] = {}
    first: dict[int, float] = {}
    for note in notes:
        if note.what == ASKED and note.game not in first:
            asked[note.game] = note.at
        elif note.what == UNKNOWN and note.game not in first:
            first[note.game] = float("inf")  # whenever it was: it says nothing about others
        elif note.what == SAVED:
            first.setdefault(note.game, note.at)
    known = sorted((asked[game], game) for game in first if game in sequence)
    answered = sorted((at, sequence[game]) for game, at in first.items() if game in sequence)
    wrong, highest, place = [], -1, 0
    for at, game in known:
        while place < len(answered) and answered[place][0] < at:
            highest = max(highest, answered[place][1])
            place += 1
        if sequence[game] < highest and first[game] != float("inf"):
            wrong.append(game)
    return wrong
