"""Words and signs of matches of teams: how far a match is, its score, what it was to a side, penalties."""

from collections.abc import Mapping

from django import template
from django.template.context import RequestContext
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubrating.ground.figures import MINUS, points_text
from clubrating.web.formatting import day_text, written
from players.privacy.rules import NOBODY
from tournaments.event_pages import cells
from tournaments.events.selectors.event_data import Entrant
from tournaments.models import Team, TeamPenalty
from tournaments.standings.points import seen_from_black
from tournaments.standings.team_event import TeamScoring
from tournaments.standings.tiebreaks.base import Rule, Worth
from tournaments.teams.selectors.facts import BoardFacts, MatchFacts, TeamFacts
from tournaments.teams.selectors.leagues import Moves
from tournaments.teams.selectors.matches import MatchState, Outcome, has_score, state_of_match
from tournaments.templatetags.cards import worth_cell
from tournaments.templatetags.events import boxes

register = template.Library()
MATCH_UNIT = 2  # match points are kept in halves
ARROWS = {"up": "▲", "down": "▼"}


@register.filter
def match_points(points: int) -> str:
    """Match points as they are shown: 2, 1½."""
    return signed_points(points, MATCH_UNIT)


def signed_points(points: int, unit: int) -> str:
    """Points with a true minus where a penalty took more than there were."""
    text = written(points_text(abs(points), unit))
    return f"{MINUS}{text}" if points < 0 else text


@register.simple_tag
def game_points(points: int, facts: TeamFacts) -> str:
    """{% game_points row.standing.score.game_points facts %}: in the event's point system."""
    return signed_points(points, facts.event.scoring.points.unit)


@register.simple_tag
def team_link(team: Team | None) -> SafeString:
    """{% team_link team %}: the name, linked to the team's page; a team that is not known yet in words."""
    if team is None:
        return format_html('<span class="alt">{}</span>', _("to come"))
    return format_html('<a class="name" href="{}"><bdi>{}</bdi></a>', team.get_absolute_url(), team.name)


@register.simple_tag
def team_moves(moves: Mapping[int, Moves] | str, team: Team) -> SafeString:
    """{% team_moves moves row.team %}: how it came from the season before and went into the next; nothing where no
    moves are given."""
    found = moves.get(team.pk) if isinstance(moves, Mapping) else None
    if found is None:
        return SafeString("")
    came = {"up": _("came up"), "down": _("came down")}.get(found.came)
    went = {"up": _("went up"), "down": _("went down")}.get(found.went)
    signed = [(found.came, came), (found.went, went)]
    line = '<span class="alt nowrap"> <span class="move {}" aria-hidden="true">{}</span> {}</span>'
    return format_html_join("", line, ((way, ARROWS[way], words) for way, words in signed if words))


@register.filter
def match_address(match: MatchFacts, slug: str) -> str:
    """{{ match|match_address:tournament.slug }}: where its page stands."""
    return reverse("tournaments:match", args=[slug, match.round.number, match.row.number])


@register.filter
def match_state(match: MatchFacts) -> str:
    """How far a match is, in words."""
    state = state_of_match(match)
    handed = len(match.line_ups)
    words = {
        MatchState.BYE: _("no opponent in this round"),
        MatchState.DEFAULTED: str(match.row.get_absent_display()),
        MatchState.RULED: _("decided by the arbiter"),
        MatchState.FINISHED: _("finished"),
        MatchState.PLAYING: _("being played"),
        MatchState.READY: _("line-ups are in"),
        MatchState.POSTPONED: _("postponed, no new day yet"),
        MatchState.LINE_UPS: _("line-ups are in") if handed > 1 else _("one line-up is in"),
        MatchState.PLANNED: _("line-ups are not in yet"),
    }
    return words[state]


@register.filter
def is_live(match: MatchFacts) -> bool:
    """Whether the match is being played."""
    return state_of_match(match) == MatchState.PLAYING


@register.simple_tag
def match_score(match: MatchFacts, facts: TeamFacts) -> str:
    """{% match_score match facts %}: the boards added up, or what was awarded; a dash before the first result."""
    if not has_score(match):
        return "–"
    return _score(*match.game_points, facts.event.scoring.points.unit)


@register.simple_tag
def own_score(outcome: Outcome, facts: TeamFacts) -> str:
    """{% own_score outcome facts %}: the same, one's own side first."""
    if not has_score(outcome.match):
        return "–"
    return _score(outcome.own, outcome.other, facts.event.scoring.points.unit)


