"""The families of tie-breaks of teams computed a second time, from the boards up and as plainly as can be.

Scores are written M and G here; all figures are shown points. Cuts are left to the printed tables. Rulings, open
matches and teams that left are known where everybody meets everybody.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from tests.tournaments.standings.team_events import numbers, places
from tournaments.standings.team_event import TeamEvent, TeamMeeting

ESB = {"EMMSB": "MM", "EMGSB": "MG", "EGMSB": "GM", "EGGSB": "GG"}
MOST_TIED = 4  # every outcome of six missing matches is tried
EDE = {"EDE": "", "EDEBT": "CT", "EDEBB": "CB", "EDET": "T", "EDEB": "B"}
NOTHING = Fraction(0)


class Round(NamedTuple):
    """A round of a team: whom it met (0: nobody), its boards, both scores, whether it is over and a game was played,
    what bye."""

    number: int
    opponent: int
    boards: list[Fraction]
    points: dict[str, Fraction]
    played: bool
    bye: str = ""
    decided: bool = True


def won(event: TeamEvent, score: str) -> Fraction:
    return Fraction(2) if score == "M" else Fraction(event.scoring.boards)


def drawn(event: TeamEvent, score: str) -> Fraction:
    return won(event, score) / 2


def counting(event: TeamEvent) -> list[int]:
    return [team for team in event.teams if team not in event.annulled]


def rounds_of(event: TeamEvent, team: int) -> Iterator[Round]:
    for number in range(1, event.rounds + 1):
        for one in event.meetings:
            if one.round == number and team in (one.first, one.second) and not {one.first, one.second} & event.annulled:
                yield _round(one, team)
                break
        else:
            bye = next((bye for bye in event.byes if (bye.round, bye.team) == (number, team)), None)
            brought = (bye.match_points, bye.game_points) if bye else (0, 0)
            each = {"pab": 1, "full": 1, "half": Fraction(1, 2)}.get(bye.kind if bye else "", 0)
            points = {"M": Fraction(brought[0], 2), "G": Fraction(brought[1], 2)}
            boards = [Fraction(each)] * event.scoring.boards
            yield Round(number, 0, boards, points, False, bye.kind if bye else "zero")


def _round(one: TeamMeeting, team: int) -> Round:
    halves = [(b.first, b.second) if team == one.first else (b.second, b.first) for b in one.boards]
    own, other = (Fraction(sum(both[side] for both in halves), 2) for side in (0, 1))
    played = any(board.played for board in one.boards)
    over = one.ruled is not None or one.awarded is not None or all(board.decided for board in one.boards)
    match_points = Fraction(0)
    if one.ruled is not None:
        match_points = Fraction(one.ruled[team != one.first], 2)
    elif over and (played or own or other):
        match_points = Fraction(2 * (own > other) + (own == other))
    boards = [Fraction(both[0], 2) for both in halves]
    own = own if one.awarded is None else Fraction(one.awarded[team != one.first], 2)
    opponent = one.first + one.second - team
    return Round(one.round, opponent, boards, {"M": match_points, "G": own}, played, decided=over)


def total(event: TeamEvent, team: int, score: str) -> Fraction:
    own = [one for one in event.penalties if one.team == team and one.round <= max(event.rounds, 1)]
    fined = sum(one.match_points if score == "M" else one.game_points for one in own)
    return sum((one.points[score] for one in rounds_of(event, team)), Fraction(fined, 2))


def adjusted(event: TeamEvent, team: int, score: str) -> Fraction:
    """Byes asked for, with nothing after them that the team came to, count as draws (16.3.2)."""
    found = total(event, team, score)
    for one in reversed(list(rounds_of(event, team))) if event.swiss else ():
        if one.played or one.bye in ("pab", "full") or one.points["M"] == won(event, "M"):
            break
        if not one.opponent:
            found += drawn(event, score) - one.points[score]
    return found


def met(event: TeamEvent, team: int, score: str) -> Iterator[tuple[Fraction, dict[str, Fraction]]]:
    """Of every round that counts the opponent's or the dummy's score, and the points taken."""
    for one in rounds_of(event, team):
        if one.opponent and one.decided and (one.played or not event.swiss):
            yield adjusted(event, one.opponent, score), one.points
        elif event.swiss:
            most = adjusted(event, one.opponent, score) if one.opponent else drawn(event, score) * event.rounds
            own = total(event, team, score)
            yield (own if event.edition == 2023 else min(own, most)), one.points


def sonneborn_berger(event: TeamEvent, team: int, scores: str) -> Fraction:
    of_opponent, taken = scores
    return sum((score * points[taken] for score, points in met(event, team, of_opponent)), NOTHING)


def schedule_strength(event: TeamEvent, team: int) -> Fraction:
    first, other = primary(event)
    divisor = max(1, int(event.rounds * won(event, first) / won(event, other)))
    return total(event, team, other) + sum((score for score, _points in met(event, team, first)), NOTHING) / divisor


def primary(event: TeamEvent) -> tuple[str, str]:
    return ("M", "G") if event.scoring.primary == "MP" else ("G", "M")


# --- boards -------------------------------------------------------------------------------------------------------
def boards_of(event: TeamEvent, team: int, against: int = 0) -> list[Fraction]:
    """Points on each board of all rounds, or of the encounters with one team."""
    chosen = [one for one in rounds_of(event, team) if not against or one in encounters(event, team, against)]
    return [sum((one.boards[at] for one in chosen if one.boards), NOTHING) for at in range(event.scoring.boards)]


def board_count(event: TeamEvent, team: int) -> Fraction:
    return sum((at * on for at, on in enumerate(boards_of(event, team), 1)), NOTHING)


def ahead(one: list[Fraction], other: list[Fraction], ways: str) -> int:
    """1, 0 or -1: whether the one is first by board count, top boards, bottom boards out, in the order of `ways`."""
    pairs: list[tuple[Fraction, Fraction]] = []
    for way in ways:
        if way == "C":
            count, against = (sum((at * on for at, on in enumerate(own, 1)), NOTHING) for own in (one, other))
            pairs.append((against, count))
        elif way == "T":
            pairs += zip(one, other, strict=True)
        else:
            pairs += [(sum(one[:-out], NOTHING), sum(other[:-out], NOTHING)) for out in range(1, len(one))]
    return next((1 if left > right else -1 for left, right in pairs if left != right), 0)


# --- encounters ---------------------------------------------------------------------------------------------------
def encounters(event: TeamEvent, team: int, against: int) -> list[Round]:
    found = (one for one in rounds_of(event, team) if one.opponent == against and one.decided)
    return [one for one in found if one.played or not event.swiss]


def direct(event: TeamEvent, group: list[int], score: str) -> list[list[int]]:
    """Direct encounter in one score, every outcome of the missing matches tried (art. 6)."""
    known: dict[tuple[int, int], Fraction] = {}
    for one, other in product(group, group):
        if own := encounters(event, one, other):
            known[one, other] = sum((each.points[score] for each in own), NOTHING) / len(own)
    missing = [(one, other) for one, other in product(group, group) if one < other and (one, other) not in known]
    if not missing or not event.swiss:
        sums = {team: sum(known.get((team, other), NOTHING) for other in group) for team in group}
        tiers = [[team for team in group if sums[team] == worth] for worth in sorted(set(sums.values()), reverse=True)]
    else:
        tables = []
        for outcome in product((0, 1), repeat=len(missing)):
            table = dict(known)
            for (one, other), first in zip(missing, outcome, strict=True):
                table[one, other] = first * won(event, score)
                table[other, one] = (1 - first) * won(event, score)
            tables.append({team: sum(table.get((team, other), NOTHING) for other in group) for team in group})
        rest, tiers = list(group), []
        while top := [one for one in rest if all(all(t[one] > t[b] for b in rest if b != one) for t in tables)]:
            tiers.append(top)
            rest.remove(top[0])
        tiers += [rest] if rest else []
    return tiers if len(tiers) == 1 else [part for tier in tiers for part in direct(event, tier, score)]


def extended(event: TeamEvent, group: list[int], ways: str) -> list[list[int]]:
    """Extended direct encounter (13.3)."""
    for score in primary(event):
        if len(tiers := direct(event, group, score)) > 1:
            return [part for tier in tiers for part in extended(event, tier, ways)]
    if ways and len(group) == 2 and encounters(event, *group):
        one, other = group
        order = ahead(boards_of(event, one, other), boards_of(event, other, one), ways)
        return [group] if not order else [[one], [other]] if order > 0 else [[other], [one]]
    return [group]


# --- every cell ---------------------------------------------------------------------------------------------------
def check_sums(found: TeamEvent, again: TeamEvent) -> None:
    """What the tie-breaks of `found` are, against what follows from `again`: sums over opponents."""
    teams = counting(again)
    for code, scores in ESB.items():
        assert _of(found, code, teams) == {team: sonneborn_berger(again, team, scores) for team in teams}, code
    assert _of(found, "SSSC", teams) == {team: schedule_strength(again, team) for team in teams}
    other = primary(again)[1]
    assert _of(found, "MPvGP", teams) == {team: total(again, team, other) for team in teams}


def check_boards(found: TeamEvent, again: TeamEvent) -> None:
    """The same of the boards."""
    teams, level = counting(again), {team: place for place, team in places(found)}
    for code, way in (("TBR", "T"), ("BBE", "B")):
        order = {team: place for place, team in places(found, code)}
        for one, other in product(teams, teams):
            if level[one] == level[other]:
                first = ahead(boards_of(again, one), boards_of(again, other), way) > 0
                assert (order[one] < order[other]) == first, code
    assert _of(found, "BC", teams) == {team: board_count(again, team) for team in teams}


def check_encounters(found: TeamEvent, again: TeamEvent) -> None:
    """The same of the matches of those who are tied."""
    level: dict[int, list[int]] = {}
    for place, team in places(found):
        if team not in again.annulled:
            level.setdefault(place, []).append(team)
    for code, ways in EDE.items():
        order: dict[int, list[int]] = {}
        for place, team in places(found, code):
            order.setdefault(place, []).append(team)
        for start, group in level.items():
            if len(group) <= MOST_TIED:
                tiers = [order[place] for place in sorted(order) if start <= place < start + len(group)]
                assert tiers == extended(again, group, ways), code


def _of(event: TeamEvent, code: str, teams: list[int]) -> Mapping[int, Fraction | None]:
    worths = numbers(event, code)
    return {team: worths[team] for team in teams}
