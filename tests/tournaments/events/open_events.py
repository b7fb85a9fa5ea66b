"""Swiss events for the tests of their pages: a small one in which everything happens, and big ones to be counted."""

from datetime import date

from tests.tournaments.interchange.trf_events import PEOPLE, bring
from tests.tournaments.interchange.trf_files import players_from, real, report, row
from tournaments.interchange.trf import Report
from tournaments.models import Tournament

NAMES = {**PEOPLE, 5: "Engel, Eva"}
# Points: Ada 3, Bo and Eva 2½, Cleo 2, Dag 0.
SMALL = (
    "012 Open",
    "042 2026/01/05",
    row(1, "4 w 1|2 b =|3 w +|5 w =", name=NAMES[1], rating="1900"),
    row(2, "5 b 1|1 w =|- - Z|4 w 1", name=NAMES[2], rating="1800"),
    row(3, "- - H|4 b 1|1 b -|- - H", name=NAMES[3], rating="1700"),
    row(4, "1 b 0|3 w 0|5 w 0|2 b 0", name=NAMES[4]),
    row(5, "2 w 0|- - U|4 b 1|1 b =", name=NAMES[5], rating="1500"),
)


def small_swiss(tiebreaks: str = "BH/C1,BH,SB,DE") -> Tournament:
    """Four rounds of five: half-point byes, a bye, a zero-point bye and a forfeit among them."""
    return _with(bring(report(*SMALL)).tournament, tiebreaks)


def real_swiss(tiebreaks: str = "BH/C1,BH,SB,DE,WIN,PS,KS,BPG") -> Tournament:
    """The Koshnitsky event of 2025: 35 players, 7 rounds, byes and forfeits of every kind."""
    return _with(bring(real("hb2025_koshnitsky.trf")).tournament, tiebreaks)


def big_swiss(count: int, rounds: int = 5, tiebreaks: str = "BH/C1,BH,SB,WIN,PS") -> Tournament:
    """An even number of players; in each round the first half meets the second half, moved on by one."""
    return _with(bring(_big(count, rounds)).tournament, tiebreaks)


def _big(count: int, rounds: int) -> Report:
    half = count // 2
    played = [
        [(number, half + 1 + (number + shift) % half, "1", "0") for number in range(1, half + 1)]
        for shift in range(rounds)
    ]
    return Report(players_from(played, count), name="Big Open", starts_on=date(2026, 1, 5))


def _with(event: Tournament, tiebreaks: str) -> Tournament:
    event.tiebreaks = tiebreaks
    event.save(update_fields=["tiebreaks"])
    return event
