"""Evenings: which one is on, who is here, and the boards the arbiter's rule proposes, with what it looked at."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from players.models import Player
from ratings.lists.selectors.lists import live_ratings, main_list_of
from ratings.systems.probation import Probation, Record
from tournaments.event_pages.selectors.formats import ladder_of
from tournaments.events.selectors.stages import is_ladder
from tournaments.forecast.learning import Aim, Belief, belief_of, games_of, telling
from tournaments.forecasts.selectors.strengths import evidence_on
from tournaments.free_boards.selectors import waiting
from tournaments.models import Arrival, Evening, FreeRules, Game, ProhibitedPair, Stage, Tournament
from tournaments.pairing.evening import (
    NOTHING,
    RECENT,
    YEAR,
    Guest,
    Pair,
    Partners,
    Telling,
    in_order,
    pair_guests,
    uneven,
)
from tournaments.standings.points import DECIDED_RESULTS

AIMS = {Partners.LIST: Aim.ORDER, Partners.TITLE: Aim.TITLE, Partners.NEWCOMERS: Aim.NEWCOMERS}
FEW = 30  # rated games: who has fewer is a newcomer where no list says otherwise


def evening_now(tournament: Tournament, now: datetime) -> Evening | None:
    """The one that is on at that moment. One query."""
    return Evening.objects.filter(tournament=tournament, ends_at__gt=now).first()


def evening_at(slug: str, code: str) -> Evening | None:
    """The evening with that code in the event at that address, on or over; None where there is none."""
    rows = Evening.objects.filter(tournament__slug=slug, door_code=code, tournament__free_rules__check_in=True)
    return rows.select_related("tournament").first()


def here_at(evening: Evening) -> list[Arrival]:
    """Who is here, the first first, each with the player. One query."""
    rows = Arrival.objects.filter(evening=evening, left_at=None, player__merged_into=None, player__name__gt="")
    return list(rows.select_related("player").order_by("at", "pk"))


def busy_at(event: Tournament) -> set[int]:
    """Keys of the players who have a board to play, other than one of a challenge that may wait. One query."""
    pairs = waiting(event.pk).filter(challenge=None).values_list("white", "black")
    return {key for pair in pairs for key in pair}


@dataclass(frozen=True, slots=True)
class Told:
    """Why a board is to be played. `above`: the chance that who stands higher is the stronger; `gap` of the strengths
    that their games tell, Elo points; `firsts`: the chances of White and Black to be the first, where the title is
    asked for; `few`: rated games of those of them who are newcomers; `ago`: days since they met, None for a year and
    more. Then the bounds that could not be kept."""

    above: float
    gap: float
    firsts: tuple[float, float] | None
    few: tuple[int, ...]
    ago: int | None
    again: bool
    uneven: bool
    far: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """The boards by the arbiter's rule, White first, and who is left over. `told` of each board, where the rule asks
    what boards tell."""

    boards: tuple[tuple[Player, Player], ...] = ()
    left: tuple[Player, ...] = ()
    told: tuple[Told, ...] = ()


def propose(
    evening: Evening, here: list[Arrival], busy: set[int], today: date, rule: Partners | None = None
) -> Proposal:
    """Boards for those who are here and free, by the event's rule or another one. Seven queries at most, twelve where
    the rule asks what boards tell."""
    people = {each.player_id: each.player for each in here if each.player_id not in busy}
    event = evening.tournament
    strongest = _by_strength(event, people)  # on a ladder without those who have left it meanwhile
    if len(strongest) < len(("White", "Black")):
        return Proposal(left=tuple(people.values()))
    rule = rule or Partners(FreeRules.objects.get(tournament=event).partners)
    met, whites, played = _history(event, people, today)
    guests = {key: Guest(key, played[key], whites[key]) for key in strongest}
    seated = {in_order(*pair) for pair in waiting(event.pk).values_list("white", "black")}
    asked = _asked(event, [people[key] for key in guests], rule, today) if rule.asks else None
    apart = _apart(event, people) | seated
    pairs = pair_guests(list(guests.values()), met, apart, rule, asked.telling if asked else NOTHING)
    placed = {key for pair in pairs for key in pair}
    return Proposal(
        tuple((people[white], people[black]) for white, black in pairs),
        tuple(player for key, player in people.items() if key not in placed),
        tuple(_told(asked, guests[white], guests[black], met) for white, black in pairs) if asked else (),
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is believed of the guests, and what their boards tell. `few`: rated games of newcomers by key."""

    belief: Belief
    telling: Telling
    few: Mapping[int, int]
    firsts: Mapping[int, float]


