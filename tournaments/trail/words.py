"""A line of the audit trail in an officer's words: from where, about what, before → after.

What was done stands in `action_words`. Names of people are looked up when a line is shown: the trail holds none.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from players.models import AuditEvent, Player
from players.privacy.rules import OFFICER, shown_name
from players.refusals import listed, sign
from ratings.models import StartingRating
from tournaments.models import ByeRequest, EntryRules, EventPapers, PrizeFund, Season, Tournament
from tournaments.results.services.results import notation
from tournaments.standings.points import OUTCOMES
from tournaments.trail import link_words, team_words
from tournaments.trail.selectors import NUMBERS, Place
from tournaments.undo.services.undo import UNDOING

# --- from where ---------------------------------------------------------------------------------------------------
# Words for the names of values in the audit trail.
_VALUES = {
    "score": gettext_lazy("score"),
    "result": gettext_lazy("result"), "played_on": gettext_lazy("played on"), "number": gettext_lazy("number"),
    "player": gettext_lazy("player"), "tournament": gettext_lazy("tournament"), "rating": gettext_lazy("rating"),
    "games": gettext_lazy("games"), "on": gettext_lazy("from"), "source": gettext_lazy("taken from"),
    "visibility": gettext_lazy("who sees the name"), "active": gettext_lazy("active"),
    "title": gettext_lazy("title"), "fields": gettext_lazy("changed"), "rounds": gettext_lazy("rounds"),
    "seed": gettext_lazy("seed"), "by": gettext_lazy("by"), "pool": gettext_lazy("pool"),
    "name": pgettext_lazy("of a thing", "name"), "names": gettext_lazy("names in the site’s languages"),
    "mirror": gettext_lazy("winner kept"), "keep": gettext_lazy("kept"),
    "gone": gettext_lazy("merged"), "white": gettext_lazy("White"), "black": gettext_lazy("Black"),
    "rated": gettext_lazy("rated"), "starts_on": gettext_lazy("first day"), "ends_on": gettext_lazy("last day"),
    "place": pgettext_lazy("where it is played", "place"),
    "state": gettext_lazy("state"), "published": gettext_lazy("published"),
    "boards": gettext_lazy("boards"), "absent": gettext_lazy("absent"), "forfeits": gettext_lazy("forfeits"),
    "entries": gettext_lazy("entries"), "matches": gettext_lazy("matches"), "event": gettext_lazy("line"),
    "round": gettext_lazy("round"), "late": gettext_lazy("already paired"), "claimed": gettext_lazy("claimed"),
    "stood": gettext_lazy("stood"), "prizes": gettext_lazy("prizes"), "events": gettext_lazy("events"),
    "game": gettext_lazy("game"), "slug": gettext_lazy("address"),
    "list": gettext_lazy("list"), "players": gettext_lazy("players"), "time_zone": gettext_lazy("time zone"),
    "allows_name": gettext_lazy("allows the name"), "guardians": gettext_lazy("guardians"),
    "birth_year": gettext_lazy("year of birth"), "sex": gettext_lazy("sex"), "value": gettext_lazy("number"),
    "deviation": gettext_lazy("deviation"), "peak": gettext_lazy("peak"), "system": gettext_lazy("system"),
    "pairing_system": gettext_lazy("format"), "settings": gettext_lazy("settings"),
    "first_round": gettext_lazy("first round"), "last_round": gettext_lazy("last round"),
    "group": gettext_lazy("group"), "here": gettext_lazy("here"), "highest": gettext_lazy("highest"),
    "kind": gettext_lazy("kind"), "label": gettext_lazy("label"),
    "leaver_rule": gettext_lazy("rule for who leaves"), "lots": gettext_lazy("lots"), "how": gettext_lazy("how"),
    "minutes": gettext_lazy("minutes"), "nevertheless": gettext_lazy("nevertheless"),
    "new_players": gettext_lazy("new players"), "officers": gettext_lazy("run by"), "note": gettext_lazy("note"),
    "open_ended": gettext_lazy("without end"),
    "pairs": gettext_lazy("pairs kept apart"), "phase": gettext_lazy("phase"), "role": gettext_lazy("role"),
    "pass_phrase_changed": gettext_lazy("pass-phrase changed"), "planned_on": gettext_lazy("planned day"),
    "planned_at": gettext_lazy("planned time"), "second_reading": gettext_lazy("second reading"),
    "primary": gettext_lazy("main list"), "swiss_edition": gettext_lazy("edition of the Swiss rules"),
    "stage": gettext_lazy("stage"), "days": gettext_lazy("days"),
    "stages": gettext_lazy("parts"), "tiebreaks": gettext_lazy("tie-breaks"), "engine": gettext_lazy("database"),
    "tiebreak_edition": gettext_lazy("edition of the tie-breaks"), "day": gettext_lazy("day"),
    "erased_again": gettext_lazy("erased again"), "advanced": gettext_lazy("goes on"), "code": gettext_lazy("code"),
    "rows": gettext_lazy("rows"), "sessions": gettext_lazy("sessions"), "mailed": gettext_lazy("mailed"),
    "default_visibility": gettext_lazy("who sees a new adult's name"), "told_on": gettext_lazy("told us on"),
    "scoring": gettext_lazy("scoring"), "place_points": gettext_lazy("points for places"), "tie": gettext_lazy("ties"),
    "best": gettext_lazy("best results that count"), "first_day": gettext_lazy("first day"),
    "last_day": gettext_lazy("last day"), "one_each": gettext_lazy("one prize a person"),
    "sharing": gettext_lazy("sharing"), "step": gettext_lazy("rounding"),
    "importance": gettext_lazy("importance"), "importance_scale": gettext_lazy("importance of events"),
    "sides": gettext_lazy("sides"), "withdrawn": pgettext_lazy("of a contest", "withdrawn"),
    "begin": gettext_lazy("start"), "control": gettext_lazy("time control"), "paused_at": gettext_lazy("paused at"),
    "paused": gettext_lazy("seconds paused"),
    "joined_on": gettext_lazy("member since"), "provisional_games": gettext_lazy("games on probation"),
}  # fmt: skip
_OF_ENTRIES: Mapping[str, Any] = {
    **{
        field.name: field.verbose_name
        for model in (EntryRules, EventPapers)
        for field in model._meta.fields
        if not field.is_relation
    },
    "paid": gettext_lazy("paid"),
}
_OTHERS = {**team_words.VALUES, **_OF_ENTRIES, **link_words.VALUES}
_VALUES |= {name: words for name, words in _OTHERS.items() if name not in _VALUES}
# A database may return the names of an image in any order: they are shown in the order above.
_PLACES = {name: place for place, name in enumerate(_VALUES)}
# How numbers were given.
_ORDERS = {
    "order": gettext_lazy("as entered"),
    "rating": gettext_lazy("by rating"),
    "lot": gettext_lazy("by lots"),
}
_TIMES = {"begin", "paused_at"}  # of a round's clock
# Values that are one of a model’s choices.
_CHOSEN: Mapping[str, Any] = {
    **team_words.CHOSEN,
    "scoring": Season, "tie": Season, "sharing": PrizeFund, "game": Tournament,
    "kind": ByeRequest, "visibility": Player, "source": StartingRating,
}  # fmt: skip
# Kept in the trail for undoing and checking, and not shown.
_KEYS = {"seats", "together", "revision", "revisions", "image", "stand", "standings", "digest", "sequences", "results"}
_MERGED_KEYS = {"white", "black", "entries", "starts", "identities"}
# Lists of keys: only their number is shown.
_COUNTED = {
    "prizes",
    "events",
    "boards",
    "absent",
    "forfeits",
    "entries",
    "matches",
    "first_rounds",
    "numbers",
    "sides",
}

# Pages by their names, as the trail keeps them.
_PAGES = {
    "results": gettext_lazy("result entry"),
    "board": gettext_lazy("result entry"),
    "read": gettext_lazy("second reading"),
    "rounds": gettext_lazy("rounds"),
    "next_round": gettext_lazy("next round"),
    "by_hand": gettext_lazy("pairing by hand"),
    "boards": gettext_lazy("boards of a draft"),
    "unpublish": gettext_lazy("round out of sight"),
    "delete_round": gettext_lazy("round deleted"),
    "delete_rounds": gettext_lazy("rounds deleted"),
    "redraw": gettext_lazy("bracket drawn again"),
    "undo": gettext_lazy("undo"),
    "steps": gettext_lazy("last steps"),
    "clock": gettext_lazy("clock of a round"),
    "entries": gettext_lazy("entries"),
    "entry": gettext_lazy("entry"),
    "withdraw": gettext_lazy("withdrawal"),
    "return": gettext_lazy("return"),
    "match": gettext_lazy("match"),
    "close": gettext_lazy("closing"),
    "prizes": gettext_lazy("prizes"),
    "papers": gettext_lazy("papers for the federation"),
    "federations": gettext_lazy("federations of the players"),
    "reports": gettext_lazy("reports of wrong results"),
    "copy": gettext_lazy("once more"),
    "format": gettext_lazy("format"),
    "importance": gettext_lazy("importance"),
    "evening": gettext_lazy("evening"),
    "tables": gettext_lazy("tables"),
    "table": gettext_lazy("table"),
    "seating": gettext_lazy("seating"),
    "correct": gettext_lazy("correction"),
    "swap": gettext_lazy("colours exchanged"),
    "seats": gettext_lazy("players of a board"),
    "elsewhere": gettext_lazy("result of another board"),
    "remove": gettext_lazy("game removed"),
    "insert": gettext_lazy("forgotten game"),
    "load": gettext_lazy("file of games"),
    "merge": gettext_lazy("merging"),
    "add": gettext_lazy("new"),
    "change": gettext_lazy("form"),
    "delete": gettext_lazy("deletion"),
    "changelist": gettext_lazy("list"),
}
_TABLES = {
    **team_words.TABLES,
    "tournament": gettext_lazy("event"),
    "player": gettext_lazy("player"),
    "game": gettext_lazy("game"),
    "ratinglist": gettext_lazy("rating list"),
    "club": gettext_lazy("club"),
    "user": gettext_lazy("account"),
    "round": gettext_lazy("round"),
    "stage": gettext_lazy("part of an event"),
    "entry": gettext_lazy("entry"),
    "pairing": gettext_lazy("board"),
    "startingrating": gettext_lazy("starting rating"),
    "publishedlist": gettext_lazy("published list"),
    "auditevent": gettext_lazy("line of the trail"),
    "resultreport": gettext_lazy("report of a wrong result"),
    "pagereport": gettext_lazy("report of a mistake on a page"),
    "entryrequest": gettext_lazy("request for an entry"),
    "season": gettext_lazy("season"),
}


def origin_in_words(origin: str, tokens: Mapping[str, str] | None = None) -> str:
    """ "admin:tournaments_tournament_results" as "result entry"; commands and background work by their names, what a
    program did by that of its token (`Places.tokens`)."""
    if tokens and origin in tokens:
        return _("token “%(name)s”") % {"name": tokens[origin]}
    if origin.startswith(UNDOING):
        return str(_PAGES["undo"])
    if not origin.startswith("admin:"):
        return origin.replace(":", " ") or "–"
    _app, _sep, rest = origin.removeprefix("admin:").partition("_")
    table, _sep, name = rest.partition("_")
    page = _PAGES.get(name)
    if page is None:
        return rest.replace("_", " ") or origin
    generic = name in ("add", "change", "delete", "changelist")
    return f"{_TABLES.get(table, table)}{sign(': ')}{page}" if generic else str(page)


# --- about what ---------------------------------------------------------------------------------------------------
def about_in_words(event: AuditEvent, place: Place) -> str:
    """ "Winter Cup, round 3, board 2 (#1 Ada – #2 Bo)"; for what is gone its kind, and that it is gone."""
    parts = [place.event.name if place.event else "", place.teams]
    parts += [_("round %(number)s") % {"number": place.round}] if place.round else []
    parts += [_("board %(number)s") % {"number": place.board}] if place.board else []
    parts += [place.rating_list.shown_name] if place.rating_list else []
    where = sign(", ").join(part for part in parts if part)
    who = " – ".join(called(player) for player in place.players)
    if where and who:
        return f"{where}{sign(' (')}{who}{sign(')')}"
    if where or who:
        return where or who
    names = (event.before.get("slug"), event.before.get("tournament"), event.before.get("number"))
    known = next(filter(None, (*names, event.after.get("slug"))), event.subject_key)
    return f"{_TABLES.get(event.subject_kind, event.subject_kind)} {known}"


def address_of(event: AuditEvent, place: Place, *, runs_events: bool) -> str:
    """The page of what a line is about, or of its event; empty where it has none, or is gone."""
    kind, key = event.subject_kind, event.subject_key
    if kind == "entry" and place.event and runs_events:
        return reverse("admin:tournaments_tournament_entry", args=[key])
    if kind == "player" and place.players:
        return reverse("admin:players_player_change", args=[key])
    if kind == "game" and place.event:
        return reverse("admin:tournaments_game_change", args=[key])
    if kind == "resultreport" and place.event:
        return reverse("admin:tournaments_game_reports")
    if kind == "entryrequest" and place.event and runs_events:
        return reverse("admin:tournaments_tournament_entries", args=[place.event.pk])
    if kind == "ratinglist" and place.rating_list:
        return reverse("admin:ratings_ratinglist_change", args=[key])
    if place.event is None:
        return ""
    in_rounds = kind in ("round", "pairing", "stage") and not place.event.open_ended
    page = "rounds" if in_rounds and runs_events else "change"
    return reverse(f"admin:tournaments_tournament_{page}", args=[place.event.pk])


def called(player: Player) -> str:
    """ "#1 Ada Alvarez"; the number alone where the name is gone."""
    name = shown_name(player, OFFICER) if player.name else ""
    return f"#{player.number} {name}".rstrip()


# --- before → after -----------------------------------------------------------------------------------------------
def change_in_words(event: AuditEvent, people: Mapping[int, Player] | None = None) -> str:
    """ "result: ½–½ → 1–0; played on: 2026-01-05", from the event's two images; `people` by number."""
    parts = []
    for name in sorted({*event.before, *event.after}, key=_place):
        if name in _KEYS or name.isdigit() or (event.action == "players.merged" and name in _MERGED_KEYS):
            continue
        was, now = event.before.get(name), event.after.get(name)
        if was == now or (was is None and now in (None, "", [])):
            continue
        shown = [_value(name, each, people or {}) for each in (was, now)]
        if name not in event.before:
            value = shown[1]
        else:
            value = f"{shown[0]} → {shown[1]}" if name in event.after or not event.after else shown[0]
        parts.append(f"{_VALUES.get(name, name.replace('_', ' '))}{sign(': ')}{value}")
    moved = sum(key.isdigit() for key in {**event.before, **event.after})
    if moved:
        parts.append(ngettext("%(count)s number moved", "%(count)s numbers moved", moved) % {"count": moved})
    return sign("; ").join(parts)


def _place(name: str) -> tuple[int, str]:
    return _PLACES.get(name, len(_PLACES)), name


def _value(name: str, value: Any, people: Mapping[int, Player]) -> str:
    if name == "result":
        return notation(value, "–") if value in OUTCOMES else "–"
    if name in _TIMES and value:
        return f"{timezone.localtime(datetime.fromisoformat(value)):%Y-%m-%d %H:%M}"
    if name == "by" and value in _ORDERS:
        return str(_ORDERS[value])
    if name in _CHOSEN and isinstance(value, str):
        field = _CHOSEN[name]._meta.get_field(name)
        return str(dict(field.flatchoices).get(value, value))
    if name in NUMBERS and isinstance(value, int) and value in people:
        return called(people[value])
    if name in _COUNTED and isinstance(value, list | dict):
        return str(len(value))
    return _words(value)


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    if isinstance(value, list):
        return listed(_words(item) for item in value) or "–"
    if isinstance(value, dict):
        keys = sorted(value, key=_place)
        return sign(", ").join(f"{_VALUES.get(key, key)}{sign(': ')}{_words(value[key])}" for key in keys) or "–"
    return "–" if value in (None, "") else str(value)
