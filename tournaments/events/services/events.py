"""Events: made, changed, deleted while nothing was played; and who runs them: officers they name, or every arbiter."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from players.people.names import slug_part
from players.refusals import Refused, Stale, said
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.entries.services.entries import refresh_snapshots
from tournaments.events.selectors.officers import runs, who_may_run
from tournaments.events.services.importance import check_importance
from tournaments.events.services.tiebreaks import default_tiebreaks, draw_lots, read_tiebreaks
from tournaments.events.services.unplayed import played_among, ruled_among
from tournaments.models import (
    MOST_IN_ENTRY,
    RESERVED_SLUGS,
    BoardGame,
    Contest,
    Entry,
    Game,
    Pairing,
    PlayerResults,
    Round,
    SecondReading,
    Stage,
    TeamMatch,
    TeamPenalty,
    TeamRules,
    Tournament,
)
from tournaments.pairing import PairingError, pairing_system
from tournaments.pairing.base import (
    SWISS_EDITIONS,
    TIEBREAK_EDITIONS,
    FreeSystem,
    read_options,
    swiss_edition_on,
    tiebreak_edition_on,
)
from tournaments.rated_games.services.rating import rerate_event
from tournaments.standings.points import point_system
from tournaments.undo.services.snapshots import image_of_event

# --- made, changed, deleted ---------------------------------------------------------------------------------------
EDITIONS = ("swiss_edition", "tiebreak_edition")
# How results become points, and what an arbiter may grant: none of it moves a rating.
RULES = ("point_system", "tiebreaks", "allocated_bye", "leaver_rule", "half_byes", "half_byes_end", *EDITIONS)
FACTS = (
    *("name", "place", "starts_on", "ends_on", "rated", "pool", "game", "tier_from", "tier_below", "second_reading"),
    *("scores", "low_score_wins", "komi", "entry_size", "player_results", "silent_minutes"),
    "score_sheets",
)
MOST_MINUTES = 24 * 60
EDITABLE = (*FACTS, *RULES)  # the importance has a service of its own: ratings hang on it


@dataclass(frozen=True, slots=True)
class NewTournament:
    """An event to be made. `settings` are the pairing system's own (see its file); `rules` are values of `RULES`, with
    defaults by format and first day. `officers` run it, by their keys; nobody: every arbiter."""

    name: str
    pairing_system: str = "round-robin"
    settings: dict[str, Any] = field(default_factory=dict)
    place: str = ""
    starts_on: date | None = None
    ends_on: date | None = None
    rated: bool = True
    pool: str = "standard"
    game: str = BoardGame.CHESS
    importance: float = 1.0
    tier_from: int | None = None
    tier_below: int | None = None
    rules: dict[str, Any] = field(default_factory=dict)
    second_reading: str = SecondReading.NONE
    scores: str = ""
    low_score_wins: bool = False
    komi: float | None = None
    entry_size: int = 1
    player_results: str = PlayerResults.NONE
    silent_minutes: int = 15
    score_sheets: bool = False
    officers: tuple[int, ...] = ()


def free_slug(name: str) -> str:
    """An address for that name that no event has yet."""
    base = slug_part(name) or "event"
    taken = set(Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | set(RESERVED_SLUGS)
    slug, number = base, 2
    while slug in taken:
        slug, number = f"{base}-{number}", number + 1
    return slug


@transaction.atomic
def create_tournament(new: NewTournament, *, by: User | None) -> Tournament:
    """Make an event with one stage. Raises Refused for what is unknown, an empty name, or dates in the wrong order."""
    lock_lists()  # so that two events made at once do not take the same address
    facts = {name: getattr(new, name) for name in FACTS}
    _check(**facts)
    check_settings(new.pairing_system, new.settings)
    _check_entry_size(new.entry_size, new.pairing_system)
    rules = {**default_rules(new.pairing_system, new.starts_on), **new.rules}
    _check_rules({**rules, "game": new.game, "second_reading": new.second_reading})
    check_importance(new.importance)
    check_officers(new.officers, by=by)
    rules["tiebreaks"] = read_tiebreaks(rules["tiebreaks"], new.pairing_system)
    tournament = Tournament.objects.create(
        slug=free_slug(new.name),
        open_ended=isinstance(pairing_system(new.pairing_system), FreeSystem),
        **{**facts, **rules, "name": new.name.strip(), "importance": new.importance},
    )
    if new.officers:
        tournament.officers.set(new.officers)
    # Files know an event without rounds by the name it was made with.
    called = tournament.name if tournament.open_ended else ""
    Stage.objects.create(tournament=tournament, pairing_system=new.pairing_system, settings=new.settings, name=called)
    named = {"officers": sorted(new.officers)} if new.officers else {}
    write_audit("tournament.created", tournament, by=by, after={"slug": tournament.slug, **named, **new.settings})
    draw_lots(tournament, by=by)
    if tournament.tiebreak_lots is not None:
        tournament.save(update_fields=["tiebreak_lots"])
    return tournament


def check_settings(system: str, settings: Mapping[str, Any]) -> None:
    """Raises Refused for a format that does not exist, or a setting that it does not have."""
    try:
        read_options(pairing_system(system).options, settings)
    except KeyError:
        raise Refused(_("There is no format “%(key)s”.") % {"key": system}) from None
    except PairingError as refusal:
        raise Refused(said(refusal)) from None


def _check_entry_size(size: int, system: str) -> None:
    """Raises Refused for a size that no entry has, and for pairs in an event without rounds."""
    if not 1 <= size <= MOST_IN_ENTRY:
        raise Refused(_("An entry has from 1 to %(most)s players.") % {"most": MOST_IN_ENTRY})
    if size > 1 and isinstance(pairing_system(system), FreeSystem):
        raise Refused(_("Without rounds nobody is paired: choose a format with rounds, or enter tables."))


def _check_entry_size_change(tournament: Tournament, wanted: Mapping[str, Any], changes: Mapping[str, Any]) -> None:
    """Raises Refused for another size once somebody is entered."""
    size = wanted.get("entry_size", tournament.entry_size)
    stage = tournament.stages.first()
    system = changes.get("pairing_system") or (stage.pairing_system if stage else "")
    if size > 1 and system:
        _check_entry_size(size, system)
    if size != tournament.entry_size and Entry.objects.filter(tournament=tournament).exists():
        raise Refused(_("Somebody is entered already: take the entries back before you change how many play together."))


def default_rules(system: str, starts_on: date | None) -> dict[str, Any]:
    """Tie-breaks by the format, editions of the regulations by the first day (today's where it is open)."""
    day = starts_on or timezone.localdate()
    return {
        "tiebreaks": default_tiebreaks(system),
        "swiss_edition": swiss_edition_on(day),
        "tiebreak_edition": tiebreak_edition_on(day),
    }


def _check_rules(rules: Mapping[str, Any]) -> None:
    try:
        if "point_system" in rules:
            point_system(rules["point_system"])
    except KeyError as unknown:
        raise Refused(_("There is no point system “%(key)s”.") % {"key": unknown.args[0]}) from None
    for name, editions in (("swiss_edition", SWISS_EDITIONS), ("tiebreak_edition", TIEBREAK_EDITIONS)):
        if name in rules and rules[name] not in editions:
            raise Refused(_("There is no edition %(year)s of these regulations.") % {"year": rules[name]})
    if rules.get("game", BoardGame.CHESS) not in BoardGame.values:
        raise Refused(_("There is no such game: choose one of the list."))
    if rules.get("second_reading", "") not in SecondReading.values:
        raise Refused(_("There is no such second reading: choose one of the list."))


def open_event(name: str, *, pool: str, by: User | None) -> Stage:
    """The stage of the open-ended event that files call by that name (club evenings, loaded streams), made when first
    needed; the event itself may be renamed."""
    found = Stage.objects.filter(name=name, tournament__open_ended=True).select_related("tournament").first()
    if found:
        return found
    tournament = Tournament.objects.create(name=name, slug=free_slug(name), pool=pool, open_ended=True)
    write_audit("tournament.created", tournament, by=by, after={"slug": tournament.slug, "open_ended": True})
    return Stage.objects.create(tournament=tournament, name=name)


@transaction.atomic
def update_tournament(
    tournament_key: int, changes: dict[str, Any], *, by: User | None, revision: int | None = None
) -> Tournament:
    """Change an event's data (`officers` are keys of users): the format only while there are no rounds, the rules until
    the event is closed. Another `rated`, `pool` or first day re-rates its games. Raises Stale or Refused."""
    lock_lists()
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_key)
    if revision is not None and tournament.revision != revision:
        raise Stale(_("Somebody else changed this tournament meanwhile: look at the new data, then change it again."))
    wanted = _with_editions(tournament, {name: changes[name] for name in EDITABLE if name in changes})
    _check_rules(wanted)
    if wanted.get("player_results") and TeamRules.objects.filter(tournament=tournament).exists():
        raise Refused(_("Results of team matches are entered on the captains’ card: leave “players report” at no."))
    if tournament.closed and any(wanted[name] != getattr(tournament, name) for name in RULES if name in wanted):
        # The final standings were made by them.
        text = _("“%(name)s” is closed, so its rules stand: open it again before you change tie-breaks or points.")
        raise Refused(text % {"name": tournament.name})
    before = {name: getattr(tournament, name) for name in wanted}
    _check(**{name: wanted.get(name, getattr(tournament, name)) for name in FACTS})
    _check_entry_size_change(tournament, wanted, changes)
    old, new = _change_format(tournament, changes)
    games = Game.objects.filter(tournament=tournament)
    contests = Contest.objects.filter(tournament=tournament)
    _check_deciders(tournament, wanted, games)
    pools = {
        *games.order_by().values_list("pool", flat=True).distinct(),
        *contests.order_by().values_list("pool", flat=True).distinct(),
        wanted.get("pool", tournament.pool),
    }
    for name, value in wanted.items():
        setattr(tournament, name, value)
    _settle_tiebreaks(tournament, wanted, by)
    tournament.revision += 1
    tournament.save()
    if tournament.pool != before.get("pool", tournament.pool):
        # Games that a file put into a pool of their own stay there.
        games.filter(pool=before["pool"]).update(pool=tournament.pool)
        contests.filter(pool=before["pool"]).update(pool=tournament.pool)
        refresh_snapshots(tournament)
    if any(wanted.get(name) != before.get(name) for name in ("rated", "pool", "starts_on") if name in wanted):
        rerate_event(tournament, pools)
    were, are = name_officers(tournament, changes, by=by)
    was, now = _plain(before) | were | old, _plain(wanted) | are | new
    write_audit("tournament.changed", tournament, by=by, before=was, after=now)
    return tournament


