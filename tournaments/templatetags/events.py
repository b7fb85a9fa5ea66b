"""Words and signs of the event pages: formats in words, result boxes, cells of the crosstable, names of rounds."""

from collections.abc import Mapping
from functools import lru_cache

from django import template
from django.template.context import RequestContext
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubrating.ground.figures import fraction_text, points_text
from clubrating.web.formatting import day_text, span_text, written
from players.club.services import scale_of
from players.models import Club, Player
from players.people.markup import player_link
from players.privacy.rules import NOBODY
from players.refusals import sign
from ratings.explain.base import plain
from ratings.lists.selectors.grades import lists_without_stones
from tournaments.event_list.selectors import EventLead
from tournaments.event_pages.selectors.formats import Gain, is_keizer
from tournaments.events.selectors.event_data import BoardData, EventData
from tournaments.knockouts.selectors.brackets import DrawnMatch, Feed
from tournaments.models import BoardGame, ByeKind, Colour, Game, Stage, Tournament
from tournaments.pairing import pairing_system
from tournaments.pairing.base import Remark
from tournaments.pairing.double_elimination import DoubleElimination
from tournaments.results.selectors import footnote_text
from tournaments.rounds.selectors.field import bye_points
from tournaments.rounds.selectors.why import explains
from tournaments.standings.crosstable import Cell
from tournaments.standings.points import OUTCOMES, Result

register = template.Library()

_BOX = {"win": "won", "draw": "drawn", "loss": "lost", None: "open"}


@register.filter
def format_name(stage: Stage) -> str:
    """How the event is played, in words: double round robin."""
    if not stage.pairing_system:
        return _("open-ended")
    if stage.pairing_system == "round-robin":
        return _("double round robin") if stage.settings.get("cycles", 1) == 2 else _("round robin")
    if stage.pairing_system == "knockout":
        games = stage.settings.get("games", 1)
        return _("knockout, best of %(games)s") % {"games": games} if games > 1 else _("knockout")
    words = _(pairing_system(stage.pairing_system).name)
    games = stage.settings.get("games", 1) if stage.pairing_system == DoubleElimination.key else 1
    return _("%(format)s, best of %(games)s") % {"format": words, "games": games} if games > 1 else words


@register.filter
def sides(game: str) -> str:
    """Who begins, and where that side stands on our pages, which say White and Black: nothing where White begins."""
    if game == BoardGame.XIANGQI:
        return _("Red begins and stands where these pages say White.")
    return _("Black begins and stands on the right.") if game == BoardGame.GO else ""


@register.simple_tag
def handicap_note(tournament: Tournament) -> str:
    """Which lists rate the event's games with stones as even ones; nothing for other games, and where all games are."""
    if tournament.game != BoardGame.GO or not tournament.rated:
        return ""
    if not Game.objects.filter(tournament=tournament, handicap__gt=0).exists():
        return ""
    names = [each.shown_name for each in lists_without_stones(tournament.pool)]
    said = _("Games with handicap stones are rated as even ones in: %(lists)s.")
    return said % {"lists": ", ".join(names)} if names else ""


@register.simple_tag
def event_dates(tournament: Tournament) -> SafeString | str:
    """{% event_dates tournament %}: from the first day to the last, or from when; nothing where no day is set."""
    first, last = tournament.starts_on, tournament.ends_on
    if first and last:
        return format_html('<span class="nowrap">{}</span>', span_text(first, last))
    return _("from %(first)s") % {"first": day_text(first, "long")} if first else ""


@register.filter
def importance(factor: float, club: Club | None) -> str:
    """ "× 1.5 (Championship)": a factor on K, with its name on the club's scale where it has one."""
    names = [name for name, value in scale_of(club) if value == factor]
    return f"× {plain(factor)}{sign(' (')}{names[0]}{sign(')')}" if names else f"× {plain(factor)}"


@register.filter
def part_name(name: str) -> str:
    """The name of a part of an event: those the plan gave are translated, an arbiter's own stay."""
    word, _blank, mark = name.partition(" ")
    planned = {"Group": _("Group %(mark)s"), "Station": _("Station %(mark)s"), "Knockout": _("Knockout")}
    known = word in planned and len(mark) <= 2 and bool(mark) == (word != "Knockout")
    return planned[word] % {"mark": mark} if known else name


@register.filter
def bracket_title(part: str) -> str:
    """What a part of a double elimination is called; nothing for the bracket of a knockout."""
    titles = {"winners": _("Winners’ bracket"), "losers": _("Losers’ bracket"), "final": _("Grand final")}
    return titles.get(part, "")


