"""The masters' forecast for a field of one's own: players of a public list, what they scored against each other, and
the question that is answered in the background.

Only who is shown by name to everybody and is of age can be chosen, so an answer may be read by everybody. Counted are
rated games of the list's pool that were played on the board in published rounds or freely; drafts never count.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from clubrating.ground.figures import round_half_away
from players.jobs.services import Question
from players.models import Player
from players.people.selectors import visible_players
from players.privacy.rules import NOBODY, is_minor, sees_name
from ratings.lists.selectors.lists import leaderboard, ratings_now
from ratings.lists.services import rules_of
from ratings.models import RatingList
from tournaments.forecast.masters import MastersField, Record, Rule
from tournaments.forecast.masters_chain import Plan
from tournaments.models import Game, Round
from tournaments.standings.points import RATED_RESULTS, SCORES

OWN_MASTERS = "masters"  # the kind of question
SIZES = (2, 4, 8, 16)  # of a field
LOTS, FIXED = "lots", "fixed"
EDITION = 2  # of what is computed and stored: another one makes every question a new one
LOOKED_THROUGH = 60  # of the list, for those who are proposed


@dataclass(frozen=True, slots=True)
class OwnEvent:
    """An event to be forecast. `players` by rating, the highest first; `written`: their numbers in the order in which
    they were named, which are the lines of a fixed draw."""

    rating_list: RatingList
    players: tuple[Player, ...]
    written: tuple[int, ...]
    field: MastersField
    rule: Rule
    plan: Plan

    @property
    def games(self) -> int:
        """How many games of theirs are known."""
        return sum(record.games for record in self.field.met.values())

    @property
    def question(self) -> Question:
        """The same for the same event on the same ratings and results. The order of names matters on fixed lines."""
        drawn = self.plan.lines is None
        payload = {
            "players": sorted(self.written) if drawn else list(self.written),
            "rule": self.rule.value,
            "stations": self.plan.stations,
            "draw": LOTS if drawn else FIXED,
            "k": self.field.own_k,
            "edition": EDITION,
        }
        met = sorted((pair, tuple(record)) for pair, record in self.field.met.items())
        facts = json.dumps([[player.number for player in self.players], self.field.ratings, met])
        return Question(OWN_MASTERS, payload, sha256(facts.encode()).hexdigest(), self.rating_list.pk)


def lists_for_masters() -> list[RatingList]:
    """Public lists on Elo's scale: expected scores are read off their ratings. Two queries."""
    today = timezone.localdate()
    lists = RatingList.objects.filter(public=True).prefetch_related("rules")
    return [row for row in lists if rules_of(row).on(today).is_on_elos_scale]


def may_be_chosen(player: Player) -> bool:
    """Whether everybody may read the name, and it is nobody's under age."""
    return sees_name(player, NOBODY) and not is_minor(player.birth_year, timezone.localdate())


def proposed(rating_list: RatingList, count: int = 8) -> list[Player]:
    """The first of the list who may be chosen, as many as make a field. One query."""
    rows = leaderboard(rating_list)[:LOOKED_THROUGH]
    found = [row.player for row in rows if may_be_chosen(row.player)][:count]
    size = max((size for size in SIZES if size <= len(found)), default=0)
    return found[:size]


def own_event(rating_list: RatingList, numbers: Sequence[int], asked: Mapping[str, Any]) -> OwnEvent | None:
    """The event of the players of those numbers; `asked` has `rule`, `stations`, `draw` and `k`. None where one of them
    may not be chosen or has no rating in the list. Raises ValueError for a field that is none. Three queries."""
    found = visible_players(numbers, NOBODY)
    people = [found[number] for number in numbers if number in found and may_be_chosen(found[number])]
    ratings = ratings_now(rating_list, [player.pk for player in people])
    if len(people) < len(numbers) or len(ratings) < len(set(numbers)):
        return None
    points = {key: round_half_away(row.rating) for key, row in ratings.items()}
    players = tuple(sorted(people, key=lambda player: (-points[player.pk], player.number)))
    met = _met(rating_list.pool, {player.pk: place for place, player in enumerate(players)})
    field = MastersField(
        tuple(str(player.number) for player in players),
        tuple(points[player.pk] for player in players),
        met,
        int(asked["k"]),
    )
    lines = tuple(players.index(player) for player in people) if asked["draw"] == FIXED else None
    written = tuple(player.number for player in people)
    return OwnEvent(rating_list, players, written, field, Rule(asked["rule"]), Plan(int(asked["stations"]), lines))


def _met(pool: str, places: Mapping[int, int]) -> dict[tuple[int, int], Record]:
    """What they scored against each other, by places in the field, from the side of the higher rated."""
    counts: dict[tuple[int, int], list[int]] = {}
    for white, black, result in _games(pool, list(places)).values_list("white", "black", "result"):
        one, other = places[white], places[black]
        lost = round(2 * (1 - SCORES[result])) if one < other else round(2 * SCORES[result])
        counts.setdefault((min(one, other), max(one, other)), [0, 0, 0])[lost] += 1
    return {pair: Record(*each) for pair, each in counts.items()}


def _games(pool: str, keys: list[int]) -> QuerySet[Game]:
    among = Game.objects.filter(white__in=keys, black__in=keys, pool=pool, result__in=RATED_RESULTS)
    return among.filter(tournament__entry_size=1).exclude(pairing__round__state=Round.State.DRAFT).order_by("pk")
