"""FIDE's list meets the club's people: what it would change of them, carried out as it was seen, and a newcomer added.

People are known by their FIDE number. Of those without one a row with the same name (whatever its accents, capitals and
order) and no other year of birth is a proposal, which somebody must confirm. Where the number is known and the name is
another's, nothing is taken from the row. A starting rating comes only for people without a rated game in that list.
Not done: taking over somebody's present rating for one with games; that would rewrite what the club's own games say.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from itertools import islice
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from clubrating.ground.marks import sentence
from players.models import Player, PlayerIdentity
from players.people.names import search_key, sort_key
from players.people.services import NewPlayer, create_player, set_identities
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.selectors.lists import live_ratings
from ratings.lists.services import NewStart, lock_lists
from ratings.models import RatingList, StartingRating
from tournaments.interchange.fide_list import RATES, FideRow
from tournaments.interchange.tables_csv import BadRow
from tournaments.rated_games.services.people import Touched, bring_starting_ratings, change_people

FIDE = PlayerIdentity.Scheme.FIDE
FEDERATION = StartingRating.Source.FEDERATION
MOST_KEPT = 200  # of bad rows, and of rows found by name
_DATA = ("title", "sex", "birth_year")


@dataclass(frozen=True, slots=True)
class Match:
    """A row of the list that is somebody of the club, by number or (`is_proposal`) by name. `changes`: field → the
    value now and the one in the list; fields are title, sex, birth_year, fide_id and rating."""

    row: FideRow
    player: Player
    is_proposal: bool
    changes: Mapping[str, tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class ListPlan:
    """What a list would change. `known`: matched by number; `proposals`: by name; `conflicts`: the number is known, but
    under another name; `missing`: active people who are not in it; `bad`: the first rows that cannot be used."""

    rows: int
    known: tuple[Match, ...]
    proposals: tuple[Match, ...]
    conflicts: tuple[Match, ...]
    missing: int
    bad: tuple[BadRow, ...]
    bad_rows: int
    found: tuple[FideRow, ...] = field(default=())

    @property
    def changing(self) -> tuple[Match, ...]:
        """Those known by number of whom something changes."""
        return tuple(match for match in self.known if match.changes)

    @property
    def seal(self) -> str:
        """A digest of all that would be changed, and of the people as they are now."""
        seen = [
            (match.row.fide_id, match.player.pk, match.player.revision, sorted(match.changes.items()))
            for match in (*self.changing, *self.proposals)
        ]
        return sha256(repr(seen).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of FIDE's list: starting ratings for a list of ours, and rows beside those of the club's people, by
    FIDE number or words of the name."""

    rating_list: RatingList | None = None
    find: str = ""


def plan_list(rows: Iterable[FideRow | BadRow], wanted: Wanted) -> ListPlan:
    """Read a list to its end and say what it would change; only rows of the club's people are kept. Raises what the
    reader raises."""
    club, is_meant = _Club(wanted.rating_list), _search(wanted.find)
    matches: list[Match] = []
    conflicts: list[Match] = []
    found: list[FideRow] = []
    bad: list[BadRow] = []
    bad_rows = count = 0
    for row in club.each_number_once(rows):
        if isinstance(row, BadRow):
            bad_rows += 1
            if len(bad) < MOST_KEPT:
                bad.append(row)
            continue
        count += 1
        if len(found) < MOST_KEPT and is_meant(row):
            found.append(row)
        for match in club.meant_by(row):
            (conflicts if club.is_conflict(match) else matches).append(match)
    matches.sort(key=lambda match: match.player.number)
    return ListPlan(
        rows=count,
        known=tuple(match for match in matches if not match.is_proposal),
        proposals=tuple(match for match in matches if match.is_proposal),
        conflicts=tuple(conflicts),
        missing=club.active - len({match.player.pk for match in (*matches, *conflicts) if match.player.active}),
        bad=tuple(bad),
        bad_rows=bad_rows,
        found=tuple(found),
    )


