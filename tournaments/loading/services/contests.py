"""Loading a file of contests with sides (CONTESTS.csv): into open-ended events, in one transaction, rated once.

As for games (`tournaments.loading.services.streams`): people and events it names are made, a file loaded again brings
only what is not there yet, and bad rows are told all at once. A contest is known by its key within its event. Two
players alone are refused: they play a game, and belong into a file of games.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.counters import GAME_SEQUENCE, GAME_SEQUENCE_STEP, take_numbers
from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_players
from players.refusals import Refused, said
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from ratings.models import RatingList
from tournaments.contests.selectors import shown_contests
from tournaments.contests.services import SideData, check_scores
from tournaments.entries.services.names import BadRows, People, look_alikes, look_up, nobody
from tournaments.events.services.counts import count_contests
from tournaments.events.services.events import open_event
from tournaments.interchange.contests_csv import MemberRow
from tournaments.interchange.tables_csv import BadRow, in_order, shortened
from tournaments.loading.services.streams import LoadReport
from tournaments.models import Contest, ContestMember, ContestSide, ScoreKind, Tournament
from tournaments.rated_games.selectors.games import first_moments_of
from tournaments.rated_games.services.rating import rerate
from tournaments.rated_games.services.rating_impact import ImpactRecorder, has_later

_BATCH = 500
_Side = tuple[int, float | None, frozenset[tuple[int | str, float]]]  # place, score, members with their shares


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A contest of the file with what it left open filled in."""

    rows: tuple[MemberRow, ...]
    event: str
    day: date
    pool: str

    @property
    def line(self) -> int:
        return self.rows[0].line

    @property
    def key(self) -> str:
        return self.rows[0].contest

    @property
    def names(self) -> list[str]:
        return [row.player for row in self.rows]

    @property
    def sides(self) -> list[list[MemberRow]]:
        """The rows of each side, sides by their numbers."""
        sides: dict[int, list[MemberRow]] = {}
        for row in self.rows:
            sides.setdefault(row.side, []).append(row)
        return [sides[number] for number in sorted(sides)]


@transaction.atomic
def load_contests(
    contests: Sequence[tuple[MemberRow, ...]],
    *,
    by: User | None,
    event_name: str,
    today: date,
    pool: str = "standard",
    known_players_only: bool = False,
    dry_run: bool = False,
    bad: Sequence[BadRow] = (),
    skip_bad: bool = False,
    reason: str = "",
    note: str = "",
) -> LoadReport:
    """Load the contests that are not here yet; the arguments, the report and the refusals are those of `load_games`."""
    lock_lists()
    take_numbers(GAME_SEQUENCE, 0)  # of two loads of one file the second finds the first's
    filled = [
        _Wanted(rows, rows[0].event or event_name, rows[0].played_on or today, rows[0].pool or pool)
        for rows in contests
    ]
    people = look_up(dict.fromkeys(name for wanted in filled for name in wanted.names))
    pools = list(dict.fromkeys(RatingList.objects.values_list("pool", flat=True)))
    here = _contests_here({wanted.event for wanted in filled})
    events = {event.name: event for event in Tournament.objects.filter(open_ended=True, name__in=_names(filled))}
    for wanted in filled:
        if wanted.event not in events:
            events[wanted.event] = _new_event(wanted)
    wrong: list[BadRow] = list(bad)
    new: list[_Wanted] = []
    known = 0
    for wanted in filled:
        problems = list(_problems(wanted, people, pools, events[wanted.event], known_players_only))
        stands = here.get((wanted.event, wanted.key))
        if not problems and stands is not None and _differs(wanted, stands, people):
            text = _("contest “%(key)s” of “%(event)s” is here with other sides, places or day: correct it there")
            problems.append(text % {"key": shortened(wanted.key), "event": shortened(wanted.event)})
        wrong += [BadRow(wanted.line, problem) for problem in problems]
        if not problems and stands is None:
            new.append(wanted)
        known += not problems and stands is not None
    refused = in_order(wrong)
    if refused and not skip_bad:
        raise BadRows(refused)
    names = [name for name in dict.fromkeys(name for wanted in new for name in wanted.names) if people.is_new(name)]
    report = LoadReport(
        loaded=len(new),
        known=known,
        rated=sum(wanted.pool in pools for wanted in new),
        new_players=len(names),
        events=tuple(dict.fromkeys(wanted.event for wanted in new)),
        unlisted=tuple(dict.fromkeys(wanted.pool for wanted in new if wanted.pool not in pools)),
        alike=look_alikes(names),
        left_out=refused,
    )
    if new and not dry_run:
        _write(new, people, names, by=by, reason=reason, note=note)
    return report


def _names(filled: Sequence[_Wanted]) -> list[str]:
    return sorted({wanted.event for wanted in filled})


def _problems(
    wanted: _Wanted, people: People, pools: Sequence[str], event: Tournament, known_only: bool
) -> Iterator[str]:
    for name in dict.fromkeys(wanted.names):
        if name in people.problems:
            yield people.problems[name]
        elif known_only and people.is_new(name):
            yield nobody(name)
    found = [people.found[name].pk for name in wanted.names if name in people.found]
    if len(set(found)) < len(found):
        yield _("two names of this contest are one person: correct one of them")
    sides = wanted.sides
    if len(sides) == 2 and all(len(side) == 1 for side in sides):
        yield _("two players alone play a game: put it into a file of games")
    if pools and wanted.pool not in pools:
        values = {"pool": wanted.pool, "pools": ", ".join(pools)}
        yield _("no rating list rates the pool “%(pool)s”: choose one of %(pools)s") % values
    try:
        data = [SideData(side[0].place, (), score=side[0].score) for side in sides]
        check_scores(data, event)
    except Refused as refusal:
        yield said(refusal)


