"""Cells of the event tables, as text rather than templates: a page of sixty players has a thousand of them."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.figures import MINUS, fraction_text, points_text, round_half_away
from clubrating.web.formatting import day_text, written
from players.people.markup import name_in_text, player_link
from players.privacy.rules import Viewer
from players.refusals import listed, sign
from ratings.lists.markup import probation_chip, rating_in_text
from tournaments.event_list.selectors import EventLine, Progress, State
from tournaments.event_pages.selectors.formats import KeizerPlace, LadderPlace
from tournaments.event_pages.selectors.series import SeriesPlace, SeriesResult
from tournaments.events.selectors.event_data import BoardData, Entrant
from tournaments.models import Game, Tournament
from tournaments.results.selectors import footnote_text
from tournaments.results.words import handicap_words
from tournaments.standings.table_series import SeriesRules, TieBreak
from tournaments.templatetags.cards import card_link
from tournaments.templatetags.events import boxes, event_dates, format_name, keizer_gain, marks, part_name

_MARK = mark_safe('<span class="mark" aria-hidden="true">?</span>')
_NO_NUMBERS: Mapping[int, int] = MappingProxyType({})
_NO_MARK = mark_safe('<span class="mark" aria-hidden="true"></span>')


def slug_of(table: Any) -> str:
    """The event of the page that renders the table just now; empty on a page about none."""
    tournament = getattr(table, "context", {}).get("tournament")
    return tournament.slug if isinstance(tournament, Tournament) else ""


def figure(person: Entrant) -> SafeString:
    """The rating at entry, the probation mark after it: 1549?"""
    value = "–" if person.rating is None else round_half_away(person.rating)
    return format_html("{}{}", value, _MARK if person.provisional else _NO_MARK)


def figure_in_words(person: Entrant) -> SafeString | str:
    """The same where no head says whose moment it is: 1549? at entry."""
    return _("unrated") if person.rating is None else format_html(_("{rating} at entry"), rating=figure(person))


def with_state(person: Entrant, viewer: Viewer, slug: str) -> SafeString:
    """Name, probation in words with its bar, and when somebody came late or left."""
    parts = [card_link(person, viewer, slug)]
    if person.provisional:
        parts.append(probation_chip(person.done or 0, person.of, at_entry=True, told=person.by_evidence))
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


def side(person: Entrant, viewer: Viewer, slug: str, so_far: str = "") -> SafeString:
    """A side of a board: the name with its rating; below it, where columns have left, what it has `so_far`."""
    rating = "" if person.rating is None else rating_in_text(person.rating, provisional=person.provisional)
    below = format_html('<span class="sub">{}</span>', so_far) if so_far else ""
    return format_html("{} {}{}", card_link(person, viewer, slug), rating, below)


def so_far(points: int, unit: int) -> str:
    """Points before a round, in words: 2½ so far."""
    return _("%(points)s so far") % {"points": points_text(points, unit)}


def games_words(games: int) -> str:
    return ngettext("%(games)s game", "%(games)s games", games) % {"games": games}


def below_a_standing(
    person: Entrant, played: int, change: str, ties: tuple[tuple[str, SafeString | str], ...]
) -> SafeString:
    """What stands under the name where columns have left: rating, games and change, then the tie-breaks."""
    said = [figure_in_words(person), games_words(played), *([change] if change else [])]
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
        words = ngettext("%(games)s rated game at entry", "%(games)s rated games at entry", person.games)
        said.append(words % {"games": person.games})
    return format_html('<span class="sub">{}</span>', " · ".join(said))


def handicap_mark(stones: int, komi: float | None) -> SafeString:
    """Stones and komi under a result."""
    return format_html('<span class="sub always nowrap">{}</span>', handicap_words(stones, komi))


def footnote_mark(game: int, numbers: Mapping[int, int]) -> SafeString:
    """The number of a game's note, which leads to it below the table; nothing where it has none."""
    if game not in numbers:
        return mark_safe("")
    words = '<a class="footnote" href="#note-{}"><span class="hidden">{} </span>{}</a>'
    return format_html(words, numbers[game], _("Note"), numbers[game])


