"""The diary's tournaments, over columns: who enters, who meets, who wins, what is recorded, and the one update after
the last round.

Source: the Elo diary of 2009, its last simulation; its K rule and the update by the tournament are the club's own
(`ratings.systems.k_factors`, `ratings.systems.elo`: the expectations of all games from the ratings before the
tournament, each player moved once, ratings whole), and a test holds them equal to the replay that rates the club.
Plain numbers in and out, so that one text runs plainly and compiled.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ratings.lab.table import sort_table
from ratings.lab.vectorised import Floats, Ints
from ratings.systems.base import AGE_UNKNOWN
from ratings.systems.elo import expected_score
from ratings.systems.fide_tables import nearest
from ratings.systems.k_factors import StepChooser


class People(NamedTuple):
    """One column a figure. `powers` decide who wins: the strengths, or in the diary's first attempts the ratings."""

    powers: Floats
    ratings: Floats
    peaks: Floats
    games: Ints
    wins: Ints
    draws: Ints
    losses: Ints
    order: Ints  # places as the leagues last stood


class Event(NamedTuple):
    """What one tournament adds up, by place: points recorded, points expected, change of rating, games."""

    points: Floats
    expected: Floats
    changes: Floats
    played: Ints


class Log(NamedTuple):
    """Every game, and what stands after each tournament: the two highest ratings, points recorded − expected."""

    first: Ints
    second: Ints
    first_scores: Floats
    second_scores: Floats
    top: Floats
    runner_up: Floats
    surplus: Floats


class Switches(NamedTuple):
    """`certain`: the greater power always wins. `draws`: share of games recorded as drawn. `bug`: the diary's fault."""

    entrants: int
    rounds: int
    leagues: int
    certain: bool
    draws: float
    bug: bool


def draw_lots(pool: Ints, size: int, count: int, uniforms: Sequence[float], at: int) -> None:
    """Put `count` of the first `size` places in front, in random order, by the `count` numbers from `at` on."""
    for here in range(count):
        there = here + int(uniforms[at + here] * (size - here))
        pool[here], pool[there] = pool[there], pool[here]


def first_wins(one: float, two: float, certain: bool, uniform: float) -> bool:
    """Whether the first of a pair beats the second. Certain: unless he is weaker. Else with chance one / (one + two),
    and evenly where neither has any power."""
    if certain:
        return one >= two
    together = one + two
    return uniform * together < one if together > 0.0 else uniform < 0.5


def recorded(first_won: bool, drawn: bool, before: float, bug: bool) -> tuple[float, float]:
    """The points written down for the first and the second of a pair. `before`: the first one's points so far.

    The fault: a loser gets −1 instead of 0; where the second one wins, the first one's points become 1, whatever he
    had.
    """
    if drawn:
        return 0.5, 0.5
    if first_won:
        return 1.0, -1.0 if bug else 0.0
    return 1.0 - before if bug else 0.0, 1.0


def enter(event: Event, place: int, score: float, expected: float, k: float) -> None:
    """Add one game to a player's tournament."""
    event.points[place] += score
    event.expected[place] += expected
    event.changes[place] += k * (score - expected)
    event.played[place] += 1


def count(people: People, place: int, won: bool, drawn: bool) -> None:
    """Count a game by what happened on the board, whatever is written down of it."""
    if drawn:
        people.draws[place] += 1
    elif won:
        people.wins[place] += 1
    else:
        people.losses[place] += 1


def play_game(
    choose: StepChooser, ks: Sequence[float], switches: Switches, people: People, event: Event, log: Log,
    one: int, two: int, win_uniform: float, draw_uniform: float, game: int,
) -> bool:  # fmt: skip
    """Play and record a game; whether the first advances (after a drawn game too, as if he had won)."""
    ratings, games, peaks = people.ratings, people.games, people.peaks
    expected = expected_score(ratings[one], ratings[two])
    one_k = ks[choose(ratings[one], games[one], peaks[one], AGE_UNKNOWN)]
    two_k = ks[choose(ratings[two], games[two], peaks[two], AGE_UNKNOWN)]
    advances = first_wins(people.powers[one], people.powers[two], switches.certain, win_uniform)
    drawn = draw_uniform < switches.draws
    one_score, two_score = recorded(advances, drawn, event.points[one], switches.bug)
    enter(event, one, one_score, expected, one_k)
    enter(event, two, two_score, 1.0 - expected, two_k)
    count(people, one, advances, drawn)
    count(people, two, not advances, drawn)
    log.first[game], log.second[game] = one, two
    log.first_scores[game], log.second_scores[game] = one_score, two_score
    return advances


def settle(people: People, event: Event) -> float:
    """The update after the last round, and an empty tournament again. Answers points recorded − points expected."""
    surplus = 0.0
    for place in range(len(people.ratings)):
        if event.played[place] > 0:
            after = float(nearest(people.ratings[place] + event.changes[place]))
            people.ratings[place] = after
            people.peaks[place] = max(people.peaks[place], after)
            people.games[place] += event.played[place]
            surplus += event.points[place] - event.expected[place]
            event.points[place] = event.expected[place] = event.changes[place] = 0.0
            event.played[place] = 0
    return surplus


def two_highest(ratings: Sequence[float]) -> tuple[float, float]:
    """The highest rating and the second highest."""
    top = runner_up = -1e300
    for rating in ratings:
        if rating > top:
            top, runner_up = rating, top
        elif rating > runner_up:
            runner_up = rating
    return top, runner_up


def play_tournaments(
    choose: StepChooser, ks: Sequence[float], switches: Switches, people: People, event: Event, log: Log,
    uniforms: Sequence[float], field: Ints,
) -> None:  # fmt: skip
    """All tournaments of the log, one after another. `field` is room for everybody's place.

    Each takes the same numbers whatever the switches: one for everybody who stands in a round, two for each game.
    """
    size = len(people.ratings) // switches.leagues
    at = game = 0
    for number in range(len(log.surplus)):
        if switches.leagues > 1:
            sort_table(people.order, people.ratings)
        league = size * (number % switches.leagues)
        for here in range(size):
            field[here] = people.order[league + here]
        standing = switches.entrants
        for turn in range(switches.rounds):
            draw_lots(field, size if turn == 0 else standing, standing, uniforms, at)
            at += standing
            standing //= 2
            for pair in range(standing):
                one, two = field[2 * pair], field[2 * pair + 1]
                advances = play_game(
                    choose, ks, switches, people, event, log, one, two, uniforms[at], uniforms[at + 1], game
                )  # fmt: skip
                field[pair] = one if advances else two
                at += 2
                game += 1
        log.surplus[number] = settle(people, event)
        log.top[number], log.runner_up[number] = two_highest(people.ratings)
