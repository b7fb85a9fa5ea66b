"""The order of a starting list, and what becomes of its numbers while a Swiss is under way.

By rating, then title, then alphabet (FIDE C.04.2). The rating is the whole number that is shown. Who is not shown by
name stands behind those of his rating who are, by player number: title and place in the alphabet would tell who it is.

Until round 4 has been paired a late entry has his proper place and everybody below moves down, and a rating or the
order may still be corrected; afterwards numbers stand, and whoever comes has the next free one. Rounds refer to
entries, so nothing else moves, and the others keep their order: a name hidden or corrected meanwhile moves nobody. Not
done where the numbers are not in the order of ratings (lots, an arbiter's own order), or came with a report: other
programs know the players by those.
"""

from collections.abc import Collection, Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from clubrating.ground.figures import round_half_away
from players.models import Player
from players.privacy.rules import NOBODY, sees_name
from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.models import Entry, Round, Stage, Tournament
from tournaments.pairing.dutch.system import Dutch

_TITLES = tuple(Player.Title.values)  # in the order of the rule
FIXED_FROM = 4  # the round whose pairing fixes the numbers
_HIGHEST = 4000

Place = tuple[int, bool, int, str, int]


def list_order(entry: Entry) -> Place:
    """What a starting list is sorted by; the unrated come last."""
    player = entry.player
    rating = 0 if entry.rating is None else round_half_away(entry.rating)
    if not sees_name(player, NOBODY):
        return -rating, True, 0, "", player.number
    title = _TITLES.index(player.title) if player.title in _TITLES else len(_TITLES)
    return -rating, False, title, player.sort_name, player.number


def moves_numbers(stage: Stage) -> bool:
    """Whether a late entry has his proper place by rating now, and others move. Two queries."""
    if not may_correct(stage) or stage.lots_seed is not None:
        return False
    entries = Entry.objects.filter(tournament=stage.tournament_id, number__isnull=False).select_related("player")
    order = [list_order(entry) for entry in entries.order_by("number")]
    ratings = [place[0] for place in order]
    # Of one rating alone every order is one of ratings: there the rest has to tell.
    return ratings == sorted(ratings) if len(set(ratings)) > 1 else order == sorted(order)


def may_correct(stage: Stage) -> bool:
    """Whether numbers may still be given anew though rounds are made. One query."""
    if stage.pairing_system != Dutch.key or not stage.takes_everybody or stage.tournament.foreign_records:
        return False
    last = Round.objects.filter(stage=stage).aggregate(last=Max("number"))["last"] or 0
    return last < FIXED_FROM


def number_among(tournament: Tournament, keys: Collection[int], *, by: User | None) -> None:
    """Put the entries of those keys into the order of a locked event's starting list; the others keep theirs."""
    entries = sorted(_entries(tournament), key=lambda entry: entry.number or 0)
    order = [entry for entry in entries if entry.pk not in keys]
    for entry in sorted((entry for entry in entries if entry.pk in keys), key=list_order):
        # Before the first of lower rating, or of the same who comes after in the list.
        after = (at for at, other in enumerate(order) if list_order(other) > list_order(entry))
        order.insert(next(after, len(order)), entry)
    give_numbers(tournament, order, by=by)


def _entries(tournament: Tournament) -> list[Entry]:
    return list(Entry.objects.filter(tournament=tournament).select_related("player"))


def give_numbers(tournament: Tournament, order: Iterable[Entry], *, by: User | None, first: int = 1) -> None:
    """Numbers from the `first` on in that order in a locked event, with one audit event for all that moved."""
    before, moved = {}, []
    for number, entry in enumerate(order, start=first):
        if entry.number != number:
            before[entry.pk], entry.number = entry.number, number
            moved.append(entry)
    # First without any: the database refuses two of one number.
    Entry.objects.filter(pk__in=list(before)).update(number=None)
    Entry.objects.bulk_update(moved, ["number"])
    if moved:
        was = {str(key): number for key, number in before.items()}
        now = {str(entry.pk): entry.number for entry in moved}
        write_audit("numbers.moved", tournament, by=by, before=was, after=now)


@transaction.atomic
def renumber_by_rating(stage: Stage, *, by: User | None) -> None:
    """Sort the numbers of a Swiss under way by rating. Raises Refused once round 4 is paired."""
    tournament = _lock(stage)
    give_numbers(tournament, sorted(_entries(tournament), key=list_order), by=by)


@transaction.atomic
def correct_entry_rating(entry_key: int, rating: int | None, *, by: User | None) -> Entry:
    """Another rating for the pairing of a Swiss (None: unrated), and the number that goes with it; the rating lists are
    not touched. Raises Refused once round 4 is paired, and for a rating that is none."""
    entry = Entry.objects.select_related("tournament").get(pk=entry_key)
    stage = entry.tournament.stages.order_by("order")[0]
    tournament = _lock(stage)
    if rating is not None and not 0 < rating <= _HIGHEST:
        raise Refused(_("A rating lies between 1 and %(highest)s.") % {"highest": _HIGHEST})
    follows = moves_numbers(stage)
    entry.refresh_from_db()
    before = {"rating": entry.rating, "list": entry.rating_list}
    entry.rating, entry.rating_games, entry.rating_deviation, entry.rating_list = rating, None, None, ""
    entry.save(update_fields=["rating", "rating_games", "rating_deviation", "rating_list"])
    write_audit("entry.rating-corrected", entry, by=by, before=before, after={"rating": rating})
    if follows and entry.number is not None:
        number_among(tournament, [entry.pk], by=by)
        entry.refresh_from_db()
    return entry


def _lock(stage: Stage) -> Tournament:
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=stage.tournament_id)
    if tournament.closed:
        raise Refused(_("The event is over: open it again before you change its entries."))
    if not may_correct(stage):
        raise Refused(
            _(
                "The numbers stand: they can be corrected in a Swiss until round %(round)s is paired, and not in an "
                "event that came as a report."
            )
            % {"round": FIXED_FROM}
        )
    return tournament
