"""Requests for entries, as the event's page and the desk show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from clubrating.ground.numbers import whole_number
from players.models import Player
from players.people.selectors import find_people, list_players
from players.privacy.rules import OFFICER, Viewer, sees_name, shown_name
from tournaments.entries.selectors import likely_people
from tournaments.interchange.sheets import Sheet
from tournaments.models import EntryRequest, EntryRules, Tournament
from tournaments.registrations.services.queue import in_state, places_left, rounds_in, year_differs
from tournaments.registrations.services.rules import why_closed

_State = EntryRequest.State
MOST_FOUND = 20
SETTLED_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Offer:
    """What the public sees: why nobody can enter now (empty: open), the places left (None: any number), and how many
    stand on the waiting list."""

    rules: EntryRules
    closed: str
    left: int | None
    listed: int

    @property
    def changes_by_itself(self) -> bool:
        """Whether a moment is still to come at which entries open or close."""
        moments = (self.rules.opens_at, self.rules.closes_at)
        return any(at is not None and at > timezone.now() for at in moments)

    @property
    def is_full(self) -> bool:
        return self.left == 0


def rules_of(tournament: Tournament) -> EntryRules | None:
    """How the event takes entries; None where it takes none."""
    rules = EntryRules.objects.filter(tournament=tournament).first()
    if rules is not None:
        rules.tournament = tournament
    return rules


def offer_of(rules: EntryRules) -> Offer:
    """How entries stand now. Four queries at most, one more for each thing that closes them."""
    closed = why_closed(rules, timezone.now())
    return Offer(rules, closed, places_left(rules), in_state(rules.tournament_id, _State.LISTED).count())


def offered(viewer: Viewer, search: str) -> list[Player]:
    """The players of the club whom the page offers to this viewer: those seen by name, minors or not: a list
    without minors would tell who is one. Two queries at most."""
    return [row for row in find_people(viewer, search, 2 * MOST_FOUND) if _is_offered(row, viewer)][:MOST_FOUND]


def offered_player(viewer: Viewer, number: str) -> Player | None:
    """The player with that number, if the page offers him to this viewer. One query."""
    if whole_number(number) is None:
        return None
    player = list_players(viewer, search=number).first()
    return player if player is not None and _is_offered(player, viewer) else None


def _is_offered(player: Player, viewer: Viewer) -> bool:
    return sees_name(player, viewer) and player.active


# --- the desk -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class RequestLine:
    """A request as officers see it: who a newcomer may be, and whether the year that was written is another than the
    one known."""

    request: EntryRequest
    likely: tuple[Player, ...]
    other_year: bool
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Requests:
    """Those that wait for an officer, the waiting list, those entered, those settled otherwise, and how many are not
    confirmed yet."""

    waiting: tuple[RequestLine, ...]
    listed: tuple[RequestLine, ...]
    entered: tuple[RequestLine, ...]
    settled: tuple[RequestLine, ...]
    unconfirmed: int


def requests_of(rules: EntryRules) -> Requests:
    """Everything the desk shows. Four queries, one more where newcomers wait."""
    event = rules.tournament_id
    running = list(in_state(event, _State.WAITING, _State.LISTED, _State.ENTERED))
    done = in_state(event, _State.REFUSED, _State.WITHDRAWN).order_by("-settled_at", "-pk")[:SETTLED_SHOWN]
    new = {row.pk: (row.name, row.birth_year) for row in running if row.player is None}
    likely = likely_people(new)

    def lines(rows: Sequence[EntryRequest], *states: EntryRequest.State) -> tuple[RequestLine, ...]:
        return tuple(
            RequestLine(row, tuple(likely.get(row.pk, ())), year_differs(row, rules), tuple(rounds_in(row.byes)))
            for row in rows
            if row.state in states
        )

    return Requests(
        lines(running, _State.WAITING),
        lines(running, _State.LISTED),
        lines(running, _State.ENTERED),
        lines(list(done), _State.REFUSED, _State.WITHDRAWN),
        in_state(event, _State.UNCONFIRMED).count(),
    )


def count_waiting(tournament: Tournament) -> int | None:
    """How many wait for an officer; None where the event takes no entries on its page. Two queries at most."""
    if not EntryRules.objects.filter(tournament=tournament).exists():
        return None
    return in_state(tournament.pk, _State.WAITING).count()


def requests_sheet(rules: EntryRules) -> Sheet:
    """All confirmed requests as a table for officers. One query."""
    rows = in_state(rules.tournament_id, _State.WAITING, _State.LISTED, _State.ENTERED)
    columns = ("turn", "state", "number", "name", "birth_year", "byes", "paid", "e-mail", "asked")
    return Sheet(
        "requests",
        columns,
        tuple(
            (
                row.turn,
                row.state,
                row.player.number if row.player else None,
                shown_name(row.player, OFFICER) if row.player else row.name,
                row.birth_year,
                row.byes,
                "yes" if row.paid else "no",
                row.address,
                timezone.localtime(row.asked_at).date().isoformat(),
            )
            for row in rows
        ),
    )
