"""Entries until there are rounds: who plays, and with which pairing number. On a ladder people come at any time.

Not here: what happens to entries afterwards (`tournaments.entries.services.late`, `tournaments.withdrawals`), and byes
(`tournaments.presence`).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from secrets import randbelow
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.figures import round_half_away
from players.models import Player
from players.people.names import clean_name
from players.people.services import lock_players
from players.refusals import Refused
from players.trail.services import write_audit
from ratings.lists.selectors.listing import listing_of
from ratings.lists.selectors.lists import main_list_of, ratings_now
from ratings.lists.services import rules_of
from tournaments.entries.services.names import look_up, nobody
from tournaments.entries.services.numbering import list_order
from tournaments.events.selectors import stages
from tournaments.events.selectors.stages import members_of
from tournaments.events.services.unplayed import refuse_closed
from tournaments.models import Entry, EntryMember, Game, Round, Stage, StageEntry, Tournament
from tournaments.pairing.base import SEED_BELOW
from tournaments.pairing.round_robin import draw_lots
from tournaments.undo.services.snapshots import image_of_entry, stand_of


@dataclass(frozen=True, slots=True)
class NameList:
    """What became of pasted lines: the players found, and one sentence per line that names nobody or two."""

    players: tuple[Player, ...]
    problems: tuple[str, ...]


def match_names(lines: Sequence[str]) -> NameList:
    """Find the players named by pasted lines: an exact name, or a number like "#17". Blank lines are skipped."""
    wanted = [(row, clean_name(line)) for row, line in enumerate(lines, start=1) if clean_name(line)]
    people = look_up(name for _row, name in wanted)
    found: list[Player] = []
    problems: list[str] = []
    for row, name in wanted:
        player = people.found.get(name)
        if player is None:
            problem = people.problems.get(name) or nobody(name)
        elif player in found:
            problem = _("“%(name)s” stands in the list twice: remove one of the two lines") % {"name": name}
        else:
            found.append(player)
            continue
        problems.append(_("Line %(row)s: %(problem)s") % {"row": row, "problem": problem})
    return NameList(tuple(found), tuple(problems))


Partners = Mapping[int, Sequence[Player]]  # who plays together with a player, by the player's key
ALONE: Partners = {}


@transaction.atomic
def enter_players(
    tournament: Tournament,
    players: Sequence[Player],
    *,
    by: User | None,
    on: date | None = None,
    partners: Partners = ALONE,
) -> list[Entry]:
    """Enter players with a snapshot of their present rating, dated `on` (today); `partners` play together with them.
    Raises Refused where one is entered already, stands outside the tournament's tier, or rounds exist."""
    locked = _lock(tournament.pk)
    ladder = is_ladder(locked)
    if locked.open_ended and not ladder:
        raise Refused(_("“%(name)s” has no entries: its games name their players.") % {"name": locked.name})
    number = next_number(locked) if ladder else None
    return make_entries(locked, players, by=by, on=on, number=number, partners=partners)


def make_entries(
    tournament: Tournament,
    players: Sequence[Player],
    *,
    by: User | None,
    on: date | None = None,
    number: int | None = None,
    first_round: int = 1,
    partners: Partners = ALONE,
) -> list[Entry]:
    """Entries in a locked tournament, numbered from `number` on where it is given. Raises Refused where one is entered
    already, was merged into another meanwhile, or stands outside the tier."""
    _check_size(tournament, players, partners)
    everybody = [*players, *(other for player in players for other in partners.get(player.pk, ()))]
    # The players stay locked: a merge under way comes before the entries, or after them.
    for player in lock_players([player.pk for player in everybody]).values():
        if player.merged_into_id is not None:
            text = _("Player %(number)s was merged into another: choose that one.")
            raise Refused(text % {"number": f"#{player.number}"})
    _check_once(tournament, everybody)
    for sentence in outside_tier(tournament, everybody).values():
        raise Refused(sentence)
    given = {} if first_round == 1 else {"first_round": first_round}
    entries = [
        Entry(
            tournament=tournament,
            player=player,
            number=None if number is None else number + place,
            first_round=first_round,
        )
        for place, player in enumerate(players)
    ]
    members = [(player, *partners.get(player.pk, ())) for player in players]
    _take_ratings(tournament, entries, [[member.pk for member in own] for own in members], on or timezone.localdate())
    Entry.objects.bulk_create(entries)
    for entry, own in zip(entries, members, strict=True):
        beside = _write_members(entry, own)
        values = {"tournament": tournament.slug, "player": entry.player.number, **given, **beside}
        values |= {"number": entry.number} if entry.number else {}
        write_audit("entry.made", entry, by=by, after=values)
    return entries


