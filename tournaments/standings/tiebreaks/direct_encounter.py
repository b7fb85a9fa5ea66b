"""Direct encounter: who is tied is ranked by the games against each other.

Source: FIDE C.07 art. 6. Where all have met, the table of these games decides, and once more among those it leaves
tied. In a Swiss where some have not, whoever stays alone on top of it whatever the missing games would bring is ranked
first, the same goes for second, and so on; then once more among the rest (6.3). Forfeits count in a round robin, in a
Swiss only with /P; of several games against one opponent the average counts.
In a round robin still running the games so far decide. Where nobody is parted from anybody, nobody has a place.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import groupby

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Part, Rule, Worth
from tournaments.standings.tiebreaks.unplayed import turns_of

# Average points taken from each opponent met, and the round of the first game.
Encounters = Mapping[int, tuple[int, Fraction]]
Tier = tuple[int, ...]


class DirectEncounter(Rule):
    base = "DE"
    name = marked("Direct encounter")
    rule = marked("Place by the games of those who are tied against each other.")
    takes = "P"
    scored = True
    low_first = True

    def places(self, group: Collection[int], contest: Contest) -> Mapping[int, Worth]:
        met = encounters(group, contest, as_played=self.modifiers.as_played)
        tiers = tiers_of(tuple(sorted(group)), met, contest)
        worths: dict[int, Worth] = {}
        for tier in tiers if len(tiers) > 1 else ():
            place = Fraction(len(worths) + 1)
            worths |= {player: Worth(place, encounter_parts(met[player], contest), "place") for player in tier}
        return worths


def encounters(group: Collection[int], contest: Contest, *, as_played: bool) -> dict[int, Encounters]:
    """What everybody of the group took from the others of it. `as_played`: forfeits count in a Swiss too (/P)."""
    return {player: _met(player, group, contest, as_played) for player in group}


def _met(player: int, group: Collection[int], contest: Contest, as_played: bool) -> Encounters:
    games: dict[int, list[tuple[int, int]]] = {}
    for turn in turns_of(contest)[player]:
        if turn.opponent in group and (not contest.swiss or turn.played or as_played):
            games.setdefault(turn.opponent, []).append((turn.round, turn.points))
    return {
        opponent: (own[0][0], Fraction(sum(points for _round, points in own), len(own)))
        for opponent, own in games.items()
    }


def tiers_of(group: Tier, met: Mapping[int, Encounters], contest: Contest) -> list[Tier]:
    """The group in parts, best first; each stays tied."""
    if len(group) == 1:
        return [group]
    all_met = all(opponent in met[player] for player in group for opponent in group if opponent != player)
    if all_met or not contest.swiss:
        tiers = _by_score(group, met)
        return tiers if len(tiers) == 1 else [part for tier in tiers for part in tiers_of(tier, met, contest)]
    sure = _sure_places(group, met, contest)
    if not sure:
        return [group]
    rest = tuple(player for player in group if player not in sure)
    return [*((player,) for player in sure), *tiers_of(rest, met, contest)]


def _by_score(group: Tier, met: Mapping[int, Encounters]) -> list[Tier]:
    def order(player: int) -> Fraction:
        return -_score(player, group, met)

    return [tuple(tier) for _score_of, tier in groupby(sorted(group, key=order), key=order)]


def _sure_places(group: Tier, met: Mapping[int, Encounters], contest: Contest) -> list[int]:
    """Those on top, in order, whom nobody behind can reach: they lose what is missing, the others win it (6.3)."""
    scores = {player: _score(player, group, met) for player in group}
    missing = {player: sum(other not in met[player] for other in group) - 1 for player in group}
    least = {player: scores[player] + missing[player] * contest.points.loss for player in group}
    most = {player: scores[player] + missing[player] * contest.points.win for player in group}
    ordered = sorted(group, key=lambda player: -least[player])
    sure: list[int] = []
    for at, player in enumerate(ordered[:-1]):
        if least[player] <= max(most[other] for other in ordered[at + 1 :]):
            return sure
        sure.append(player)
    return [*sure, ordered[-1]]


def _score(player: int, group: Tier, met: Mapping[int, Encounters]) -> Fraction:
    return sum((met[player][other][1] for other in group if other in met[player]), Fraction(0))


def encounter_parts(own: Encounters, contest: Contest) -> tuple[Part, ...]:
    """A part for each opponent met, in order of rounds."""
    games = sorted((number, opponent, points) for opponent, (number, points) in own.items())
    return tuple(Part(number, opponent, points / contest.points.unit) for number, opponent, points in games)