@register.filter
def round_title(name: str) -> str:
    """What a round of a bracket is called: Final, Semi-finals, Round of 16, Losers’ round 2."""
    titles = {
        "final": _("Final"),
        "semi-final": _("Semi-finals"),
        "quarter-final": _("Quarter-finals"),
        "grand-final": _("Grand final"),
        "second-final": _("Second final"),
        "losers-final": _("Losers’ final"),
        "winners-final": _("Winners’ final"),
        "winners-semi-final": _("Winners’ semi-finals"),
        "winners-quarter-final": _("Winners’ quarter-finals"),
    }
    words = _("Round of %(players)s")
    if name.startswith("winners-"):
        words = _("Winners’ round of %(number)s")
    if name.startswith("losers-"):
        words = _("Losers’ round %(number)s")
    number = name.rpartition("-")[2]
    return titles.get(name) or words % {"number": number, "players": number}


@register.filter
def reached(name: str) -> str:
    """The round somebody came to, in running text: the final, the round of 16."""
    words = {
        "final": _("the final"),
        "semi-final": _("a semi-final"),
        "quarter-final": _("a quarter-final"),
        "grand-final": _("the final"),
        "second-final": _("the second final"),
    }
    if name.startswith(("winners-", "losers-")):
        return round_title(name)
    return words.get(name) or _("the round of %(players)s") % {"players": name.rpartition("-")[2]}


@register.filter
def feed_title(feed: Feed) -> str:
    """Where the winners of two matches meet, as short as a phone needs it: Final, SF 1, QF 3, R16 5, L2 3."""
    number = {"number": feed.board, "round": feed.round.rpartition("-")[2]}
    finals = {
        "winners-final": _("WF"),
        "losers-final": _("LF"),
        "grand-final": _("Final"),
        "second-final": _("Final 2"),
    }
    short = {"final": _("Final"), "semi-final": _("SF %(number)s"), "quarter-final": _("QF %(number)s")} | finals
    for name in (feed.round, feed.round.removeprefix("winners-")):
        if name in short:
            return short[name] % number
    if feed.round.startswith("losers-"):
        return _("L%(round)s %(number)s") % number
    return _("R%(players)s %(number)s") % {**number, "players": number["round"]}


@register.filter
def decided_by(match: DrawnMatch) -> str:
    """How a match was decided, where that is not by its classical games; empty else."""
    if match.facts.walk_over:
        return _("walk-over")
    if match.is_unplayed:
        return _("forfeit, not played")
    if match.facts.ruled and not match.facts.is_bye:
        return _("decided by the arbiter")
    ways = {Game.Phase.RAPID: _("after rapid games"), Game.Phase.BLITZ: _("after blitz games")}
    ways[Game.Phase.ARMAGEDDON] = _("after an armageddon game")
    return ways.get(Game.Phase(match.by), "") if match.by else ""


@register.filter
def game_kind(game: BoardData) -> str:
    """The kind of a game in a match: game 3, rapid."""
    words = _("game %(number)s") % {"number": game.number}
    if game.phase != Game.Phase.CLASSICAL:
        words = f"{words}{sign(', ')}{Game.Phase(game.phase).label}"
    return _("%(game)s, after the decision: not rated") % {"game": words} if game.surplus else words


@register.simple_tag(name="result_boxes")
def boxes(result: str) -> SafeString:
    """{% result_boxes result %}: White's and Black's box; the winner's is inked."""
    return _boxes(Result(result), get_language() or "")


@lru_cache(maxsize=128)
def _boxes(result: Result, _language: str) -> SafeString:
    """Cached by result and language: a page shows hundreds of boxes of a dozen results."""
    outcome = OUTCOMES[result]
    is_open = outcome.white is None
    white, black = (mark or "·" for mark in outcome.shown)
    both = format_html(
        '<span class="result"{}><span class="{}">{}</span><span class="{}">{}</span></span>',
        mark_safe(' aria-hidden="true"') if is_open else "",
        *(_BOX[outcome.white], white),
        *(_BOX[outcome.black], black),
    )
    if result == Result.ADJOURNED:
        return format_html('{} <span class="alt">{}</span>', both, _("adjourned"))
    if is_open:
        return format_html('{}<span class="hidden">{}</span>', both, _("no result yet"))
    return both if outcome.played else format_html('{} <span class="alt">{}</span>', both, _("not played"))


@register.filter
def colour_name(colour: str) -> str:
    """White or Black; a dash while there is none."""
    return str(Colour(colour).label)


@register.filter
def marks(result: str) -> str:
    """A result in running text: 1–0, and +/− where it was forfeited."""
    outcome = OUTCOMES[Result(result)]
    return ("–" if outcome.played else "/").join(outcome.shown)


@register.filter
def cell_class(cell: Cell) -> str:
    """The looks of one game in the crosstable, seen from its row."""
    kind = "won" if cell.points > cell.against else "drawn" if cell.points == cell.against > 0 else "lost"
    kind = kind if cell.is_white else f"black {kind}"
    return kind if cell.counts else f"{kind} annulled"