def _check_size(tournament: Tournament, players: Sequence[Player], partners: Partners) -> None:
    """Raises Refused where an entry has more or fewer players than the event says."""
    size = tournament.entry_size
    for player in players:
        if len(partners.get(player.pk, ())) + 1 != size:
            if size == 1:
                text = _("In “%(name)s” everybody plays alone: enter one player a line.")
            else:
                text = ngettext(
                    "In “%(name)s” %(count)s player is an entry: write the name in a line.",
                    "In “%(name)s” %(count)s players enter together: write the names in one line, with + between.",
                    size,
                )
            raise Refused(text % {"name": tournament.name, "count": size})


def _write_members(entry: Entry, members: Sequence[Player]) -> dict[str, list[int]]:
    """Everybody of an entry of more than one; what the audit trail keeps of it."""
    if len(members) == 1:
        return {}
    EntryMember.objects.bulk_create(
        EntryMember(tournament=entry.tournament, entry=entry, player=player, order=order)
        for order, player in enumerate(members, start=1)
    )
    return {"members": [player.number for player in members]}


def is_ladder(tournament: Tournament) -> bool:
    """Whether the event is a ladder: no rounds, and games move places."""
    stage = Stage.objects.filter(tournament=tournament).order_by("order").first()
    return stage is not None and stages.is_ladder(stage)


def next_number(tournament: Tournament) -> int:
    """The first pairing number that nobody had yet."""
    taken = Entry.objects.filter(tournament=tournament).aggregate(Max("number"))["number__max"]
    return (taken or 0) + 1


def _check_once(tournament: Tournament, players: Sequence[Player]) -> None:
    keys = [player.pk for player in players]
    entered: Entry | EntryMember | None
    entered = Entry.objects.filter(tournament=tournament, player__in=keys).select_related("player").first()
    if tournament.entry_size > 1:
        beside = EntryMember.objects.filter(tournament=tournament, player__in=keys).select_related("player")
        entered = entered or beside.first()
    twice = entered
    if twice or len(set(keys)) < len(keys):
        again = twice.player if twice else next(player for player in players if keys.count(player.pk) > 1)
        text = _("Player %(number)s is entered already: nobody can be entered twice.")
        raise Refused(text % {"number": f"#{again.number}"})


def outside_tier(tournament: Tournament, players: Sequence[Player]) -> dict[int, str]:
    """Which players' ratings, as they are shown, lie outside the tournament's tier: a sentence each, by key. On
    probation the present rating counts too; whoever has none counts with the list's start."""
    lowest, below = tournament.tier_from, tournament.tier_below
    if lowest is None and below is None:
        return {}
    rating_list = main_list_of(tournament.pool)
    if rating_list is None:
        return {}
    ratings = ratings_now(rating_list, [player.pk for player in players])
    start = getattr(rules_of(rating_list).on(timezone.localdate()).settings, "start", 0.0)
    listing = listing_of(rating_list)
    found = {}
    for player in players:
        now = ratings.get(player.pk)
        rating = round_half_away(listing.value(now.rating, now.deviation) if now else start)
        figures = {"number": f"#{player.number}", "rating": rating, "lowest": lowest, "below": below}
        if lowest is not None and rating < lowest:
            text = _("Player %(number)s stands at %(rating)s: this event is for %(lowest)s and more.")
            found[player.pk] = text % figures
        elif below is not None and rating >= below:
            text = _("Player %(number)s stands at %(rating)s: this event is for less than %(below)s.")
            found[player.pk] = text % figures
    return found


