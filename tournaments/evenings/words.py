"""Why a board is proposed, in words."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.figures import round_half_away
from tournaments.evenings.selectors import Told
from tournaments.forecast.learning import GAP
from tournaments.pairing.evening import RECENT


def reasons(told: Told) -> list[str]:
    """What speaks for it, the question first, then the bounds that are kept."""
    return [*_asked(told), *_kept(told)]


def broken(told: Told) -> list[str]:
    """The bounds that could not be kept on all boards of the evening, and are not on this one."""
    found = {
        _("met less than %(days)s days ago") % {"days": RECENT}: told.again,
        _("colours get uneven"): told.uneven,
        _("more than %(points)s points apart") % {"points": round(GAP)}: told.far,
    }
    return [words for words, is_so in found.items() if is_so]


def _asked(told: Told) -> Iterator[str]:
    if told.firsts:
        one, other = map(_percent, told.firsts)
        yield _("chances of the first place: %(one)s %% and %(other)s %%") % {"one": one, "other": other}
    if told.above >= 0.5:
        yield _("who stands higher is the stronger: %(share)s %%") % {"share": _percent(told.above)}
    else:
        yield _("who stands lower is the stronger: %(share)s %%") % {"share": _percent(1.0 - told.above)}
    for games in told.few:
        yield ngettext("newcomer with %(count)s rated game", "newcomer with %(count)s rated games", games) % {
            "count": games
        }


def _kept(told: Told) -> Iterator[str]:
    if told.ago is None:
        yield _("not met for a year")
    elif not told.again:
        yield ngettext("not met for %(count)s day", "not met for %(count)s days", told.ago) % {"count": told.ago}
    if not told.far:
        points = round_half_away(told.gap)
        yield ngettext("%(count)s point apart", "%(count)s points apart", points) % {"count": points}


def _percent(share: float) -> int:
    """Nothing is believed for certain."""
    return min(max(round_half_away(100.0 * share), 1), 99)
