"""A person erased for good: the number stays in every game and list, and nothing tells any more whose it was.

Nobody's rating moves: games, entries, ledger and published lists are not touched, and the year of birth stays where
ratings were computed with it (juniors' K). Columns: `players.privacy.redaction`; free text: `free_text`. It cannot be
undone: an `Erasure` row keeps the number, so that a restored backup is erased again. Not done here: files of backups,
and what others hold (downloads, printouts, search engines).
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import OperationalError, connection, transaction
from django.db.models import F, Min, Q, QuerySet
from django.utils.translation import gettext as _

from players.models import (
    AuditEvent,
    Erasure,
    Guardian,
    MailSubscription,
    PersonalLink,
    Player,
    PlayerIdentity,
    Subscription,
)
from players.officers.roles import ADMINISTRATOR, role_of
from players.people.selectors import own_records, records_of
from players.people.services import lock_players
from players.privacy.redaction import PERSONAL, finder, redacted
from players.refusals import Refused
from players.trail.services import write_audit
from ratings.ledger.services.ledger import refresh_ranked
from ratings.lists.services import lock_lists
from ratings.models import PublishedRow, RatingListRule
from tournaments.erasure.services.free_text import (
    Names,
    accounts_called,
    drop_uploads,
    find_in_free_text,
    tables_of_text,
    take_out,
)
from tournaments.events.selectors.stages import games_with
from tournaments.models import Arrival, Entry, EntryMember, EntryRequest, Game, ScoreSheet

# The oldest age any rating system looks at (the starts by age of US Chess end there).
AGE_COUNTS_UNTIL = 26
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WhatGoes:
    """What erasing a person does: how much goes, how much stays under the number alone."""

    merged: tuple[int, ...]
    identities: int
    guardians: int
    texts: int
    accounts: tuple[str, ...]
    keeps_year: bool
    entries: int
    games: int
    published: int


def what_goes(player: Player) -> WhatGoes:
    """What would go and what would stay. Raises Refused where the person cannot be erased. Reads the whole trail."""
    records = own_records(player)
    _check(records[0])
    keys = [record.pk for record in records]
    names = _names_of(records)
    of_entry = Q(player=player) | Q(pk__in=EntryMember.objects.filter(player=player).values("entry"))
    return WhatGoes(
        merged=tuple(record.number for record in records[1:]),
        identities=PlayerIdentity.objects.filter(player__in=keys).count(),
        guardians=Guardian.objects.filter(player__in=keys).count(),
        texts=len({(found.table, found.key) for found in find_in_free_text(names)}),
        accounts=tuple(accounts_called([record.name for record in records])),
        keeps_year=_year_counts(player),
        entries=Entry.objects.filter(of_entry).count(),
        games=_games_of(player).count(),
        published=PublishedRow.objects.filter(player=player).count(),
    )


@transaction.atomic
def anonymise_player(player_key: int, *, by: User | None, note: str = "") -> Player:
    """Erase a person (by key) with all records merged into his; the blank record. For administrators and commands.
    Raises Refused for anybody else, and for a record that was merged into another or is erased already."""
    if role_of(by) not in (ADMINISTRATOR, "system"):
        raise Refused(_("Only an administrator erases a person."))
    lock_lists()
    records = _locked(player_key)
    _check(records[0])
    names = _names_of(records)
    pattern = finder(names.names)
    texts = _erase(records, names, by)
    write_audit(
        "player.erased",
        records[0],
        by=by,
        after={"number": records[0].number, "records": len(records), "texts": texts},
        reason=AuditEvent.Reason.WISH,
        note=redacted(note, pattern, names.instead) if pattern else note,
    )
    transaction.on_commit(tidy_storage)
    return records[0]


@transaction.atomic
def erase_again() -> int:
    """Erase everybody anew who was erased and is here again, after a backup from before was restored; how many."""
    lock_lists()
    numbers = list(Erasure.objects.values_list("number", flat=True))
    here = Q(identities__isnull=False) | Q(guardians__isnull=False) | ~Q(name="")
    back = list(Player.objects.filter(here, number__in=numbers).order_by("number").distinct())
    done: set[int] = set()
    for player in back:
        if player.pk in done:
            continue
        records = _locked(player.pk)
        texts = _erase(records, _names_of(records), None)
        done |= {record.pk for record in records}
        write_audit("player.erased", records[0], by=None, after={"number": records[0].number, "texts": texts})
    if done:
        transaction.on_commit(tidy_storage)
    return len(done)


def tidy_storage() -> bool:
    """Let no file of the database keep what was deleted: rewrite it without its gaps, and empty its log. Outside any
    transaction. False where somebody was busy with it all the time; then `tidy_again` does it."""
    cache.clear()
    drop_uploads()
    done = _rewritten()
    if done:
        _owed().unlink(missing_ok=True)
    else:
        _owed().touch(mode=0o600)
        _log.warning("The database was busy: deleted data may stand in its files until they are next tidied.")
    return done


def tidy_again() -> bool:
    """Tidy the storage where that failed when somebody was erased; whether nothing is left to do."""
    return not _owed().exists() or tidy_storage()


def _owed() -> Path:
    return Path(settings.DATA_DIR) / "untidied"


def _rewritten() -> bool:
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("VACUUM")
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                return not cursor.fetchone()[0]
            # Readers queue behind whoever waits for a table: nobody waits long, for a backup under way least of all.
            cursor.execute("SET lock_timeout = '3s'")
            try:
                cursor.execute(
                    f"VACUUM (FULL) {', '.join(sorted({*PERSONAL, *tables_of_text(), ScoreSheet._meta.db_table}))}"
                )
            finally:
                cursor.execute("RESET lock_timeout")
    except OperationalError:
        return False
    return True


# --- the records ----------------------------------------------------------------------------------------------------
def _locked(key: int) -> list[Player]:
    keys = list(records_of([key]))
    people = lock_players(keys)
    return [people[key] for key in keys]


def _check(player: Player) -> None:
    if player.merged_into is not None:
        values = {"number": player.number, "other": player.kept.number}
        raise Refused(_("Player %(number)s was merged into player %(other)s: erase that one, and both go.") % values)
    if not player.name:
        raise Refused(_("Player %(number)s is erased already.") % {"number": player.number})


def _names_of(records: Sequence[Player]) -> Names:
    keys = tuple(record.pk for record in records)
    spoken = Guardian.objects.filter(player__in=keys).values_list("name", flat=True)
    own = (name for record in records for name in (record.name, record.reading))
    names = tuple(name for name in (*own, *spoken) if name)
    return Names(names, keys, f"#{records[0].number}")


def _games_of(player: Player) -> QuerySet[Game]:
    return Game.objects.filter(games_with([player.pk]))


def _year_counts(player: Player) -> bool:
    """Whether a rating was reckoned with the year of birth: the first game, at an age some system looks at."""
    if player.birth_year is None:
        return False
    first: date | None = _games_of(player).exclude(result="").aggregate(first=Min("played_on"))["first"]
    if first is None:
        return False
    if first.year - player.birth_year <= AGE_COUNTS_UNTIL:
        return True
    rules = RatingListRule.objects.values_list("system", "settings")
    return any("us-chess" in (system, settings.get("method"), settings.get("preset")) for system, settings in rules)


# --- blanking -------------------------------------------------------------------------------------------------------
def _erase(records: Sequence[Player], names: Names, by: User | None) -> int:
    """Blank the records, delete what hangs on them, take the names out of free text; how many texts."""
    texts = take_out(names, by=by)
    keys = [record.pk for record in records]
    PlayerIdentity.objects.filter(player__in=keys).delete()
    Guardian.objects.filter(player__in=keys).delete()
    Subscription.objects.filter(player__in=keys).delete()
    MailSubscription.objects.filter(player__in=keys).delete()
    EntryRequest.objects.filter(player__in=keys).delete()
    Arrival.objects.filter(player__in=keys).delete()
    PersonalLink.objects.filter(player__in=keys).delete()
    ScoreSheet.objects.filter(game__in=Game.objects.filter(games_with(keys))).delete()
    blank = PERSONAL["players_player"].blank or {}
    for record in records:
        year = record.birth_year if _year_counts(record) else None
        Player.objects.filter(pk=record.pk).update(**blank, birth_year=year, revision=F("revision") + 1)
        Erasure.objects.get_or_create(number=record.number)
        record.refresh_from_db()
        refresh_ranked(record)
    return texts