def refresh_snapshots(tournament: Tournament) -> None:
    """Take the entries' ratings anew, from the list of the tournament's present pool; once rounds exist they stand."""
    if Round.objects.filter(stage__tournament=tournament).exists():
        return
    rows = list(Entry.objects.filter(tournament=tournament))
    members = members_of(entry.pk for entry in rows) if tournament.entry_size > 1 else {}
    people = [[player.pk for player in members.get(entry.pk, ())] or [entry.player_id] for entry in rows]
    _take_ratings(tournament, rows, people, timezone.localdate())
    Entry.objects.bulk_update(rows, ["rating", "rating_games", "rating_deviation", "rating_list", "rating_on"])


def _take_ratings(tournament: Tournament, entries: Sequence[Entry], people: Sequence[list[int]], day: date) -> None:
    """The present ratings of those people (by key, of each entry) into the entries, which are not saved here."""
    rating_list = main_list_of(tournament.pool)
    ratings = ratings_now(rating_list, list({key for keys in people for key in keys})) if rating_list else {}
    for entry, keys in zip(entries, people, strict=True):
        known = [ratings[key] for key in keys if key in ratings]
        # Of an entry of more than one the mean, once everybody in it has a rating.
        entry.rating, entry.rating_games, entry.rating_deviation = None, None, None
        if len(known) == len(keys):
            entry.rating = sum(now.rating for now in known) / len(known)
            entry.rating_games = min(now.games for now in known)
            told = [now.deviation for now in known if now.deviation is not None]
            entry.rating_deviation = max(told) if len(told) == len(known) else None  # not told of all: counted
        entry.rating_list, entry.rating_on = rating_list.slug if rating_list else "", day


@transaction.atomic
def remove_entry(entry_key: int, *, by: User | None) -> None:
    """Take an entry back; on a ladder those below move up. Raises Refused once rounds exist, or games of the player."""
    tournament = _lock(find_entry(entry_key).tournament_id)
    entry = find_entry(entry_key)
    if Game.objects.filter(Q(white=entry.player) | Q(black=entry.player), tournament=tournament).exists():
        text = _("Player %(number)s has games in this event: withdraw the entry instead.")
        raise Refused(text % {"number": f"#{entry.player.number}"})
    below = below_of(entry) if is_ladder(tournament) else {}
    before = image_before_removal(entry, below)
    entry.delete()
    if below:
        # One by one from the top: the database refuses two of one number.
        for row in Entry.objects.filter(tournament=tournament, number__gt=entry.number or 0).order_by("number"):
            Entry.objects.filter(pk=row.pk).update(number=F("number") - 1)
    audit_removal(entry_key, tournament, before, by=by)


def find_entry(entry_key: int) -> Entry:
    """The entry with its event and player. Raises Refused where it is gone."""
    entry = Entry.objects.select_related("tournament", "player").filter(pk=entry_key).first()
    if entry is None:
        raise Refused(_("This entry is not in the tournament any more."))
    return entry


def below_of(entry: Entry) -> dict[int, int]:
    """Who stands below an entry and moves up when it goes: their numbers, by key."""
    rows = Entry.objects.filter(tournament=entry.tournament_id, number__gt=entry.number or 0)
    return dict(rows.values_list("pk", "number")) if entry.number is not None else {}  # type: ignore[arg-type]


def image_before_removal(entry: Entry, below: dict[int, int]) -> dict[str, Any]:
    """What the audit trail keeps of an entry that goes, and of those who move up."""
    values = {"tournament": entry.tournament.slug, "player": entry.player.number, "image": image_of_entry(entry.pk)}
    return {**values, **({"numbers": {str(key): number for key, number in below.items()}} if below else {})}


