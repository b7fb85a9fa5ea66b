"""The club's people: arbiters who enter and correct, members who reload, an officer who asks for work.

Every arbiter has a share of the games of his own, so what he was told last is what has to stand.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from threading import Event
from urllib.parse import quote

from tests.live import TOKEN
from tests.stress.guest import Answer, Guest
from tests.stress.journal import ASKED, REFUSED, SAVED, UNKNOWN, Journal, Note
from tests.visitor import Page

CODES = ("1-0", "1/2", "0-1")
OK, FOUND, CONFLICT = 200, 302, 409
PLAYED_ON = "2026-01-05"
ADMIN = "/admin/tournaments"
REBUILD_EVERY, QUESTION_EVERY = 5.0, 30.0  # seconds
PAGES = (
    *("/", "/ratings/standard/", "/players/", "/tournaments/", "/tournaments/winter-cup/", "/about/ratings/"),
    *("/tournaments/winter-cup/standings/", "/tournaments/winter-cup/crosstable/", "/tournaments/winter-cup/rounds/1/"),
)


@dataclass(frozen=True, slots=True)
class Seat:
    """A board of the arbiter's share."""

    game: int
    board: int
    row: int  # the round


@dataclass(frozen=True, slots=True)
class Stand:
    """How a game stands: its revision and result."""

    revision: int
    result: str


class Arbiter:
    """`look` says how a game stands now; None where the database does not answer."""

    def __init__(
        self, number: int, guest: Guest, seats: list[Seat], journal: Journal, look: Callable[[int], Stand | None]
    ) -> None:
        self.number, self.guest, self.seats, self.journal, self.look = number, guest, seats, journal, look
        self.entered: list[Seat] = []

    def work(self, rng: Random, over: Event, pause: tuple[float, float]) -> None:
        while not over.is_set():
            ways = [self._enter, self._press, self._correct] if self.entered else [self._enter]
            way = rng.choice(ways) if self.seats else self._correct
            seat = rng.choice(self.entered) if way == self._correct else self.seats[-1]
            stand = self.look(seat.game)
            if stand is not None:
                self._act(way, seat, stand, rng)
            over.wait(rng.uniform(*pause))

    def _act(
        self, way: Callable[[Seat, Stand, str], tuple[Answer, bool]], seat: Seat, stand: Stand, rng: Random
    ) -> None:
        if way != self._correct and stand.result:  # it was saved after all, and nobody said so
            self._is_entered()
            return
        code = rng.choice([code for code in CODES if code != stand.result])
        answer, saved = way(seat, stand, code)
        # An error page promises nothing, a refusal changes nothing.
        self._note(seat, code, SAVED if saved else UNKNOWN if answer.is_error else REFUSED)
        if saved and way != self._correct:
            self._is_entered()

    def _is_entered(self) -> None:
        self.entered.append(self.seats.pop())

    def _note(self, seat: Seat, code: str, what: str) -> None:
        self.journal.write(Note(time.monotonic(), self.number, seat.game, code, what))

    def _enter(self, seat: Seat, stand: Stand, code: str) -> tuple[Answer, bool]:
        """The form of the round's page; a saved one leads back."""
        values = {f"board-{seat.board}": code, f"was-{seat.game}": stand.result, "played_on": PLAYED_ON}
        values[f"revision-{seat.game}"] = str(stand.revision)
        self._note(seat, code, ASKED)
        answer = self.guest.post("enter, form", f"{ADMIN}/tournament/round/{seat.row}/results/", values)
        return answer, answer.status == FOUND and "login" not in answer.location

    def _press(self, seat: Seat, stand: Stand, code: str) -> tuple[Answer, bool]:
        """A key of the page's script."""
        values = {"game": seat.game, "result": code, "revision": stand.revision, "played_on": PLAYED_ON}
        self._note(seat, code, ASKED)
        answer = self.guest.send("enter, key", f"{ADMIN}/tournament/round/{seat.row}/board/", values)
        return answer, answer.status == OK

    def _correct(self, seat: Seat, stand: Stand, code: str) -> tuple[Answer, bool]:
        """The preview, and then what it shows."""
        path = f"{ADMIN}/game/correct/"
        shown = self.guest.get("correct, preview", f"{path}?c={quote(f'{seat.game},{stand.revision},{code},')}")
        forms = [form for form in Page(shown.text).forms if "reason" in form.names] if shown.status == OK else []
        self._note(seat, code, ASKED)
        if not forms:
            return shown, False
        values = {**forms[0].values, "reason": "entry-error", "do": "commit"}
        values.pop("csrfmiddlewaretoken", TOKEN)
        answer = self.guest.post("correct, commit", path, values)
        return answer, answer.status == FOUND and "login" not in answer.location


def reload(guest: Guest, rng: Random, over: Event, pause: tuple[float, float]) -> None:
    """A member: page after page, each with the tag it had the last time."""
    while not over.is_set():
        guest.get("read", rng.choice(PAGES))
        over.wait(rng.uniform(*pause))


class Officer:
    """Asks for lists to be rated anew, and as a visitor the questions the worker answers."""

    def __init__(self, guest: Guest, visitor: Guest, list_key: int) -> None:
        self.guest, self.visitor, self.list_key = guest, visitor, list_key

    def rebuild(self) -> bool:
        values = {"action": "rebuild", "_selected_action": self.list_key, "confirmed": "yes"}
        return self.guest.post("ask for a rebuild", "/admin/ratings/ratinglist/", values).status == FOUND

    def ask(self) -> bool:
        return self.visitor.post("ask a question", "/tournaments/small-cup/forecast/", {}).status == FOUND

    def work(self, over: Event) -> None:
        asked_at = time.monotonic()
        while not over.is_set():
            self.rebuild()
            if time.monotonic() - asked_at > QUESTION_EVERY:
                self.ask()
                asked_at = time.monotonic()
            over.wait(REBUILD_EVERY)