@register.filter
def cell_title(cell: Cell) -> str:
    """When the game was, and with which colour: Round 6, White."""
    words = _("Round %(round)s, White") if cell.is_white else _("Round %(round)s, Black")
    words %= {"round": cell.round}
    return words if cell.counts else _("%(game)s: does not count") % {"game": words}


@register.simple_tag
def distance(points: int, unit: int) -> str:
    """{% distance points unit %}: how far somebody is ahead, in words."""
    if points == unit:
        return _("one point")
    if points * 2 == unit:
        return _("half a point")
    return _("%(points)s points") % {"points": points_text(points, unit)}


@register.simple_tag
def bye_of(kind: str, facts: EventData) -> str:
    """{% bye_of kind facts %}: what a bye of that kind is called in the stage."""
    if facts.is_bracket and kind == ByeKind.ALLOCATED:
        return _("bye: goes on without a match")
    return bye_words(kind, scores=bool(bye_points(facts.stage, ByeKind.ALLOCATED)), keizer=is_keizer(facts))


@register.simple_tag
def score_words(lead: EventLead) -> str:
    """{% score_words lead %}: the leaders' points in words: 2½ out of 3; where a win is not one point: 4 points from
    2 games."""
    figure = points_text(int(lead.points), lead.unit)
    if lead.of_one:
        return _("%(points)s out of %(games)s") % {"points": figure, "games": lead.played}
    few = 1 if 0 < lead.points <= lead.unit else 2
    points = ngettext("%(points)s point", "%(points)s points", few) % {"points": figure}
    games = ngettext("%(games)s game", "%(games)s games", lead.played) % {"games": lead.played}
    return _("%(points)s from %(games)s") % {"points": points, "games": games}


@register.simple_tag
def keizer_gain(gain: Gain, name: str) -> str:
    """{% keizer_gain gain name %}: what a round brought in a Keizer list, in words."""
    words = {
        "win": _("%(worth)s for beating %(name)s"),
        "draw": _("%(worth)s for a draw with %(name)s"),
        "loss": _("nothing for a loss to %(name)s"),
        ByeKind.ALLOCATED: _("%(worth)s for a bye"),
        ByeKind.FULL: _("%(worth)s for a full-point bye"),
        ByeKind.HALF: _("%(worth)s for an excused absence"),
        ByeKind.ZERO: _("nothing for an absence"),
    }
    return words[gain.kind] % {"worth": written(fraction_text(gain.worth)), "name": name}


def bye_words(kind: str, *, scores: bool, keizer: bool = False) -> str:
    """What a bye means, in words. `scores`: an allocated one brings points; `keizer`: one is excused or absent."""
    if keizer:
        absences = {ByeKind.HALF: _("excused"), ByeKind.ZERO: _("absent"), ByeKind.ALLOCATED: _("bye")}
        return absences.get(ByeKind(kind)) or str(ByeKind(kind).label)
    if kind == ByeKind.ALLOCATED:
        return _("bye") if scores else _("bye: a free round, no points")
    return str(ByeKind(kind).label)


# --- wrong results ------------------------------------------------------------------------------------------------
@register.simple_tag
def wrong_link(slug: str, game: int, result: str) -> SafeString:
    """{% wrong_link tournament.slug game.pk game.result %}: nothing where there is no result yet."""
    if not (game and result):
        return mark_safe("")
    address = reverse("tournaments:report", args=[slug, game])
    words = '<a class="note on-screen" rel="nofollow" href="{}" title="{}">{}</a>'
    return format_html(words, address, _("Tell the arbiters that this result is wrong"), _("wrong?"))


@register.simple_tag(takes_context=True)
def footnote(context: RequestContext, game: Game | None) -> str:
    """{% footnote game %}: the note on a game's result, as the viewer may read it; empty where there is none."""
    return footnote_text(game, context.get("viewer") or NOBODY) if game else ""


# --- explanations of pairings -------------------------------------------------------------------------------------
@register.simple_tag(takes_context=True)
def remark(context: RequestContext, row: Remark, people: Mapping[int, Player]) -> SafeString:
    """{% remark row people %}: the sentence in the page's language, its people as the viewer may see them."""
    viewer = context.get("viewer") or NOBODY
    players = {place: people.get(number) for place, number in row.players.items()}
    names = {place: player_link(player, viewer) if player else "–" for place, player in players.items()}
    values = {place: escape(_word(value)) for place, value in row.values.items()}
    # Every part is escaped.
    return mark_safe(escape(_(row.text)) % {**values, **names})


def _word(value: object) -> str:
    """Words of the rules, such as a colour, in the page's language."""
    return _(value) if isinstance(value, str) and value else f"{value}"


register.filter(explains)
