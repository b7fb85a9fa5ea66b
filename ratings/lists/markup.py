"""Small parts of lists that stand in every row, written without a template each time."""

from collections.abc import Sequence
from functools import lru_cache

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubrating.ground.figures import MINUS, round_half_away, signed, signed_tenths
from clubrating.web.formatting import written
from ratings.lists.sparks import HEIGHT, WIDTH, Stop, draw
from ratings.lists.words import grade_words
from ratings.systems.rules import Listing


def probation_chip(games: int, of: int, *, at_entry: bool = False, told: bool = False) -> SafeString:
    """The words, the bar and the count of somebody on probation, as `{% probation %}` writes them: now, or `at_entry`
    to an event. `told`: by evidence, as many games between equals as the rated ones are worth."""
    return _chip(games, of, at_entry, told, get_language())


@lru_cache(maxsize=1000)
def _chip(games: int, of: int, at_entry: bool, told: bool, _language: str | None) -> SafeString:
    # There are as many of them as games on probation, and every list shows some.
    return format_html(
        '<span class="probation">{words} <svg class="progress" viewBox="0 0 {of} 1" preserveAspectRatio="none"'
        ' role="img" aria-label="{label}"><rect class="track" width="{of}" height="1"/>'
        '<rect class="fill" width="{games}" height="1"/></svg> <span>{games}/{of}</span></span>',
        words=_("on probation at entry") if at_entry else _("on probation"),
        label=(_("as much as %(games)s of %(of)s games between equals") if told else _("%(games)s of %(of)s games"))
        % {"games": games, "of": of},
        games=games,
        of=of,
    )


def rating_in_table(value: float, *, provisional: bool) -> SafeString:
    """A rating in a table's cell, with the mark while on probation."""
    mark = "?" if provisional else ""
    return mark_safe(f'{round_half_away(value)}<span class="mark" aria-hidden="true">{mark}</span>')


def figure_of(value: float, digits: int) -> str:
    """What a list shows, to its number of decimals."""
    if not digits:
        return str(round_half_away(value))
    text = written(f"{abs(value):.{digits}f}")
    return f"{MINUS}{text}" if round(value, digits) < 0 else text


def change_figure(change: float, digits: int) -> str:
    """A change in such a list, with its sign."""
    return written(signed_tenths(change)) if digits else signed(change)


def listed_figure(listing: Listing, rating: float, deviation: float | None) -> str:
    """What a list shows of a rating."""
    return figure_of(listing.value(rating, deviation), listing.digits)


def listed_in_table(listing: Listing, rating: float, deviation: float | None, *, provisional: bool) -> SafeString:
    """What a list shows of a rating in a table's cell; of a cautious list with the rating and two deviations below, of
    a list of go with the grade."""
    if listing.grades:
        points = rating_in_table(rating, provisional=provisional)
        return mark_safe(f'{points}<span class="sub always nowrap">{grade_words(rating)}</span>')
    if not listing.deviations:
        return rating_in_table(rating, provisional=provisional)
    mark = "?" if provisional else ""
    shown = listed_figure(listing, rating, deviation)
    return mark_safe(
        f'{shown}<span class="mark" aria-hidden="true">{mark}</span>'
        f'<span class="sub always nowrap">{spread_of(listing, rating, deviation)}</span>'
    )


def spread_of(listing: Listing, rating: float, deviation: float | None) -> str:
    """The rating with two deviations to either side: the true strength lies there 19 times in 20."""
    spread = 2.0 * (listing.unknown if deviation is None else deviation)
    return f"{figure_of(rating, listing.digits)} ± {figure_of(spread, listing.digits)}"


def rating_in_text(value: float | None, *, provisional: bool) -> SafeString:
    """A rating in running text, with mark and word while on probation; nothing for none."""
    if value is None and not provisional:
        return mark_safe("")
    shown = "–" if value is None else round_half_away(value)
    if not provisional:
        return format_html('<span class="alt nowrap">{}</span>', shown)
    return format_html(
        '<span class="alt provisional"><span class="nowrap">{}<span class="mark">?</span></span>'
        ' <span class="word">{}</span></span>',
        shown,
        _("on probation"),
    )


def spark(stops: Sequence[Stop]) -> SafeString | str:
    """The trend through those ratings as a line, with its ends in words; a dash for less than two."""
    if len(stops) < 2:
        return "–"
    drawn = draw(stops)
    games = len(stops) - 1
    said = {"first": round_half_away(stops[0].rating), "last": round_half_away(stops[-1].rating), "games": games}
    label = ngettext(
        "from %(first)s to %(last)s in %(games)s game", "from %(first)s to %(last)s in %(games)s games", games
    )
    lines = "".join(
        [f'<polyline class="line{_kind(line.provisional)}" points="{line.points}"/>' for line in drawn.strokes]
    )
    return mark_safe(
        f'<svg class="spark" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label % said)}">{lines}'
        f'<circle class="dot{_kind(stops[-1].provisional)}" cx="{drawn.x}" cy="{drawn.y}" r="2"/></svg>'
    )


def _kind(provisional: bool) -> str:
    return " provisional" if provisional else ""
