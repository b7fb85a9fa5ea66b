"""The demo club's nights of other games: doubles at table football, and settlers at tables of four. Both are rated by
TrueSkill in a list of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from django.contrib.auth.models import User

from clubrating.site.demo import season
from clubrating.site.demo.people import MEMBERS, MINOR, Member
from players.models import Player
from ratings.lists.services import create_list, usual_names
from tournaments.contests.services import ContestData, SideData, record_contest
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import BoardGame, ScoreKind

POOL = "tables"
DOUBLES, SETTLERS = "Doubles night", "Settlers’ evenings"
NIGHTS, APART = 6, timedelta(weeks=5)
GOALS = 7  # whoever has so many first has won
SEATED = 8  # in an evening
SPREAD = 300  # points of strength by which one evening differs from the next


@dataclass(frozen=True, slots=True)
class _Kind:
    """An event of such evenings: `seats` of a side, `sides` at a table, `tables` an evening."""

    name: str
    seats: int
    sides: int
    tables: int
    scores: str


KINDS = (_Kind(DOUBLES, 2, 2, 4, ScoreKind.GOALS), _Kind(SETTLERS, 1, 4, 2, ScoreKind.VICTORY))


def play_tables(today: date, by: User) -> None:
    """The list, the events, and everything played up to today."""
    create_list(
        name="Tables", names=usual_names("Tables"), slug="tables", pool=POOL, by=by, order=4, system="trueskill"
    )
    keys = dict(Player.objects.exclude(name=MINOR).values_list("name", "pk"))
    people = [member for member in MEMBERS if member.name in keys][:15]
    if len(people) < SEATED:
        return
    events = {}
    for kind in KINDS:
        new = NewTournament(
            kind.name, pairing_system="free", place="Lindenhof", pool=POOL, game=BoardGame.OTHER, scores=kind.scores
        )
        events[kind.name] = create_tournament(new, by=by)
    for day, kind, sides in _played(today, people):
        data = [SideData(place, tuple(keys[one.name] for one in who), score=score) for place, who, score in sides]
        record_contest(ContestData(events[kind.name].pk, tuple(data), day), by=by, again=True)


_Played = tuple[int, Sequence[Member], float]  # place, who, score


def _played(today: date, people: Sequence[Member]) -> Iterator[tuple[date, _Kind, list[_Played]]]:
    """Every table of every evening, in order of time; who sits where is drawn anew each time."""
    random = Random(season.SEED + 2)
    for night in range(NIGHTS, 0, -1):
        day = today - night * APART
        for kind in KINDS:
            here = random.sample(list(people), SEATED)
            for table in range(kind.tables):
                if kind.seats == 2:
                    random.shuffle(here)
                seated = here[4 * (table % 2) :][:4]
                sides = [seated[start : start + kind.seats] for start in range(0, len(seated), kind.seats)]
                yield day, kind, _result(kind, sides, random)


def _result(kind: _Kind, sides: Sequence[Sequence[Member]], random: Random) -> list[_Played]:
    """Who came first, and the scores: of doubles goals, else victory points."""
    shown = {
        number: sum(random.gauss(one.strength, SPREAD) for one in side) / len(side) for number, side in enumerate(sides)
    }
    best = sorted(shown, key=lambda number: -shown[number])
    if kind.scores == ScoreKind.GOALS:
        scores = dict(zip(best, (GOALS, random.randrange(GOALS)), strict=True))
    else:
        points = [10, *sorted((random.randint(3, 9) for _ in best[1:]), reverse=True)]
        scores = dict(zip(best, points, strict=True))
    ranked = sorted(scores.values(), reverse=True)
    return [(ranked.index(scores[number]) + 1, side, float(scores[number])) for number, side in enumerate(sides)]