@transaction.atomic
def commit_list(
    rows: Iterable[FideRow | BadRow],
    wanted: Wanted,
    *,
    by: User | None,
    on: date,
    seal: str | None = None,
    confirmed: Collection[str] = (),
    reason: str = "",
    note: str = "",
) -> list[Match]:
    """Carry the list's changes out, with the `confirmed` proposals (FIDE numbers); those that were. Ratings hold from
    `on`. With a reason it is a correction, and the audit events have what it moved. Raises Stale where the plan is no
    longer the one of that seal, Refused for a confirmation that is none, for two rows of one person, and for bad rows.
    """
    lock_lists()
    done = agreed(plan_list(rows, wanted), seal, confirmed)
    data = {
        match.player.pk: {name: new for name, (_old, new) in match.changes.items() if name in _DATA} for match in done
    }
    change_people({key: changes for key, changes in data.items() if changes}, by=by, reason=reason, note=note)
    for match in done:
        _write(match, by)
    if wanted.rating_list is not None:
        starts = [
            NewStart(match.player.pk, on, match.changes["rating"][1], source=FEDERATION)
            for match in done
            if "rating" in match.changes
        ]
        bring_starting_ratings(wanted.rating_list, starts, by=by, reason=reason, note=note)
    return done


def agreed(plan: ListPlan, seal: str | None, confirmed: Collection[str]) -> list[Match]:
    """What of a plan is done: all that changes by number, and the `confirmed` proposals. Raises as `commit_list`."""
    if seal is not None and plan.seal != seal:
        raise Stale(_("People or the file have changed since the preview: look at it again."))
    accepted = [match for match in plan.proposals if match.row.fide_id in confirmed]
    _check(accepted, confirmed)
    return [*plan.changing, *accepted]


def touched_by(matches: Iterable[Match]) -> list[Touched]:
    """Whose year of birth or starting rating is another then."""
    return [Touched(match.player, "birth_year" in match.changes, "rating" in match.changes) for match in matches]


@transaction.atomic
def add_from_list(row: FideRow, *, rating_list: RatingList | None, on: date, by: User | None) -> Player:
    """Add somebody of the list with number, title, sex, year of birth and, where a list is given, his rating in it from
    `on`. Raises Refused where somebody has the number already."""
    if PlayerIdentity.objects.filter(scheme=FIDE, value=row.fide_id).exists():
        raise Refused(_("The FIDE number %(value)s is in the club already.") % {"value": row.fide_id})
    player = create_player(NewPlayer(row.name, row.birth_year, row.sex, row.title), by=by)
    set_identities(player, {FIDE: row.fide_id}, by=by)
    rating = row.ratings.get(rate_of(rating_list)) if rating_list else None
    if rating_list and rating:
        bring_starting_ratings(rating_list, [NewStart(player.pk, on, rating, source=FEDERATION)], by=by)
    return player


def find_rows(rows: Iterable[FideRow | BadRow], words: str) -> list[FideRow]:
    """The first rows with that FIDE number, or with all those words in the name."""
    is_meant = _search(words)
    return list(islice((row for row in rows if isinstance(row, FideRow) and is_meant(row)), MOST_KEPT))


def rate_of(rating_list: RatingList) -> str:
    """Which of the list's ratings a list of ours takes: that of its pool, the standard one for any other."""
    return rating_list.pool if rating_list.pool in RATES else RATES[0]


# --- who is meant ---------------------------------------------------------------------------------------------------
def _search(text: str) -> Callable[[FideRow], bool]:
    """Whether a row is asked for by that number or those words of the name."""
    words = sort_key(text).split()[:10]

    def is_meant(row: FideRow) -> bool:
        if not words or words == [row.fide_id]:
            return bool(words)
        # `search_key` is slow and rows are many, so ASCII names are compared without it.
        name = row.name.lower() if row.name.isascii() else search_key(row.name)
        return all(word in name for word in words)

    return is_meant


