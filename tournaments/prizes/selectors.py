"""Final places, and the prizes of an event with who gets them as it stands now.

`final_places`: of an event of several parts the last one counts, where it is one stage; groups played side by side to
the end have no common order. No query.

`prizes_of`: categories are those of the year the event begins in: a junior "up to 18" turns 18 in that year at the
earliest, a senior "from 60" turns 60 in it at the latest (FIDE's age groups). Rating limits look at the rating at
entry. Nothing shown depends on sex or age of somebody whose name the viewer may not read: where a junior's, a senior's
or a woman's prize is announced, what follows from them is left out (`Prizes.withheld`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from django.utils import timezone

from players.models import Player
from players.privacy.rules import Level, Viewer, sees_name
from ratings.models import RatingList
from ratings.systems.probation import Record
from tournaments.event_pages.selectors.formats import is_keizer, keizer_places
from tournaments.events.selectors.event_data import Entrant, EventData
from tournaments.events.selectors.standings import EventStandings, standings_of
from tournaments.knockouts.selectors.brackets import places_of
from tournaments.models import Entry, Prize, PrizeFund, Tournament
from tournaments.pairing.free import Teams
from tournaments.standings.prizes import PLACES, Award, Finisher, Offer, Sharing, hand_out


# --- final places -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class FinalPlace:
    """Somebody's place: of `first` to `last` where it is shared; `points` in the event's own measure (none in a
    knockout). `tied`: whoever has the same has done as well, before tie-breaks."""

    entrant: Entrant
    first: int
    last: int
    points: Fraction | None
    tied: object


def final_places(parts: Sequence[EventData], ranked: EventStandings | None = None) -> list[FinalPlace] | None:
    """Everybody in the order of the last part of those, best first; None where it has no common order, nothing while
    nobody has played. `ranked`: its standings, where they are at hand."""
    begun = [part for part in parts if part.rounds]
    last = [part for part in begun if part.stage.part == begun[-1].stage.part]
    if len(last) > 1 or (last and last[0].stage.pairing_system == Teams.key):
        return None
    if not last or not any(row.begun for part in begun for row in part.rounds):
        return []
    facts = last[0]
    if facts.is_bracket:
        return [FinalPlace(row.entrant, row.first, row.last, None, row.first) for row in places_of(facts)]
    if is_keizer(facts):
        lines = keizer_places(facts)
        return _with_ends([(row.entrant, row.place, row.score, row.score) for row in lines])
    ranked = ranked or standings_of(facts)
    rows = [row for row in ranked.rows if row.counts]
    unit = ranked.points.unit
    return _with_ends(
        [(ranked.entrants[row.player], row.place, Fraction(row.points, unit), row.points) for row in rows]
    )


def _with_ends(rows: Sequence[tuple[Entrant, int, Fraction, object]]) -> list[FinalPlace]:
    """With the last of the places each shares."""
    sharing: dict[int, int] = {}
    for _entrant, place, _points, _tied in rows:
        sharing[place] = sharing.get(place, 0) + 1
    return [FinalPlace(person, place, place + sharing[place] - 1, points, tied) for person, place, points, tied in rows]


# --- prizes -------------------------------------------------------------------------------------------------------
# Categories that reveal what is shown only together with the name.
_PRIVATE = (Prize.Kind.JUNIOR, Prize.Kind.SENIOR, Prize.Kind.WOMAN)


@dataclass(frozen=True, slots=True)
class Winner:
    """Somebody with the prizes of one list, money in hundredths."""

    entrant: Entrant
    place: FinalPlace
    prizes: tuple[Prize, ...]
    amount: int
    thing: str

    @property
    def first(self) -> Prize:
        """The prize of the highest rank among those the share comes from."""
        return min(self.prizes, key=lambda prize: prize.rank)

    @property
    def last(self) -> Prize:
        return max(self.prizes, key=lambda prize: prize.rank)


@dataclass(frozen=True, slots=True)
class Prizes:
    """All of it: the prizes as announced, the winners list by list, prizes nobody has reached, and in hundredths what
    rounding leaves over. `ordered`: the event has a common order by which prizes can be given; `begun`: something was
    played; `withheld`: winners may be missing, whom this viewer could tell somebody's age or sex by."""

    fund: PrizeFund
    announced: tuple[Prize, ...]
    winners: tuple[Winner, ...]
    unclaimed: tuple[Prize, ...]
    rest: int
    ordered: bool
    begun: bool
    withheld: bool = False

    @property
    def total(self) -> int:
        """All money announced."""
        return sum(prize.amount for prize in self.announced)


