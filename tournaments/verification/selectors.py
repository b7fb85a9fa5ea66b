"""Second readings: which results were read again, by whom, and how many wait for it.

A reading holds for the game at that revision. Only results that settle a board are read, and no free games.
"""

from collections.abc import Collection, Iterable

from django.db.models import Count, Exists, F, OuterRef, QuerySet
from django.utils.translation import gettext_lazy

from players.models import AuditEvent
from tournaments.events.selectors.officers import who_enters
from tournaments.events.selectors.stages import name_sides
from tournaments.models import Game, Reading, Round, SecondReading, Tournament
from tournaments.standings.points import DECIDED_RESULTS, Result

NO_OTHER_READER = gettext_lazy(
    "Only one officer may enter results here, so there is nobody else to read them: no second reading is asked for."
)


# --- readings of a round ------------------------------------------------------------------------------------------
READ = "result.read"


def read_games(row: Round) -> set[int]:
    """The keys of a round's games whose present result was read a second time."""
    return set(readings_of(row).values_list("game", flat=True))


def readings_of(row: Round) -> QuerySet[Reading]:
    """The second readings of a round's present results, the latest first."""
    rows = Reading.objects.filter(game__pairing__round=row, game__pairing__superseded=False)
    rows = rows.filter(revision=F("game__revision"), game__result__in=DECIDED_RESULTS)
    return rows.select_related("by", "game__white", "game__black", "game__pairing").order_by("-at", "-pk")


def games_to_read(row: Round) -> list[Game]:
    """A round's results that wait for a second reading, in the order of boards. One query."""
    games = unread_games().filter(pairing__round=row).select_related("white", "black", "pairing", "tournament")
    found = list(games.order_by("pairing__board", "number"))
    name_sides(found)
    return found


def unread_games() -> QuerySet[Game]:
    """The results of all rounds that were not read a second time as they are now."""
    present = Reading.objects.filter(game=OuterRef("pk"), revision=OuterRef("revision"))
    games = Game.objects.filter(result__in=DECIDED_RESULTS, pairing__round__isnull=False, pairing__superseded=False)
    return games.filter(~Exists(present))


def entered_events(games: Collection[int]) -> dict[int, AuditEvent]:
    """Who gave each game its present result, by the game's key; not who moved it to another day. Two queries."""
    about = AuditEvent.objects.filter(subject_kind="game", subject_key__in=games, after__has_key="result")
    gave: dict[int, int] = {}
    rows = about.exclude(action=READ).order_by("pk").values_list("pk", "subject_key", "before", "after")
    for event, game, before, after in rows:
        if after["result"] != (before or {}).get("result"):
            gave[game] = event
    events = AuditEvent.objects.filter(pk__in=gave.values()).select_related("actor")
    return {event.subject_key: event for event in events if (event.after or {})["result"] != Result.OPEN}


# --- how many wait ------------------------------------------------------------------------------------------------
def lack_another(tournaments: Iterable[int]) -> set[int]:
    """Of those events (by key) the ones that ask for another reader where only one officer may enter results: nobody
    could be another, so nothing is asked for. At most two queries."""
    asking = Tournament.objects.filter(pk__in=list(tournaments), second_reading=SecondReading.ANOTHER)
    named: dict[int, set[int]] = {}
    for event, officer in asking.values_list("pk", "officers"):
        named.setdefault(event, set()).update([officer] if officer else [])
    people = who_enters() if named else {}
    return {
        event
        for event, own in named.items()
        if sum(runs_all or not own or key in own for key, runs_all in people.items()) < 2
    }


def count_unread(tournament: Tournament) -> int:
    """How many results of the event wait for their second reading; 0 where it asks for none."""
    return _asked_for([tournament.pk]).count()


def unread_rounds(tournaments: Iterable[int]) -> list[tuple[Round, int]]:
    """The rounds of those events (by key) that have results waiting, each with how many, in order. Two queries."""
    counted = _asked_for(tournaments).order_by().values("pairing__round").annotate(count=Count("pk"))
    counts = {row["pairing__round"]: row["count"] for row in counted}
    rounds = Round.objects.filter(pk__in=counts).select_related("stage__tournament")
    return [(row, counts[row.pk]) for row in rounds.order_by("stage__tournament", "number", "stage__order")]


def _asked_for(tournaments: Iterable[int]) -> QuerySet[Game]:
    keys = set(tournaments)
    return unread_games().filter(tournament__in=keys - lack_another(keys)).exclude(tournament__second_reading="")
