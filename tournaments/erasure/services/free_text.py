"""Where a person's name may stand in free text, and how it is taken out: the trail, jobs, events, foreign reports,
sessions, files between two steps.

Not searched here: names that are rows (players, guardians), accounts, the club's own name.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from re import Pattern
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import models
from django.db.models import Q
from django.utils.text import slugify

from players.models import AuditEvent
from players.privacy.redaction import finder, parts_finder, redacted
from players.trail.services import redact_events, redact_notes
from ratings.ledger.services.rows import in_batches
from tournaments.events.selectors.stages import games_with
from tournaments.models import Entry, Footnote, Game, LineUp, ResultReport, Team, TeamMatch, TeamPenalty
from tournaments.results.services.footnotes import NOTED

# Of a report about one of the person's own games all of it goes: nicknames, and how to reach somebody.
REPORT_TEXTS = ("words", "contact", "answer")
# Lines of the trail about notes on results have their words in these columns.
NOTED_IN = ("before", "after")
# Table → its columns of free text. Every other column of text holds codes, keys or addresses of ours.
FREE_TEXT: Mapping[str, tuple[str, ...]] = {
    "players.AuditEvent": ("note", "before", "after", "effect"),
    "players.Job": ("payload", "message"),
    "players.JobChunk": ("result",),
    "players.Club": ("importance_scale",),
    "players.PageReport": ("address", "words"),
    "ratings.RatingList": ("name", "names"),
    "ratings.RatingTier": ("name", "names"),
    "tournaments.Tournament": ("name", "slug", "place", "foreign_records"),
    "tournaments.Stage": ("name", "settings"),
    "tournaments.ResultReport": REPORT_TEXTS,
    "tournaments.Footnote": ("text",),
    "tournaments.EntryRequest": ("name", "address", "answer"),
    "tournaments.EntryRules": ("fee", "words"),
    "tournaments.EventPapers": ("organiser", "chief_arbiter", "deputies", "appeals", "remarks"),
    "tournaments.Prize": ("thing",),
    "tournaments.Season": ("name", "slug"),
    "tournaments.LeagueClub": ("name", "short_name", "venue"),
    "tournaments.League": ("name", "slug"),
    "tournaments.TeamRules": ("season",),
    "tournaments.Team": ("name", "short_name", "venue"),
    "tournaments.TeamMatch": ("venue", "ruling"),
    "tournaments.LineUp": ("note",),
    "tournaments.TeamPenalty": ("reason",),
    "admin.LogEntry": ("object_repr", "change_message"),
    "axes.AccessAttempt": ("username", "path_info", "get_data", "post_data"),
    "axes.AccessFailureLog": ("username", "path_info"),
    "axes.AccessLog": ("username", "path_info"),
    "django_tasks_database.DBTaskResult": ("args_kwargs", "return_value", "traceback"),
}
# Where people write sentences: a name of one word is looked for there only; elsewhere it may be a word of ours.
_SENTENCES = {"note", "message", "foreign_records", "traceback", "ruling", "reason", "text", *REPORT_TEXTS}


@dataclass(frozen=True, slots=True)
class Names:
    """What is looked for: `names` of the person (and of who speaks for him), `players` the keys of the records, and
    `instead` what stands there afterwards ("#17")."""

    names: tuple[str, ...]
    players: tuple[int, ...]
    instead: str


@dataclass(frozen=True, slots=True)
class Found:
    """A row in which the name stands, and what its columns are without it."""

    table: type[models.Model]
    key: Any
    columns: Mapping[str, Any]


def find_in_free_text(wanted: Names) -> Iterator[Found]:
    """Every row of free text with the name in it, sessions among them. Reads all of the trail, in batches."""
    whole, sentence = finder(wanted.names, least_words=2), finder(wanted.names)
    if sentence is None:
        return
    for label, columns in FREE_TEXT.items():
        table = apps.get_model(label)
        rows = table._default_manager.order_by("pk").values_list("pk", *columns).iterator(chunk_size=2000)
        for key, *values in rows:
            patterns = ((sentence if name in _SENTENCES else whole) for name in columns)
            changed = dict(_changes(table, zip(columns, values, patterns, strict=True), wanted.instead))
            if changed:
                yield Found(table, key, changed)
    yield from _in_own_notes(wanted)
    yield from _in_own_reports(wanted)
    yield from _in_own_footnotes(wanted)
    yield from _in_own_teams(wanted)
    if whole is not None:
        yield from _in_sessions(whole, wanted.instead)


def take_out(wanted: Names, *, by: User | None) -> int:
    """Write every row of free text without the name, and blank such notes of the trail; how many rows there were."""
    rows = list(find_in_free_text(wanted))
    _take_out_of_the_trail([found for found in rows if found.table is AuditEvent], by)
    for found in rows:
        if found.table is not AuditEvent:
            found.table._default_manager.filter(pk=found.key).update(**found.columns)
    return len({(found.table, found.key) for found in rows})


def _take_out_of_the_trail(lines: Sequence[Found], by: User | None) -> None:
    notes = {line.key for line in lines if "note" in line.columns}
    texts: dict[int, dict[str, Any]] = {}
    for line in lines:
        if said := {name: text for name, text in line.columns.items() if name != "note"}:
            texts.setdefault(line.key, {}).update(said)
    redact_notes(list(AuditEvent.objects.filter(pk__in=notes)), by=by)
    redact_events(texts, by=by)


def accounts_called(names: Collection[str]) -> list[str]:
    """The user names of accounts that bear the name: they are ended by hand."""
    pattern = finder(names)
    if pattern is None:
        return []
    rows = User.objects.values_list("username", "first_name", "last_name", "email")
    return sorted(name for name, *more in rows if pattern.search(name) or pattern.search(" ".join(more)))


def drop_uploads() -> None:
    """Remove the files between two steps, whoever's: a list of names may be among them, packed."""
    folder = Path(settings.DATA_DIR) / "uploads"
    for path in folder.glob("*") if folder.is_dir() else ():
        if path.is_file():
            path.unlink(missing_ok=True)


