"""Every family of tie-breaks of teams computed a second time, from the boards up and as plainly as can be.

Scores are written M and G here; all figures are shown points. Cuts are left to the printed tables.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from hypothesis import given

from tests.choosing import examples
from tests.tournaments.standings.team_events import BOARDS, TEAMS, events, numbers, places
from tournaments.standings.team_event import TeamEvent

WON = {"M": Fraction(2), "G": Fraction(BOARDS)}
DRAWN = {score: worth / 2 for score, worth in WON.items()}
ESB = {"EMMSB": "MM", "EMGSB": "MG", "EGMSB": "GM", "EGGSB": "GG"}
MOST_TIED = 4  # every outcome of six missing matches is tried
EDE = {"EDE": "", "EDEBT": "CT", "EDEBB": "CB", "EDET": "T", "EDEB": "B"}


class Round(NamedTuple):
    """A round of a team: whom it met (0: nobody), its boards, both scores, whether a game was played, what bye."""

    number: int
    opponent: int
    boards: list[Fraction]
    points: dict[str, Fraction]
    played: bool
    bye: str = ""


def rounds_of(event: TeamEvent, team: int) -> Iterator[Round]:
    for number in range(1, event.rounds + 1):
        for one in event.meetings:
            if one.round == number and team in (one.first, one.second):
                halves = [(b.first, b.second) if team == one.first else (b.second, b.first) for b in one.boards]
                own, other = (Fraction(sum(both[side] for both in halves), 2) for side in (0, 1))
                match_points = Fraction(2 * (own > other) + (own == other))
                boards, played = [Fraction(both[0], 2) for both in halves], any(board.played for board in one.boards)
                yield Round(number, sum((one.first, one.second)) - team, boards, {"M": match_points, "G": own}, played)
                break
        else:
            bye = next((bye for bye in event.byes if (bye.round, bye.team) == (number, team)), None)
            brought = (bye.match_points, bye.game_points) if bye else (0, 0)
            each = {"pab": 1, "full": 1, "half": Fraction(1, 2)}.get(bye.kind if bye else "", 0)
            points = {"M": Fraction(brought[0], 2), "G": Fraction(brought[1], 2)}
            yield Round(number, 0, [Fraction(each)] * BOARDS, points, False, bye.kind if bye else "zero")


def total(event: TeamEvent, team: int, score: str) -> Fraction:
    fined = sum(one.match_points if score == "M" else one.game_points for one in event.penalties if one.team == team)
    return sum((one.points[score] for one in rounds_of(event, team)), Fraction(fined, 2))


def adjusted(event: TeamEvent, team: int, score: str) -> Fraction:
    """Byes asked for, with nothing after them that the team came to, count as draws (16.3.2)."""
    found = total(event, team, score)
    for one in reversed(list(rounds_of(event, team))) if event.swiss else ():
        if one.played or one.bye in ("pab", "full") or one.points["M"] == WON["M"]:
            break
        if not one.opponent:
            found += DRAWN[score] - one.points[score]
    return found


def met(event: TeamEvent, team: int, score: str) -> Iterator[tuple[Fraction, dict[str, Fraction]]]:
    """Of every round that counts the opponent's or the dummy's score, and the points taken."""
    for one in rounds_of(event, team):
        if one.opponent and (one.played or not event.swiss):
            yield adjusted(event, one.opponent, score), one.points
        elif event.swiss:
            ceiling = adjusted(event, one.opponent, score) if one.opponent else DRAWN[score] * event.rounds
            own = total(event, team, score)
            yield (own if event.edition == 2023 else min(own, ceiling)), one.points


@given(events())
@examples(150)
def test_sums_over_opponents(event: TeamEvent) -> None:
    for code, (of_opponent, taken) in ESB.items():
        again = {team: sum(score * points[taken] for score, points in met(event, team, of_opponent)) for team in TEAMS}
        assert numbers(event, code) == again, code
    first, other = ("M", "G") if event.scoring.primary == "MP" else ("G", "M")
    divisor = max(1, int(event.rounds * WON[first] / WON[other]))
    for team in TEAMS:
        buchholz = sum(score for score, _points in met(event, team, first))
        assert numbers(event, "SSSC")[team] == total(event, team, other) + Fraction(buchholz) / divisor
    assert numbers(event, "MPvGP") == {team: total(event, team, other) for team in TEAMS}


# --- boards -------------------------------------------------------------------------------------------------------
def boards_of(event: TeamEvent, team: int, against: int = 0) -> list[Fraction]:
    """Points on each board of all rounds, or of the encounters with one team."""
    chosen = [one for one in rounds_of(event, team) if not against or one in encounters(event, team, against)]
    return [sum((one.boards[at] for one in chosen), Fraction(0)) for at in range(BOARDS)]


def ahead(one: list[Fraction], other: list[Fraction], ways: str) -> int:
    """1, 0 or -1: whether the one is first by board count, top boards, bottom boards out, in the order of `ways`."""
    pairs: list[tuple[Fraction, Fraction]] = []
    for way in ways:
        if way == "C":
            count, against = (sum((at * on for at, on in enumerate(own, 1)), Fraction(0)) for own in (one, other))
            pairs.append((against, count))
        elif way == "T":
            pairs += zip(one, other, strict=True)
        else:
            pairs += [(sum(one[:-out], Fraction(0)), sum(other[:-out], Fraction(0))) for out in range(1, BOARDS)]
    return next((1 if left > right else -1 for left, right in pairs if left != right), 0)


@given(events())
@examples(100)
def test_boards_in_order(event: TeamEvent) -> None:
    level = {team: place for place, team in places(event)}
    for code, way in (("TBR", "T"), ("BBE", "B")):
        found = {team: place for place, team in places(event, code)}
        for one, other in product(TEAMS, TEAMS):
            if level[one] == level[other]:
                order = ahead(boards_of(event, one), boards_of(event, other), way)
                assert (found[one] < found[other]) == (order > 0)
    assert numbers(event, "BC") == {
        team: sum(at * on for at, on in enumerate(boards_of(event, team), 1)) for team in TEAMS
    }


# --- encounters ---------------------------------------------------------------------------------------------------
def encounters(event: TeamEvent, team: int, against: int) -> list[Round]:
    return [one for one in rounds_of(event, team) if one.opponent == against and (one.played or not event.swiss)]


def direct(event: TeamEvent, group: list[int], score: str) -> list[list[int]]:
    """Direct encounter in one score, every outcome of the missing matches tried (art. 6)."""
    known: dict[tuple[int, int], Fraction] = {}
    for one, other in product(group, group):
        if own := encounters(event, one, other):
            known[one, other] = sum((each.points[score] for each in own), Fraction(0)) / len(own)
    missing = [(one, other) for one, other in product(group, group) if one < other and (one, other) not in known]
    if not missing or not event.swiss:
        sums = {team: sum(known.get((team, other), Fraction(0)) for other in group) for team in group}
        tiers = [[team for team in group if sums[team] == worth] for worth in sorted(set(sums.values()), reverse=True)]
    else:
        tables = []
        for outcome in product((0, 1), repeat=len(missing)):
            table = dict(known)
            for (one, other), won in zip(missing, outcome, strict=True):
                table[one, other], table[other, one] = won * WON[score], (1 - won) * WON[score]
            tables.append({team: sum(table.get((team, other), Fraction(0)) for other in group) for team in group})
        rest, tiers = list(group), []
        while top := [one for one in rest if all(all(t[one] > t[b] for b in rest if b != one) for t in tables)]:
            tiers.append(top)
            rest.remove(top[0])
        tiers += [rest] if rest else []
    return tiers if len(tiers) == 1 else [part for tier in tiers for part in direct(event, tier, score)]


def extended(event: TeamEvent, group: list[int], ways: str) -> list[list[int]]:
    """Extended direct encounter (13.3)."""
    for score in ("M", "G") if event.scoring.primary == "MP" else ("G", "M"):
        if len(tiers := direct(event, group, score)) > 1:
            return [part for tier in tiers for part in extended(event, tier, ways)]
    if ways and len(group) == 2 and encounters(event, *group):
        one, other = group
        order = ahead(boards_of(event, one, other), boards_of(event, other, one), ways)
        return [group] if not order else [[one], [other]] if order > 0 else [[other], [one]]
    return [group]


@given(events())
@examples(150)
def test_encounters_of_the_tied(event: TeamEvent) -> None:
    level: dict[int, list[int]] = {}
    for place, team in places(event):
        level.setdefault(place, []).append(team)
    for code, ways in EDE.items():
        found: dict[int, list[int]] = {}
        for place, team in places(event, code):
            found.setdefault(place, []).append(team)
        for start, group in level.items():
            if len(group) <= MOST_TIED:
                again = extended(event, group, ways)
                assert [found[place] for place in sorted(found) if start <= place < start + len(group)] == again, code