def _new_event(first: _Wanted) -> Tournament:
    """What an event made for such a contest says of its scores: the lower one wins where the places say so."""
    best = min(first.rows, key=lambda row: row.place)
    scores = [row.score for row in first.rows if row.score is not None]
    low = best.score is not None and best.score < max(scores)
    return Tournament(scores=ScoreKind.POINTS if scores else "", low_score_wins=low)


@dataclass(frozen=True, slots=True)
class _Here:
    """A contest that is here: its day and sides, and whether it was corrected since."""

    day: date
    sides: frozenset[_Side]
    corrected: bool


def _contests_here(events: set[str]) -> dict[tuple[str, str], _Here]:
    found: dict[tuple[str, str], _Here] = {}
    names = sorted(events)
    for start in range(0, len(names), _BATCH):
        rows = Contest.objects.filter(tournament__name__in=names[start : start + _BATCH], tournament__open_ended=True)
        for shown in shown_contests(rows.select_related("tournament").order_by("pk")):
            sides = frozenset(
                (side.place, side.score, frozenset((who.player_id, who.weight) for who in side.members))
                for side in shown.sides
            )
            row = shown.contest
            found[row.tournament.name, row.label] = _Here(row.played_on, sides, row.revision > 0)
    return found


def _differs(wanted: _Wanted, stands: _Here, people: People) -> bool:
    """Whether the file says something else than what stands; what was corrected here since, the file still means."""
    if stands.corrected:
        return False

    def key(name: str) -> int | str:
        return people.found[name].pk if name in people.found else name

    sides = frozenset(
        (side[0].place, side[0].score, frozenset((key(row.player), row.weight) for row in side))
        for side in wanted.sides
    )
    return sides != stands.sides or (wanted.rows[0].played_on is not None and wanted.day != stands.day)


# --- writing ------------------------------------------------------------------------------------------------------
def _write(
    new: Sequence[_Wanted], people: People, names: Sequence[str], *, by: User | None, reason: str, note: str
) -> None:
    created = create_players([NewPlayer(name) for name in names], by=by)
    players = {**people.found, **dict(zip(names, created, strict=True))}
    events = {name: _event(name, [each for each in new if each.event == name], by) for name in _names(new)}
    rows = _write_rows(new, players, events)
    rated = [row for row in rows if row.tournament.rated]
    first = first_moments_of(rated)
    late = {pool: moment for pool, moment in first.items() if has_later(pool, moment)}
    impact = ImpactRecorder(late, None)
    for pool, since in first.items():
        rerate(pool, since)
    reason, effect = reason or (AuditEvent.Reason.LATE_REPORT if late else ""), impact.effect()
    for event in events.values():
        own = [row for row in rows if row.tournament_id == event.pk]
        count_contests(event, len(own))
        days = [row.played_on.isoformat() for row in own]
        after = {"contests": len(own), "games": len(own), "days": [min(days), max(days)]}
        write_audit("games.loaded", event, by=by, after=after, effect=effect, reason=reason, note=note)
        effect = {}  # of one load, so it stands once


def _event(name: str, contests: Sequence[_Wanted], by: User | None) -> Tournament:
    """The event of that name; a new one takes over what the file says of scores."""
    is_new = not Tournament.objects.filter(name=name, open_ended=True).exists()
    event = open_event(name, pool=contests[0].pool, by=by).tournament
    if is_new:
        like = _new_event(contests[0])
        event.scores, event.low_score_wins = like.scores, like.low_score_wins
        event.save(update_fields=["scores", "low_score_wins"])
    return event


def _write_rows(new: Sequence[_Wanted], players: dict[str, Player], events: dict[str, Tournament]) -> list[Contest]:
    sequences = take_numbers(GAME_SEQUENCE, len(new), step=GAME_SEQUENCE_STEP)
    now = timezone.now()
    rows = Contest.objects.bulk_create(
        [
            Contest(
                tournament=events[wanted.event],
                pool=wanted.pool,
                played_on=wanted.day,
                sequence=sequence,
                importance=wanted.rows[0].importance or events[wanted.event].importance,
                own_importance=wanted.rows[0].importance is not None,
                label=wanted.key,
                recorded_at=now,
            )
            for wanted, sequence in zip(new, sequences, strict=True)
        ],
        batch_size=_BATCH,
    )
    sides = ContestSide.objects.bulk_create(
        [
            ContestSide(contest=row, line=line, place=side[0].place, score=side[0].score)
            for row, wanted in zip(rows, new, strict=True)
            for line, side in enumerate(wanted.sides, start=1)
        ],
        batch_size=_BATCH,
    )
    members = (side for wanted in new for side in wanted.sides)
    ContestMember.objects.bulk_create(
        [
            ContestMember(contest=side.contest, side=side, player=players[row.player], weight=row.weight)
            for side, own in zip(sides, members, strict=True)
            for row in own
        ],
        batch_size=_BATCH,
    )
    return rows
