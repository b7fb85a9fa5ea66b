"""The five rules by which a match of the masters' forecast is decided, in words."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.forecast.masters import Rule


class RuleWords(NamedTuple):
    """A rule's name, short enough for a tab, and what it says."""

    name: Promise
    says: Promise


RULES: Mapping[Rule, RuleWords] = {
    Rule.SCORE_RATE: RuleWords(
        _("Score rate"), _("A player goes on as often as the points a game scored against this opponent so far.")
    ),
    Rule.DECISIVE: RuleWords(
        _("Decisive games"), _("The same without drawn games: won games out of those that had a winner.")
    ),
    Rule.DRAWS: RuleWords(
        _("Draws and a coin"), _("Games are drawn as often as before and rated half a point each; then a coin decides.")
    ),
    Rule.RATING: RuleWords(_("Ratings alone"), _("The expected score by the two ratings; earlier games do not count.")),
    Rule.SHRUNK: RuleWords(
        _("Both together"), _("The score rate, drawn towards the expected score, which counts for ten games.")
    ),
}