def _settle_tiebreaks(tournament: Tournament, wanted: dict[str, Any], by: User | None) -> None:
    """The tie-breaks as they are kept, checked against the format, and lots drawn where they need them."""
    system = tournament.stages.values_list("pairing_system", flat=True).first() or ""
    tournament.tiebreaks = read_tiebreaks(tournament.tiebreaks, system)
    if "tiebreaks" in wanted:
        wanted["tiebreaks"] = tournament.tiebreaks
    draw_lots(tournament, by=by)


def _check_deciders(tournament: Tournament, wanted: Mapping[str, Any], games: QuerySet[Game]) -> None:
    """Raises Refused where armageddon games would be missing, or be left over."""
    was, now = (point_system(key) for key in (tournament.point_system, wanted.get("point_system", "classic")))
    changes = "point_system" in wanted and (was.after_draw is None) != (now.after_draw is None)
    if changes and games.exclude(result="").exists():
        raise Refused(_("Results are in: points with an armageddon game and points without cannot be exchanged now."))


def _with_editions(tournament: Tournament, wanted: dict[str, Any]) -> dict[str, Any]:
    """With another first day the editions follow, unless they were chosen or the event is closed."""
    if tournament.closed or wanted.get("starts_on", tournament.starts_on) == tournament.starts_on:
        return wanted
    system = tournament.stages.values_list("pairing_system", flat=True).first() or "by-hand"
    was, now = (default_rules(system, day) for day in (tournament.starts_on, wanted["starts_on"]))
    kept = {name: now[name] for name in EDITIONS if getattr(tournament, name) == was[name]}
    return {**kept, **wanted}