def _asked(event: Tournament, people: Collection[Player], rule: Partners, today: date) -> _Asked:
    stage = Stage.objects.filter(tournament=event).select_related("tournament").order_by("order")[0]
    evidence, known, rating_list = evidence_on(stage, list(people), today - timedelta(days=YEAR))
    listed = {key: row.rating for key, row in known.items() if row.rating is not None}
    games = games_of(evidence.priors, evidence.meetings, evidence.outside)
    belief = belief_of(evidence.priors, games, listed)
    probation = rating_list.probation if rating_list else Probation(FEW)
    counts = {key: known[key].games if key in known else evidence.games[key] for key in evidence.priors}
    told = {key: row.deviation for key, row in known.items()}
    few = {key: count for key, count in counts.items() if probation.holds(Record(count, deviation=told.get(key)))}
    firsts = belief.firsts().tolist() if rule is Partners.TITLE else ()
    return _Asked(belief, telling(belief, AIMS[rule], few), few, dict(zip(belief.players, firsts, strict=False)))


def _told(asked: _Asked, white: Guest, black: Guest, met: Mapping[Pair, int]) -> Told:
    belief, pair = asked.belief, in_order(white.key, black.key)
    places = [belief.players.index(key) for key in (white.key, black.key)]
    higher, lower = sorted(places, key=lambda place: (-belief.listed[place], place))
    ago = met.get(pair)
    return Told(
        above=belief.above(higher, lower),
        gap=abs(float(belief.mean[higher] - belief.mean[lower])),
        firsts=(asked.firsts[white.key], asked.firsts[black.key]) if asked.firsts else None,
        few=tuple(asked.few[key] for key in (white.key, black.key) if key in asked.few),
        ago=ago,
        again=ago is not None and ago < RECENT,
        uneven=uneven(white, black),
        far=pair in asked.telling.far,
    )


def _by_strength(event: Tournament, people: dict[int, Player]) -> list[int]:
    """Keys in the order of the ladder, else of the ratings in the pool's main list; the unrated in order of numbers."""
    stage = Stage.objects.filter(tournament=event).order_by("order")[0]
    if is_ladder(stage):
        return [
            entry.player_id for entry in ladder_of(stage).order if entry.player_id in people and not entry.withdrawn
        ]
    rating_list, ratings = main_list_of(event.pool), dict[int, float]()
    if rating_list is not None:
        rows = live_ratings().filter(rating_list=rating_list, player__in=people)
        ratings = dict(rows.values_list("player", "rating"))
    return sorted(people, key=lambda key: (key not in ratings, -ratings.get(key, 0), people[key].number))


def _history(
    event: Tournament, people: dict[int, Player], today: date
) -> tuple[dict[Pair, int], Counter[int], Counter[int]]:
    """Of the last year among those people: days since each pair met, Whites less Blacks, games today. Two
    queries."""
    games = Game.objects.filter(tournament=event, white__in=people, black__in=people)
    played = games.filter(result__in=DECIDED_RESULTS, played_on__gt=today - timedelta(days=YEAR))
    rows = [(white, black, day or today) for white, black, day in played.values_list("white", "black", "played_on")]
    met, whites = dict[Pair, int](), Counter[int]()
    for white, black, day in rows:
        pair, ago = in_order(white, black), max(0, (today - day).days)
        met[pair] = min(met.get(pair, ago), ago)
        whites.update({white: 1, black: -1})
    return met, whites, _played_today(event, today)


def _played_today(event: Tournament, today: date) -> Counter[int]:
    rows = Game.objects.filter(tournament=event, result__in=DECIDED_RESULTS, played_on=today)
    return Counter(key for pair in rows.values_list("white", "black") for key in pair)


def _apart(event: Tournament, people: dict[int, Player]) -> set[Pair]:
    """Pairs of players who must not meet. One query."""
    rows = ProhibitedPair.objects.filter(tournament=event, first__player__in=people, second__player__in=people)
    return {in_order(*pair) for pair in rows.values_list("first__player", "second__player")}
