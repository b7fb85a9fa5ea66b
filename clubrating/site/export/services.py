"""Data exports: everything the club keeps as files for other programs, and one person's own data.

The club's files are what a club takes along when it leaves, with full names, in the formats of the site's downloads.
Not among them: accounts, the audit trail, settings (the backup has them). That one person's data was handed out stands
in the audit trail, but not what was in it.
"""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.site.export.selectors import Row, own_data
from clubrating.site.lists.services import known_file, published_file
from players.models import Player, PlayerIdentity
from players.officers.roles import ADMINISTRATOR, role_of
from players.privacy.rules import OFFICER
from players.refusals import Refused
from players.trail.services import write_audit
from ratings.models import PublishedList, RatingList
from tournaments.downloads.selectors import (
    entries_sheet,
    free_sheet,
    games_of,
    open_games_of,
    pairings_sheet,
    standings_sheet,
)
from tournaments.events.selectors.events import facts_of, stages_at, whole_of
from tournaments.interchange.games_csv import BIRTH_COLUMNS, COLUMNS
from tournaments.interchange.pgn import write_games
from tournaments.interchange.sheets import Code, Sheet, as_csv
from tournaments.interchange.trf import ReportError, write_report
from tournaments.models import Contest, Tournament
from tournaments.rated_games.selectors.exported import CONTEST_COLUMNS, exported_contests, exported_games
from tournaments.reports.selectors import report_of

# --- the club's files ------------------------------------------------------------------------------------------------
Files = Iterator[tuple[str, str]]
_PERSON = (
    *("number", "player", "birth_year", "sex", "title", "fide_id", "national_id", "visibility", "active", "joined"),
    "reading",
)


def club_files(today: date) -> Files:
    """Path and text of each file, one after the other; `today` is the day the lists are known for. Only one file is in
    memory at a time."""
    yield "players.csv", as_csv(_players())
    yield "games.csv", _games()
    if Contest.objects.exists():
        yield "contests.csv", _contests()
    for rating_list in RatingList.objects.order_by("slug"):
        yield f"ratings/{rating_list.slug}-known-{today}.csv", known_file(rating_list, today, OFFICER)
        for published in PublishedList.objects.filter(rating_list=rating_list).order_by("on"):
            yield f"ratings/{rating_list.slug}-{published.on}.csv", published_file(published, OFFICER)
    for tournament in Tournament.objects.order_by("slug"):
        for name, text in _event_files(tournament):
            yield f"tournaments/{tournament.slug}/{name}", text


def _players() -> Sheet:
    """Everybody who has a name: a duplicate that was merged is the person it was merged into. The columns are those
    that `import_players` and a list of entries read."""
    ids = {(row.player_id, row.scheme): row.value for row in PlayerIdentity.objects.all()}
    schemes = (PlayerIdentity.Scheme.FIDE, PlayerIdentity.Scheme.NATIONAL)
    people = Player.objects.filter(merged_into=None).exclude(name="").order_by("number")
    rows = tuple(
        (
            *(row.number, row.name, row.birth_year, row.sex, row.title),
            *(Code(ids.get((row.pk, scheme), "")) for scheme in schemes),
            *(row.visibility, int(row.active), row.joined_on, row.reading),
        )
        for row in people
    )
    return Sheet("players", _PERSON, rows)


def _games() -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*COLUMNS, *BIRTH_COLUMNS))
    writer.writerows(exported_games(None))
    return text.getvalue()


def _contests() -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CONTEST_COLUMNS)
    writer.writerows(exported_contests(None))
    return text.getvalue()


def _event_files(tournament: Tournament) -> Files:
    stages = stages_at(tournament.slug)
    if tournament.open_ended or not stages:
        yield "games.pgn", write_games(open_games_of(tournament, OFFICER))
        if stages and (places := free_sheet(stages[0], OFFICER)) is not None:
            yield "standings.csv", as_csv(places)
        return
    parts = facts_of(stages, OFFICER)
    event = whole_of(stages, parts)
    yield "entries.csv", as_csv(entries_sheet(event, OFFICER))
    yield "pairings.csv", as_csv(pairings_sheet(parts, OFFICER, None))
    yield "standings.csv", as_csv(standings_sheet(parts, OFFICER))
    yield "games.pgn", write_games(games_of(event, parts, OFFICER))
    # Matches of several games and entries with gaps in their numbers have no report; the CSV files above hold them.
    with suppress(Refused, ReportError):
        yield "report.trf", write_report(report_of(tournament, viewer=OFFICER)).decode()


# --- one person's data -----------------------------------------------------------------------------------------------
FORMAT = 1


@transaction.atomic
def hand_out_own_data(player_key: int, *, by: User | None) -> dict[str, Any]:
    """Everything about the person, as it is to be written down. For administrators and commands. Raises Refused for
    anybody else, and for a record that was merged into another's."""
    if role_of(by) not in (ADMINISTRATOR, "system"):
        raise Refused(_("Only an administrator hands out a person’s data."))
    player = Player.objects.select_related("merged_into").get(pk=player_key)
    if player.merged_into is not None:
        values = {"number": player.number, "other": player.kept.number}
        raise Refused(_("Player %(number)s was merged into player %(other)s: ask for that one.") % values)
    tables: dict[str, list[Row]] = own_data(player)
    write_audit("player.data-handed-out", player, by=by, after={"tables": len(tables)})
    return {"format": FORMAT, "person": player.number, "made": timezone.now().isoformat(), "tables": tables}


def as_json(data: dict[str, Any]) -> str:
    """The text of the file."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
