"""Plans of events of several stages: groups, then a knockout; and stations.

`GroupsThenKnockout`: round robins side by side, the best of each go on. The usual cross: the first of a group meets the
second of its neighbour group, A1–B2 in the upper half of the bracket and B1–A2 in the lower, so that two of one group
can meet again only in the final. Where that does not come out even (three groups, three to go on …) the first of the
groups are seeded before the seconds, and so on; in which order the groups follow for each place is chosen so that
players of one group stay apart as long as possible. Not done here: the order within a group (its standings), groups
paired by anything but a round robin.

`Stations`: the same field plays several knockouts one after the other, each drawn anew by lots. Source: a study of
eight xiangqi masters (three stations of eight; the winner of match 1 meets the winner of match 4). Not done here: one
table over all stations.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

from clubrating.ground.marks import marked, sentence
from tournaments.pairing import knockout
from tournaments.pairing.base import Option, PairingError, PlannedStage, read_options
from tournaments.pairing.round_robin import RoundRobin

# --- groups, then a knockout --------------------------------------------------------------------------------------
LETTERS = "ABCDEFGHIJKLMNOP"
# Settings of the knockout that an event of several parts hands on.
MATCH_KEYS = ("third_place", "games", "extra")
MATCH_OPTIONS = tuple(option for option in knockout.OPTIONS if option.key in MATCH_KEYS)
Member = tuple[int, int]  # group and place in it, from 0
Groups = tuple[tuple[int, ...], ...]


class GroupsThenKnockout:
    """Settings: `groups` 2–16; `qualifiers` of each, 1–4; `by` rating or lots; `cycles` of the groups, 1 or 2; those of
    the knockout's matches: `third_place`, `games`, `extra`."""

    key = "groups"
    name = marked("Groups, then knockout")
    # As in a round robin, the player without an opponent has a free day and no points.
    allocated_bye_scores = False
    qualifies = True
    min_players = 4
    max_players = len(LETTERS) * RoundRobin.max_players
    options: tuple[Option, ...] = (
        Option("groups", marked("Groups"), 2, lowest=2, highest=len(LETTERS)),
        Option("qualifiers", marked("Go on from each group"), 2, lowest=1, highest=4),
        Option(
            "by",
            marked("Groups are formed"),
            "rating",
            choices=(
                ("rating", marked("by the order of the numbers: 1 to A, 2 to B … and back")),
                ("lots", marked("by lots")),
            ),
        ),
        Option(
            "cycles",
            marked("In a group everybody meets everybody"),
            1,
            choices=((1, marked("once")), (2, marked("twice"))),
        ),
        *MATCH_OPTIONS,
    )

    def plan(self, players: int, settings: Mapping[str, Any], lots: Random) -> tuple[PlannedStage, ...]:
        """The groups as part 1, the knockout as part 2. `by` rating takes number 1 for the strongest."""
        chosen = read_options(self.options, settings)
        groups, qualifiers = chosen["groups"], chosen["qualifiers"]
        _check(players, groups, qualifiers)
        order = list(range(1, players + 1))
        if chosen["by"] == "lots":
            lots.shuffle(order)
        fields = serpentine(order, groups)
        rounds = {"cycles": chosen["cycles"]}
        first = [
            PlannedStage(f"Group {letter}", 1, "round-robin", rounds, field)
            for letter, field in zip(LETTERS, fields, strict=False)
        ]
        seeding = knockout.GIVEN if is_even_cross(groups, qualifiers) else knockout.STANDARD
        after = {"seeding": seeding, **{key: chosen[key] for key in MATCH_KEYS}}
        return (*first, PlannedStage("Knockout", 2, "knockout", after))

    def qualified(self, settings: Mapping[str, Any], places: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Who goes on, in the order of seeds, from the order of every group."""
        chosen = read_options(self.options, settings)
        groups, qualifiers = chosen["groups"], chosen["qualifiers"]
        if len(places) != groups:
            raise PairingError(
                sentence(
                    "There are %(groups)s groups, and the orders of %(orders)s.", groups=groups, orders=len(places)
                )
            )
        for letter, order in zip(LETTERS, places, strict=False):
            if len(order) < qualifiers:
                raise PairingError(
                    sentence(
                        "From group %(group)s %(qualifiers)s go on, and it has only %(players)s.",
                        group=letter,
                        qualifiers=qualifiers,
                        players=len(order),
                    )
                )
        return tuple(places[group][place] for group, place in seeds(groups, qualifiers))


def _check(players: int, groups: int, qualifiers: int) -> None:
    fewest = groups * max(2, qualifiers)
    if players < fewest:
        raise PairingError(
            sentence(
                "%(groups)s groups from which %(qualifiers)s go on need at least %(fewest)s players, not %(players)s.",
                groups=groups,
                qualifiers=qualifiers,
                fewest=fewest,
                players=players,
            )
        )
    if players > groups * RoundRobin.max_players:
        raise PairingError(
            sentence(
                "A group takes up to %(most)s players: form more than %(groups)s groups.",
                most=RoundRobin.max_players,
                groups=groups,
            )
        )


def serpentine(order: Sequence[int], groups: int) -> Groups:
    """The order dealt out from the first group to the last and back again; sizes differ by at most one."""
    fields: list[list[int]] = [[] for _group in range(groups)]
    for position, number in enumerate(order):
        row, step = divmod(position, groups)
        fields[step if row % 2 == 0 else groups - 1 - step].append(number)
    return tuple(tuple(field) for field in fields)


# --- who meets whom in the knockout ---------------------------------------------------------------------------
def is_even_cross(groups: int, qualifiers: int) -> bool:
    """Whether the usual cross comes out: two of each of 2, 4, 8 or 16 groups."""
    return qualifiers == 2 and groups & (groups - 1) == 0


def seeds(groups: int, qualifiers: int) -> tuple[Member, ...]:
    """Group and place (both from 0) of every seed, first seed first."""
    if is_even_cross(groups, qualifiers):
        return _cross(groups)
    found = [(group, 0) for group in range(groups)]
    for place in range(1, qualifiers):
        candidates = [found + [(group, place) for group in order] for order in _turns(groups)]
        found = min(candidates, key=lambda order: _reunions(order, groups * qualifiers))
    return tuple(found)


def _cross(groups: int) -> tuple[Member, ...]:
    """A1–B2, C1–D2 … above, B1–A2, D1–C2 … below, in the order of the bracket's lines."""
    above = [member for group in range(0, groups, 2) for member in ((group, 0), (group + 1, 1))]
    below = [member for group in range(0, groups, 2) for member in ((group + 1, 0), (group, 1))]
    return (*above, *below)


def _turns(groups: int) -> Iterable[tuple[int, ...]]:
    """The groups in order and backwards, from every beginning."""
    for step in (1, -1):
        for first in range(groups):
            yield tuple((first + step * number) % groups for number in range(groups))


def _reunions(order: Sequence[Member], players: int) -> tuple[int, ...]:
    """How many pairs of one group could meet again in the first round, the second … in standard seeding."""
    lines = knockout.standard_order(2 ** knockout.rounds_for(players))
    line_of = {seed: line for line, seed in enumerate(lines)}
    meetings = [0] * knockout.rounds_for(players)
    for (one, mine), (other, his) in combinations(enumerate(order, start=1), 2):
        if mine[0] == his[0]:
            # Numbers of lines are halved from round to round: two lines meet in the round in which they become equal.
            meetings[(line_of[one] ^ line_of[other]).bit_length() - 1] += 1
    return tuple(meetings)


# --- stations -----------------------------------------------------------------------------------------------------
class Stations:
    """Settings: `stations` 1–9; those of the matches: `third_place`, `games`, `extra`."""

    key = "stations"
    name = marked("Stations: several knockouts")
    allocated_bye_scores = False
    qualifies = False
    min_players = knockout.Knockout.min_players
    max_players = knockout.Knockout.max_players
    options: tuple[Option, ...] = (Option("stations", marked("Stations"), 3, lowest=1, highest=9), *MATCH_OPTIONS)

    def plan(self, players: int, settings: Mapping[str, Any], lots: Random) -> tuple[PlannedStage, ...]:
        """One knockout a part, everybody in each. Nothing is drawn here: every station draws its own lots."""
        chosen = read_options(self.options, settings)
        least, most = self.min_players, self.max_players
        if not least <= players <= most:
            text = marked("A station takes %(least)s to %(most)s players, not %(players)s.")
            raise PairingError(sentence(text, least=least, most=most, players=players))
        matches = {"seeding": knockout.LOTS, "pairs": knockout.CROSSED, "first_colour": "lots"}
        matches |= {key: chosen[key] for key in MATCH_KEYS}
        field = tuple(range(1, players + 1))
        return tuple(
            PlannedStage(f"Station {number}", number, "knockout", matches, field)
            for number in range(1, chosen["stations"] + 1)
        )

    def qualified(self, settings: Mapping[str, Any], places: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Nobody is out for the next station: empty."""
        return ()
