"""Cells of the event tables, as text rather than templates: a page of sixty players has a thousand of them.

Names come from `shown_name`, as everywhere; words that stand in templates too have one and the same sentence there.
"""

from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubrating.ground.figures import points_text, round_half_away
from players.people.markup import player_link
from players.privacy.rules import Viewer, shown_name
from tournaments.events.selectors.event_data import BoardData, Entrant
from tournaments.templatetags.cards import card_address
from tournaments.templatetags.events import boxes, marks, part_name

_MARK = mark_safe('<span class="mark" aria-hidden="true">?</span>')
_NO_MARK = mark_safe('<span class="mark" aria-hidden="true"></span>')


def link(person: Entrant, viewer: Viewer, slug: str) -> SafeString:
    """The shown name, linked to the card of the event; without a number to the player's page, as everywhere."""
    address = card_address(slug, person)
    if not address:
        return player_link(person.player, viewer)
    return format_html('<a class="name" href="{}"><bdi>{}</bdi></a>', address, shown_name(person.player, viewer))


def figure(person: Entrant) -> SafeString:
    """The rating at entry, the probation mark after it: 1549?"""
    value = "–" if person.rating is None else round_half_away(person.rating)
    return format_html("{}{}", value, _MARK if person.provisional else _NO_MARK)


def with_state(person: Entrant, viewer: Viewer, slug: str) -> SafeString:
    """Name, probation in words with its bar, and when somebody came late or left."""
    parts = [link(person, viewer, slug)]
    if person.provisional:
        parts.append(_probation(person.games or 0, person.of, get_language() or ""))
    parts += [format_html('<span class="badge">{}</span>', words) for words in _absences(person)]
    return mark_safe(" ".join(parts))


def _absences(person: Entrant) -> list[str]:
    words = []
    if person.first_round > 1:
        words.append(_("from round %(number)s") % {"number": person.first_round})
    if person.withdrawn and person.last_round:
        words.append(_("withdrawn after round %(number)s") % {"number": person.last_round})
    elif person.withdrawn:
        words.append(_("withdrawn"))
    return words


@lru_cache(maxsize=512)
def _probation(games: int, of: int, _language: str) -> SafeString:
    return mark_safe(render_to_string("ratings/_probation.html", {"games": games, "of": of}).strip())


@lru_cache(maxsize=512)
def _figure_in_text(value: int, provisional: bool, _language: str) -> SafeString:
    context = {"value": value, "provisional": provisional}
    return mark_safe(render_to_string("ratings/_rating.html", context).strip())


def side(person: Entrant, viewer: Viewer, slug: str, so_far: str = "") -> SafeString:
    """A side of a board: the name with its rating; below it, where columns have left, what it has `so_far`."""
    rating = ""
    if person.rating is not None:
        rating = _figure_in_text(round_half_away(person.rating), person.provisional, get_language() or "")
    below = format_html('<span class="sub">{}</span>', so_far) if so_far else ""
    return format_html("{} {}{}", link(person, viewer, slug), rating, below)


def so_far(points: int, unit: int) -> str:
    """Points before a round, in words: 2½ so far."""
    return _("%(points)s so far") % {"points": points_text(points, unit)}


def games_words(games: int) -> str:
    return ngettext("%(games)s game", "%(games)s games", games) % {"games": games}


def below_a_standing(
    person: Entrant, played: int, change: str, ties: tuple[tuple[str, SafeString | str], ...]
) -> SafeString:
    """What stands under the name where columns have left: rating, games and change, then the tie-breaks."""
    said = [figure(person), games_words(played), *([change] if change else [])]
    facts = format_html_join(mark_safe(" · "), "{}", ((words,) for words in said))
    if not ties:
        return format_html('<span class="sub">{}</span>', facts)
    worths = format_html_join("", '<span class="{}">{}</span>', ties)
    return format_html('<span class="sub">{}</span><span class="ties">{}</span>', facts, worths)


def below_an_entry(person: Entrant) -> SafeString:
    """What stands under the name in the list of entries where columns have left: group and rated games."""
    said = [part_name(person.group)] if person.group else []
    if person.games is None:
        said.append(_("unrated"))
    else:
        words = ngettext("%(games)s rated game", "%(games)s rated games", person.games)
        said.append(words % {"games": person.games})
    return format_html('<span class="sub">{}</span>', " · ".join(said))


def board_result(board: BoardData, why: str, wrong: SafeString | None = None) -> SafeString:
    """Both boxes, the armageddon game where there was one, and the ways to why these two meet, where that address is
    given, and to saying that the result is `wrong`."""
    parts = [boxes(board.result)]
    if board.armageddon:
        parts.append(format_html('<span class="alt">{} {}</span>', _("armageddon"), marks(board.armageddon)))
    elif board.waits:
        parts.append(format_html('<span class="alt">{}</span>', _("armageddon to come")))
    if why:
        label = _("Why this pairing on board %(number)s?") % {"number": board.board}
        words = '<a class="note on-screen" rel="nofollow" href="{}" aria-label="{}">{}</a>'
        parts.append(format_html(words, why, label, _("why?")))
    if wrong:
        parts.append(format_html("{}", wrong))
    return mark_safe(" ".join(parts))