def fund_of(tournament: Tournament) -> PrizeFund | None:
    """How the event's prizes are given, with the prizes at hand; None where it has none. Two queries."""
    return PrizeFund.objects.filter(tournament=tournament).prefetch_related("prizes").first()


def prizes_of(fund: PrizeFund, parts: Sequence[EventData], viewer: Viewer) -> Prizes:
    """Who gets what, as the event stands now. Two queries."""
    prizes = {prize.pk: prize for prize in fund.prizes.all()}
    # Places first, then category by category.
    kinds = Prize.Kind.values
    announced = tuple(sorted(prizes.values(), key=lambda row: (kinds.index(row.kind), row.limit or 0, row.rank)))
    places = final_places(parts)
    if not places:
        return Prizes(fund, announced, (), (), 0, ordered=places is not None, begun=False)
    categories = _categories(fund, [row.entrant for row in places], announced)
    finishers = [Finisher(row.entrant.key, row.tied, categories[row.entrant.key]) for row in places]
    offers = [Offer(prize.pk, _list(prize), prize.rank, prize.amount, bool(prize.thing)) for prize in announced]
    done = hand_out(finishers, offers, sharing=Sharing(fund.sharing), step=fund.step, one_each=fund.one_each)
    by_key = {row.entrant.key: row for row in places}
    winners = [_winner(award, by_key[award.finisher], prizes) for award in done.awards]
    unclaimed = tuple(prizes[key] for key in done.unclaimed)
    certain = _certain(places, viewer)
    if len(certain) == len(places) or not any(prize.kind in _PRIVATE for prize in announced):
        return Prizes(fund, announced, tuple(winners), unclaimed, done.rest, ordered=True, begun=True)
    # With one prize each, a prize of a category moves those of the places as well.
    free = [] if fund.one_each else [kind for kind in kinds if kind not in _PRIVATE]
    shown = tuple(row for row in winners if row.first.kind in free or row.entrant.key in certain)
    unclaimed = tuple(prize for prize in unclaimed if prize.kind in free)
    return Prizes(fund, announced, shown, unclaimed, 0, ordered=True, begun=True, withheld=True)


def _certain(places: Sequence[FinalPlace], viewer: Viewer) -> set[int]:
    """The entries whose prizes are the same whoever the people are whom this viewer does not see by name: those above
    them all, and tied with none."""
    found = set[int]()
    for _tied, group in groupby(places, key=lambda row: row.tied):
        people = [row.entrant for row in group]
        if viewer.level < Level.OFFICER and not all(sees_name(person.player, viewer) for person in people):
            break
        found.update(person.key for person in people)
    return found


def _list(prize: Prize) -> str:
    return PLACES if prize.kind == Prize.Kind.PLACE else f"{prize.kind} {prize.limit or ''}"


def _winner(award: Award, place: FinalPlace, prizes: Mapping[int, Prize]) -> Winner:
    own = tuple(prizes[key] for key in award.offers)
    thing = prizes[award.thing].thing if award.thing is not None else ""
    return Winner(place.entrant, place, own, award.amount, thing)


def _categories(fund: PrizeFund, entrants: Sequence[Entrant], prizes: Sequence[Prize]) -> dict[int, frozenset[str]]:
    """The lists each of them belongs to, by the entry's key."""
    rows = Entry.objects.filter(tournament=fund.tournament_id).values_list(
        "pk", "rating", "rating_games", "rating_deviation", "rating_list"
    )
    ratings = {key: (rating, Record(games or 0, deviation=told), slug) for key, rating, games, told, slug in rows}
    probation = {row.slug: row.probation for row in RatingList.objects.all()}
    year = (fund.tournament.starts_on or timezone.localdate()).year
    wanted = [prize for prize in prizes if prize.kind != Prize.Kind.PLACE]
    found = {}
    for person in entrants:
        rating, known, slug = ratings.get(person.key, (None, Record(0), ""))
        new = rating is None or (slug in probation and probation[slug].holds(known))
        own = (_list(prize) for prize in wanted if _belongs(prize, person.player, rating, is_new=new, year=year))
        found[person.key] = frozenset(own)
    return found


def _belongs(prize: Prize, player: Player, rating: float | None, *, is_new: bool, year: int) -> bool:
    age = year - player.birth_year if player.birth_year else None
    limit = prize.limit or 0
    match prize.kind:
        case Prize.Kind.JUNIOR:
            return age is not None and age <= limit
        case Prize.Kind.SENIOR:
            return age is not None and age >= limit
        case Prize.Kind.WOMAN:
            return player.sex == Player.Sex.FEMALE
        case Prize.Kind.BELOW:
            return rating is not None and rating < limit
    return is_new
