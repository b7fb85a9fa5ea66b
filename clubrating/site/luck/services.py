"""The luck ledger of a list, worked out in the background: every change of everybody's seasons, split.

The list's last games are read from its ledger once, strengths are drawn from their results
(`ratings.lab.strength_draws`), and each player's seasons are split by the same draws (`ratings.lab.luck`). Nothing is
written but the answer. A game that waits for its event to end moves nobody yet: its result tells of strengths, its
change comes with the event.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from statistics import fmean
from typing import Any, NamedTuple

import numpy
from django.utils.translation import gettext as _

from clubrating.site.luck.selectors import ALL_YEARS, MOST_GAMES, SeasonLuck, is_split, luck_question, year_of
from players.jobs.services import ask, job_of
from players.models import Job
from players.refusals import Refused
from ratings.history.whole_history import Field, HistoryGame, When
from ratings.lab.luck import Believed, Move, chance_of_gain, estimates, split
from ratings.lab.strength_draws import Strengths, strengths_from
from ratings.lists.selectors.lists import PERIOD_KINDS, latest_games, public_lists
from ratings.models import ContestEntry, RatingList, RatingStep
from ratings.systems.base import SEQUENCE_BITS
from tournaments.forecast.outlook import Tell

DRAWS = 200
SEED = 1  # the same facts give the same figures
_FIT = 60  # per cent of the progress


def ask_lucks() -> int:
    """Have every public list's ledger of luck made anew where its facts moved; how many. To be called once a day."""
    asked = 0
    for rating_list in public_lists():
        question = luck_question(rating_list)
        if is_split(rating_list) and job_of(question) is None and latest_games(rating_list).exists():
            ask(question)
            asked += 1
    return asked