def note_below(game: Game, viewer: Viewer) -> SafeString:
    """The note on a game's result, where a list has no place for numbered ones; nothing where there is none."""
    text = footnote_text(game, viewer)
    return format_html('<span class="sub always">{}</span>', text) if text else mark_safe("")


def board_result(
    board: BoardData, why: str, wrong: SafeString | None = None, numbers: Mapping[int, int] = _NO_NUMBERS
) -> SafeString:
    """Both boxes, the number of a note, the armageddon game, and links: to `why` these two meet, and to saying that it
    is `wrong`."""
    parts = [format_html("{}{}", boxes(board.result), footnote_mark(board.key, numbers))]
    if board.score:
        parts.append(format_html('<span class="alt">{}</span>', board.score.replace("-", "–")))
    if board.handicap:
        parts.append(handicap_mark(*board.handicap))
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


def long_day(day: date) -> str:
    return day_text(day, "long")


def event_link(event: Tournament) -> SafeString:
    return format_html('<a class="name" href="{}">{}</a>', event.get_absolute_url(), event.name)


def event_name(line: EventLine, progress: Progress | None) -> SafeString:
    """An event of the list; below its name, where columns have left, format, days, players and rounds."""
    event = line.tournament
    said: list[SafeString | str] = [format_name(line.stage)]
    if event.starts_on:
        said.append(event_dates(event))
    if line.players:
        words = ngettext("%(people)s player", "%(people)s players", line.players)
        said.append(words % {"people": line.players})
    if progress:
        said.append(_rounds_words(line, progress))
    below = format_html_join(mark_safe(" · "), "{}", ((words,) for words in said))
    return format_html('{}<span class="sub">{}</span>', event_link(event), below)


def _rounds_words(line: EventLine, progress: Progress) -> str:
    """Of a running event the round that is on, of a finished one how many were played."""
    numbers = {"number": progress.current, "done": progress.rounds_done, "rounds": line.planned_rounds}
    if line.state == State.RUNNING:
        words = _("round %(number)s of %(rounds)s") if line.planned_rounds else _("round %(number)s")
        return words % numbers
    if line.planned_rounds:
        return _("%(done)s of %(rounds)s rounds played") % numbers
    return ngettext("%(done)s round played", "%(done)s rounds played", progress.rounds_done) % numbers


def round_now(line: EventLine, progress: Progress | None) -> SafeString | str:
    """The round that is being played or comes next, of how many, and the way to it."""
    if progress is None or not progress.current:
        return "–"
    page = reverse("tournaments:round", args=[line.tournament.slug, progress.current])
    planned = f" / {line.planned_rounds}" if line.planned_rounds else ""
    return format_html('<a href="{}">{}{}</a>', page, progress.current, planned)


def open_event_name(line: EventLine) -> SafeString:
    """An open-ended event; below its name, where columns have left, from its first day to its last."""
    name = event_link(line.tournament)
    if line.last_on is None:
        return name
    days = long_day(line.first_on) if line.first_on else ""
    if line.first_on != line.last_on:
        days = " ".join([days, _("to %(day)s") % {"day": long_day(line.last_on)}])
    return format_html('{}<span class="sub">{}</span>', name, days)


def leader(progress: Progress | None, viewer: Viewer) -> SafeString | str:
    """Who leads an event, or has won it; a dash while nobody does."""
    if progress is None:
        return "–"
    lead = progress.lead
    if progress.teams:
        one, other = progress.teams[:2]
        unit = lead.unit if lead else 2
        return _("Team %(first)s %(above)s : %(below)s team %(second)s") % {
            "first": one.name,
            "above": written(points_text(one.points, unit)),
            "below": written(points_text(other.points, unit)),
            "second": other.name,
        }
    if progress.front:
        parts = [
            format_html('<a class="name" href="{0}"><bdi>{1}</bdi></a>', front.get_absolute_url(), front.name)
            for front in progress.front[:1]
        ]
        return mark_safe(" ".join([*parts, *_and_more(len(progress.front) - 1)]))
    if progress.winner:
        return player_link(progress.winner, viewer)
    if lead is None:
        return "–"
    parts = [player_link(lead.leaders[0], viewer), *_and_more(lead.others)]
    parts.append(format_html('<span class="alt">{}</span>', written(fraction_text(Fraction(lead.points) / lead.unit))))
    return mark_safe(" ".join(parts))


