"""What somebody needs, in words an amateur understands."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubrating.ground.figures import points_text
from clubrating.web.formatting import written
from players.refusals import listed
from tournaments.forecast.clinching import WIN
from tournaments.forecast.knockout_playouts import Reach
from tournaments.forecast.needs import Line, Needs, Verdict
from tournaments.forecasts.selectors.needs import NeedsAnswer

FEW_GAMES = 2  # of one's own: every combination is listed, with more only those that are enough


@dataclass(frozen=True, slots=True)
class NeedLine:
    """A combination of results in words, one for each opponent, and what it is worth."""

    results: tuple[str, ...]
    worth: str
    is_sure: bool


def goal_words(top: int) -> str:
    """What is wanted, as a choice of a form: first place, among the first three."""
    return _("first place") if top == 1 else _("among the first %(top)s") % {"top": top}


def sentences(known: NeedsAnswer, *, counts_halves: bool) -> list[str]:
    """What there is to say, the most important first. `counts_halves`: a win is a point and a draw half of one."""
    if known.verdict is Verdict.SURE:
        return [_("Reached, whatever happens.")]
    if known.verdict is Verdict.LOST:
        return [_("Out of the race: not to be reached any more.")]
    if known.reach is not None:
        return []
    if known.needs is None and known.asks:
        return [_("On points alone nothing is certain yet; the endings tell more.")]
    if known.needs is None:
        return [_("Still open: on points alone nothing is certain yet, one way or the other.")]
    return _of_needs(known.needs, counts_halves=counts_halves)


def _of_needs(needs: Needs, *, counts_halves: bool) -> list[str]:
    games = len(needs.opponents)
    has_open = any(line.verdict is Verdict.OPEN for line in needs.lines)
    if not games:
        return [_("All own games are played: it is for the others now.")]
    if len(needs.lines) == 1:
        return [_("Still open.")]
    said = [_enough(needs, games, counts_halves=counts_halves, has_open=has_open)]
    if counts_halves and needs.least and not has_open:
        said.append(_least(needs.least, games))
    if has_open:
        said.append(_("Where points are level the tie-breaks decide."))
    return said


def _enough(needs: Needs, games: int, *, counts_halves: bool, has_open: bool) -> str:
    if not needs.in_own_hands:
        if has_open:
            return _("Depends on the tie-breaks, or on help from others.")
        return _("Needs help: no result of one’s own is enough by itself.")
    if not counts_halves or needs.enough is None:
        return _("Some results are enough whatever the others do; the table tells which.")
    if games == 1:
        won = _("A win is enough, whatever the others do.")
        return won if needs.enough == WIN else _("A draw is enough, whatever the others do.")
    if needs.enough == WIN * games:
        return _("Winning all %(games)s games to come is enough, whatever the others do.") % {"games": games}
    words = {"points": written(points_text(needs.enough)), "games": games}
    if needs.enough <= WIN:
        return _("%(points)s point from the %(games)s games to come is enough, whatever the others do.") % words
    return _("%(points)s points from the %(games)s games to come are enough, whatever the others do.") % words


def _least(least: int, games: int) -> str:
    if games == 1:
        return _("Without a win there is no chance.") if least == WIN else _("A loss ends all chances.")
    words = {"points": written(points_text(least)), "games": games}
    return _("With less than %(points)s from those %(games)s games there is no chance.") % words


def need_lines(needs: Needs) -> list[NeedLine]:
    """The combinations a page lists, best first: all of them where own games are few, else those that are enough, none
    of which only betters another."""
    shown: Sequence[Line] = needs.lines if len(needs.opponents) <= FEW_GAMES else needs.sure_lines
    ordered = sorted((line for line in shown if line.own), key=lambda line: (-line.halves, line.own))
    return [
        NeedLine(
            tuple(result_word(halves) for halves in line.own),
            worth_words(line.verdict, _("tie-breaks decide")),
            line.verdict is Verdict.SURE,
        )
        for line in ordered
    ]


def result_word(halves: int) -> str:
    """A result of one's own, by its half-points."""
    return {2: _("win"), 1: _("draw"), 0: _("loss")}[halves]


def worth_words(verdict: Verdict, undecided: str) -> str:
    """What a combination of results is worth; `undecided`: in words, what decides where points are level."""
    return {
        Verdict.SURE: _("is enough"),
        Verdict.HELP: _("needs help"),
        Verdict.LOST: _("not enough"),
        Verdict.OPEN: undecided,
    }[verdict]


def reach_words(reach: Reach, top: int) -> list[str]:
    """Of a knockout: the places that can still come, and how many matches in a row must be won."""
    said = []
    wins = reach.wins_for(top)
    if wins == 1:
        said.append(_("Winning the next match is enough."))
    elif wins:
        said.append(_("Winning the next %(wins)s matches in a row is enough.") % {"wins": wins})
    ranges = listed(f"{first}" if first == last else f"{first}–{last}" for first, last in reach.places)
    said.append(_("Places that can still come: %(places)s.") % {"places": ranges})
    return said