class _Club:
    """The club's people, to be found by number or by name: read once, since the rows are many."""

    def __init__(self, rating_list: RatingList | None) -> None:
        people = list(Player.objects.filter(merged_into=None).exclude(name="").order_by("number"))
        self.active = sum(player.active for player in people)
        self._people = {player.pk: player for player in people}
        numbers = PlayerIdentity.objects.filter(scheme=FIDE).values_list("value", "player")
        self._by_number = {value.lstrip("0"): key for value, key in numbers if key in self._people}
        numbered = set(self._by_number.values())
        self._by_name: dict[str, list[Player]] = {}
        for player in people:
            if player.pk not in numbered:
                for key in {_name_key(player.name), _name_key(player.reading)} - {""}:
                    self._by_name.setdefault(key, []).append(player)
        self._rate = rate_of(rating_list) if rating_list else ""
        ratings = live_ratings().filter(rating_list=rating_list).exclude(wins=0, draws=0, losses=0)
        starts = StartingRating.objects.filter(rating_list=rating_list).order_by("on")
        self._rated = set(ratings.values_list("player", flat=True)) if rating_list else set()
        # Of several starting ratings of a player the last one.
        self._starts = dict(starts.values_list("player", "rating")) if rating_list else {}

    def each_number_once(self, rows: Iterable[FideRow | BadRow]) -> Iterator[FideRow | BadRow]:
        """The rows; one with the number of somebody of the club that stood in an earlier row is a bad one."""
        lines: dict[str, int] = {}
        for row in rows:
            first = lines.get(row.fide_id) if isinstance(row, FideRow) else None
            if isinstance(row, FideRow) and first is None and row.fide_id in self._by_number:
                lines[row.fide_id] = row.line
            yield (
                row
                if first is None
                else BadRow(row.line, sentence("its FIDE number stands on line %(line)s too", line=first))
            )

    def meant_by(self, row: FideRow) -> Iterator[Match]:
        """Whom a row means, for certain or perhaps."""
        key = self._by_number.get(row.fide_id)
        if key is not None:
            yield self._match(row, self._people[key], is_proposal=False)
            return
        for player in self._by_name.get(_name_key(row.name), ()):
            if player.birth_year in (None, row.birth_year) or row.birth_year is None:
                yield self._match(row, player, is_proposal=True)

    def is_conflict(self, match: Match) -> bool:
        """Whether the number's owner is called otherwise: no word of the two names is the same."""
        own = f"{match.player.name} {match.player.reading}"
        mine, theirs = set(sort_key(own).split()), set(sort_key(match.row.name).split())
        return not match.is_proposal and not mine & theirs

    def _match(self, row: FideRow, player: Player, *, is_proposal: bool) -> Match:
        said = {"title": row.title, "sex": row.sex, "birth_year": row.birth_year}
        changes = {
            name: (getattr(player, name), value)
            for name, value in said.items()
            if value and value != getattr(player, name)
        }
        if is_proposal:
            changes["fide_id"] = ("", row.fide_id)
        rating, start = row.ratings.get(self._rate), self._starts.get(player.pk)
        if rating and player.pk not in self._rated and start != rating:
            changes["rating"] = (start, rating)
        return Match(row, player, is_proposal, changes)


def _name_key(name: str) -> str:
    """The name's words in Latin letters, in no order."""
    latin = name.lower().replace(",", " ") if name.isascii() else sort_key(name)
    return " ".join(sorted(latin.split()))


# --- writing --------------------------------------------------------------------------------------------------------
def _check(accepted: Collection[Match], confirmed: Collection[str]) -> None:
    unknown = set(confirmed) - {match.row.fide_id for match in accepted}
    if unknown:
        values = {"numbers": ", ".join(sorted(unknown))}
        raise Refused(_("There is no proposal with the FIDE number %(numbers)s: look at the preview.") % values)
    times = Counter[object](match.player.number for match in accepted)
    times.update(match.row.fide_id for match in accepted)
    for what, count in times.items():
        if count > 1:
            raise Refused(_("%(what)s is confirmed twice: one row is one person.") % {"what": what})


def _write(match: Match, by: User | None) -> None:
    player = match.player
    if "fide_id" in match.changes:
        numbers = dict(player.identities.values_list("scheme", "value"))
        set_identities(player, {**numbers, FIDE: match.row.fide_id}, by=by)
    write_audit("player.federation", player, by=by, after={"fields": sorted(match.changes)})
