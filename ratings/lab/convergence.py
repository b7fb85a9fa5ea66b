"""How fast ratings find newcomers, and how fast they follow a jump of strength.

A newcomer is looked at after his 1st, 10th, 30th … own game. On the systems' common scale (Elo's 400 points) his error
is the distance to his true rating, 400 log₁₀ strength, set so that the established stand right in the mean; on any
scale it is the distance to his true place. The error of the established at the same moment is what a newcomer's can
sink to.

A jump is followed over the mean rating of those who jumped; its target is where those stand who have had that strength
all along. Not done: leavers and returns.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

import numpy

from ratings.lab.contenders import Contender
from ratings.lab.measures import Figures
from ratings.lab.table import Table

AFTER = (1, 10, 20, 30, 40, 50, 60, 80, 100)  # own games at which newcomers are looked at


def on_elo_scale(contender: Contender) -> bool:
    """Whether 400 points are ten to one in that system, so that its ratings can be held against true ones."""
    return contender.system.is_on_elos_scale(contender.settings)


def true_ratings(strengths: Figures) -> Any:
    """400 log₁₀ strength, as an array: the Elo points that give s₁ / (s₁ + s₂), from strength 1 on."""
    return 400.0 * numpy.log10(numpy.asarray(strengths, dtype=float))


class Moment(NamedTuple):
    """After `game` games of a stretch the player at `place` has played `own_games` in all."""

    game: int
    place: int
    own_games: int


def moments(
    white: Sequence[int],
    black: Sequence[int],
    games: Sequence[int],
    newcomers: Iterable[int],
    after: Sequence[int] = AFTER,
) -> tuple[Moment, ...]:
    """When in a stretch the newcomers reach those numbers of own games, in order of games. `games`: everybody's own
    games before the stretch, by place (`Table.games`)."""
    played = {place: int(games[place]) for place in newcomers}
    wanted = frozenset(after)
    found = []
    for game, pair in enumerate(_pairs(white, black), start=1):
        for place in pair:
            if place in played:
                played[place] += 1
                if played[place] in wanted:
                    found.append(Moment(game, place, played[place]))
    return tuple(found)


def _pairs(white: Sequence[int], black: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(numpy.asarray(white).tolist(), numpy.asarray(black).tolist(), strict=True)


def _above(figures: Any) -> tuple[Any, Any]:
    """Of each figure: how many are higher, and how many level with it, itself not counted."""
    ascending = numpy.sort(figures)
    to = numpy.searchsorted(ascending, figures, side="right")
    return len(figures) - to, to - numpy.searchsorted(ascending, figures, side="left") - 1


def place_errors(ratings: Figures, truth: Figures) -> Any:
    """By place, the share of the table by which a player stands off his true place, as an array: 0 anywhere among the
    places his equals of strength hold in the true order, 1 for the strongest at the foot. Equal ratings share the
    middle of their places. `truth`: strengths or true ratings."""
    above, level = _above(numpy.asarray(ratings, dtype=float))
    stronger, equals = _above(numpy.asarray(truth, dtype=float))
    stands = above + level / 2.0
    off = numpy.maximum(numpy.maximum(stronger - stands, stands - (stronger + equals)), 0.0)
    return off / max(1, len(off) - 1)


def points_errors(ratings: Figures, truth: Figures, established: Sequence[int]) -> Any:
    """By place, a player's rating minus his true one, in points of Elo, as an array. `truth`: true ratings, from any
    zero on (`true_ratings`); they are shifted so that the places of `established` are right in the mean."""
    off = numpy.asarray(ratings, dtype=float) - numpy.asarray(truth, dtype=float)
    return off - off[list(established)].mean()


@dataclass(frozen=True, slots=True)
class NewcomerError:
    """A newcomer after that many own games. `points`: signed distance to his true rating (None off Elo's scale);
    `places`: that of `place_errors`. `established_points`, `established_places`: the mean distances, without sign, of
    the established at that moment."""

    place: int
    own_games: int
    points: float | None
    places: float
    established_points: float | None
    established_places: float


def newcomer_errors(
    table: Table,
    white: Sequence[int],
    black: Sequence[int],
    scores: Sequence[float],
    newcomers: Sequence[int],
    *,
    elo_scale: bool,
    after: Sequence[int] = AFTER,
) -> tuple[NewcomerError, ...]:
    """Play a stretch in the table and look at each newcomer as he reaches those numbers of own games; everybody else in
    the table is established. Ratings are the table's at that very moment, so that normalisations of the whole field are
    in them. Raises ValueError where nobody is established."""
    truth = true_ratings(table.strengths)
    new = frozenset(newcomers)
    established = [place for place in range(len(truth)) if place not in new]
    if not established:
        raise ValueError("Nobody is established: there is no mean to measure newcomers by.")
    found, done = [], 0
    for moment in moments(white, black, table.games, newcomers, after):
        table.trace(white[done : moment.game], black[done : moment.game], scores[done : moment.game])
        done = moment.game
        found.append(newcomer_error(moment, table.ratings, truth, established, elo_scale=elo_scale))
    table.trace(white[done:], black[done:], scores[done:])
    return tuple(found)


def newcomer_error(
    moment: Moment, ratings: Figures, truth: Figures, established: Sequence[int], *, elo_scale: bool
) -> NewcomerError:
    """One look: everybody's ratings and true ratings (from any zero on) at that moment, by place."""
    others = list(established)
    places = place_errors(ratings, truth)
    points = points_errors(ratings, truth, established) if elo_scale else None
    return NewcomerError(
        moment.place,
        moment.own_games,
        None if points is None else float(points[moment.place]),
        float(places[moment.place]),
        None if points is None else float(abs(points[others]).mean()),
        float(places[others].mean()),
    )


@dataclass(frozen=True, slots=True)
class ProbationRow:
    """Newcomers after that many own games: how many, their mean distance to the truth in points (None off Elo's scale)
    and in places, the same of the established beside them, and what the last ten games took off the error: the fall
    from the row above, by ten games (None in the first row)."""

    own_games: int
    newcomers: int
    points: float | None
    places: float
    established_points: float | None
    established_places: float
    points_gain: float | None
    places_gain: float | None

    @property
    def ratio(self) -> float | None:
        """The newcomers' error over that of the established, in points where there are any, else in places: at 1
        they are as good as established. None where the established make no error."""
        points, places = (self.points, self.established_points), (self.places, self.established_places)
        own, others = points if points[0] is not None else places
        return own / others if own is not None and others else None


def probation_table(errors: Iterable[NewcomerError], after: Sequence[int] = AFTER) -> tuple[ProbationRow, ...]:
    """One row a number of own games, of those newcomers only who reached the last of them, so that all rows speak of
    the same people; empty where nobody did. Errors of several stretches: give every stretch's newcomers their own
    places (later joiners have); of several replications: a table each, then means."""
    by_place: dict[int, dict[int, NewcomerError]] = {}
    for each in errors:
        by_place.setdefault(each.place, {})[each.own_games] = each
    whole = [seen for seen in by_place.values() if all(count in seen for count in after)]
    rows: list[ProbationRow] = []
    for count in sorted(after) if whole else ():
        rows.append(_row([seen[count] for seen in whole], rows[-1] if rows else None))
    return tuple(rows)


def _row(seen: Sequence[NewcomerError], above: ProbationRow | None) -> ProbationRow:
    points = _mean_size([each.points for each in seen])
    places = fmean(each.places for each in seen)
    own_games = seen[0].own_games
    tens = (own_games - above.own_games) / 10.0 if above else 1.0
    return ProbationRow(
        own_games,
        len(seen),
        points,
        places,
        _mean_size([each.established_points for each in seen]),
        fmean(each.established_places for each in seen),
        (above.points - points) / tens if above and above.points is not None and points is not None else None,
        (above.places - places) / tens if above else None,
    )


def _mean_size(values: Sequence[float | None]) -> float | None:
    known = [abs(value) for value in values if value is not None]
    return fmean(known) if known else None


def enough(rows: Sequence[ProbationRow], factor: float = 1.25) -> int | None:
    """The shortest probation after which newcomers are off by no more than `factor` times the error of the established;
    None where the rows do not reach it. A row without a ratio never is enough."""
    return next((row.own_games for row in rows if row.ratio is not None and row.ratio <= factor), None)


def own_curve(
    white: Sequence[int],
    black: Sequence[int],
    white_after: Figures,
    black_after: Figures,
    players: Iterable[int],
    length: int,
) -> tuple[float, ...]:
    """The mean rating of `players` after their 1st, 2nd … `length`th own game of a traced stretch (`Table.trace`), of
    those only who played so many; empty where nobody did."""
    own: dict[int, list[float]] = {place: [] for place in players}
    for game, pair in enumerate(_pairs(white, black)):
        for place, after in zip(pair, (white_after, black_after), strict=True):
            if place in own and len(own[place]) < length:
                own[place].append(float(after[game]))
    whole = [curve for curve in own.values() if len(curve) == length]
    return tuple(map(fmean, zip(*whole, strict=True)))


@dataclass(frozen=True, slots=True)
class Reaction:
    """Own games until half and until 90 % of a jump are in the rating; None where the curve does not get so far."""

    half: int | None
    ninety: int | None


def reaction(curve: Sequence[float], before: float, target: float) -> Reaction:
    """Read off a curve of ratings by own games since the jump (`own_curve`), from the rating `before` it to the one
    that is true after it, up or down: the first game at which the share is reached. Raises ValueError where the two
    are equal."""
    jump = target - before
    if jump == 0.0:
        raise ValueError("No jump: the target is where he stands.")

    def first(share: float) -> int | None:
        return next((game for game, now in enumerate(curve, start=1) if (now - before) / jump >= share), None)

    return Reaction(first(0.5), first(0.9))


def level_of(strength: float, ratings: Sequence[float], strengths: Sequence[float], without: Iterable[int]) -> float:
    """Where that strength stands in the table: the mean rating of all who have had it all along, the places `without`
    (who jumped) left out. The target of a jump in any system. Raises ValueError where nobody has it."""
    left_out = frozenset(without)
    level = [
        rating
        for place, (rating, own) in enumerate(zip(ratings, strengths, strict=True))
        if own == strength and place not in left_out
    ]
    if not level:
        raise ValueError(f"Nobody else has strength {strength:g}.")
    return fmean(level)
