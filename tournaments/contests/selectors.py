"""Contests as pages show them: sides in order of place, each with its members."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, F, QuerySet

from players.models import Player
from players.privacy.rules import Level, Viewer, sees_name
from ratings.models import ContestEntry
from ratings.systems.base import Tally
from tournaments.models import Contest, ContestMember, ContestSide, Tournament


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side with its members, in the order of their numbers; `is_tied`: others share its place."""

    place: int
    score: float | None
    members: tuple[ContestMember, ...]
    is_tied: bool = False


@dataclass(frozen=True, slots=True)
class ShownContest:
    """A contest with its sides in order of place and, within a tie, of entry."""

    contest: Contest
    sides: tuple[ShownSide, ...]


def contests_of(event: Tournament) -> QuerySet[Contest]:
    """The contests of an event, the latest first; withdrawn ones are left out, and those behind boards."""
    return Contest.objects.filter(tournament=event, withdrawn=False, game=None).order_by("-played_on", "-sequence")


def reasons_for(tables: Sequence[ShownContest], viewer: Viewer) -> dict[int, str]:
    """The list (its address) whose page tells this viewer what a table changed and why, by contest: of those that rate
    it the one the pool shows first. One that rates nobody whose name is seen has no such page. One query."""
    told = {
        each.contest.pk
        for each in tables
        if any(sees_name(member.player, viewer) for side in each.sides for member in side.members)
    }
    rows = ContestEntry.objects.filter(contest__in=told, generation=F("rating_list__live_generation"))
    if viewer.level < Level.OFFICER:
        rows = rows.filter(rating_list__public=True)
    in_order = rows.order_by("-rating_list__primary", "rating_list__order", "rating_list").values_list(
        "contest", "rating_list__slug"
    )
    found: dict[int, str] = {}
    for contest, slug in in_order.distinct():
        found.setdefault(contest, slug)
    return found


def count_contests(events: Iterable[int]) -> dict[int, int]:
    """How many tables those events have (by key); whichever has none is missing. One query."""
    rows = Contest.objects.filter(tournament__in=list(events), withdrawn=False, game=None).order_by()
    return dict(rows.values_list("tournament").annotate(count=Count("pk")))


def shown_contests(contests: Iterable[Contest]) -> list[ShownContest]:
    """Those contests with everybody who sat there, in the order given. One query more."""
    rows = list(contests)
    members = ContestMember.objects.filter(contest__in=[row.pk for row in rows]).select_related("player", "side")
    sides: dict[int, dict[int, list[ContestMember]]] = {row.pk: {} for row in rows}
    for member in members.order_by("side__place", "side__line", "player__number"):
        sides[member.contest_id].setdefault(member.side_id, []).append(member)
    return [ShownContest(row, _sides(list(sides[row.pk].values()))) for row in rows]


def _sides(groups: Sequence[Sequence[ContestMember]]) -> tuple[ShownSide, ...]:
    places = [group[0].side.place for group in groups]
    return tuple(
        ShownSide(group[0].side.place, group[0].side.score, tuple(group), places.count(group[0].side.place) > 1)
        for group in groups
    )


# --- who sat with whom --------------------------------------------------------------------------------------------
Fours = tuple[tuple[int, int, int, int], ...]


def seatings_of(event: Tournament, today: date) -> tuple[list[tuple[tuple[int, ...], ...]], list[Fours]]:
    """What was played in the event, for the next seating: every table as a round of its own, and of today's tables of
    two against two the partners and their opponents; players by key, in order of time. One query."""
    rows = ContestMember.objects.filter(contest__tournament=event, contest__withdrawn=False)
    rows = rows.order_by("contest__played_on", "contest__sequence", "side__line", "player")
    contests: dict[tuple[date, int], dict[int, list[int]]] = {}
    for on, contest, side, player in rows.values_list("contest__played_on", "contest", "side", "player"):
        contests.setdefault((on, contest), {}).setdefault(side, []).append(player)
    tables: list[tuple[tuple[int, ...], ...]] = []
    doubles: list[Fours] = []
    for (on, _contest), sides in contests.items():
        tables.append((tuple(player for side in sides.values() for player in side),))
        if on == today and [len(side) for side in sides.values()] == [2, 2]:
            (one, other), (third, last) = sides.values()
            doubles.append(((one, other, third, last),))
    return tables, doubles


