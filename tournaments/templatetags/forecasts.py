"""How good forecasts were, in words."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.figures import round_half_away
from clubrating.ground.marks import joined
from tournaments.forecasts.selectors.scores import Score

register = template.Library()

FEW = 100  # games; with fewer, chance decides more than skill
EQUAL = 0.005  # share of the loss; smaller differences count as none


@register.filter
def score_sentence(score: Score) -> str:
    """Against the ratings alone and against a coin, and whether there are games enough to say so."""
    games = ngettext("Scored on %(games)s game.", "Scored on %(games)s games.", score.games) % {"games": score.games}
    said = [games, _against_ratings(score), _against_coin(score)]
    if score.games < FEW:
        said.append(_("With so few games chance decides more than skill."))
    return joined(*said)


def _against_ratings(score: Score) -> str:
    skill = score.skill_over_rating
    if abs(skill) < EQUAL:
        return _("The forecasts were as good as the ratings alone.")
    if skill > 0:
        return _("The forecasts were better than the ratings alone: they lost %(share)s %% less.") % _share(skill)
    return _("The forecasts were worse than the ratings alone: they lost %(share)s %% more.") % _share(skill)


def _against_coin(score: Score) -> str:
    skill = score.skill_over_coin
    if abs(skill) < EQUAL:
        return _("A coin would have done as well.")
    if skill > 0:
        return _("Against a coin they saved %(share)s %% of the loss.") % _share(skill)
    return _("A coin would have done better, by %(share)s %% of its loss.") % _share(skill)


def _share(skill: float) -> dict[str, int]:
    return {"share": max(round_half_away(100 * abs(skill)), 1)}