def answer_luck(job: Job, tell: Tell) -> dict[str, Any]:
    """Rows of everybody's seasons by player (key), and the model that was found. Raises Refused for a list that is
    gone, has no game, or cannot be split."""
    rating_list = RatingList.objects.filter(pk=job.subject_key or 0).first()
    if rating_list is None:
        raise Refused(_("The list was deleted meanwhile."))
    if not is_split(rating_list):
        raise Refused(_("The changes of this list cannot be split."))
    ledger = ledger_of(rating_list)
    if not ledger.games or not ledger.rated:
        raise Refused(_("The list has no rated game yet."))
    rng = numpy.random.Generator(numpy.random.PCG64(SEED))
    known = strengths_from(ledger.games, DRAWS, rng, lambda done, of: tell(_FIT * done // of, 100))
    draws = ledger.levelled(known)
    found = {}
    for at, player in enumerate(sorted(ledger.items)):
        tell(_FIT + (100 - _FIT) * at // len(ledger.items), 100)
        rows = [_luck_of(season, known.field, draws).row() for season in ledger.seasons(player)]
        if rows:
            found[str(player)] = rows
    model = {"prior": known.model.prior, "drift": known.model.drift, "variation": known.variation}
    return {"games": len(ledger.games), "whole": ledger.is_whole, "model": model, "players": found}


def _luck_of(season: "Season", places: Field, draws: Any) -> SeasonLuck:
    own, opponents = ([places.place(when) for when in whens] for whens in (season.own, season.opponents))
    believed = Believed(draws[:, places.place(season.first)], draws[:, own], draws[:, opponents])
    parts = estimates(split(season.moves, season.start, season.end, believed))
    score = sum(move.score for move in season.moves)
    gain = chance_of_gain(parts["strength"])
    return SeasonLuck(season.year, len(own), season.start, season.end, score, parts, gain)


# --- the ledger, player by player ------------------------------------------------------------------------------------
GAME, PERIOD, OTHER = range(3)  # in the order of one moment: a period ends after its last game


class Item(NamedTuple):
    """Something that moved a player. A game: the rating `before` it, its own `change`, and the rating `after` it (None:
    with its period). Else where he stood before and after (None: not in the list)."""

    order: int
    kind: int
    before: float | None
    after: float | None
    change: float | None = None
    k: float | None = None
    score: float = 0.0
    opponent: float | None = None
    met: int = 0

    @property
    def day(self) -> int:
        return self.order >> SEQUENCE_BITS

    @property
    def move(self) -> Move | None:
        """As a game is split; None where it moved nobody."""
        if self.change is None:
            return None
        if self.k is None or self.before is None or self.opponent is None:
            return Move(self.change)
        return Move(self.change, self.k, self.score, self.before, self.opponent)


@dataclass
class Season:
    """A player's moves of one year, with whom and when."""

    year: int
    start: float
    end: float
    moves: list[Move] = field(default_factory=list)
    own: list[When] = field(default_factory=list)
    opponents: list[When] = field(default_factory=list)
    before: When | None = None  # his last game of an earlier year

    @property
    def first(self) -> When:
        """When it begins for him."""
        return self.before or self.own[0]

    def play(self, player: int, game: Item) -> None:
        move = game.move
        if move is None:
            return
        self.moves.append(move)
        if move.k is not None:
            self.own.append(When(player, game.day))
            self.opponents.append(When(game.met, game.day))


def seasons_of(player: int, items: Sequence[Item], year_of: Callable[[int], int] = year_of) -> Iterator[Season]:
    """The years in which games moved the player, from all that moved him. A game that is rated with its period belongs
    to the year in which the period moved him. `year_of`: the year of a day, or whatever parts his days."""
    rating: float | None = None
    season: Season | None = None
    last: When | None = None
    waiting: list[Item] = []
    for item in sorted(items, key=lambda each: (each.order, each.kind)):
        if item.kind == GAME and item.after is None:
            waiting.append(item)
            continue
        begin, rating = item.before if rating is None else rating, item.after
        year = year_of(item.day)
        if season is not None and (season.year != year or rating is None):
            if season.own:
                yield season
                last = season.own[-1]
            season = None
        if begin is not None and rating is not None:  # else he enters or leaves the list
            season = season or Season(year, begin, begin, before=last)
            for game in [item] if item.kind == GAME else waiting if item.kind == PERIOD else []:
                season.play(player, game)
            if item.kind == OTHER:
                season.moves.append(Move(rating - begin))
            season.end = rating
        waiting = [] if item.kind == PERIOD else waiting
    if season is not None and season.own:
        yield season


@dataclass(frozen=True, slots=True)
class Ledger:
    """A list's last games as the history takes them, and all that moved each player since the first of them. `rated`:
    everybody's rating before each game, with when that was. `is_whole`: these are all the games there are."""

    games: list[HistoryGame]
    items: Mapping[int, list[Item]]
    rated: list[tuple[When, float]]
    is_whole: bool

    def seasons(self, player: int) -> Iterator[Season]:
        """All years together, where there are several, and each by itself. Of a list that is not whole the first year
        is not either."""
        items = self.items[player]
        years = list(seasons_of(player, items))
        if not self.is_whole:
            return (season for season in years if season.year > year_of(self.games[0].day))
        return chain(seasons_of(player, items, lambda _day: ALL_YEARS) if len(years) > 1 else (), years)

    def levelled(self, strengths: Strengths) -> Any:
        """The draws on the list's scale: over all games as high in the mean as the ratings."""
        at = [strengths.field.place(when) for when, _rating in self.rated]
        mean = fmean(rating for _when, rating in self.rated)
        return strengths.draws + (mean - strengths.draws[:, at].mean(axis=1))[:, None]


_SIDE = ("player", "before", "change", "k", "after")
_COLUMNS = ("order", "score", *(f"{side}_{name}" for side in ("white", "black") for name in _SIDE))


def ledger_of(rating_list: RatingList) -> Ledger:
    """Two queries, three where the list has contests."""
    rows = list(latest_games(rating_list)[: MOST_GAMES + 1].values_list(*_COLUMNS))
    is_whole = len(rows) <= MOST_GAMES
    games: list[HistoryGame] = []
    items: dict[int, list[Item]] = defaultdict(list)
    rated: list[tuple[When, float]] = []
    for order, score, *both in reversed(rows[:MOST_GAMES]):
        white, black = both[:5], both[5:]
        day = order >> SEQUENCE_BITS
        games.append(HistoryGame(white[0], black[0], day, score))
        for own, other, result in ((white, black, score), (black, white, 1.0 - score)):
            player, before, change, k, after = own
            items[player].append(Item(order, GAME, before, after, change, k, result, other[1], other[0]))
            if before is not None:
                rated.append((When(player, day), before))
    for player, item in _others(rating_list, rows[-1][0] if games else 0):
        if player in items:
            items[player].append(item)
    return Ledger(games, items, rated, is_whole)


def _others(rating_list: RatingList, since: int) -> Iterator[tuple[int, Item]]:
    """What moved players and is no game of two, by player, since that order key."""
    here = {"rating_list": rating_list, "generation": rating_list.live_generation, "order__gte": since}
    steps = RatingStep.objects.filter(player__isnull=False, **here)
    for order, player, kind, before, after in steps.values_list("order", "player", "kind", "before", "after"):
        yield player, Item(order, PERIOD if kind in PERIOD_KINDS else OTHER, before, after)
    if rating_list.has_contests:
        members = ContestEntry.objects.filter(**here)
        for order, player, before, after in members.values_list("order", "player", "before", "after"):
            yield player, Item(order, OTHER, before, after)