@register.filter
def form_class(outcome: Outcome) -> str:
    """The looks of a match in a line of the last ones."""
    return outcome.kind if outcome.kind in ("won", "drawn", "lost") else "open"


@register.filter
def form_letter(outcome: Outcome) -> str:
    """The letter of a match in a line of the last ones."""
    letters = {
        "won": pgettext("matches", "W"),
        "drawn": pgettext("matches", "D"),
        "lost": pgettext("matches", "L"),
        "bye": "–",
    }
    return letters.get(outcome.kind, "·")


@register.filter
def kind_words(outcome: Outcome) -> str:
    """What a match was to a side, in a word."""
    words = {"won": _("won"), "drawn": _("drawn"), "lost": _("lost"), "bye": _("bye"), "open": _("open")}
    return words[outcome.kind]


@register.simple_tag
def board_boxes(board: BoardFacts) -> SafeString:
    """{% board_boxes board %}: the result with the home team on the left."""
    if board.game is not None:
        return boxes(board.result if board.home_is_white else seen_from_black(board.result))
    home, away = ("+", MINUS) if board.home and not board.away else (MINUS, "+")
    won = ("won", "lost") if home == "+" else ("lost", "won")
    both = (
        '<span class="result"><span class="{}">{}</span><span class="{}">{}</span></span> <span class="alt">{}</span>'
    )
    return format_html(both, won[0], home, won[1], away, _("not played"))


@register.simple_tag(takes_context=True)
def seat(context: RequestContext, person: Entrant | None) -> SafeString:
    """{% seat person %}: who sits on a board, with the rating at entry; nobody: in words."""
    if person is None:
        return format_html('<span class="alt">{}</span>', _("nobody"))
    return cells.side(person, context.get("viewer") or NOBODY, "")


@register.simple_tag
def tiebreak_cell(rule: Rule, worth: Worth | None, team: Team) -> SafeString | str:
    """{% tiebreak_cell rule worth team %}: the value, linked to where it is worked out."""
    return worth_cell(worth, rule.code, "", team.get_absolute_url())


@register.simple_tag
def tiebreak_below(rule: Rule, worth: Worth | None, team: Team) -> SafeString | str:
    """The same with the code, under the name where columns have left."""
    return "" if worth is None else worth_cell(worth, rule.code, "", team.get_absolute_url(), names_rule=True)


@register.simple_tag
def penalty_words(penalty: TeamPenalty, scoring: TeamScoring) -> str:
    """{% penalty_words penalty scoring %}: −2 match points and −½ game points."""
    values = {
        "match_points": _with_sign(penalty.match_points, MATCH_UNIT),
        "game_points": _with_sign(penalty.game_points, scoring.points.unit),
    }
    if not penalty.game_points:
        return _("match points: %(match_points)s") % values
    if not penalty.match_points:
        return _("game points: %(game_points)s") % values
    return _("match points: %(match_points)s, game points: %(game_points)s") % values


@register.simple_tag
def ruling_words(match: MatchFacts, facts: TeamFacts) -> str:
    """{% ruling_words match facts %}: which points the arbiter gave, and why."""
    row = match.row
    if row.ruled_home is None or row.ruled_away is None:
        return ""
    values: dict[str, object] = {"reason": row.ruling, "match": _score(row.ruled_home, row.ruled_away, MATCH_UNIT)}
    if row.ruled_home_games is None or row.ruled_away_games is None:
        return _("decided by the arbiter, %(match)s match points. %(reason)s") % values
    values["games"] = _score(row.ruled_home_games, row.ruled_away_games, facts.event.scoring.points.unit)
    return _("awarded by the arbiter, %(games)s game points and %(match)s match points. %(reason)s") % values


def _score(home: int, away: int, unit: int) -> str:
    return " : ".join(written(points_text(points, unit)) for points in (home, away))


def _with_sign(points: int, unit: int) -> str:
    return signed_points(points, unit) if points < 0 else f"+{signed_points(points, unit)}"


@register.simple_tag
def moved_words(match: MatchFacts) -> str:
    """{% moved_words match %}: that a match has another day than the one it was first planned for; else nothing."""
    first = match.row.first_planned
    if match.row.postponed or first is None or first == match.row.played_on:
        return ""
    return _("postponed from %(first)s") % {"first": day_text(first, "near")}
