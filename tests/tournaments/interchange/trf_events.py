"""Reports brought into the club, for the tests: a small event, and what is compared."""

from datetime import date
from typing import Any

from players.models import AuditEvent, Player, PlayerIdentity
from ratings.models import LedgerEntry
from tests.tournaments.interchange.trf_files import players_from, row
from tournaments.interchange.trf import Report
from tournaments.models import Entry, Game, Pairing, Round, Seat, Tournament
from tournaments.pairing.round_robin import cycles
from tournaments.reports.services.importing import Imported, import_report
from tournaments.reports.services.plan import Terms

TODAY = date(2026, 11, 21)
HEAD = ("012 Winter Cup", "022 Antwerp", "042 2026/01/05", "052 2026/01/19")
PEOPLE = {1: "Alvarez, Ada", 2: "Brandt, Bo", 3: "Costa, Cleo", 4: "Dahl, Dag"}
CUP = (
    *HEAD,
    row(1, "3 w 1|2 b =|4 w +", name=PEOPLE[1], rating="1900", sex="w", title="WFM", fide="1503014"),
    row(2, "4 w W|1 w =|- - H", name=PEOPLE[2], birth="2015/02/27"),
    row(3, "1 b 0|4 b =|", name=PEOPLE[3], birth="1990"),
    row(4, "2 b L|3 w 0|1 b -", name=PEOPLE[4]),
)


def bring(read: Report, **more: Any) -> Imported:
    """Reports of teams too by their players."""
    chosen = more.pop("chosen", {})
    return import_report(read, Terms(**{"today": TODAY, "chosen": chosen, "individual": True, **more}), by=None)


def everything() -> list[list[tuple[Any, ...]]]:
    """All facts of the club, to be compared."""
    tables = (Player, PlayerIdentity, Tournament, Entry, Round, Pairing, Seat, Game, LedgerEntry, AuditEvent)
    return [list(table.objects.order_by("pk").values_list()) for table in tables]


def round_robin(count: int, rounds: int | None = None, **how: bool) -> Report:
    """A round robin, `rounds` of it played, everything drawn."""
    tables = cycles(count + count % 2, **how)
    played = [[(w, b, "=", "=") for w, b in boards if max(w, b) <= count] for boards in tables[:rounds]]
    return Report(players_from(played, count), name="Cup", starts_on=date(2026, 1, 5), rounds=len(tables))