def _and_more(others: int) -> list[SafeString]:
    if not others:
        return []
    words = ngettext("and %(more)s more", "and %(more)s more", others) % {"more": others}
    return [format_html('<span class="alt">{}</span>', words)]


def below_a_keizer_place(place: KeizerPlace, viewer: Viewer) -> SafeString:
    """What stands under the name in a Keizer list: rating, list value and games, and how the points came about."""
    value = _("list value %(value)s") % {"value": written(fraction_text(place.value))}
    words = '<span class="sub">{} · {} · {}</span>'
    facts = format_html(words, figure_in_words(place.entrant), value, games_words(place.played))
    if not place.gains:
        return facts
    gains = [
        keizer_gain(gain, name_in_text(gain.opponent.player, viewer) if gain.opponent else "") for gain in place.gains
    ]
    summary = _("How the points came about")
    details = '<details class="note"><summary>{}</summary><p>{}.</p></details>'
    return format_html("{}{}", facts, format_html(details, summary, sign(", ").join(gains)))


def climb(place: LadderPlace) -> str:
    """Somebody's last climb on a ladder: from 7 to 4, and when; a dash for none."""
    if not place.now:
        return "–"
    words = _("from %(was)s to %(now)s") % {"was": place.was, "now": place.now}
    return f"{words}{sign(', ')}{day_text(place.moved_on)}" if place.moved_on else words


# --- series of tables ---------------------------------------------------------------------------------------------
def series_value(key: TieBreak, place: SeriesPlace, rules: SeriesRules) -> str:
    """A tie-break of a series of tables: 2–1–0 first, second and third places; a score; or +1."""
    value = place.row.values[rules.tie_breaks.index(key)]
    if key == "places":
        return "–".join(f"{count}" for count in value)
    # Values are larger for the better: a score of which the lower wins is told as it was.
    number = -value[0] if key == "score" and rules.lower_is_better else value[0]
    before = MINUS if number < 0 else "+" if number > 0 and (key == "direct" or rules.by == "wins") else ""
    return f"{before}{written(fraction_text(abs(number)))}"


def below_a_series_place(place: SeriesPlace, rules: SeriesRules) -> SafeString:
    """What stands under the name: where columns have left the tables and tie-breaks, and how the points came about."""
    words = ngettext("%(count)s table", "%(count)s tables", place.row.played) % {"count": place.row.played}
    named = {"places": _("places"), "score": _("score"), "direct": _("direct")}
    said = [words, *(f"{named[key]} {series_value(key, place, rules)}" for key in rules.tie_breaks)]
    lines = format_html_join("", "<li>{}</li>", ((_series_result(result),) for result in place.results))
    details = '<span class="sub">{}</span><details class="note"><summary>{}</summary><ul>{}</ul></details>'
    return format_html(details, " · ".join(said), _("How the points came about"), lines)


def _series_result(result: SeriesResult) -> str:
    values = {
        "day": day_text(result.on),
        "place": result.place,
        "sides": result.sides,
        "score": "" if result.score is None else written(fraction_text(Fraction(result.score))),
        "worth": written(fraction_text(result.worth)),
    }
    if result.score is not None:
        words = _("%(day)s: place %(place)s of %(sides)s with a score of %(score)s brings %(worth)s")
    else:
        words = _("%(day)s: place %(place)s of %(sides)s brings %(worth)s")
    notes = [_("shared place")] if result.is_tied else []
    notes += [] if result.counts else [_("does not count")]
    return words % values + (f"{sign(' (')}{listed(notes)}{sign(')')}" if notes else "")