def _change_format(tournament: Tournament, changes: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the format was, and what it is; nothing where it stays. Raises Refused."""
    stage = tournament.stages.first()
    system = changes.get("pairing_system")
    if stage is None or system is None:
        return {}, {}
    settings = changes.get("settings", stage.settings)
    if (system, settings) == (stage.pairing_system, stage.settings):
        return {}, {}
    before = {"pairing_system": stage.pairing_system, "settings": stage.settings}
    check_settings(system, settings)
    if tournament.open_ended != isinstance(pairing_system(system), FreeSystem):
        raise Refused(_("An event with rounds and one without cannot become each other: make a new event."))
    if Round.objects.filter(stage__tournament=tournament).exists() or tournament.stages.count() > 1:
        raise Refused(_("The rounds are made: delete them before you change the format."))
    if system != stage.pairing_system and tournament.tiebreaks == default_tiebreaks(stage.pairing_system):
        tournament.tiebreaks = default_tiebreaks(system)
    stage.pairing_system, stage.settings = system, settings
    stage.save(update_fields=["pairing_system", "settings"])
    return before, {"pairing_system": system, "settings": settings}


@transaction.atomic
def change_settings(stage_key: int, settings: dict[str, Any], *, by: User | None) -> Stage:
    """Other settings for a stage whose rounds are not made yet. Raises Refused."""
    stage = Stage.objects.select_related("tournament").get(pk=stage_key)
    Tournament.objects.select_for_update(no_key=True).get(pk=stage.tournament_id)
    check_settings(stage.pairing_system, settings)
    is_plan = stage.order == 1 and stage.tournament.stages.count() > 1
    if Round.objects.filter(stage=stage).exists() or is_plan:
        raise Refused(_("The rounds are made: delete them before you change the format."))
    before, stage.settings = stage.settings, settings
    stage.save(update_fields=["settings"])
    write_audit("stage.changed", stage.tournament, by=by, before=before, after=settings)
    return stage


@transaction.atomic
def delete_tournament(tournament_key: int, *, by: User | None) -> None:
    """Delete an event in which nothing was played. Raises Refused where a result or a table is recorded, and where the
    arbiter decided a match or a penalty."""
    lock_lists()
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_key)
    if played_among(Game.objects.filter(tournament=tournament)):
        text = _("“%(name)s” has results and cannot be deleted: clear the results first.")
        raise Refused(text % {"name": tournament.name})
    if Contest.objects.filter(tournament=tournament, game=None).exists():
        text = _("“%(name)s” has tables, which stay in the books: it cannot be deleted.")
        raise Refused(text % {"name": tournament.name})
    ruled = ruled_among(Pairing.objects.filter(round__stage__tournament=tournament, superseded=False))
    decided = TeamMatch.objects.filter(round__stage__tournament=tournament).exclude(absent="", ruled_home=None)
    if ruled or decided.exists() or TeamPenalty.objects.filter(team__tournament=tournament).exists():
        text = _("“%(name)s” has matches or penalties that the arbiter decided: it stays in the books.")
        raise Refused(text % {"name": tournament.name})
    before = {"slug": tournament.slug, "image": image_of_event(tournament.pk)}
    write_audit("tournament.deleted", tournament, by=by, before=before)
    Round.objects.filter(stage__tournament=tournament).delete()
    tournament.delete()


def _check(
    name: str,
    starts_on: date | None,
    ends_on: date | None,
    tier_from: int | None,
    tier_below: int | None,
    player_results: str = "",
    silent_minutes: int = 15,
    **_others: Any,
) -> None:
    if not name.strip():
        raise Refused(_("A tournament needs a name."))
    if starts_on and ends_on and ends_on < starts_on:
        raise Refused(_("The last day lies before the first."))
    if tier_from is not None and tier_below is not None and tier_below <= tier_from:
        raise Refused(_("Nobody’s rating lies in that range: “below” must be higher than “from”."))
    if player_results not in PlayerResults.values or not 1 <= silent_minutes <= MOST_MINUTES:
        raise Refused(_("Players report results or not, and have from 1 minute to a day to answer: choose again."))


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in values.items()}


# --- who runs an event --------------------------------------------------------------------------------------------
Keys = dict[str, list[int]]


def name_officers(tournament: Tournament, changes: Mapping[str, Any], *, by: User | None) -> tuple[Keys, Keys]:
    """Let those of `changes["officers"]` run the event; who did and who does, for the audit trail, both empty where
    nobody changes. The event is locked by then. Raises Refused for whoever does not run it, or names one who cannot."""
    if "officers" not in changes:
        return {}, {}
    before, after = set(tournament.officers.values_list("pk", flat=True)), set(changes["officers"])
    if before == after:
        return {}, {}
    if by is not None and not runs(by, tournament):
        raise Refused(_("“%(name)s” is run by others: they decide who runs it.") % {"name": tournament.name})
    check_officers(after - before, by=by)
    tournament.officers.set(after)
    return {"officers": sorted(before)}, {"officers": sorted(after)}


def check_officers(keys: Collection[int], *, by: User | None) -> None:
    """Raises Refused where one of those users is no active arbiter or assistant; one may always name oneself."""
    known = set(who_may_run().filter(pk__in=keys).values_list("pk", flat=True))
    if set(keys) - known - ({by.pk} if by is not None else set()):
        raise Refused(_("Only an active arbiter or assistant can run an event: look at the list again."))
