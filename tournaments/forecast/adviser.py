"""Which format for this field, these evenings and boards (pure): every one asked for, measured the same way.

What is measured: the chance that the best wins, how often first place is shared before tie-breaks, how many games are
one-sided, how many games everybody gets, and how many evenings it takes. The last is reckoned (`formats`); the others
are sampled (`playing`), each with its standard error. Every format has a generator of its own from the same seed, so
what is said of one does not depend on which others are asked for.

The best is the highest rated; of several, who was named first. Ratings are taken for true strengths. Level on points
for first: each of them counts as the winner of an equal part of the event, as if lots were drawn; tie-breaks are left
out, for who profits from them is the same question again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy

from ratings.systems.draws import draw_rate
from tournaments.forecast.formats import KINDS, Format, Hall, Numbers, Odds, games_by_round, odds_table, play

# Without games of its own a field draws as often as the club's lists assume: three games in ten between equals.
ASSUMED_RATE = draw_rate(0, 0, 0.0)
SAMPLES = 200


@dataclass(frozen=True, slots=True)
class Field:
    """The players' ratings, in any order, and how often they draw (Davidson's ν; `draw_rate` knows it of a list)."""

    ratings: tuple[float, ...]
    rate: float = ASSUMED_RATE

    def __post_init__(self) -> None:
        if len(self.ratings) < 2:
            raise ValueError("An event needs at least two players.")


def even_steps(players: int, spread: float) -> tuple[float, ...]:
    """The ratings of a field of which only the size is known, best first: `spread` points from the strongest to the
    weakest, the others at equal steps between, around 1500. At least two players."""
    return tuple(1500.0 + spread * (0.5 - place / (players - 1)) for place in range(players))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over samples and its standard error; 0 where all samples were the same, which is no proof."""

    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Advice:
    """What is to be said of one format. `evenings` it takes at its longest, `fits` whether there are so many;
    `sittings`: how often the boards are set up. `best_wins` and `tied_first`: shares of events; `one_sided`: share of
    games in which one side expects more than 0.9. `games_each`: mean of all players, `fewest` and `most` games of
    anybody in any sample."""

    form: Format
    fits: bool
    evenings: int
    sittings: int
    best_wins: Estimate
    tied_first: Estimate
    one_sided: Estimate
    games_each: float
    fewest: int
    most: int
    samples: int


def advise(
    field: Field, hall: Hall, formats: Sequence[Format], *, samples: int = SAMPLES, seed: int
) -> tuple[Advice, ...]:
    """The advice on each of the formats, in their order. Formats that do not fit are measured too: one may find
    another evening. Raises PairingError for a format the field is too small or too large for (`usual_formats` asks for
    none), ValueError for fewer than two samples."""
    if samples < 2:
        raise ValueError(f"{samples} samples have no standard error: at least two are needed.")
    odds = odds_table(sorted(field.ratings, reverse=True), field.rate)
    return tuple(_advice(form, hall, odds, samples, seed) for form in formats)


def _advice(form: Format, hall: Hall, odds: Odds, samples: int, seed: int) -> Advice:
    rounds = games_by_round(form, len(odds.win))
    evenings = hall.evenings_for(rounds)
    played = play(form, odds, samples, _rng(form, seed))
    return Advice(
        form,
        evenings <= hall.evenings,
        evenings,
        sum(hall.sittings_for(games) for games in rounds),
        _estimate(played.share[:, 0]),
        _estimate(played.tied),
        _estimate(2.0 * played.one_sided / played.games.sum(axis=1)),  # a game is one of two players
        float(played.games.mean()),
        int(played.games.min()),
        int(played.games.max()),
        samples,
    )


def _rng(form: Format, seed: int) -> numpy.random.Generator:
    """The format's own generator: PCG64 of the seed and the format's settings."""
    settings = [KINDS.index(form.kind), form.cycles, form.rounds, form.groups, form.qualifiers, form.games]
    return numpy.random.Generator(numpy.random.PCG64([seed, *settings]))


def _estimate(values: Numbers) -> Estimate:
    return Estimate(float(numpy.mean(values)), float(numpy.std(values, ddof=1)) / sqrt(len(values)))