def tables_of_text() -> set[str]:
    """The database's tables in which names may stand in free text, sessions among them."""
    return {apps.get_model(label)._meta.db_table for label in (*FREE_TEXT, "sessions.Session")}


# --- looking --------------------------------------------------------------------------------------------------------
def _changes(
    table: type[models.Model], columns: Iterator[tuple[str, Any, Pattern[str] | None]], instead: str
) -> Iterator[tuple[str, Any]]:
    for name, value, pattern in columns:
        if not value or pattern is None:
            continue
        clean = redacted(value, pattern, instead)
        if clean != value:
            yield name, _fitting(table, name, clean, instead)


def _fitting(table: type[models.Model], name: str, value: Any, instead: str) -> Any:
    """The text as its column takes it: an address of its own, and no longer than it may be."""
    field = table._meta.get_field(name)
    if isinstance(field, models.SlugField):
        slug = slugify(value.replace(instead, f"player-{instead.removeprefix('#')}"))[: field.max_length]
        taken = set(table._default_manager.values_list(name, flat=True))
        others = (f"{slug[:60]}-{number}" for number in count(2))
        return next(free for free in chain((slug,), others) if free not in taken)
    return value[: field.max_length] if isinstance(field, models.CharField) else value


def _in_own_notes(wanted: Names) -> Iterator[Found]:
    """Notes about the person and his games: there a part of the name means him too."""
    for kind, keys in _own_subjects(wanted.players):
        for some in in_batches(keys):
            about = AuditEvent.objects.filter(subject_kind=kind, subject_key__in=some)
            yield from _with_parts(about, "note", wanted)


def _in_own_footnotes(wanted: Names) -> Iterator[Found]:
    """What stands beside results of the person, and once stood there: there too."""
    games = Game.objects.filter(games_with(wanted.players))
    yield from _with_parts(Footnote.objects.filter(game__in=games), "text", wanted)
    lines = AuditEvent.objects.filter(action=NOTED, subject_kind="game", subject_key__in=games.values("pk"))
    for column in NOTED_IN:
        yield from _with_parts(lines, column, wanted)


def _in_own_teams(wanted: Names) -> Iterator[Found]:
    """What captains and arbiters wrote about matches of the person's teams: there too."""
    own = Team.objects.filter(players__entry__player__in=wanted.players)
    yield from _with_parts(LineUp.objects.filter(team__in=own), "note", wanted)
    yield from _with_parts(TeamMatch.objects.filter(Q(home__in=own) | Q(away__in=own)), "ruling", wanted)
    yield from _with_parts(TeamPenalty.objects.filter(team__in=own), "reason", wanted)


def _with_parts(rows: models.QuerySet[Any], column: str, wanted: Names) -> Iterator[Found]:
    """Those of the rows in whose column the name stands, or a part of it."""
    parts, whole = parts_finder(wanted.names), finder(wanted.names)
    if parts is None or whole is None:
        return
    for key, text in rows.exclude(**{column: ""}).values_list("pk", column):
        clean = redacted(redacted(text, whole, wanted.instead), parts, wanted.instead)
        if clean != text:
            yield Found(rows.model, key, {column: _fitting(rows.model, column, clean, wanted.instead)})


def _in_own_reports(wanted: Names) -> Iterator[Found]:
    """What was written about results of the person: all of it."""
    own = ResultReport.objects.filter(game__in=Game.objects.filter(games_with(wanted.players)))
    said = own.exclude(words="", contact="", answer="")
    for key in said.values_list("pk", flat=True):
        yield Found(ResultReport, key, dict.fromkeys(REPORT_TEXTS, ""))


def _own_subjects(players: Sequence[int]) -> Iterator[tuple[str, Sequence[int]]]:
    yield "player", players
    games = Game.objects.filter(games_with(players))
    yield "game", list(games.values_list("pk", flat=True))
    teams = Team.objects.filter(players__entry__player__in=players).distinct()
    yield "team", list(teams.values_list("pk", flat=True))
    matches = TeamMatch.objects.filter(Q(home__in=teams) | Q(away__in=teams))
    yield "teammatch", list(matches.values_list("pk", flat=True))
    entries = Entry.objects.filter(Q(player__in=players) | Q(members__player__in=players)).distinct()
    yield "entry", list(entries.values_list("pk", flat=True))


def _in_sessions(pattern: Pattern[str], instead: str) -> Iterator[Found]:
    """Sessions are kept packed: each is opened. Whoever is signed in stays so."""
    store = SessionStore()
    for key, packed in Session.objects.values_list("pk", "session_data"):
        data = store.decode(packed)
        clean = {name: _in_session(value, pattern, instead) for name, value in data.items()}
        if clean != data:
            yield Found(Session, key, {"session_data": store.encode(clean)})


def _in_session(value: Any, pattern: Pattern[str], instead: str) -> Any:
    """A value of a session; messages are kept as JSON inside it."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.dumps(redacted(json.loads(value), pattern, instead))
        except ValueError:
            return redacted(value, pattern, instead)
    return redacted(value, pattern, instead)