# --- two people ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Together:
    """The tables two players sat at, seen from the first of them, the latest first: on one side alone in first place is
    won, first place shared drawn, anything else lost; on two sides the better place is won, the same one drawn."""

    partners: Tally
    against: Tally
    latest: tuple[ShownContest, ...] = ()

    @property
    def tables(self) -> int:
        """How many there are."""
        return self.partners.games + self.against.games


def tables_between(one: Player, other: Player, latest: int) -> Together:
    """Every table at which both sat, the `latest` of them in full. Four queries at most, one where there is none."""
    members = ContestMember.objects.filter(player__in=[one, other], contest__withdrawn=False)
    shared = members.filter(contest__members__player=other).filter(contest__members__player=one).order_by()
    seats: dict[int, dict[int, tuple[int, int]]] = {}
    for contest, player, side, place in shared.values_list("contest", "player", "side", "side__place"):
        seats.setdefault(contest, {})[player] = (side, place)
    found = Together(Tally(), Tally())
    if not seats:
        return found
    firsts = ContestSide.objects.filter(contest__in=list(seats), place=1).order_by()
    tied = {key for key, count in firsts.values_list("contest").annotate(count=Count("pk")) if count > 1}
    for contest, at in seats.items():
        (own_side, own), (side, place) = at[one.pk], at[other.pk]
        if own_side == side:
            found.partners.add(0.0 if own > 1 else 0.5 if contest in tied else 1.0)
        else:
            found.against.add(0.5 if own == place else float(own < place))
    rows = Contest.objects.filter(pk__in=list(seats)).select_related("tournament").order_by("-played_on", "-sequence")
    return Together(found.partners, found.against, tuple(shown_contests(rows[:latest])))


# --- partners -----------------------------------------------------------------------------------------------------
FEWEST = 3  # contests together: whoever sat with a player less often is no best partner


@dataclass(frozen=True, slots=True)
class Partner:
    """Somebody who sat on a player's side, and how often together: alone in first place is won, first place shared
    drawn, anything else lost."""

    player: Player
    tally: Tally


def partners_of(player: Player) -> list[Partner]:
    """Everybody who sat on the player's side, whoever did so most often first. Four queries at most."""
    own = ContestMember.objects.filter(player=player, contest__withdrawn=False).order_by()
    places = dict(own.values_list("side", "side__place"))
    firsts = ContestSide.objects.filter(contest__in=own.values("contest"), place=1).order_by()
    shared = {key for key, count in firsts.values_list("contest").annotate(count=Count("pk")) if count > 1}
    others = ContestMember.objects.filter(side__in=places).exclude(player=player)
    tallies: dict[int, Tally] = {}
    for side, contest, other in others.order_by().values_list("side", "contest", "player"):
        outcome = 0.0 if places[side] > 1 else 0.5 if contest in shared else 1.0
        tallies.setdefault(other, Tally()).add(outcome)
    people = Player.objects.in_bulk(list(tallies))
    found = [Partner(people[key], tally) for key, tally in tallies.items()]
    return sorted(found, key=lambda each: (-each.tally.games, each.player.number))


def best_partner(partners: Iterable[Partner]) -> Partner | None:
    """With whom the player had the best score, of those met often enough; of equal ones the more frequent."""
    often = [each for each in partners if each.tally.games >= FEWEST]
    return max(
        often,
        key=lambda each: (each.tally.half_points / each.tally.games, each.tally.games, -each.player.number),
        default=None,
    )
