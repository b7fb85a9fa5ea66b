"""Who takes part in the study of sides: Elo in its ways to rate a contest, TrueSkill and Weng–Lin, and a floor."""

from dataclasses import replace
from statistics import fmean
from typing import Any

from clubrating.ground.marks import marked
from ratings.lab.contenders import WENG_LIN_KINDS, Contender, contender
from ratings.lab.sides_world import LEVEL, SidesWorld
from ratings.systems.elo import Elo, EloSettings, sides_rule
from ratings.systems.elo_sides import side_rating
from ratings.systems.sides import ContestRater, MemberFigures, PlayedContest, States

K = 32.0


class WinnerOnly(Elo):
    """The floor: whoever is alone in first place plays one game against the mean of the other sides, who lose the same
    together. The other places tell nothing."""

    key = "elo-winner"

    def contest_rater(self, settings: EloSettings) -> ContestRater:
        rule = sides_rule(settings)

        def rate(contest: PlayedContest, states: States) -> list[list[MemberFigures]]:
            nothing = [[MemberFigures()] * len(side) for side in states]
            if contest.outcome(1) < 1.0:
                return nothing
            first, *others = [side_rating([state.rating for state in side]) for side in states]
            gain = settings.k * (1.0 - rule.expectation(first, fmean(others)))
            for at, side in enumerate(states):
                for state in side:
                    state.rating += gain if at == 0 else -gain / len(others)
            return nothing

        return rate


def elo(key: str, name: str, **settings: Any) -> Contender:
    return contender(key, name, "elo", {"preset": "constant", "k": K} | settings)


CONTENDERS: tuple[Contender, ...] = (
    elo("elo-mean", marked("Elo, mean of members, K/(n − 1)")),
    elo("elo-half", marked("Elo, mean of members, 2K/n"), normaliser="half"),
    elo("elo-none", marked("Elo, mean of members, K a pair"), normaliser="none"),
    elo("elo-sum", marked("Elo, sum of members"), sides="sum", start=LEVEL),
    replace(elo("elo-winner", marked("Elo, the winner only")), system=WinnerOnly()),
    contender("trueskill", marked("TrueSkill"), "trueskill"),
    contender("weng-lin", marked("Weng–Lin"), "weng-lin"),
    *WENG_LIN_KINDS,
)
# Of two sides each of the others says what one of these says; where everybody is alone, mean and sum are the same.
OF_TWO = ("elo-mean", "elo-sum", "trueskill", "weng-lin")


def contenders_in(world: SidesWorld) -> list[Contender]:
    """Those who differ there, TrueSkill knowing how often equals tie, as a club would know it."""
    is_of_two = all(len(shape) == 2 for shape in world.shapes)
    is_alone = all(max(shape) == 1 for shape in world.shapes)
    found = [
        each
        for each in CONTENDERS
        if (each.key in OF_TWO or not is_of_two) and not (each.key == "elo-sum" and is_alone)
    ]
    return [
        replace(each, settings=replace(each.settings, draw_probability=world.draws))
        if each.key == "trueskill"
        else each
        for each in found
    ]


def same_of_two(key: str) -> str:
    """Who says the same in games of two players."""
    return next(each for each in OF_TWO if each.partition("-")[0] == key.partition("-")[0])