def audit_removal(entry_key: int, tournament: Tournament, before: dict[str, Any], *, by: User | None) -> None:
    """The event of an entry that is gone, and of how the others stand now."""
    after = {"stand": stand_of(tournament.pk)}
    write_audit("entry.removed", Entry(pk=entry_key), by=by, before=before, after=after)


@transaction.atomic
def number_by_lot(stage: Stage, *, by: User | None, seed: int | None = None) -> int:
    """Give pairing numbers at random, by a seed that can be repeated; the seed. Raises Refused once rounds exist."""
    drawn = randbelow(SEED_BELOW) if seed is None else seed
    tournament = _lock_numbers(stage.tournament_id)
    entries = list(Entry.objects.filter(tournament=tournament).order_by("pk"))
    order = sorted(zip(draw_lots(len(entries), drawn), entries, strict=True), key=lambda pair: pair[0])
    _give_numbers(tournament, stage, [entry for _, entry in order], by=by, how="lot", seed=drawn)
    return drawn


@transaction.atomic
def number_by_rating(stage: Stage, *, by: User | None) -> None:
    """Give pairing numbers by rating, title and alphabet (`numbering.list_order`). Raises Refused once rounds exist."""
    tournament = _lock_numbers(stage.tournament_id)
    entries = list(Entry.objects.filter(tournament=tournament).select_related("player"))
    _give_numbers(tournament, stage, sorted(entries, key=list_order), by=by, how="rating")


@transaction.atomic
def number_in_order(stage: Stage, entries: Sequence[Entry], *, by: User | None) -> None:
    """Give pairing numbers 1…n in the order of `entries`, e.g. of lots drawn in the hall. Raises Refused once rounds
    exist, or where somebody is missing or not of the event."""
    tournament = _lock_numbers(stage.tournament_id)
    everybody = Entry.objects.filter(tournament=tournament).values_list("pk", flat=True)
    if sorted(entry.pk for entry in entries) != sorted(everybody):
        raise Refused(_("The entries are no longer those you numbered: look at them again."))
    _give_numbers(tournament, stage, entries, by=by, how="order")


def numbered(numbers: Collection[int | None]) -> bool:
    """Whether everybody has a number, from 1 on without a gap."""
    return bool(numbers) and set(numbers) == set(range(1, len(numbers) + 1))


def _give_numbers(
    tournament: Tournament,
    stage: Stage,
    entries: Sequence[Entry],
    *,
    by: User | None,
    how: str,
    seed: int | None = None,
) -> None:
    """Number the entries of a locked tournament from 1 on; only a draw leaves a seed."""
    Entry.objects.filter(tournament=tournament).update(number=None)
    for number, entry in enumerate(entries, start=1):
        entry.number = number
    Entry.objects.bulk_update(entries, ["number"])
    Stage.objects.filter(pk=stage.pk).update(lots_seed=seed)
    drawn = {} if seed is None else {"seed": seed}
    after = {"by": how, **drawn, "entries": [entry.pk for entry in entries]}
    write_audit("numbers.given", tournament, by=by, after=after)


def _lock_numbers(tournament_key: int) -> Tournament:
    """Locked, while its numbers may still change. Raises Refused once rounds exist, or games of a ladder."""
    tournament = _lock(tournament_key)
    if is_ladder(tournament) and Game.objects.filter(tournament=tournament).exclude(result="").exists():
        raise Refused(_("Games were played: from now on they move the places of the ladder, not new numbers."))
    return tournament


def _lock(tournament_key: int) -> Tournament:
    """The tournament, locked, while its entries may still change. Raises Refused once groups or rounds exist."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_key)
    refuse_closed(tournament)
    if Round.objects.filter(stage__tournament=tournament).exists():
        text = _(
            "The rounds are made already: delete them before you change entries or numbers. "
            "Who comes now is entered late, who leaves is withdrawn."
        )
        raise Refused(text)
    if StageEntry.objects.filter(stage__tournament=tournament).exists():
        raise Refused(_("The groups are formed already: take them apart before you change entries or numbers."))
    return tournament
