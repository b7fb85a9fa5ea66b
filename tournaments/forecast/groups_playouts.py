"""Where groups and the knockout after them may end (pure, numpy).

Each sample takes one row of strengths for the whole event. The open games of all groups are drawn with it, every group
is ranked by the event's own tie-breaks (`Running.order`), and chance parts those whom the tie-breaks leave level, as
the club's lots do. Who goes on is seeded as `pairing.groups` seeds, and the chance of each place in the knockout
follows from the bracket (`places_of_fields`), so that no match of it is drawn. Who does not go on shares the places
behind the knockout's in equal parts: the club has no rule for them.

Once the bracket is drawn nothing of the groups is open, and the places are those of `play_knockout`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from tournaments.forecast.knockout_playouts import KnockoutToCome, places_of_fields, play_knockout
from tournaments.forecast.outcomes import Running
from tournaments.forecast.outlook import SAMPLED, Floats, Outlook, Strengths, Tell, columns_of, rows_for
from tournaments.forecast.round_robin_playouts import Codes, OpenGames, draw_codes
from tournaments.pairing.groups import Member

GROUPS_SHARE = 80  # per cent of the work


@dataclass(frozen=True, slots=True)
class Group:
    """A group under way. `numbers`: the event's numbers of its players, in the order of `running.players`; `gone`: who
    of them, by the group's numbers, left and does not go on."""

    running: Running
    numbers: tuple[int, ...]
    gone: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class GroupsToCome:
    """Groups, then a knockout. `seeds`: group and place of each seed, the first seed first; `knockout`: its bracket,
    whose seeds are 1, 2, …"""

    groups: tuple[Group, ...]
    seeds: tuple[Member, ...]
    knockout: KnockoutToCome

    @property
    def players(self) -> tuple[int, ...]:
        """Everybody, by the event's numbers."""
        return tuple(sorted(number for group in self.groups for number in group.numbers))


def play_groups(
    to_come: GroupsToCome, strengths: Strengths, samples: int, rng: numpy.random.Generator, tell: Tell
) -> Outlook:
    """The chance of each place for all players, without points, from so many samples. Raises ValueError where somebody
    has no strength, and for less than one sample."""
    players = to_come.players
    draws = strengths.draws[:, columns_of(strengths, players)][rows_for(strengths, samples)]
    orders = []
    for done, group in enumerate(to_come.groups, start=1):
        columns = numpy.searchsorted(players, group.numbers)
        own = Strengths(group.running.players, draws[:, columns], strengths.rate)
        orders.append(columns[_orders(group, own, rng)])
        tell(GROUPS_SHARE * done // len(to_come.groups), 100)
    fields = numpy.stack([orders[group][:, place] for group, place in to_come.seeds], axis=1)
    ahead = places_of_fields(to_come.knockout, draws, strengths.rate, fields)
    tell(100, 100)
    return Outlook(players, with_the_others(ahead), None, SAMPLED, samples)


def play_bracket_after(
    to_come: KnockoutToCome,
    numbers: Sequence[int],
    players: tuple[int, ...],
    strengths: Strengths,
    samples: int,
    rng: numpy.random.Generator,
    tell: Tell,
) -> Outlook:
    """The same once the bracket is drawn: `numbers` are the event's, of seed 1, 2 …; `players` all of the event."""
    columns = columns_of(strengths, tuple(numbers))
    own = Strengths(to_come.seeds, strengths.draws[:, columns], strengths.rate)
    found = play_knockout(to_come, own, samples, rng, tell)
    ahead = numpy.zeros((len(players), len(numbers)))
    ahead[numpy.searchsorted(players, numbers)] = found.places
    return Outlook(players, with_the_others(ahead), None, found.method, found.samples)


def with_the_others(ahead: Floats) -> Floats:
    """All places, from those of the knockout: who is not in it shares the places behind it."""
    people, seeds = ahead.shape
    behind = people - seeds
    if not behind:
        return ahead
    out = numpy.clip(1.0 - ahead.sum(axis=1, keepdims=True), 0.0, 1.0)
    return numpy.hstack([ahead, numpy.repeat(out / behind, behind, axis=1)])


def _orders(group: Group, strengths: Strengths, rng: numpy.random.Generator) -> Floats:
    """The order of the group in each sample (samples × places), as columns of its players."""
    games = OpenGames(group.running)
    chances = games.chances(strengths, numpy.arange(len(strengths.draws)))
    codes = draw_codes(chances, games.drawn, group.running.points, rng)
    endings, of = numpy.unique(codes.astype(numpy.int8), axis=0, return_inverse=True)
    ranks = _ranks(games, endings, group.gone)[of.ravel()]
    return numpy.argsort(ranks + rng.random(ranks.shape) / 2.0, axis=1)


def _ranks(games: OpenGames, endings: Codes, gone: frozenset[int]) -> Floats:
    """How many stand before each player in each ending; those who left stand behind all who did not."""
    players = games.running.players
    points = games.points(endings)
    ranks = (points[:, None, :] > points[:, :, None]).sum(axis=2).astype(float)
    if games.running.tiebreaks or games.running.annulled:
        level = (numpy.sort(ranks, axis=1)[:, 1:] == numpy.sort(ranks, axis=1)[:, :-1]).any(axis=1)
        for row in numpy.flatnonzero(level | bool(games.running.annulled)).tolist():
            order = games.running.order(games.table(endings[row].tolist()))
            at = {player: place for place, shared in enumerate(order) for player in shared}
            ranks[row] = [at.get(player, len(players)) for player in players]
    ranks[:, [player in gone for player in players]] += len(players)
    return ranks
