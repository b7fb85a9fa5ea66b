"""Entries from a file: who its lines mean, and then all of them entered at once.

A number of the club decides who is meant, then as for tournament reports (`tournaments.reports.services.people`) the
FIDE number and the name. The arbiter may decide otherwise, line by line, and must where several people may be meant.
What is carried out is what was seen: if people or entries changed meanwhile, nothing is. Where several enter together
all of a line are entered, or none.

Not done: changing what the club knows of a person.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Player, PlayerIdentity
from players.people.services import NewPlayer, create_players, set_identities
from players.refusals import Refused
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.entries.services.names import BadRows, look_up
from tournaments.interchange.entries_csv import EntryRow, read_entries
from tournaments.interchange.sheets import as_csv_bytes
from tournaments.interchange.tables_csv import BadRow
from tournaments.interchange.trf import ReportPlayer
from tournaments.models import Entry, EntryMember, Stage, Tournament
from tournaments.reports.services.people import Meant, who_is_meant

MOST_LINES = 1000
# What an arbiter may choose for a line, beside a player's key.
AS_NEW, LEFT_OUT = "new", "out"


class Fate(StrEnum):
    """What becomes of a line."""

    KNOWN = "known"
    NEW = "new"
    OPEN = "open"
    ENTERED = "entered"
    LEFT_OUT = "out"
    ALONE = "alone"  # somebody who would enter together with this one is not entered


@dataclass(frozen=True, slots=True)
class ListLine:
    """A line of the file: who is meant, who else may be, and in a sentence why that is not sure. `may_be_new` is false
    where the file names a number of the club."""

    row: EntryRow
    fate: Fate
    player: Player | None
    candidates: tuple[Player, ...]
    doubt: str
    may_be_new: bool = True

    @property
    def choice(self) -> str:
        """The choice this line stands at; empty while it is open."""
        if self.player is not None:
            return str(self.player.pk)
        return {Fate.NEW: AS_NEW, Fate.ALONE: AS_NEW, Fate.LEFT_OUT: LEFT_OUT}.get(self.fate, "")


@dataclass(frozen=True, slots=True)
class EntryList:
    """All lines; `seal` tells whether two previews are the same."""

    lines: tuple[ListLine, ...]
    seal: str

    def count(self, fate: Fate) -> int:
        """How many lines have that fate."""
        return sum(line.fate is fate for line in self.lines)

    @property
    def is_ready(self) -> bool:
        """Whether everything is decided, and somebody is to be entered."""
        return not self.count(Fate.OPEN) and bool(self.count(Fate.KNOWN) + self.count(Fate.NEW))


def read_list(content: bytes, together: int = 1) -> tuple[EntryRow, ...]:
    """The people of a CSV or Excel file, `together` in a line. Raises UnreadableFileError, BadRows, or Refused for too
    many."""
    titles = Player.Title.values
    found = read_entries(as_csv_bytes(content), today=timezone.localdate(), titles=titles, together=together)
    if found.bad:
        raise BadRows(found.bad)
    if not found.rows:
        raise Refused(_("The file names nobody: below the header stands one player a line."))
    if len(found.rows) > MOST_LINES:
        raise Refused(_("The file names more than %(most)s people: divide it.") % {"most": MOST_LINES})
    return found.rows


def left_of(content: bytes) -> tuple[tuple[str, ...], tuple[BadRow, ...]]:
    """The columns of the file that are not read, ratings among them, and the lines left out. Raises
    UnreadableFileError."""
    found = read_entries(as_csv_bytes(content), today=timezone.localdate(), titles=Player.Title.values)
    return found.ignored, found.left


def preview_entries(tournament: Tournament, rows: Sequence[EntryRow], choices: Mapping[str, str]) -> EntryList:
    """What would become of every line. `choices`, by the rows' keys: a player's key, AS_NEW or LEFT_OUT; one that is
    not offered counts as none. Raises BadRows for a number nobody has."""
    by_number = _by_number(rows)
    # The rows as `who_is_meant` takes them, numbered by themselves.
    reports = [
        ReportPlayer(
            number=number,
            line=row.line,
            name=row.name,
            fide_id=row.fide_id,
            birth="" if row.birth_year is None else str(row.birth_year),
        )
        for number, row in enumerate(rows)
    ]
    found = {meant.row.number: meant for meant in who_is_meant(reports, chosen=by_number)}
    together = tournament.entry_size > 1
    entered = (EntryMember if together else Entry).objects.filter(tournament=tournament)
    there = set(entered.values_list("player_id", flat=True))
    lines: list[ListLine] = []
    taken: set[int] = set()
    for number, row in enumerate(rows):
        line = _line(row, found[number], choices.get(row.key, ""), number not in by_number, there)
        if line.player is not None and line.player.pk in taken:
            doubt = _("an earlier line means the same person: leave one out")
            line = replace(line, fate=Fate.OPEN, player=None, doubt=doubt)
        if line.player is not None:
            taken.add(line.player.pk)
        lines.append(line)
    lines = _whole(lines) if together else lines
    fates = [(line.row.key, line.fate.value, line.player.pk if line.player else 0) for line in lines]
    return EntryList(tuple(lines), sha256(repr((tournament.pk, fates)).encode()).hexdigest())


def _whole(lines: Sequence[ListLine]) -> list[ListLine]:
    """The same; whoever would enter together with somebody who is not entered is not either."""
    out = {line.row.line for line in lines if line.fate in (Fate.ENTERED, Fate.LEFT_OUT)}
    stays = (Fate.KNOWN, Fate.NEW)
    return [replace(line, fate=Fate.ALONE) if line.row.line in out and line.fate in stays else line for line in lines]


@transaction.atomic
def enter_list(
    tournament: Tournament,
    rows: Sequence[EntryRow],
    choices: Mapping[str, str],
    *,
    by: User | None,
    seal: str,
    in_order: bool = False,
) -> EntryList:
    """Add whoever is new and enter everybody, in the order of their numbers. `in_order`: the file's seeds are the
    pairing numbers, or without any its lines; who is left out leaves no gap. Raises Refused where the preview of that
    `seal` is no longer what would happen, where a line is still open, where others are entered whom the list could not
    number, or where `enter_players` does."""
    Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    plan = preview_entries(tournament, rows, choices)
    if plan.seal != seal:
        raise Refused(_("Players or entries changed meanwhile, or your choices did: look at the list again."))
    if not plan.is_ready:
        raise Refused(_("Choose for every line that is open who is meant."))
    groups = _groups(plan, by=by)
    # By number: the public reads entries in this order, and it must not tell how hidden names sort.
    firsts = sorted((people[0] for people in groups.values()), key=lambda player: player.number)
    entries = enter_players(
        tournament, firsts, by=by, partners={people[0].pk: people[1:] for people in groups.values()}
    )
    if in_order:
        stage = Stage.objects.filter(tournament=tournament).order_by("order").first()
        if stage is None or Entry.objects.filter(tournament=tournament).count() > len(entries):
            raise Refused(_("Others are entered too: this list alone cannot number everybody. Leave that box empty."))
        seeds = {row.line: row.seed or row.line for row in rows}
        order = [groups[line][0].pk for line in sorted(groups, key=seeds.__getitem__)]
        number_in_order(stage, sorted(entries, key=lambda entry: order.index(entry.player_id)), by=by)
    return plan


def _groups(plan: EntryList, *, by: User | None) -> dict[int, list[Player]]:
    """Who enters, by line, in the order of the line; whoever is new is added."""
    new = [line.row for line in plan.lines if line.fate is Fate.NEW]
    added = {row.key: player for row, player in zip(new, _added(new, by=by), strict=True)}
    groups: dict[int, list[Player]] = {}
    for line in plan.lines:
        player = line.player if line.fate is Fate.KNOWN else added.get(line.row.key)
        if player is not None:
            groups.setdefault(line.row.line, []).append(player)
    return groups


def _added(rows: Sequence[EntryRow], *, by: User | None) -> list[Player]:
    players = create_players([NewPlayer(row.name, row.birth_year, row.sex, row.title) for row in rows], by=by)
    for row, player in zip(rows, players, strict=True):
        if row.fide_id:
            set_identities(player, {PlayerIdentity.Scheme.FIDE: row.fide_id}, by=by)
    return players


def _by_number(rows: Sequence[EntryRow]) -> dict[int, Player | None]:
    """The players of those rows, by their places, that name a number of the club."""
    numbered = {at: f"#{row.number}" for at, row in enumerate(rows) if row.number is not None}
    people = look_up(numbered.values())
    if people.problems:
        names = numbered.items()
        raise BadRows(BadRow(rows[at].line, people.problems[name]) for at, name in names if name in people.problems)
    return {at: people.found[name] for at, name in numbered.items()}


def _line(row: EntryRow, meant: Meant, choice: str, may_be_new: bool, entered: Collection[int]) -> ListLine:
    candidates = (meant.player,) if meant.player is not None else meant.candidates
    player, fate = meant.player, Fate.KNOWN
    if choice == LEFT_OUT or (choice == AS_NEW and may_be_new):
        player, fate = None, Fate(choice)
    elif chosen := next((one for one in candidates if str(one.pk) == choice), None):
        player = chosen
    elif player is None:
        fate = Fate.OPEN if candidates else Fate.NEW
    if player is not None and player.pk in entered:
        fate = Fate.ENTERED
    return ListLine(row, fate, player, candidates, meant.doubt, may_be_new)
