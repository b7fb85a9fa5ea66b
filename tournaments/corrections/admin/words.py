"""What a correction means by the rules of the format, in a sentence an arbiter can read out.

Source: FIDE C.04.2 (a wrong result found later counts from the next pairing on, and no round is paired again), the
kinds of pairing systems in `tournaments.pairing.base`, and the pages of the formats in docs/algorithms.
"""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from tournaments.events.selectors.stages import system_of
from tournaments.models import Game, Stage
from tournaments.pairing.base import BracketSystem, FreeSystem, RoundSystem, ScheduleSystem
from tournaments.pairing.keizer import Keizer


def rules_for(games: Iterable[Game]) -> list[str]:
    """The rules for those games, a sentence for each kind of format; none for games of loaded files."""
    stages = {game.pairing.stage_id: game.pairing.stage for game in games}
    return list(dict.fromkeys(sentence for stage in stages.values() for sentence in _rule_of(stage)))


def _rule_of(stage: Stage) -> Iterator[str]:
    system = system_of(stage)
    if isinstance(system, BracketSystem):
        yield _(
            "Knockout: whoever wins by the corrected result goes on. Where the next match was played already, "
            "you choose whether the bracket follows or stays."
        )
    elif isinstance(system, Keizer):
        yield _(
            "Keizer: all values are worked out anew from the first round on. Rounds that are paired stay as they are."
        )
    elif isinstance(system, RoundSystem):
        yield _(
            "Swiss and other rounds made one by one: the corrected result counts in the standings at once and in the "
            "next pairing; a round that is paired is not paired again (FIDE C.04.2)."
        )
    elif isinstance(system, ScheduleSystem):
        yield _("All rounds were known beforehand: no pairing hangs on the result, only points and tie-breaks move.")
    elif isinstance(system, FreeSystem) and system.ladder:
        yield _("Ladder: the places are worked out anew from this game on.")
    elif isinstance(system, FreeSystem):
        yield _("Free play: nothing was paired from this result, only ratings move.")
